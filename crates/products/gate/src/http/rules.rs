//! A queue's rules: how the API writes them, their version, and how they are changed.

use axum::http::header::IF_MATCH;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

use super::answer::{ApiError, fresh};
use super::caller::Caller;
use crate::gate::Room;
use crate::queue::{AdmissionRate, CapacitySource, Command, Policy, QueueMode, Reply};

/// A queue's rules as JSON.
#[derive(Debug, Serialize)]
pub(super) struct RulesJson {
    id: String,
    version: u64,
    #[serde(flatten)]
    policy: PolicyJson,
    /// Where rate and cap come from, when a run measured them.
    capacity: Option<CapacitySource>,
}

#[derive(Debug, Serialize)]
struct PolicyJson {
    mode: QueueMode,
    rate_per_s: Option<f64>,
    cap: Option<u64>,
    max_waiting: u64,
    claim_within_s: u64,
    code_life_s: u64,
    idle_s: u64,
    absolute_s: u64,
    away_after_s: u64,
    grace_s: u64,
    rejoin_within_s: u64,
}

impl From<&Policy> for PolicyJson {
    fn from(policy: &Policy) -> Self {
        Self {
            mode: policy.mode,
            rate_per_s: policy.rate.map(AdmissionRate::as_per_second),
            cap: policy.cap,
            max_waiting: policy.max_waiting,
            claim_within_s: policy.claim_within.as_secs(),
            code_life_s: policy.code_life.as_secs(),
            idle_s: policy.idle.as_secs(),
            absolute_s: policy.absolute.as_secs(),
            away_after_s: policy.away_after.as_secs(),
            grace_s: policy.grace.as_secs(),
            rejoin_within_s: policy.rejoin_within.as_secs(),
        }
    }
}

/// Rules as the API writes them.
pub(super) fn policy_json(policy: &Policy) -> Value {
    serde_json::to_value(PolicyJson::from(policy)).unwrap_or_default()
}

pub(super) fn rules_of(room: &Room) -> RulesJson {
    let (policy, capacity, version) = rules(room);
    RulesJson {
        id: room.id.to_string(),
        version,
        policy: PolicyJson::from(&policy),
        capacity,
    }
}

/// A queue's rules, where they come from, and their version.
pub(super) fn rules(room: &Room) -> (Policy, Option<CapacitySource>, u64) {
    room.look(|queue| {
        let (policy, version) = queue.policy();
        (policy.clone(), queue.figure().cloned(), version)
    })
}

/// The version that If-Match names.
pub(super) fn expected(headers: &HeaderMap) -> Result<Option<u64>, ApiError> {
    let Some(value) = headers.get(IF_MATCH) else {
        return Ok(None);
    };
    let text = value.to_str().unwrap_or_default().trim();
    if text == "*" {
        return Ok(None);
    }
    let text = text.trim_start_matches("W/").trim_matches('"');
    let version = text
        .parse()
        .map_err(|_| ApiError::bad_request("If-Match must be a version"))?;
    Ok(Some(version))
}

/// The version that a call is bound to, if it is still that of the rules.
pub(super) fn guard(room: &Room, headers: &HeaderMap) -> Result<Option<u64>, ApiError> {
    let wanted = expected(headers)?;
    let version = rules(room).2;
    if wanted.is_some_and(|wanted| wanted != version) {
        Err(changed_meanwhile(&version.into()))
    } else {
        Ok(wanted)
    }
}

/// The refusal of a change that was made for other rules than there are.
pub(super) fn changed_meanwhile(version: &Value) -> ApiError {
    let message = "the rules were changed meanwhile; read them again";
    ApiError::new(StatusCode::PRECONDITION_FAILED, "version_changed", message)
        .with("version", version.clone())
}

/// Changes the rules and answers with them.
pub(super) async fn configure(
    room: &Arc<Room>,
    policy: Policy,
    figure: Option<CapacitySource>,
    expected: Option<u64>,
    caller: &Caller,
) -> Result<Response, ApiError> {
    let command = Command::Configure {
        policy: Box::new(policy),
        figure: figure.map(Box::new),
        expected,
        actor: caller.actor(),
    };
    match room.ask(command).await? {
        Reply::OtherVersion(version) => Err(changed_meanwhile(&version.into())),
        _ => {
            let rules: RulesJson = rules_of(room);
            let value: Value = serde_json::to_value(&rules).unwrap_or_default();
            Ok(fresh(StatusCode::OK, &value))
        }
    }
}
