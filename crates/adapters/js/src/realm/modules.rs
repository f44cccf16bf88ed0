//! The modules a realm and its users hold. Linking and running them is `crate::modules`.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::builtin::Exports;
use crate::ffi;
use crate::frames::Frame;
use crate::program::Program;
use crate::quickjs::{Ctx, Exception, Runtime, Value};

type RequirePolicy = Rc<dyn Fn(&Ctx, &str) -> Result<(), Exception>>;

/// What the users of a realm share: the program, its code, built-in modules.
#[derive(Default)]
pub(crate) struct Modules {
    /// A module's static imports are being resolved. At any other time a request comes
    /// from `import()`, which is refused.
    pub(crate) is_linking: Cell<bool>,
    pub(crate) program: RefCell<Option<Arc<Program>>>,
    pub(crate) builtins: RefCell<FxHashMap<String, Exports>>,
    /// Code of files that were read: a pattern for instances of an ECMAScript module, the
    /// wrapping function of a CommonJS file.
    pub(crate) code: RefCell<FxHashMap<String, Value>>,
    pub(crate) require_policy: RefCell<Option<RequirePolicy>>,
}

impl Modules {
    /// Drops the values it holds; the program stays, QuickJS points into its bytecode.
    pub(super) fn clear(&self) {
        drop(self.builtins.take());
        drop(self.code.take());
        drop(self.require_policy.take());
    }

    pub(super) fn map_frames(&self, frames: &mut [Frame]) {
        if let Some(program) = &*self.program.borrow() {
            frames.iter_mut().for_each(|frame| program.map_frame(frame));
        }
    }

    pub(super) fn unbundle_frames(&self, frames: &mut [Frame]) {
        if let Some(program) = &*self.program.borrow() {
            frames
                .iter_mut()
                .for_each(|frame| program.unbundle_frame(frame));
        }
    }

    pub(crate) fn program(&self) -> Result<Arc<Program>, Exception> {
        let program = self.program.borrow().clone();
        program.ok_or_else(|| Exception::error("no program is loaded"))
    }
}

/// The modules of one user: its own instances of all files.
#[derive(Default)]
pub(crate) struct UserModules {
    /// `module` objects of CommonJS files that ran or run.
    pub(crate) commonjs: RefCell<FxHashMap<String, Value>>,
    /// ECMAScript modules by URL.
    pub(crate) loaded: RefCell<FxHashMap<String, *mut ffi::JSModuleDef>>,
    /// ECMAScript modules that export what a CommonJS file exports.
    pub(crate) wrappers: RefCell<Vec<*mut ffi::JSModuleDef>>,
}

impl UserModules {
    /// Drops the user's modules.
    pub(super) fn clear(&self, runtime: &Runtime) {
        drop(self.commonjs.take());
        let loaded = self.loaded.take().into_values();
        for module in loaded.chain(self.wrappers.take()) {
            // SAFETY: the modules belong to this user, which runs no more. QuickJS counts
            // the variables its functions still need separately.
            unsafe { ffi::csrc::host_module_free(runtime.ctx, module) };
        }
    }
}
