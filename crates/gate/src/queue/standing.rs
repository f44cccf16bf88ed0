//! Where somebody stands, and what just happened to somebody.

use std::time::Duration;

use super::clock::Moment;
use super::wid::Wid;

/// Where somebody stands, in full: never a difference to what was told before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
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
        since: Moment,
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

impl Standing {
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

/// What just happened to somebody: a reason to look at the standing again, no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// May come in.
    Ready(Wid),
    /// Left the states it can be told of: blocked, a session or a lease that ended.
    Changed(Wid),
    /// Everybody is concerned: mode, rate.
    Rules,
}
