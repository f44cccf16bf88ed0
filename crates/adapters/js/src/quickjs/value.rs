//! [`Value`]: an owned reference to a JavaScript value.

mod calls;
mod kinds;
mod properties;

use std::ops::Deref;
use std::rc::Rc;

use crate::ffi::{self, JSValue};
use crate::quickjs::handles::{Exception, Runtime, Value};

pub use properties::Attributes;

impl Value {
    /// Takes over a reference QuickJS handed out.
    pub(crate) fn adopt(runtime: &Rc<Runtime>, raw: JSValue) -> Self {
        Self {
            raw,
            runtime: Rc::clone(runtime),
        }
    }

    /// A new reference to a value that has another owner.
    pub(crate) fn borrow_raw(runtime: &Rc<Runtime>, raw: JSValue) -> Self {
        if raw.has_ref_count() {
            // SAFETY: the caller's value is alive.
            unsafe { ffi::JS_DupValue(runtime.ctx, raw) };
        }
        Self::adopt(runtime, raw)
    }

    /// Gives the reference away.
    pub(crate) fn into_raw(self) -> JSValue {
        let this = std::mem::ManuallyDrop::new(self);
        // SAFETY: `this` is never used again, so the Rc is moved out exactly once.
        drop(unsafe { std::ptr::read(&raw const this.runtime) });
        this.raw
    }

    pub(crate) const fn raw(&self) -> JSValue {
        self.raw
    }

    pub(crate) const fn runtime(&self) -> &Rc<Runtime> {
        &self.runtime
    }

    /// The raw value, checked to belong to `runtime`.
    pub(crate) fn raw_in(&self, runtime: &Rc<Runtime>) -> JSValue {
        assert!(
            Rc::ptr_eq(&self.runtime, runtime),
            "a value was used in another runtime"
        );
        self.raw
    }

    fn ctx(&self) -> *mut ffi::JSContext {
        self.runtime.ctx
    }
}

/// Reading primitives.
impl Value {
    /// The boolean, if it is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        self.is_bool().then(|| self.truthy())
    }

    /// The number, if it is one.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "an int value is its low 32 bits"
    )]
    pub fn as_f64(&self) -> Option<f64> {
        match self.raw.tag {
            ffi::TAG_INT => Some(f64::from(self.raw.payload as u32 as i32)),
            ffi::TAG_FLOAT64 => Some(f64::from_bits(self.raw.payload)),
            _ => None,
        }
    }

    /// The string, if it is one. Lone surrogates become U+FFFD.
    #[must_use]
    pub fn as_text(&self) -> Option<String> {
        if !self.is_string() {
            return None;
        }
        self.text().ok().map(|text| text.to_owned())
    }

    /// JavaScript truthiness.
    #[must_use]
    pub fn truthy(&self) -> bool {
        // SAFETY: self owns the value; ToBoolean runs no code.
        unsafe { ffi::JS_ToBool(self.ctx(), self.raw) > 0 }
    }

    /// `Number(value)`
    ///
    /// # Errors
    ///
    /// What `valueOf` threw; a `TypeError` for symbols and bigints.
    pub fn to_number(&self) -> Result<f64, Exception> {
        if let Some(number) = self.as_f64() {
            return Ok(number);
        }
        let mut number = 0.0;
        // SAFETY: self owns the value, the result is a local.
        let code = unsafe { ffi::JS_ToFloat64(self.ctx(), &raw mut number, self.raw) };
        self.runtime.check_int(code)?;
        Ok(number)
    }

    /// `value | 0`
    ///
    /// # Errors
    ///
    /// As [`to_number`](Self::to_number).
    pub fn to_i32(&self) -> Result<i32, Exception> {
        let mut number = 0;
        // SAFETY: self owns the value, the result is a local.
        let code = unsafe { ffi::JS_ToInt32(self.ctx(), &raw mut number, self.raw) };
        self.runtime.check_int(code)?;
        Ok(number)
    }

    /// The integer part, saturating; bigints are accepted.
    ///
    /// # Errors
    ///
    /// What `valueOf` threw; a `TypeError` for symbols.
    pub fn to_i64(&self) -> Result<i64, Exception> {
        let mut number = 0;
        // SAFETY: self owns the value, the result is a local.
        let code = unsafe { ffi::JS_ToInt64Ext(self.ctx(), &raw mut number, self.raw) };
        self.runtime.check_int(code)?;
        Ok(number)
    }

    /// `String(value)` without copying where QuickJS stores it as ASCII.
    ///
    /// # Errors
    ///
    /// What `toString` threw; a `TypeError` for symbols.
    pub fn text(&self) -> Result<Text, Exception> {
        let mut len = 0;
        // SAFETY: self owns the value; the pointer is valid until JS_FreeCString.
        let ptr = unsafe { ffi::JS_ToCStringLen2(self.ctx(), &raw mut len, self.raw, false) };
        if ptr.is_null() {
            return Err(self.runtime.take_exception());
        }
        // SAFETY: ptr and len describe the bytes of the C string.
        let bytes = unsafe { std::slice::from_raw_parts(ptr.cast::<u8>(), len) };
        let lossy = match std::str::from_utf8(bytes) {
            Ok(_) => None,
            Err(_) => Some(String::from_utf8_lossy(bytes).into_owned()),
        };
        Ok(Text {
            ptr,
            len,
            lossy,
            runtime: Rc::clone(&self.runtime),
        })
    }

    /// `String(value)` as an owned string.
    ///
    /// # Errors
    ///
    /// As [`text`](Self::text).
    pub fn to_text(&self) -> Result<String, Exception> {
        Ok(self.text()?.to_owned())
    }
}

impl Clone for Value {
    fn clone(&self) -> Self {
        Self::borrow_raw(&self.runtime, self.raw)
    }
}

impl Drop for Value {
    fn drop(&mut self) {
        if self.raw.has_ref_count() {
            // SAFETY: self owns one reference and the runtime is alive.
            unsafe { ffi::JS_FreeValueRT(self.runtime.rt, self.raw) };
        }
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(
            crate::quickjs::inspect(self)
                .as_deref()
                .unwrap_or("[unreadable]"),
        )
    }
}

/// The text of a string value, borrowed from QuickJS while it lives.
pub struct Text {
    ptr: *const std::ffi::c_char,
    len: usize,
    /// Set when the string has lone surrogates.
    lossy: Option<String>,
    runtime: Rc<Runtime>,
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        if let Some(lossy) = &self.lossy {
            return lossy;
        }
        // SAFETY: the bytes are valid until drop and were checked to be UTF-8.
        unsafe {
            std::str::from_utf8_unchecked(std::slice::from_raw_parts(self.ptr.cast(), self.len))
        }
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        // SAFETY: the pointer came from JS_ToCStringLen2 of this context.
        unsafe { ffi::JS_FreeCString(self.runtime.ctx, self.ptr) };
    }
}
