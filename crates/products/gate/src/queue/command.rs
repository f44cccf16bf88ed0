//! Commands to a queue, and replies.
//!
//! Every command can come twice (a gate that does not know whether the store took it
//! sends it again) and does nothing the second time.

use aws_lc_rs::digest;
use serde::{Deserialize, Serialize};
use std::time::Duration;

use super::heartbeats::Heartbeats;
use super::policy::{CapacitySource, Policy};
use super::state::VisitorState;
use super::visitor_id::VisitorId;

/// A hash of a key that a caller chose to make a command happen once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct IdempotencyKey(pub [u8; 16]);

impl IdempotencyKey {
    /// A hash of the parts, which name a caller and its call.
    #[must_use]
    pub fn from_parts<T: AsRef<[u8]>>(parts: &[T]) -> Self {
        let mut context = digest::Context::new(&digest::SHA256);
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                context.update(b"\0");
            }
            context.update(part.as_ref());
        }
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&context.finish().as_ref()[..16]);
        Self(bytes)
    }
}

/// Whom to admit by hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum AdmitTarget {
    /// This many from the front of the line.
    First(u64),
    /// These, wherever they stand.
    These(Vec<VisitorId>),
}

/// Something asked of a queue. New ones go at the end: the log keeps them by position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Command {
    /// Time went on.
    Tick,
    /// Get a ticket, or find the one held.
    Join {
        /// Who.
        wid: VisitorId,
    },
    /// Heartbeats of visitors.
    Heartbeats(Heartbeats),
    /// Went away, perhaps: the place is kept.
    Away {
        /// Who.
        wid: VisitorId,
    },
    /// Gives up ticket or session.
    Leave {
        /// Who.
        wid: VisitorId,
    },
    /// Comes in.
    Claim {
        /// Who.
        wid: VisitorId,
    },
    /// Shows the one-time code.
    Redeem {
        /// Whose code.
        wid: VisitorId,
        /// Its number.
        seq: u64,
        /// Of which admission.
        lease: u32,
        /// Who asks: an API key's id.
        actor: String,
    },
    /// Their sessions are over.
    Complete {
        /// Whose.
        wids: Vec<VisitorId>,
    },
    /// Let in by hand.
    Admit {
        /// Whom.
        target: AdmitTarget,
        /// Whether the cap is set aside.
        force: bool,
        /// Makes it happen once.
        once: IdempotencyKey,
        /// Who asks.
        actor: String,
    },
    /// Refuse somebody.
    Block {
        /// Whom.
        wid: VisitorId,
        /// For how long; `None` for good.
        length: Option<Duration>,
        /// Why.
        reason: String,
        /// Who asks.
        actor: String,
    },
    /// Lift a block.
    Unblock {
        /// Whose.
        wid: VisitorId,
        /// Who asks.
        actor: String,
    },
    /// Let a visitor pass the line, now and at each later join.
    Bypass {
        /// Whom.
        wid: VisitorId,
        /// For how long; `None` for good.
        length: Option<Duration>,
        /// Who asks.
        actor: String,
    },
    /// End that.
    EndBypass {
        /// Whose.
        wid: VisitorId,
        /// Who asks.
        actor: String,
    },
    /// Change the rules.
    Configure {
        /// The new ones, whole.
        policy: Box<Policy>,
        /// Where rate and cap come from; `None` when a person chose them.
        figure: Option<Box<CapacitySource>>,
        /// Only if the rules still have this version.
        expected: Option<u64>,
        /// Who asks.
        actor: String,
    },
    /// A gate has started. Heartbeats that the one before had not appended are lost, so every
    /// waiter counts as seen now.
    GateStarted,
    /// Shows the one-time code, with a key that makes the same call again harmless.
    RedeemOnce {
        /// Whose code.
        wid: VisitorId,
        /// Its number.
        seq: u64,
        /// Of which admission.
        lease: u32,
        /// The caller's key.
        once: IdempotencyKey,
        /// Who asks: an API key's id, or `enter`.
        actor: String,
    },
    /// Shows a ticket that this state does not know, because the store lost what made it.
    Restore {
        /// Whose.
        wid: VisitorId,
        /// The ticket's number.
        seq: u64,
    },
    /// Comes in where only the newest session counts: who is inside gets another code at any
    /// time, and the session before is over. Since version 2.
    ClaimAgain {
        /// Who.
        wid: VisitorId,
    },
}

impl Command {
    /// Whose state the reply tells, as it is once everybody who may was let in.
    pub(super) fn asks_for_state_of(&self) -> Option<VisitorId> {
        match self {
            Self::Join { wid }
            | Self::Claim { wid }
            | Self::ClaimAgain { wid }
            | Self::Leave { wid }
            | Self::Restore { wid, .. } => Some(*wid),
            _ => None,
        }
    }
}

/// The answer to a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// Nothing to say.
    Done,
    /// Where the person stands now: join, claim, leave.
    State(VisitorState),
    /// A new ticket, and where it stands.
    Joined(VisitorState),
    /// No ticket: as many wait as may.
    Full,
    /// No ticket: none are given out.
    NoNewTickets,
    /// Nothing to claim: where the person stands.
    NotReady(VisitorState),
    /// The code is good, and was shown for the first time.
    Redeemed {
        /// How long the session lasts at most.
        absolute_left: Duration,
    },
    /// The code was shown before.
    AlreadyRedeemed,
    /// The code is of no admission that still counts.
    CodeOver,
    /// How many it was done to.
    Count(u64),
    /// The rules have this version now.
    Version(u64),
    /// The rules have another version than expected: this one.
    OtherVersion(u64),
}
