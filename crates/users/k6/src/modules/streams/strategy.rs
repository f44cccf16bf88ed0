//! Queuing strategies: the size of a chunk, and how much may wait in the queue.

use loadline_js::{Args, Attributes, Ctx, Exception, Value};

use super::fail;
use super::prototypes::Prototypes;
use super::source::is_plain;

/// A strategy as a stream was given it, unchecked.
pub(super) struct Strategy {
    high_water_mark: Value,
    size: Option<Value>,
}

/// `new CountQueuingStrategy({highWaterMark})`
pub(super) fn construct(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    if args.len() != 1 {
        let text = "CountQueuingStrategy takes a single argument";
        return Err(Exception::type_error(text));
    }
    let high_water_mark = high_water_mark_of(&args.get(0))?;
    let object = ctx.object()?;
    object.define("highWaterMark", high_water_mark, Attributes::FIXED)?;
    object.define("size", &Prototypes::from_ctx(ctx).size, Attributes::FIXED)?;
    Ok(object)
}

fn high_water_mark_of(value: &Value) -> Result<Value, Exception> {
    if !is_plain(value) {
        let text = "CountQueuingStrategy argument must be an object";
        return Err(Exception::type_error(text));
    }
    let high_water_mark = value.get("highWaterMark")?;
    if high_water_mark.is_nullish() {
        let text = "CountQueuingStrategy argument must have 'highWaterMark' property";
        return Err(Exception::type_error(text));
    }
    Ok(high_water_mark)
}

/// The strategy in a stream's second argument. As in k6 one that has no high water mark is
/// given it.
pub(super) fn of_argument(ctx: &Ctx, given: &Value) -> Result<Strategy, Exception> {
    if given.is_nullish() {
        return Ok(Strategy {
            high_water_mark: ctx.number(1.0),
            size: None,
        });
    }
    // Of the primitives only the object of a string is one that Go sees as a map.
    if !given.is_object() && !given.is_string() {
        high_water_mark_of(given)?;
    }
    let strategy = fail::to_object(ctx, given.clone())?;
    if strategy.get("highWaterMark")?.is_nullish() {
        strategy.set("highWaterMark", 1).map_err(|exception| {
            if exception.is_uncatchable() {
                exception
            } else {
                fail::named(ctx, "RuntimeError", &exception.message())
            }
        })?;
    }
    let size = if strategy.has("size")? {
        Some(strategy.get("size")?)
    } else {
        None
    };
    let high_water_mark = high_water_mark_of(&strategy)?;
    Ok(Strategy {
        high_water_mark,
        size: size.filter(|size| !size.is_nullish()),
    })
}

impl Strategy {
    /// The function that gives the size of a chunk.
    pub(super) fn size_function(&self, ctx: &Ctx) -> Result<Value, Exception> {
        match &self.size {
            None => Ok(Prototypes::from_ctx(ctx).size.clone()),
            Some(size) if size.is_function() => Ok(size.clone()),
            Some(_) => Err(Exception::type_error("size must be a function")),
        }
    }

    /// How much may wait.
    pub(super) fn high_water_mark(&self) -> Result<f64, Exception> {
        let number = self.high_water_mark.as_f64();
        number.filter(|mark| *mark >= 0.0).ok_or_else(|| {
            let text = "highWaterMark must be a non-negative number";
            Exception::range_error(text)
        })
    }
}
