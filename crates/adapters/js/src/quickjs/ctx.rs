//! [`Ctx`]: a runtime as native code sees it.

use std::ffi::CString;
use std::rc::Rc;

use crate::ffi::{self, JSValue};
use crate::quickjs::handles::{Ctx, Exception, Runtime, Value};
use crate::quickjs::{Atom, json};

impl Ctx {
    pub(crate) const fn new(runtime: Rc<Runtime>) -> Self {
        Self(runtime)
    }

    pub(crate) const fn from_runtime(runtime: &Rc<Runtime>) -> &Self {
        // SAFETY: Ctx is a transparent wrapper of Rc<Runtime>.
        unsafe { &*std::ptr::from_ref(runtime).cast::<Self>() }
    }

    pub(crate) const fn runtime(&self) -> &Rc<Runtime> {
        &self.0
    }

    fn adopt(&self, raw: JSValue) -> Value {
        Value::adopt(&self.0, raw)
    }

    /// `undefined`
    #[must_use]
    pub fn undefined(&self) -> Value {
        self.adopt(JSValue::UNDEFINED)
    }

    /// `null`
    #[must_use]
    pub fn null(&self) -> Value {
        self.adopt(JSValue::NULL)
    }

    /// A boolean.
    #[must_use]
    pub fn bool(&self, value: bool) -> Value {
        self.adopt(JSValue::bool(value))
    }

    /// A number; whole ones in 32 bits are stored as such.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::float_cmp,
        reason = "compared with what it was truncated to"
    )]
    pub fn number(&self, value: f64) -> Value {
        let whole = value as i32;
        let is_whole = f64::from(whole) == value && (whole != 0 || value.is_sign_positive());
        self.adopt(if is_whole {
            JSValue::int(whole)
        } else {
            JSValue::float(value)
        })
    }

    /// A bigint.
    #[must_use]
    pub fn bigint(&self, value: i64) -> Value {
        // SAFETY: the context is alive.
        self.adopt(unsafe { ffi::JS_NewBigInt64(self.0.ctx, value) })
    }

    /// A string.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn string(&self, text: &str) -> Result<Value, Exception> {
        // SAFETY: pointer and length describe the text.
        self.0
            .check(unsafe { ffi::JS_NewStringLen(self.0.ctx, text.as_ptr().cast(), text.len()) })
    }

    /// A string of UTF-16 code units, lone surrogates included.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn string_utf16(&self, units: &[u16]) -> Result<Value, Exception> {
        // SAFETY: pointer and length describe the units.
        self.0
            .check(unsafe { ffi::JS_NewStringUTF16(self.0.ctx, units.as_ptr(), units.len()) })
    }

    /// A new symbol.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn symbol(&self, description: &str) -> Result<Value, Exception> {
        let text = c_string(description);
        // SAFETY: the text ends with NUL.
        self.0
            .check(unsafe { ffi::JS_NewSymbol(self.0.ctx, text.as_ptr(), false) })
    }

    /// `{}`
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn object(&self) -> Result<Value, Exception> {
        // SAFETY: the context is alive.
        self.0.check(unsafe { ffi::JS_NewObject(self.0.ctx) })
    }

    /// `Object.create(proto)`
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn object_of(&self, proto: &Value) -> Result<Value, Exception> {
        let proto = proto.raw_in(&self.0);
        // SAFETY: the prototype is alive.
        self.0
            .check(unsafe { ffi::JS_NewObjectProto(self.0.ctx, proto) })
    }

    /// An array of these values.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn array(&self, values: impl IntoIterator<Item = Value>) -> Result<Value, Exception> {
        let raw: Vec<JSValue> = values
            .into_iter()
            .map(|value| {
                value.raw_in(&self.0);
                value.into_raw()
            })
            .collect();
        let count =
            i32::try_from(raw.len()).map_err(|_| Exception::range_error("Invalid array length"))?;
        // SAFETY: the values are given away.
        self.0
            .check(unsafe { ffi::JS_NewArrayFrom(self.0.ctx, count, raw.as_ptr()) })
    }

    /// `new Date(epoch_ms)`
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn date(&self, epoch_ms: f64) -> Result<Value, Exception> {
        // SAFETY: the context is alive.
        self.0
            .check(unsafe { ffi::JS_NewDate(self.0.ctx, epoch_ms) })
    }

    /// `JSON.parse(text)`
    ///
    /// # Errors
    ///
    /// A `SyntaxError`.
    pub fn parse_json(&self, text: impl AsRef<[u8]>) -> Result<Value, Exception> {
        let text = text.as_ref();
        if let Some(value) = json::parse(&self.0, text) {
            return self.0.check(value);
        }
        let mut text = text.to_vec();
        let len = text.len();
        text.push(0);
        // SAFETY: len bytes followed by NUL, as JS_ParseJSON wants.
        self.0.check(unsafe {
            ffi::JS_ParseJSON(self.0.ctx, text.as_ptr().cast(), len, c"<json>".as_ptr())
        })
    }

    /// Runs a classic script and gives its completion value.
    ///
    /// # Errors
    ///
    /// What it threw; a `SyntaxError`.
    pub fn eval(&self, source: &str, file: &str) -> Result<Value, Exception> {
        let (text, file) = (nul_terminated(source), c_string(file));
        // SAFETY: len bytes followed by NUL, as JS_Eval wants.
        self.0.check(unsafe {
            ffi::JS_Eval(
                self.0.ctx,
                text.as_ptr().cast(),
                source.len(),
                file.as_ptr(),
                ffi::EVAL_TYPE_GLOBAL,
            )
        })
    }

    /// The global object.
    #[must_use]
    pub fn global(&self) -> Value {
        // SAFETY: the context is alive.
        self.adopt(unsafe { ffi::JS_GetGlobalObject(self.0.ctx) })
    }

    /// A property name, interned.
    #[must_use]
    pub fn atom(&self, name: &str) -> Atom {
        Atom::new(&self.0, name)
    }

    /// A property name that stays interned as long as the runtime: found again by the
    /// address of the literal, without hashing its text.
    #[must_use]
    pub fn intern(&self, name: &'static str) -> Atom {
        let key = (name.as_ptr().addr(), name.len());
        let known = self.0.interned.borrow().get(&key).copied();
        let raw = known.unwrap_or_else(|| {
            // SAFETY: pointer and length describe the name; the map owns the atom.
            let raw = unsafe { ffi::JS_NewAtomLen(self.0.ctx, name.as_ptr().cast(), name.len()) };
            self.0.interned.borrow_mut().insert(key, raw);
            raw
        });
        Atom::borrow_raw(&self.0, raw)
    }

    /// Seeds `Math.random`.
    pub fn seed_random(&self, seed: u64) {
        // SAFETY: the context is alive.
        unsafe { ffi::csrc::host_seed_random(self.0.ctx, seed) };
    }
}

/// A C string; NUL bytes inside, which no name has, end it early.
pub(crate) fn c_string(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).expect("the text ends before the first NUL")
}

pub(crate) fn nul_terminated(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() + 1);
    bytes.extend_from_slice(text.as_bytes());
    bytes.push(0);
    bytes
}
