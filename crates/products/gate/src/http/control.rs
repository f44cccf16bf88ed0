//! What an owner does to a queue while it runs: let in, block, allow, set mode and rate.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;

use super::Shared;
use super::answer::{ApiError, StateJson, fresh};
use super::caller::Caller;
use super::rules::{configure, expected, rules};
use super::service::{PeopleBody, must_read, person};
use crate::capacity::{self, ImportSettings, ImportedCapacity};
use crate::directory::Scope;
use crate::gate::Room;
use crate::queue::{AdmitTarget, Command, IdempotencyKey, Policy, QueueMode, Reply, VisitorId};

#[derive(Debug, Deserialize)]
struct AdmitBody {
    #[serde(default)]
    count: Option<u64>,
    #[serde(flatten)]
    people: PeopleBody,
    #[serde(default)]
    force: bool,
}

/// `POST /v1/queues/{queue}/admit`
pub(super) async fn admit(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    headers: HeaderMap,
    caller: Caller,
    body: Bytes,
) -> Result<Response, ApiError> {
    let room = caller.room(&edge, &queue, Scope::Admit).await?;
    let once = once_key(&headers, &caller)?;
    let body: AdmitBody = must_read(&body)?;
    if body.force {
        caller.must(Scope::Force)?;
    }
    let wids = body.people.wids(&edge, room.id)?;
    let target = match (body.count, wids.is_empty()) {
        (Some(count), true) if count <= 1_000_000 => AdmitTarget::First(count),
        (None, false) => AdmitTarget::These(wids),
        _ => {
            let message = "send either count (at most 1,000,000) or user_ids and wids";
            return Err(ApiError::bad_request(message));
        }
    };
    let admit = async |target: AdmitTarget, once: IdempotencyKey| {
        let asked = Command::Admit {
            target,
            force: body.force,
            once,
            actor: caller.actor(),
        };
        match room.ask(asked).await? {
            Reply::Count(admitted) => Ok(admitted),
            _ => Err(ApiError::bad_request("nobody was admitted")),
        }
    };
    let admitted = match target {
        AdmitTarget::First(count) => {
            let mut admitted = 0;
            for part in 0..ADMIT_COMMANDS_MAX {
                let asked = (count - admitted).min(ADMISSIONS_PER_COMMAND_MAX);
                let once = match part {
                    0 => once,
                    part => IdempotencyKey::from_parts(&[&once.0[..], &u64::to_le_bytes(part)]),
                };
                admitted += admit(AdmitTarget::First(asked), once).await?;
                // Fewer may come because many who are not there had to be passed over.
                let may_more = room.look(|queue| queue.may_admit(body.force));
                if admitted >= count || !may_more {
                    break;
                }
            }
            admitted
        }
        these @ AdmitTarget::These(_) => admit(these, once).await?,
    };
    Ok(fresh(StatusCode::OK, &json!({ "admitted": admitted })))
}

/// How many are let in by hand by one command, and by how many commands at most.
const ADMISSIONS_PER_COMMAND_MAX: u64 = 5_000;
const ADMIT_COMMANDS_MAX: u64 = 400;

/// A hash of the caller's key for doing something once; callers cannot meet each other's.
fn once_key(headers: &HeaderMap, caller: &Caller) -> Result<IdempotencyKey, ApiError> {
    let key = headers
        .get("idempotency-key")
        .and_then(|value| value.to_str().ok());
    let Some(key) = key.filter(|key| !key.is_empty()) else {
        let message = "send an Idempotency-Key, so that a repeated call admits nobody twice";
        return Err(ApiError::new(
            StatusCode::BAD_REQUEST,
            "idempotency_key_missing",
            message,
        ));
    };
    let text = format!("{}\0{key}", caller.actor());
    Ok(IdempotencyKey::from_parts(&[text.as_bytes()]))
}

#[derive(Debug, Deserialize)]
struct PersonBody {
    #[serde(default)]
    user_id: Option<String>,
    #[serde(default)]
    wid: Option<String>,
    #[serde(default)]
    ttl_s: Option<u64>,
    #[serde(default)]
    reason: String,
}

impl PersonBody {
    fn wid(&self, edge: &Shared, room: &Room) -> Result<crate::queue::VisitorId, ApiError> {
        match (&self.user_id, &self.wid) {
            (Some(user), None) => person(edge, room.id, user),
            (None, Some(wid)) => person(edge, room.id, &format!("wid:{wid}")),
            _ => Err(ApiError::bad_request("send either user_id or wid")),
        }
    }

    fn length(&self) -> Option<Duration> {
        self.ttl_s.map(Duration::from_secs)
    }
}

/// `POST /v1/queues/{queue}/block`
pub(super) async fn block(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    caller: Caller,
    body: Bytes,
) -> Result<Response, ApiError> {
    about_one(&edge, &queue, &caller, &body, |wid, body, actor| {
        Command::Block {
            wid,
            length: body.length(),
            reason: body.reason.chars().take(200).collect(),
            actor,
        }
    })
    .await
}

/// `POST /v1/queues/{queue}/unblock`
pub(super) async fn unblock(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    caller: Caller,
    body: Bytes,
) -> Result<Response, ApiError> {
    about_one(&edge, &queue, &caller, &body, |wid, _, actor| {
        Command::Unblock { wid, actor }
    })
    .await
}

/// `POST /v1/queues/{queue}/bypass`
pub(super) async fn bypass(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    caller: Caller,
    body: Bytes,
) -> Result<Response, ApiError> {
    about_one(&edge, &queue, &caller, &body, |wid, body, actor| {
        Command::Bypass {
            wid,
            length: body.length(),
            actor,
        }
    })
    .await
}

/// `DELETE /v1/queues/{queue}/bypass`
pub(super) async fn end_bypass(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    caller: Caller,
    body: Bytes,
) -> Result<Response, ApiError> {
    about_one(&edge, &queue, &caller, &body, |wid, _, actor| {
        Command::EndBypass { wid, actor }
    })
    .await
}

/// Sends a command about the visitor the body names; answers with the visitor's state after it.
async fn about_one(
    edge: &Shared,
    queue: &str,
    caller: &Caller,
    body: &[u8],
    command: impl FnOnce(VisitorId, &PersonBody, String) -> Command,
) -> Result<Response, ApiError> {
    let room = caller.room(edge, queue, Scope::Admin).await?;
    let body: PersonBody = must_read(body)?;
    let wid = body.wid(edge, &room)?;
    room.ask(command(wid, &body, caller.actor())).await?;
    Ok(fresh(StatusCode::OK, &StateJson::from(&room.view(wid))))
}

#[derive(Debug, Deserialize)]
struct ModeBody {
    mode: String,
}

/// `PUT /v1/queues/{queue}/mode`
pub(super) async fn mode(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    headers: HeaderMap,
    caller: Caller,
    body: Bytes,
) -> Result<Response, ApiError> {
    let room = caller.room(&edge, &queue, Scope::Admin).await?;
    let body: ModeBody = must_read(&body)?;
    let known = || QueueMode::ALL.map(QueueMode::name).join(", ");
    let mode = QueueMode::parse(&body.mode)
        .ok_or_else(|| ApiError::bad_request(format!("mode must be one of {}", known())))?;
    let (policy, figure, version) = rules(&room);
    let expected = expected(&headers)?.or(Some(version));
    configure(&room, Policy { mode, ..policy }, figure, expected, &caller).await
}

#[derive(Debug, Deserialize)]
struct CapacityBody {
    #[serde(flatten)]
    file: ImportedCapacity,
    #[serde(default)]
    safety: Option<f64>,
    /// How long one visitor stays; the test's own when `None`.
    #[serde(default)]
    session_s: Option<f64>,
    /// How many requests one makes; the file's when `None`.
    #[serde(default)]
    visitor_requests: Option<f64>,
}

/// `PUT /v1/queues/{queue}/capacity`: the file that `capacity --export` writes, and beside
/// its members `safety`, `session_s` and `visitor_requests`.
pub(super) async fn capacity(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    headers: HeaderMap,
    caller: Caller,
    body: Bytes,
) -> Result<Response, ApiError> {
    let room = caller.room(&edge, &queue, Scope::Admin).await?;
    let body: CapacityBody =
        serde_json::from_slice(&body).map_err(capacity::CapacityError::from)?;
    let safety = body.safety.unwrap_or(ImportSettings::default().safety);
    let how = ImportSettings {
        safety,
        requests_per_session: body.visitor_requests,
        session_s: body.session_s,
    };
    let import = capacity::import(&body.file, how)?;
    let (policy, _, version) = rules(&room);
    if import.session_s > policy.absolute.as_secs_f64() {
        return Err(ApiError::bad_request(format!(
            "a session of {} s is longer than absolute_s, {} s, at which it is ended",
            import.session_s,
            policy.absolute.as_secs()
        )));
    }
    let policy = Policy {
        rate: Some(import.rate),
        cap: Some(import.cap),
        ..policy
    };
    policy.check()?;
    let expected = expected(&headers)?.or(Some(version));
    configure(&room, policy, Some(import.figure), expected, &caller).await
}

/// See [`super::read_bodies`].
pub(super) fn read_bodies(bytes: &[u8]) {
    let _ = must_read::<AdmitBody>(bytes);
    let _ = must_read::<PersonBody>(bytes);
    let _ = must_read::<ModeBody>(bytes);
    let _ = must_read::<CapacityBody>(bytes);
}
