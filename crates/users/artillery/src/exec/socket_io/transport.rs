//! Moves a connection's packets: by polling, over a WebSocket, or first the one and then the other.

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use loadline_net::{
    BodyMode, CompressionMode, ExchangeOptions, Handshake, Request, Response, WebSocket, WsEvent,
};

use super::connection::Connection;
use super::packet::{EnginePacket, Opened, SEPARATOR};

/// How long a request may take; the client sets no limit of its own, the server answers each poll in time.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(120);
/// The first wait before a lost connection is opened again, in milliseconds, and the longest.
const RECONNECT_MS: (f64, f64) = (1000.0, 5000.0);

/// How a connection came to its end.
#[derive(Debug, PartialEq, Eq)]
enum Ended {
    /// The flow is over.
    Closed,
    /// It broke, or the server closed it.
    Lost,
    /// It was never open; the client's words.
    NotOpened(&'static str),
}

type Boxed<T> = Pin<Box<dyn Future<Output = T>>>;

/// Opens a connection and keeps it going until the flow is over.
pub(super) async fn run(connection: Rc<Connection>) {
    let mut failures = 0;
    let mut is_first = true;
    loop {
        let ended = if connection.options.polls {
            polling(&connection).await
        } else {
            over_websocket(&connection).await
        };
        match ended {
            Ended::Closed => return,
            Ended::NotOpened(error) => {
                connection.failed(error);
                if is_first {
                    // The user fails with it, so nobody waits for another attempt.
                    return;
                }
                failures += 1;
            }
            Ended::Lost => failures = 0,
        }
        is_first = false;
        if !connection.lost() {
            return;
        }
        let wait = pause(failures, connection.local.random.unit());
        let until = connection.handle.now() + wait;
        connection.handle.sleep_until(until).await;
        if connection.is_closing.get() {
            return;
        }
    }
}

/// The wait before attempt number `failures`: twice as long each time, spread by half of it.
fn pause(failures: u32, unit: f64) -> Duration {
    let (first, longest) = RECONNECT_MS;
    let base = first * 2_f64.powi(i32::try_from(failures).unwrap_or(10).min(10));
    let spread = (2.0 * unit - 1.0) * 0.5 * base;
    Duration::from_secs_f64((base + spread).min(longest) / 1000.0)
}

async fn over_websocket(connection: &Rc<Connection>) -> Ended {
    match open(connection, None).await {
        Some(socket) => frames(connection, socket, false).await,
        None => Ended::NotOpened("websocket error"),
    }
}

/// Opens a WebSocket, in place of polling where there is a session.
async fn open(connection: &Connection, session: Option<&str>) -> Option<WebSocket> {
    let options = &connection.options;
    let url = options.url(&connection.origin, "websocket", session, None)?;
    let mut random = [0; 24];
    for part in random.chunks_mut(8) {
        part.copy_from_slice(&connection.local.random.next().to_ne_bytes());
    }
    let handshake = Handshake {
        url: &url,
        fields: &options.headers,
        protocols: "",
        deflate: CompressionMode::Node,
        random,
    };
    let mut response = Response::new();
    let opening = connection.client.open_websocket(&handshake, &mut response);
    // The client has the same words for whatever went wrong.
    opening.await.ok()
}

/// What happens next on a WebSocket.
enum SocketStep {
    Write(String),
    Close,
    Event(WsEvent),
}

async fn frames(connection: &Connection, mut socket: WebSocket, mut is_open: bool) -> Ended {
    let mut is_closing = false;
    loop {
        let step = poll_fn(|cx| {
            // What is unsent goes on its way while something else is waited for.
            let _ = socket.poll_written(cx);
            if !is_closing {
                if let Some(text) = connection.outgoing.borrow_mut().pop_front() {
                    return Poll::Ready(SocketStep::Write(text));
                }
                if connection.is_closing.get() {
                    return Poll::Ready(SocketStep::Close);
                }
            }
            socket.poll_event(cx).map(SocketStep::Event)
        });
        match step.await {
            SocketStep::Write(text) => {
                if socket.send(false, text.as_bytes()).is_err() {
                    return ended(is_open, is_closing);
                }
            }
            SocketStep::Close => {
                is_closing = true;
                // A connection that broke needs no close.
                let _ = socket.close(1005, "");
            }
            SocketStep::Event(WsEvent::Text(bytes)) => {
                let packet = EnginePacket::read(&String::from_utf8_lossy(&bytes));
                if matches!(packet, EnginePacket::Open(_)) {
                    is_open = true;
                    connection.opened();
                }
                connection.take(packet);
            }
            SocketStep::Event(WsEvent::Binary(bytes)) => {
                connection.take(EnginePacket::Bytes(bytes));
            }
            SocketStep::Event(WsEvent::Ping | WsEvent::Pong(_)) => {}
            SocketStep::Event(WsEvent::Close { code, reason }) => {
                // The answer may not reach a server that has gone.
                let _ = socket.close(code, &reason);
                return ended(is_open, is_closing);
            }
            SocketStep::Event(WsEvent::Lost | WsEvent::Broken(_)) => {
                return ended(is_open, is_closing);
            }
        }
    }
}

fn ended(is_open: bool, is_closing: bool) -> Ended {
    match (is_closing, is_open) {
        (true, _) => Ended::Closed,
        (false, true) => Ended::Lost,
        (false, false) => Ended::NotOpened("websocket error"),
    }
}

/// What happens next while polling.
enum PollStep {
    Polled(Option<String>),
    Posted(Option<String>),
    Probed(Option<Box<WebSocket>>),
    Write,
    Switch,
}

/// The requests that are under way.
struct Polling {
    poll: Option<Boxed<Option<String>>>,
    post: Option<Boxed<Option<String>>>,
    probe: Option<Boxed<Option<WebSocket>>>,
    /// The WebSocket that takes over once no request is under way.
    next: Option<WebSocket>,
    /// The close was sent.
    is_closed: bool,
}

impl Polling {
    async fn step(&mut self, connection: &Connection) -> PollStep {
        poll_fn(|cx| {
            if let Some(body) = ready(&mut self.poll, cx) {
                return Poll::Ready(PollStep::Polled(body));
            }
            if let Some(body) = ready(&mut self.post, cx) {
                return Poll::Ready(PollStep::Posted(body));
            }
            if let Some(socket) = ready(&mut self.probe, cx) {
                return Poll::Ready(PollStep::Probed(socket.map(Box::new)));
            }
            if self.post.is_some() || self.is_closed {
                return Poll::Pending;
            }
            if self.next.is_some() {
                return match self.poll {
                    Some(_) => Poll::Pending,
                    None => Poll::Ready(PollStep::Switch),
                };
            }
            let has_some = !connection.outgoing.borrow().is_empty();
            if has_some || connection.is_closing.get() {
                return Poll::Ready(PollStep::Write);
            }
            Poll::Pending
        })
        .await
    }
}

/// Polls a future that is there, and takes it away when it is done.
fn ready<T>(future: &mut Option<Boxed<T>>, cx: &mut std::task::Context<'_>) -> Option<T> {
    let Poll::Ready(value) = future.as_mut()?.as_mut().poll(cx) else {
        return None;
    };
    *future = None;
    Some(value)
}

async fn polling(connection: &Rc<Connection>) -> Ended {
    const REFUSED: Ended = Ended::NotOpened("xhr poll error");
    let Some(body) = request(connection.clone(), None, None).await else {
        return REFUSED;
    };
    let mut packets: VecDeque<EnginePacket> = packets(&body).collect();
    let Some(EnginePacket::Open(opened)) = packets.pop_front() else {
        return REFUSED;
    };
    let Some(Opened { id, upgrades }) = Opened::read(&opened) else {
        return REFUSED;
    };
    connection.opened();
    packets
        .into_iter()
        .for_each(|packet| connection.take(packet));
    let poll = |id: &str| -> Option<Boxed<_>> {
        Some(Box::pin(request(
            connection.clone(),
            Some(id.to_owned()),
            None,
        )))
    };
    let mut under_way = Polling {
        poll: poll(&id),
        post: None,
        probe: None,
        next: None,
        is_closed: false,
    };
    if upgrades && connection.options.upgrades {
        under_way.probe = Some(Box::pin(probe(connection.clone(), id.clone())));
    }
    loop {
        match under_way.step(connection).await {
            PollStep::Polled(_) if under_way.is_closed => return Ended::Closed,
            PollStep::Polled(None) | PollStep::Posted(None) => {
                return if under_way.is_closed {
                    Ended::Closed
                } else {
                    Ended::Lost
                };
            }
            PollStep::Polled(Some(body)) => {
                for packet in self::packets(&body) {
                    if packet == EnginePacket::Close {
                        return Ended::Lost;
                    }
                    connection.take(packet);
                }
                if under_way.next.is_none() {
                    under_way.poll = poll(&id);
                }
            }
            PollStep::Posted(Some(_)) => {}
            PollStep::Probed(socket) => under_way.next = socket.map(|socket| *socket),
            PollStep::Write => {
                let texts: Vec<String> = connection.outgoing.borrow_mut().drain(..).collect();
                let text = if texts.is_empty() {
                    under_way.is_closed = true;
                    under_way.probe = None;
                    "1".to_owned()
                } else {
                    texts.join(&SEPARATOR.to_string())
                };
                let id = Some(id.clone());
                under_way.post = Some(Box::pin(request(connection.clone(), id, Some(text))));
            }
            PollStep::Switch => {
                if let Some(mut socket) = under_way.next.take() {
                    if socket.send(false, b"5").is_err() {
                        return Ended::Lost;
                    }
                    return frames(connection, socket, true).await;
                }
            }
        }
    }
}

fn packets(body: &str) -> impl Iterator<Item = EnginePacket> {
    body.split(SEPARATOR).map(EnginePacket::read)
}

/// Opens a WebSocket for a session and asks whether it carries packets.
async fn probe(connection: Rc<Connection>, session: String) -> Option<WebSocket> {
    let mut socket = open(&connection, Some(&session)).await?;
    socket.send(false, b"2probe").ok()?;
    loop {
        match socket.event().await {
            WsEvent::Text(text) => return (text == b"3probe").then_some(socket),
            WsEvent::Ping | WsEvent::Pong(_) | WsEvent::Binary(_) => {}
            WsEvent::Close { .. } | WsEvent::Lost | WsEvent::Broken(_) => return None,
        }
    }
}

/// One request of polling: asks for packets, or brings some. The body of the answer; `None` for an error.
async fn request(
    connection: Rc<Connection>,
    session: Option<String>,
    body: Option<String>,
) -> Option<String> {
    let options = &connection.options;
    let stamp = stamp(
        connection.local.agents.wall_now().0,
        connection.local.random.unit(),
    );
    let url = options.url(
        &connection.origin,
        "polling",
        session.as_deref(),
        Some(&stamp),
    )?;
    let method = if body.is_some() { "POST" } else { "GET" };
    let mut request = Request::new(method, url);
    request.add_field("User-Agent", "node-XMLHttpRequest");
    request.add_field("Accept", "*/*");
    for (name, value) in &options.headers {
        request.add_field(name, value);
    }
    if let Some(body) = body {
        request.add_field("Content-type", "text/plain;charset=UTF-8");
        request.set_body(Some(Bytes::from(body)));
    }
    request.add_field("Connection", "close");
    let started = connection.handle.now();
    let exchange = ExchangeOptions {
        started,
        deadline: started + REQUEST_TIMEOUT,
        body: BodyMode::default(),
    };
    let mut response = Response::new();
    let client = &connection.client;
    let outcome = client.exchange(&request, &exchange, &mut response).await;
    let is_good = outcome.is_ok() && response.head.status() == 200;
    is_good.then(|| String::from_utf8_lossy(&response.body).into_owned())
}

/// What keeps requests of the same words apart: the client's eight letters and digits.
fn stamp(now_ms: i64, unit: f64) -> String {
    let base36 = |mut number: u64| {
        let mut digits = Vec::new();
        while number > 0 || digits.is_empty() {
            let digit = u32::try_from(number % 36).unwrap_or(0);
            digits.push(char::from_digit(digit, 36).unwrap_or('0'));
            number /= 36;
        }
        digits.into_iter().rev().collect::<String>()
    };
    let time = base36(u64::try_from(now_ms).unwrap_or(0));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "three digits"
    )]
    let chance = base36((unit * 46_656.0) as u64);
    format!("{}{chance:0>3}", time.get(3..).unwrap_or(&time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_stamped_with_the_time_and_chance() {
        assert_eq!(stamp(1_700_000_000_000, 0.5), "w3v28i00");
    }

    #[test]
    fn waits_before_another_attempt_double_up_to_five_seconds() {
        let waits = [0, 1, 2, 9].map(|failures| pause(failures, 0.5).as_millis());
        assert_eq!(waits, [1000, 2000, 4000, 5000]);
        assert_eq!(pause(0, 0.0).as_millis(), 500);
        assert_eq!(pause(0, 1.0).as_millis(), 1500);
    }
}
