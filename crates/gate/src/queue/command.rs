//! What can be asked of a queue, and what it answers.
//!
//! Every command can come twice (a gate that does not know whether the store took it
//! sends it again) and does nothing the second time.

use serde::{Deserialize, Serialize};
use std::time::Duration;

use super::policy::{Figure, Policy};
use super::seen::Seen;
use super::standing::Standing;
use super::wid::Wid;

/// A hash of a key that a caller chose to make a command happen once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OnceKey(pub [u8; 16]);

/// Whom to admit by hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum WhomToAdmit {
    /// The first so many of the line.
    First(u64),
    /// These, wherever they stand.
    These(Vec<Wid>),
}

/// Something asked of a queue. New ones go at the end: the log keeps them by position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Command {
    /// Time went on.
    Tick,
    /// Get a ticket, or find the one held.
    Join {
        /// Who.
        wid: Wid,
    },
    /// These were seen.
    Saw(Seen),
    /// Went away, perhaps: the place is kept.
    Away {
        /// Who.
        wid: Wid,
    },
    /// Gives up ticket or session.
    Leave {
        /// Who.
        wid: Wid,
    },
    /// Comes in.
    Claim {
        /// Who.
        wid: Wid,
    },
    /// Shows the one-time code.
    Redeem {
        /// Whose code.
        wid: Wid,
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
        wids: Vec<Wid>,
    },
    /// Let in by hand.
    Admit {
        /// Whom.
        whom: WhomToAdmit,
        /// Whether the cap is set aside.
        force: bool,
        /// Makes it happen once.
        once: OnceKey,
        /// Who asks.
        actor: String,
    },
    /// Refuse somebody.
    Block {
        /// Whom.
        wid: Wid,
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
        wid: Wid,
        /// Who asks.
        actor: String,
    },
    /// Let somebody pass the line, now and whenever he comes.
    Bypass {
        /// Whom.
        wid: Wid,
        /// For how long; `None` for good.
        length: Option<Duration>,
        /// Who asks.
        actor: String,
    },
    /// End that.
    EndBypass {
        /// Whose.
        wid: Wid,
        /// Who asks.
        actor: String,
    },
    /// Change the rules.
    Configure {
        /// The new ones, whole.
        policy: Box<Policy>,
        /// Where rate and cap come from; `None` when a person chose them.
        figure: Option<Box<Figure>>,
        /// Only if the rules still have this version.
        expected: Option<u64>,
        /// Who asks.
        actor: String,
    },
    /// A gate begins. What signs of life the one before had not yet told are lost with it, so
    /// whoever waits counts as seen.
    Began,
}

/// What became of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing to say.
    Done,
    /// Where the person stands now: join, claim, leave.
    Stands(Standing),
    /// A new ticket, and where it stands.
    Joined(Standing),
    /// No ticket: as many wait as may.
    Full,
    /// No ticket: none are given out.
    NoNewTickets,
    /// Nothing to claim: where the person stands.
    NotReady(Standing),
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
