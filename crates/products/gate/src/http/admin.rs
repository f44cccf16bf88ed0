//! What owners make and read of queues: rules, addresses, figures.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::ETAG;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

use super::Shared;
use super::answer::{ApiError, fresh};
use super::caller::Caller;
use super::change_answer::done;
use super::queue_body::QueueBody;
use super::rules::{changed_meanwhile, configure, guard, rules, rules_of};
use super::service::must_read;
use super::tenants::tenant_of;
use crate::directory::{BrowserSettings, DirectoryChange, Logo, Page, QueueInfo, Scope};
use crate::gate::Room;
use crate::ids::QueueId;
use crate::queue::Policy;
use crate::tokens::admission::{AdmissionProof, shared_secret};
use crate::tokens::redirect::AllowedSchemes;

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
    if body.slug.is_none() {
        return Err(ApiError::bad_request("slug is missing"));
    }
    if body.redirect_origins.as_ref().is_none_or(Vec::is_empty) {
        return Err(ApiError::bad_request("redirect_origins are missing"));
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
    let browser = body.over_browser(BrowserSettings::default(), schemes(&edge))?;
    let logo = body.new_logo(None)?.flatten();
    let info = body.over_info(blank, schemes(&edge))?;
    let id = info.id;
    let queue = Box::new(info);
    let change = DirectoryChange::AddQueue { queue };
    done(edge.gate.change(&caller.actor(), change).await?)?;
    if browser != BrowserSettings::default() {
        set_browser(&edge, &caller, id, BrowserSettings::default(), browser).await?;
    }
    if logo.is_some() {
        set_logo(&edge, &caller, id, logo).await?;
    }
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
    let answer = fresh(StatusCode::OK, &full_json(&edge, &room, &caller));
    Ok(with_version(answer, rules(&room).2))
}

/// A queue as its owner sees it, with the secrets shared with its service.
fn full_json(edge: &Shared, room: &Room, caller: &Caller) -> Value {
    let mut json = queue_json(edge, room);
    let info = room.info();
    if info.proof == AdmissionProof::JwtHs256 && caller.0.may(Scope::Admin) {
        let generation = edge.gate.generation(info.tenant);
        // The next one too: a service that holds both misses nobody when keys are rotated.
        for (name, generation) in [
            ("hs256_secret", generation),
            ("hs256_next_secret", generation + 1),
        ] {
            let shared = shared_secret(&edge.gate.options().secret, room.id, generation);
            let digits = shared.iter().map(|byte| format!("{byte:02x}"));
            json[name] = digits.collect::<String>().into();
        }
    }
    json
}

/// What `GET` shows of a queue and `PATCH` cannot change; sent back as it is, it does no harm.
const READ_ONLY: [&str; 8] = [
    "id",
    "version",
    "tenant",
    "waiting_url",
    "capacity",
    "hs256_secret",
    "hs256_next_secret",
    "archived_at_ms",
];

/// `PATCH /v1/queues/{queue}`: what is not named stays, `null` makes it usual again.
pub(super) async fn change_queue(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    headers: HeaderMap,
    caller: Caller,
    body: Bytes,
) -> Result<Response, ApiError> {
    let room = caller.room(&edge, &queue, Scope::Admin).await?;
    let info_before = room.info();
    let shown = full_json(&edge, &room, &caller);
    let body = changeable(must_read(&body)?, &shown)?;
    let (before, figure, version) = rules(&room);
    let policy = body.over(before.clone())?;
    let browser_before = room.browser();
    let browser = body.over_browser(BrowserSettings::clone(&browser_before), schemes(&edge))?;
    let logo_before = room.logo();
    let logo = body.new_logo(shown["page"]["logo"].as_str())?;
    let logo = logo.filter(|logo| logo.as_ref() != logo_before.as_deref());
    let info = body.over_info(QueueInfo::clone(&info_before), schemes(&edge))?;
    let wanted = guard(&room, &headers)?;
    let changes_info = info != *info_before;
    let changes_browser = browser != *browser_before;
    if policy == before && !changes_info && !changes_browser && logo.is_none() {
        return Ok(with_version(fresh(StatusCode::OK, &shown), version));
    }
    // A rate set by hand no longer comes from a run.
    let figure = figure.filter(|_| (before.rate, before.cap) == (policy.rate, policy.cap));
    // The version guards addresses and page too: of two callers who read the same one, only one
    // comes past this.
    let expected = wanted.or(Some(version));
    configure(&room, policy, figure, expected, &caller).await?;
    if changes_info {
        let change = DirectoryChange::ReplaceQueue {
            before: Box::new(QueueInfo::clone(&info_before)),
            queue: Box::new(info.clone()),
        };
        done(edge.gate.change(&caller.actor(), change).await?)?;
    }
    if changes_browser {
        let was = BrowserSettings::clone(&browser_before);
        set_browser(&edge, &caller, room.id, was, browser.clone()).await?;
    }
    let logo_after = match logo {
        Some(logo) => {
            set_logo(&edge, &caller, room.id, logo.clone()).await?;
            logo.map(Arc::new)
        }
        None => logo_before,
    };
    // The gate learns of it in a moment; the next read here must see it.
    for _ in 0..200 {
        let is_seen = *room.info() == info && *room.browser() == browser;
        if is_seen && room.logo() == logo_after {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let answer = fresh(StatusCode::OK, &full_json(&edge, &room, &caller));
    Ok(with_version(answer, rules(&room).2))
}

async fn set_browser(
    edge: &Shared,
    caller: &Caller,
    id: QueueId,
    before: BrowserSettings,
    after: BrowserSettings,
) -> Result<(), ApiError> {
    let change = DirectoryChange::SetBrowser {
        id,
        before: Box::new(before),
        after: Box::new(after),
    };
    done(edge.gate.change(&caller.actor(), change).await?)
}

async fn set_logo(
    edge: &Shared,
    caller: &Caller,
    id: QueueId,
    logo: Option<Logo>,
) -> Result<(), ApiError> {
    let change = DirectoryChange::SetLogo { id, logo };
    done(edge.gate.change(&caller.actor(), change).await?)
}

/// What a body would change, without what it may only repeat.
fn changeable(mut body: Value, shown: &Value) -> Result<QueueBody, ApiError> {
    if let Value::Object(members) = &mut body {
        for name in READ_ONLY {
            let Some(sent) = members.remove(name) else {
                continue;
            };
            let same = shown.get(name) == Some(&sent);
            if name == "version" && !same {
                return Err(changed_meanwhile(&shown["version"]));
            }
            if !same {
                let message = format!("{name} cannot be changed");
                return Err(ApiError::bad_request(message));
            }
        }
    }
    serde_json::from_value(body).map_err(|error| ApiError::unreadable_body(&error))
}

/// An answer with the version that `If-Match` takes.
fn with_version(mut response: Response, version: u64) -> Response {
    if let Ok(tag) = HeaderValue::from_str(&format!("\"{version}\"")) {
        response.headers_mut().insert(ETAG, tag);
    }
    response
}

pub(super) fn queue_json(edge: &Shared, room: &Room) -> Value {
    let (info, browser) = (room.info(), room.browser());
    let mut page = json!(info.page);
    page["texts"] = json!(browser.texts);
    page["logo"] = json!(room.logo().map(|logo| logo.address(room.id)));
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
        ("cors_origins", json!(browser.cors_origins)),
        ("page", page),
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

/// See [`super::read_bodies`].
pub(super) fn read_bodies(bytes: &[u8]) {
    if let Ok(queue) = must_read::<QueueBody>(bytes) {
        let _ = queue.over(Policy::default());
    }
}

/// Which origins queues may list: over plain http visitors are sent only by a gate that is
/// reached over plain http itself.
pub(super) fn schemes(edge: &Shared) -> AllowedSchemes {
    if edge.gate.options().public_url.starts_with("http://") {
        AllowedSchemes::HttpToo
    } else {
        AllowedSchemes::Https
    }
}
