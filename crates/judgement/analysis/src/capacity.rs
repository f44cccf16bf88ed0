//! What the search for a back end's capacity comes to.
//!
//! A search (in `experiment`) holds levels; each becomes a [`Step`], all of them an
//! [`Answer`]: the line (highest load whose objective holds with confidence), the knee (lowest
//! load with 90 % of the peak's throughput), the peak, and what else was learnt. [`table`]
//! judges a curve that somebody else measured.

mod answer;
mod step;
pub mod table;

pub use answer::{
    Answer, Baseline, Bounds, Knee, Line, Peak, SearchEnd, SearchSpec, Soak, SoakEnd, changed_late,
    got_faster,
};
pub use step::{
    AbortReason, Ceiling, IterationFaults, LevelOutcome, Purpose, SentAtLoad, Step, Unit,
    UnsureReason,
};
