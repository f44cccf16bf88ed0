//! `observe --listen`: sources of this host, served to runs elsewhere.
//!
//! Each run has a watch of its own, which begins when it first asks and ends when it stops asking. Nothing is
//! looked at while nobody asks.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use loadline_listen::{Limits, ListenError, Listener, ServerTls, is_same_secret};
use loadline_record::signals::Signals;
use loadline_units::{Clock, Time};
use serde::Deserialize;

use crate::new_signals::{NewSignals, SERVED_PATH};
use crate::observer::TargetObserver;
use crate::setup::ObserverSetup;

/// Runs at once.
const WATCHES_MAX: usize = 8;
/// A watch that nobody asked for so long has ended.
const WATCH_IDLE_TIMEOUT: Duration = Duration::from_secs(20);
/// The first answer waits for a look at each source, so long at most.
const FIRST_LOOK_TIMEOUT: Duration = Duration::from_millis(300);

/// Serves sources to runs on other hosts.
pub struct SignalServer {
    listener: Listener,
    shared: Arc<Shared>,
}

struct Shared {
    setup: ObserverSetup,
    token: String,
    watches: Mutex<Watches>,
}

#[derive(Default)]
struct Watches {
    begun: u64,
    all: BTreeMap<String, Watch>,
}

struct Watch {
    observer: TargetObserver,
    asked: Time,
}

impl SignalServer {
    /// Binds `address`; `setup.clock` is the clock that answers tell.
    ///
    /// Must be called inside a tokio runtime.
    ///
    /// # Errors
    /// It cannot be listened on.
    pub fn bind(
        address: SocketAddr,
        token: &str,
        tls: Option<ServerTls>,
        setup: ObserverSetup,
    ) -> Result<Self, ListenError> {
        let limits = Limits {
            connections: 4 * WATCHES_MAX,
            drain: Duration::from_millis(500),
            ..Limits::default()
        };
        let shared = Shared {
            setup,
            token: token.to_owned(),
            watches: Mutex::default(),
        };
        Ok(Self {
            listener: Listener::bind(address, limits)?.with_tls(tls),
            shared: Arc::new(shared),
        })
    }

    /// The address bound.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.listener.address()
    }

    /// Serves until `stop` completes.
    pub async fn serve(self, stop: impl Future<Output = ()>) {
        let router = Router::new()
            .route(SERVED_PATH, get(answer))
            .with_state(self.shared.clone());
        let sweep = async {
            loop {
                tokio::time::sleep(WATCH_IDLE_TIMEOUT / 4).await;
                self.shared.sweep();
            }
        };
        tokio::select! {
            _ = self.listener.serve(router, stop) => {}
            () = sweep => {}
        }
    }
}

impl Shared {
    fn watches(&self) -> std::sync::MutexGuard<'_, Watches> {
        // The map stays whole after a panic.
        self.watches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends watches that nobody asks for.
    fn sweep(&self) {
        let now = self.setup.clock.now();
        let mut watches = self.watches();
        watches
            .all
            .retain(|_, watch| now.since(watch.asked) < WATCH_IDLE_TIMEOUT);
    }

    fn allows(&self, headers: &HeaderMap) -> bool {
        let given = headers.get(header::AUTHORIZATION);
        let given = given.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        given.is_some_and(|given| is_same_secret(given.as_bytes(), self.token.as_bytes()))
    }

    /// The watch of this name, or a new one; whether it is new. `None` when there are too many.
    fn watch(&self, name: &str) -> Option<(String, bool)> {
        let now = self.setup.clock.now();
        let mut watches = self.watches();
        if let Some(watch) = watches.all.get_mut(name) {
            watch.asked = now;
            return Some((name.to_owned(), false));
        }
        if watches.all.len() >= WATCHES_MAX {
            return None;
        }
        watches.begun += 1;
        let name = format!("{}-{}", std::process::id(), watches.begun);
        let observer = TargetObserver::start(&self.setup);
        let watch = Watch {
            observer,
            asked: now,
        };
        watches.all.insert(name.clone(), watch);
        Some((name, true))
    }

    fn new_signals(&self, name: &str, after_ms: u64) -> Option<NewSignals> {
        let peek = self.watches().all.get(name)?.observer.peek();
        Some(NewSignals {
            watch: name.to_owned(),
            now_ms: self.setup.clock.now().as_nanos() / 1_000_000,
            places: peek.places(),
            signals: newer(&peek.so_far(), after_ms),
        })
    }
}

/// The points after a time, and all else.
fn newer(all: &Signals, after_ms: u64) -> Signals {
    let mut new = Signals::default();
    for series in all.series() {
        let points = series.points().iter();
        for point in points.filter(|point| point.at_ms > after_ms) {
            new.push(series.kind, &series.entity, point.at_ms, point.value);
        }
    }
    for setting in all.settings() {
        new.set(setting.clone());
    }
    new.sources.clone_from(&all.sources);
    new
}

#[derive(Deserialize)]
struct WatchQuery {
    #[serde(default)]
    watch: String,
    #[serde(default)]
    after: u64,
}

async fn answer(
    State(shared): State<Arc<Shared>>,
    Query(asked): Query<WatchQuery>,
    headers: HeaderMap,
) -> Response {
    if !shared.allows(&headers) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let Some((name, is_new)) = shared.watch(&asked.watch) else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let after = if is_new { 0 } else { asked.after };
    if is_new {
        tokio::time::sleep(FIRST_LOOK_TIMEOUT).await;
    }
    match shared.new_signals(&name, after) {
        Some(new) => Json(new).into_response(),
        None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}
