//! The queue itself: who waits, who is next, who is inside. Pure, and the same at every gate.
//!
//! A [`Queue`] is a state machine: it is given [`Command`]s in one order, each with the
//! time at which the store took it, and changes by nothing else. Two gates that apply the
//! same log are therefore in the same state, which is what makes several of them one
//! queue. It reads no clock and draws no randomness.
//!
//! A ticket is a number. Numbers are given out in order of arrival and served in that
//! order; the *cursor* is the last number that was passed. The tickets behind the cursor
//! are the [`line`]; visitors that were passed and still count (ready, inside, away) are
//! the [`people`]. Every answer is an absolute state, never a difference to an earlier one.
//!
//! Elsewhere: durability and order in [`crate::storage`], many gates in
//! [`crate::replica`], what a browser sees in [`crate::http`].

mod apply;
mod audit;
mod bucket;
mod clock;
mod command;
mod heartbeats;
mod idempotency;
mod line;
mod number_set;
mod numbers;
mod people;
mod policy;
mod state;
mod visitor_id;

pub use apply::{Queue, QueueSnapshot, QueueTotals};
pub use audit::{AuditAction, AuditRecord};
pub use bucket::AdmissionRate;
pub use clock::QueueTime;
pub use command::{AdmitTarget, Command, IdempotencyKey, Reply};
pub use heartbeats::Heartbeats;
pub use policy::{CapacitySource, Policy, PolicyError, QueueMode};
pub use state::{Event, VisitorState};
pub use visitor_id::VisitorId;

#[cfg(test)]
pub(crate) mod tests;
