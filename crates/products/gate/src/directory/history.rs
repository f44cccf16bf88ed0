//! What was changed in the directory, by whom, and how it was before.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

use super::{BrowserSettings, QueueInfo, Quotas};
use crate::ids::{KeyId, QueueId, TenantId};
use crate::queue::RECORD_LIFE_MS;

/// Records that are kept at most, and for [`RECORD_LIFE_MS`].
const RECORDS_MAX: usize = 10_000;

/// One recorded change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangeRecord {
    /// When the store took it, in ms of its clock.
    pub at_ms: u64,
    /// The API key's id.
    pub actor: String,
    /// Whose directory it concerns; `None` for the installation's.
    pub tenant: Option<TenantId>,
    /// What was changed.
    pub what: RecordedChange,
}

/// The kinds of changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum RecordedChange {
    /// A tenant was made.
    TenantAdded {
        /// Its name.
        name: String,
    },
    /// A key was made.
    KeyAdded {
        /// Its id.
        key: KeyId,
        /// For people.
        label: String,
        /// What it may do.
        scopes: Vec<super::Scope>,
        /// When it ends, in seconds since 1970.
        expires_s: Option<u64>,
    },
    /// A key was revoked.
    KeyRevoked {
        /// Its id.
        key: KeyId,
        /// For people.
        label: String,
    },
    /// Signing keys were rotated.
    KeysRotated {
        /// The rotation since.
        generation: u32,
    },
    /// A queue was made.
    QueueAdded {
        /// As it is.
        queue: Box<QueueInfo>,
    },
    /// A queue's addresses, page or names were changed.
    QueueChanged {
        /// As it was.
        before: Box<QueueInfo>,
        /// As it is since.
        after: Box<QueueInfo>,
    },
    /// A queue was put away.
    QueueArchived {
        /// Which.
        queue: QueueId,
    },
    /// A queue was opened again.
    QueueRestored {
        /// Which.
        queue: QueueId,
    },
    /// A queue was forgotten.
    QueueDeleted {
        /// Which.
        queue: QueueId,
        /// Its name.
        slug: String,
    },
    /// What a tenant may have was changed.
    QuotasSet {
        /// As they were.
        before: Quotas,
        /// As they are since.
        after: Quotas,
    },
    /// What browsers see of a queue was changed.
    BrowserChanged {
        /// Whose.
        queue: QueueId,
        /// As it was.
        before: Box<BrowserSettings>,
        /// As it is since.
        after: Box<BrowserSettings>,
    },
    /// A queue's logo was changed.
    LogoChanged {
        /// Whose.
        queue: QueueId,
        /// Its address as it was.
        before: Option<String>,
        /// Its address since.
        after: Option<String>,
    },
}

/// The last records, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct History(VecDeque<ChangeRecord>);

impl History {
    pub(super) fn note(&mut self, record: ChangeRecord) {
        let is_old = |kept: &ChangeRecord| kept.at_ms + RECORD_LIFE_MS < record.at_ms;
        while self.0.len() >= RECORDS_MAX || self.0.front().is_some_and(is_old) {
            self.0.pop_front();
        }
        self.0.push_back(record);
    }

    pub(super) fn records(&self) -> impl Iterator<Item = &ChangeRecord> {
        self.0.iter().rev()
    }
}

#[cfg(test)]
mod tests {
    use super::{ChangeRecord, History, RECORD_LIFE_MS, RECORDS_MAX, RecordedChange};

    fn at(at_ms: u64) -> ChangeRecord {
        ChangeRecord {
            at_ms,
            actor: "k_1".to_owned(),
            tenant: None,
            what: RecordedChange::KeysRotated { generation: 2 },
        }
    }

    #[test]
    fn changes_are_kept_by_number_and_by_age() {
        let mut history = History::default();
        (0..RECORDS_MAX as u64 + 5).for_each(|ms| history.note(at(ms)));
        assert_eq!(history.records().count(), RECORDS_MAX);
        assert_eq!(history.records().last(), Some(&at(5)));
        history.note(at(10 + RECORD_LIFE_MS));
        assert_eq!(history.records().last(), Some(&at(10)), "older ones end");
    }
}
