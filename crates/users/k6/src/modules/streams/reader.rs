//! A reader: what `ReadableStreamDefaultReader` offers scripts.

use std::rc::Rc;

use loadline_js::{Args, Attributes, Ctx, Exception, Value};

use super::controller;
use super::fail;
use super::fifo::Fifo;
use super::stream::{State, Stream, or_null};
use super::{Construct, Prototypes, bound};

/// Slots of a reader's object.
const STREAM: usize = 0;
const CLOSED: usize = 1;
const RESOLVE: usize = 2;
const REJECT: usize = 3;
/// Functions that settle reads: of each the one that resolves, then the one that rejects.
const REQUESTS: usize = 4;

/// A reader and its object.
pub(super) struct Reader {
    object: Value,
    requests: Rc<Fifo>,
}

/// A read that was not answered.
pub(super) struct Request {
    resolve: Value,
    reject: Value,
}

impl Request {
    pub(super) fn give(&self, ctx: &Ctx, chunk: Value) -> Result<(), Exception> {
        self.answer(ctx, chunk, false)
    }

    fn close(&self, ctx: &Ctx) -> Result<(), Exception> {
        self.answer(ctx, ctx.undefined(), true)
    }

    fn answer(&self, ctx: &Ctx, value: Value, done: bool) -> Result<(), Exception> {
        let result = ctx.object()?;
        result.set("value", value)?;
        result.set("done", done)?;
        self.resolve.invoke(&[result]).map(drop)
    }

    fn fail(&self, reason: &Value) -> Result<(), Exception> {
        self.reject.invoke(std::slice::from_ref(reason)).map(drop)
    }
}

/// A new reader of a stream that has none.
pub(super) fn acquire(ctx: &Ctx, stream: &Stream) -> Result<Value, Exception> {
    if stream.reader().is_some() {
        return Err(Exception::type_error("stream is locked"));
    }
    let shapes = Prototypes::of(ctx);
    let plain = shapes.object.get("prototype")?;
    let object = ctx.host_object(&plain, Rc::new(Fifo::new(REQUESTS)))?;
    object.set_slot(STREAM, stream.object.clone());
    stream.lock(Some(&object))?;
    let (closed, resolver) = ctx.promise()?;
    // A rejection needs no handler.
    closed.mark_handled();
    match stream.state() {
        State::Readable => {}
        State::Closed => resolver.resolve(ctx.undefined())?,
        State::Errored => resolver.reject(stream.error_object(ctx)?)?,
    }
    let [resolve, reject] = resolver.into_functions();
    object.set_slot(CLOSED, closed);
    object.set_slot(RESOLVE, resolve);
    object.set_slot(REJECT, reject);
    object.define_accessor("closed", Some(&shapes.closed), None)?;
    let methods: [(&str, u32, Construct); 3] = [
        ("cancel", 1, cancel),
        ("read", 0, read),
        ("releaseLock", 0, release_lock),
    ];
    for (name, length, body) in methods {
        let method = bound(ctx, name, length, &object, body)?;
        object.define(name, method, Attributes::FIXED)?;
    }
    Ok(object)
}

impl Reader {
    /// The reader that is this object.
    pub(super) fn of(object: Value) -> Option<Self> {
        let requests = object.host::<Fifo>()?;
        Some(Self { object, requests })
    }

    fn bound(args: &Args<'_>) -> Self {
        Self::of(args.slot(0)).expect("the function was made for a reader")
    }

    /// The stream it reads, unless it was released.
    fn stream(&self) -> Option<Stream> {
        Stream::of(self.object.slot(STREAM)?)
    }

    /// Whether reads wait.
    pub(super) fn is_waiting(&self) -> bool {
        self.requests.len() > 0
    }

    /// Lets a read wait.
    pub(super) fn wait(&self, request: Request) {
        self.requests.push(&self.object, request.resolve);
        self.requests.push(&self.object, request.reject);
    }

    /// The read that waits longest.
    pub(super) fn next(&self) -> Option<Request> {
        let resolve = self.requests.pop(&self.object)?;
        let reject = self.requests.pop(&self.object)?;
        Some(Request { resolve, reject })
    }

    /// All reads that wait now; none does any more.
    fn take(&self) -> Vec<Request> {
        std::iter::from_fn(|| self.next()).collect()
    }

    /// Calls one of the functions that settle `closed`.
    fn settle(&self, function: usize, with: Value) -> Result<(), Exception> {
        match self.object.slot(function) {
            Some(function) => function.invoke(&[with]).map(drop),
            None => Ok(()),
        }
    }

    /// The stream was closed.
    pub(super) fn closed(&self, ctx: &Ctx) -> Result<(), Exception> {
        self.settle(RESOLVE, ctx.undefined())?;
        self.take()
            .iter()
            .try_for_each(|request| request.close(ctx))
    }

    /// The stream failed.
    pub(super) fn failed(&self, reason: &Value) -> Result<(), Exception> {
        self.settle(REJECT, reason.clone())?;
        self.fail_all(reason)
    }

    fn fail_all(&self, reason: &Value) -> Result<(), Exception> {
        self.take()
            .iter()
            .try_for_each(|request| request.fail(reason))
    }
}

/// `reader.closed`
pub(super) fn closed(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    args.this_host::<Fifo>()?;
    let closed = args.this().slot(CLOSED);
    Ok(closed.unwrap_or_else(|| ctx.undefined()))
}

/// `reader.read()`
fn read(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let Some(stream) = Reader::bound(args).stream() else {
        return fail::rejected_type(ctx, "stream is undefined");
    };
    let (promise, resolver) = ctx.promise()?;
    let [resolve, reject] = resolver.into_functions();
    let request = Request { resolve, reject };
    match stream.state() {
        State::Closed => request.close(ctx)?,
        State::Errored => request.fail(&stream.error(ctx))?,
        State::Readable => controller::pull_steps(ctx, &stream, request)?,
    }
    Ok(promise)
}

/// `reader.cancel(reason)`
fn cancel(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    match Reader::bound(args).stream() {
        Some(stream) => stream.cancel(ctx, or_null(ctx, args)),
        None => fail::rejected_type(ctx, "stream is undefined"),
    }
}

/// `reader.releaseLock()`
fn release_lock(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let reader = Reader::bound(args);
    let Some(stream) = reader.stream() else {
        return Ok(ctx.undefined());
    };
    if stream.state() == State::Readable {
        reader.settle(REJECT, fail::type_error(ctx, "stream is readable")?)?;
    } else {
        let (closed, resolver) = ctx.promise()?;
        closed.mark_handled();
        resolver.reject(fail::type_error(ctx, "stream is not readable")?)?;
        reader.object.set_slot(CLOSED, closed);
    }
    stream.lock(None)?;
    reader.object.clear_slot(STREAM);
    reader.fail_all(&fail::type_error(ctx, "reader released")?)?;
    Ok(ctx.undefined())
}
