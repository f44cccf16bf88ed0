//! Property names.

use std::rc::Rc;

use crate::ffi::{self, JSAtom};
use crate::quickjs::{Runtime, Value};

/// An interned property name: using it skips hashing the text.
pub struct Atom {
    raw: JSAtom,
    runtime: Rc<Runtime>,
}

impl Atom {
    pub(crate) fn new(runtime: &Rc<Runtime>, text: &str) -> Self {
        // SAFETY: pointer and length describe the text.
        let raw = unsafe { ffi::JS_NewAtomLen(runtime.ctx, text.as_ptr().cast(), text.len()) };
        Self {
            raw,
            runtime: Rc::clone(runtime),
        }
    }

    pub(crate) fn borrow_raw(runtime: &Rc<Runtime>, raw: JSAtom) -> Self {
        // SAFETY: the caller's atom is alive.
        let raw = unsafe { ffi::JS_DupAtom(runtime.ctx, raw) };
        Self {
            raw,
            runtime: Rc::clone(runtime),
        }
    }

    /// The name as a string value, or the symbol it stands for.
    #[must_use]
    pub fn to_value(&self) -> Value {
        // SAFETY: self owns the atom.
        Value::adopt(&self.runtime, unsafe {
            ffi::JS_AtomToValue(self.runtime.ctx, self.raw)
        })
    }

    /// The name; for a symbol, its description.
    #[must_use]
    pub fn to_text(&self) -> String {
        // SAFETY: self owns the atom.
        let raw = unsafe { ffi::JS_AtomToString(self.runtime.ctx, self.raw) };
        Value::adopt(&self.runtime, raw)
            .as_text()
            .unwrap_or_default()
    }
}

/// Within a runtime equal names are one atom; atoms of two runtimes are never equal.
impl PartialEq for Atom {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw && Rc::ptr_eq(&self.runtime, &other.runtime)
    }
}

impl Eq for Atom {}

impl Clone for Atom {
    fn clone(&self) -> Self {
        Self::borrow_raw(&self.runtime, self.raw)
    }
}

impl Drop for Atom {
    fn drop(&mut self) {
        // SAFETY: self owns one reference and the runtime is alive.
        unsafe { ffi::JS_FreeAtomRT(self.runtime.rt, self.raw) };
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
    use super::{Atom, JSAtom, Rc, Runtime, ffi};

    pub trait Key {
        /// Runs `f` with the atom, alive for the duration.
        fn with<R>(&self, runtime: &Rc<Runtime>, f: impl FnOnce(JSAtom) -> R) -> R;
    }

    impl Key for str {
        fn with<R>(&self, runtime: &Rc<Runtime>, f: impl FnOnce(JSAtom) -> R) -> R {
            let atom = Atom::new(runtime, self);
            f(atom.raw)
        }
    }

    impl Key for String {
        fn with<R>(&self, runtime: &Rc<Runtime>, f: impl FnOnce(JSAtom) -> R) -> R {
            self.as_str().with(runtime, f)
        }
    }

    impl Key for Atom {
        fn with<R>(&self, runtime: &Rc<Runtime>, f: impl FnOnce(JSAtom) -> R) -> R {
            assert!(
                Rc::ptr_eq(&self.runtime, runtime),
                "an atom was used in another runtime"
            );
            f(self.raw)
        }
    }

    impl Key for u32 {
        fn with<R>(&self, runtime: &Rc<Runtime>, f: impl FnOnce(JSAtom) -> R) -> R {
            // SAFETY: makes an atom owned here.
            let raw = unsafe { ffi::JS_NewAtomUInt32(runtime.ctx, *self) };
            let atom = Atom {
                raw,
                runtime: Rc::clone(runtime),
            };
            f(atom.raw)
        }
    }

    impl<T: Key + ?Sized> Key for &T {
        fn with<R>(&self, runtime: &Rc<Runtime>, f: impl FnOnce(JSAtom) -> R) -> R {
            (**self).with(runtime, f)
        }
    }
}
