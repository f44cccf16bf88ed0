//! Starts a test as a process of its own, so that no run depends on this server.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use loadline_listen::Refusal;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::WebSettings;
use crate::api::{self, InLang, Shared};

/// Why a test was not started.
#[derive(Debug)]
pub enum TestStartError {
    /// What was asked for cannot be.
    Refused(String),
    /// The system's reason.
    System(std::io::Error),
}

/// A test to start.
#[derive(Debug, Clone, Deserialize)]
pub struct TestRequest {
    /// A URL, or the path of a test file.
    pub test: String,
    /// Options of `loadline run`, each word on its own.
    #[serde(default)]
    pub options: Vec<String>,
    /// The text of a file that is sent along; `test` is then its name.
    pub source: Option<String>,
    /// When to start it, milliseconds since 1970; at once without it.
    #[serde(default)]
    pub at_ms: Option<i64>,
}

/// How far a started test is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StartedTest {
    /// Its process goes on.
    pub running: bool,
    /// The exit code of one that ended.
    pub code: Option<i32>,
    /// What it printed last.
    pub output: String,
    /// The socket that it listens on, by which its run is found.
    pub control_socket: String,
    /// When it will be started, milliseconds since 1970, while it waits for that.
    pub waits_until_ms: Option<i64>,
}

/// A test that waits for its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScheduledTest {
    /// Its name for [`TestRunner::progress`].
    pub name: String,
    /// The test.
    pub test: String,
    /// When it will be started, milliseconds since 1970.
    pub at_ms: i64,
}

/// Starts tests and knows what became of them.
pub trait TestRunner: Send + Sync {
    /// Starts a test; gives its name for [`TestRunner::progress`].
    ///
    /// # Errors
    /// [`TestStartError`].
    fn start(&self, request: &TestRequest) -> Result<String, TestStartError>;

    /// How far a started test is; `None` for an unknown name.
    fn progress(&self, name: &str) -> Option<StartedTest>;

    /// The tests that wait for their time, the next one first.
    fn scheduled(&self) -> Vec<ScheduledTest>;

    /// Takes a test back that waits for its time; whether there was one.
    fn cancel(&self, name: &str) -> bool;

    /// The load that a test plans, as JSON, in the language of this tag. Nothing is sent.
    ///
    /// # Errors
    /// [`TestStartError`]: refused with what is wrong with the test.
    fn preview(&self, request: &TestRequest, lang: &str) -> Result<String, TestStartError>;
}

pub(crate) async fn start(
    State(settings): Shared,
    Json(request): Json<TestRequest>,
) -> Result<Json<Value>, Refusal> {
    let started = asked(settings, request, |starter, request| starter.start(request));
    started.await.map(|name| Json(json!({ "started": name })))
}

/// The load that a test plans.
pub(crate) async fn preview(
    State(settings): Shared,
    Query(lang): Query<InLang>,
    Json(request): Json<TestRequest>,
) -> Result<Response, Refusal> {
    let tag = lang.catalog().lang().tag();
    let load = asked(settings, request, |starter, request| {
        starter.preview(request, tag)
    });
    load.await.map(api::json)
}

/// Asks who starts tests, away from the threads that serve.
async fn asked(
    settings: Arc<WebSettings>,
    request: TestRequest,
    question: impl FnOnce(&dyn TestRunner, &TestRequest) -> Result<String, TestStartError>
    + Send
    + 'static,
) -> Result<String, Refusal> {
    let refused = |status, code, message: String| Refusal::new(status, code, message);
    if request.test.trim().is_empty() || request.test.starts_with('-') {
        let message = "a test is a URL or a file".to_owned();
        return Err(refused(StatusCode::BAD_REQUEST, "test", message));
    }
    let answer = tokio::task::spawn_blocking(move || match &settings.starter {
        Some(starter) => question(&**starter, &request),
        None => Err(TestStartError::Refused(
            "no test can be started here".to_owned(),
        )),
    });
    match answer.await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(TestStartError::Refused(message))) => {
            Err(refused(StatusCode::BAD_REQUEST, "refused", message))
        }
        Ok(Err(TestStartError::System(error))) => {
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            Err(refused(status, "system", error.to_string()))
        }
        Err(error) => Err(api::defect(&error)),
    }
}

/// What became of a started test, and the name of its run once it is stored.
pub(crate) async fn progress(
    State(settings): Shared,
    Path(name): Path<String>,
) -> Result<Json<Value>, Refusal> {
    let found = settings
        .starter
        .as_ref()
        .and_then(|starter| starter.progress(&name));
    let Some(found) = found else {
        let message = "no test of this name was started";
        return Err(Refusal::new(StatusCode::NOT_FOUND, "no_test", message));
    };
    let run = run_of(settings, found.control_socket.clone()).await;
    Ok(Json(json!({
        "running": found.running,
        "code": found.code,
        "output": found.output,
        "waits_until_ms": found.waits_until_ms,
        "run": run,
    })))
}

/// The tests that wait for their time.
pub(crate) async fn scheduled(State(settings): Shared) -> Json<Value> {
    let starter = settings.starter.as_ref();
    Json(json!({ "scheduled": starter.map(|starter| starter.scheduled()).unwrap_or_default() }))
}

/// Takes a test back that waits for its time.
pub(crate) async fn cancel(
    State(settings): Shared,
    Path(name): Path<String>,
) -> Result<StatusCode, Refusal> {
    let starter = settings.starter.as_ref();
    if starter.is_some_and(|starter| starter.cancel(&name)) {
        return Ok(StatusCode::NO_CONTENT);
    }
    let message = "no test of this name waits";
    Err(Refusal::new(StatusCode::NOT_FOUND, "no_test", message))
}

/// The run that listens on a socket; `None` before it is stored.
async fn run_of(settings: Arc<WebSettings>, socket: String) -> Option<String> {
    /// Runs that may have been started meanwhile by others.
    const LOOKED_AT: usize = 20;
    let found = api::ask(settings, move |store, settings| {
        for row in store
            .runs(api::now_ms(settings))?
            .into_iter()
            .take(LOOKED_AT)
        {
            let run = store.read(row)?;
            if run.about.control_socket.as_deref() == Some(&socket) {
                return Ok(Some(run.row.name));
            }
        }
        Ok(None)
    });
    // A store that is not there yet holds no run.
    found.await.ok().flatten()
}
