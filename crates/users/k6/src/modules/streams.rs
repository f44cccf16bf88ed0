//! `k6/experimental/streams`: readable and writable streams, as far as k6 has them.
//!
//! The values of a stream are stored in slots of its object, where the garbage collector sees
//! them: streams and their sources refer to each other, and scripts often leave them unread.

mod controller;
mod fail;
mod fifo;
mod prototypes;
mod reader;
mod reader_object;
mod source;
mod strategy;
mod stream;
mod stream_methods;

use std::rc::Rc;

use loadline_js::{Args, Attributes, Ctx, Exception, Exports, Value};

use controller::Source;
use prototypes::{Construct, Prototypes};
use stream::Stream;

/// Makes the classes of writable streams, which are written in JavaScript.
const WRITABLE: &str = include_str!("streams/writable.js");

/// Makes what all streams share, once.
pub(super) fn install(ctx: &Ctx) -> Result<(), Exception> {
    if ctx.common::<Prototypes>().is_some() {
        return Ok(());
    }
    let constructor = ctx.constructor("ReadableStream", 0, construct)?;
    let prototype = ctx.object()?;
    prototype.define("constructor", &constructor, Attributes::HIDDEN)?;
    constructor.define("prototype", &prototype, Attributes::NONE)?;
    ctx.set_common(Rc::new(Prototypes {
        object: ctx.global().get("Object")?,
        stream: stream_methods::template(ctx, &prototype)?,
        constructor,
        size: ctx.function("size", 1, |_, _| Ok(1))?,
        closed: ctx.function("closed", 0, reader_object::closed)?,
        thrown: fail::thrown_prototype(ctx)?,
    }));
    Ok(())
}

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    install(ctx)?;
    let mut exports = Exports::new();
    exports.add(
        "ReadableStream",
        Prototypes::from_ctx(ctx).constructor.clone(),
    );
    for (name, construct) in [
        ("CountQueuingStrategy", strategy::construct as Construct),
        ("ReadableStreamDefaultReader", construct_reader),
    ] {
        let class = ctx.constructor(name, 0, construct)?;
        class.define("prototype", ctx.object()?, Attributes::NONE)?;
        exports.add(name, class);
    }
    let writable = ctx.eval(WRITABLE, "k6/experimental/streams")?;
    for name in ["WritableStream", "WritableStreamDefaultWriter"] {
        exports.add(name, writable.get(name)?);
    }
    Ok(exports)
}

/// A stream of what `pull`, called with its controller, enqueues.
pub(super) fn of_pull(ctx: &Ctx, pull: &Value) -> Result<Value, Exception> {
    let source = ctx.object()?;
    source.set("pull", pull)?;
    let hooks = Source::read(&source)?;
    let (stream, object) = Stream::make(ctx, 1.0, &Prototypes::from_ctx(ctx).size)?;
    object.set_prototype(&Prototypes::from_ctx(ctx).object.get("prototype")?)?;
    stream.start(ctx, &source, hooks)?;
    Ok(object)
}

/// `new ReadableStream(source?, strategy?)`
fn construct(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let strategy = strategy::of_argument(ctx, &args.get(1))?;
    let source = args.get(0);
    let mut hooks = Source::default();
    if !source.is_undefined() {
        if !source::is_plain(&source) {
            return Err(Exception::type_error("underlyingSource must be an object"));
        }
        let bytes = source::is_of_bytes(&source)?;
        hooks = Source::read(&source)?;
        if bytes {
            return Err(fail::unsupported(
                ctx,
                "'bytes' stream is not supported yet",
            ));
        }
    }
    let size = strategy.size_function(ctx)?;
    let high_water_mark = strategy.high_water_mark()?;
    hooks.check()?;
    let (stream, object) = Stream::make(ctx, high_water_mark, &size)?;
    stream.start(ctx, &source, hooks)?;
    // A class that extends this one has its own prototype.
    let class = args.this();
    if args.is_new() && !class.strict_equals(&Prototypes::from_ctx(ctx).constructor) {
        let prototype = class.get("prototype")?;
        if prototype.is_object() {
            object.set_prototype(&prototype)?;
        }
    }
    Ok(object)
}

/// `new ReadableStreamDefaultReader(stream)`
fn construct_reader(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    if args.len() != 1 {
        let text = "ReadableStreamDefaultReader takes a single argument";
        return Err(Exception::type_error(text));
    }
    let stream = Stream::from_object(args.get(0)).ok_or_else(|| {
        let text = "ReadableStreamDefaultReader argument must be a ReadableStream";
        Exception::type_error(text)
    })?;
    reader_object::acquire(ctx, &stream)
}
