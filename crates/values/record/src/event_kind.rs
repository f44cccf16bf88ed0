//! Kinds of a run's events that one part writes and others look for.
//!
//! Elsewhere: kinds that are only shown, beside what writes them (`session`).

/// Scenarios begin.
pub const BEGINS: &str = "begins";
/// Load goes on and does not count yet.
pub const WARMING: &str = "warming";
/// Load counts from now on.
pub const WARMED_UP: &str = "warmed-up";
/// No more iterations begin.
pub const SCENARIOS_OVER: &str = "scenarios-over";
/// A key, a page, the REST API or a search changed the load.
pub const LOAD_CHANGED: &str = "load-changed";
/// A person wrote something beside the run.
pub const ANNOTATION: &str = "annotation";
/// A page stopped the run.
pub const STOP: &str = "stop";
/// A search is through with a level.
pub const CAPACITY_LEVEL: &str = "capacity-level";
/// A search has its result.
pub const CAPACITY: &str = "capacity";
