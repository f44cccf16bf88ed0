//! One run, put together from its parts.
//!
//! [`start`] takes a [`Test`] (plan, virtual users, thresholds) and returns a
//! [`Handle`]: events to follow and a control to change the run with. The run's thread
//! judges thresholds, watches the generator's own [`health`] and makes the summary.
//!
//! Elsewhere: when what is sent, in `engine`; how it looks, in `report` and `cli`.

mod event;
mod health;
mod judge;
pub mod k6;
pub mod network;
mod outcome;
mod run;
mod test;

pub use event::{Event, Second};
pub use outcome::{Outcome, Summarizer};
pub use run::{Handle, RunOptions, SessionError, start};
pub use test::{Test, TestError};
