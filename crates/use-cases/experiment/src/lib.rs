//! Experiments as state machines.
//!
//! [`capacity`] finds the load a back end can carry. An experiment is given one
//! [`window::LoadWindow`] after the other and answers which load comes next; it has no clock, no
//! thread and no randomness, so a search against a [`simulated`] target takes milliseconds.
//! [`runner`] is the contract with whoever makes the load.
//!
//! Elsewhere: making load (`session`), what numbers mean (`analysis`), showing the answer
//! (`report`).

pub mod capacity;
pub mod runner;
pub mod simulated;
pub mod window;
