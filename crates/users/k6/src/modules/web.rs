//! Web globals that k6 does not have and scripts ask for: `URL`, `URLSearchParams`,
//! `TextEncoder`, `TextDecoder`, `structuredClone`.
//!
//! Each is made when a script first uses it, so a script that uses none pays nothing.

mod clone;
mod params;
mod text;
mod url;

use loadline_js::{Ctx, Exception, Value};

/// Adds the globals.
pub(super) fn install_globals(ctx: &Ctx) -> Result<(), Exception> {
    type Make = fn(&Ctx) -> Result<Value, Exception>;
    let globals: [(&str, Make); 5] = [
        ("URL", url::class),
        ("URLSearchParams", params::class),
        ("TextEncoder", text::encoder),
        ("TextDecoder", text::decoder),
        ("structuredClone", clone::function),
    ];
    let global = ctx.global();
    for (name, make) in globals {
        global.lazy(name, move |ctx, _| make(ctx))?;
    }
    Ok(())
}

/// An iterator over `values`, as arrays give one.
fn iterator(ctx: &Ctx, values: Vec<Value>) -> Result<Value, Exception> {
    ctx.array(values)?.call_method("values", &[])
}

/// The key under which an object says how it is iterated over.
fn iterator_key(ctx: &Ctx) -> Result<Value, Exception> {
    ctx.global().get("Symbol")?.get("iterator")
}

/// Lets objects of a prototype be iterated over by `function`.
fn iterate_by(ctx: &Ctx, prototype: &Value, function: &Value) -> Result<(), Exception> {
    let described = ctx.object()?;
    described.set("value", function)?;
    described.set("configurable", true)?;
    described.set("writable", true)?;
    let parts = [prototype.clone(), iterator_key(ctx)?, described];
    let reflect = ctx.global().get("Reflect")?;
    reflect.call_method("defineProperty", &parts).map(drop)
}

/// Whether an object can be iterated over.
fn is_iterable(ctx: &Ctx, object: &Value) -> Result<bool, Exception> {
    let reflect = ctx.global().get("Reflect")?;
    let found = reflect.call_method("get", &[object.clone(), iterator_key(ctx)?])?;
    Ok(found.is_function())
}
