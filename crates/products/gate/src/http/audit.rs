//! The audit log as the API gives it.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Value, json};
use std::time::Duration;

use super::Shared;
use super::answer::{ApiError, fresh};
use super::caller::Caller;
use super::rules::policy_json;
use crate::directory::{ChangeRecord, QueueInfo, RecordedChange, Scope};
use crate::queue::{AdmissionRate, AuditAction, AuditRecord, VisitorId};

/// `GET /v1/queues/{queue}/audit`: newest first.
pub(super) async fn audit(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    caller: Caller,
) -> Result<Response, ApiError> {
    let room = caller.room(&edge, &queue, Scope::Read).await?;
    let (records, replays): (Vec<AuditRecord>, Vec<AuditRecord>) = room.look(|queue| {
        let replays = queue.replays().cloned().collect();
        (queue.audit().cloned().collect(), replays)
    });
    let json = |records: &[AuditRecord]| records.iter().map(audited_json).collect::<Vec<_>>();
    let (audit, replays) = (json(&records), json(&replays));
    Ok(fresh(
        StatusCode::OK,
        &json!({ "audit": audit, "replays": replays }),
    ))
}

/// `GET /v1/audit`: what was changed of tenants, keys and queues, newest first. A tenant's key
/// sees what concerns the tenant.
pub(super) async fn directory_audit(
    State(edge): State<Shared>,
    caller: Caller,
) -> Result<Response, ApiError> {
    caller.must(Scope::Read)?;
    let own = caller.0.tenant;
    let records: Vec<ChangeRecord> = edge.gate.look(|directory| {
        let all = directory.history();
        let theirs = all.filter(|record| own.is_none_or(|own| record.tenant == Some(own)));
        theirs.cloned().collect()
    });
    let records: Vec<Value> = records.iter().map(changed_json).collect();
    Ok(fresh(StatusCode::OK, &json!({ "audit": records })))
}

fn changed_json(record: &ChangeRecord) -> Value {
    let mut entry = json!({
        "at_ms": record.at_ms,
        "actor": record.actor,
        "tenant": record.tenant.map(|tenant| tenant.to_string()),
    });
    let what = match &record.what {
        RecordedChange::TenantAdded { name } => json!({ "what": "tenant_added", "name": name }),
        RecordedChange::KeyAdded {
            key,
            label,
            scopes,
            expires_s,
        } => json!({
            "what": "key_added", "key": key.to_string(), "label": label, "scopes": scopes,
            "expires_at_s": expires_s,
        }),
        RecordedChange::KeyRevoked { key, label } => {
            json!({ "what": "key_revoked", "key": key.to_string(), "label": label })
        }
        RecordedChange::KeysRotated { generation } => {
            json!({ "what": "keys_rotated", "rotation": generation })
        }
        RecordedChange::QueueAdded { queue } => {
            json!({ "what": "queue_added", "queue": queue.id.to_string(), "after": info_json(queue) })
        }
        RecordedChange::QueueChanged { before, after } => {
            let (was, is) = changes(&info_json(before), &info_json(after));
            json!({ "what": "queue_changed", "queue": after.id.to_string(), "before": was, "after": is })
        }
        RecordedChange::QueueArchived { queue } => {
            json!({ "what": "queue_archived", "queue": queue.to_string() })
        }
        RecordedChange::QueueRestored { queue } => {
            json!({ "what": "queue_restored", "queue": queue.to_string() })
        }
        RecordedChange::QueueDeleted { queue, slug } => {
            json!({ "what": "queue_deleted", "queue": queue.to_string(), "slug": slug })
        }
        RecordedChange::QuotasSet { before, after } => {
            json!({ "what": "quotas_set", "before": before, "after": after })
        }
        RecordedChange::BrowserChanged {
            queue,
            before,
            after,
        } => {
            let (was, is) = changes(&json!(before), &json!(after));
            json!({ "what": "queue_changed", "queue": queue.to_string(), "before": was, "after": is })
        }
        RecordedChange::LogoChanged {
            queue,
            before,
            after,
        } => json!({
            "what": "queue_changed", "queue": queue.to_string(),
            "before": { "logo": before }, "after": { "logo": after },
        }),
    };
    if let (Value::Object(entry), Value::Object(what)) = (&mut entry, what) {
        entry.extend(what);
    }
    entry
}

fn info_json(info: &QueueInfo) -> Value {
    json!({
        "slug": info.slug, "title": info.title, "redirect_origins": info.origins,
        "redirect_to": info.target, "proof": info.proof, "open_join": info.open_join,
        "page": info.page,
    })
}

/// The members that differ, as they were and as they are.
fn changes(before: &Value, after: &Value) -> (Value, Value) {
    let (mut was, mut is) = (json!({}), json!({}));
    let members = after.as_object().into_iter().flatten();
    for (name, value) in members.filter(|(name, value)| before.get(name) != Some(value)) {
        was[name] = before[name].clone();
        is[name] = value.clone();
    }
    (was, is)
}

fn audited_json(audited: &AuditRecord) -> Value {
    let mut entry = json!({
        "at_ms": audited.at_ms,
        "actor": audited.actor,
    });
    if let (Value::Object(entry), Value::Object(action)) = (&mut entry, deed_json(&audited.action))
    {
        entry.extend(action);
    }
    entry
}

/// What was done (`what`), and its particulars.
fn deed_json(action: &AuditAction) -> Value {
    match action {
        AuditAction::AdmittedCount {
            asked,
            admitted,
            force,
        } => {
            json!({ "what": "admitted_count", "asked": asked, "admitted": admitted, "force": force })
        }
        AuditAction::AdmittedPeople {
            asked,
            admitted,
            force,
        } => {
            let wids: Vec<String> = admitted.iter().map(VisitorId::to_string).collect();
            json!({ "what": "admitted_people", "asked": asked, "admitted": wids.len(), "wids": wids, "force": force })
        }
        AuditAction::Blocked {
            wid,
            length,
            reason,
        } => {
            json!({ "what": "blocked", "wid": wid.to_string(), "length_s": seconds(*length), "reason": reason })
        }
        AuditAction::Unblocked { wid } => json!({ "what": "unblocked", "wid": wid.to_string() }),
        AuditAction::Bypass { wid, length } => {
            json!({ "what": "bypass", "wid": wid.to_string(), "length_s": seconds(*length) })
        }
        AuditAction::BypassEnded { wid } => {
            json!({ "what": "bypass_ended", "wid": wid.to_string() })
        }
        AuditAction::Configured {
            mode,
            rate_per_s,
            cap,
            run,
        } => {
            json!({ "what": "configured", "mode": mode.name(), "rate_per_s": rate_per_s, "cap": cap, "run": run })
        }
        AuditAction::RulesChanged { before, after, run } => {
            let (was, is) = changes(&policy_json(before), &policy_json(after));
            json!({
                "what": "configured", "mode": after.mode.name(), "cap": after.cap, "run": run,
                "rate_per_s": after.rate.map(AdmissionRate::as_per_second),
                "before": was, "after": is,
            })
        }
        AuditAction::CodeReplayed { wid } => {
            json!({ "what": "code_replayed", "wid": wid.to_string() })
        }
    }
}

/// Whole seconds; `None` means for good.
fn seconds(length: Option<Duration>) -> Option<u64> {
    length.map(|length| length.as_secs())
}
