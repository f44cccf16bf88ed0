//! Source text to QuickJS bytecode, in a scratch runtime.

use crate::ctx::c_string;
use crate::ctx::nul_terminated;
use crate::exception::Exception;
use crate::ffi;
use crate::{Vm, VmOptions};

use super::ModuleKind;

/// What a CommonJS file is wrapped in. On the file's first line, so that the other
/// lines keep their columns; `Program::map_frame` corrects the first.
pub(super) const COMMONJS_PREFIX: &str = "(function(module,exports,require){";
const COMMONJS_SUFFIX: &str = "\n})";

pub(super) struct Compiler {
    vm: Vm,
    is_commonjs_strict: bool,
}

/// Why QuickJS refused a file that parsed.
pub(super) struct CompileError {
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) message: String,
}

impl Compiler {
    pub(super) fn new(is_commonjs_strict: bool) -> Result<Self, String> {
        let vm = Vm::new(&VmOptions::default()).map_err(|e| e.to_string())?;
        vm.inner().modules.compile_only();
        Ok(Self {
            vm,
            is_commonjs_strict,
        })
    }

    pub(super) fn compile(
        &self,
        url: &str,
        code: &str,
        kind: ModuleKind,
    ) -> Result<Vec<u8>, CompileError> {
        let (text, flags) = match kind {
            ModuleKind::Esm => (nul_terminated(code), ffi::EVAL_TYPE_MODULE),
            ModuleKind::CommonJs if self.is_commonjs_strict => {
                (wrap(code), ffi::EVAL_TYPE_GLOBAL | ffi::EVAL_FLAG_STRICT)
            }
            ModuleKind::CommonJs => (wrap(code), ffi::EVAL_TYPE_GLOBAL),
        };
        self.bytecode(url, &text, flags).map_err(|exception| {
            let error = exception.into_error(self.vm.inner());
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
        let inner = self.vm.inner();
        let url = c_string(url);
        // SAFETY: the text ends with NUL; the object is freed by its Value; the buffer
        // is copied before it is freed.
        unsafe {
            let raw = ffi::JS_Eval(
                inner.ctx,
                text.as_ptr().cast(),
                text.len() - 1,
                url.as_ptr(),
                flags | ffi::EVAL_FLAG_COMPILE_ONLY,
            );
            let compiled = inner.check(raw)?;
            let mut len = 0;
            let data = ffi::JS_WriteObject(
                inner.ctx,
                &raw mut len,
                compiled.raw(),
                ffi::WRITE_OBJ_BYTECODE,
            );
            if data.is_null() {
                return Err(inner.take_exception());
            }
            let bytes = std::slice::from_raw_parts(data, len).to_vec();
            ffi::js_free(inner.ctx, data.cast());
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
