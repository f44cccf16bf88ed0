//! What kind of value a [`Value`] is.

use super::Value;
use crate::ffi;

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

    /// Whether this is the only reference to the object, so that no script can see changes
    /// to it.
    #[must_use]
    pub fn is_sole(&self) -> bool {
        // SAFETY: the value is owned.
        unsafe { ffi::csrc::host_ref_count(self.raw) == 1 }
    }

    /// `===`
    #[must_use]
    pub fn strict_equals(&self, other: &Self) -> bool {
        let other = other.raw_in(&self.runtime);
        // SAFETY: both values are owned.
        unsafe { ffi::JS_IsStrictEqual(self.ctx(), self.raw, other) }
    }
}
