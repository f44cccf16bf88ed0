//! What people with a key did to the queue or to somebody in it.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::time::Duration;

use super::policy::{Policy, QueueMode};
use super::visitor_id::VisitorId;

/// Records that are kept at most ...
const RECORDS_MAX: usize = 2_000;
/// ... before version 3 of the rules ...
const FIRST_RULES_RECORDS_MAX: usize = 1_000;
/// ... and for how long, in ms: a year and a month.
pub(crate) const RECORD_LIFE_MS: u64 = 396 * 86_400_000;
/// Codes shown twice that are kept: anybody may show one again and again.
const REPLAYS_MAX: usize = 200;

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
    /// The rules were changed, with what they were before. Since version 3.
    RulesChanged {
        /// As they were.
        before: Box<Policy>,
        /// As they are since.
        after: Box<Policy>,
        /// The run the figures come from.
        run: Option<String>,
    },
}

/// The last actions, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Audit {
    records: VecDeque<AuditRecord>,
}

impl Audit {
    /// Notes what was done, under the rules of a version.
    pub(super) fn note(&mut self, version: u32, record: AuditRecord) {
        let kept = if version < 3 {
            FIRST_RULES_RECORDS_MAX
        } else {
            RECORDS_MAX
        };
        let is_old = |old: &AuditRecord| version >= 3 && old.at_ms + RECORD_LIFE_MS < record.at_ms;
        while self.records.len() >= kept || self.records.front().is_some_and(is_old) {
            self.records.pop_front();
        }
        self.records.push_back(record);
    }

    pub(super) fn records(&self) -> impl DoubleEndedIterator<Item = &AuditRecord> {
        self.records.iter()
    }
}

/// The last codes that were shown twice, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Replays(VecDeque<AuditRecord>);

impl Replays {
    pub(super) fn note(&mut self, record: AuditRecord) {
        if self.0.len() >= REPLAYS_MAX {
            self.0.pop_front();
        }
        self.0.push_back(record);
    }

    pub(super) fn records(&self) -> impl Iterator<Item = &AuditRecord> {
        self.0.iter().rev()
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Audit, AuditAction, AuditRecord, RECORD_LIFE_MS, RECORDS_MAX, REPLAYS_MAX, Replays,
    };
    use crate::queue::VisitorId;

    fn at(at_ms: u64) -> AuditRecord {
        AuditRecord {
            at_ms,
            actor: "k_1".to_owned(),
            action: AuditAction::CodeReplayed {
                wid: VisitorId([1; 16]),
            },
        }
    }

    #[test]
    fn records_are_kept_by_number_and_by_age() {
        let mut audit = Audit::default();
        (0..RECORDS_MAX as u64 + 5).for_each(|ms| audit.note(3, at(ms)));
        assert_eq!(audit.records().count(), RECORDS_MAX);
        assert_eq!(audit.records().next(), Some(&at(5)));
        audit.note(3, at(10 + RECORD_LIFE_MS));
        assert_eq!(audit.records().next(), Some(&at(10)), "older ones end");
    }

    /// Anybody may show a code again and again: that pushes nothing else out.
    #[test]
    fn codes_shown_twice_are_kept_apart_and_few() {
        let mut replays = Replays::default();
        (0..REPLAYS_MAX as u64 * 3).for_each(|ms| replays.note(at(ms)));
        assert_eq!(replays.records().count(), REPLAYS_MAX);
    }
}
