//! Tenants, their keys and what they may have.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Shared;
use super::answer::{ApiError, fresh};
use super::caller::Caller;
use super::change_answer::done;
use super::queue_body::name;
use super::service::must_read;
use crate::directory::{ApiKey, DirectoryChange, KeySecret, Quotas, Scope};
use crate::ids::{KeyId, TenantId};

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
            .map(|t| {
                let quotas = directory.quotas(t.id);
                json!({ "id": t.id.to_string(), "name": t.name, "rotation": t.generation, "quotas": quotas })
            })
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
    let change = DirectoryChange::AddTenant {
        id,
        name: name.clone(),
    };
    done(edge.gate.change(&caller.actor(), change).await?)?;
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
    let change = DirectoryChange::Rotate { tenant };
    done(edge.gate.change(&caller.actor(), change).await?)?;
    Ok(fresh(
        StatusCode::OK,
        &json!({ "rotation": edge.gate.generation(tenant) }),
    ))
}

/// `GET /v1/key`: what the key that is shown may do.
pub(super) async fn own_key(caller: Caller) -> Response {
    let mut key = key_json(&caller.0);
    key["tenant"] = json!(caller.0.tenant.map(|tenant| tenant.to_string()));
    fresh(StatusCode::OK, &key)
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
    let expires_s = body.ttl_s.map(|ttl| edge.gate.now_s().saturating_add(ttl));
    let secret = KeySecret::draw()?;
    let label = body.label.chars().take(100).collect();
    let key = ApiKey::new(&secret, Some(tenant), label, scopes, expires_s);
    let mut answer = key_json(&key);
    answer["key"] = secret.reveal().into();
    let change = DirectoryChange::AddKey { key };
    done(edge.gate.change(&caller.actor(), change).await?)?;
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
    let of = caller.0.tenant;
    let change = DirectoryChange::RevokeKey { id, of };
    done(edge.gate.change(&caller.actor(), change).await?)?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// `PUT /v1/tenants/{tenant}/quotas`: whole; what is left out has no limit.
pub(super) async fn set_quotas(
    State(edge): State<Shared>,
    Path(tenant): Path<String>,
    caller: Caller,
    body: Bytes,
) -> Result<Response, ApiError> {
    let tenant = tenant_of(&caller, &tenant)?;
    // A tenant does not raise its own.
    caller.must(Scope::Root)?;
    let quotas: Quotas = must_read(&body)?;
    let change = DirectoryChange::SetQuotas { tenant, quotas };
    done(edge.gate.change(&caller.actor(), change).await?)?;
    Ok(fresh(StatusCode::OK, &quotas))
}

/// The tenant of a path or a body, if the key may act for it.
pub(super) fn tenant_of(caller: &Caller, text: &str) -> Result<TenantId, ApiError> {
    let tenant = TenantId::parse(text).ok_or_else(|| ApiError::bad_request("that is no tenant"))?;
    caller.must_own(tenant)?;
    Ok(tenant)
}

/// See [`super::read_bodies`].
pub(super) fn read_bodies(bytes: &[u8]) {
    let _ = must_read::<TenantBody>(bytes);
    let _ = must_read::<KeyBody>(bytes);
    let _ = must_read::<Quotas>(bytes);
}
