//! How objects are iterated over.

use loadline_js::{Ctx, Exception, Value};

/// An iterator over `values`, as arrays give one.
pub(super) fn iterator(ctx: &Ctx, values: Vec<Value>) -> Result<Value, Exception> {
    ctx.array(values)?.call_method("values", &[])
}

/// The key under which an object says how it is iterated over.
fn iterator_key(ctx: &Ctx) -> Result<Value, Exception> {
    ctx.global().get("Symbol")?.get("iterator")
}

/// Lets objects of a prototype be iterated over by `function`.
pub(super) fn iterate_by(ctx: &Ctx, prototype: &Value, function: &Value) -> Result<(), Exception> {
    let described = ctx.object()?;
    described.set("value", function)?;
    described.set("configurable", true)?;
    described.set("writable", true)?;
    let parts = [prototype.clone(), iterator_key(ctx)?, described];
    let reflect = ctx.global().get("Reflect")?;
    reflect.call_method("defineProperty", &parts).map(drop)
}

/// Whether an object can be iterated over.
pub(super) fn is_iterable(ctx: &Ctx, object: &Value) -> Result<bool, Exception> {
    let reflect = ctx.global().get("Reflect")?;
    let found = reflect.call_method("get", &[object.clone(), iterator_key(ctx)?])?;
    Ok(found.is_function())
}
