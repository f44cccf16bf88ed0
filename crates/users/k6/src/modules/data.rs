//! `k6/data`: `SharedArray`, made once for the whole process and read-only.
//!
//! The elements are stored once, as JSON text. Reading an element makes a new frozen object
//! each time, so a user keeps no elements in memory.

use std::sync::Arc;

use loadline_js::{Args, Ctx, Exception, Exports, Value};

use crate::host::Host;
use crate::host::lock;
use crate::modules::freeze::freeze;
use crate::modules::go_error::go_error;

/// Makes the array scripts see of a function that reads an element and of the length.
const WRAP: &str = r"(at, length, refuse) => {
  const indexOf = (key) => {
    const index = key >>> 0;
    return index < length && String(index) === key ? index : -1;
  };
  return new Proxy([], {
    get(target, key) {
      if (typeof key === 'symbol') return target[key];
      if (key === 'length') return length;
      // It would change what is out of order only; k6's refuses whatever there is.
      if (key === 'sort' && length > 0) return refuse;
      const index = indexOf(key);
      return index < 0 ? target[key] : at(index);
    },
    has(target, key) {
      return key in target || (typeof key === 'string' && indexOf(key) >= 0);
    },
    ownKeys() {
      return Array.from({ length }, (_, index) => String(index)).concat('length');
    },
    getOwnPropertyDescriptor(target, key) {
      if (key === 'length') return { value: length, writable: true, enumerable: false, configurable: false };
      const index = typeof key === 'string' ? indexOf(key) : -1;
      if (index < 0) return undefined;
      return { value: at(index), writable: true, enumerable: true, configurable: true };
    },
    set: refuse,
    defineProperty: refuse,
    deleteProperty: refuse,
    setPrototypeOf: refuse,
    preventExtensions: refuse,
  });
}";

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    let mut exports = Exports::new();
    let wrap = wrapper(ctx)?;
    let class = ctx.constructor("SharedArray", 2, shared_array)?;
    class.define("wrap", wrap, loadline_js::Attributes::NONE)?;
    // What it makes are arrays, in k6 too; but `instanceof` may be asked.
    class.define("prototype", ctx.object()?, loadline_js::Attributes::NONE)?;
    exports.add("SharedArray", class);
    Ok(exports)
}

/// `new SharedArray(name, make)`
fn shared_array(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    if !args.is_new() {
        return Err(Exception::type_error(
            "Class constructor SharedArray cannot be invoked without 'new'",
        ));
    }
    let host = Host::from_ctx(ctx);
    if !host.is_init() {
        return Err(go_error(
            ctx,
            "new SharedArray must be called in the init context",
        ));
    }
    let name = match args.given(0) {
        Some(name) => name.to_text()?,
        None => String::new(),
    };
    if name.is_empty() {
        return Err(go_error(
            ctx,
            "empty name provided to SharedArray's constructor",
        ));
    }
    let make = args.get(1);
    if !make.is_function() {
        return Err(go_error(
            ctx,
            "a function is expected as the second argument of SharedArray's constructor",
        ));
    }
    if make.is_async_function() {
        return Err(go_error(
            ctx,
            "SharedArray constructor does not support async functions as second argument",
        ));
    }
    let elements = elements_of(ctx, &host, &name, &make)?;
    wrapped(ctx, &args.this().get("wrap")?, elements)
}

/// The function that makes arrays of elements for [`wrapped`].
pub(super) fn wrapper(ctx: &Ctx) -> Result<Value, Exception> {
    ctx.eval(WRAP, "k6/data")
}

/// The array scripts see, by a function of [`wrapper`].
pub(super) fn wrapped(
    ctx: &Ctx,
    wrap: &Value,
    elements: Arc<[Box<str>]>,
) -> Result<Value, Exception> {
    let length = elements.len();
    let at = ctx.function("at", 1, move |ctx, args| {
        let index = args.get(0).to_i64()?;
        let element = usize::try_from(index).ok().and_then(|i| elements.get(i));
        let Some(element) = element else {
            return Ok(ctx.undefined());
        };
        let value = ctx.parse_json(element.as_bytes())?;
        freeze(&value)?;
        Ok(value)
    })?;
    let refuse = ctx.function("sort", 1, |_, _| -> Result<(), Exception> {
        Err(Exception::type_error("SharedArray is immutable"))
    })?;
    wrap.invoke(&[at, ctx.number(length as f64), refuse])
}

/// The elements of the array `name`, made now unless another user made them before.
fn elements_of(
    ctx: &Ctx,
    host: &Host,
    name: &str,
    make: &Value,
) -> Result<Arc<[Box<str>]>, Exception> {
    let shared = &host.shared;
    let known = || lock(&shared.arrays).get(name).cloned();
    if let Some(elements) = known() {
        return Ok(elements);
    }
    // Users of other workers wait here until the first one has them; init code runs to
    // its end without other users of its worker in between, so the wait is for another
    // thread always. An array made within the function of another is under the lock.
    let nested = host.making_array.replace(true);
    let _only_one = (!nested).then(|| lock(&shared.making_array));
    let made = match known() {
        Some(elements) => Ok(elements),
        None => make_elements(ctx, make),
    };
    host.making_array.set(nested);
    let made = made?;
    let mut arrays = lock(&shared.arrays);
    Ok(arrays.entry(name.to_owned()).or_insert(made).clone())
}

fn make_elements(ctx: &Ctx, make: &Value) -> Result<Arc<[Box<str>]>, Exception> {
    let made = make.invoke(&[])?;
    if made.is_nullish() {
        return Err(Exception::type_error(
            "Cannot convert undefined or null to object",
        ));
    }
    if !made.is_array() {
        return Err(go_error(ctx, "only arrays can be made into SharedArray"));
    }
    let length = made.length()?;
    // An array no script can see any more is taken apart on the way, from its end, so that
    // it is not in memory twice.
    let sole = made.is_sole();
    let mut elements = Vec::with_capacity(length as usize);
    for index in (0..length).rev() {
        // What JSON has no word for is null, as within objects in arrays.
        let json = made.at(index)?.to_json()?;
        if sole {
            made.set("length", f64::from(index))?;
        }
        elements.push(json.map_or_else(|| "null".into(), String::into_boxed_str));
    }
    elements.reverse();
    Ok(elements.into())
}
