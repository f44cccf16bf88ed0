//! `vu.tags`, `vu.metrics.tags` and `vu.metrics.metadata`: objects whose properties are the
//! tags of the user's samples. Values are strings, numbers and booleans only.

use loadline_js::{Ctx, Exception, Value};

use crate::host::Host;
use crate::modules::running::require_running;
use crate::modules::tags::is_plain;

/// Makes an object of functions that read, write, remove and list.
const VIEW: &str = r"(read, write, remove, names) => new Proxy({}, {
  get: (target, key) => (typeof key === 'string' ? read(key) ?? target[key] : target[key]),
  set: (target, key, value) => { write(key, value); return true; },
  has: (target, key) => typeof key === 'string' && read(key) !== undefined,
  deleteProperty: (target, key) => { remove(key); return true; },
  ownKeys: () => names(),
  getOwnPropertyDescriptor: (target, key) => {
    const value = typeof key === 'string' ? read(key) : undefined;
    return value === undefined ? undefined : { value, writable: true, enumerable: true, configurable: true };
  },
})";

/// An object of both views.
pub(super) fn views(ctx: &Ctx) -> Result<Value, Exception> {
    let view = ctx.eval(VIEW, "k6/execution")?;
    let views = ctx.object()?;
    views.set("tags", tags(ctx, &view)?)?;
    views.set("metadata", metadata(ctx, &view)?)?;
    Ok(views)
}

/// Gives `object` a property that is one of the views, in running users.
pub(super) fn view_property(
    ctx: &Ctx,
    object: &Value,
    name: &str,
    views: &Value,
    view: &'static str,
) -> Result<(), Exception> {
    let getter = ctx.function_with(name, 0, vec![views.clone()], move |ctx, args| {
        require_running(ctx, "getting VU information")?;
        args.slot(0).get(view)
    })?;
    object.define_accessor(name, Some(&getter), None)
}

fn tags(ctx: &Ctx, view: &Value) -> Result<Value, Exception> {
    let read = ctx.function("read", 1, |ctx, args| {
        let key = args.get(0).to_text()?;
        let host = Host::from_ctx(ctx);
        let tags = host.tags.borrow();
        let found = tags.all().find(|(name, _)| *name == key);
        Ok(found.map(|(_, value)| value.to_owned()))
    })?;
    let write = ctx.function("write", 2, |ctx, args| {
        let key = args.get(0).to_text()?;
        let value = plain(&key, &args.get(1), "tag", "tag values")?;
        let host = Host::from_ctx(ctx);
        host.tags.borrow_mut().set(&key, &value);
        Ok(())
    })?;
    let remove = ctx.function("remove", 1, |ctx, args| {
        let key = args.get(0).to_text()?;
        Host::from_ctx(ctx).tags.borrow_mut().remove(&key);
        Ok(())
    })?;
    let names = ctx.function("names", 0, |ctx, _| {
        let host = Host::from_ctx(ctx);
        let tags = host.tags.borrow();
        let names: Vec<String> = tags.all().map(|(name, _)| name.to_owned()).collect();
        Ok(names)
    })?;
    view.invoke(&[read, write, remove, names])
}

fn metadata(ctx: &Ctx, view: &Value) -> Result<Value, Exception> {
    let read = ctx.function("read", 1, |ctx, args| {
        let key = args.get(0).to_text()?;
        Ok(Host::from_ctx(ctx).metadata.borrow().get(&key).cloned())
    })?;
    let write = ctx.function("write", 2, |ctx, args| {
        let key = args.get(0).to_text()?;
        let value = plain(&key, &args.get(1), "metadata", "metadata value")?;
        Host::from_ctx(ctx).metadata.borrow_mut().insert(key, value);
        Ok(())
    })?;
    let remove = ctx.function("remove", 1, |ctx, args| {
        let key = args.get(0).to_text()?;
        Host::from_ctx(ctx).metadata.borrow_mut().remove(&key);
        Ok(())
    })?;
    let names = ctx.function("names", 0, |ctx, _| {
        let host = Host::from_ctx(ctx);
        let metadata = host.metadata.borrow();
        Ok(metadata.keys().cloned().collect::<Vec<_>>())
    })?;
    view.invoke(&[read, write, remove, names])
}

fn plain(key: &str, value: &Value, what: &str, as_what: &str) -> Result<String, Exception> {
    if !is_plain(value) {
        return Err(Exception::type_error(format!(
            "invalid value for metric {what} '{key}': only String, Boolean and Number types are accepted as a metric {as_what}"
        )));
    }
    value.to_text()
}
