//! A visitor's state, and events.

use std::time::Duration;

use super::clock::QueueTime;
use super::visitor_id::VisitorId;

/// A visitor's state in full, never a difference to an earlier one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VisitorState {
    /// Holds a ticket.
    Waiting {
        /// Its number.
        seq: u64,
        /// How many are served before.
        ahead: u64,
    },
    /// Was not there when its turn came; keeps the number for a while.
    Away {
        /// Its number.
        seq: u64,
        /// How long the number is kept.
        left: Duration,
    },
    /// May come in now.
    Ready {
        /// Its number.
        seq: u64,
        /// How long it may take to claim.
        left: Duration,
        /// When the turn was given, in queue time: the order of turns at all gates.
        since: QueueTime,
    },
    /// Is inside.
    Inside {
        /// Its number.
        seq: u64,
        /// Which admission of the number it is.
        lease: u32,
        /// How long the one-time code may still be exchanged; `None` once it was or when over.
        code_left: Option<Duration>,
        /// How long the session lasts without a sign.
        idle_left: Duration,
        /// How long the session lasts at most.
        absolute_left: Duration,
    },
    /// Was refused by the owner.
    Blocked {
        /// Why, in the owner's words.
        reason: String,
    },
    /// Holds nothing here: never came, left, did not come in time, or was inside and ended.
    Gone,
}

impl VisitorState {
    /// Its name in the API.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Waiting { .. } => "waiting",
            Self::Away { .. } => "away",
            Self::Ready { .. } => "ready",
            Self::Inside { .. } => "inside",
            Self::Blocked { .. } => "blocked",
            Self::Gone => "gone",
        }
    }

    /// The ticket's number.
    #[must_use]
    pub const fn seq(&self) -> Option<u64> {
        match self {
            Self::Waiting { seq, .. }
            | Self::Away { seq, .. }
            | Self::Ready { seq, .. }
            | Self::Inside { seq, .. } => Some(*seq),
            Self::Blocked { .. } | Self::Gone => None,
        }
    }
}

/// Something happened to a visitor: a reason to look at the state again, no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// May come in.
    Ready(VisitorId),
    /// The state changed otherwise: blocked, a session or a lease that ended.
    Changed(VisitorId),
    /// Everybody is concerned: mode, rate.
    Rules,
    /// The whole state is another one: any visitor's may have changed.
    Replaced,
}
