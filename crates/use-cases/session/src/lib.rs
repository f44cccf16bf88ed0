//! One run, built from its parts.
//!
//! [`start`] takes a [`Test`] (plan, virtual users, thresholds) and returns a
//! [`RunHandle`]: events to follow and a control to change the run with. The run's thread
//! judges thresholds, watches the generator's own [`health`] and makes the summary.
//!
//! [`steered`] makes load at the levels of an experiment. [`preflight`] checks the parts of a
//! test bed before a run. [`comparison`] reads stored runs that are to be compared, [`explanation`] one that is to be
//! explained, [`reported`] one that is to be reported.
//!
//! Elsewhere: when requests are sent, in `engine`; reports, in `report` and `cli`.

mod accounting;
pub mod answers;
pub mod artillery;
mod bodies;
pub mod comparison;
mod describe;
mod endpoint_names;
mod environment;
mod event;
pub mod explanation;
mod failed_requests;
mod follow;
mod full_windows;
mod health;
mod judge;
pub mod k6;
mod limits;
mod live_explanation;
pub mod loki;
pub mod network;
mod notify;
mod observed;
mod outcome;
mod outputs;
mod planned_load;
pub mod preflight;
pub mod published;
pub mod reported;
pub mod rest;
pub mod rounds;
mod run;
pub mod steered;
mod test;
pub mod vendor;
mod warm_up;

pub use environment::environment;
pub use event::{Second, SessionEvent, ThresholdState};
pub use failed_requests::FailureCount;
pub use follow::RunObserver;
pub use health::GeneratorSecond;
pub use judge::RunNote;
pub use limits::{SERIES_MAX, TooManyFiles, script_memory};
pub use loadline_engine::{Control, WorkerHold};
pub use loadline_outputs::PeriodSender;
pub use loadline_reactor::PeerPolicy;
pub use notify::{Notifier, NotifyUrl};
pub use observed::{ObserveRequest, observe, serve_signals};
pub use outcome::{GoalJudge, KeptAnswers, RunResult, Summarizer};
pub use outputs::{OutputsRequest, SPOOL_MAX};
pub use run::{RunHandle, RunOptions, SessionError, start};
pub use test::{Test, TestError};
pub use warm_up::{WARM_UP_MAX, WarmUpSetting};
