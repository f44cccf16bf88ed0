//! How streams fail, in k6's words.

use std::rc::Rc;

use loadline_js::{Args, Attributes, Ctx, Exception, Value};

use super::prototypes::{Construct, Prototypes, bound};
use crate::modules::go_error::go_error;

/// A named error, as k6 throws it.
pub(super) fn named(ctx: &Ctx, name: &str, text: &str) -> Exception {
    let error = go_error(ctx, format!("{name}:{text}"));
    let described = || -> Result<Value, Exception> {
        let value = ctx.object()?;
        value.set("name", name)?;
        value.set("message", text)?;
        let error = error.into_value(ctx)?;
        error.set("value", value)?;
        Ok(error)
    };
    described().map_or_else(|exception| exception, Exception::thrown)
}

pub(super) fn unsupported(ctx: &Ctx, text: &str) -> Exception {
    named(ctx, "NotSupportedError", text)
}

/// A promise rejected with `reason`.
pub(super) fn rejected(ctx: &Ctx, reason: Value) -> Result<Value, Exception> {
    let (promise, resolver) = ctx.promise()?;
    resolver.reject(reason)?;
    Ok(promise)
}

/// A promise rejected with a `TypeError`.
pub(super) fn rejected_type(ctx: &Ctx, text: &str) -> Result<Value, Exception> {
    rejected(ctx, type_error(ctx, text)?)
}

pub(super) fn type_error(ctx: &Ctx, text: &str) -> Result<Value, Exception> {
    Exception::type_error(text).into_value(ctx)
}

/// A promise resolved with `value`.
pub(super) fn resolved(ctx: &Ctx, value: Value) -> Result<Value, Exception> {
    let (promise, resolver) = ctx.promise()?;
    resolver.resolve(value)?;
    Ok(promise)
}

/// `Object(value)`; neither `undefined` nor `null` has an object.
pub(super) fn to_object(ctx: &Ctx, value: Value) -> Result<Value, Exception> {
    if value.is_object() {
        return Ok(value);
    }
    if value.is_nullish() {
        let text = "Cannot convert undefined or null to object";
        return Err(Exception::type_error(text));
    }
    Prototypes::from_ctx(ctx).object.invoke(&[value])
}

/// What something is rejected with where k6 makes an object of the reason.
pub(super) fn as_thrown(ctx: &Ctx, reason: Value) -> Result<Value, Exception> {
    if reason.is_undefined() {
        Ok(reason)
    } else {
        to_object(ctx, reason)
    }
}

/// `promise.then(fulfilled, rejected)`, as scripts may have replaced it.
pub(super) fn then(
    ctx: &Ctx,
    promise: &Value,
    owner: &Value,
    fulfilled: Construct,
    rejected: Construct,
) -> Result<Value, Exception> {
    let fulfilled = bound(ctx, "", 1, owner, fulfilled)?;
    let rejected = bound(ctx, "", 1, owner, rejected)?;
    let next = promise.call_method("then", &[fulfilled, rejected])?;
    if next.is_promise() {
        return Ok(next);
    }
    let text = "unable to cast the internal promiseThen helper's return value to a promise";
    Err(named(ctx, "RuntimeError", text))
}

/// Marks objects that hold what a script's function threw.
struct Thrown;

/// k6 hands on its own record of an exception, not what was thrown.
pub(super) fn thrown(ctx: &Ctx, value: &Value) -> Result<Value, Exception> {
    let record = ctx.host_object(&Prototypes::from_ctx(ctx).thrown, Rc::new(Thrown))?;
    record.set_slot(0, value.clone());
    let own: [(&str, Construct); 5] = [
        ("error", thrown_text),
        ("stack", |ctx, _| ctx.array([])),
        ("string", thrown_text),
        ("unwrap", |ctx, _| Ok(ctx.null())),
        ("value", |_, args| {
            Ok(args.slot(0).slot(0).unwrap_or(args.slot(0)))
        }),
    ];
    for (name, body) in own {
        record.define(name, bound(ctx, name, 0, &record, body)?, Attributes::FIXED)?;
    }
    Ok(record)
}

fn thrown_text(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    text_of(ctx, &args.slot(0))
}

fn text_of(ctx: &Ctx, record: &Value) -> Result<Value, Exception> {
    let value = record.slot(0).unwrap_or_else(|| ctx.undefined());
    ctx.string(&Exception::thrown(value).message())
}

pub(super) fn thrown_prototype(ctx: &Ctx) -> Result<Value, Exception> {
    let prototype = ctx.object()?;
    prototype.method("toString", 0, |ctx, args| {
        args.this_host::<Thrown>()?;
        text_of(ctx, &args.this())
    })?;
    Ok(prototype)
}
