//! The modules of a program inside one runtime: linking, evaluation, `require`.

mod loading;

use std::cell::{Cell, RefCell};
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
use crate::inner::Inner;
use crate::program::{Link, Module, ModuleKind, Program};
use crate::promise::PromiseState;
use crate::value::Value;
pub(crate) use loading::{load, normalize};

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
