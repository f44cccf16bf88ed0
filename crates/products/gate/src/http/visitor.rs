//! What a visitor's browser or app calls: join, look, come in, leave.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use url::Url;

use super::Shared;
use super::answer::{ApiError, RenewedJson, StateJson, fresh};
use super::caller::{self, Address, KnownQueue, PresentedToken};
use super::{cors, edge, enter};
use crate::directory::Scope;
use crate::gate::Room;
use crate::queue::{Command, Reply, VisitorId, VisitorState};
use crate::replica::StoreUnavailableError;
use crate::tokens::admission::{self, AdmissionProof, Claims};
use crate::tokens::redirect::parse_target;
use crate::tokens::{Token, TokenPurpose};

/// How long a ticket can be shown; each answer to a join carries a fresh one.
pub(super) const TICKET_LIFE_S: u64 = 24 * 3600;
/// How long a JWT is good.
const JWT_LIFE_S: u64 = 120;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct JoinBody {
    rt: Option<String>,
}

/// Joining, and where it led.
#[derive(Debug, Serialize)]
pub(super) struct JoinedJson {
    #[serde(flatten)]
    pub(super) state: StateJson,
    pub(super) waiting_token: String,
    pub(super) expires_at_s: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) waiting_url: Option<String>,
}

/// `POST /q/{queue}/join`
pub(super) async fn join(
    State(edge): State<Shared>,
    KnownQueue(room): KnownQueue,
    Address(address): Address,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ApiError> {
    let body: JoinBody = read(&body)?;
    if let Some(rt) = &body.rt {
        parse_target(rt, &room.info().origins)?;
    }
    let shown = caller::ticket(&edge, &room, &headers);
    if let Some(shown) = shown {
        shown.require_same_site(&edge, &headers)?;
        edge.throttle_change(shown.ticket.wid)?;
    }
    let wid = newcomer(&edge, &room, shown, address, &headers)?;
    if let Some(shown) = shown {
        room.restore(wid, shown.ticket.seq).await?;
    }
    let (status, joined) = join_as(&edge, &room, wid).await?;
    let name = caller::waiting_cookie(&edge, room.id);
    let cookie = caller::set_cookie(&edge, &name, &joined.waiting_token, TICKET_LIFE_S);
    let mut response = fresh(status, &joined);
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Who somebody is: the ticket shown, a key to join once, or somebody new.
pub(super) fn newcomer(
    edge: &Shared,
    room: &Room,
    shown: Option<PresentedToken>,
    address: std::net::IpAddr,
    headers: &HeaderMap,
) -> Result<VisitorId, ApiError> {
    if let Some(shown) = shown {
        return Ok(shown.ticket.wid);
    }
    if let Some(wid) = named_by_service(edge, room, headers) {
        return Ok(wid);
    }
    if !room.info().open_join {
        let message = "this queue is joined through its service only";
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "join_through_service",
            message,
        ));
    }
    if edge.refuses(address) {
        return Err(edge::refused_network());
    }
    if !edge.all_joins.take(Instant::now()) {
        let message = "too many people join at once; come back in a moment";
        return Err(
            ApiError::new(StatusCode::TOO_MANY_REQUESTS, "join_limit", message).retry_after(5),
        );
    }
    if !edge.joins.take(address, Instant::now()) {
        let message = "too many people joined from this address";
        return Err(
            ApiError::new(StatusCode::TOO_MANY_REQUESTS, "join_limit", message).retry_after(5),
        );
    }
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(VisitorId(bytes))
}

/// Who an Idempotency-Key names. With the service's key only: else a visitor who
/// guesses another's would have that place.
fn named_by_service(edge: &Shared, room: &Room, headers: &HeaderMap) -> Option<VisitorId> {
    let once = headers.get("idempotency-key")?.to_str().ok()?;
    let key = edge.gate.key(caller::bearer(headers)?)?;
    let owns = key.tenant.is_none_or(|tenant| tenant == room.info().tenant);
    // A prefix keeps a chosen key from being a user id.
    let wid = || (edge.gate.options().secret).wid(room.id, &format!("\0once\0{once}"));
    (owns && key.may(Scope::Register)).then(wid)
}

/// Joins, and signs the ticket.
pub(super) async fn join_as(
    edge: &Shared,
    room: &Room,
    wid: VisitorId,
) -> Result<(StatusCode, JoinedJson), ApiError> {
    // While the store is known to be unreachable, nobody waits for it.
    if !room.is_reachable() {
        return Err(ApiError::from(StoreUnavailableError));
    }
    edge.within_quotas(room.info().tenant, || !room.holds(wid))?;
    let outcome = room.ask(Command::Join { wid }).await?;
    let status = match outcome {
        Reply::Joined(_) => StatusCode::CREATED,
        Reply::State(VisitorState::Blocked { reason }) => {
            let message = "the owner of the queue refused this person";
            let refused = ApiError::new(StatusCode::CONFLICT, "blocked", message);
            return Err(refused.with("reason", reason));
        }
        Reply::Full => {
            let message = "as many people wait as may; come back later";
            return Err(
                ApiError::new(StatusCode::TOO_MANY_REQUESTS, "full", message).retry_after(30),
            );
        }
        Reply::NoNewTickets => {
            let message = "the queue gives out no tickets";
            return Err(ApiError::new(StatusCode::GONE, "closed", message).retry_after(60));
        }
        _ => StatusCode::OK,
    };
    let view = room.view(wid);
    let expires_s = edge.gate.now_s() + TICKET_LIFE_S;
    let ticket = Token {
        wid,
        seq: view.state.seq().unwrap_or(0),
        lease: 0,
        expires_s,
    };
    let signer = edge.gate.signer(room.id, room.info().tenant);
    let joined = JoinedJson {
        state: StateJson::from(&view),
        waiting_token: signer.sign(TokenPurpose::Waiting, &ticket),
        expires_at_s: expires_s,
        waiting_url: None,
    };
    Ok((status, joined))
}

/// `GET /q/{queue}/me`
pub(super) async fn me(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (status, state) = place(&edge, &queue, &headers).await?;
    let mut response = fresh(status, &state);
    let cookie = state.renewed.and_then(|renewed| renewed.cookie);
    if let Some(cookie) = cookie.and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Where the holder of a request's ticket stands; asking is a sign of life.
pub(super) async fn place(
    edge: &Shared,
    queue: &str,
    headers: &HeaderMap,
) -> Result<(StatusCode, StateJson), ApiError> {
    let room = caller::room(edge, queue).await?;
    let shown = caller::require_token(edge, &room, headers)?;
    let view = room.visit(shown.ticket.wid, shown.ticket.seq).await?;
    edge.throttle_poll(shown.ticket.wid, &view)?;
    let mut state = StateJson::from(&view);
    let status = match view.state {
        VisitorState::Gone => StatusCode::GONE,
        _ => {
            state.renewed = renewed(edge, &room, shown);
            StatusCode::OK
        }
    };
    Ok((status, state))
}

/// Another ticket for one of which more than half the life is over: who waits for days keeps the
/// place, whatever keys were rotated meanwhile.
fn renewed(edge: &Shared, room: &Room, shown: PresentedToken) -> Option<RenewedJson> {
    let now_s = edge.gate.now_s();
    if shown.ticket.expires_s > now_s + TICKET_LIFE_S / 2 {
        return None;
    }
    let expires_s = now_s + TICKET_LIFE_S;
    let ticket = Token {
        expires_s,
        ..shown.ticket
    };
    let signer = edge.gate.signer(room.id, room.info().tenant);
    let waiting_token = signer.sign(TokenPurpose::Waiting, &ticket);
    let name = caller::waiting_cookie(edge, room.id);
    let cookie = caller::set_cookie(edge, &name, &waiting_token, TICKET_LIFE_S);
    Some(RenewedJson {
        waiting_token,
        expires_at_s: expires_s,
        cookie: shown.by_cookie.then_some(cookie),
    })
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ClaimBody {
    rt: Option<String>,
}

/// What somebody who comes in is given.
#[derive(Debug, Serialize)]
pub(super) struct EntryJson {
    state: &'static str,
    seq: u64,
    proof: AdmissionProof,
    code: String,
    pub(super) redirect: String,
    session_s: u64,
}

/// `POST /q/{queue}/claim`
pub(super) async fn claim(
    State(edge): State<Shared>,
    KnownQueue(room): KnownQueue,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ApiError> {
    let shown = caller::require_token(&edge, &room, &headers)?;
    shown.require_same_site(&edge, &headers)?;
    edge.throttle_change(shown.ticket.wid)?;
    let body: ClaimBody = read(&body)?;
    let entry = come_in(&edge, &room, shown.ticket.wid, body.rt.as_deref(), false).await?;
    Ok(fresh(StatusCode::OK, &entry))
}

/// Claims a turn and makes what proves it. Within its life, the same code again.
///
/// `again` says that the gate's door sent the visitor, because this browser has no session.
pub(super) async fn come_in(
    edge: &Shared,
    room: &Room,
    wid: VisitorId,
    rt: Option<&str>,
    again: bool,
) -> Result<EntryJson, ApiError> {
    let info = room.info();
    let target = target(room, rt)?;
    let is_door = enter::is_door(&target, room.id);
    let has_session = is_door && room.look(|queue| queue.has_redeemed(wid));
    let claim = if !has_session {
        Command::Claim { wid }
    } else if again && room.version() >= 2 {
        Command::ClaimAgain { wid }
    } else {
        // The door's session is of one admission: another one ends it, so not for a second tab.
        return Err(not_ready(&room.look(|queue| queue.state(wid))));
    };
    let state = match room.ask(claim).await? {
        Reply::State(state) => state,
        Reply::NotReady(state) => return Err(not_ready(&state)),
        _ => return Err(not_ready(&VisitorState::Gone)),
    };
    let VisitorState::Inside {
        seq,
        lease,
        code_left: Some(code_left),
        absolute_left,
        ..
    } = state
    else {
        return Err(not_ready(&state));
    };
    let now_s = edge.gate.now_s();
    // The gate's own door takes codes only.
    let proof = if is_door {
        AdmissionProof::Code
    } else {
        info.proof
    };
    let code = match proof {
        AdmissionProof::Code => {
            let ticket = Token {
                wid,
                seq,
                lease,
                expires_s: now_s + code_left.as_secs().max(1),
            };
            edge.gate
                .signer(room.id, info.tenant)
                .sign(TokenPurpose::Code, &ticket)
        }
        proof => {
            let claims = Claims {
                iss: edge.gate.options().public_url.clone(),
                aud: room.id.to_string(),
                sub: wid.to_string(),
                jti: format!("{}-{seq}-{lease}", room.id),
                iat: now_s,
                nbf: now_s.saturating_sub(1),
                exp: now_s + JWT_LIFE_S,
                seq,
            };
            let generation = edge.gate.generation(info.tenant);
            let signed = admission::sign(
                &edge.gate.options().secret,
                info.tenant,
                room.id,
                generation,
                proof,
                &claims,
            );
            signed.ok_or_else(|| {
                ApiError::new(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    "no_key",
                    "the key cannot be made",
                )
            })?
        }
    };
    Ok(EntryJson {
        state: "inside",
        seq,
        proof,
        redirect: with_code(target, &code),
        code,
        session_s: absolute_left.as_secs(),
    })
}

/// Where somebody is sent who comes in: `rt`, or the queue's usual address.
pub(super) fn target(room: &Room, rt: Option<&str>) -> Result<Url, ApiError> {
    let info = room.info();
    Ok(parse_target(rt.unwrap_or(&info.target), &info.origins)?)
}

fn with_code(mut target: Url, code: &str) -> String {
    target.query_pairs_mut().append_pair("wr", code);
    target.into()
}

fn not_ready(state: &VisitorState) -> ApiError {
    let refused = match state {
        VisitorState::Gone => {
            ApiError::new(StatusCode::GONE, "gone", "the turn or the ticket is over")
        }
        VisitorState::Inside { .. } => ApiError::new(
            StatusCode::CONFLICT,
            "already_inside",
            "the turn was taken already",
        ),
        _ => ApiError::new(
            StatusCode::CONFLICT,
            "not_ready",
            "it is not this person's turn",
        ),
    };
    refused.with("state", state.name())
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct LeaveBody {
    /// Gives the place up for good; else the page was only closed.
    forever: bool,
}

/// `POST /q/{queue}/leave`
pub(super) async fn leave(
    State(edge): State<Shared>,
    KnownQueue(room): KnownQueue,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ApiError> {
    let shown = caller::require_token(&edge, &room, &headers)?;
    shown.require_same_site(&edge, &headers)?;
    edge.throttle_change(shown.ticket.wid)?;
    let body: LeaveBody = read(&body)?;
    let wid = shown.ticket.wid;
    let command = if body.forever {
        Command::Leave { wid }
    } else {
        Command::Away { wid }
    };
    room.ask(command).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

#[derive(Debug, Serialize)]
struct StatusJson {
    cursor: u64,
    last: u64,
    waiting: u64,
    rate_per_s: Option<f64>,
    mode: &'static str,
    version: u64,
}

/// `GET /q/{queue}/status`: the same for everybody, so that caches can answer it.
pub(super) async fn status(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
) -> Result<Response, ApiError> {
    let room = caller::room(&edge, &queue).await?;
    let status = room.look(|queue| {
        let ((cursor, last), (policy, version)) = (queue.cursor(), queue.policy());
        StatusJson {
            cursor,
            last,
            waiting: queue.waiting(),
            rate_per_s: policy.rate.map(crate::queue::AdmissionRate::as_per_second),
            mode: policy.mode.name(),
            version,
        }
    });
    let mut response = fresh(StatusCode::OK, &status);
    let cached = HeaderValue::from_static("public, max-age=1, stale-while-revalidate=5");
    response.headers_mut().insert(CACHE_CONTROL, cached);
    cors::vary(&room, &mut response);
    Ok(response)
}

/// A body that may be empty.
pub(super) fn read<T: Default + for<'de> Deserialize<'de>>(body: &[u8]) -> Result<T, ApiError> {
    if body.is_empty() {
        return Ok(T::default());
    }
    super::request_checks::must_be_object(body)?;
    serde_json::from_slice(body).map_err(|error| ApiError::unreadable_body(&error))
}

/// See [`super::read_bodies`].
pub(super) fn read_bodies(bytes: &[u8]) {
    let _ = read::<JoinBody>(bytes);
    let _ = read::<ClaimBody>(bytes);
    let _ = read::<LeaveBody>(bytes);
}
