//! What people with a key did to the queue or to somebody in it.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::time::Duration;

use super::policy::Mode;
use super::wid::Wid;

const KEPT: usize = 1_000;

/// One deed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Audited {
    /// When the store took it, in ms of its clock.
    pub at_ms: u64,
    /// The API key's id.
    pub actor: String,
    /// What was done.
    pub deed: Deed,
}

/// What can be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Deed {
    /// The first so many of the line were let in by hand.
    AdmittedCount {
        /// How many were asked for.
        asked: u64,
        /// How many were let in.
        admitted: u64,
        /// Whether the cap was set aside.
        force: bool,
    },
    /// Certain people were let in by hand.
    AdmittedPeople {
        /// How many were asked for.
        asked: u64,
        /// Those let in.
        admitted: Vec<Wid>,
        /// Whether the cap was set aside.
        force: bool,
    },
    /// Somebody was blocked.
    Blocked {
        /// Who.
        wid: Wid,
        /// For how long; `None` for good.
        length: Option<Duration>,
        /// Why.
        reason: String,
    },
    /// A block was lifted.
    Unblocked {
        /// Whose.
        wid: Wid,
    },
    /// Somebody may pass the line.
    Bypass {
        /// Who.
        wid: Wid,
        /// For how long; `None` for good.
        length: Option<Duration>,
    },
    /// Somebody may no longer pass the line.
    BypassEnded {
        /// Who.
        wid: Wid,
    },
    /// The rules were changed.
    Configured {
        /// The mode since.
        mode: Mode,
        /// Admissions per second since, in words of the API.
        rate_per_s: Option<f64>,
        /// The cap since.
        cap: Option<u64>,
        /// The run the figures come from.
        run: Option<String>,
    },
    /// A one-time code was shown a second time.
    CodeReplayed {
        /// Whose.
        wid: Wid,
    },
}

/// The last deeds, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Audit {
    deeds: VecDeque<Audited>,
}

impl Audit {
    pub(super) fn note(&mut self, at_ms: u64, actor: &str, deed: Deed) {
        if self.deeds.len() == KEPT {
            self.deeds.pop_front();
        }
        self.deeds.push_back(Audited {
            at_ms,
            actor: actor.to_owned(),
            deed,
        });
    }

    pub(super) fn deeds(&self) -> impl DoubleEndedIterator<Item = &Audited> {
        self.deeds.iter()
    }
}
