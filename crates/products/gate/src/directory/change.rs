//! What can be changed in the directory, and what becomes of it.

use serde::{Deserialize, Serialize};

use super::{ApiKey, BrowserSettings, Logo, QueueInfo, Quotas};
use crate::ids::{KeyId, QueueId, TenantId};

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
    /// A change that somebody asked for, which is recorded. Since version 3, as all that follow.
    By {
        /// The API key's id, or what else made it.
        actor: String,
        /// It.
        change: Box<DirectoryChange>,
    },
    /// Notes by a hash which secret the gates of this store sign with, if none is noted.
    NoteSecret {
        /// [`crate::tokens::Secret::fingerprint`].
        fingerprint: [u8; 16],
    },
    /// As [`DirectoryChange::ChangeQueue`], if the queue is still as it was read.
    ReplaceQueue {
        /// As it was.
        before: Box<QueueInfo>,
        /// As it is to be.
        queue: Box<QueueInfo>,
    },
    /// What a tenant may have at most.
    SetQuotas {
        /// Whose.
        tenant: TenantId,
        /// Them, whole.
        quotas: Quotas,
    },
    /// A queue is closed and put away; its log is kept.
    ArchiveQueue {
        /// Which.
        id: QueueId,
    },
    /// An archived queue is opened again.
    RestoreQueue {
        /// Which.
        id: QueueId,
    },
    /// An archived queue is forgotten.
    DeleteQueue {
        /// Which.
        id: QueueId,
    },
    /// What browsers see of a queue, if it is still as it was read. Since version 4.
    SetBrowser {
        /// Whose.
        id: QueueId,
        /// As it was.
        before: Box<BrowserSettings>,
        /// As it is to be.
        after: Box<BrowserSettings>,
    },
    /// The picture above a queue's page. Since version 5.
    SetLogo {
        /// Whose.
        id: QueueId,
        /// As it is to be; `None` for no picture.
        logo: Option<Logo>,
    },
}

impl DirectoryChange {
    /// The version of the rules that brought it.
    pub(crate) fn since_version(&self) -> u32 {
        match self {
            Self::Nothing
            | Self::AddFirstKey { .. }
            | Self::AddTenant { .. }
            | Self::AddKey { .. }
            | Self::RevokeKey { .. }
            | Self::Rotate { .. }
            | Self::AddQueue { .. }
            | Self::ChangeQueue { .. } => 1,
            Self::By { change, .. } => change.since_version().max(3),
            Self::NoteSecret { .. }
            | Self::ReplaceQueue { .. }
            | Self::SetQuotas { .. }
            | Self::ArchiveQueue { .. }
            | Self::RestoreQueue { .. }
            | Self::DeleteQueue { .. } => 3,
            Self::SetBrowser { .. } => 4,
            Self::SetLogo { .. } => 5,
        }
    }
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
    /// Refused: it was changed meanwhile.
    Changed,
    /// Refused: the tenant has as many as it may.
    OverQuota,
}
