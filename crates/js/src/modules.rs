//! The modules of a program inside one runtime: linking, evaluation, `require`.

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::Vm;
use crate::builtin::Exports;
use crate::call::Call;
use crate::ctx::{Ctx, c_string};
use crate::exception::Exception;
use crate::ffi;
use crate::frames::Frame;
use crate::inner::{Inner, with_ctx};
use crate::native::panic_message;
use crate::program::{Link, Module, ModuleKind, Program};
use crate::promise::PromiseState;
use crate::value::Value;

/// What the module callbacks of QuickJS may do at the moment.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Mode {
    /// Requests come from `import()`, which is refused.
    #[default]
    Running,
    /// A module's static imports are being resolved.
    Linking,
    /// Imports are not followed: a scratch runtime compiles.
    CompileOnly,
}

type RequirePolicy = Rc<dyn Fn(&Ctx, &str) -> Result<(), Exception>>;

/// What the users of a realm have in common: the program, its code, built-in modules.
#[derive(Default)]
pub(crate) struct Modules {
    mode: Cell<Mode>,
    program: RefCell<Option<Arc<Program>>>,
    builtins: RefCell<FxHashMap<String, Exports>>,
    /// Code of files that were read: a pattern for instances of an ECMAScript module, the
    /// wrapping function of a CommonJS file.
    code: RefCell<FxHashMap<String, Value>>,
    require_policy: RefCell<Option<RequirePolicy>>,
}

/// The modules of one user: its own instances of all files.
#[derive(Default)]
pub(crate) struct UserModules {
    /// `module` objects of CommonJS files that ran or run.
    commonjs: RefCell<FxHashMap<String, Value>>,
    /// ECMAScript modules by URL.
    loaded: RefCell<FxHashMap<String, *mut ffi::JSModuleDef>>,
    /// Modules that stand for CommonJS files.
    stand_ins: RefCell<Vec<*mut ffi::JSModuleDef>>,
}

impl UserModules {
    /// Drops the user's modules.
    pub(crate) fn clear(&self, inner: &Inner) {
        drop(self.commonjs.take());
        let loaded = self.loaded.take().into_values();
        for module in loaded.chain(self.stand_ins.take()) {
            // SAFETY: the modules are this user's, who runs no more; what its functions
            // still need of their variables is counted apart.
            unsafe { ffi::host_module_free(inner.ctx, module) };
        }
    }
}

/// Divides the URL of a module from the number of the user it belongs to.
const OF_USER: char = '\u{1}';

/// The name QuickJS knows a user's instance by. Who is alone sees plain URLs in messages.
fn name_of(ctx: &Ctx, url: &str) -> String {
    match ctx.inner().user().number {
        1 => url.to_owned(),
        number => format!("{url}{OF_USER}{number}"),
    }
}

/// The URL in such a name; built-in modules have no other.
fn url_in(name: &str) -> &str {
    name.split_once(OF_USER).map_or(name, |(url, _)| url)
}

impl Modules {
    pub(crate) fn compile_only(&self) {
        self.mode.set(Mode::CompileOnly);
    }

    /// Drops the values it holds; the program stays, QuickJS points into its bytecode.
    pub(crate) fn clear(&self) {
        drop(self.builtins.take());
        drop(self.code.take());
        drop(self.require_policy.take());
    }

    pub(crate) fn map_frames(&self, frames: &mut [Frame]) {
        if let Some(program) = &*self.program.borrow() {
            frames.iter_mut().for_each(|frame| program.map_frame(frame));
        }
    }

    fn program(&self) -> Result<Arc<Program>, Exception> {
        let program = self.program.borrow().clone();
        program.ok_or_else(|| Exception::error("no program is loaded"))
    }
}

impl Vm {
    /// Starts running the init code of a program: its files in the order of their
    /// imports. The result is the object of its exports: the namespace of a module,
    /// `module.exports` of a CommonJS file.
    ///
    /// # Errors
    ///
    /// When the system refuses the memory for a stack.
    ///
    /// # Panics
    ///
    /// When another call of this `Vm` has not ended, or another program was started in its
    /// realm before.
    pub fn start_program(&self, program: &Arc<Program>) -> std::io::Result<Call> {
        let modules = &self.inner().modules;
        let before = modules.program.borrow_mut().replace(Arc::clone(program));
        assert!(
            before.is_none_or(|before| Arc::ptr_eq(&before, program)),
            "a realm runs one program"
        );
        self.user().running.initialising.set(true);
        let (first, last) = (Arc::clone(program), Arc::clone(program));
        self.start_then(
            move |ctx| match module_of(&first, first.entry())?.kind {
                ModuleKind::Esm => evaluate_esm(ctx, first.entry()),
                ModuleKind::CommonJs => run_commonjs(ctx, first.entry()),
            },
            move |ctx, value| finish_entry(ctx, &last, value),
        )
    }
}

impl Ctx {
    /// Makes the built-in modules that `program` imports, for all users of the realm.
    ///
    /// # Errors
    ///
    /// When one cannot be made.
    pub fn make_builtins(&self, program: &Arc<Program>) -> Result<(), Exception> {
        let modules = &self.inner().modules;
        modules.program.replace(Some(Arc::clone(program)));
        for name in program.builtins_used() {
            builtin(self, name)?;
        }
        Ok(())
    }

    /// `require(specifier)` as if called in the file `referrer`.
    ///
    /// # Errors
    ///
    /// When there is no such module or it throws.
    pub fn require(&self, specifier: &str, referrer: &str) -> Result<Value, Exception> {
        require(self, specifier, referrer)
    }

    /// Sets what decides whether a `require` call may be made now; it gets the
    /// specifier. All calls are allowed by default.
    pub fn set_require_policy(
        &self,
        policy: impl Fn(&Self, &str) -> Result<(), Exception> + 'static,
    ) {
        *self.inner().modules.require_policy.borrow_mut() = Some(Rc::new(policy));
    }

    /// The URL of the program's entry file, once one was started.
    #[must_use]
    pub fn program_entry(&self) -> Option<String> {
        self.inner()
            .modules
            .program
            .borrow()
            .as_ref()
            .map(|program| program.entry().to_owned())
    }
}

fn module_of<'p>(program: &'p Program, url: &str) -> Result<&'p Module, Exception> {
    program
        .modules
        .get(url)
        .ok_or_else(|| Exception::error(format!("module {url:?} is not part of the program")))
}

/// Loads and starts an ECMAScript module and what it imports; gives the promise of its
/// evaluation.
fn evaluate_esm(ctx: &Ctx, url: &str) -> Result<Value, Exception> {
    let inner = ctx.inner();
    let module = linking(inner, || {
        let module = load_file(ctx, url)?;
        // SAFETY: the module value is alive.
        inner.check_int(unsafe { ffi::JS_ResolveModule(inner.ctx, module.raw()) })?;
        Ok(module)
    })?;
    // SAFETY: JS_EvalFunction takes the module over.
    let promise = inner.check(unsafe { ffi::JS_EvalFunction(inner.ctx, module.into_raw()) })?;
    promise.mark_handled();
    Ok(promise)
}

/// Runs `load` with the module callbacks following static imports.
fn linking<R>(inner: &Inner, load: impl FnOnce() -> Result<R, Exception>) -> Result<R, Exception> {
    let before = inner.modules.mode.replace(Mode::Linking);
    let result = load();
    inner.modules.mode.set(before);
    result
}

/// What is left to do for the entry once nothing is pending.
fn finish_entry(ctx: &Ctx, program: &Program, value: Value) -> Result<Value, Exception> {
    let entry = program.entry();
    if module_of(program, entry)?.kind == ModuleKind::CommonJs {
        return Ok(value);
    }
    settled(&value, entry)?;
    namespace(ctx, entry)
}

/// Throws what a module's evaluation threw.
fn settled(promise: &Value, url: &str) -> Result<(), Exception> {
    match promise.promise_state() {
        Some(PromiseState::Rejected(reason)) => Err(Exception::thrown(reason)),
        Some(PromiseState::Pending) => Err(Exception::error(format!(
            "top-level await in {url} never finishes"
        ))),
        Some(PromiseState::Fulfilled(_)) | None => Ok(()),
    }
}

fn namespace(ctx: &Ctx, url: &str) -> Result<Value, Exception> {
    let inner = ctx.inner();
    let module = inner.user().modules.loaded.borrow().get(url).copied();
    let module = module.ok_or_else(|| Exception::error(format!("module {url:?} is not loaded")))?;
    // SAFETY: loaded modules live as long as their user.
    inner.check(unsafe { ffi::JS_GetModuleNamespace(inner.ctx, module) })
}

/// The user's instance of an ECMAScript module, its imports not yet looked for.
fn load_file(ctx: &Ctx, url: &str) -> Result<Value, Exception> {
    let inner = ctx.inner();
    let program = inner.modules.program()?;
    let file = module_of(&program, url)?;
    let pattern = code_of(inner, url, || {
        let module = read_bytecode(inner, &file.bytecode)?;
        // SAFETY: the module was just read and is linked to nothing.
        unsafe { ffi::host_module_pattern(inner.ctx, module.raw()) };
        Ok(module)
    })?;
    let name = c_string(&name_of(ctx, url));
    // SAFETY: the pattern is a module that was read; the name ends with NUL.
    let module = inner
        .check(unsafe { ffi::host_module_instance(inner.ctx, pattern.raw(), name.as_ptr()) })?;
    let definition: *mut ffi::JSModuleDef = module.raw().pointer().cast();
    inner
        .user()
        .modules
        .loaded
        .borrow_mut()
        .insert(url.to_owned(), definition);
    if file.uses_import_meta {
        // SAFETY: the module was just read.
        let meta = inner.check(unsafe { ffi::JS_GetImportMeta(inner.ctx, definition) })?;
        meta.set("url", url)?;
        let referrer = url.to_owned();
        let resolve = ctx.function("resolve", 1, move |ctx, args| {
            let program = ctx.inner().modules.program()?;
            let specifier = args.get(0).to_text()?;
            if program.builtins.contains(&specifier) {
                return Ok(specifier);
            }
            program
                .loader
                .resolve(&specifier, &referrer)
                .map_err(Exception::error)
        })?;
        meta.set("resolve", resolve)?;
    }
    Ok(module)
}

/// The code of a file, read once in each realm.
fn code_of(
    inner: &Inner,
    url: &str,
    read: impl FnOnce() -> Result<Value, Exception>,
) -> Result<Value, Exception> {
    let known = inner.modules.code.borrow().get(url).cloned();
    if let Some(code) = known {
        return Ok(code);
    }
    let code = read()?;
    inner
        .modules
        .code
        .borrow_mut()
        .insert(url.to_owned(), code.clone());
    Ok(code)
}

/// The program outlives the runtime's functions, which borrow from the bytecode.
fn read_bytecode(inner: &Rc<Inner>, bytecode: &[u8]) -> Result<Value, Exception> {
    // SAFETY: the bytes were written by the same build of QuickJS, and `Modules` holds
    // the program until the runtime has been freed.
    inner.check(unsafe {
        ffi::JS_ReadObject(
            inner.ctx,
            bytecode.as_ptr(),
            bytecode.len(),
            ffi::READ_OBJ_BYTECODE,
        )
    })
}

/// Runs a CommonJS file unless it ran; gives its `module.exports`.
fn run_commonjs(ctx: &Ctx, url: &str) -> Result<Value, Exception> {
    let inner = ctx.inner();
    let known = inner.user().modules.commonjs.borrow().get(url).cloned();
    if let Some(module) = known {
        return module.get("exports");
    }
    let program = inner.modules.program()?;
    let file = module_of(&program, url)?;
    let wrapper = code_of(inner, url, || {
        let function = read_bytecode(inner, &file.bytecode)?;
        // SAFETY: JS_EvalFunction takes the function over.
        inner.check(unsafe { ffi::JS_EvalFunction(inner.ctx, function.into_raw()) })
    })?;
    let (module, exports) = (ctx.object()?, ctx.object()?);
    module.set("exports", &exports)?;
    module.set("id", url)?;
    let commonjs = &inner.user().modules.commonjs;
    commonjs.borrow_mut().insert(url.to_owned(), module.clone());
    let referrer = url.to_owned();
    let require = ctx.function("require", 1, move |ctx, args| {
        require(ctx, &args.get(0).to_text()?, &referrer)
    })?;
    if let Err(exception) = wrapper.call(&exports, &[module.clone(), exports.clone(), require]) {
        commonjs.borrow_mut().remove(url);
        return Err(exception);
    }
    module.get("exports")
}

fn require(ctx: &Ctx, specifier: &str, referrer: &str) -> Result<Value, Exception> {
    let inner = ctx.inner();
    let policy = inner.modules.require_policy.borrow().clone();
    if let Some(policy) = policy {
        policy(ctx, specifier)?;
    }
    let program = inner.modules.program()?;
    match link(&program, specifier, referrer)? {
        Link::Builtin(name) => builtin(ctx, &name)?.required(ctx),
        Link::Missing(message) => Err(Exception::error(message)),
        Link::File(url) => match module_of(&program, &url)?.kind {
            ModuleKind::CommonJs => run_commonjs(ctx, &url),
            ModuleKind::Esm => {
                if !inner.user().modules.loaded.borrow().contains_key(&url) {
                    settled(&evaluate_esm(ctx, &url)?, &url)?;
                }
                namespace(ctx, &url)
            }
        },
    }
}

/// Where a specifier leads: as found when the program was built, or, for one that was
/// not literal in the source, to a file that is part of it anyway.
fn link(program: &Program, specifier: &str, referrer: &str) -> Result<Link, Exception> {
    let known = program
        .modules
        .get(referrer)
        .and_then(|file| file.links.get(specifier));
    if let Some(link) = known {
        return Ok(link.clone());
    }
    if program.builtins.contains(specifier) {
        return Ok(Link::Builtin(specifier.to_owned()));
    }
    let url = program
        .loader
        .resolve(specifier, referrer)
        .map_err(Exception::error)?;
    if program.modules.contains_key(&url) {
        return Ok(Link::File(url));
    }
    Err(Exception::error(format!(
        "module {specifier:?} was not found when the script was loaded; only names written out in import or require are"
    )))
}

fn builtin(ctx: &Ctx, name: &str) -> Result<Exports, Exception> {
    let modules = &ctx.inner().modules;
    let known = modules.builtins.borrow().get(name).cloned();
    if let Some(exports) = known {
        return Ok(exports);
    }
    let program = modules.program()?;
    let exports = ctx.unguarded(|| program.builtins.make(ctx, name)?.complete(ctx))?;
    if ctx.inner().barrier.is_shared() {
        exports.share();
    }
    modules
        .builtins
        .borrow_mut()
        .insert(name.to_owned(), exports.clone());
    Ok(exports)
}

/// Runs a module callback of QuickJS; errors and panics become exceptions.
///
/// # Safety
///
/// `raw` must be the context QuickJS called back with.
unsafe fn callback<R>(
    raw: *mut ffi::JSContext,
    failed: R,
    body: impl FnOnce(&Ctx) -> Result<R, Exception>,
) -> R {
    // SAFETY: by contract.
    unsafe {
        with_ctx(raw, |ctx| {
            let exception = match catch_unwind(AssertUnwindSafe(|| body(ctx))) {
                Ok(Ok(result)) => return result,
                Ok(Err(exception)) => exception,
                Err(panic) => Exception::fatal(panic_message(&*panic)),
            };
            exception.throw(ctx.inner());
            failed
        })
    }
}

/// # Safety
///
/// `text` must be a C string.
unsafe fn text_of(text: *const c_char) -> String {
    // SAFETY: by contract.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}

/// Resolves a specifier for QuickJS.
///
/// # Safety
///
/// Called by QuickJS only, in a runtime made by `Vm::new`.
pub(crate) unsafe extern "C" fn normalize(
    raw: *mut ffi::JSContext,
    base: *const c_char,
    name: *const c_char,
    _: *mut c_void,
) -> *mut c_char {
    // SAFETY: QuickJS passes C strings and takes over one from its allocator.
    unsafe {
        callback(raw, std::ptr::null_mut(), |ctx| {
            let (base, name) = (text_of(base), text_of(name));
            let modules = &ctx.inner().modules;
            let target = match modules.mode.get() {
                Mode::CompileOnly => name,
                Mode::Running => {
                    // A string, not an error: scripts see the same under k6.
                    let refusal = ctx.string("dynamic modules not enabled in the host program")?;
                    return Err(Exception::thrown(refusal));
                }
                Mode::Linking => match link(&*modules.program()?, &name, url_in(&base))? {
                    Link::File(url) => name_of(ctx, &url),
                    Link::Builtin(name) => name,
                    Link::Missing(message) => return Err(Exception::error(message)),
                },
            };
            Ok(ffi::js_strndup(raw, target.as_ptr().cast(), target.len()))
        })
    }
}

/// Loads a module for QuickJS.
///
/// # Safety
///
/// Called by QuickJS only, in a runtime made by `Vm::new`.
pub(crate) unsafe extern "C" fn load(
    raw: *mut ffi::JSContext,
    url: *const c_char,
    _: *mut c_void,
) -> *mut ffi::JSModuleDef {
    // SAFETY: QuickJS passes a C string.
    unsafe {
        callback(raw, std::ptr::null_mut(), |ctx| {
            let name = text_of(url);
            let modules = &ctx.inner().modules;
            if modules.mode.get() == Mode::CompileOnly {
                return native_module(ctx, &name, empty_module, &[]);
            }
            let program = modules.program()?;
            let url = url_in(&name);
            match program.modules.get(url).map(|file| file.kind) {
                // The module stays listed in the context when this value is freed.
                Some(ModuleKind::Esm) => Ok(load_file(ctx, url)?.raw().pointer().cast()),
                Some(ModuleKind::CommonJs) => {
                    let names = &module_of(&program, url)?.names;
                    let names: Vec<&str> = names.iter().map(String::as_str).collect();
                    let module = native_module(ctx, &name, commonjs_module, &names)?;
                    let stand_ins = &ctx.inner().user().modules.stand_ins;
                    stand_ins.borrow_mut().push(module);
                    Ok(module)
                }
                None => {
                    let exports = builtin(ctx, url)?;
                    let wanted = program.builtin_imports.get(url);
                    let names: Vec<&str> = exports
                        .named
                        .iter()
                        .map(|(name, _)| name.as_str())
                        .chain(wanted.into_iter().flatten().map(String::as_str))
                        .collect();
                    native_module(ctx, url, builtin_module, &names)
                }
            }
        })
    }
}

/// The current user's instance of a file, for `import.meta`; called from host.c.
///
/// # Safety
///
/// Called by QuickJS only, in a runtime of ours; `url` is a C string.
#[unsafe(no_mangle)]
unsafe extern "C" fn host_find_module(
    raw: *mut ffi::JSContext,
    url: *const c_char,
) -> *mut ffi::JSModuleDef {
    // SAFETY: by contract.
    unsafe {
        with_ctx(raw, |ctx| {
            let loaded = ctx.inner().user().modules.loaded.borrow();
            let found = loaded.get(&text_of(url)).copied();
            found.unwrap_or(std::ptr::null_mut())
        })
    }
}

/// A module whose exports `init` sets; always has a default export.
fn native_module(
    ctx: &Ctx,
    url: &str,
    init: ffi::ModuleInit,
    names: &[&str],
) -> Result<*mut ffi::JSModuleDef, Exception> {
    let inner = ctx.inner();
    let mut names: Vec<&str> = names.to_vec();
    names.push("default");
    names.sort_unstable();
    names.dedup();
    let url = c_string(url);
    // SAFETY: all names are C strings.
    unsafe {
        let module = ffi::JS_NewCModule(inner.ctx, url.as_ptr(), init);
        if module.is_null() {
            return Err(inner.take_exception());
        }
        for name in names {
            let code = ffi::JS_AddModuleExport(inner.ctx, module, c_string(name).as_ptr());
            inner.check_int(code)?;
        }
        Ok(module)
    }
}

/// # Safety
///
/// `module` must be a module QuickJS is initialising.
unsafe fn module_url(ctx: &Ctx, module: *mut ffi::JSModuleDef) -> String {
    let inner = ctx.inner();
    // SAFETY: by contract; the name is owned here.
    unsafe {
        let name = ffi::JS_GetModuleName(inner.ctx, module);
        let text = crate::atom::Atom::borrow_raw(inner, name).to_text();
        ffi::JS_FreeAtom(inner.ctx, name);
        url_in(&text).to_owned()
    }
}

unsafe extern "C" fn empty_module(_: *mut ffi::JSContext, _: *mut ffi::JSModuleDef) -> c_int {
    0
}

unsafe extern "C" fn builtin_module(
    raw: *mut ffi::JSContext,
    module: *mut ffi::JSModuleDef,
) -> c_int {
    // SAFETY: QuickJS passes the module it initialises.
    unsafe {
        callback(raw, -1, |ctx| {
            let url = module_url(ctx, module);
            let exports = builtin(ctx, &url)?;
            for name in exports
                .named
                .iter()
                .map(|(name, _)| name.as_str())
                .chain(["default"])
            {
                let value = exports.get(name).unwrap_or_else(|| ctx.undefined());
                set_export(ctx, module, name, value)?;
            }
            let program = ctx.inner().modules.program()?;
            for name in program.builtin_imports.get(&url).into_iter().flatten() {
                if exports.get(name).is_none() {
                    set_export(ctx, module, name, ctx.undefined())?;
                }
            }
            Ok(0)
        })
    }
}

unsafe extern "C" fn commonjs_module(
    raw: *mut ffi::JSContext,
    module: *mut ffi::JSModuleDef,
) -> c_int {
    // SAFETY: QuickJS passes the module it initialises.
    unsafe {
        callback(raw, -1, |ctx| {
            let url = module_url(ctx, module);
            let exports = run_commonjs(ctx, &url)?;
            let program = ctx.inner().modules.program()?;
            for name in &module_of(&program, &url)?.names {
                if name != "default" {
                    let value = if exports.is_nullish() {
                        ctx.undefined()
                    } else {
                        exports.get(name)?
                    };
                    set_export(ctx, module, name, value)?;
                }
            }
            // Files compiled from modules say so and keep their default apart.
            let compiled = exports.is_object() && exports.get("__esModule")?.truthy();
            let default = if compiled {
                exports.get("default")?
            } else {
                exports
            };
            set_export(ctx, module, "default", default)?;
            Ok(0)
        })
    }
}

fn set_export(
    ctx: &Ctx,
    module: *mut ffi::JSModuleDef,
    name: &str,
    value: Value,
) -> Result<(), Exception> {
    let inner = ctx.inner();
    // SAFETY: the module is being initialised; the value is given away.
    let code = unsafe {
        ffi::JS_SetModuleExport(inner.ctx, module, c_string(name).as_ptr(), value.into_raw())
    };
    inner.check_int(code).map(drop)
}
