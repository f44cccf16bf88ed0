//! A streaming call, on the event loop.

mod open;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Poll, Waker};

use loadline_js::{Attributes, Ctx, Exception, Value};
use loadline_metrics::builtin;
use loadline_net::{GrpcChannel, GrpcReceiver, GrpcSender, GrpcStatus};
use loadline_proto::{Method, Types, to_json};
use loadline_units::Time;

use super::codes;
use super::invoke::decode;
use super::samples::SampleContext;
use crate::host::Host;
use crate::log::{Entry, LogLevel};
use crate::modules::sockets;
pub(super) use open::Streams;

/// The events of a stream, with the slot of their handlers.
pub(super) const EVENTS: [&str; 4] = ["data", "error", "end", "status"];
const SLOT_DATA: usize = 0;
const SLOT_ERROR: usize = 1;
const SLOT_END: usize = 2;

/// A stream of a script's.
pub(super) struct Stream {
    pub(super) method: Arc<Method>,
    pub(super) types: Rc<Types>,
    pub(super) channel: GrpcChannel,
    pub(super) discard: bool,
    pub(super) deadline: Option<Time>,
    pub(super) sampled: RefCell<SampleContext>,
    pub(super) sender: RefCell<Option<GrpcSender>>,
    pub(super) receiver: RefCell<Option<GrpcReceiver>>,
    /// The tasks that read, and that wait until messages have been sent.
    pub(super) reader: RefCell<Option<Waker>>,
    /// The message of a server that sends only one. The script gets it when the call
    /// succeeded.
    pub(super) only: RefCell<Option<Vec<u8>>>,
    pub(super) cancelled: Cell<bool>,
    /// The script gets no event any more except the end.
    pub(super) done: Cell<bool>,
    /// The script may write.
    pub(super) writable: Cell<bool>,
    /// The client has sent the one message it may.
    pub(super) sent_last: Cell<bool>,
}

/// How a stream went wrong.
struct StreamError {
    code: u32,
    message: String,
    /// As Go shows the error.
    text: String,
}

impl StreamError {
    fn from_status(status: &GrpcStatus) -> Self {
        if status.code == GrpcStatus::CANCELED {
            return Self::plain("canceled by client (k6)");
        }
        let message = if status.message.is_empty() {
            status.text()
        } else {
            status.message.clone()
        };
        Self {
            code: status.code,
            message,
            text: status.text(),
        }
    }

    /// An error without a status.
    fn plain(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            code: GrpcStatus::UNKNOWN,
            message: text.clone(),
            text,
        }
    }
}

impl Stream {
    fn wake(&self) {
        if let Some(reader) = self.reader.borrow_mut().take() {
            reader.wake();
        }
    }

    fn warn(&self, ctx: &Ctx, text: String) {
        let entry = Entry::new(LogLevel::Warning, text).with("streamMethod", self.method.path());
        Host::from_ctx(ctx).shared.log(entry);
    }

    /// Logs a warning about a message that cannot be read.
    pub(super) fn warn_empty(&self, ctx: &Ctx) {
        self.warn(ctx, "can't send empty message".to_owned());
    }

    /// Waits in the background for the next message.
    pub(super) fn read_on(self: &Rc<Self>, ctx: &Ctx, object: &Value) {
        let reading = self.clone();
        let next = std::future::poll_fn(move |cx| {
            if reading.done.get() {
                return Poll::Ready(None);
            }
            if reading.cancelled.get() {
                let status = GrpcStatus::new(GrpcStatus::CANCELED, "the connection is closing");
                return Poll::Ready(Some(Err(status)));
            }
            let mut receiver = reading.receiver.borrow_mut();
            let Some(receiver) = receiver.as_mut() else {
                return Poll::Ready(None);
            };
            let polled = receiver.poll_message(cx).map(Some);
            if polled.is_pending() {
                *reading.reader.borrow_mut() = Some(cx.waker().clone());
            }
            polled
        });
        let (stream, object) = (self.clone(), object.clone());
        ctx.spawn(next, move |ctx, event| {
            let Some(event) = event else { return Ok(()) };
            if stream.done.get() {
                return Ok(());
            }
            if stream.handle(ctx, &object, event)? {
                stream.read_on(ctx, &object);
            }
            Ok(())
        });
    }

    /// Whether something may come after `event`.
    fn handle(
        self: &Rc<Self>,
        ctx: &Ctx,
        object: &Value,
        event: Result<Option<Vec<u8>>, GrpcStatus>,
    ) -> Result<bool, Exception> {
        let streams = self.method.server_streams();
        match event {
            Ok(Some(message)) if streams => self.message(ctx, object, &message),
            Ok(Some(message)) => {
                if self.only.borrow().is_none() {
                    *self.only.borrow_mut() = Some(message);
                    return Ok(true);
                }
                let status = GrpcStatus::internal(
                    "cardinality violation: expected <EOF> for non server-streaming RPCs, but received another message",
                );
                self.failed(ctx, object, &status)
            }
            Ok(None) => {
                if !streams {
                    let Some(only) = self.only.take() else {
                        let status = GrpcStatus::internal(
                            "cardinality violation: received no response message from non-server-streaming RPC",
                        );
                        return self.failed(ctx, object, &status);
                    };
                    if !self.message(ctx, object, &only)? {
                        return Ok(false);
                    }
                }
                self.record_end(ctx, GrpcStatus::OK);
                self.close(ctx, object);
                Ok(false)
            }
            Err(status) => self.failed(ctx, object, &status),
        }
    }

    /// Calls the handlers with a message. Returns whether more messages may follow.
    fn message(
        self: &Rc<Self>,
        ctx: &Ctx,
        object: &Value,
        bytes: &[u8],
    ) -> Result<bool, Exception> {
        let data = if self.discard {
            ctx.object()?
        } else {
            let message = match decode(&self.method, bytes) {
                Ok(message) => message,
                Err(status) => return self.failed(ctx, object, &status),
            };
            match to_json(&message, &self.types) {
                Ok(text) => ctx.parse_json(text)?,
                Err(error) => {
                    let text = format!("failed to marshal the message: {error}");
                    self.trouble(ctx, object, StreamError::plain(text))?;
                    return Ok(false);
                }
            }
        };
        self.sampled
            .borrow()
            .record(ctx, builtin::GRPC_STREAMS_MSGS_RECEIVED, 1.0);
        let heard = sockets::call_handlers(object, SLOT_DATA, &[data, now_object(ctx)?]);
        if let Err(exception) = &heard
            && !ctx.is_interrupted()
        {
            // It is too late to report what its handlers throw now.
            let _ = self.trouble(ctx, object, StreamError::plain(exception.message()));
        }
        heard.map(|()| true)
    }

    fn failed(
        self: &Rc<Self>,
        ctx: &Ctx,
        object: &Value,
        status: &GrpcStatus,
    ) -> Result<bool, Exception> {
        self.record_end(ctx, status.code);
        self.trouble(ctx, object, StreamError::from_status(status))?;
        Ok(false)
    }

    /// As in k6, a stream that ended after its time-out has no sample.
    fn record_end(&self, ctx: &Ctx, code: u32) {
        if self.deadline.is_some_and(|deadline| deadline <= ctx.now()) {
            return;
        }
        self.sampled.borrow_mut().record_end(ctx, code);
    }

    /// Ends with an error.
    fn trouble(
        self: &Rc<Self>,
        ctx: &Ctx,
        object: &Value,
        trouble: StreamError,
    ) -> Result<(), Exception> {
        self.close(ctx, object);
        self.report_error(ctx, object, &trouble)
    }

    fn report_error(
        &self,
        ctx: &Ctx,
        object: &Value,
        trouble: &StreamError,
    ) -> Result<(), Exception> {
        let StreamError {
            code,
            message,
            text,
        } = trouble;
        if !sockets::has_handlers(object, SLOT_ERROR) {
            self.warn(
                ctx,
                format!("no handlers for error registered, but an error happened: {text}"),
            );
            return Ok(());
        }
        let error = sockets::error_object(ctx, format!("code: {code}, message: {message}"))?;
        let show = error.get("error")?;
        error.set("code", codes::status(ctx, *code)?)?;
        error.set("details", ctx.array([])?)?;
        error.set("message", message.as_str())?;
        error.define("error", show, Attributes::ALL)?;
        sockets::call_handlers(object, SLOT_ERROR, &[error, now_object(ctx)?])
    }

    /// The stream is over. Its end event follows the events that still wait.
    fn close(self: &Rc<Self>, ctx: &Ctx, object: &Value) {
        if self.done.replace(true) {
            return;
        }
        drop(self.sender.take());
        let receiver = self.receiver.take();
        // One that the run's end cuts counts as cut.
        if let Some(receiver) = receiver.filter(|_| !ctx.is_interrupted()) {
            receiver.cancel();
        }
        self.wake();
        let object = object.clone();
        ctx.spawn(std::future::ready(()), move |ctx, ()| {
            fire_end(ctx, &object)
        });
    }

    /// Sends a message.
    pub(super) fn send(self: &Rc<Self>, ctx: &Ctx, object: &Value, payload: &[u8]) {
        let refused = if self.sent_last.get() {
            Some(GrpcStatus::internal("SendMsg called after CloseSend"))
        } else {
            self.sent_last.set(!self.method.client_streams());
            let mut sender = self.sender.borrow_mut();
            let Some(sender) = sender.as_mut() else {
                return;
            };
            if self.sent_last.get() {
                sender.end();
            }
            sender.send(payload).err()
        };
        let Some(status) = refused else {
            return self.flush(ctx, true);
        };
        let (stream, object) = (self.clone(), object.clone());
        ctx.spawn(std::future::ready(()), move |ctx, ()| {
            if stream.done.get() {
                return Ok(());
            }
            stream.failed(ctx, &object, &status)?;
            // The reading task sees the error too and reports it again, as in k6.
            let (again, object) = (stream.clone(), object.clone());
            ctx.spawn(std::future::ready(()), move |ctx, ()| {
                again.report_error(ctx, &object, &StreamError::from_status(&status))
            });
            Ok(())
        });
    }

    /// Ends with an error of a message that could not be made.
    pub(super) fn refuse(self: &Rc<Self>, ctx: &Ctx, object: &Value, text: String) {
        let (stream, object) = (self.clone(), object.clone());
        ctx.spawn(std::future::ready(()), move |ctx, ()| {
            if stream.done.get() {
                return Ok(());
            }
            stream.trouble(ctx, &object, StreamError::plain(text))
        });
    }

    /// Says that no more messages will come.
    pub(super) fn finish(self: &Rc<Self>, ctx: &Ctx) {
        self.sent_last.set(true);
        if let Some(sender) = self.sender.borrow_mut().as_mut() {
            sender.end();
        }
        self.flush(ctx, false);
    }

    /// Waits in the background until what was queued has left.
    fn flush(self: &Rc<Self>, ctx: &Ctx, counts: bool) {
        let waiting = self.clone();
        let sent = std::future::poll_fn(move |cx| {
            let mut sender = waiting.sender.borrow_mut();
            match sender.as_mut() {
                Some(sender) => sender.poll_sent(cx),
                None => Poll::Ready(false),
            }
        });
        let stream = self.clone();
        ctx.spawn(sent, move |ctx, sent| {
            if sent && counts {
                stream
                    .sampled
                    .borrow()
                    .record(ctx, builtin::GRPC_STREAMS_MSGS_SENT, 1.0);
            }
            Ok(())
        });
    }
}

/// Calls the handlers of the end event, the last event of a stream.
fn fire_end(ctx: &Ctx, object: &Value) -> Result<(), Exception> {
    let heard = sockets::call_handlers(object, SLOT_END, &[ctx.object()?, now_object(ctx)?]);
    sockets::forget_handlers(ctx, object, EVENTS.len());
    heard
}

/// `{ts}`: seconds since 1970.
fn now_object(ctx: &Ctx) -> Result<Value, Exception> {
    let object = ctx.object()?;
    let now = Host::from_ctx(ctx).shared.since_epoch().as_secs();
    object.set(ctx.intern("ts"), now)?;
    Ok(object)
}
