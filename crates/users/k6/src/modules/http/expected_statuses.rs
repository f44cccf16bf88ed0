//! `expectedStatuses` and `setResponseCallback`: how scripts say which statuses they expect.

use std::rc::Rc;

use loadline_js::{Args, Ctx, Exception, Value};

use super::callback::{Callback, ExpectedStatuses};
use super::prototypes::Prototypes;
use super::user::HttpUser;
use crate::modules::go_error::go_error;

/// `expectedStatuses(200, {min: 300, max: 399})`
pub(super) fn expected_statuses(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    if args.is_empty() {
        return Err(go_error(ctx, "no arguments"));
    }
    let mut ranges = Vec::with_capacity(args.len());
    for (index, value) in args.rest(0).iter().enumerate() {
        let Some(range) = range_of(value)? else {
            return Err(go_error(
                ctx,
                format!(
                    "argument number {} to expectedStatuses was neither an integer nor an object like {{min:100, max:329}}",
                    index + 1
                ),
            ));
        };
        ranges.push(range);
    }
    let proto = Prototypes::from_ctx(ctx).callback_proto.clone();
    ctx.host_object(&proto, Rc::new(ExpectedStatuses(ranges.into())))
}

fn range_of(value: &Value) -> Result<Option<(f64, f64)>, Exception> {
    let whole = |value: &Value| value.as_f64().filter(|number| number.fract() == 0.0);
    if let Some(number) = whole(value) {
        return Ok(Some((number, number)));
    }
    if !value.is_object() {
        return Ok(None);
    }
    let (min, max) = (value.get("min")?, value.get("max")?);
    Ok(whole(&min).zip(whole(&max)))
}

/// `setResponseCallback(callback)`
pub(super) fn set(ctx: &Ctx, args: &Args<'_>) -> Result<(), Exception> {
    match Callback::from_value(&args.get(0)) {
        Some(callback) => {
            *HttpUser::from_ctx(ctx).callback.borrow_mut() = callback;
            Ok(())
        }
        None => Err(go_error(
            ctx,
            "unsupported argument, expected http.expectedStatuses",
        )),
    }
}
