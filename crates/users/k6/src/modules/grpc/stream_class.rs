//! The class `Stream`: how scripts begin one.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use loadline_js::{Args, Attributes, Ctx, Exception, Value};
use loadline_metrics::builtin;

use super::client::{Client, NO_CONNECTION, find};
use super::params::{CallParams, InvalidParams};
use super::samples::{SampleContext, note_shortage};
use super::stream::{Stream, Streams};
use super::write;
use crate::modules::go_error::go_error;

/// Functions of all streams of a realm.
struct SharedFunctions {
    proto: Value,
    methods: Vec<(&'static str, Value)>,
}

/// `Stream`
pub(super) fn constructor(ctx: &Ctx) -> Result<Value, Exception> {
    let methods = vec![
        ("on", ctx.function("on", 2, write::on)?),
        ("write", ctx.function("write", 1, write::write)?),
        ("end", ctx.function("end", 0, write::end)?),
    ];
    ctx.set_common(Rc::new(SharedFunctions {
        proto: ctx.object()?.prototype()?,
        methods,
    }));
    let class = ctx.constructor("Stream", 3, construct)?;
    class.define("prototype", ctx.object()?, Attributes::NONE)?;
    Ok(class)
}

/// `new Stream(client, method, params?)`
fn construct(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let refuse =
        |what: &str, why: &str| go_error(ctx, format!("invalid GRPC Stream's {what}: {why}"));
    let Some(client) = args.given(0) else {
        return Err(refuse("client", "empty gRPC client"));
    };
    let Some(client) = client.host::<Client>() else {
        return Err(refuse("client", "not a gRPC client"));
    };
    let Some(link) = client.link() else {
        return Err(refuse("client", NO_CONNECTION));
    };
    let name = args.get(1).to_text()?;
    let method = find(&client, &name).map_err(|why| refuse("method", &why))?;
    let params = CallParams::read(&args.get(2)).map_err(|why| match why {
        InvalidParams::Because(why) => refuse("parameters", &why),
        InvalidParams::Thrown(exception) => exception,
    })?;
    let sampled = SampleContext::new(ctx, &link, &method, params.tags);
    let deadline = params.timeout.map(|timeout| ctx.now() + timeout);
    let begun = {
        let beginning = link
            .channel
            .stream(method.path(), &params.metadata, deadline);
        ctx.block_on(Box::pin(beginning))?
    };
    let (sender, receiver) = begun.map_err(|status| {
        note_shortage(ctx, status.shortage);
        let text = status.text();
        go_error(ctx, format!("failed to create a new stream: {text}"))
    })?;
    sampled.record(ctx, builtin::GRPC_STREAMS, 1.0);
    let stream = Rc::new(Stream {
        types: client.types(),
        method,
        channel: link.channel,
        discard: params.discard,
        deadline,
        sampled: RefCell::new(sampled),
        sender: RefCell::new(Some(sender)),
        receiver: RefCell::new(Some(receiver)),
        reader: RefCell::default(),
        only: RefCell::default(),
        cancelled: Cell::new(false),
        done: Cell::new(false),
        writable: Cell::new(true),
        sent_last: Cell::new(false),
    });
    let shape = ctx
        .common::<SharedFunctions>()
        .expect("made with the module");
    let object = ctx.host_object(&shape.proto, stream.clone())?;
    for (name, function) in &shape.methods {
        object.define(*name, function, Attributes::FIXED)?;
    }
    Streams::note(ctx, &stream, &object);
    stream.read_on(ctx, &object);
    Ok(object)
}
