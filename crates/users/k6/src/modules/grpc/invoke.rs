//! Unary calls.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use loadline_js::{Args, Ctx, Exception, Value};
use loadline_net::{GrpcMetadata, GrpcReply, GrpcStatus};
use loadline_proto::{DynamicMessage, Message, Method, Types, from_json, to_json};
use loadline_units::Time;

use super::client::{Client, Link, NO_CONNECTION, find};
use super::codes;
use super::params::{CallParams, InvalidParams};
use super::reflection::status_json;
use super::samples::{SampleContext, note_shortage};
use crate::host::Host;
use crate::modules::go_error::go_error;
use crate::modules::sockets;

/// Default timeout of a call.
const CALL_TIMEOUT: Duration = Duration::from_secs(120);

/// A call about to be made.
struct PreparedCall {
    link: Link,
    method: Arc<Method>,
    types: Rc<Types>,
    payload: Vec<u8>,
    metadata: GrpcMetadata,
    deadline: Time,
    discard: bool,
    sampled: SampleContext,
}

/// `invoke(method, message, params?)`
pub(super) fn invoke(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let mut call = prepare(ctx, args)?.map_err(|error| go_error(ctx, error))?;
    let reply = ctx.block_on(Box::pin(call.make()))?;
    call.finish(ctx, reply)?
        .map_err(|error| go_error(ctx, error))
}

/// `asyncInvoke(method, message, params?)`
pub(super) fn async_invoke(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let prepared = prepare(ctx, args)?;
    let (promise, resolver) = ctx.promise()?;
    let call = match prepared {
        Ok(call) => call,
        Err(error) => {
            resolver.reject(sockets::error_object(ctx, error)?)?;
            return Ok(promise);
        }
    };
    let making = async move {
        let reply = call.make().await;
        (call, reply)
    };
    ctx.spawn(Box::pin(making), move |ctx, (mut call, reply)| {
        match call.finish(ctx, reply)? {
            Ok(response) => resolver.resolve(response),
            Err(error) => resolver.reject(sockets::error_object(ctx, error)?),
        }
    });
    Ok(promise)
}

/// Reads the arguments of a call.
///
/// # Errors
/// k6's words, or what the script threw.
fn prepare(ctx: &Ctx, args: &Args<'_>) -> Result<Result<PreparedCall, String>, Exception> {
    let client = args.this_host::<Client>()?;
    if Host::from_ctx(ctx).is_init() {
        let error = "invoking RPC methods in the init context is not supported";
        return Ok(Err(error.to_owned()));
    }
    let Some(link) = client.link() else {
        return Ok(Err(NO_CONNECTION.to_owned()));
    };
    let method = match args.given(0) {
        Some(method) => method.to_text()?,
        None => String::new(),
    };
    let method = match find(&client, &method) {
        Ok(method) => method,
        Err(error) => return Ok(Err(error)),
    };
    let params = match CallParams::read(&args.get(2)) {
        Ok(params) => params,
        Err(InvalidParams::Thrown(exception)) => return Err(exception),
        Err(InvalidParams::Because(why)) => {
            return Ok(Err(format!(
                "invalid GRPC's client.invoke() parameters: {why}"
            )));
        }
    };
    if args.len() < 2 {
        return Ok(Err("request cannot be nil".to_owned()));
    }
    let text = match request_json(ctx, &args.get(1))? {
        Ok(text) => text,
        Err(error) => return Ok(Err(error)),
    };
    let types = client.types();
    let message = match from_json(&text, &method.input(), &types) {
        Ok(message) => message,
        Err(error) => {
            return Ok(Err(format!(
                "unable to serialise request object to protocol buffer: {error}"
            )));
        }
    };
    Ok(Ok(PreparedCall {
        sampled: SampleContext::new(ctx, &link, &method, params.tags),
        payload: message.encode_to_vec(),
        metadata: params.metadata,
        deadline: ctx.now() + params.timeout.unwrap_or(CALL_TIMEOUT),
        discard: params.discard,
        link,
        method,
        types,
    }))
}

/// A request as JSON; numbers that JSON has not are texts.
fn request_json(ctx: &Ctx, value: &Value) -> Result<Result<String, String>, Exception> {
    if value.is_nullish() {
        return Err(Exception::type_error(
            "Cannot convert undefined or null to object",
        ));
    }
    let cyclic = "unable to normalize number strings: cyclic reference to an object found";
    let text = match json_of(value) {
        Err(_) if is_cyclic(value, &mut Vec::new())? => return Ok(Err(cyclic.to_owned())),
        outcome => outcome?,
    };
    // NaN and infinities come as null.
    if !text.contains("null") || !has_special(value)? {
        return Ok(Ok(text));
    }
    Ok(Ok(json_of(&normalised(ctx, value)?)?))
}

pub(super) fn json_of(value: &Value) -> Result<String, Exception> {
    Ok(value.to_json()?.unwrap_or_else(|| "null".to_owned()))
}

fn is_plain(value: &Value) -> bool {
    value.is_array()
        || (value.is_object()
            && !value.is_function()
            && !value.is_date()
            && !value.is_array_buffer()
            && !value.is_typed_array())
}

fn is_cyclic(value: &Value, above: &mut Vec<Value>) -> Result<bool, Exception> {
    if !is_plain(value) {
        return Ok(false);
    }
    if above.iter().any(|there| there.strict_equals(value)) {
        return Ok(true);
    }
    above.push(value.clone());
    for key in value.keys()? {
        if is_cyclic(&value.get(&key)?, above)? {
            return Ok(true);
        }
    }
    above.pop();
    Ok(false)
}

fn has_special(value: &Value) -> Result<bool, Exception> {
    if let Some(number) = value.as_f64() {
        return Ok(!number.is_finite());
    }
    if is_plain(value) {
        for key in value.keys()? {
            if has_special(&value.get(&key)?)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// A copy in which numbers that JSON has not are texts.
fn normalised(ctx: &Ctx, value: &Value) -> Result<Value, Exception> {
    if let Some(number) = value.as_f64().filter(|number| !number.is_finite()) {
        return ctx.string(if number.is_nan() {
            "NaN"
        } else if number > 0.0 {
            "Infinity"
        } else {
            "-Infinity"
        });
    }
    if value.is_array() {
        let items: Result<Vec<_>, _> = value
            .elements()?
            .iter()
            .map(|item| normalised(ctx, item))
            .collect();
        return ctx.array(items?);
    }
    if !is_plain(value) {
        return Ok(value.clone());
    }
    let copy = ctx.object()?;
    for key in value.keys()? {
        copy.set(&key, normalised(ctx, &value.get(&key)?)?)?;
    }
    Ok(copy)
}

impl PreparedCall {
    async fn make(&self) -> GrpcReply {
        let deadline = Some(self.deadline);
        let channel = &self.link.channel;
        let path = self.method.path();
        channel
            .unary(path, &self.metadata, &self.payload, deadline)
            .await
    }

    /// The response a script gets.
    ///
    /// # Errors
    /// k6's words, or an exception no script may catch.
    fn finish(&mut self, ctx: &Ctx, reply: GrpcReply) -> Result<Result<Value, String>, Exception> {
        let GrpcReply {
            headers,
            trailers,
            message,
            mut status,
            ..
        } = reply;
        note_shortage(ctx, status.shortage);
        let mut text = None;
        if !self.discard {
            let bytes = message.unwrap_or_default();
            let decoded = decode(&self.method, &bytes);
            let message = decoded.unwrap_or_else(|failed| {
                status = failed;
                DynamicMessage::new(self.method.output())
            });
            match to_json(&message, &self.types) {
                Ok(json) => text = Some(json),
                Err(error) => {
                    self.sampled.record_end(ctx, status.code);
                    return Ok(Err(format!(
                        "unable to convert response object to JSON: failed to marshal the message: {error}"
                    )));
                }
            }
        }
        self.sampled.record_end(ctx, status.code);
        let response = ctx.object()?;
        let message = match text {
            Some(text) => ctx.parse_json(text)?,
            None => ctx.null(),
        };
        response.set(ctx.intern("message"), message)?;
        let error = if status.is_ok() {
            ctx.null()
        } else {
            ctx.parse_json(status_json(&status, &self.types))?
        };
        response.set(ctx.intern("error"), error)?;
        response.set(ctx.intern("headers"), metadata_object(ctx, &headers)?)?;
        response.set(ctx.intern("trailers"), metadata_object(ctx, &trailers)?)?;
        response.set(ctx.intern("status"), codes::status(ctx, status.code)?)?;
        Ok(Ok(response))
    }
}

/// The message a server sent.
///
/// # Errors
/// The status of a call whose message cannot be read.
pub(super) fn decode(method: &Method, bytes: &[u8]) -> Result<DynamicMessage, GrpcStatus> {
    DynamicMessage::decode(method.output(), bytes).map_err(|_| {
        GrpcStatus::internal(
            "grpc: failed to unmarshal the received message: proto: cannot parse invalid wire-format data",
        )
    })
}

fn metadata_object(ctx: &Ctx, metadata: &GrpcMetadata) -> Result<Value, Exception> {
    let object = ctx.object()?;
    for (name, value) in metadata {
        let text = ctx.string(&String::from_utf8_lossy(value))?;
        let there = object.get(name.as_str())?;
        if there.is_array() {
            there.push(text)?;
        } else {
            object.set(name.as_str(), ctx.array([text])?)?;
        }
    }
    Ok(object)
}
