//! Properties of a [`Value`], its prototype and class.

use crate::ffi::{self, JSValue};
use crate::quickjs::handles::{Ctx, Exception, Value};
use crate::quickjs::{Atom, IntoJs, Key};

/// Properties; these may run JavaScript.
impl Value {
    /// `value[key]`
    ///
    /// # Errors
    ///
    /// What a getter threw; a `TypeError` on `undefined` and `null`.
    pub fn get(&self, key: impl Key) -> Result<Self, Exception> {
        // SAFETY: self owns the value and the key its atom.
        let raw = key.with(&self.runtime, |atom| unsafe {
            ffi::JS_GetProperty(self.ctx(), self.raw, atom)
        });
        self.runtime.check(raw)
    }

    /// `value[index]`
    ///
    /// # Errors
    ///
    /// As [`get`](Self::get).
    pub fn at(&self, index: u32) -> Result<Self, Exception> {
        // SAFETY: self owns the value.
        let raw = unsafe { ffi::JS_GetPropertyUint32(self.ctx(), self.raw, index) };
        self.runtime.check(raw)
    }

    /// `value[key] = item`
    ///
    /// # Errors
    ///
    /// What a setter threw; a `TypeError` when the property cannot be set.
    pub fn set(&self, key: impl Key, item: impl IntoJs) -> Result<(), Exception> {
        let item = item.into_js(Ctx::from_runtime(&self.runtime))?;
        item.raw_in(&self.runtime);
        let item = item.into_raw();
        // SAFETY: self owns the value, the key its atom; the item is given away.
        let code = key.with(&self.runtime, |atom| unsafe {
            ffi::JS_SetProperty(self.ctx(), self.raw, atom, item)
        });
        self.runtime.check_int(code).map(drop)
    }

    /// `value[index] = item`
    ///
    /// # Errors
    ///
    /// As [`set`](Self::set).
    pub fn set_at(&self, index: u32, item: impl IntoJs) -> Result<(), Exception> {
        let item = item.into_js(Ctx::from_runtime(&self.runtime))?;
        item.raw_in(&self.runtime);
        // SAFETY: self owns the value; the item is given away.
        let code =
            unsafe { ffi::JS_SetPropertyUint32(self.ctx(), self.raw, index, item.into_raw()) };
        self.runtime.check_int(code).map(drop)
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
        let item = item.into_js(Ctx::from_runtime(&self.runtime))?;
        item.raw_in(&self.runtime);
        let item = item.into_raw();
        // SAFETY: self owns the value, the key its atom; the item is given away.
        let code = key.with(&self.runtime, |atom| unsafe {
            ffi::JS_DefinePropertyValue(
                self.ctx(),
                self.raw,
                atom,
                item,
                attributes.0 | ffi::PROP_THROW,
            )
        });
        self.runtime.check_int(code).map(drop)
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
                f.raw_in(&self.runtime);
                f.clone().into_raw()
            })
        };
        let (getter, setter) = (owned(getter), owned(setter));
        let flags = ffi::PROP_CONFIGURABLE | ffi::PROP_ENUMERABLE | ffi::PROP_THROW;
        // SAFETY: self owns the value, the key its atom; the functions are given away.
        let code = key.with(&self.runtime, |atom| unsafe {
            ffi::JS_DefinePropertyGetSet(self.ctx(), self.raw, atom, getter, setter, flags)
        });
        self.runtime.check_int(code).map(drop)
    }

    /// Defines an own accessor property that is enumerable and stays as it is.
    ///
    /// # Errors
    ///
    /// A `TypeError` when the object refuses it.
    pub fn define_fixed_accessor(&self, key: impl Key, getter: &Self) -> Result<(), Exception> {
        getter.raw_in(&self.runtime);
        let getter = getter.clone().into_raw();
        let flags = ffi::PROP_ENUMERABLE | ffi::PROP_THROW;
        // SAFETY: self owns the value, the key its atom; the function is given away.
        let code = key.with(&self.runtime, |atom| unsafe {
            ffi::JS_DefinePropertyGetSet(
                self.ctx(),
                self.raw,
                atom,
                getter,
                JSValue::UNDEFINED,
                flags,
            )
        });
        self.runtime.check_int(code).map(drop)
    }

    /// `key in value`
    ///
    /// # Errors
    ///
    /// What a proxy threw.
    pub fn has(&self, key: impl Key) -> Result<bool, Exception> {
        // SAFETY: self owns the value and the key its atom.
        let code = key.with(&self.runtime, |atom| unsafe {
            ffi::JS_HasProperty(self.ctx(), self.raw, atom)
        });
        Ok(self.runtime.check_int(code)? > 0)
    }

    /// `delete value[key]`
    ///
    /// # Errors
    ///
    /// A `TypeError` when the property cannot be deleted.
    pub fn delete(&self, key: impl Key) -> Result<(), Exception> {
        // SAFETY: self owns the value and the key its atom.
        let code = key.with(&self.runtime, |atom| unsafe {
            ffi::JS_DeleteProperty(self.ctx(), self.raw, atom, ffi::PROP_THROW)
        });
        self.runtime.check_int(code).map(drop)
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
        self.runtime.check_int(code)?;
        let mut names = Vec::with_capacity(len as usize);
        for i in 0..len as usize {
            // SAFETY: the table has len entries whose atoms it owns until freed.
            names.push(Atom::borrow_raw(&self.runtime, unsafe {
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
        self.runtime.check_int(code)?;
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
        self.runtime.check_int(code).map(drop)
    }

    /// `Object.getPrototypeOf(value)`
    ///
    /// # Errors
    ///
    /// What a proxy threw.
    pub fn prototype(&self) -> Result<Self, Exception> {
        // SAFETY: self owns the value.
        let raw = unsafe { ffi::JS_GetPrototype(self.ctx(), self.raw) };
        self.runtime.check(raw)
    }

    /// `Object.setPrototypeOf(value, proto)`
    ///
    /// # Errors
    ///
    /// A `TypeError` when the object refuses it.
    pub fn set_prototype(&self, proto: &Self) -> Result<(), Exception> {
        let proto = proto.raw_in(&self.runtime);
        // SAFETY: both values are owned.
        let code = unsafe { ffi::JS_SetPrototype(self.ctx(), self.raw, proto) };
        self.runtime.check_int(code).map(drop)
    }

    /// `value instanceof class`
    ///
    /// # Errors
    ///
    /// A `TypeError` when `class` is not callable.
    pub fn is_instance_of(&self, class: &Self) -> Result<bool, Exception> {
        let class = class.raw_in(&self.runtime);
        // SAFETY: both values are owned.
        let code = unsafe { ffi::JS_IsInstanceOf(self.ctx(), self.raw, class) };
        Ok(self.runtime.check_int(code)? > 0)
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
