//! An open WebSocket that is read all the time, also while steps think.
//!
//! [`Line::while_reading`] runs a flow beside the reading. Pings are answered, and a server's close is
//! answered and remembered, as Node's client does. A message is kept for the step that waits for one;
//! where none does, it is dropped.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::{Rc, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use loadline_net::{WebSocket, WsEvent};
use loadline_reactor::ReactorHandle;
use serde_json::Value;

use crate::exec::answer::{self, Answer};
use crate::exec::hooks;
use crate::model::WsMessage;
use crate::vu::{FlowFailure, SocketActions, StepsResult, Vu};

/// How long Node's client waits for the answer to its close.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(30);

/// Node's names and numbers of a socket's states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineState {
    Open = 1,
    Closing = 2,
    Closed = 3,
}

/// A message that came.
struct Message {
    is_binary: bool,
    bytes: Vec<u8>,
}

/// An open WebSocket.
pub(super) struct Line {
    vu: Weak<Vu>,
    socket: RefCell<WebSocket>,
    state: Cell<LineState>,
    /// Whether a step asked for messages.
    listens: Cell<bool>,
    inbox: RefCell<VecDeque<Message>>,
    failed: RefCell<Option<String>>,
}

impl Line {
    pub(super) fn new(vu: &Rc<Vu>, socket: WebSocket) -> Rc<Self> {
        let line = Rc::new(Self {
            vu: Rc::downgrade(vu),
            socket: RefCell::new(socket),
            state: Cell::new(LineState::Open),
            listens: Cell::new(false),
            inbox: RefCell::default(),
            failed: RefCell::default(),
        });
        *vu.line.borrow_mut() = Some(line.clone());
        line
    }

    /// Runs `flow` while the socket is read.
    pub(super) async fn while_reading(
        &self,
        flow: impl Future<Output = StepsResult>,
    ) -> StepsResult {
        let mut flow = pin!(flow);
        poll_fn(|cx| {
            loop {
                // The flow first: a step may wait for what came together with the handshake.
                if let Poll::Ready(outcome) = flow.as_mut().poll(cx) {
                    return Poll::Ready(outcome);
                }
                let before = self.inbox.borrow().len();
                self.read(cx);
                if let Some(error) = self.failed.borrow_mut().take() {
                    return Poll::Ready(Err(FlowFailure::new(error)));
                }
                if self.inbox.borrow().len() == before {
                    return Poll::Pending;
                }
            }
        })
        .await
    }

    /// Takes all that has come.
    fn read(&self, cx: &mut Context<'_>) {
        while self.state.get() != LineState::Closed {
            let event = self.socket.borrow_mut().poll_event(cx);
            let Poll::Ready(event) = event else { return };
            match event {
                WsEvent::Text(bytes) => self.take(false, bytes),
                WsEvent::Binary(bytes) => self.take(true, bytes),
                WsEvent::Ping | WsEvent::Pong(_) => {}
                WsEvent::Close { code, reason } => {
                    // The answer may not reach a server that has gone.
                    let _ = self.socket.borrow_mut().close(code, &reason);
                    self.end(code);
                }
                WsEvent::Lost => self.end(1006),
                WsEvent::Broken(error) => {
                    self.state.set(LineState::Closed);
                    if let Some(vu) = self.vu.upgrade() {
                        vu.outbox.error(&error);
                    }
                    *self.failed.borrow_mut() = Some(error);
                }
            }
        }
    }

    fn take(&self, is_binary: bool, bytes: Vec<u8>) {
        if let Some(vu) = self.vu.upgrade() {
            hooks::socket_event(&vu, "message", &String::from_utf8_lossy(&bytes), is_binary);
        }
        if self.listens.get() {
            self.inbox
                .borrow_mut()
                .push_back(Message { is_binary, bytes });
        }
    }

    fn end(&self, code: u16) {
        self.state.set(LineState::Closed);
        if let Some(vu) = self.vu.upgrade() {
            hooks::socket_event(&vu, "close", &code.to_string(), false);
        }
    }

    /// From here on messages are kept, or dropped; what has come before is dropped.
    pub(super) fn listen(&self, listens: bool) {
        self.inbox.borrow_mut().clear();
        self.listens.set(listens);
    }

    /// Sends a text.
    ///
    /// # Errors
    /// What Node's client says when the connection is not open any more.
    pub(super) fn send(&self, text: &[u8]) -> Result<(), String> {
        let state = self.state.get();
        if state != LineState::Open {
            let (number, name) = (state as u8, format!("{state:?}").to_uppercase());
            return Err(format!(
                "WebSocket is not open: readyState {number} ({name})"
            ));
        }
        let sent = self.socket.borrow_mut().send(false, text);
        sent.map_err(|error| error.to_string())
    }

    /// Waits until everything sent has been written.
    pub(super) async fn written(&self) {
        poll_fn(|cx| self.socket.borrow_mut().poll_written(cx)).await;
    }

    /// Waits for a message and applies a step's captures and matches to it.
    ///
    /// # Errors
    /// No message in time, or one that does not fit.
    pub(super) async fn receive(
        &self,
        vu: &Rc<Vu>,
        step: &WsMessage,
        limit: Duration,
    ) -> StepsResult {
        let mut late = pin!(vu.handle.sleep_until(vu.handle.now() + limit));
        let received = poll_fn(|cx| {
            if let Some(message) = self.inbox.borrow_mut().pop_front() {
                return Poll::Ready(Some(message));
            }
            late.as_mut().poll(cx).map(|()| None)
        })
        .await;
        let Some(Message { is_binary, bytes }) = received else {
            // Artillery counts the text at once, and the end without a code.
            vu.outbox.error("response timeout");
            return Err(FlowFailure::new("undefined"));
        };
        vu.outbox.count("websocket.messages_received", 1.0);
        vu.outbox.rate("websocket.receive_rate");
        if bytes.is_empty() && !is_binary {
            return Err(FlowFailure::new("Empty response from WS server"));
        }
        let text = body_of(is_binary, &bytes);
        let answer = Answer::new(None, &text);
        if answer::apply(vu, &step.captures, &step.matches, &answer) {
            return Err(FlowFailure::new("Failed capture or match"));
        }
        Ok(())
    }

    /// Closes, and waits for the server's answer beside whatever comes next.
    pub(super) fn leave(self: Rc<Self>, handle: &ReactorHandle) {
        self.close_with(1005, "");
        if self.state.get() != LineState::Closing {
            return;
        }
        let until = handle.now() + CLOSE_TIMEOUT;
        let timer = handle.clone();
        handle.spawn(async move {
            let mut late = pin!(timer.sleep_until(until));
            poll_fn(|cx| {
                self.read(cx);
                if self.state.get() == LineState::Closed {
                    return Poll::Ready(());
                }
                late.as_mut().poll(cx)
            })
            .await;
        });
    }

    fn close_with(&self, code: u16, reason: &str) {
        if self.state.get() == LineState::Open {
            self.state.set(LineState::Closing);
            // A connection that broke needs no close.
            let _ = self.socket.borrow_mut().close(code, reason);
        }
    }
}

impl SocketActions for Line {
    fn state(&self) -> u8 {
        self.state.get() as u8
    }

    fn act(&self, action: &str, payload: &Value) {
        let text = crate::text::to_text(Some(payload));
        match action {
            // What fails is told to the function by the state it sees.
            "send" => drop(self.send(text.as_bytes())),
            "ping" => drop(self.socket.borrow_mut().ping(text.as_bytes())),
            "close" => {
                let code = payload.as_u64().and_then(|code| u16::try_from(code).ok());
                self.close_with(code.unwrap_or(1005), "");
            }
            _ => self.state.set(LineState::Closed),
        }
    }
}

/// What captures see of a message. Artillery parses it; a regular expression is held against a text as
/// it is, and against anything else as JSON writes it.
fn body_of(is_binary: bool, bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).into_owned();
    match serde_json::from_str::<Value>(&text) {
        Ok(Value::String(inner)) => inner,
        Ok(value) => crate::text::json_text(&value),
        // A Buffer, as JSON writes it.
        Err(_) if is_binary => serde_json::json!({"type": "Buffer", "data": bytes}).to_string(),
        Err(_) => text,
    }
}

#[cfg(test)]
mod tests {
    use super::body_of;

    #[test]
    fn captures_see_messages_as_they_are_parsed() {
        assert_eq!(body_of(false, br#"{"a":  1}"#), r#"{"a":1}"#);
        assert_eq!(body_of(false, br#""quoted""#), "quoted");
        assert_eq!(body_of(false, b"plain"), "plain");
        assert_eq!(body_of(true, b"ab"), r#"{"type":"Buffer","data":[97,98]}"#);
    }
}
