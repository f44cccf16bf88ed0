//! Targets that are computed: a pool of connections each request holds for a time, with
//! faults, and a generator with limits of its own.
//!
//! Their truth is known, so a search can be checked against it in milliseconds. Requests
//! are served in the order in which they came; every run of one seed is the same.

mod simulation;
mod target;

pub use simulation::Simulation;
pub use target::SimulatedTarget;
