//! k6's REST API over a running script: status, metrics, groups and set-up data, so that what
//! steers k6 (its operator on Kubernetes, above all) steers this.
//!
//! What is read comes from counters and from a picture made once a second; nothing here
//! touches a worker.

mod picture;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use crossbeam_channel::Sender;
use loadline_engine::StageAnswer;
use loadline_k6::K6Factory;
use loadline_listen::{AllowedHosts, Limits, Listener, guard, parse_address};
use loadline_metrics::{Merger, Registry, Window};
use loadline_reactor::MonotonicClock;
use loadline_units::Clock;
use loadline_vu::{LifecycleStage, RunPhase, RunState, StopCause};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Notify, oneshot};

use picture::Picture;

use crate::{Control, RunHandle, RunNote, RunObserver};

/// k6's numbers for how far a run is.
mod k6_status {
    pub(super) const CREATED: u8 = 0;
    pub(super) const MAKING_USERS: u8 = 1;
    pub(super) const PAUSED_BEFORE_RUN: u8 = 4;
    pub(super) const STARTED: u8 = 5;
    pub(super) const SETUP: u8 = 6;
    pub(super) const RUNNING: u8 = 7;
    pub(super) const TEARDOWN: u8 = 8;
    pub(super) const ENDED: u8 = 9;
}

/// A server that ends when it is dropped.
pub struct RestServer {
    surface: Arc<Surface>,
    runtime: Option<Runtime>,
    stop: Option<oneshot::Sender<()>>,
}

/// What the API shows and changes.
struct Surface {
    factory: Arc<K6Factory>,
    registry: Arc<Registry>,
    is_paused: AtomicBool,
    is_stopped: AtomicBool,
    run: OnceLock<Run>,
    attached: Notify,
    picture: Mutex<Picture>,
}

struct Run {
    control: Control,
    run_state: Arc<RunState>,
    clock: MonotonicClock,
    notes: Sender<RunNote>,
}

impl RestServer {
    /// Listens on `address`, as k6 takes it.
    ///
    /// # Errors
    /// Why nothing can listen there.
    pub fn start(
        address: &str,
        factory: Arc<K6Factory>,
        registry: Arc<Registry>,
        is_paused: bool,
    ) -> Result<Self, String> {
        let address: SocketAddr = parse_address(address).map_err(|error| error.to_string())?;
        let surface = Arc::new(Surface {
            factory,
            registry,
            is_paused: AtomicBool::new(is_paused),
            is_stopped: AtomicBool::new(false),
            run: OnceLock::new(),
            attached: Notify::new(),
            picture: Mutex::default(),
        });
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("rest")
            .enable_io()
            .enable_time()
            .build()
            .map_err(|error| error.to_string())?;
        let mut router = router(surface.clone());
        if address.ip().is_loopback() {
            // Every page open on this machine reaches it. In a cluster it has names of its own.
            router = guard(router, AllowedHosts::local());
        }
        let (stop, stopped) = oneshot::channel::<()>();
        let entered = runtime.enter();
        let listener =
            Listener::bind(address, Limits::default()).map_err(|error| error.to_string())?;
        drop(entered);
        runtime.spawn(async move {
            let told = async {
                // Dropping the other end is a reason to stop, too.
                let _ = stopped.await;
            };
            listener.serve(router, told).await
        });
        Ok(Self {
            surface,
            runtime: Some(runtime),
            stop: Some(stop),
        })
    }

    /// Who shows it the windows.
    pub fn follower(&self) -> Arc<dyn RunObserver> {
        self.surface.clone()
    }

    /// The run it steers.
    pub fn attach(&self, handle: &RunHandle) {
        let run = Run {
            control: handle.control.clone(),
            run_state: handle.run_state.clone(),
            clock: handle.clock,
            notes: handle.notes.clone(),
        };
        // One server belongs to one run.
        let _ = self.surface.run.set(run);
        self.surface.attached.notify_waiters();
    }
}

impl Drop for RestServer {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl RunObserver for Surface {
    fn window(&self, _: &Window, merger: &Merger) {
        let seconds = self.run.get().map_or(0.0, |run| {
            let started = run.run_state.started();
            started.map_or(0.0, |at| run.clock.now().since(at).as_secs_f64())
        });
        let picture = Picture::new(merger, &self.registry, seconds);
        *self.picture() = picture;
    }
}

impl Surface {
    fn picture(&self) -> std::sync::MutexGuard<'_, Picture> {
        self.picture.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn status(&self) -> Value {
        let (users, active, crossed) = self.run.get().map_or((0, 0, false), |run| {
            let count = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
            let run_state = &run.run_state;
            (
                count(&run_state.users),
                count(&run_state.users_active),
                run_state.is_crossed(),
            )
        });
        let phase = self.run.get().map(|run| run.run_state.phase());
        let status = phase.map_or(k6_status::CREATED, status_number);
        json!({ "data": { "type": "status", "id": "default", "attributes": {
            "status": status,
            "paused": self.is_paused.load(Ordering::Relaxed),
            "vus": active,
            "vus-max": users,
            "stopped": self.is_stopped.load(Ordering::Relaxed),
            "running": (k6_status::STARTED..k6_status::ENDED).contains(&status),
            "tainted": crossed,
        }}})
    }

    /// The run, once it is there: who asks while it is made waits these moments.
    async fn run(&self) -> &Run {
        loop {
            let attached = self.attached.notified();
            if let Some(run) = self.run.get() {
                return run;
            }
            attached.await;
        }
    }

    /// Changes what `attributes` name.
    fn patch(&self, run: &Run, attributes: &Value) -> Result<(), Refused> {
        if attributes["stopped"] == json!(true) {
            self.is_stopped.store(true, Ordering::Relaxed);
            run.control.stop(StopCause::Remote);
            return Ok(());
        }
        if let Some(paused) = attributes["paused"].as_bool() {
            self.pause(run, paused)?;
        }
        if attributes["vus"].is_number() || attributes["vus-max"].is_number() {
            return Err(Refused::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "Execution config error",
                "an externally-controlled executor needs to be configured for live configuration updates",
            ));
        }
        Ok(())
    }

    fn pause(&self, run: &Run, paused: bool) -> Result<(), Refused> {
        if self.is_paused.swap(paused, Ordering::Relaxed) == paused {
            let detail = if paused {
                "execution is already paused"
            } else {
                "execution wasn't paused"
            };
            return Err(Refused::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "Pause error",
                detail,
            ));
        }
        if run.run_state.started().is_some() {
            let change = if paused { "paused" } else { "resumed" };
            // A run that is over keeps nothing more.
            let _ = run
                .notes
                .send(RunNote::load_changed("rest-api", change, None));
        }
        if paused {
            run.control.hold();
        } else {
            // Whichever it waits for; the other one changes nothing. What the run does at this
            // moment cannot be known here.
            run.control.release();
            run.control.resume();
        }
        Ok(())
    }

    fn setup(&self) -> Value {
        let data = self.factory.setup_data();
        let data = data.and_then(|text| serde_json::from_str::<Value>(&text).ok());
        let attributes = data.map_or_else(|| json!({}), |data| json!({ "data": data }));
        json!({ "data": { "type": "setupData", "id": "default", "attributes": attributes } })
    }
}

fn status_number(phase: RunPhase) -> u8 {
    match phase {
        RunPhase::MakingUsers => k6_status::MAKING_USERS,
        RunPhase::Waiting => k6_status::PAUSED_BEFORE_RUN,
        RunPhase::Setup => k6_status::SETUP,
        RunPhase::Running => k6_status::RUNNING,
        RunPhase::Teardown => k6_status::TEARDOWN,
        RunPhase::Ended => k6_status::ENDED,
    }
}

/// An answer that says what is wrong, in k6's form.
struct Refused {
    status: StatusCode,
    title: &'static str,
    detail: String,
}

impl Refused {
    fn new(status: StatusCode, title: &'static str, detail: impl Into<String>) -> Self {
        Self {
            status,
            title,
            detail: detail.into(),
        }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let error = json!({
            "status": self.status.as_str(),
            "title": self.title,
            "detail": self.detail,
        });
        (self.status, Json(json!({ "errors": [error] }))).into_response()
    }
}

fn router(surface: Arc<Surface>) -> Router {
    Router::new()
        .route("/v1/status", get(status).patch(patch_status))
        .route("/v1/metrics", get(metrics))
        .route("/v1/metrics/{id}", get(metric))
        .route("/v1/groups", get(groups))
        .route("/v1/groups/{id}", get(group))
        .route("/v1/setup", get(setup).put(give_setup).post(run_setup))
        .route("/v1/teardown", axum::routing::post(run_teardown))
        .route("/ping", get(ping))
        .route("/", get(ping))
        .with_state(surface)
}

/// JSON as k6 labels it.
fn labelled(value: &Value) -> Response {
    let label = [(header::CONTENT_TYPE, "application/json; charset=utf-8")];
    (label, value.to_string()).into_response()
}

async fn status(State(surface): State<Arc<Surface>>) -> Response {
    labelled(&surface.status())
}

async fn patch_status(State(surface): State<Arc<Surface>>, body: Bytes) -> Response {
    let sent: Value = match serde_json::from_slice(&body) {
        Ok(sent) => sent,
        Err(error) => {
            let status = StatusCode::BAD_REQUEST;
            return Refused::new(status, "Invalid data", error.to_string()).into_response();
        }
    };
    match surface.patch(surface.run().await, &sent["data"]["attributes"]) {
        Ok(()) => labelled(&surface.status()),
        Err(refused) => refused.into_response(),
    }
}

async fn metrics(State(surface): State<Arc<Surface>>) -> Response {
    let metrics = surface.picture().metrics.clone();
    labelled(&json!({ "data": metrics }))
}

async fn metric(State(surface): State<Arc<Surface>>, Path(id): Path<String>) -> Response {
    let picture = surface.picture();
    match picture.metrics.iter().find(|metric| metric["id"] == *id) {
        Some(metric) => labelled(&json!({ "data": metric })),
        None => {
            let (status, detail) = (StatusCode::NOT_FOUND, "No metric with that ID was found");
            Refused::new(status, "Not Found", detail).into_response()
        }
    }
}

async fn groups(State(surface): State<Arc<Surface>>) -> Response {
    let groups = surface.picture().groups.clone();
    labelled(&json!({ "data": groups }))
}

async fn group(State(surface): State<Arc<Surface>>, Path(id): Path<String>) -> Response {
    let picture = surface.picture();
    match picture.groups.iter().find(|group| group["id"] == *id) {
        Some(group) => labelled(&json!({ "data": group })),
        None => {
            let (status, detail) = (StatusCode::NOT_FOUND, "No group with that ID was found");
            Refused::new(status, "Not Found", detail).into_response()
        }
    }
}

async fn setup(State(surface): State<Arc<Surface>>) -> Response {
    labelled(&surface.setup())
}

async fn give_setup(State(surface): State<Arc<Surface>>, body: Bytes) -> Response {
    let text = String::from_utf8_lossy(&body).into_owned();
    if !text.is_empty()
        && let Err(error) = serde_json::from_str::<Value>(&text)
    {
        let (status, title) = (StatusCode::BAD_REQUEST, "Error parsing request body");
        return Refused::new(status, title, error.to_string()).into_response();
    }
    let given = Some(text).filter(|text| !text.is_empty());
    surface.factory.give_setup_data(given);
    labelled(&surface.setup())
}

/// Runs `setup()` now, and shows what it returned.
async fn run_setup(State(surface): State<Arc<Surface>>) -> Response {
    match run_stage(&surface, LifecycleStage::Setup).await {
        Ok(()) => labelled(&surface.setup()),
        Err(refused) => refused.into_response(),
    }
}

/// Runs `teardown()` now.
async fn run_teardown(State(surface): State<Arc<Surface>>) -> Response {
    match run_stage(&surface, LifecycleStage::Teardown).await {
        Ok(()) => StatusCode::OK.into_response(),
        Err(refused) => refused.into_response(),
    }
}

/// Runs a stage to its end. Whether it may run now is the engine's to say: stages follow each
/// other there in the order in which they are asked for.
async fn run_stage(surface: &Arc<Surface>, stage: LifecycleStage) -> Result<(), Refused> {
    let (title, not_waiting) = match stage {
        LifecycleStage::Setup => (
            "Error executing setup",
            "set-up runs by hand only while a run that was started paused waits",
        ),
        _ => (
            "Error executing teardown",
            "teardown runs by hand only while a run that was started paused waits; otherwise with the end of the test",
        ),
    };
    let refused = || Refused::new(StatusCode::CONFLICT, title, not_waiting);
    let run = surface.run().await;
    if run.run_state.phase() == RunPhase::Ended {
        // Nobody takes requests any more.
        return Err(refused());
    }
    let answer = run.control.run_stage(stage);
    let answer = tokio::task::spawn_blocking(move || answer.recv()).await;
    let detail = match answer {
        Ok(Ok(StageAnswer::Ended(None))) => return Ok(()),
        Ok(Ok(StageAnswer::Ended(Some(fault)))) => fault.message,
        Ok(Ok(StageAnswer::NotWaiting)) => return Err(refused()),
        Ok(Err(_)) | Err(_) => "the run began or ended meanwhile".to_owned(),
    };
    Err(Refused::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        title,
        detail,
    ))
}

async fn ping() -> &'static str {
    "ok"
}
