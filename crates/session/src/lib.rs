//! One run, put together from its parts.
//!
//! [`start`] takes a [`Test`] (plan, virtual users, thresholds) and returns a
//! [`Handle`]: events to follow and a control to change the run with. The run's thread
//! judges thresholds, watches the generator's own [`health`] and makes the summary.
//!
//! [`steered`] makes load as an experiment asks. [`preflight`] tries the parts of a test bed one by one before a run.
//!
//! Elsewhere: when what is sent, in `engine`; how it looks, in `report` and `cli`.

mod accounting;
pub mod artillery;
mod describe;
mod environment;
mod event;
mod follow;
mod health;
mod judge;
pub mod k6;
mod limits;
pub mod network;
mod notify;
mod outcome;
mod outputs;
pub mod preflight;
mod run;
pub mod steered;
mod test;
pub mod vendor;
mod warm_up;

pub use environment::environment;
pub use event::{Event, Second};
pub use follow::Follower;
pub use health::GeneratorSecond;
pub use judge::Note;
pub use limits::TooManyFiles;
pub use loadline_engine::Control;
pub use notify::Notifier;
pub use outcome::{GoalJudge, Outcome, Summarizer};
pub use outputs::{OutputsRequest, SPOOL_MAX};
pub use run::{Handle, MOST_SERIES, RunOptions, SessionError, start};
pub use test::{Test, TestError};
pub use warm_up::{LONGEST_WARM_UP, WarmUp};
