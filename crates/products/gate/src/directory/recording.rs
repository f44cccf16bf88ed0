//! What a change is in the history.

use super::{DirectoryChange, DirectorySnapshot, Logo, RecordedChange};
use crate::ids::{QueueId, TenantId};

/// What a change is in the record, by how things are before it; `None` for what is none.
pub(super) fn recorded_change(
    all: &DirectorySnapshot,
    change: &DirectoryChange,
) -> Option<(Option<TenantId>, RecordedChange)> {
    let archived = |id: &QueueId| all.additions.archived.get(id).map(|found| &found.queue);
    let recorded = match change {
        DirectoryChange::Nothing
        | DirectoryChange::By { .. }
        | DirectoryChange::NoteSecret { .. } => return None,
        DirectoryChange::AddTenant { id, name } => (
            Some(*id),
            RecordedChange::TenantAdded { name: name.clone() },
        ),
        DirectoryChange::AddFirstKey { key } | DirectoryChange::AddKey { key } => (
            key.tenant,
            RecordedChange::KeyAdded {
                key: key.id,
                label: key.label.clone(),
                scopes: key.scopes.clone(),
                expires_s: key.expires_s,
            },
        ),
        DirectoryChange::RevokeKey { id, .. } => {
            let found = all.keys.get(id)?;
            let label = found.label.clone();
            (found.tenant, RecordedChange::KeyRevoked { key: *id, label })
        }
        DirectoryChange::Rotate { tenant } => {
            let generation = all.tenants.get(tenant)?.generation + 1;
            (Some(*tenant), RecordedChange::KeysRotated { generation })
        }
        DirectoryChange::AddQueue { queue } => {
            let queue = queue.clone();
            (Some(queue.tenant), RecordedChange::QueueAdded { queue })
        }
        DirectoryChange::ChangeQueue { queue } | DirectoryChange::ReplaceQueue { queue, .. } => {
            let before = Box::new(all.queues.get(&queue.id)?.clone());
            let after = queue.clone();
            (
                Some(queue.tenant),
                RecordedChange::QueueChanged { before, after },
            )
        }
        DirectoryChange::ArchiveQueue { id } => {
            let tenant = all.queues.get(id)?.tenant;
            (Some(tenant), RecordedChange::QueueArchived { queue: *id })
        }
        DirectoryChange::RestoreQueue { id } => {
            let tenant = archived(id)?.tenant;
            (Some(tenant), RecordedChange::QueueRestored { queue: *id })
        }
        DirectoryChange::DeleteQueue { id } => {
            let found = archived(id)?;
            let slug = found.slug.clone();
            (
                Some(found.tenant),
                RecordedChange::QueueDeleted { queue: *id, slug },
            )
        }
        DirectoryChange::SetQuotas { tenant, quotas } => {
            let before = all
                .additions
                .quotas
                .get(tenant)
                .copied()
                .unwrap_or_default();
            let after = *quotas;
            (Some(*tenant), RecordedChange::QuotasSet { before, after })
        }
        DirectoryChange::SetBrowser { id, before, after } => (
            Some(all.queues.get(id)?.tenant),
            RecordedChange::BrowserChanged {
                queue: *id,
                before: before.clone(),
                after: after.clone(),
            },
        ),
        DirectoryChange::SetLogo { id, logo } => {
            let tenant = all.queues.get(id)?.tenant;
            let before = all.logos.get(id);
            (Some(tenant), logo_changed(*id, before, logo.as_ref()))
        }
    };
    Some(recorded)
}

fn logo_changed(queue: QueueId, before: Option<&Logo>, after: Option<&Logo>) -> RecordedChange {
    let address = |logo: Option<&Logo>| logo.map(|logo| logo.address(queue));
    RecordedChange::LogoChanged {
        queue,
        before: address(before),
        after: address(after),
    }
}
