//! The consolidated options in the script's own `options`, as k6 puts them there for each user.

use std::rc::Rc;

use loadline_js::{Ctx, Exception, Value};

use crate::host::TestShared;

/// The values, made once in each realm; users get copies that have the texts in common.
struct Written(Value);

/// Sets the options of the run in what the script exports as `options`, if it is an object.
/// Does nothing while the script is first read.
pub(super) fn write(ctx: &Ctx, shared: &TestShared, exports: &Value) -> Result<(), Exception> {
    let Some(run) = shared.run.get() else {
        return Ok(());
    };
    let options = exports.get("options")?;
    if !options.is_object() {
        return Ok(());
    }
    let written = match ctx.common::<Written>() {
        Some(written) => written.0.clone(),
        None => {
            let made = ctx.parse_json(run.options_written.to_string())?;
            ctx.set_common(Rc::new(Written(made.clone())));
            made
        }
    };
    // As in k6, each is tried, and the last one that fails is told.
    let mut refused = Ok(());
    for key in written.keys()? {
        // Scenarios cannot be read there in k6; the script's own can here.
        if key.to_text() == "scenarios" && options.has(&key)? {
            continue;
        }
        if let Err(error) = options.set(&key, copy(ctx, &written.get(&key)?)?) {
            refused = Err(error);
        }
    }
    refused
}

fn copy(ctx: &Ctx, value: &Value) -> Result<Value, Exception> {
    if value.is_array() {
        let items = value.elements()?;
        let copies: Result<Vec<Value>, Exception> = items.iter().map(|i| copy(ctx, i)).collect();
        return ctx.array(copies?);
    }
    if !value.is_object() {
        return Ok(value.clone());
    }
    let object = ctx.object()?;
    for key in value.keys()? {
        object.set(&key, copy(ctx, &value.get(&key)?)?)?;
    }
    Ok(object)
}
