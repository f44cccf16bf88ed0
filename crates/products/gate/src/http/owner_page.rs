//! The owners' page on the admin listener: lengths, rates, modes, a person, what was done, and
//! tenants, queues and keys.
//!
//! The page holds no figures and no key. Its script asks the admin API with the key that
//! the owner types, which stays in the tab. Words come from the catalog, so that English
//! and Korean say the same.

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use loadline_text::{Message, gate as words};
use serde::Deserialize;
use std::collections::BTreeMap;

use super::page::{catalog, escaped, put};

mod settings;

/// What the page may do: talk to its own listener.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const SCRIPT: &str = "text/javascript; charset=utf-8";

#[derive(Debug, Default, Deserialize)]
pub(super) struct OwnerQuery {
    #[serde(default)]
    lang: Option<String>,
}

/// `GET /` of the admin listener
pub(super) async fn show(
    query: Result<Query<OwnerQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    // Only the language is asked for there; one that cannot be read is the browser's.
    let query = query.map(|Query(query)| query).unwrap_or_default();
    let catalog = catalog(query.lang.as_deref(), None, &headers);
    let said: BTreeMap<&str, String> = sentences()
        .into_iter()
        .chain(refusals())
        .chain(records())
        .chain(settings::words_of_settings())
        .map(|(name, message)| (name, catalog.text(&message)))
        .collect();
    let mut html = include_str!("owner_page/owner.html").to_owned();
    for (name, text) in &said {
        html = html.replace(&format!("[[{name}]]"), &escaped(text));
    }
    let json = serde_json::to_string(&said).unwrap_or_default();
    html = html.replace("[[lang]]", catalog.lang().tag());
    html = html.replace("[[words]]", &escaped(&json));
    let mut response = html.into_response();
    put(&mut response, CONTENT_TYPE, "text/html; charset=utf-8");
    put(&mut response, CONTENT_SECURITY_POLICY, POLICY);
    put(&mut response, CACHE_CONTROL, "no-store");
    guard(&mut response);
    response
}

fn sentences() -> Vec<(&'static str, Message)> {
    vec![
        ("title", words::owner_title()),
        ("key", words::owner_key()),
        ("open", words::owner_open()),
        ("forget", words::owner_forget()),
        ("refused", words::owner_refused()),
        ("unreachable", words::owner_unreachable()),
        ("none", words::owner_none()),
        ("admit", words::owner_admit()),
        ("count", words::owner_count()),
        ("admitted-now", words::owner_admitted_now("{admitted}")),
        ("hold-all", words::owner_hold_all()),
        ("hold-all-sure", words::owner_hold_all_sure("{queues}")),
        ("queues", words::owner_queues()),
        ("queue", words::owner_queue()),
        ("mode", words::owner_mode()),
        ("waiting", words::owner_waiting()),
        ("ready", words::owner_ready()),
        ("inside", words::owner_inside()),
        ("away", words::owner_away()),
        ("admitted", words::owner_admitted()),
        ("rate", words::owner_rate()),
        ("cap", words::owner_cap()),
        ("set", words::owner_set()),
        ("done", words::owner_done()),
        (
            "figure",
            words::owner_figure("{run}", "{date}", "{low}", "{high}", "{safety}"),
        ),
        ("by-hand", words::owner_by_hand()),
        ("person", words::owner_person()),
        ("person-hint", words::owner_person_hint()),
        ("find", words::owner_find()),
        ("reason", words::owner_reason()),
        ("block", words::owner_block()),
        ("unblock", words::owner_unblock()),
        ("pass", words::owner_pass()),
        ("end-pass", words::owner_end_pass()),
        ("let-in", words::owner_let_in()),
        ("audit", words::owner_audit()),
        ("when", words::owner_when()),
        ("who", words::owner_who()),
        ("what", words::owner_what()),
        ("mode-auto", words::owner_mode_auto()),
        ("mode-hold", words::owner_mode_hold()),
        ("mode-drain", words::owner_mode_drain()),
        ("mode-open", words::owner_mode_open()),
        ("mode-closed", words::owner_mode_closed()),
        ("state-waiting", words::owner_state_waiting()),
        ("state-ready", words::owner_state_ready()),
        ("state-inside", words::owner_state_inside()),
        ("state-away", words::owner_state_away()),
        ("state-blocked", words::owner_state_blocked()),
        ("state-gone", words::owner_state_gone()),
    ]
}

/// Why something was not done, by the code of the answer.
fn refusals() -> Vec<(&'static str, Message)> {
    vec![
        ("no-exists", words::owner_no_exists()),
        (
            "no-address_not_allowed",
            words::owner_no_address_not_allowed(),
        ),
        ("no-version_changed", words::owner_no_version_changed()),
        ("no-scope_missing", words::owner_no_scope_missing()),
        ("no-over_quota", words::owner_no_over_quota()),
        ("no-store_away", words::owner_no_store_away()),
        ("no-bad_request", words::owner_no_bad_request("{reason}")),
        ("no-picture", words::owner_no_picture()),
    ]
}

/// What can stand in the log of what was done; the script fills in the particulars.
fn records() -> Vec<(&'static str, Message)> {
    vec![
        (
            "admitted_count",
            words::owner_deed_admitted_count("{asked}", "{admitted}"),
        ),
        (
            "admitted_people",
            words::owner_deed_admitted_people("{asked}", "{admitted}"),
        ),
        ("force", words::owner_deed_force()),
        (
            "blocked",
            words::owner_deed_blocked("{person}", "{length}", "{reason}"),
        ),
        ("unblocked", words::owner_deed_unblocked("{person}")),
        ("bypass", words::owner_deed_bypass("{person}", "{length}")),
        ("bypass_ended", words::owner_deed_bypass_ended("{person}")),
        (
            "configured",
            words::owner_deed_configured("{mode}", "{rate}", "{cap}", "{run}"),
        ),
        ("code_replayed", words::owner_deed_code_replayed("{person}")),
        ("for-good", words::owner_for_good()),
        ("for-seconds", words::owner_for_seconds("{seconds}")),
    ]
}

/// `GET /assets/{file}` of the admin listener
pub(super) async fn asset(Path(file): Path<String>) -> Response {
    let (kind, text) = match file.as_str() {
        "owner.css" => (
            "text/css; charset=utf-8",
            include_str!("owner_page/owner.css"),
        ),
        "owner.js" => (SCRIPT, include_str!("owner_page/owner.js")),
        "settings.js" => (SCRIPT, include_str!("owner_page/settings.js")),
        "shared.js" => (SCRIPT, include_str!("owner_page/shared.js")),
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    let mut response = text.into_response();
    put(&mut response, CONTENT_TYPE, kind);
    put(&mut response, CACHE_CONTROL, "no-cache");
    guard(&mut response);
    response
}

fn guard(response: &mut Response) {
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
    ] {
        put(response, HeaderName::from_static(name), value);
    }
}
