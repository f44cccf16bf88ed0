//! The edge as callers meet it, over a journal in a directory of the test's own.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};
use tower::ServiceExt;

use super::{Edge, PublicApi, admin_router};
use crate::directory::KeySecret;
use crate::gate::{EdgeLimits, ForwardedHeader, Gate, GateOptions};
use crate::storage::LogStore;
use crate::storage::journal::Journal;
use crate::tokens::Secret;

mod cors;
mod edges;
mod entry;
mod isolation;
mod lagging;
mod operations;
mod ownership;
mod pages;
mod refusals;
mod sessions;
mod sockets;
mod waiting;

/// What a test has of an answer.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or(Value::Null)
    }

    fn code(&self) -> String {
        self.json()["error"]["code"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    /// The cookie set, as a browser sends it back.
    fn cookie(&self) -> String {
        self.header("set-cookie")
            .split(';')
            .next()
            .unwrap_or_default()
            .to_owned()
    }
}

/// What visitors call, in the form of what owners call.
fn as_router(api: PublicApi) -> Router {
    Router::new().fallback(|request: Request<Body>| async move { api.answer(request).await })
}

/// A gate with its two routers and first key.
struct Site {
    public: Router,
    admin: Router,
    root: String,
    gate: Arc<Gate>,
    /// Where a journal is kept.
    home: Option<tempfile::TempDir>,
}

/// What gates of these tests logged.
static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());

impl Site {
    async fn open() -> Self {
        let home = tempfile::tempdir().unwrap();
        let store = Arc::new(Journal::open(home.path(), real_clock()).unwrap());
        let mut site = Self::over(store, 1).await;
        site.home = Some(home);
        site
    }

    /// A gate at a store that others may use too; without a key when another gate made it.
    async fn over(store: Arc<dyn LogStore>, origin: u64) -> Self {
        let limits = EdgeLimits {
            joins_per_address: 0,
            streams: 100,
            polls_ahead: 0,
            ..EdgeLimits::default()
        };
        Self::with_limits(store, origin, limits).await
    }

    async fn with_limits(store: Arc<dyn LogStore>, origin: u64, limits: EdgeLimits) -> Self {
        Self::with_options(store, origin, Self::options(limits)).await
    }

    fn options(limits: EdgeLimits) -> GateOptions {
        GateOptions {
            secret: Secret::new([9; 32]),
            public_url: "https://wait.example".to_owned(),
            limits,
            trusted_proxies: Vec::new(),
            forwarded_by: ForwardedHeader::default(),
            refused_networks: vec!["198.51.100.0/24".parse().unwrap()],
            wall_clock: || real_clock()() + Duration::from_secs(300),
            log: |line| LOG.lock().unwrap().push(line.to_owned()),
        }
    }

    async fn with_options(store: Arc<dyn LogStore>, origin: u64, options: GateOptions) -> Self {
        let gate = Gate::open(store, options, origin).await.unwrap();
        let key = KeySecret::draw().unwrap();
        let is_first = gate.create_first_key(&key).await.unwrap();
        let root = if is_first {
            key.reveal()
        } else {
            String::new()
        };
        let edge = Edge::new(gate.clone());
        Self {
            public: as_router(PublicApi::new(edge.clone())),
            admin: admin_router(edge),
            root,
            gate,
            home: None,
        }
    }

    async fn call(
        router: &Router,
        method: &str,
        uri: &str,
        headers: &[(&str, &str)],
        body: &Value,
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = if body.is_null() {
            Body::empty()
        } else {
            Body::from(body.to_string())
        };
        let response = router
            .clone()
            .oneshot(request.body(body).unwrap())
            .await
            .unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, 1 << 20).await.unwrap();
        Answer {
            status: parts.status,
            headers: parts.headers,
            // A picture is none.
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    async fn public(
        &self,
        method: &str,
        uri: &str,
        headers: &[(&str, &str)],
        body: Value,
    ) -> Answer {
        Self::call(&self.public, method, uri, headers, &body).await
    }

    async fn with_key(&self, key: &str, method: &str, uri: &str, body: Value) -> Answer {
        let bearer = format!("Bearer {key}");
        let headers = [
            ("authorization", bearer.as_str()),
            ("idempotency-key", "once"),
        ];
        Self::call(&self.admin, method, uri, &headers, &body).await
    }

    async fn tenant(&self, name: &str) -> String {
        let made = self
            .with_key(&self.root, "POST", "/v1/tenants", json!({ "name": name }))
            .await;
        made.json()["id"].as_str().unwrap().to_owned()
    }

    async fn key(&self, tenant: &str, scopes: &[&str]) -> String {
        let uri = format!("/v1/tenants/{tenant}/keys");
        let made = self
            .with_key(&self.root, "POST", &uri, json!({ "scopes": scopes }))
            .await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
        made.json()["key"].as_str().unwrap().to_owned()
    }

    /// A queue, with what is sent over what is usual here.
    async fn queue(&self, tenant: &str, slug: &str, over: Value) -> String {
        let mut body = json!({
            "tenant": tenant, "slug": slug, "rate_per_s": 1000, "cap": 100,
            "redirect_origins": ["https://shop.example"], "redirect_to": "https://shop.example/enter",
        });
        for (name, value) in over.as_object().into_iter().flatten() {
            body[name] = value.clone();
        }
        let made = self.with_key(&self.root, "POST", "/v1/queues", body).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
        made.json()["id"].as_str().unwrap().to_owned()
    }

    /// A queue of a new tenant.
    async fn one_queue(&self, over: Value) -> String {
        let tenant = self.tenant("shop").await;
        self.queue(&tenant, "sale", over).await
    }

    /// Joins as somebody new; the token.
    async fn join(&self, queue: &str) -> String {
        let joined = self
            .public("POST", &format!("/q/{queue}/join"), &[], Value::Null)
            .await;
        assert_eq!(joined.status, StatusCode::CREATED, "{}", joined.text);
        joined.json()["waiting_token"].as_str().unwrap().to_owned()
    }

    async fn as_visitor(&self, token: &str, method: &str, uri: &str, body: Value) -> Answer {
        let bearer = format!("Bearer {token}");
        self.public(method, uri, &[("authorization", &bearer)], body)
            .await
    }

    /// Asks until the state is the one wanted: the store works on a thread of its own.
    async fn until(&self, queue: &str, token: &str, state: &str) -> Value {
        for _ in 0..1_000 {
            let me = self
                .as_visitor(token, "GET", &format!("/q/{queue}/me"), Value::Null)
                .await;
            if me.json()["state"] == state {
                return me.json();
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("never {state}");
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "queue time passes as it does in the world"
)]
fn real_clock() -> fn() -> SystemTime {
    SystemTime::now
}
