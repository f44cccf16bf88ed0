//! The contract between the engine and what it runs.
//!
//! The engine decides when a [`VirtualUser`] begins an iteration and when it must stop;
//! the user decides what an iteration is. A [`VuFactory`] makes users on the thread that
//! runs them. Set-up, teardown and summary are run by users too ([`LifecycleStage`]). All users
//! and the engine share the [`RunState`].

mod answer_samples;
mod body_samples;
pub mod failed_answers;
mod local;
mod run_state;
mod stall_counts;
mod stop;
mod user;

pub use answer_samples::{AnswerHead, AnswerSamples, AskedRequest, RequestId, SampledAnswer};
pub use body_samples::{BodyClock, BodySamples, SampledBody};
pub use failed_answers::FailedAnswers;
pub use local::WorkerLocal;
pub use run_state::{
    DropReason, ProgressUnit, RunPhase, RunState, ScenarioDescription, ScenarioState,
};
pub use stall_counts::StallCounts;
pub use stop::{Fault, FaultClass, StopCause};
pub use user::{
    Cx, InterruptReason, Iteration, IterationKind, IterationResult, IterationStatus,
    LifecycleStage, VirtualUser, VuFactory,
};
