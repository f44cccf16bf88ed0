//! Property names.

use std::rc::Rc;

use crate::ffi::{self, JSAtom};
use crate::inner::Inner;
use crate::value::Value;

/// An interned property name: using it skips hashing the text.
pub struct Atom {
    raw: JSAtom,
    inner: Rc<Inner>,
}

impl Atom {
    pub(crate) fn new(inner: &Rc<Inner>, text: &str) -> Self {
        // SAFETY: pointer and length describe the text.
        let raw = unsafe { ffi::JS_NewAtomLen(inner.ctx, text.as_ptr().cast(), text.len()) };
        Self {
            raw,
            inner: Rc::clone(inner),
        }
    }

    pub(crate) fn borrow_raw(inner: &Rc<Inner>, raw: JSAtom) -> Self {
        // SAFETY: the caller's atom is alive.
        let raw = unsafe { ffi::JS_DupAtom(inner.ctx, raw) };
        Self {
            raw,
            inner: Rc::clone(inner),
        }
    }

    /// The name as a string value, or the symbol it stands for.
    #[must_use]
    pub fn to_value(&self) -> Value {
        // SAFETY: self owns the atom.
        Value::adopt(&self.inner, unsafe {
            ffi::JS_AtomToValue(self.inner.ctx, self.raw)
        })
    }

    /// The name; for a symbol, its description.
    #[must_use]
    pub fn to_text(&self) -> String {
        // SAFETY: self owns the atom.
        let raw = unsafe { ffi::JS_AtomToString(self.inner.ctx, self.raw) };
        Value::adopt(&self.inner, raw).as_text().unwrap_or_default()
    }
}

/// Within a runtime equal names are one atom; atoms of two runtimes are never equal.
impl PartialEq for Atom {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw && Rc::ptr_eq(&self.inner, &other.inner)
    }
}

impl Eq for Atom {}

impl Clone for Atom {
    fn clone(&self) -> Self {
        Self::borrow_raw(&self.inner, self.raw)
    }
}

impl Drop for Atom {
    fn drop(&mut self) {
        // SAFETY: self owns one reference and the runtime is alive.
        unsafe { ffi::JS_FreeAtomRT(self.inner.rt, self.raw) };
    }
}

/// What can name a property.
pub trait Key: sealed::Key {}

impl<T: sealed::Key> Key for T {}

#[expect(
    private_interfaces,
    reason = "sealed: nobody outside can name the module"
)]
mod sealed {
    use super::{Atom, Inner, JSAtom, Rc, ffi};

    pub trait Key {
        /// Runs `f` with the atom, alive for the duration.
        fn with<R>(&self, inner: &Rc<Inner>, f: impl FnOnce(JSAtom) -> R) -> R;
    }

    impl Key for str {
        fn with<R>(&self, inner: &Rc<Inner>, f: impl FnOnce(JSAtom) -> R) -> R {
            let atom = Atom::new(inner, self);
            f(atom.raw)
        }
    }

    impl Key for String {
        fn with<R>(&self, inner: &Rc<Inner>, f: impl FnOnce(JSAtom) -> R) -> R {
            self.as_str().with(inner, f)
        }
    }

    impl Key for Atom {
        fn with<R>(&self, inner: &Rc<Inner>, f: impl FnOnce(JSAtom) -> R) -> R {
            assert!(
                Rc::ptr_eq(&self.inner, inner),
                "an atom was used in another runtime"
            );
            f(self.raw)
        }
    }

    impl Key for u32 {
        fn with<R>(&self, inner: &Rc<Inner>, f: impl FnOnce(JSAtom) -> R) -> R {
            // SAFETY: makes an atom owned here.
            let raw = unsafe { ffi::JS_NewAtomUInt32(inner.ctx, *self) };
            let atom = Atom {
                raw,
                inner: Rc::clone(inner),
            };
            f(atom.raw)
        }
    }

    impl<T: Key + ?Sized> Key for &T {
        fn with<R>(&self, inner: &Rc<Inner>, f: impl FnOnce(JSAtom) -> R) -> R {
            (**self).with(inner, f)
        }
    }
}
