//! Which response statuses a script expects.

use std::rc::Rc;

use loadline_js::{Args, Ctx, Exception, Value};

use super::go_error;
use super::user::{HttpUser, Prototypes};

/// Decides whether a response was expected.
#[derive(Debug, Clone, Default)]
pub(super) enum Callback {
    /// 200 to 399.
    #[default]
    Usual,
    /// Any of these ranges, ends included.
    Within(Rc<[(f64, f64)]>),
    /// Not tracked: no metric, no tag.
    Nothing,
}

impl Callback {
    /// Whether `status` is expected; `None` when this is not tracked.
    pub(super) fn expects(&self, status: u16) -> Option<bool> {
        match self {
            Self::Usual => Some((200..400).contains(&status)),
            Self::Within(ranges) => {
                let status = f64::from(status);
                let within = |(min, max): &(f64, f64)| *min <= status && status <= *max;
                Some(ranges.iter().any(within))
            }
            Self::Nothing => None,
        }
    }

    /// The callback that a script passes; `None` when the value is not one.
    pub(super) fn of(value: &Value) -> Option<Self> {
        if value.is_nullish() {
            return Some(Self::Nothing);
        }
        let expected = value.host::<ExpectedStatuses>()?;
        Some(Self::Within(expected.0.clone()))
    }
}

/// The object that `expectedStatuses` returns.
struct ExpectedStatuses(Rc<[(f64, f64)]>);

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
    let proto = Prototypes::of(ctx).callback_proto.clone();
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
    match Callback::of(&args.get(0)) {
        Some(callback) => {
            *HttpUser::of(ctx).callback.borrow_mut() = callback;
            Ok(())
        }
        None => Err(go_error(
            ctx,
            "unsupported argument, expected http.expectedStatuses",
        )),
    }
}
