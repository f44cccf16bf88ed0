//! Source text to QuickJS bytecode, in a scratch runtime.

use std::ffi::{c_char, c_int, c_void};
use std::rc::Rc;

use crate::ffi;
use crate::frames::Frame;
use crate::quickjs::{
    CallStatus, Exception, HostHooks, Runtime, c_string, guard_to, native_module, nul_terminated,
    with_ctx,
};

use super::depth::{self, Nesting};
use super::link::ModuleKind;

/// What a CommonJS file is wrapped in. On the file's first line, so that the other
/// lines keep their columns; `Program::map_frame` corrects the first.
pub(super) const COMMONJS_PREFIX: &str = "(function(module,exports,require){";
const COMMONJS_SUFFIX: &str = "\n})";

pub(super) struct Compiler {
    runtime: Rc<Runtime>,
    is_commonjs_strict: bool,
}

impl Drop for Compiler {
    fn drop(&mut self) {
        self.runtime.tear_down();
    }
}

/// The scratch runtime runs no call and maps no positions.
#[derive(Default)]
struct NoHost {
    status: CallStatus,
}

impl HostHooks for NoHost {
    fn call_status(&self) -> Option<&CallStatus> {
        Some(&self.status)
    }

    fn map_frames(&self, _: &mut [Frame]) {}

    fn unbundle_frames(&self, _: &mut [Frame]) {}

    fn clear(&self) {}
}

/// Leaves a specifier as it is: imports are not followed here.
unsafe extern "C" fn keep_name(
    raw: *mut ffi::JSContext,
    _: *const c_char,
    name: *const c_char,
    _: *mut c_void,
) -> *mut c_char {
    // SAFETY: QuickJS passes a C string and takes over one from its allocator.
    unsafe { ffi::js_strndup(raw, name, std::ffi::CStr::from_ptr(name).count_bytes()) }
}

/// Stands for every imported module while a file is compiled.
unsafe extern "C" fn empty_module(
    raw: *mut ffi::JSContext,
    name: *const c_char,
    _: *mut c_void,
) -> *mut ffi::JSModuleDef {
    unsafe extern "C" fn set_nothing(_: *mut ffi::JSContext, _: *mut ffi::JSModuleDef) -> c_int {
        0
    }
    // SAFETY: QuickJS passes a C string, in the runtime of a compiler.
    unsafe {
        with_ctx(raw, |ctx| {
            guard_to(ctx.runtime(), std::ptr::null_mut(), || {
                let name = std::ffi::CStr::from_ptr(name).to_string_lossy();
                native_module(ctx, &name, set_nothing, &[])
            })
        })
    }
}

/// A file to be compiled.
pub(super) struct Source<'f> {
    pub(super) url: &'f str,
    pub(super) code: &'f str,
    pub(super) kind: ModuleKind,
    pub(super) nesting: Nesting,
}

/// Why QuickJS refused a file that parsed.
pub(super) struct CompileError {
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) message: String,
}

impl CompileError {
    const fn without_place(message: String) -> Self {
        Self {
            line: 0,
            column: 0,
            message,
        }
    }
}

impl Compiler {
    pub(super) fn new(is_commonjs_strict: bool) -> Result<Self, String> {
        let runtime = Runtime::new(None, Box::new(NoHost::default()));
        let runtime = runtime.ok_or("no memory for a JavaScript runtime")?;
        // SAFETY: the runtime is alive.
        unsafe {
            ffi::JS_SetModuleLoaderFunc(runtime.rt, keep_name, empty_module, std::ptr::null_mut());
        }
        Ok(Self {
            runtime,
            is_commonjs_strict,
        })
    }

    /// Compiles a file; one that is nested deeply in a runtime of its own, on a stack that holds it.
    pub(super) fn compile(&self, source: &Source<'_>) -> Result<Vec<u8>, CompileError> {
        if source.nesting.is_shallow() {
            return self.compile_here(source);
        }
        let is_commonjs_strict = self.is_commonjs_strict;
        let compiled = depth::with_stack_for(source.nesting, || {
            let compiler = Self::new(is_commonjs_strict).map_err(CompileError::without_place)?;
            compiler.compile_here(source)
        });
        compiled.unwrap_or_else(|error| Err(CompileError::without_place(error.to_string())))
    }

    fn compile_here(&self, source: &Source<'_>) -> Result<Vec<u8>, CompileError> {
        let Source {
            url, code, kind, ..
        } = *source;
        let (text, flags) = match kind {
            ModuleKind::Esm => (nul_terminated(code), ffi::EVAL_TYPE_MODULE),
            ModuleKind::CommonJs if self.is_commonjs_strict => {
                (wrap(code), ffi::EVAL_TYPE_GLOBAL | ffi::EVAL_FLAG_STRICT)
            }
            ModuleKind::CommonJs => (wrap(code), ffi::EVAL_TYPE_GLOBAL),
        };
        self.bytecode(url, &text, flags).map_err(|exception| {
            let error = exception.into_error(&self.runtime);
            let place = error.frames.first().filter(|frame| frame.file == url);
            let (line, mut column) = place.map_or((0, 0), |frame| (frame.line, frame.column));
            if kind == ModuleKind::CommonJs && line == 1 {
                let prefix = u32::try_from(COMMONJS_PREFIX.len()).expect("a short text");
                column = column.saturating_sub(prefix).max(1);
            }
            CompileError {
                line,
                column,
                message: error.message,
            }
        })
    }

    /// `text` ends with NUL.
    fn bytecode(&self, url: &str, text: &[u8], flags: i32) -> Result<Vec<u8>, Exception> {
        let runtime = &self.runtime;
        let url = c_string(url);
        // SAFETY: the text ends with NUL; the object is freed by its Value; the buffer
        // is copied before it is freed.
        unsafe {
            let raw = ffi::JS_Eval(
                runtime.ctx,
                text.as_ptr().cast(),
                text.len() - 1,
                url.as_ptr(),
                flags | ffi::EVAL_FLAG_COMPILE_ONLY,
            );
            let compiled = runtime.check(raw)?;
            let mut len = 0;
            let data = ffi::JS_WriteObject(
                runtime.ctx,
                &raw mut len,
                compiled.raw(),
                ffi::WRITE_OBJ_BYTECODE,
            );
            if data.is_null() {
                return Err(runtime.take_exception());
            }
            let bytes = std::slice::from_raw_parts(data, len).to_vec();
            ffi::js_free(runtime.ctx, data.cast());
            Ok(bytes)
        }
    }
}

fn wrap(code: &str) -> Vec<u8> {
    // A hash-bang is only allowed at the very start; as a comment it keeps its line.
    let code = match code.strip_prefix("#!") {
        Some(rest) => format!("//{rest}"),
        None => code.to_owned(),
    };
    nul_terminated(&format!("{COMMONJS_PREFIX}{code}{COMMONJS_SUFFIX}"))
}
