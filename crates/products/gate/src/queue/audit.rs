//! What people with a key did to the queue or to somebody in it.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::time::Duration;

use super::policy::QueueMode;
use super::visitor_id::VisitorId;

const KEPT: usize = 1_000;

/// One recorded action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditRecord {
    /// When the store took it, in ms of its clock.
    pub at_ms: u64,
    /// The API key's id.
    pub actor: String,
    /// What was done.
    pub action: AuditAction,
}

/// The kinds of actions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum AuditAction {
    /// Visitors at the front of the line were let in by hand.
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
        admitted: Vec<VisitorId>,
        /// Whether the cap was set aside.
        force: bool,
    },
    /// Somebody was blocked.
    Blocked {
        /// Who.
        wid: VisitorId,
        /// For how long; `None` for good.
        length: Option<Duration>,
        /// Why.
        reason: String,
    },
    /// A block was lifted.
    Unblocked {
        /// Whose.
        wid: VisitorId,
    },
    /// Somebody may pass the line.
    Bypass {
        /// Who.
        wid: VisitorId,
        /// For how long; `None` for good.
        length: Option<Duration>,
    },
    /// Somebody may no longer pass the line.
    BypassEnded {
        /// Who.
        wid: VisitorId,
    },
    /// The rules were changed.
    Configured {
        /// The mode since.
        mode: QueueMode,
        /// The new rate, in admissions per second.
        rate_per_s: Option<f64>,
        /// The cap since.
        cap: Option<u64>,
        /// The run the figures come from.
        run: Option<String>,
    },
    /// A one-time code was shown a second time.
    CodeReplayed {
        /// Whose.
        wid: VisitorId,
    },
}

/// The last actions, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Audit {
    records: VecDeque<AuditRecord>,
}

impl Audit {
    pub(super) fn note(&mut self, at_ms: u64, actor: &str, action: AuditAction) {
        if self.records.len() == KEPT {
            self.records.pop_front();
        }
        self.records.push_back(AuditRecord {
            at_ms,
            actor: actor.to_owned(),
            action,
        });
    }

    pub(super) fn records(&self) -> impl DoubleEndedIterator<Item = &AuditRecord> {
        self.records.iter()
    }
}
