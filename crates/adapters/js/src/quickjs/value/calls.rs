//! Calling a [`Value`], and its JSON, which calls it too.

use super::Value;
use crate::ffi::{self, JSValue};
use crate::quickjs::{Exception, Key};

/// Calls; these may run JavaScript.
impl Value {
    /// `value.call(this, ...args)`
    ///
    /// # Errors
    ///
    /// What the function threw; a `TypeError` when it is not callable.
    pub fn call(&self, this: &Self, args: &[Self]) -> Result<Self, Exception> {
        let this = this.raw_in(&self.runtime);
        let (argc, argv) = self.raw_args(args);
        // SAFETY: all values are owned for the duration of the call.
        let raw = unsafe { ffi::JS_Call(self.ctx(), self.raw, this, argc, argv.as_ptr()) };
        self.runtime.check(raw)
    }

    /// `value(...args)` with `this` undefined.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    pub fn invoke(&self, args: &[Self]) -> Result<Self, Exception> {
        let (argc, argv) = self.raw_args(args);
        // SAFETY: all values are owned for the duration of the call.
        let raw = unsafe {
            ffi::JS_Call(
                self.ctx(),
                self.raw,
                JSValue::UNDEFINED,
                argc,
                argv.as_ptr(),
            )
        };
        self.runtime.check(raw)
    }

    /// `value[method](...args)`
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    pub fn call_method(&self, method: impl Key, args: &[Self]) -> Result<Self, Exception> {
        self.get(method)?.call(self, args)
    }

    /// `new value(...args)`
    ///
    /// # Errors
    ///
    /// What the constructor threw; a `TypeError` when the value is not a constructor.
    pub fn construct(&self, args: &[Self]) -> Result<Self, Exception> {
        let (argc, argv) = self.raw_args(args);
        // SAFETY: all values are owned for the duration of the call.
        let raw = unsafe { ffi::JS_CallConstructor(self.ctx(), self.raw, argc, argv.as_ptr()) };
        self.runtime.check(raw)
    }

    fn raw_args(&self, args: &[Self]) -> (i32, RawArgs) {
        let argc = i32::try_from(args.len()).expect("a call has far fewer arguments");
        (
            argc,
            RawArgs::new(args.iter().map(|arg| arg.raw_in(&self.runtime))),
        )
    }

    /// `JSON.stringify(value)`; `None` where that gives `undefined`.
    ///
    /// # Errors
    ///
    /// What `toJSON` threw; a `TypeError` for cycles and bigints.
    pub fn to_json(&self) -> Result<Option<String>, Exception> {
        self.to_json_indented(0)
    }

    /// `JSON.stringify(value, null, indent)`
    ///
    /// # Errors
    ///
    /// As [`to_json`](Self::to_json).
    pub fn to_json_indented(&self, indent: u8) -> Result<Option<String>, Exception> {
        let space = JSValue::int(i32::from(indent));
        // SAFETY: self owns the value; the others are not counted.
        let raw = unsafe { ffi::JS_JSONStringify(self.ctx(), self.raw, JSValue::UNDEFINED, space) };
        Ok(self.runtime.check(raw)?.as_text())
    }
}

/// The raw arguments of a call; short lists stay on the stack.
struct RawArgs {
    short: [JSValue; 4],
    long: Vec<JSValue>,
}

impl RawArgs {
    fn new(values: impl ExactSizeIterator<Item = JSValue>) -> Self {
        let mut short = [JSValue::UNDEFINED; 4];
        let mut long = Vec::new();
        if values.len() <= short.len() {
            short
                .iter_mut()
                .zip(values)
                .for_each(|(place, value)| *place = value);
        } else {
            long.extend(values);
        }
        Self { short, long }
    }

    fn as_ptr(&self) -> *const JSValue {
        if self.long.is_empty() {
            self.short.as_ptr()
        } else {
            self.long.as_ptr()
        }
    }
}
