//! Starts, drives and stops virtual users on time, on several workers as one.
//!
//! An [`Engine`] takes a validated plan and a [`loadline_vu::VuFactory`] and runs the
//! test from set-up to teardown, telling an [`Observer`] of merged windows and events.
//! Inside, each `worker` owns users and a share of the starts (`pacer`), the
//! `conductor` on the first worker seats users in scenarios, and `run` goes through
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
mod fabric;
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
mod worker;

pub use control::Control;
pub use error::EngineError;
pub use observer::{Event, Observer};
pub use options::EngineOptions;
pub use run::{Ending, Engine, Measures};
