//! Settings of a target.
//!
//! [`study`] reads the file that describes a study: the goal, the knobs and how each is set.
//! [`apply`] sets them at the target, starts and stops it, and reads back what it set: a trial
//! counts only under settings that were seen. [`journal`] keeps what was done on disk before it
//! is done, so that a study that was killed goes on, and originals come back whatever happened.
//! [`original`] is a file as it was. [`lock`] keeps two studies from one target. [`inspect`] looks at a target that runs, and
//! [`draft`] writes a study file for it to begin with.
//!
//! Elsewhere: which setting comes next (`experiment`), the load (`session`).

mod access_list;
pub mod apply;
mod digest;
pub mod draft;
mod error;
pub mod inspect;
pub mod journal;
pub mod lock;
pub mod original;
pub mod study;
mod web;
