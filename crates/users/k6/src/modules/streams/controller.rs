//! The controller of a stream, which the functions of its source are called with.

use loadline_js::{Args, Attributes, Ctx, Exception, PromiseState, Value};

use super::fail;
use super::prototypes::{Construct, bound};
use super::reader::Request;
use super::stream::{
    SLOT_CANCEL, SLOT_CONTROLLER, SLOT_PULL, SLOT_SIZE, SLOT_SOURCE, State, Stream, or_null,
};

/// The functions of an underlying source; one that is there must be one.
#[derive(Default)]
pub(super) struct Source {
    start: Option<Value>,
    pull: Option<Value>,
    cancel: Option<Value>,
}

impl Source {
    pub(super) fn read(source: &Value) -> Result<Self, Exception> {
        let hook = |name: &str| {
            if source.has(name)? {
                source.get(name).map(Some)
            } else {
                Ok(None)
            }
        };
        Ok(Self {
            start: hook("start")?,
            pull: hook("pull")?,
            cancel: hook("cancel")?,
        })
    }

    pub(super) fn check(&self) -> Result<(), Exception> {
        let hooks = [
            ("start", &self.start),
            ("pull", &self.pull),
            ("cancel", &self.cancel),
        ];
        for (name, hook) in hooks {
            if hook.as_ref().is_some_and(|hook| !hook.is_function()) {
                let text = format!("underlyingSource.[[{name}]] must be a function");
                return Err(Exception::type_error(text));
            }
        }
        Ok(())
    }
}

impl Stream {
    /// `SetUpReadableStreamDefaultController`
    pub(super) fn start(&self, ctx: &Ctx, source: &Value, hooks: Source) -> Result<(), Exception> {
        let object = &self.object;
        object.set_slot(SLOT_SOURCE, source.clone());
        for (slot, hook) in [(SLOT_PULL, hooks.pull), (SLOT_CANCEL, hooks.cancel)] {
            if let Some(hook) = hook {
                object.set_slot(slot, hook);
            }
        }
        let started = match hooks.start {
            Some(start) => start.call(source, &[controller(ctx, self)?])?,
            None => ctx.undefined(),
        };
        let promise = if started.is_promise() {
            if let Some(PromiseState::Rejected(reason)) = started.promise_state() {
                error(self, reason)?;
            }
            started
        } else {
            fail::resolved(ctx, started)?
        };
        let begin: Construct = |ctx, args| {
            let stream = Stream::bound(args);
            stream.facts.started.set(true);
            call_pull_if_needed(ctx, &stream)?;
            Ok(ctx.undefined())
        };
        fail::then(ctx, &promise, object, begin, fail_with).map(drop)
    }
}

/// Fails the stream a callback was made for.
fn fail_with(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    error(&Stream::bound(args), args.get(0))?;
    Ok(ctx.undefined())
}

/// The object a source's function gets: as in k6 a new one each time, of the same parts.
fn controller(ctx: &Ctx, stream: &Stream) -> Result<Value, Exception> {
    if let Some(parts) = stream.slot(SLOT_CONTROLLER) {
        return ctx.object_of(&parts);
    }
    let parts = ctx.object()?;
    let size = bound(ctx, "desiredSize", 0, &stream.object, |ctx, args| {
        let size = desired_size(&Stream::bound(args));
        Ok(size.map_or_else(|| ctx.null(), |size| ctx.number(size)))
    })?;
    parts.define_accessor("desiredSize", Some(&size), None)?;
    let functions: [(&str, u32, Construct); 4] = [
        ("constructor", 0, |ctx, _| ctx.object()),
        ("close", 0, close),
        ("enqueue", 1, enqueue),
        ("error", 1, fail_with),
    ];
    for (name, length, body) in functions {
        let function = bound(ctx, name, length, &stream.object, body)?;
        parts.define(name, function, Attributes::FIXED)?;
    }
    stream.object.set_slot(SLOT_CONTROLLER, parts.clone());
    ctx.object_of(&parts)
}

/// How much more may wait; nothing to say once the stream failed.
fn desired_size(stream: &Stream) -> Option<f64> {
    match stream.state() {
        State::Errored => None,
        State::Closed => Some(0.0),
        State::Readable => Some(stream.facts.high_water_mark - stream.facts.total.get()),
    }
}

fn can_close_or_enqueue(stream: &Stream) -> bool {
    !stream.facts.close_requested.get() && stream.state() == State::Readable
}

fn check_open(stream: &Stream) -> Result<(), Exception> {
    if can_close_or_enqueue(stream) {
        Ok(())
    } else {
        Err(Exception::type_error("cannot close or enqueue"))
    }
}

/// `controller.close()`
fn close(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let stream = Stream::bound(args);
    check_open(&stream)?;
    stream.facts.close_requested.set(true);
    if stream.facts.chunks.len() == 0 {
        clear_algorithms(&stream);
        stream.close(ctx)?;
    }
    Ok(ctx.undefined())
}

/// `controller.enqueue(chunk)`
fn enqueue(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let stream = Stream::bound(args);
    check_open(&stream)?;
    let waiting = stream.reader().filter(|reader| reader.is_waiting());
    if let Some(request) = waiting.and_then(|reader| reader.next()) {
        request.give(ctx, or_null(ctx, args))?;
    } else {
        let size = size_of(ctx, &stream, args.get(0))?;
        if !size.is_finite() || size < 0.0 {
            let text = "size must be a finite, non-NaN number";
            let reason = Exception::range_error(text).into_value(ctx)?;
            error(&stream, reason.clone())?;
            return Err(Exception::thrown(reason));
        }
        let facts = &stream.facts;
        facts.chunks.push(&stream.object, or_null(ctx, args));
        facts.sizes.borrow_mut().push_back(size);
        facts.total.set(facts.total.get() + size);
    }
    call_pull_if_needed(ctx, &stream)?;
    Ok(ctx.undefined())
}

/// What the strategy says of a chunk; the stream fails with what it throws.
fn size_of(ctx: &Ctx, stream: &Stream, chunk: Value) -> Result<f64, Exception> {
    let Some(size) = stream.slot(SLOT_SIZE) else {
        return Ok(1.0);
    };
    let thrown = match size.invoke(&[chunk]) {
        Ok(size) => return size.to_number(),
        Err(exception) => exception.into_value(ctx)?,
    };
    if stream.state() == State::Readable {
        let record = fail::thrown(ctx, &thrown)?;
        stream.note_thrown(thrown.clone());
        error(stream, record)?;
    }
    Err(Exception::thrown(fail::to_object(ctx, thrown)?))
}

/// `ReadableStreamDefaultControllerError`
fn error(stream: &Stream, reason: Value) -> Result<(), Exception> {
    if stream.state() != State::Readable {
        return Ok(());
    }
    reset_queue(stream);
    clear_algorithms(stream);
    stream.fail(reason)
}

fn reset_queue(stream: &Stream) {
    stream.facts.chunks.clear(&stream.object);
    stream.facts.sizes.borrow_mut().clear();
    stream.facts.total.set(0.0);
}

/// The source is not called any more.
fn clear_algorithms(stream: &Stream) {
    for slot in [SLOT_SOURCE, SLOT_PULL, SLOT_CANCEL, SLOT_SIZE] {
        stream.object.clear_slot(slot);
    }
}

impl Stream {
    /// `ReadableStreamCancel`
    pub(super) fn cancel(&self, ctx: &Ctx, reason: Value) -> Result<Value, Exception> {
        match self.state() {
            State::Closed => return fail::resolved(ctx, ctx.undefined()),
            State::Errored => return fail::rejected(ctx, self.error(ctx)),
            State::Readable => {}
        }
        self.close(ctx)?;
        let cancelled = cancel_steps(ctx, self, reason)?;
        fail::then(
            ctx,
            &cancelled,
            &self.object,
            |ctx, _| Ok(ctx.undefined()),
            |ctx, args| Err(Exception::thrown(fail::as_thrown(ctx, args.get(0))?)),
        )
    }
}

/// The steps of a cancelled stream: a promise of what its source makes of it.
fn cancel_steps(ctx: &Ctx, stream: &Stream, reason: Value) -> Result<Value, Exception> {
    reset_queue(stream);
    let told = match stream.slot(SLOT_CANCEL) {
        Some(cancel) => cancel.call(&source(ctx, stream), &[reason]),
        None => Ok(ctx.undefined()),
    };
    clear_algorithms(stream);
    match told {
        Ok(promise) if promise.is_promise() => Ok(promise),
        Ok(_) => fail::resolved(ctx, ctx.undefined()),
        Err(exception) => fail::rejected(ctx, exception.into_value(ctx)?),
    }
}

fn source(ctx: &Ctx, stream: &Stream) -> Value {
    stream
        .object
        .slot(SLOT_SOURCE)
        .unwrap_or_else(|| ctx.undefined())
}

/// The steps of a read: answers it with what waits, or lets it wait.
pub(super) fn pull_steps(ctx: &Ctx, stream: &Stream, request: Request) -> Result<(), Exception> {
    let facts = &stream.facts;
    let Some(chunk) = facts.chunks.pop(&stream.object) else {
        if let Some(reader) = stream.reader() {
            reader.wait(request);
        }
        return call_pull_if_needed(ctx, stream);
    };
    let size = facts.sizes.borrow_mut().pop_front().unwrap_or_default();
    // Rounding may have left a little.
    facts.total.set((facts.total.get() - size).max(0.0));
    if facts.close_requested.get() && facts.chunks.len() == 0 {
        clear_algorithms(stream);
        stream.close(ctx)?;
    } else {
        call_pull_if_needed(ctx, stream)?;
    }
    request.give(ctx, chunk)
}

fn should_call_pull(stream: &Stream) -> bool {
    can_close_or_enqueue(stream)
        && stream.facts.started.get()
        && (stream.reader().is_some_and(|reader| reader.is_waiting())
            || desired_size(stream).is_some_and(|size| size > 0.0))
}

/// `ReadableStreamDefaultControllerCallPullIfNeeded`
fn call_pull_if_needed(ctx: &Ctx, stream: &Stream) -> Result<(), Exception> {
    if !should_call_pull(stream) {
        return Ok(());
    }
    let facts = &stream.facts;
    if facts.pulling.get() {
        facts.pull_again.set(true);
        return Ok(());
    }
    facts.pulling.set(true);
    let pulled = pull(ctx, stream)?;
    let go_on: Construct = |ctx, args| {
        let stream = Stream::bound(args);
        stream.facts.pulling.set(false);
        if stream.facts.pull_again.replace(false) {
            call_pull_if_needed(ctx, &stream)?;
        }
        Ok(ctx.undefined())
    };
    fail::then(ctx, &pulled, &stream.object, go_on, fail_with).map(drop)
}

/// A promise of what the source's `pull` does.
fn pull(ctx: &Ctx, stream: &Stream) -> Result<Value, Exception> {
    let Some(pull) = stream.slot(SLOT_PULL) else {
        return fail::resolved(ctx, ctx.undefined());
    };
    match pull.call(&source(ctx, stream), &[controller(ctx, stream)?]) {
        Ok(promise) if promise.is_promise() => Ok(promise),
        Ok(value) => fail::resolved(ctx, value),
        Err(exception) => fail::rejected(ctx, exception.into_value(ctx)?),
    }
}
