//! What owners make and read: tenants, keys, queues, figures, the audit log.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::Duration;

use super::Shared;
use super::answer::{ApiError, fresh};
use super::caller::Caller;
use super::control::{configure, expected, rules};
use super::queue_body::{QueueBody, name};
use super::service::must_read;
use crate::directory::{ApiKey, ChangeStatus, DirectoryChange, KeySecret, Page, QueueInfo, Scope};
use crate::gate::Room;
use crate::ids::{KeyId, QueueId, TenantId};
use crate::queue::{AdmissionRate, CapacitySource, Policy, QueueMode};
use crate::tokens::admission::{AdmissionProof, shared_secret};
use crate::tokens::redirect::AllowedSchemes;

#[derive(Debug, Deserialize)]
struct TenantBody {
    name: String,
}

/// `GET /v1/tenants`
pub(super) async fn tenants(
    State(edge): State<Shared>,
    caller: Caller,
) -> Result<Response, ApiError> {
    caller.must(Scope::Read)?;
    let own = caller.0.tenant;
    let tenants: Vec<Value> = edge.gate.look(|directory| {
        let tenants = directory
            .tenants()
            .filter(|tenant| own.is_none_or(|id| id == tenant.id));
        tenants
            .map(|t| json!({ "id": t.id.to_string(), "name": t.name, "rotation": t.generation }))
            .collect()
    });
    Ok(fresh(StatusCode::OK, &json!({ "tenants": tenants })))
}

/// `POST /v1/tenants`
pub(super) async fn add_tenant(
    State(edge): State<Shared>,
    caller: Caller,
    body: Bytes,
) -> Result<Response, ApiError> {
    caller.must(Scope::Root)?;
    let name = name(&must_read::<TenantBody>(&body)?.name)?;
    let id = TenantId::draw()?;
    done(
        edge.gate
            .change(DirectoryChange::AddTenant {
                id,
                name: name.clone(),
            })
            .await?,
    )?;
    Ok(fresh(
        StatusCode::CREATED,
        &json!({ "id": id.to_string(), "name": name }),
    ))
}

/// `POST /v1/tenants/{tenant}/rotate`
pub(super) async fn rotate(
    State(edge): State<Shared>,
    Path(tenant): Path<String>,
    caller: Caller,
) -> Result<Response, ApiError> {
    let tenant = tenant_of(&caller, &tenant)?;
    caller.must(Scope::Admin)?;
    done(edge.gate.change(DirectoryChange::Rotate { tenant }).await?)?;
    Ok(fresh(
        StatusCode::OK,
        &json!({ "rotation": edge.gate.generation(tenant) }),
    ))
}

#[derive(Debug, Deserialize)]
struct KeyBody {
    #[serde(default)]
    label: String,
    scopes: Vec<String>,
    #[serde(default)]
    ttl_s: Option<u64>,
}

/// `GET /v1/tenants/{tenant}/keys`
pub(super) async fn keys(
    State(edge): State<Shared>,
    Path(tenant): Path<String>,
    caller: Caller,
) -> Result<Response, ApiError> {
    let tenant = tenant_of(&caller, &tenant)?;
    caller.must(Scope::Admin)?;
    let keys: Vec<Value> = edge
        .gate
        .look(|directory| directory.keys_of(Some(tenant)).map(key_json).collect());
    Ok(fresh(StatusCode::OK, &json!({ "keys": keys })))
}

fn key_json(key: &ApiKey) -> Value {
    let scopes: Vec<&str> = key.scopes.iter().map(|scope| scope.name()).collect();
    json!({ "id": key.id.to_string(), "label": key.label, "scopes": scopes, "expires_at_s": key.expires_s })
}

/// `POST /v1/tenants/{tenant}/keys`: the only answer that shows the key.
pub(super) async fn add_key(
    State(edge): State<Shared>,
    Path(tenant): Path<String>,
    caller: Caller,
    body: Bytes,
) -> Result<Response, ApiError> {
    let tenant = tenant_of(&caller, &tenant)?;
    caller.must(Scope::Admin)?;
    let body: KeyBody = must_read(&body)?;
    let scope = |text: &String| {
        let found = Scope::parse(text).filter(|scope| *scope != Scope::Root);
        found.ok_or_else(|| ApiError::bad_request(format!("there is no scope `{text}` to give")))
    };
    let scopes = body
        .scopes
        .iter()
        .map(scope)
        .collect::<Result<Vec<_>, _>>()?;
    // A key cannot grant a scope that it lacks.
    scopes.iter().try_for_each(|scope| caller.must(*scope))?;
    let expires_s = body.ttl_s.map(|ttl| edge.gate.now_s() + ttl);
    let secret = KeySecret::draw()?;
    let label = body.label.chars().take(100).collect();
    let key = ApiKey::new(&secret, Some(tenant), label, scopes, expires_s);
    let mut answer = key_json(&key);
    answer["key"] = secret.reveal().into();
    done(edge.gate.change(DirectoryChange::AddKey { key }).await?)?;
    Ok(fresh(StatusCode::CREATED, &answer))
}

/// `DELETE /v1/keys/{key}`
pub(super) async fn revoke_key(
    State(edge): State<Shared>,
    Path(key): Path<String>,
    caller: Caller,
) -> Result<Response, ApiError> {
    caller.must(Scope::Admin)?;
    let id = KeyId::parse(&key).ok_or_else(|| ApiError::bad_request("that is no key's id"))?;
    done(
        edge.gate
            .change(DirectoryChange::RevokeKey {
                id,
                of: caller.0.tenant,
            })
            .await?,
    )?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn tenant_of(caller: &Caller, text: &str) -> Result<TenantId, ApiError> {
    let tenant = TenantId::parse(text).ok_or_else(|| ApiError::bad_request("that is no tenant"))?;
    caller.must_own(tenant)?;
    Ok(tenant)
}

/// `POST /v1/queues`
pub(super) async fn add_queue(
    State(edge): State<Shared>,
    caller: Caller,
    body: Bytes,
) -> Result<Response, ApiError> {
    caller.must(Scope::Admin)?;
    let body: QueueBody = must_read(&body)?;
    let named = body
        .tenant
        .as_deref()
        .map(|text| tenant_of(&caller, text))
        .transpose()?;
    let tenant = named.or(caller.0.tenant);
    let tenant = tenant.ok_or_else(|| ApiError::bad_request("tenant is missing"))?;
    if body.slug.is_none() || body.redirect_origins.as_ref().is_none_or(Vec::is_empty) {
        return Err(ApiError::bad_request(
            "slug and redirect_origins are missing",
        ));
    }
    let policy = body.over(Policy::default())?;
    let blank = QueueInfo {
        id: QueueId::draw()?,
        tenant,
        slug: String::new(),
        title: body.slug.clone().unwrap_or_default(),
        origins: Vec::new(),
        target: String::new(),
        proof: AdmissionProof::Code,
        page: Page::default(),
        policy,
        open_join: true,
    };
    let info = body.over_info(blank, schemes(&edge))?;
    let id = info.id;
    done(
        edge.gate
            .change(DirectoryChange::AddQueue {
                queue: Box::new(info),
            })
            .await?,
    )?;
    // Its room opens in a moment; wait, so that the caller can use it.
    for _ in 0..200 {
        if let Some(room) = edge.gate.room(id) {
            return Ok(fresh(StatusCode::CREATED, &queue_json(&edge, &room)));
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    Ok(fresh(StatusCode::CREATED, &json!({ "id": id.to_string() })))
}

/// `GET /v1/queues`
pub(super) async fn queues(
    State(edge): State<Shared>,
    caller: Caller,
) -> Result<Response, ApiError> {
    caller.must(Scope::Read)?;
    let mut rooms = edge.gate.rooms();
    rooms.retain(|room| {
        caller
            .0
            .tenant
            .is_none_or(|tenant| tenant == room.info().tenant)
    });
    rooms.sort_by_key(|room| room.id);
    let queues: Vec<Value> = rooms.iter().map(|room| queue_json(&edge, room)).collect();
    Ok(fresh(StatusCode::OK, &json!({ "queues": queues })))
}

/// `GET /v1/queues/{queue}`
pub(super) async fn queue(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    caller: Caller,
) -> Result<Response, ApiError> {
    let room = caller.room(&edge, &queue, Scope::Read).await?;
    let mut json = queue_json(&edge, &room);
    let info = room.info();
    if info.proof == AdmissionProof::JwtHs256 && caller.0.may(Scope::Admin) {
        let generation = edge.gate.generation(info.tenant);
        let shared = shared_secret(&edge.gate.options().secret, room.id, generation);
        json["hs256_secret"] = shared
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
            .into();
    }
    Ok(fresh(StatusCode::OK, &json))
}

/// `PATCH /v1/queues/{queue}`
pub(super) async fn change_queue(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    headers: HeaderMap,
    caller: Caller,
    body: Bytes,
) -> Result<Response, ApiError> {
    let room = caller.room(&edge, &queue, Scope::Admin).await?;
    let body: QueueBody = must_read(&body)?;
    let (before, figure, version) = rules(&room);
    let policy = body.over(before.clone())?;
    let info = body.over_info(QueueInfo::clone(&room.info()), schemes(&edge))?;
    let wanted = expected(&headers)?;
    if wanted.is_some_and(|wanted| wanted != version) {
        let refused = ApiError::new(
            StatusCode::PRECONDITION_FAILED,
            "version_changed",
            "the rules were changed meanwhile",
        );
        return Err(refused.with("version", version));
    }
    if info != *room.info() {
        done(
            edge.gate
                .change(DirectoryChange::ChangeQueue {
                    queue: Box::new(info),
                })
                .await?,
        )?;
    }
    // A rate set by hand no longer comes from a run.
    let figure = figure.filter(|_| (before.rate, before.cap) == (policy.rate, policy.cap));
    configure(&room, (policy, figure), wanted.or(Some(version)), &caller).await
}

/// A queue's rules as JSON.
#[derive(Debug, Serialize)]
pub(super) struct RulesJson {
    id: String,
    version: u64,
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
    /// Where rate and cap come from, when a run measured them.
    capacity: Option<CapacitySource>,
}

pub(super) fn rules_of(room: &Room) -> RulesJson {
    let (policy, capacity, version) = rules(room);
    RulesJson {
        id: room.id.to_string(),
        version,
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
        capacity,
    }
}

fn queue_json(edge: &Shared, room: &Room) -> Value {
    let info = room.info();
    let mut json = serde_json::to_value(rules_of(room)).unwrap_or_default();
    let base = &edge.gate.options().public_url;
    for (name, value) in [
        ("tenant", json!(info.tenant.to_string())),
        ("slug", json!(info.slug)),
        ("title", json!(info.title)),
        ("redirect_origins", json!(info.origins)),
        ("redirect_to", json!(info.target)),
        ("proof", json!(info.proof)),
        ("open_join", json!(info.open_join)),
        ("page", json!(info.page)),
        ("waiting_url", json!(format!("{base}/w/{}", room.id))),
    ] {
        json[name] = value;
    }
    json
}

/// `GET /v1/queues/{queue}/stats`
pub(super) async fn stats(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    caller: Caller,
) -> Result<Response, ApiError> {
    let room = caller.room(&edge, &queue, Scope::Read).await?;
    let stats = room.look(|queue| {
        let ((ready, inside, away), (cursor, last)) = (queue.passed(), queue.cursor());
        let t = queue.totals();
        json!({
            "waiting": queue.waiting(), "ready": ready, "inside": inside, "away": away,
            "cursor": cursor, "last": last, "mode": queue.policy().0.mode,
            "totals": {
                "joined": t.joined, "admitted": t.admitted, "admitted_by_hand": t.admitted_by_hand,
                "bypassed": t.bypassed, "claimed": t.claimed, "no_shows": t.no_shows,
                "passed_over": t.passed_over, "came_back": t.returned, "left": t.left,
                "completed": t.completed, "expired": t.expired, "full": t.full,
            },
        })
    });
    Ok(fresh(StatusCode::OK, &stats))
}

/// Turns what became of a change into an answer.
fn done(changed: ChangeStatus) -> Result<(), ApiError> {
    match changed {
        ChangeStatus::Done => Ok(()),
        ChangeStatus::Exists => Err(ApiError::new(
            StatusCode::CONFLICT,
            "exists",
            "there is one by that name",
        )),
        ChangeStatus::Missing => Err(ApiError::new(
            StatusCode::NOT_FOUND,
            "missing",
            "there is no such thing",
        )),
    }
}

/// See [`super::read_bodies`].
pub(super) fn read_bodies(bytes: &[u8]) {
    let _ = must_read::<TenantBody>(bytes);
    let _ = must_read::<KeyBody>(bytes);
    if let Ok(queue) = must_read::<QueueBody>(bytes) {
        let _ = queue.over(Policy::default());
    }
}

/// Which origins queues may list: over plain http visitors are sent only by a gate that is
/// reached over plain http itself.
fn schemes(edge: &Shared) -> AllowedSchemes {
    match edge.gate.options().public_url.starts_with("http://") {
        true => AllowedSchemes::HttpToo,
        false => AllowedSchemes::Https,
    }
}
