//! Tenants, their keys, and their queues: what exists and who may touch it.
//!
//! A state machine like the queue: a key revoked at one gate is refused at the others as
//! soon as they have read the entry. Of a key only a hash is kept: it has 256 random
//! bits, so a slow hash would cost every call and protect nothing. Names are for people;
//! everything is found by ids that nobody chooses.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

mod keys;

pub use keys::{ApiKey, KeySecret, Scope};

use crate::ids::{KeyId, QueueId, TenantId};
use crate::queue::Policy;
use crate::tokens::admission::AdmissionProof;

/// An owner of queues.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tenant {
    /// Its id.
    pub id: TenantId,
    /// For people.
    pub name: String,
    /// Grows with each rotation of its keys.
    pub generation: u32,
    /// When it was made, in ms of the store's clock.
    pub made_ms: u64,
}

/// A queue, as far as it is not its policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QueueInfo {
    /// Its id.
    pub id: QueueId,
    /// Whose.
    pub tenant: TenantId,
    /// For people and addresses; unique within the tenant.
    pub slug: String,
    /// What the page says above the place.
    pub title: String,
    /// Origins people may be sent to.
    pub origins: Vec<String>,
    /// Where people are sent when they named no address.
    pub target: String,
    /// How the service learns that somebody was let in.
    pub proof: AdmissionProof,
    /// The page's colours and texts.
    pub page: Page,
    /// The rules it starts with.
    pub policy: Policy,
    /// Whether visitors may join by themselves, or only by a call of the service.
    pub open_join: bool,
}

/// How a queue's page looks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// Colour of the bar and links, as `#rrggbb`.
    pub accent: Option<String>,
    /// A sentence of the owner's.
    pub notice: Option<String>,
    /// Language when the browser names none we have: `en` or `ko`.
    pub lang: Option<String>,
}

/// Something to change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum DirectoryChange {
    /// Nothing: answers once everything before is known.
    Nothing,
    /// The first key, if there is none yet.
    AddFirstKey {
        /// It.
        key: ApiKey,
    },
    /// A tenant.
    AddTenant {
        /// Its id.
        id: TenantId,
        /// Its name.
        name: String,
    },
    /// A key.
    AddKey {
        /// It.
        key: ApiKey,
    },
    /// A key that is refused from now on.
    RevokeKey {
        /// Which.
        id: KeyId,
        /// Only one of this tenant; `None` for any.
        of: Option<TenantId>,
    },
    /// New signing keys for a tenant.
    Rotate {
        /// Whose.
        tenant: TenantId,
    },
    /// A queue.
    AddQueue {
        /// It.
        queue: Box<QueueInfo>,
    },
    /// A queue's addresses, page and names.
    ChangeQueue {
        /// As it is to be.
        queue: Box<QueueInfo>,
    },
}

/// The answer to a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeStatus {
    /// Done.
    Done,
    /// Refused: there is one already, by that name or id.
    Exists,
    /// Refused: there is none.
    Missing,
}

/// What a listener is called with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DirectoryEvent {
    /// A queue was made or changed.
    Queue(QueueId),
}

/// All of it.
#[derive(Debug, Clone, Default)]
pub struct Directory {
    all: DirectorySnapshot,
    news: Vec<DirectoryEvent>,
}

/// All of it, in a snapshot.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DirectorySnapshot {
    tenants: BTreeMap<TenantId, Tenant>,
    keys: BTreeMap<KeyId, ApiKey>,
    queues: BTreeMap<QueueId, QueueInfo>,
}

impl Directory {
    pub(crate) fn apply(&mut self, taken_ms: u64, change: DirectoryChange) -> ChangeStatus {
        let all = &mut self.all;
        match change {
            DirectoryChange::Nothing => ChangeStatus::Done,
            DirectoryChange::AddFirstKey { .. } if !all.keys.is_empty() => ChangeStatus::Exists,
            DirectoryChange::AddFirstKey { key } | DirectoryChange::AddKey { key } => {
                let known = key
                    .tenant
                    .is_none_or(|tenant| all.tenants.contains_key(&tenant));
                if !known {
                    return ChangeStatus::Missing;
                }
                add(&mut all.keys, key.id, key)
            }
            DirectoryChange::AddTenant { id, name } => {
                let tenant = Tenant {
                    id,
                    name,
                    generation: 1,
                    made_ms: taken_ms,
                };
                add(&mut all.tenants, id, tenant)
            }
            DirectoryChange::RevokeKey { id, of } => {
                let theirs = |key: &ApiKey| of.is_none_or(|tenant| key.tenant == Some(tenant));
                match all.keys.get(&id).filter(|key| theirs(key)) {
                    None => ChangeStatus::Missing,
                    Some(_) => {
                        all.keys.remove(&id);
                        ChangeStatus::Done
                    }
                }
            }
            DirectoryChange::Rotate { tenant } => match all.tenants.get_mut(&tenant) {
                None => ChangeStatus::Missing,
                Some(tenant) => {
                    tenant.generation += 1;
                    ChangeStatus::Done
                }
            },
            DirectoryChange::AddQueue { queue } => self.add_queue(*queue),
            DirectoryChange::ChangeQueue { queue } => self.change_queue(*queue),
        }
    }

    fn add_queue(&mut self, queue: QueueInfo) -> ChangeStatus {
        if !self.all.tenants.contains_key(&queue.tenant) {
            return ChangeStatus::Missing;
        }
        let same = |other: &QueueInfo| other.tenant == queue.tenant && other.slug == queue.slug;
        if self.all.queues.values().any(same) {
            return ChangeStatus::Exists;
        }
        let id = queue.id;
        let added = add(&mut self.all.queues, id, queue);
        if added == ChangeStatus::Done {
            self.news.push(DirectoryEvent::Queue(id));
        }
        added
    }

    fn change_queue(&mut self, queue: QueueInfo) -> ChangeStatus {
        let taken = |other: &QueueInfo| {
            other.tenant == queue.tenant && other.slug == queue.slug && other.id != queue.id
        };
        if self.all.queues.values().any(taken) {
            return ChangeStatus::Exists;
        }
        match self.all.queues.get_mut(&queue.id) {
            // A queue never changes hands.
            Some(found) if found.tenant == queue.tenant => {
                self.news.push(DirectoryEvent::Queue(queue.id));
                *found = queue;
                ChangeStatus::Done
            }
            _ => ChangeStatus::Missing,
        }
    }

    pub(crate) fn take_events(&mut self) -> Vec<DirectoryEvent> {
        std::mem::take(&mut self.news)
    }

    pub(crate) fn freeze(&self) -> DirectorySnapshot {
        self.all.clone()
    }

    pub(crate) fn thaw(all: DirectorySnapshot) -> Self {
        Self {
            all,
            news: Vec::new(),
        }
    }

    /// A key by its id.
    #[must_use]
    pub fn key(&self, id: KeyId) -> Option<&ApiKey> {
        self.all.keys.get(&id)
    }

    /// All keys of a tenant, or those of none.
    pub fn keys_of(&self, tenant: Option<TenantId>) -> impl Iterator<Item = &ApiKey> {
        self.all
            .keys
            .values()
            .filter(move |key| key.tenant == tenant)
    }

    /// Whether there is any key.
    #[must_use]
    pub fn has_keys(&self) -> bool {
        !self.all.keys.is_empty()
    }

    /// A tenant by its id.
    #[must_use]
    pub fn tenant(&self, id: TenantId) -> Option<&Tenant> {
        self.all.tenants.get(&id)
    }

    /// All tenants.
    pub fn tenants(&self) -> impl Iterator<Item = &Tenant> {
        self.all.tenants.values()
    }

    /// A queue by its id.
    #[must_use]
    pub fn queue(&self, id: QueueId) -> Option<&QueueInfo> {
        self.all.queues.get(&id)
    }

    /// All queues.
    pub fn queues(&self) -> impl Iterator<Item = &QueueInfo> {
        self.all.queues.values()
    }
}

fn add<K: Ord, V>(map: &mut BTreeMap<K, V>, id: K, value: V) -> ChangeStatus {
    match map.entry(id) {
        std::collections::btree_map::Entry::Occupied(_) => ChangeStatus::Exists,
        std::collections::btree_map::Entry::Vacant(free) => {
            free.insert(value);
            ChangeStatus::Done
        }
    }
}

#[cfg(test)]
mod tests;
