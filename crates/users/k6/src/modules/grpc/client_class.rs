//! The class `Client`: what scripts call on one.

use std::rc::Rc;

use loadline_js::{Args, Attributes, Ctx, Exception, Value};
use loadline_net::{GrpcChannel, GrpcMetadata, GrpcOptions, GrpcStatus};

use super::client::{Client, Link, NO_CONNECTION};
use super::invoke::{async_invoke, invoke};
use super::load::{load, load_set};
use super::params::{ConnectParams, InvalidParams};
use super::samples::{SampleContext, note_shortage};
use super::schemas::SharedGrpc;
use super::stream::Streams;
use super::{codes, reflection};
use crate::host::Host;
use crate::modules::go_error::go_error;
use crate::modules::http::HttpUser;

/// Functions of all clients of a realm.
struct SharedFunctions {
    proto: Value,
    methods: Vec<(&'static str, Value)>,
}

/// `Client`
pub(super) fn constructor(ctx: &Ctx) -> Result<Value, Exception> {
    let methods = vec![
        ("asyncInvoke", ctx.function("asyncInvoke", 3, async_invoke)?),
        ("close", ctx.function("close", 0, close)?),
        ("connect", ctx.function("connect", 2, connect)?),
        ("healthCheck", ctx.function("healthCheck", 1, health)?),
        ("invoke", ctx.function("invoke", 3, invoke)?),
        ("load", ctx.function("load", 1, load)?),
        ("loadProtoset", ctx.function("loadProtoset", 1, load_set)?),
    ];
    ctx.set_common(Rc::new(SharedFunctions {
        proto: ctx.object()?.prototype()?,
        methods,
    }));
    let class = ctx.constructor("Client", 0, |ctx, _| {
        let shape = ctx
            .common::<SharedFunctions>()
            .expect("made with the module");
        let object = ctx.host_object(&shape.proto, Rc::new(Client::default()))?;
        for (name, function) in &shape.methods {
            object.define(*name, function, Attributes::FIXED)?;
        }
        Ok(object)
    })?;
    class.define("prototype", ctx.object()?, Attributes::NONE)?;
    Ok(class)
}

/// `connect(address, params?)`
fn connect(ctx: &Ctx, args: &Args<'_>) -> Result<bool, Exception> {
    let client = args.this_host::<Client>()?;
    let host = Host::from_ctx(ctx);
    if host.is_init() {
        return Err(go_error(
            ctx,
            "connecting to a gRPC server in the init context is not supported",
        ));
    }
    let address = match args.given(0) {
        Some(address) => address.to_text()?,
        None => String::new(),
    };
    let params = ConnectParams::read(&args.get(1)).map_err(|why| match why {
        InvalidParams::Because(why) => {
            go_error(ctx, format!("invalid grpc.connect() parameters: {why}"))
        }
        InvalidParams::Thrown(exception) => exception,
    })?;
    let agent = HttpUser::from_ctx(ctx).agent(ctx)?.clone();
    let mut tls = None;
    if let (false, Some(texts), Some(run)) = (params.plaintext, params.tls, agent.client().tls()) {
        let made = host.shared.of_module::<SharedGrpc>().tls(run, texts);
        tls = Some(made.map_err(|error| go_error(ctx, error))?);
    }
    let options = GrpcOptions {
        address: address.clone(),
        plaintext: params.plaintext,
        tls,
        authority: params.authority,
        user_agent: host.shared.settings().http.user_agent.clone(),
        max_receive: params.max_receive.unwrap_or(GrpcOptions::MAX_RECEIVE),
        max_send: params.max_send.unwrap_or(GrpcOptions::MAX_SEND),
    };
    let deadline = ctx.now() + params.timeout;
    let connecting = GrpcChannel::connect(agent.client(), options, deadline);
    let channel = ctx.block_on(Box::pin(connecting))?.map_err(|why| {
        note_shortage(ctx, why.shortage);
        go_error(ctx, why.text)
    })?;
    let link = Link {
        channel,
        address: address.into(),
    };
    *client.link.borrow_mut() = Some(link.clone());
    if params.reflect {
        let asked = reflection::ask(&link.channel, &params.reflect_metadata, deadline);
        let told = reflection::sampled(ctx, &link, asked)?;
        let loaded = told
            .and_then(|files| reflection::load(&host, files))
            .map_err(|error| go_error(ctx, error))?;
        client.learn(&loaded);
    }
    Ok(true)
}

/// `healthCheck(service?)`
fn health(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let client = args.this_host::<Client>()?;
    let service = match args.given(0) {
        Some(service) => service.to_text()?,
        None => String::new(),
    };
    let Some(link) = client.link() else {
        return Err(go_error(ctx, NO_CONNECTION));
    };
    let mut request = Vec::new();
    if !service.is_empty() {
        reflection::put_text(&mut request, 1, &service);
    }
    let mut sampled = SampleContext::plain(ctx, &link);
    let none = GrpcMetadata::new();
    let calling = link
        .channel
        .unary("/grpc.health.v1.Health/Check", &none, &request, None);
    let mut reply = ctx.block_on(Box::pin(calling))?;
    let state = reflection::number_in(&reply.message.take().unwrap_or_default(), 1);
    if state.is_none() && reply.status.is_ok() {
        reply.status = GrpcStatus::internal(
            "grpc: failed to unmarshal the received message: proto: cannot parse invalid wire-format data",
        );
    }
    note_shortage(ctx, reply.status.shortage);
    sampled.record_end(ctx, reply.status.code);
    match state {
        Some(state) if reply.status.is_ok() => {
            let object = ctx.object()?;
            object.set("status", codes::health(ctx, state)?)?;
            Ok(object)
        }
        _ => Err(go_error(ctx, reply.status.text())),
    }
}

/// `close()`
fn close(ctx: &Ctx, args: &Args<'_>) -> Result<(), Exception> {
    let client = args.this_host::<Client>()?;
    let link = client.link.borrow_mut().take();
    if let Some(link) = link {
        Streams::cancel(ctx, &link.channel);
    }
    Ok(())
}
