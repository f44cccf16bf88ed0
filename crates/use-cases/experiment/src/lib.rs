//! Experiments as state machines.
//!
//! [`capacity`] finds the load a back end can carry: given one [`window::LoadWindow`] after the
//! other, it answers which load comes next. [`tuning`] finds the settings with which a back end
//! does best: given the result of one trial after the other, it answers which setting is tried
//! next. [`matrix`] holds smoke, load, stress and the search for each API of a test, one cell after the
//! other. None has a clock or a thread, and randomness is a seed, so an experiment with a
//! simulated target ([`simulated`]) takes milliseconds. [`runner`] is the contract with what makes
//! the load.
//!
//! Elsewhere: making load (`session`), what numbers mean (`analysis`), showing the answer
//! (`report`).

pub mod capacity;
pub mod matrix;
pub mod runner;
pub mod simulated;
pub mod tuning;
pub mod window;
