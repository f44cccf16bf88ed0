//! Tenants, their keys, and their queues: what exists and who may touch it.
//!
//! A state machine like the queue: a key revoked at one gate is refused at the others as
//! soon as they have read the entry. Of a key only a hash is kept: it has 256 random
//! bits, so a slow hash would cost every call and protect nothing. Names are for people;
//! everything is found by ids that nobody chooses.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

mod additions;
mod browser;
mod change;
mod history;
mod keys;
mod logo;
mod quotas;
mod recording;

pub use additions::ArchivedQueue;
pub use browser::{BrowserSettings, PageTexts};
pub use change::{ChangeStatus, DirectoryChange};
pub use history::{ChangeRecord, RecordedChange};
pub use keys::{ApiKey, KeySecret, Scope};
pub use logo::{Logo, LogoError};
pub use quotas::Quotas;

use crate::ids::{KeyId, QueueId, TenantId};
use crate::queue::Policy;
use crate::tokens::admission::AdmissionProof;
use additions::Additions;

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

/// What a listener is called with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DirectoryEvent {
    /// A queue was made, changed, put away or opened again.
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
    /// At the end of a snapshot, where programs that do not know it read no more.
    additions: Additions,
    /// Since version 4, those that are not as usual.
    browsers: BTreeMap<QueueId, BrowserSettings>,
    /// Since version 5.
    logos: BTreeMap<QueueId, Logo>,
}

impl DirectorySnapshot {
    /// Reads a snapshot; those of before versions 4 and 5 end earlier.
    ///
    /// # Errors
    /// When it is none.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, postcard::Error> {
        let ((tenants, keys, queues), more) = postcard::take_from_bytes(bytes)?;
        let (additions, more) = if more.is_empty() {
            (Additions::default(), more)
        } else {
            postcard::take_from_bytes(more)?
        };
        let (browsers, more) = if more.is_empty() {
            (BTreeMap::new(), more)
        } else {
            postcard::take_from_bytes(more)?
        };
        let logos = if more.is_empty() {
            BTreeMap::new()
        } else {
            postcard::from_bytes(more)?
        };
        Ok(Self {
            tenants,
            keys,
            queues,
            additions,
            browsers,
            logos,
        })
    }
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
                Some(found) => {
                    found.generation += 1;
                    all.additions.note_rotation(tenant, taken_ms);
                    ChangeStatus::Done
                }
            },
            DirectoryChange::AddQueue { queue } => self.add_queue(*queue),
            DirectoryChange::ChangeQueue { queue } => self.change_queue(*queue),
            DirectoryChange::By { actor, change } => self.apply_by(taken_ms, actor, *change),
            DirectoryChange::NoteSecret { fingerprint } => all.additions.note_secret(fingerprint),
            DirectoryChange::ReplaceQueue { before, queue } => match all.queues.get(&queue.id) {
                Some(found) if *found != *before => ChangeStatus::Changed,
                _ => self.change_queue(*queue),
            },
            DirectoryChange::SetQuotas { tenant, quotas } => {
                if !all.tenants.contains_key(&tenant) {
                    return ChangeStatus::Missing;
                }
                all.additions.quotas.insert(tenant, quotas);
                ChangeStatus::Done
            }
            DirectoryChange::ArchiveQueue { id } => match all.queues.remove(&id) {
                None => ChangeStatus::Missing,
                Some(queue) => {
                    all.additions.archive(queue, taken_ms);
                    self.news.push(DirectoryEvent::Queue(id));
                    ChangeStatus::Done
                }
            },
            DirectoryChange::RestoreQueue { id } => self.restore_queue(id),
            DirectoryChange::DeleteQueue { id } => match all.additions.archived.remove(&id) {
                None => ChangeStatus::Missing,
                Some(_) => {
                    all.browsers.remove(&id);
                    all.logos.remove(&id);
                    ChangeStatus::Done
                }
            },
            DirectoryChange::SetBrowser { id, before, after } => {
                self.set_browser(id, &before, *after)
            }
            DirectoryChange::SetLogo { id, logo } => self.set_logo(id, logo),
        }
    }

    fn set_browser(
        &mut self,
        id: QueueId,
        before: &BrowserSettings,
        after: BrowserSettings,
    ) -> ChangeStatus {
        if !self.all.queues.contains_key(&id) {
            return ChangeStatus::Missing;
        }
        if self.browser(id) != *before {
            return ChangeStatus::Changed;
        }
        self.all.browsers.insert(id, after);
        self.news.push(DirectoryEvent::Queue(id));
        ChangeStatus::Done
    }

    fn set_logo(&mut self, id: QueueId, logo: Option<Logo>) -> ChangeStatus {
        if !self.all.queues.contains_key(&id) {
            return ChangeStatus::Missing;
        }
        match logo {
            Some(logo) => self.all.logos.insert(id, logo),
            None => self.all.logos.remove(&id),
        };
        self.news.push(DirectoryEvent::Queue(id));
        ChangeStatus::Done
    }

    /// Does a change and records who asked for it.
    fn apply_by(&mut self, taken_ms: u64, actor: String, change: DirectoryChange) -> ChangeStatus {
        let record = recording::recorded_change(&self.all, &change);
        let status = self.apply(taken_ms, change);
        if let (ChangeStatus::Done, Some((tenant, what))) = (status, record) {
            self.all.additions.history.note(ChangeRecord {
                at_ms: taken_ms,
                actor,
                tenant,
                what,
            });
        }
        status
    }

    fn restore_queue(&mut self, id: QueueId) -> ChangeStatus {
        let Some(found) = self.all.additions.archived.get(&id) else {
            return ChangeStatus::Missing;
        };
        let status = self.add_queue(found.queue.clone());
        if status == ChangeStatus::Done {
            self.all.additions.archived.remove(&id);
        }
        status
    }

    fn add_queue(&mut self, queue: QueueInfo) -> ChangeStatus {
        if !self.all.tenants.contains_key(&queue.tenant) {
            return ChangeStatus::Missing;
        }
        let quota = self.quotas(queue.tenant).queues;
        let others = || self.queues().filter(|other| other.tenant == queue.tenant);
        if quota.is_some_and(|quota| others().count() as u64 >= quota) {
            return ChangeStatus::OverQuota;
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

    /// What else browsers see of a queue.
    #[must_use]
    pub fn browser(&self, id: QueueId) -> BrowserSettings {
        self.all.browsers.get(&id).cloned().unwrap_or_default()
    }

    /// The picture above a queue's page.
    #[must_use]
    pub fn logo(&self, id: QueueId) -> Option<&Logo> {
        self.all.logos.get(&id)
    }

    /// The oldest rotation of a tenant's keys whose tokens still count: tokens live on for as
    /// long as any may, however often the keys are rotated meanwhile.
    #[must_use]
    pub fn oldest_generation(&self, id: TenantId, now_s: u64) -> u32 {
        let generation = self.tenant(id).map_or(1, |tenant| tenant.generation);
        let lately = self.all.additions.rotations_since(id, now_s);
        generation.saturating_sub(lately.max(1))
    }

    /// The hash of the secret that gates of this store sign with, if one is noted.
    #[must_use]
    pub fn secret_fingerprint(&self) -> Option<[u8; 16]> {
        self.all.additions.secret
    }

    /// What a tenant may have at most.
    #[must_use]
    pub fn quotas(&self, id: TenantId) -> Quotas {
        let quotas = self.all.additions.quotas.get(&id);
        quotas.copied().unwrap_or_default()
    }

    /// Queues that were put away.
    pub fn archived(&self) -> impl Iterator<Item = &ArchivedQueue> {
        self.all.additions.archived.values()
    }

    /// What was changed and by whom, newest first.
    pub fn history(&self) -> impl Iterator<Item = &ChangeRecord> {
        self.all.additions.history.records()
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
