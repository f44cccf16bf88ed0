//! The contract between the engine and what it runs.
//!
//! The engine decides when a [`VirtualUser`] begins an iteration and when it must stop;
//! the user decides what an iteration is. A [`VuFactory`] makes users on the thread that
//! runs them. Set-up, teardown and summary are run by users too ([`Stage`]). What all
//! users and the engine share is the [`Board`].

mod board;
pub mod failed_answers;
mod local;
mod stop;
mod user;

pub use board::{Board, Progress, ScenarioBoard, ScenarioCard};
pub use failed_answers::FailedAnswers;
pub use local::Local;
pub use stop::{Fault, FaultClass, StopCause};
pub use user::{Cx, Iteration, Outcome, Stage, Step, VirtualUser, VuFactory, Why, Work};
