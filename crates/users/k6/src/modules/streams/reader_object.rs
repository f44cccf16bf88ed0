//! What `ReadableStreamDefaultReader` offers scripts.

use std::rc::Rc;

use loadline_js::{Args, Attributes, Ctx, Exception, Value};

use super::controller;
use super::fail;
use super::fifo::Fifo;
use super::prototypes::{Construct, Prototypes, bound};
use super::reader::{
    Reader, Request, SLOT_CLOSED, SLOT_REJECT, SLOT_REQUESTS, SLOT_RESOLVE, SLOT_STREAM,
};
use super::stream::{State, Stream, or_null};

/// A new reader of a stream that has none.
pub(super) fn acquire(ctx: &Ctx, stream: &Stream) -> Result<Value, Exception> {
    if stream.reader().is_some() {
        return Err(Exception::type_error("stream is locked"));
    }
    let shapes = Prototypes::from_ctx(ctx);
    let plain = shapes.object.get("prototype")?;
    let object = ctx.host_object(&plain, Rc::new(Fifo::new(SLOT_REQUESTS)))?;
    object.set_slot(SLOT_STREAM, stream.object.clone());
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
    object.set_slot(SLOT_CLOSED, closed);
    object.set_slot(SLOT_RESOLVE, resolve);
    object.set_slot(SLOT_REJECT, reject);
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
    fn bound(args: &Args<'_>) -> Self {
        Self::from_object(args.slot(0)).expect("the function was made for a reader")
    }

    /// The stream it reads, unless it was released.
    fn stream(&self) -> Option<Stream> {
        Stream::from_object(self.object.slot(SLOT_STREAM)?)
    }
}

/// `reader.closed`
pub(super) fn closed(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    args.this_host::<Fifo>()?;
    let closed = args.this().slot(SLOT_CLOSED);
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
        reader.settle(SLOT_REJECT, fail::type_error(ctx, "stream is readable")?)?;
    } else {
        let (closed, resolver) = ctx.promise()?;
        closed.mark_handled();
        resolver.reject(fail::type_error(ctx, "stream is not readable")?)?;
        reader.object.set_slot(SLOT_CLOSED, closed);
    }
    stream.lock(None)?;
    reader.object.clear_slot(SLOT_STREAM);
    reader.fail_all(&fail::type_error(ctx, "reader released")?)?;
    Ok(ctx.undefined())
}
