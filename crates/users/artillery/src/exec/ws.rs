//! Runs WebSocket flows: one connection per user, messages in both directions.
//!
//! As in Artillery, a step with `capture` or `match` waits for one message. Messages for which no
//! step waits are ignored.

use std::rc::Rc;

use loadline_net::{Handshake, Response, Url, WebSocket, WebSocketError, WsEvent};
use serde_json::Value;

use crate::exec::answer::{self, Answer};
use crate::exec::flow::{self, LoopRange, StepsResult};
use crate::exec::hooks;
use crate::exec::http::code_of;
use crate::model::{Connect, FlowStep, Loop, ScenarioSpec, WsMessage};
use crate::text::to_text;
use crate::vu::{FlowFailure, Vu};

/// Runs a WebSocket scenario.
pub(crate) async fn scenario(vu: &Rc<Vu>, scenario: &ScenarioSpec) -> StepsResult {
    let mut socket = match open(vu, scenario).await {
        Ok(socket) => socket,
        Err(WsConnectError { message, code }) => {
            // Artillery counts the message where the error happens, and the code where the flow
            // ends.
            vu.outbox.error(&message);
            return Err(FlowFailure::new(code));
        }
    };
    let outcome = steps(vu, scenario, &scenario.flow, &mut socket).await;
    // The flow is over, even if the close does not arrive.
    let _ = socket.close(1005, "");
    outcome
}

/// Why no connection was made: as text, and as Node's code.
struct WsConnectError {
    message: String,
    code: String,
}

impl From<String> for WsConnectError {
    fn from(message: String) -> Self {
        Self {
            code: message.clone(),
            message,
        }
    }
}

/// Opens the scenario's WebSocket.
async fn open(vu: &Rc<Vu>, scenario: &ScenarioSpec) -> Result<WebSocket, WsConnectError> {
    let config = &vu.shared.test.script.config;
    let nothing = Connect::default();
    let connect = match scenario.flow.first() {
        Some(FlowStep::Connect(connect)) => connect,
        _ => &nothing,
    };
    let mut target = match &connect.target {
        Some(target) => {
            let vars = vu.vars.borrow();
            target.render_text(&vu.scope(&vars))
        }
        None => config.target.clone(),
    };
    let mut headers = connect
        .headers
        .clone()
        .unwrap_or_else(|| config.ws.headers.clone());
    let mut protocols = connect
        .subprotocols
        .clone()
        .unwrap_or_else(|| config.ws.subprotocols.clone());
    if let Some(name) = connect
        .function
        .as_ref()
        .filter(|name| vu.has_function(name))
    {
        let args = hooks::connect(vu, name, &target, &headers, &protocols)
            .await
            .map_err(|failed| failed.code)?;
        (target, headers, protocols) = args;
    }
    headers.retain(|(name, value)| {
        let is_protocol = name.eq_ignore_ascii_case("sec-websocket-protocol");
        if is_protocol {
            protocols.extend(value.split(',').map(|part| part.trim().to_owned()));
        }
        !is_protocol
    });
    let as_http = match target.split_once("://") {
        Some(("ws", rest)) => format!("http://{rest}"),
        Some(("wss", rest)) => format!("https://{rest}"),
        _ => target,
    };
    let url = Url::parse(&as_http).map_err(|_| format!("Invalid URL: {as_http}"))?;
    let mut random = [0; 24];
    for part in random.chunks_mut(8) {
        part.copy_from_slice(&vu.local.random.next().to_ne_bytes());
    }
    let handshake = Handshake {
        url: &url,
        fields: &headers,
        protocols: &protocols.join(","),
        deflate: false,
        random,
    };
    let mut response = Response::new();
    let opening = vu.agent.client().open_websocket(&handshake, &mut response);
    opening.await.map_err(|error| match error {
        WebSocketError::Connect(failure) => {
            let code = code_of(&failure);
            let port = url.port().map_or(String::new(), |port| format!(":{port}"));
            WsConnectError {
                message: format!("connect {code} {}{port}", url.host_name()),
                code,
            }
        }
        error => WsConnectError::from(error.to_string()),
    })
}

fn steps<'s>(
    vu: &'s Rc<Vu>,
    scenario: &'s ScenarioSpec,
    items: &'s [FlowStep],
    socket: &'s mut WebSocket,
) -> std::pin::Pin<Box<dyn Future<Output = StepsResult> + 's>> {
    Box::pin(async move {
        for item in items {
            match item {
                FlowStep::Message(message) => exchange(vu, message, socket).await?,
                FlowStep::Loop(spec) => run_loop(vu, scenario, spec, socket).await?,
                FlowStep::Connect(_) => {}
                other => flow::step(vu, scenario, other).await?,
            }
        }
        Ok(())
    })
}

async fn run_loop(
    vu: &Rc<Vu>,
    scenario: &ScenarioSpec,
    spec: &Loop,
    socket: &mut WebSocket,
) -> StepsResult {
    let mut turns = LoopRange::begin(vu, spec);
    while turns.goes_on() {
        steps(vu, scenario, &spec.steps, socket).await?;
        turns.next(vu, spec);
        flow::breathe().await;
    }
    Ok(())
}

/// Sends a message, waits for one, or both.
async fn exchange(vu: &Rc<Vu>, message: &WsMessage, socket: &mut WebSocket) -> StepsResult {
    let rendered = message.payload.as_ref().map(|payload| {
        let vars = vu.vars.borrow();
        payload.render(&vu.scope(&vars))
    });
    if let Some(payload) = rendered {
        let text = match &payload {
            Some(value @ (Value::Object(_) | Value::Array(_))) => value.to_string(),
            None | Some(Value::Null) => String::new(),
            value => to_text(value.as_ref()),
        };
        vu.outbox.count("websocket.messages_sent", 1.0);
        vu.outbox.rate("websocket.send_rate");
        socket
            .send(false, text.as_bytes())
            .map_err(|error| FlowFailure::new(error.to_string()))?;
        std::future::poll_fn(|cx| socket.poll_written(cx)).await;
    } else if !message.waits {
        vu.outbox.error("invalid_step");
        return Err(FlowFailure::new("undefined"));
    }
    if message.waits {
        return receive(vu, message, socket).await;
    }
    Ok(())
}

/// The next message as text; `None` if the server closed. Invalid UTF-8 in a binary message is
/// replaced.
async fn next_text(socket: &mut WebSocket) -> Result<Option<String>, String> {
    loop {
        match socket.event().await {
            WsEvent::Text(bytes) | WsEvent::Binary(bytes) => {
                return Ok(Some(String::from_utf8_lossy(&bytes).into_owned()));
            }
            WsEvent::Ping | WsEvent::Pong(_) => {}
            WsEvent::Close { .. } | WsEvent::Lost => return Ok(None),
            WsEvent::Broken(error) => return Err(error),
        }
    }
}

async fn receive(vu: &Rc<Vu>, message: &WsMessage, socket: &mut WebSocket) -> StepsResult {
    let config = &vu.shared.test.script.config;
    let limit = config.ws_timeout();
    let mut sleep = std::pin::pin!(vu.handle.sleep_until(vu.handle.now() + limit));
    let mut next = std::pin::pin!(next_text(socket));
    let received = std::future::poll_fn(|cx| {
        use std::task::Poll;
        if let Poll::Ready(received) = next.as_mut().poll(cx) {
            return Poll::Ready(Some(received));
        }
        sleep.as_mut().poll(cx).map(|()| None)
    })
    .await;
    let text = match received {
        // Artillery counts the text at once, and the end without a code.
        None => {
            vu.outbox.error("response timeout");
            return Err(FlowFailure::new("undefined"));
        }
        Some(Err(error)) => return Err(FlowFailure::new(error)),
        Some(Ok(None)) => {
            // The server closed. Artillery would wait until its timeout.
            vu.handle.sleep_until(vu.handle.now() + limit).await;
            vu.outbox.error("response timeout");
            return Err(FlowFailure::new("undefined"));
        }
        Some(Ok(Some(text))) => text,
    };
    vu.outbox.count("websocket.messages_received", 1.0);
    vu.outbox.rate("websocket.receive_rate");
    if text.is_empty() {
        return Err(FlowFailure::new("Empty response from WS server"));
    }
    let answer = Answer::new(None, &text);
    if answer::apply(vu, &message.captures, &message.matches, &answer) {
        return Err(FlowFailure::new("Failed capture or match"));
    }
    Ok(())
}
