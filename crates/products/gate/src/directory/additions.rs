//! What the directory knows since version 3 of the rules.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::history::History;
use super::{ChangeStatus, QueueInfo, Quotas};
use crate::ids::{QueueId, TenantId};

/// The longest that any token lives: a session of the longest rules, in seconds.
const TOKEN_LIFE_S: u64 = 7 * 86_400;

/// A queue that was put away.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArchivedQueue {
    /// As it was.
    pub queue: QueueInfo,
    /// When, in ms of the store's clock.
    pub at_ms: u64,
}

/// All of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Additions {
    pub(super) secret: Option<[u8; 16]>,
    /// When keys were rotated lately, in ms of the store's clock, oldest first.
    rotations: BTreeMap<TenantId, Vec<u64>>,
    pub(super) quotas: BTreeMap<TenantId, Quotas>,
    pub(super) archived: BTreeMap<QueueId, ArchivedQueue>,
    pub(super) history: History,
}

impl Additions {
    pub(super) fn note_secret(&mut self, fingerprint: [u8; 16]) -> ChangeStatus {
        if *self.secret.get_or_insert(fingerprint) == fingerprint {
            ChangeStatus::Done
        } else {
            ChangeStatus::Exists
        }
    }

    pub(super) fn note_rotation(&mut self, tenant: TenantId, at_ms: u64) {
        let times = self.rotations.entry(tenant).or_default();
        times.retain(|time| is_lately(*time, at_ms / 1_000));
        times.push(at_ms);
    }

    /// How often keys were rotated within the life of a token.
    pub(super) fn rotations_since(&self, tenant: TenantId, now_s: u64) -> u32 {
        let times = self.rotations.get(&tenant).into_iter().flatten();
        let count = times.filter(|time| is_lately(**time, now_s)).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    pub(super) fn archive(&mut self, queue: QueueInfo, at_ms: u64) {
        self.archived
            .insert(queue.id, ArchivedQueue { queue, at_ms });
    }
}

fn is_lately(time_ms: u64, now_s: u64) -> bool {
    time_ms / 1_000 + TOKEN_LIFE_S >= now_s
}
