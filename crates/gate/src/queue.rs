//! The queue itself: who waits, who is next, who is inside. Pure, and the same everywhere.
//!
//! A [`Queue`] is a state machine: it is given [`Command`]s in one order, each with the
//! time at which the store took it, and changes by nothing else. Two gates that apply the
//! same log are therefore in the same state, which is what makes several of them one
//! queue. It reads no clock and draws no randomness.
//!
//! A ticket is a number. Numbers are given out in order of arrival and served in that
//! order; the *cursor* is the last number that was passed. The tickets behind the cursor
//! are the [`line`]; whoever was passed and still counts (ready, inside, away) is among
//! the [`people`]. Everything that is told to anybody is an absolute state, never a
//! difference to one told before.
//!
//! Elsewhere: durability and order in [`crate::storage`], many gates in
//! [`crate::replica`], what a browser sees in [`crate::http`].

mod apply;
mod audit;
mod bucket;
mod clock;
mod command;
mod holes;
mod line;
mod once;
mod people;
mod policy;
mod seen;
mod standing;
mod wid;

pub use apply::{FrozenQueue, Queue, Totals};
pub use audit::{Audited, Deed};
pub use bucket::AdmissionRate;
pub use clock::Moment;
pub use command::{Command, OnceKey, Outcome, WhomToAdmit};
pub use policy::{Figure, Mode, Policy, PolicyError};
pub use seen::Seen;
pub use standing::{Event, Standing};
pub use wid::Wid;

#[cfg(test)]
pub(crate) mod tests;
