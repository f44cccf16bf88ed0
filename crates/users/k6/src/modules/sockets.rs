//! What the modules for long-lived connections share: `k6/x/sse`, `k6/ws` and
//! `k6/websockets`.
//!
//! It reads their parameters, makes the tags of their samples and calls handlers. Handlers are
//! stored in slots of the object they were added to, where the garbage collector sees them.

pub(super) mod dial;

use std::rc::Rc;

use loadline_js::{Args, Ctx, Exception, Value};
use loadline_metrics::TagSetId;

use super::http::{self, HttpUser, Jar, JarObject};
use crate::host::Host;
use crate::host::with_cx;
use crate::modules::tags::tag_text;

/// A Go error as scripts get it from handlers: `error()` gives its text.
struct GoError(String);

/// Prototypes of objects, which all users of a realm share.
struct Prototypes {
    error: Value,
}

/// Makes what the modules need in the realm, once.
pub(super) fn install(ctx: &Ctx) -> Result<(), Exception> {
    if ctx.common::<Prototypes>().is_some() {
        return Ok(());
    }
    // A connection belongs to the user's agent, and its cookies to the user's jar.
    http::install_prototypes(ctx)?;
    let error = ctx.object()?;
    error.method("error", 0, text)?;
    error.method("toString", 0, text)?;
    ctx.set_common(Rc::new(Prototypes { error }));
    Ok(())
}

fn text(_: &Ctx, args: &Args<'_>) -> Result<String, Exception> {
    Ok(args.this_host::<GoError>()?.0.clone())
}

/// An error as handlers get it.
pub(super) fn error_object(ctx: &Ctx, text: impl Into<String>) -> Result<Value, Exception> {
    let shapes = ctx.common::<Prototypes>().expect("made with the module");
    ctx.host_object(&shapes.error, Rc::new(GoError(text.into())))
}

/// The text of such an error.
pub(crate) fn error_text(value: &Value) -> Option<String> {
    Some(value.host::<GoError>()?.0.clone())
}

/// Adds a handler to those in `slot` of `object`.
pub(super) fn add_handler(
    ctx: &Ctx,
    object: &Value,
    slot: usize,
    handler: Value,
) -> Result<(), Exception> {
    let handlers = object.slot(slot).filter(Value::is_array);
    match handlers {
        Some(handlers) => handlers.push(handler),
        None => {
            object.set_slot(slot, ctx.array([handler])?);
            Ok(())
        }
    }
}

/// Calls the handlers in `slot` of `object`, as many as there are now.
pub(super) fn call_handlers(object: &Value, slot: usize, args: &[Value]) -> Result<(), Exception> {
    let Some(handlers) = object.slot(slot).filter(Value::is_array) else {
        return Ok(());
    };
    for handler in handlers.elements()? {
        handler.invoke(args)?;
    }
    Ok(())
}

/// Lets go of the handlers in the first `slots` of `object`, which hold on to it as a rule:
/// no round of the garbage collector is needed then.
pub(super) fn forget_handlers(ctx: &Ctx, object: &Value, slots: usize) {
    for slot in 0..slots {
        if object.slot(slot).is_some() {
            object.set_slot(slot, ctx.undefined());
        }
    }
}

/// Whether there is a handler in `slot` of `object`.
pub(super) fn has_handlers(object: &Value, slot: usize) -> bool {
    object
        .slot(slot)
        .is_some_and(|handlers| handlers.is_array())
}

/// The members of `params.headers`, in order.
pub(super) fn headers_of(params: &Value) -> Result<Vec<(String, String)>, Exception> {
    let headers = params.get("headers")?;
    let mut read = Vec::new();
    if headers.is_nullish() {
        return Ok(read);
    }
    for key in headers.keys()? {
        read.push((key.to_text(), headers.get(&key)?.to_text()?));
    }
    Ok(read)
}

/// `params.tags`.
///
/// # Errors
/// k6's words for a tag that cannot be one, or what the script threw.
pub(super) fn tags_of(params: &Value) -> Result<Result<Vec<(String, String)>, String>, Exception> {
    let tags = params.get("tags")?;
    let mut read = Vec::new();
    if tags.is_nullish() {
        return Ok(Ok(read));
    }
    for key in tags.keys()? {
        let name = key.to_text();
        match tag_text(&name, &tags.get(&key)?) {
            Ok(text) => read.push((name, text)),
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(read))
}

/// `params.jar`, or the user's own.
pub(super) fn jar_of(user: &HttpUser, params: &Value) -> Result<Jar, Exception> {
    if params.is_object()
        && let Some(jar) = params.get("jar")?.host::<JarObject>()
    {
        return Ok(jar.0.clone());
    }
    Ok(user.jar.borrow().clone())
}

/// The tags of a connection's samples: the user's as they are now, the connection's own,
/// and of `system` those that are on.
pub(super) fn tag_set(
    ctx: &Ctx,
    base: Option<TagSetId>,
    own: &[(String, String)],
    system: &[(&'static str, &str)],
) -> Option<TagSetId> {
    let host = Host::from_ctx(ctx);
    let on = system.iter().filter(|(key, _)| host.has_system_tag(key));
    let pairs: Vec<(&str, &str)> = own
        .iter()
        .map(|(key, value)| (key.as_str(), value.as_str()))
        .chain(on.copied())
        .collect();
    with_cx(ctx, |cx| {
        let base = base.unwrap_or_else(|| host.tags.borrow_mut().set_id(cx.shard));
        cx.shard.tags.extend(base, &pairs)
    })
}

/// The user's tags as they are now.
pub(super) fn base_tags(ctx: &Ctx) -> Option<TagSetId> {
    let host = Host::from_ctx(ctx);
    with_cx(ctx, |cx| host.tags.borrow_mut().set_id(cx.shard))
}
