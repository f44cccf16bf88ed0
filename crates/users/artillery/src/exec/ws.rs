//! Runs WebSocket flows: one connection per user, messages in both directions.
//!
//! As in Artillery, a step with `capture` or `match` waits for one message. Elsewhere: reading while
//! steps run, in [`line`].

mod line;

use std::rc::Rc;
use std::sync::Arc;

use loadline_net::{
    Client, CompressionMode, Handshake, Network, NetworkSettings, Proxies, Response, Url,
    WebSocket, WebSocketError,
};
use serde_json::Value;

use crate::exec::flow;
use crate::exec::hooks;
use crate::exec::http::code_of;
use crate::model::{Connect, FlowStep, ScenarioSpec, WsMessage};
use crate::text::to_text;
use crate::vu::{FlowFailure, StepsResult, Vu};
use line::Line;

/// Runs a WebSocket scenario.
pub(crate) async fn scenario(vu: &Rc<Vu>, scenario: &ScenarioSpec) -> StepsResult {
    let socket = match open(vu, scenario).await {
        Ok(socket) => socket,
        Err(WsConnectError { message, code }) => {
            // Artillery counts the message where the error happens, and the code where the flow
            // ends.
            vu.outbox.error(&message);
            return Err(FlowFailure::new(code));
        }
    };
    let line = Line::new(vu, socket);
    let outcome = line.while_reading(steps(vu, scenario, &scenario.flow, &line));
    let outcome = outcome.await;
    vu.line.take();
    line.leave(&vu.handle);
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
        protocols: &protocols.join(", "),
        deflate: CompressionMode::Node,
        random,
    };
    let mut response = Response::new();
    let proxy = connect.proxy.as_ref().or(config.ws.proxy.as_ref());
    let client = match proxy {
        Some(proxy) => proxied(vu, proxy)?,
        None => vu.agent.client().clone(),
    };
    let opening = client.open_websocket(&handshake, &mut response);
    let opened = opening.await;
    let socket = opened.map_err(|error| refused(error, &url, proxy.map(String::as_str)))?;
    let chosen = response.head.fields().get("Sec-WebSocket-Protocol");
    let chosen = chosen.map(|value| String::from_utf8_lossy(value).into_owned());
    if let Some(error) = wrong_protocol(&protocols, chosen.as_deref()) {
        socket.abandon();
        return Err(error.to_owned().into());
    }
    Ok(socket)
}

/// Node's words for a connection that was not made.
fn refused(error: WebSocketError, url: &Url, proxy: Option<&str>) -> WsConnectError {
    let WebSocketError::Connect(failure) = error else {
        return WsConnectError::from(error.to_string());
    };
    if let Some(error) = proxy.and_then(|proxy| refused_by(proxy, &failure.text())) {
        return error;
    }
    let code = code_of(&failure);
    let port = url.port().map_or(String::new(), |port| format!(":{port}"));
    WsConnectError {
        message: format!("connect {code} {}{port}", url.host_name()),
        code,
    }
}

/// Node's words where nothing listens at the proxy's address.
fn refused_by(proxy: &str, text: &str) -> Option<WsConnectError> {
    let is_it = text.starts_with("proxyconnect tcp:") && text.contains("connection refused");
    let url = Url::parse(proxy).ok().filter(|_| is_it)?;
    let port = url.port().map_or(String::new(), |port| format!(":{port}"));
    Some(WsConnectError {
        message: format!("connect ECONNREFUSED {}{port}", url.host_name()),
        code: "ECONNREFUSED".to_owned(),
    })
}

/// A client whose connections go through a proxy.
fn proxied(vu: &Vu, proxy: &str) -> Result<Client, String> {
    let proxies = Proxies::from_variables(proxy, proxy, "").map_err(|error| error.to_string())?;
    let settings = NetworkSettings {
        proxies,
        ..(*vu.local.settings).clone()
    };
    let network = Network::new(vu.handle.clone(), Arc::new(settings));
    let client = Client::new(&network, None);
    vu.proxied.replace(Some(client.clone()));
    Ok(client)
}

/// What Node's client says of the protocol that a server chose.
fn wrong_protocol(offered: &[String], chosen: Option<&str>) -> Option<&'static str> {
    match chosen {
        Some(_) if offered.is_empty() => Some("Server sent a subprotocol but none was requested"),
        None if !offered.is_empty() => Some("Server sent no subprotocol"),
        Some(chosen) if !offered.iter().any(|protocol| protocol == chosen) => {
            Some("Server sent an invalid subprotocol")
        }
        _ => None,
    }
}

fn steps<'s>(
    vu: &'s Rc<Vu>,
    scenario: &'s ScenarioSpec,
    items: &'s [FlowStep],
    line: &'s Rc<Line>,
) -> std::pin::Pin<Box<dyn Future<Output = StepsResult> + 's>> {
    Box::pin(async move {
        for item in items {
            match item {
                FlowStep::Message(message) => exchange(vu, message, line).await?,
                FlowStep::Loop(spec) => {
                    let turn = async || steps(vu, scenario, &spec.steps, line).await;
                    flow::repeat(vu, spec, 1, turn).await?;
                }
                FlowStep::Connect(_) => {}
                // Steps of other engines send nothing here.
                FlowStep::Request(_)
                | FlowStep::Parallel { .. }
                | FlowStep::Emit(_)
                | FlowStep::Foreign => {
                    return Err(invalid_step(vu));
                }
                FlowStep::Function(name) => hooks::socket_function(vu, scenario, name).await?,
                other => flow::step(vu, scenario, other).await?,
            }
        }
        Ok(())
    })
}

/// Artillery counts the text at once, and the end without a code.
fn invalid_step(vu: &Vu) -> FlowFailure {
    vu.outbox.error("invalid_step");
    FlowFailure::new("undefined")
}

/// Sends a message, waits for one, or both.
async fn exchange(vu: &Rc<Vu>, message: &WsMessage, line: &Rc<Line>) -> StepsResult {
    let rendered = message.payload.as_ref().map(|payload| {
        let vars = vu.vars.borrow();
        payload.render(&vu.scope(&vars))
    });
    line.listen(message.waits);
    if let Some(payload) = rendered {
        let text = match &payload {
            Some(value @ (Value::Object(_) | Value::Array(_))) => crate::text::json_text(value),
            Some(Value::Null) => "null".to_owned(),
            None => String::new(),
            value => to_text(value.as_ref()),
        };
        vu.outbox.count("websocket.messages_sent", 1.0);
        vu.outbox.rate("websocket.send_rate");
        if let Err(error) = line.send(text.as_bytes()) {
            // Artillery counts the error, and then its message where the flow ends.
            vu.outbox.error(&format!("Error: {error}"));
            return Err(FlowFailure::new(error));
        }
        line.written().await;
    } else if !message.waits {
        return Err(invalid_step(vu));
    }
    if message.waits {
        let limit = vu.shared.test.script.config.ws_timeout();
        return line.receive(vu, message, limit).await;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::wrong_protocol;

    #[test]
    fn a_server_chooses_one_of_the_protocols_offered() {
        let offered = ["chat".to_owned(), "other".to_owned()];
        assert_eq!(wrong_protocol(&offered, Some("other")), None);
        assert_eq!(wrong_protocol(&[], None), None);
        let told = [
            wrong_protocol(&offered, Some("else")),
            wrong_protocol(&offered, None),
            wrong_protocol(&[], Some("chat")),
        ];
        assert_eq!(
            told.map(Option::unwrap_or_default),
            [
                "Server sent an invalid subprotocol",
                "Server sent no subprotocol",
                "Server sent a subprotocol but none was requested"
            ]
        );
    }
}
