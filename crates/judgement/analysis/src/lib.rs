//! What records say.
//!
//! [`compare`] tells whether one system is better than another, by how much, or that it
//! cannot be told. [`slo`] judges what a back end must keep to, [`curve`] names the points of
//! a load curve, [`tuning`] what trials of settings say, [`capacity`] what a search for it comes to, [`usl`] fits a law to it; [`estimate`] gives numbers with their range,
//! [`bed`] names the weakest part of a test bed, [`small_answers`] finds error pages sent with 200,
//! [`same_answers`] holds answers to those before,
//! [`tracing`] what traces cost a target, [`trend`], [`pauses`] and [`queue`] look at how windows follow each other. Everything here is a pure
//! function of measured numbers.
//!
//! Elsewhere: where the numbers come from (`store`), which load comes next (`experiment`), how
//! findings look (`report`).

pub mod bed;
pub mod capacity;
pub mod compare;
pub mod curve;
pub mod estimate;
pub mod pauses;
#[cfg(test)]
mod published;
pub mod queue;
pub mod same_answers;
pub mod sequential;
pub mod slo;
mod small_answers;
mod special;
mod student;
pub mod tracing;
pub mod trend;
pub mod tuning;
pub mod usl;

pub use small_answers::{SmallAnswers, small_answers};
