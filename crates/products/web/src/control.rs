//! Steers a run that goes on, over the socket that it listens on.
//!
//! A run that is given a path in [`SOCKET_VARIABLE`] listens there, and keeps the path with its
//! record. Each line is a [`SteeringCommand`] as JSON, each is answered with a line: `{"ok":true}`
//! or an error. Only the user who runs it may connect.

use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use loadline_listen::Refusal;
use loadline_store::StoredRunState;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::UnixStream;

use crate::api::{self, Shared};

/// The environment variable that names the socket.
pub const SOCKET_VARIABLE: &str = "LOADLINE_CONTROL_SOCKET";

/// A run that does not answer in this time is not there.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// What a run can be told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "kebab-case")]
pub enum SteeringCommand {
    /// End in good order.
    Stop,
    /// End at once.
    Abort,
    /// Begin nothing new.
    Hold,
    /// Go on.
    Resume,
    /// Ten percent of the plan more.
    More,
    /// Ten percent of the plan less.
    Less,
    /// Keep a person's words with the run.
    Annotate {
        /// The words.
        text: String,
    },
}

/// Tells a run something.
pub(crate) async fn steer(
    State(settings): Shared,
    Path(reference): Path<String>,
    Json(command): Json<SteeringCommand>,
) -> Result<StatusCode, Refusal> {
    let socket = api::ask(settings, move |store, settings| {
        let row = store.find(&reference, api::now_ms(settings))?;
        let is_running = row.state == StoredRunState::Running;
        let run = store.read(row)?;
        Ok(is_running.then_some(run.about.control_socket).flatten())
    });
    let refused = |code, message: &str| Refusal::new(StatusCode::CONFLICT, code, message);
    let Some(socket) = socket.await? else {
        let message = "this run is over, or was not started to be steered from here (run --ui)";
        return Err(refused("not_steerable", message));
    };
    match tokio::time::timeout(ANSWER_TIMEOUT, send(&socket, &command)).await {
        Ok(Ok(())) => Ok(StatusCode::NO_CONTENT),
        Ok(Err(error)) => Err(refused("not_told", &error.to_string())),
        Err(_) => Err(refused("not_told", "the run does not answer")),
    }
}

async fn send(socket: &str, command: &SteeringCommand) -> std::io::Result<()> {
    let mut stream = UnixStream::connect(socket).await?;
    let line = serde_json::to_string(command)? + "\n";
    stream.write_all(line.as_bytes()).await?;
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer).await?;
    if answer.contains("\"ok\":true") {
        Ok(())
    } else {
        Err(std::io::Error::other(answer))
    }
}
