//! Opens a WebSocket for a script, and records the samples of its session.

use std::rc::Rc;

use loadline_js::{Ctx, Exception};
use loadline_metrics::{MetricId, TagSetId, builtin};
use loadline_net::cookie::{add_cookies, set_cookies};
use loadline_net::{
    Agent, CompressionMode, Handshake, Request, Response, Url, WebSocket, WebSocketError,
};
use loadline_units::Time;

use crate::host::Host;
use crate::host::WorkerNetwork;
use crate::host::with_cx;
use crate::modules::http::{HttpUser, Jar, count_troubles, millis};
use crate::modules::sockets;

/// A WebSocket to be opened.
pub(in crate::modules) struct Dial {
    /// As the script gave it.
    pub(in crate::modules) url: String,
    /// In order; of several of a name the last counts.
    pub(in crate::modules) headers: Vec<(String, String)>,
    pub(in crate::modules) protocols: Vec<String>,
    pub(in crate::modules) deflate: bool,
    pub(in crate::modules) jar: Jar,
    /// Tags of the script's own.
    pub(in crate::modules) tags: Vec<(String, String)>,
    /// The user's tags when it was asked for.
    pub(in crate::modules) base: Option<TagSetId>,
}

/// What came of it.
pub(in crate::modules) struct DialResult {
    pub(in crate::modules) socket: Result<WebSocket, String>,
    /// Status 0 when nothing was answered.
    pub(in crate::modules) response: Box<Response>,
    failure: Option<loadline_net::Failure>,
    started: Time,
    opened: Time,
}

impl Dial {
    /// Opens it; borrows nothing of the script.
    pub(in crate::modules) async fn open(
        &self,
        worker: &Rc<WorkerNetwork>,
        agent: &Agent,
    ) -> DialResult {
        let handle = worker.network.handle();
        let started = handle.now();
        let mut response = Box::<Response>::default();
        let mut failure = None;
        let socket = match http_url(&self.url) {
            Err(error) => Err(error),
            Ok(url) => {
                let opened = self.shake_hands(worker, agent, &url, &mut response).await;
                opened.map_err(|error| match error {
                    WebSocketError::Connect(cause) => {
                        let text = cause.detail();
                        failure = Some(cause);
                        text
                    }
                    WebSocketError::Refused { .. } | WebSocketError::Handshake => {
                        "websocket: bad handshake".to_owned()
                    }
                    WebSocketError::Refusal(text) => text,
                })
            }
        };
        DialResult {
            socket,
            response,
            failure,
            started,
            opened: handle.now(),
        }
    }

    async fn shake_hands(
        &self,
        worker: &Rc<WorkerNetwork>,
        agent: &Agent,
        url: &Url,
        response: &mut Response,
    ) -> Result<WebSocket, WebSocketError> {
        let mut random = [0; 24];
        worker.fill_random(&mut random);
        let fields = self.fields(url, agent);
        let protocols = self.protocols.join(", ");
        let handshake = Handshake {
            url,
            fields: &fields,
            protocols: &protocols,
            deflate: if self.deflate {
                CompressionMode::Alone
            } else {
                CompressionMode::None
            },
            random,
        };
        let opening = agent.client().open_websocket(&handshake, response);
        let opened = opening.await;
        if response.head.fields().get("Set-Cookie").is_some() {
            let now = agent.shared().wall_now();
            self.jar
                .borrow_mut()
                .set(url, set_cookies(&response.head), now);
        }
        opened
    }

    /// Header fields, cookies among them; one the script sets replaces ours.
    fn fields(&self, url: &Url, agent: &Agent) -> Vec<(String, String)> {
        let mut request = Request::new("GET", url.clone());
        let now = agent.shared().wall_now();
        add_cookies(&mut request, &[], &mut self.jar.borrow_mut(), now);
        for (name, value) in &self.headers {
            if name.eq_ignore_ascii_case("user-agent") && value.is_empty() {
                request.remove_field(name);
            } else {
                request.set_field(name.as_str(), value.as_str());
            }
        }
        let mut fields = request.fields().to_vec();
        if let Some(host) = request.host() {
            fields.push(("Host".to_owned(), host.to_owned()));
        }
        fields
    }
}

/// The URL as HTTP has it.
///
/// # Errors
/// The words of the client that k6 is made with.
fn http_url(text: &str) -> Result<Url, String> {
    let malformed = || "malformed ws or wss URL".to_owned();
    let url = Url::parse(text).map_err(|error| error.to_string())?;
    let scheme = match url.scheme() {
        "ws" => "http",
        "wss" => "https",
        _ => return Err(malformed()),
    };
    if url.user().is_some() {
        return Err(malformed());
    }
    let rest = text.split_once(':').map_or("", |(_, rest)| rest);
    Url::parse(&format!("{scheme}:{rest}")).map_err(|error| error.to_string())
}

/// The header fields every WebSocket is opened with, those of `params` after them.
pub(in crate::modules) fn headers(ctx: &Ctx, own: Vec<(String, String)>) -> Vec<(String, String)> {
    let host = Host::from_ctx(ctx);
    let agent = host.shared.settings().http.user_agent.clone();
    let mut headers = vec![("User-Agent".to_owned(), agent)];
    headers.extend(own);
    headers
}

/// The user's agent and its worker.
pub(in crate::modules) fn means(ctx: &Ctx) -> Result<(Agent, Rc<WorkerNetwork>), Exception> {
    let user = HttpUser::from_ctx(ctx);
    let agent = user.agent(ctx)?.clone();
    Ok((agent, ctx.host::<WorkerNetwork>()))
}

/// One session: what its samples need.
#[derive(Debug, Clone, Copy)]
pub(in crate::modules) struct Session {
    tags: Option<TagSetId>,
    started: Time,
}

impl Session {
    /// Of a WebSocket that was opened or not; `named` says whether its samples have a name.
    pub(in crate::modules) fn new(
        ctx: &Ctx,
        dial: &Dial,
        dialed: &DialResult,
        named: bool,
    ) -> Self {
        let head = &dialed.response.head;
        let status = head.status().to_string();
        let ip = dialed.response.remote.map(|remote| remote.ip().to_string());
        let protocol = head.fields().get("Sec-WebSocket-Protocol");
        let protocol = String::from_utf8_lossy(protocol.unwrap_or_default());
        let given = dial.tags.iter().rev().find(|(key, _)| key == "name");
        let mut system = Vec::with_capacity(5);
        match given {
            Some((_, name)) if named => system.push(("url", name.as_str())),
            _ => {
                system.push(("url", dial.url.as_str()));
                if named {
                    system.push(("name", &dial.url));
                }
            }
        }
        system.extend(ip.as_deref().map(|ip| ("ip", ip)));
        if head.status() != 0 {
            system.push(("status", &status));
            if !protocol.is_empty() {
                system.push(("subproto", &protocol));
            }
        }
        let session = Self {
            tags: sockets::tag_set(ctx, dial.base, &dial.tags, &system),
            started: dialed.started,
        };
        let length = millis(dialed.opened.since(dialed.started));
        session.record(
            ctx,
            &[
                (builtin::WS_SESSIONS, 1.0),
                (builtin::WS_CONNECTING, length),
            ],
        );
        let shortage = dialed
            .failure
            .as_ref()
            .and_then(loadline_net::Failure::shortage);
        let asks_to_wait = dialed.failure.is_none() && dialed.response.asks_to_wait();
        with_cx(ctx, |cx| {
            count_troubles(cx.run_state, shortage, asks_to_wait)
        });
        session
    }

    pub(in crate::modules) fn record<const N: usize>(
        self,
        ctx: &Ctx,
        samples: &[(MetricId, f64); N],
    ) {
        if let Some(tags) = self.tags {
            with_cx(ctx, |cx| cx.shard.record_all(tags, samples));
        }
    }

    /// Accounts for one that was opened and is over.
    pub(in crate::modules) fn record_end(self, ctx: &Ctx) {
        let length = millis(ctx.now().since(self.started));
        self.record(ctx, &[(builtin::WS_SESSION_DURATION, length)]);
    }
}

/// Go's text for an unexpected close.
pub(in crate::modules) fn close_text(code: u16, reason: &str) -> String {
    let name = match code {
        1000 => " (normal)",
        1001 => " (going away)",
        1002 => " (protocol error)",
        1003 => " (unsupported data)",
        1005 => " (no status)",
        1006 => " (abnormal closure)",
        1007 => " (invalid payload data)",
        1008 => " (policy violation)",
        1009 => " (message too big)",
        1010 => " (mandatory extension missing)",
        1011 => " (internal server error)",
        1015 => " (TLS handshake error)",
        _ => "",
    };
    let colon = if reason.is_empty() { "" } else { ": " };
    format!("websocket: close {code}{name}{colon}{reason}")
}

/// Code and reason of a connection that ended without a close.
pub(in crate::modules) const ABNORMAL_CLOSE: (u16, &str) = (1006, "unexpected EOF");

/// Whether a close with this code is no error.
pub(in crate::modules) const fn is_expected(code: u16) -> bool {
    matches!(code, 1000 | 1001)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_websockets_are_those_of_http() {
        let shown = |text: &str| http_url(text).map(|url| url.to_string());
        assert_eq!(shown("ws://h:1/a?b"), Ok("http://h:1/a?b".to_owned()));
        assert_eq!(shown("WSS://h/"), Ok("https://h/".to_owned()));
        for text in ["http://h/", "h/x", "ws://u:p@h/"] {
            assert_eq!(
                shown(text),
                Err("malformed ws or wss URL".to_owned()),
                "{text}"
            );
        }
    }

    #[test]
    fn closes_are_named() {
        assert_eq!(
            close_text(1006, "unexpected EOF"),
            "websocket: close 1006 (abnormal closure): unexpected EOF"
        );
        assert_eq!(close_text(4000, ""), "websocket: close 4000");
    }
}
