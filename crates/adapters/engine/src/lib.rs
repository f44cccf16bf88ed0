//! Starts, drives and stops virtual users on time, on several workers as one.
//!
//! An [`Engine`] takes a validated plan and a [`loadline_vu::VuFactory`] and runs the
//! test from set-up to teardown, and reports merged windows and events to an [`Observer`].
//! Inside, each `worker` owns users and a share of the starts (`pacer`), the
//! `conductor` on the first worker gives users slots in scenarios, and `run` goes through
//! the phases. A [`Control`] changes a running test from any thread.
//!
//! The engine knows neither protocols nor scripts: a user is a
//! [`loadline_vu::VirtualUser`]. Thresholds, summaries and storage are `session`'s.

mod atomic;
mod command;
mod conductor;
mod control;
mod drive;
mod error;
pub mod idle;
mod lane;
mod observer;
mod options;
mod pacer;
mod run;
mod shared;
pub mod simulated;
mod threads;
mod user;
mod waiting;
mod watchdog;
mod worker;
mod worker_link;

pub use command::{StageAnswer, WorkerHold};
pub use control::Control;
pub use error::EngineError;
pub use observer::{EngineEvent, Observer};
pub use options::EngineOptions;
pub use run::{Engine, EngineEnding, RunMetrics};
