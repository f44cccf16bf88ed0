//! What a service calls with its key: register a visitor, exchange a code, end sessions.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::HashSet;
use url::form_urlencoded;

use super::Shared;
use super::answer::{ApiError, StateJson, fresh};
use super::caller::Caller;
use super::query::AskedQuery;
use super::visitor::join_as;
use crate::directory::Scope;
use crate::gate::Room;
use crate::ids::{QueueId, TenantId};
use crate::queue::{Command, IdempotencyKey, Reply, VisitorId, VisitorState};
use crate::tokens::redirect::parse_target;
use crate::tokens::{Signer, Token, TokenPurpose};

/// The longest user id.
const USER_ID: usize = 256;

#[derive(Debug, Deserialize)]
struct RegisterBody {
    user_id: String,
    #[serde(default)]
    rt: Option<String>,
}

/// `POST /v1/queues/{queue}/waiters`
pub(super) async fn register(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    caller: Caller,
    body: Bytes,
) -> Result<Response, ApiError> {
    let room = caller.room(&edge, &queue, Scope::Register).await?;
    let body: RegisterBody = must_read(&body)?;
    if let Some(rt) = &body.rt {
        parse_target(rt, &room.info().origins)?;
    }
    let wid = edge
        .gate
        .options()
        .secret
        .wid(room.id, user_id(&body.user_id)?);
    let (status, mut joined) = join_as(&edge, &room, wid).await?;
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("t", &joined.waiting_token);
    if let Some(rt) = &body.rt {
        query.append_pair("rt", rt);
    }
    let base = &edge.gate.options().public_url;
    joined.waiting_url = Some(format!("{base}/w/{}?{}", room.id, query.finish()));
    Ok(fresh(status, &joined))
}

/// `GET /v1/queues/{queue}/waiters/{user}`
pub(super) async fn find(
    State(edge): State<Shared>,
    Path((queue, user)): Path<(String, String)>,
    caller: Caller,
) -> Result<Response, ApiError> {
    let room = caller.room(&edge, &queue, Scope::Read).await?;
    let wid = person(&edge, room.id, &user)?;
    if room.view(wid).state == VisitorState::Gone {
        room.catch_up().await?;
    }
    Ok(fresh(StatusCode::OK, &StateJson::from(&room.view(wid))))
}

/// Somebody by wid (`wid:` and 32 digits) or by user id.
pub(super) fn person(edge: &Shared, queue: QueueId, text: &str) -> Result<VisitorId, ApiError> {
    match text.strip_prefix("wid:") {
        Some(digits) => {
            VisitorId::parse(digits).ok_or_else(|| ApiError::bad_request("that is no wid"))
        }
        None => Ok(edge.gate.options().secret.wid(queue, user_id(text)?)),
    }
}

fn user_id(text: &str) -> Result<&str, ApiError> {
    let good = !text.is_empty() && text.len() <= USER_ID && !text.contains('\0');
    good.then_some(text)
        .ok_or_else(|| ApiError::bad_request("user_id must have 1 to 256 bytes"))
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct PeopleBody {
    /// By the service's own ids.
    user_ids: Vec<String>,
    /// By the queue's ids.
    wids: Vec<String>,
}

impl PeopleBody {
    /// Who they are, users first.
    pub(super) fn wids(&self, edge: &Shared, queue: QueueId) -> Result<Vec<VisitorId>, ApiError> {
        if self.user_ids.len() + self.wids.len() > PEOPLE_MAX {
            let message = format!("name at most {PEOPLE_MAX} people in one call");
            return Err(ApiError::bad_request(message));
        }
        let prefixed = self.wids.iter().map(|wid| format!("wid:{wid}"));
        let all = self.user_ids.iter().cloned().chain(prefixed);
        all.map(|text| person(edge, queue, &text)).collect()
    }

    /// Those who are `all` and not `some`, by the names they came with.
    fn without(self, all: &[VisitorId], some: &[VisitorId]) -> Self {
        let some: HashSet<&VisitorId> = some.iter().collect();
        let (users, wids) = all.split_at(self.user_ids.len());
        let left = |names: Vec<String>, ids: &[VisitorId]| {
            let named = names.into_iter().zip(ids);
            let left = named.filter(|(_, wid)| !some.contains(wid));
            left.map(|(name, _)| name).collect()
        };
        Self {
            user_ids: left(self.user_ids, users),
            wids: left(self.wids, wids),
        }
    }
}

/// People of one call at most.
const PEOPLE_MAX: usize = 5_000;

#[derive(Debug, Serialize)]
struct HeartbeatJson {
    /// How many of them are inside.
    inside: usize,
    /// Who is not, as the call named them: their sessions are to end at the service too.
    over: PeopleBody,
}

/// `POST /v1/queues/{queue}/sessions/heartbeat`: signs of life of many sessions, which only the
/// service sees when visitors come in with a code or a JWT.
pub(super) async fn heartbeat(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    caller: Caller,
    body: Bytes,
) -> Result<Response, ApiError> {
    let room = caller.room(&edge, &queue, Scope::Register).await?;
    let people: PeopleBody = must_read(&body)?;
    let wids = people.wids(&edge, room.id)?;
    let is_inside = |wid: &VisitorId| {
        let state = room.look(|queue| queue.state(*wid));
        matches!(state, VisitorState::Inside { .. })
    };
    // Another gate may have let somebody in just now.
    if !wids.iter().all(is_inside) {
        room.catch_up().await?;
    }
    let inside: Vec<VisitorId> = wids.iter().copied().filter(is_inside).collect();
    room.touch_all(&inside);
    let told = HeartbeatJson {
        inside: inside.len(),
        over: people.without(&wids, &inside),
    };
    Ok(fresh(StatusCode::OK, &told))
}

/// `POST /v1/queues/{queue}/sessions/complete`
pub(super) async fn complete(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    caller: Caller,
    body: Bytes,
) -> Result<Response, ApiError> {
    let room = caller.room(&edge, &queue, Scope::Register).await?;
    let people: PeopleBody = must_read(&body)?;
    let wids = people.wids(&edge, room.id)?;
    match room.ask(Command::Complete { wids }).await? {
        Reply::Count(count) => Ok(fresh(StatusCode::OK, &json!({ "completed": count }))),
        _ => Err(ApiError::bad_request("nothing was completed")),
    }
}

#[derive(Debug, Deserialize)]
struct ExchangeBody {
    queue: String,
    code: String,
}

#[derive(Debug, Serialize)]
struct ExchangedJson {
    wid: String,
    seq: u64,
    session_s: u64,
}

/// `POST /v1/token/exchange`
pub(super) async fn exchange(
    State(edge): State<Shared>,
    caller: Caller,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ApiError> {
    let body: ExchangeBody = must_read(&body)?;
    let room = caller.room(&edge, &body.queue, Scope::Register).await?;
    let signer = edge.gate.signer(room.id, room.info().tenant);
    let ticket = read_code(&signer, &body.code, edge.gate.now_s())?;
    let key = headers.get("idempotency-key").map(HeaderValue::as_bytes);
    let once = key.map(|key| {
        IdempotencyKey::from_parts(&["exchange".as_bytes(), caller.actor().as_bytes(), key])
    });
    let session_s = redeem(&room, &ticket, once, caller.actor()).await?;
    let exchanged = ExchangedJson {
        wid: ticket.wid.to_string(),
        seq: ticket.seq,
        session_s,
    };
    Ok(fresh(StatusCode::OK, &exchanged))
}

/// The admission that a one-time code stands for.
pub(super) fn read_code(signer: &Signer<'_>, code: &str, now_s: u64) -> Result<Token, ApiError> {
    let message = "the code is not one of this queue's, or too old";
    let refused = |_| ApiError::new(StatusCode::UNAUTHORIZED, "code_refused", message);
    signer
        .check(TokenPurpose::Code, code, now_s)
        .map_err(refused)
}

/// Uses a code up; how long the session may last, in seconds. The same key may come again.
pub(super) async fn redeem(
    room: &Room,
    ticket: &Token,
    once: Option<IdempotencyKey>,
    actor: String,
) -> Result<u64, ApiError> {
    let (wid, seq, lease) = (ticket.wid, ticket.seq, ticket.lease);
    let command = match once {
        Some(once) => Command::RedeemOnce {
            wid,
            seq,
            lease,
            once,
            actor,
        },
        None => Command::Redeem {
            wid,
            seq,
            lease,
            actor,
        },
    };
    match room.ask(command).await? {
        Reply::Redeemed { absolute_left } => Ok(absolute_left.as_secs()),
        Reply::AlreadyRedeemed => Err(ApiError::new(
            StatusCode::CONFLICT,
            "already_used",
            "the code was used before",
        )),
        _ => Err(ApiError::new(
            StatusCode::GONE,
            "code_over",
            "the admission of this code is over",
        )),
    }
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct KeysQuery {
    tenant: Option<String>,
}

/// `GET /.well-known/jwks.json`
pub(super) async fn keys(
    State(edge): State<Shared>,
    AskedQuery(query): AskedQuery<KeysQuery>,
) -> Result<Response, ApiError> {
    let wanted = match &query.tenant {
        None => None,
        Some(text) => {
            Some(TenantId::parse(text).ok_or_else(|| ApiError::bad_request("that is no tenant"))?)
        }
    };
    let tenants: Vec<(TenantId, u32)> = edge.gate.look(|directory| {
        let tenants = directory
            .tenants()
            .filter(|tenant| wanted.is_none_or(|id| id == tenant.id));
        tenants
            .map(|tenant| (tenant.id, tenant.generation))
            .collect()
    });
    let keys = edge
        .public_keys
        .key_set(&edge.gate.options().secret, &tenants);
    let mut response = Json(json!({ "keys": keys })).into_response();
    let cached = HeaderValue::from_static("public, max-age=300");
    response
        .headers_mut()
        .insert(axum::http::header::CACHE_CONTROL, cached);
    Ok(response)
}

/// A body that must be there.
pub(super) fn must_read<T: for<'de> Deserialize<'de>>(body: &[u8]) -> Result<T, ApiError> {
    super::request_checks::must_be_object(body)?;
    serde_json::from_slice(body).map_err(|error| ApiError::unreadable_body(&error))
}

/// See [`super::read_bodies`].
pub(super) fn read_bodies(bytes: &[u8]) {
    let _ = must_read::<RegisterBody>(bytes);
    let _ = must_read::<PeopleBody>(bytes);
    let _ = must_read::<ExchangeBody>(bytes);
}
