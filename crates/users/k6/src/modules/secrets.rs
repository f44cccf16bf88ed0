//! `k6/secrets`: secrets from the sources of the run.

use loadline_js::{Args, Ctx, Exception, Exports, Value};

use super::failure::{Failure, OperationResult, promise};
use crate::host::Host;

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    let mut exports = Exports::new();
    let object = ctx.object()?;
    let of_default = ctx.function("get", 1, |ctx, args| get(ctx, args, None))?;
    object.set("get", of_default)?;
    let source = ctx.function("source", 1, |ctx, args| {
        let name = text(&args.get(0))?;
        let object = ctx.object()?;
        let of_source = ctx.function("get", 1, move |ctx, args| get(ctx, args, Some(&name)))?;
        object.set("get", of_source)?;
        Ok(object)
    })?;
    object.set("source", source)?;
    exports.set_default(object);
    Ok(exports)
}

/// A string argument; `None` when it was left out.
fn text(value: &Value) -> Result<String, Exception> {
    if value.is_nullish() {
        Ok(String::new())
    } else {
        value.to_text()
    }
}

/// `get(key)` of a source.
fn get(ctx: &Ctx, args: &Args<'_>, source: Option<&str>) -> Result<Value, Exception> {
    let key = text(&args.get(0))?;
    let source = source.map(str::to_owned);
    let work = move |ctx: &Ctx| -> OperationResult<Value> {
        let host = Host::from_ctx(ctx);
        let secret = host.shared.secrets.get(source.as_deref(), &key);
        Ok(ctx.string(&secret.map_err(Failure::plain)?)?)
    };
    promise(ctx, Ok(work))
}
