//! [`Value`]: an owned reference to a JavaScript value.

use std::ops::Deref;
use std::rc::Rc;

use crate::atom::{Atom, Key};
use crate::convert::IntoJs;
use crate::ctx::Ctx;
use crate::exception::Exception;
use crate::ffi::{self, JSValue};
use crate::inner::Inner;

/// An owned JavaScript value of one runtime. Cloning counts a reference, dropping
/// releases it.
///
/// # Panics
///
/// Methods that take another value panic when it belongs to another runtime.
pub struct Value {
    raw: JSValue,
    inner: Rc<Inner>,
}

impl Value {
    /// Takes over a reference QuickJS handed out.
    pub(crate) fn adopt(inner: &Rc<Inner>, raw: JSValue) -> Self {
        Self {
            raw,
            inner: Rc::clone(inner),
        }
    }

    /// A new reference to a value somebody else owns.
    pub(crate) fn borrow_raw(inner: &Rc<Inner>, raw: JSValue) -> Self {
        if raw.has_ref_count() {
            // SAFETY: the caller's value is alive.
            unsafe { ffi::JS_DupValue(inner.ctx, raw) };
        }
        Self::adopt(inner, raw)
    }

    /// Gives the reference away.
    pub(crate) fn into_raw(self) -> JSValue {
        let this = std::mem::ManuallyDrop::new(self);
        // SAFETY: `this` is never used again, so the Rc is moved out exactly once.
        drop(unsafe { std::ptr::read(&raw const this.inner) });
        this.raw
    }

    pub(crate) const fn raw(&self) -> JSValue {
        self.raw
    }

    pub(crate) const fn inner(&self) -> &Rc<Inner> {
        &self.inner
    }

    /// The raw value, checked to belong to `inner`.
    pub(crate) fn raw_in(&self, inner: &Rc<Inner>) -> JSValue {
        assert!(
            Rc::ptr_eq(&self.inner, inner),
            "a value was used in another runtime"
        );
        self.raw
    }

    fn ctx(&self) -> *mut ffi::JSContext {
        self.inner.ctx
    }
}

/// What kind of value it is; none of these run code.
impl Value {
    /// `undefined`
    #[must_use]
    pub fn is_undefined(&self) -> bool {
        self.raw.tag == ffi::TAG_UNDEFINED
    }

    /// `null`
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.raw.tag == ffi::TAG_NULL
    }

    /// `undefined` or `null`
    #[must_use]
    pub fn is_nullish(&self) -> bool {
        self.is_undefined() || self.is_null()
    }

    /// A boolean primitive.
    #[must_use]
    pub fn is_bool(&self) -> bool {
        self.raw.tag == ffi::TAG_BOOL
    }

    /// A number primitive.
    #[must_use]
    pub fn is_number(&self) -> bool {
        matches!(self.raw.tag, ffi::TAG_INT | ffi::TAG_FLOAT64)
    }

    /// A string primitive.
    #[must_use]
    pub fn is_string(&self) -> bool {
        matches!(self.raw.tag, ffi::TAG_STRING | ffi::TAG_STRING_ROPE)
    }

    /// A symbol.
    #[must_use]
    pub fn is_symbol(&self) -> bool {
        self.raw.tag == ffi::TAG_SYMBOL
    }

    /// A bigint primitive.
    #[must_use]
    pub fn is_bigint(&self) -> bool {
        matches!(self.raw.tag, ffi::TAG_BIG_INT | ffi::TAG_SHORT_BIG_INT)
    }

    /// An object of any kind, functions included.
    #[must_use]
    pub fn is_object(&self) -> bool {
        self.raw.tag == ffi::TAG_OBJECT
    }

    /// Callable.
    #[must_use]
    pub fn is_function(&self) -> bool {
        // SAFETY: self owns the value.
        self.is_object() && unsafe { ffi::JS_IsFunction(self.ctx(), self.raw) }
    }

    /// An `async` function (or async generator).
    #[must_use]
    pub fn is_async_function(&self) -> bool {
        // SAFETY: self owns the value.
        self.is_object() && unsafe { ffi::JS_IsAsyncFunction(self.raw) }
    }

    /// An array (not a proxy of one).
    #[must_use]
    pub fn is_array(&self) -> bool {
        // SAFETY: self owns the value.
        unsafe { ffi::JS_IsArray(self.raw) }
    }

    /// An instance of `Error` or of a class extending it.
    #[must_use]
    pub fn is_error(&self) -> bool {
        // SAFETY: self owns the value.
        unsafe { ffi::JS_IsError(self.raw) }
    }

    /// A `Date`.
    #[must_use]
    pub fn is_date(&self) -> bool {
        // SAFETY: self owns the value.
        unsafe { ffi::JS_IsDate(self.raw) }
    }

    /// A `Map`.
    #[must_use]
    pub fn is_map(&self) -> bool {
        // SAFETY: self owns the value.
        unsafe { ffi::JS_IsMap(self.raw) }
    }

    /// A `Set`.
    #[must_use]
    pub fn is_set(&self) -> bool {
        // SAFETY: self owns the value.
        unsafe { ffi::JS_IsSet(self.raw) }
    }

    /// A `RegExp`.
    #[must_use]
    pub fn is_regexp(&self) -> bool {
        // SAFETY: self owns the value.
        unsafe { ffi::JS_IsRegExp(self.raw) }
    }

    /// A `Proxy`.
    #[must_use]
    pub fn is_proxy(&self) -> bool {
        // SAFETY: self owns the value.
        unsafe { ffi::JS_IsProxy(self.raw) }
    }

    /// Whether nobody else holds this object, so that no script can see what becomes of it.
    #[must_use]
    pub fn is_sole(&self) -> bool {
        // SAFETY: the value is owned.
        unsafe { ffi::host_ref_count(self.raw) == 1 }
    }

    /// `===`
    #[must_use]
    pub fn strict_equals(&self, other: &Self) -> bool {
        let other = other.raw_in(&self.inner);
        // SAFETY: both values are owned.
        unsafe { ffi::JS_IsStrictEqual(self.ctx(), self.raw, other) }
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
        self.inner.check_int(code)?;
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
        self.inner.check_int(code)?;
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
        self.inner.check_int(code)?;
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
            return Err(self.inner.take_exception());
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
            inner: Rc::clone(&self.inner),
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

/// Properties and calls; these may run JavaScript.
impl Value {
    /// `value[key]`
    ///
    /// # Errors
    ///
    /// What a getter threw; a `TypeError` on `undefined` and `null`.
    pub fn get(&self, key: impl Key) -> Result<Self, Exception> {
        // SAFETY: self owns the value and the key its atom.
        let raw = key.with(&self.inner, |atom| unsafe {
            ffi::JS_GetProperty(self.ctx(), self.raw, atom)
        });
        self.inner.check(raw)
    }

    /// `value[index]`
    ///
    /// # Errors
    ///
    /// As [`get`](Self::get).
    pub fn at(&self, index: u32) -> Result<Self, Exception> {
        // SAFETY: self owns the value.
        let raw = unsafe { ffi::JS_GetPropertyUint32(self.ctx(), self.raw, index) };
        self.inner.check(raw)
    }

    /// `value[key] = item`
    ///
    /// # Errors
    ///
    /// What a setter threw; a `TypeError` when the property cannot be set.
    pub fn set(&self, key: impl Key, item: impl IntoJs) -> Result<(), Exception> {
        let item = item.into_js(Ctx::of(&self.inner))?;
        item.raw_in(&self.inner);
        let item = item.into_raw();
        // SAFETY: self owns the value, the key its atom; the item is given away.
        let code = key.with(&self.inner, |atom| unsafe {
            ffi::JS_SetProperty(self.ctx(), self.raw, atom, item)
        });
        self.inner.check_int(code).map(drop)
    }

    /// `value[index] = item`
    ///
    /// # Errors
    ///
    /// As [`set`](Self::set).
    pub fn set_at(&self, index: u32, item: impl IntoJs) -> Result<(), Exception> {
        let item = item.into_js(Ctx::of(&self.inner))?;
        item.raw_in(&self.inner);
        // SAFETY: self owns the value; the item is given away.
        let code =
            unsafe { ffi::JS_SetPropertyUint32(self.ctx(), self.raw, index, item.into_raw()) };
        self.inner.check_int(code).map(drop)
    }

    /// Defines an own data property with the given attributes.
    ///
    /// # Errors
    ///
    /// A `TypeError` when the object refuses it.
    pub fn define(
        &self,
        key: impl Key,
        item: impl IntoJs,
        attributes: Attributes,
    ) -> Result<(), Exception> {
        let item = item.into_js(Ctx::of(&self.inner))?;
        item.raw_in(&self.inner);
        let item = item.into_raw();
        // SAFETY: self owns the value, the key its atom; the item is given away.
        let code = key.with(&self.inner, |atom| unsafe {
            ffi::JS_DefinePropertyValue(
                self.ctx(),
                self.raw,
                atom,
                item,
                attributes.0 | ffi::PROP_THROW,
            )
        });
        self.inner.check_int(code).map(drop)
    }

    /// Defines an own accessor property; enumerable and configurable.
    ///
    /// # Errors
    ///
    /// A `TypeError` when the object refuses it.
    pub fn define_accessor(
        &self,
        key: impl Key,
        getter: Option<&Self>,
        setter: Option<&Self>,
    ) -> Result<(), Exception> {
        let owned = |function: Option<&Self>| {
            function.map_or(JSValue::UNDEFINED, |f| {
                f.raw_in(&self.inner);
                f.clone().into_raw()
            })
        };
        let (getter, setter) = (owned(getter), owned(setter));
        let flags = ffi::PROP_CONFIGURABLE | ffi::PROP_ENUMERABLE | ffi::PROP_THROW;
        // SAFETY: self owns the value, the key its atom; the functions are given away.
        let code = key.with(&self.inner, |atom| unsafe {
            ffi::JS_DefinePropertyGetSet(self.ctx(), self.raw, atom, getter, setter, flags)
        });
        self.inner.check_int(code).map(drop)
    }

    /// `key in value`
    ///
    /// # Errors
    ///
    /// What a proxy threw.
    pub fn has(&self, key: impl Key) -> Result<bool, Exception> {
        // SAFETY: self owns the value and the key its atom.
        let code = key.with(&self.inner, |atom| unsafe {
            ffi::JS_HasProperty(self.ctx(), self.raw, atom)
        });
        Ok(self.inner.check_int(code)? > 0)
    }

    /// `delete value[key]`
    ///
    /// # Errors
    ///
    /// A `TypeError` when the property cannot be deleted.
    pub fn delete(&self, key: impl Key) -> Result<(), Exception> {
        // SAFETY: self owns the value and the key its atom.
        let code = key.with(&self.inner, |atom| unsafe {
            ffi::JS_DeleteProperty(self.ctx(), self.raw, atom, ffi::PROP_THROW)
        });
        self.inner.check_int(code).map(drop)
    }

    /// `Object.keys(value)`, in order.
    ///
    /// # Errors
    ///
    /// What a proxy threw.
    pub fn keys(&self) -> Result<Vec<Atom>, Exception> {
        self.property_names(ffi::GPN_STRING_MASK | ffi::GPN_ENUM_ONLY)
    }

    /// Own property names, also those that are not enumerable, and symbols.
    ///
    /// # Errors
    ///
    /// What a proxy threw.
    pub fn own_keys(&self) -> Result<Vec<Atom>, Exception> {
        self.property_names(ffi::GPN_STRING_MASK | ffi::GPN_SYMBOL_MASK)
    }

    fn property_names(&self, flags: i32) -> Result<Vec<Atom>, Exception> {
        if !self.is_object() {
            return Ok(Vec::new());
        }
        let mut table = std::ptr::null_mut();
        let mut len = 0;
        // SAFETY: self owns the value; the table is freed below.
        let code = unsafe {
            ffi::JS_GetOwnPropertyNames(self.ctx(), &raw mut table, &raw mut len, self.raw, flags)
        };
        self.inner.check_int(code)?;
        let mut names = Vec::with_capacity(len as usize);
        for i in 0..len as usize {
            // SAFETY: the table has len entries whose atoms it owns until freed.
            names.push(Atom::borrow_raw(&self.inner, unsafe {
                (*table.add(i)).atom
            }));
        }
        // SAFETY: the table came from JS_GetOwnPropertyNames.
        unsafe { ffi::JS_FreePropertyEnum(self.ctx(), table, len) };
        Ok(names)
    }

    /// `value.length` as an array length.
    ///
    /// # Errors
    ///
    /// What a getter threw.
    pub fn length(&self) -> Result<u32, Exception> {
        let mut len = 0;
        // SAFETY: self owns the value, the result is a local.
        let code = unsafe { ffi::JS_GetLength(self.ctx(), self.raw, &raw mut len) };
        self.inner.check_int(code)?;
        Ok(u32::try_from(len).unwrap_or(u32::MAX))
    }

    /// The elements `0..length`.
    ///
    /// # Errors
    ///
    /// What a getter threw.
    pub fn elements(&self) -> Result<Vec<Self>, Exception> {
        (0..self.length()?).map(|i| self.at(i)).collect()
    }

    /// Appends to an array.
    ///
    /// # Errors
    ///
    /// As [`set`](Self::set).
    pub fn push(&self, item: impl IntoJs) -> Result<(), Exception> {
        self.set_at(self.length()?, item)
    }

    /// `Object.freeze(value)`
    ///
    /// # Errors
    ///
    /// What a proxy threw.
    pub fn freeze(&self) -> Result<(), Exception> {
        // SAFETY: self owns the value.
        let code = unsafe { ffi::JS_FreezeObject(self.ctx(), self.raw) };
        self.inner.check_int(code).map(drop)
    }

    /// `Object.getPrototypeOf(value)`
    ///
    /// # Errors
    ///
    /// What a proxy threw.
    pub fn prototype(&self) -> Result<Self, Exception> {
        // SAFETY: self owns the value.
        let raw = unsafe { ffi::JS_GetPrototype(self.ctx(), self.raw) };
        self.inner.check(raw)
    }

    /// `Object.setPrototypeOf(value, proto)`
    ///
    /// # Errors
    ///
    /// A `TypeError` when the object refuses it.
    pub fn set_prototype(&self, proto: &Self) -> Result<(), Exception> {
        let proto = proto.raw_in(&self.inner);
        // SAFETY: both values are owned.
        let code = unsafe { ffi::JS_SetPrototype(self.ctx(), self.raw, proto) };
        self.inner.check_int(code).map(drop)
    }

    /// `value instanceof class`
    ///
    /// # Errors
    ///
    /// A `TypeError` when `class` is not callable.
    pub fn is_instance_of(&self, class: &Self) -> Result<bool, Exception> {
        let class = class.raw_in(&self.inner);
        // SAFETY: both values are owned.
        let code = unsafe { ffi::JS_IsInstanceOf(self.ctx(), self.raw, class) };
        Ok(self.inner.check_int(code)? > 0)
    }

    /// `value.call(this, ...args)`
    ///
    /// # Errors
    ///
    /// What the function threw; a `TypeError` when it is not callable.
    pub fn call(&self, this: &Self, args: &[Self]) -> Result<Self, Exception> {
        let this = this.raw_in(&self.inner);
        let (argc, argv) = self.raw_args(args);
        // SAFETY: all values are owned for the duration of the call.
        let raw = unsafe { ffi::JS_Call(self.ctx(), self.raw, this, argc, argv.as_ptr()) };
        self.inner.check(raw)
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
        self.inner.check(raw)
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
    /// What the constructor threw; a `TypeError` when it is none.
    pub fn construct(&self, args: &[Self]) -> Result<Self, Exception> {
        let (argc, argv) = self.raw_args(args);
        // SAFETY: all values are owned for the duration of the call.
        let raw = unsafe { ffi::JS_CallConstructor(self.ctx(), self.raw, argc, argv.as_ptr()) };
        self.inner.check(raw)
    }

    fn raw_args(&self, args: &[Self]) -> (i32, RawArgs) {
        let argc = i32::try_from(args.len()).expect("a call has far fewer arguments");
        (
            argc,
            RawArgs::new(args.iter().map(|arg| arg.raw_in(&self.inner))),
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
        Ok(self.inner.check(raw)?.as_text())
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

/// Attributes of a property being defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attributes(i32);

impl Attributes {
    /// Writable, enumerable, configurable: as an assignment makes it.
    pub const ALL: Self = Self(ffi::PROP_C_W_E);
    /// Writable and configurable: as methods of built-in classes are.
    pub const HIDDEN: Self = Self(ffi::PROP_CONFIGURABLE | ffi::PROP_WRITABLE);
    /// Enumerable only: cannot be changed or removed.
    pub const FIXED: Self = Self(ffi::PROP_ENUMERABLE);
    /// Configurable only: as `name` and `length` of functions are.
    pub const CONFIGURABLE: Self = Self(ffi::PROP_CONFIGURABLE);
    /// Neither: as the `prototype` of a class is.
    pub const NONE: Self = Self(0);
}

impl Clone for Value {
    fn clone(&self) -> Self {
        Self::borrow_raw(&self.inner, self.raw)
    }
}

impl Drop for Value {
    fn drop(&mut self) {
        if self.raw.has_ref_count() {
            // SAFETY: self owns one reference and the runtime is alive.
            unsafe { ffi::JS_FreeValueRT(self.inner.rt, self.raw) };
        }
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(
            crate::inspect::inspect(self)
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
    inner: Rc<Inner>,
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
        unsafe { ffi::JS_FreeCString(self.inner.ctx, self.ptr) };
    }
}
