//! The audit log as the API gives it.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Value, json};
use std::time::Duration;

use super::Shared;
use super::answer::{ApiError, fresh};
use super::caller::Caller;
use crate::directory::Scope;
use crate::queue::{AuditAction, AuditRecord, VisitorId};

/// `GET /v1/queues/{queue}/audit`: newest first.
pub(super) async fn audit(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    caller: Caller,
) -> Result<Response, ApiError> {
    let room = caller.room(&edge, &queue, Scope::Read).await?;
    let records: Vec<AuditRecord> = room.look(|queue| queue.audit().cloned().collect());
    let records: Vec<Value> = records.iter().map(audited_json).collect();
    Ok(fresh(StatusCode::OK, &json!({ "audit": records })))
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
        AuditAction::CodeReplayed { wid } => {
            json!({ "what": "code_replayed", "wid": wid.to_string() })
        }
    }
}

/// Whole seconds; `None` means for good.
fn seconds(length: Option<Duration>) -> Option<u64> {
    length.map(|length| length.as_secs())
}
