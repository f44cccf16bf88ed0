//! Rust values as JavaScript values.

use crate::quickjs::{Ctx, Exception, Value};

/// A Rust value that can become a JavaScript one.
pub trait IntoJs {
    /// The JavaScript value.
    ///
    /// # Errors
    ///
    /// Out of memory.
    fn into_js(self, ctx: &Ctx) -> Result<Value, Exception>;
}

impl IntoJs for Value {
    fn into_js(self, _: &Ctx) -> Result<Value, Exception> {
        Ok(self)
    }
}

impl IntoJs for &Value {
    fn into_js(self, _: &Ctx) -> Result<Value, Exception> {
        Ok(self.clone())
    }
}

impl IntoJs for () {
    fn into_js(self, ctx: &Ctx) -> Result<Value, Exception> {
        Ok(ctx.undefined())
    }
}

impl IntoJs for bool {
    fn into_js(self, ctx: &Ctx) -> Result<Value, Exception> {
        Ok(ctx.bool(self))
    }
}

macro_rules! number {
    ($($type:ty),*) => {$(
        impl IntoJs for $type {
            fn into_js(self, ctx: &Ctx) -> Result<Value, Exception> {
                Ok(ctx.number(f64::from(self)))
            }
        }
    )*};
}
number!(i8, u8, i16, u16, i32, u32, f32, f64);

macro_rules! wide_number {
    ($($type:ty),*) => {$(
        /// As a number: exact up to 2^53.
        impl IntoJs for $type {
            fn into_js(self, ctx: &Ctx) -> Result<Value, Exception> {
                Ok(ctx.number(self as f64))
            }
        }
    )*};
}
wide_number!(i64, u64, usize);

impl IntoJs for &str {
    fn into_js(self, ctx: &Ctx) -> Result<Value, Exception> {
        ctx.string(self)
    }
}

impl IntoJs for String {
    fn into_js(self, ctx: &Ctx) -> Result<Value, Exception> {
        ctx.string(&self)
    }
}

impl IntoJs for &String {
    fn into_js(self, ctx: &Ctx) -> Result<Value, Exception> {
        ctx.string(self)
    }
}

/// `None` is `undefined`.
impl<T: IntoJs> IntoJs for Option<T> {
    fn into_js(self, ctx: &Ctx) -> Result<Value, Exception> {
        self.map_or_else(|| Ok(ctx.undefined()), |value| value.into_js(ctx))
    }
}

/// An array.
impl<T: IntoJs> IntoJs for Vec<T> {
    fn into_js(self, ctx: &Ctx) -> Result<Value, Exception> {
        let values = self
            .into_iter()
            .map(|v| v.into_js(ctx))
            .collect::<Result<Vec<_>, _>>()?;
        ctx.array(values)
    }
}
