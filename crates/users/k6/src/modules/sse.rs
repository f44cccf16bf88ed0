//! `k6/x/sse`: Server-Sent Events, with the interface of the xk6-sse extension.
//!
//! `open(url, params?, client => ...)` reads a stream event by event and comes back when
//! it ended or `client.close()` was called; meanwhile only the user waits. Its samples are
//! those of the extension: `sse_event` for each event, and `http_reqs`,
//! `http_req_sending` (up to the response's head) and `http_req_duration` (to the end of
//! the stream) for each stream.
//!
//! It differs where the extension waits for ever: a stream that breaks or is closed by the
//! script ends at once. Events are read as the HTML standard says (`loadline_wire`).

mod params;

use std::cell::Cell;
use std::rc::Rc;

use bytes::Bytes;
use loadline_js::{Args, Ctx, Exception, Exports, Value};
use loadline_metrics::{Kind, MetricId, TagSetId, ValueType, builtin};
use loadline_net::cookie::add_cookies;
use loadline_net::{BodyStream, Exchange, OpenError, OpenOptions, Request, Response, Url};
use loadline_units::Time;
use loadline_wire::{EventStream, StreamEvent, StreamItem};

use super::http::{HttpUser, count_troubles, headers_of, millis, wall_now};
use super::sockets;
use crate::host::Host;
use crate::host::with_cx;
use crate::modules::go_error::go_error;
use params::Params;

/// The events of a stream, with the slot of their handlers.
const EVENTS: [&str; 3] = ["open", "event", "error"];
const SLOT_OPEN: usize = 0;
const SLOT_EVENT: usize = 1;
const SLOT_ERROR: usize = 2;

/// Most bytes kept of a response that is no event stream.
const BODY_BYTES_MAX: usize = 256 * 1024;

/// What all users of a realm share.
struct Prototypes {
    client: Value,
    events: MetricId,
}

/// A script's hold on a stream.
#[derive(Default)]
struct Client {
    closed: Cell<bool>,
}

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    sockets::install(ctx)?;
    let client = ctx.object()?;
    client.method("on", 2, on)?;
    client.method("close", 0, |_, args| {
        args.this_host::<Client>()?.closed.set(true);
        Ok(())
    })?;
    let registry = &Host::from_ctx(ctx).shared.registry;
    let events = registry.register("sse_event", Kind::Counter, ValueType::Default);
    let events = events.map_err(|error| go_error(ctx, error.k6_text()))?;
    ctx.set_common(Rc::new(Prototypes { client, events }));
    let mut exports = Exports::new();
    exports.add("open", ctx.function("open", 3, open)?);
    Ok(exports)
}

/// `client.on(event, handler)`; other events and handlers are passed over.
fn on(ctx: &Ctx, args: &Args<'_>) -> Result<(), Exception> {
    args.this_host::<Client>()?;
    let (name, handler) = (args.get(0).to_text()?, args.get(1));
    match EVENTS.iter().position(|event| *event == name) {
        Some(slot) if handler.is_function() => {
            sockets::add_handler(ctx, &args.this(), slot, handler)
        }
        _ => Ok(()),
    }
}

/// `open(url, params?, setup)`
fn open(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let host = Host::from_ctx(ctx);
    if host.is_init() {
        let message = "using sse in the init context is not supported";
        return Err(go_error(ctx, message));
    }
    let url = args.get(0).to_text()?;
    let (params, setup) = match args.len() {
        3 => (args.get(1), args.get(2)),
        2 => (ctx.undefined(), args.get(1)),
        _ => return Err(go_error(ctx, "invalid number of arguments to sse.open")),
    };
    if !setup.is_function() {
        return Err(go_error(
            ctx,
            "last argument to sse.open must be a function",
        ));
    }
    let user = HttpUser::from_ctx(ctx);
    let params = Params::read(ctx, &user, &params)?;
    let (mut session, opened) = Session::open(ctx, &user, url, params)?;
    let outcome = match opened {
        Ok(body) => session.attend(ctx, body, &setup),
        Err(error) => {
            let settings = host.shared.settings();
            if settings.throw {
                Err(go_error(ctx, error))
            } else {
                session.response(ctx, "", &error)
            }
        }
    };
    // A stream cut by the end of the run counts for its events only, as in k6.
    if !ctx.is_interrupted() {
        session.record_end(ctx);
    }
    outcome
}

/// One stream, from its request to its end.
struct Session {
    url: String,
    request: Option<Request>,
    response: Box<Response>,
    failure: Option<loadline_net::Failure>,
    started: Time,
    tags: Option<TagSetId>,
}

/// Who hears of the events: the script's client, and its object.
struct Listener<'a> {
    shapes: &'a Prototypes,
    client: &'a Client,
    object: &'a Value,
}

impl Session {
    /// Sends the request and waits for the response's head. Fails with the reason when
    /// there is none.
    fn open(
        ctx: &Ctx,
        user: &HttpUser,
        url: String,
        params: Params,
    ) -> Result<(Self, Result<BodyStream, String>), Exception> {
        let base = sockets::base_tags(ctx);
        let agent = user.agent(ctx)?.clone();
        let started = user.now();
        let mut session = Self {
            request: None,
            response: Box::default(),
            failure: None,
            started,
            tags: None,
            url,
        };
        let opened = match session.request(ctx, &params) {
            Err(error) => Err(error),
            Ok(request) => {
                let options = OpenOptions {
                    deadline: params.deadline(started),
                    jar: Some(&params.jar),
                };
                let opening = Box::pin(agent.open(&request, &options, &mut session.response));
                let opened = ctx.block_on(opening)?;
                session.request = Some(request);
                opened.map_err(|OpenError { failure, text }| {
                    session.failure = Some(failure);
                    text
                })
            }
        };
        let status = session.response.head.status().to_string();
        let ip = session
            .response
            .remote
            .map(|remote| remote.ip().to_string());
        let mut system = vec![("url", session.url.as_str())];
        system.extend(ip.as_deref().map(|ip| ("ip", ip)));
        if opened.is_ok() {
            system.push(("status", &status));
        }
        session.tags = sockets::tag_set(ctx, base, &params.tags, &system);
        session.record_opening(ctx, user.now());
        Ok((session, opened))
    }

    fn request(&self, ctx: &Ctx, params: &Params) -> Result<Request, String> {
        let url = Url::parse(&self.url).map_err(|error| error.to_string())?;
        let mut request = Request::new(params.method.as_str(), url);
        let host = Host::from_ctx(ctx);
        let agent = &host.shared.settings().http.user_agent;
        if !agent.is_empty() {
            request.add_field("User-Agent", agent.as_str());
        }
        request.add_field("Accept", "text/event-stream");
        for (name, value) in &params.headers {
            request.set_field(name.as_str(), value.as_str());
        }
        if request.field("Accept-Encoding").is_none() {
            request.add_field("Accept-Encoding", "gzip");
        }
        if !params.body.is_empty() {
            request.set_body(Some(Bytes::from(params.body.clone())));
        }
        let mut jar = params.jar.borrow_mut();
        add_cookies(&mut request, &[], &mut jar, wall_now(ctx));
        Ok(request)
    }

    /// Reads an open stream to its end; gives the response.
    fn attend(
        &mut self,
        ctx: &Ctx,
        mut body: BodyStream,
        setup: &Value,
    ) -> Result<Value, Exception> {
        let media_type = self.response.head.fields().get("Content-Type");
        let media_type = String::from_utf8_lossy(media_type.unwrap_or_default());
        if !media_type.contains("text/event-stream") {
            return self.not_a_stream(ctx, body);
        }
        let shapes = ctx.common::<Prototypes>().expect("made with the module");
        let client = Rc::new(Client::default());
        let object = ctx.host_object(&shapes.client, client.clone())?;
        let listener = Listener {
            shapes: &shapes,
            client: &client,
            object: &object,
        };
        let attended = self.read_events(ctx, &mut body, setup, &listener);
        sockets::forget_handlers(ctx, &object, EVENTS.len());
        leave(ctx, body);
        attended?;
        self.response(ctx, "", "")
    }

    fn read_events(
        &mut self,
        ctx: &Ctx,
        body: &mut BodyStream,
        setup: &Value,
        listener: &Listener<'_>,
    ) -> Result<(), Exception> {
        let Listener { client, object, .. } = *listener;
        setup.invoke(std::slice::from_ref(object))?;
        sockets::call_handlers(object, SLOT_OPEN, &[])?;
        let mut events = EventStream::new();
        let mut piece = Vec::new();
        while !client.closed.get() {
            piece.clear();
            let reading = body.next(&mut self.response, &mut piece);
            match ctx.block_on(reading)? {
                Ok(true) => {}
                Ok(false) => break,
                Err(failure) => {
                    let error = sockets::error_object(ctx, failure.detail())?;
                    sockets::call_handlers(object, SLOT_ERROR, &[error])?;
                    break;
                }
            }
            self.hand_on(ctx, listener, &mut events, &piece)?;
        }
        Ok(())
    }

    /// Hands on what `piece` amounts to, until the script closes the stream.
    fn hand_on(
        &self,
        ctx: &Ctx,
        listener: &Listener<'_>,
        events: &mut EventStream,
        piece: &[u8],
    ) -> Result<(), Exception> {
        let Listener {
            shapes,
            client,
            object,
        } = *listener;
        let mut rest = piece;
        while !client.closed.get() {
            let (used, item) = match events.advance(rest) {
                Ok(told) => told,
                Err(error) => {
                    client.closed.set(true);
                    let error = sockets::error_object(ctx, error.to_string())?;
                    return sockets::call_handlers(object, SLOT_ERROR, &[error]);
                }
            };
            match item {
                StreamItem::Incomplete => return Ok(()),
                StreamItem::Retry(_) => {}
                StreamItem::Event(event) => {
                    self.count(ctx, shapes.events, 1.0);
                    if sockets::has_handlers(object, SLOT_EVENT) {
                        let event = event_object(ctx, event)?;
                        sockets::call_handlers(object, SLOT_EVENT, &[event])?;
                    }
                }
                StreamItem::Unknown(line) => {
                    let line = String::from_utf8_lossy(line);
                    let error = sockets::error_object(ctx, format!("unknown event: {line}"))?;
                    sockets::call_handlers(object, SLOT_ERROR, &[error])?;
                }
            }
            rest = &rest[used..];
        }
        Ok(())
    }

    /// A response of another kind is given with its body, which explains it.
    fn not_a_stream(&mut self, ctx: &Ctx, mut body: BodyStream) -> Result<Value, Exception> {
        let mut bytes = Vec::new();
        while bytes.len() <= BODY_BYTES_MAX {
            let reading = body.next(&mut self.response, &mut bytes);
            if !matches!(ctx.block_on(reading)?, Ok(true)) {
                break;
            }
        }
        leave(ctx, body);
        bytes.truncate(BODY_BYTES_MAX);
        self.response(ctx, &String::from_utf8_lossy(&bytes), "")
    }

    /// `{url, status, headers, error, body}`
    fn response(&self, ctx: &Ctx, body: &str, error: &str) -> Result<Value, Exception> {
        let failed = !error.is_empty();
        let object = ctx.object()?;
        object.set("url", if failed { "" } else { &self.url })?;
        let status = self.response.head.status();
        object.set("status", if failed { 0 } else { status })?;
        let headers = if failed {
            ctx.object()?
        } else {
            headers_of(ctx, &self.response.head)?
        };
        object.set("headers", headers)?;
        object.set("error", error)?;
        object.set("body", body)?;
        Ok(object)
    }

    fn count(&self, ctx: &Ctx, metric: MetricId, value: f64) {
        if let Some(tags) = self.tags {
            with_cx(ctx, |cx| cx.shard.record(metric, tags, value));
        }
    }

    fn record_opening(&self, ctx: &Ctx, now: Time) {
        self.count(
            ctx,
            builtin::HTTP_REQ_SENDING,
            millis(now.since(self.started)),
        );
        let shortage = self
            .failure
            .as_ref()
            .and_then(loadline_net::Failure::shortage);
        let asks_to_wait = self.failure.is_none() && self.response.asks_to_wait();
        with_cx(ctx, |cx| {
            count_troubles(cx.run_state, shortage, asks_to_wait)
        });
    }

    fn record_end(&self, ctx: &Ctx) {
        let length = millis(ctx.now().since(self.started));
        self.count(ctx, builtin::HTTP_REQS, 1.0);
        self.count(ctx, builtin::HTTP_REQ_DURATION, length);
        if let (Some((watch, place)), Some(request)) =
            (Host::from_ctx(ctx).watched(), &self.request)
        {
            let hop = Exchange {
                index: 0,
                request,
                response: &self.response,
                failure: self.failure.as_ref(),
            };
            watch.exchange(&place, &hop);
        }
    }
}

/// Ends a stream the script is done with; one that the run's end cuts counts as cut.
fn leave(ctx: &Ctx, body: BodyStream) {
    if !ctx.is_interrupted() {
        body.leave();
    }
}

/// `{id, comment, name, data}`
fn event_object(ctx: &Ctx, event: &StreamEvent) -> Result<Value, Exception> {
    let object = ctx.object()?;
    let members = [
        ("id", &event.id),
        ("comment", &event.comment),
        ("name", &event.name),
        ("data", &event.data),
    ];
    for (name, value) in members {
        object.set(ctx.intern(name), &*String::from_utf8_lossy(value))?;
    }
    Ok(object)
}
