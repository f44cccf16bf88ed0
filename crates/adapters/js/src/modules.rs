//! Runs the modules of a program in a realm: linking, evaluation, `require`.
//!
//! The state is in `realm`; starting the program as a call is in `call`.

mod callbacks;

use std::rc::Rc;
use std::sync::Arc;

use crate::builtin::Exports;
use crate::ffi;
use crate::program::{Link, Module, ModuleKind, Program};
use crate::quickjs::{Ctx, Exception, PromiseState, Runtime, Value, c_string};
use crate::realm::{realm_of, user_of};
pub(crate) use callbacks::{load, normalize};

/// Separates the URL of a module from the number of its user in the name QuickJS knows.
const USER_SEPARATOR: char = '\u{1}';

/// The name QuickJS has for a user's instance of a module. The first user of a realm gets
/// the plain URL, so that messages show it.
fn name_of(ctx: &Ctx, url: &str) -> String {
    match user_of(ctx).number {
        1 => url.to_owned(),
        number => format!("{url}{USER_SEPARATOR}{number}"),
    }
}

/// The URL in such a name. The name of a built-in module has no user number.
fn url_in(name: &str) -> &str {
    name.split_once(USER_SEPARATOR).map_or(name, |(url, _)| url)
}

impl Ctx {
    /// Makes the built-in modules that `program` imports, for all users of the realm.
    ///
    /// # Errors
    ///
    /// When one cannot be made.
    pub fn make_builtins(&self, program: &Arc<Program>) -> Result<(), Exception> {
        let modules = &realm_of(self.runtime()).modules;
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
        *realm_of(self.runtime()).modules.require_policy.borrow_mut() = Some(Rc::new(policy));
    }

    /// The URL of the program's entry file, once one was started.
    #[must_use]
    pub fn program_entry(&self) -> Option<String> {
        realm_of(self.runtime())
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

/// Loads an ECMAScript module and what it imports and starts its evaluation; returns the
/// promise of it.
fn evaluate_esm(ctx: &Ctx, url: &str) -> Result<Value, Exception> {
    let runtime = ctx.runtime();
    let module = linking(runtime, || {
        let module = load_file(ctx, url)?;
        // SAFETY: the module value is alive.
        runtime.check_int(unsafe { ffi::JS_ResolveModule(runtime.ctx, module.raw()) })?;
        Ok(module)
    })?;
    // SAFETY: JS_EvalFunction takes the module over.
    let promise = runtime.check(unsafe { ffi::JS_EvalFunction(runtime.ctx, module.into_raw()) })?;
    promise.mark_handled();
    Ok(promise)
}

/// Runs `body` with the module callbacks following static imports.
fn linking<R>(
    runtime: &Runtime,
    body: impl FnOnce() -> Result<R, Exception>,
) -> Result<R, Exception> {
    let is_linking = &realm_of(runtime).modules.is_linking;
    let before = is_linking.replace(true);
    let result = body();
    is_linking.set(before);
    result
}

/// Starts the init code of the program's entry file; see [`finish_entry`].
pub(crate) fn start_entry(ctx: &Ctx, program: &Program) -> Result<Value, Exception> {
    match module_of(program, program.entry())?.kind {
        ModuleKind::Esm => evaluate_esm(ctx, program.entry()),
        ModuleKind::CommonJs => run_commonjs(ctx, program.entry()),
    }
}

/// The exports of the entry file, from what [`start_entry`] gave, once nothing is pending.
pub(crate) fn finish_entry(ctx: &Ctx, program: &Program, value: Value) -> Result<Value, Exception> {
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
    let runtime = ctx.runtime();
    let module = user_of(ctx).modules.loaded.borrow().get(url).copied();
    let module = module.ok_or_else(|| Exception::error(format!("module {url:?} is not loaded")))?;
    // SAFETY: loaded modules live as long as their user.
    runtime.check(unsafe { ffi::JS_GetModuleNamespace(runtime.ctx, module) })
}

/// Makes the user's instance of an ECMAScript module; its imports are not resolved yet.
fn load_file(ctx: &Ctx, url: &str) -> Result<Value, Exception> {
    let runtime = ctx.runtime();
    let program = realm_of(runtime).modules.program()?;
    let file = module_of(&program, url)?;
    let pattern = code_of(runtime, url, || {
        let module = read_bytecode(runtime, &file.bytecode)?;
        // SAFETY: the module was just read and is linked to nothing.
        unsafe { ffi::csrc::host_module_pattern(runtime.ctx, module.raw()) };
        Ok(module)
    })?;
    let name = c_string(&name_of(ctx, url));
    // SAFETY: the pattern is a module that was read; the name ends with NUL.
    let module = runtime.check(unsafe {
        ffi::csrc::host_module_instance(runtime.ctx, pattern.raw(), name.as_ptr())
    })?;
    let definition: *mut ffi::JSModuleDef = module.raw().pointer().cast();
    user_of(ctx)
        .modules
        .loaded
        .borrow_mut()
        .insert(url.to_owned(), definition);
    if file.uses_import_meta {
        // SAFETY: the module was just read.
        let meta = runtime.check(unsafe { ffi::JS_GetImportMeta(runtime.ctx, definition) })?;
        meta.set("url", url)?;
        let referrer = url.to_owned();
        let resolve = ctx.function("resolve", 1, move |ctx, args| {
            let program = realm_of(ctx.runtime()).modules.program()?;
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
    runtime: &Runtime,
    url: &str,
    read: impl FnOnce() -> Result<Value, Exception>,
) -> Result<Value, Exception> {
    let known = realm_of(runtime).modules.code.borrow().get(url).cloned();
    if let Some(code) = known {
        return Ok(code);
    }
    let code = read()?;
    realm_of(runtime)
        .modules
        .code
        .borrow_mut()
        .insert(url.to_owned(), code.clone());
    Ok(code)
}

/// Reads bytecode without copying it: functions of the runtime point into it.
fn read_bytecode(runtime: &Rc<Runtime>, bytecode: &[u8]) -> Result<Value, Exception> {
    // SAFETY: the bytes were written by the same build of QuickJS, and `Modules` holds
    // the program until the runtime has been freed.
    runtime.check(unsafe {
        ffi::JS_ReadObject(
            runtime.ctx,
            bytecode.as_ptr(),
            bytecode.len(),
            ffi::READ_OBJ_BYTECODE,
        )
    })
}

/// The `module.exports` of a CommonJS file, which runs the first time.
fn run_commonjs(ctx: &Ctx, url: &str) -> Result<Value, Exception> {
    let runtime = ctx.runtime();
    let known = user_of(ctx).modules.commonjs.borrow().get(url).cloned();
    if let Some(module) = known {
        return module.get("exports");
    }
    let program = realm_of(runtime).modules.program()?;
    let file = module_of(&program, url)?;
    let wrapper = code_of(runtime, url, || {
        let function = read_bytecode(runtime, &file.bytecode)?;
        // SAFETY: JS_EvalFunction takes the function over.
        runtime.check(unsafe { ffi::JS_EvalFunction(runtime.ctx, function.into_raw()) })
    })?;
    let (module, exports) = (ctx.object()?, ctx.object()?);
    module.set("exports", &exports)?;
    module.set("id", url)?;
    let commonjs = &user_of(ctx).modules.commonjs;
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
    let runtime = ctx.runtime();
    let policy = realm_of(runtime).modules.require_policy.borrow().clone();
    if let Some(policy) = policy {
        policy(ctx, specifier)?;
    }
    let program = realm_of(runtime).modules.program()?;
    match link(&program, specifier, referrer)? {
        Link::Builtin(name) => builtin(ctx, &name)?.required(ctx),
        Link::Missing(message) => Err(Exception::error(message)),
        Link::File(url) => match module_of(&program, &url)?.kind {
            ModuleKind::CommonJs => run_commonjs(ctx, &url),
            ModuleKind::Esm => {
                if !user_of(ctx).modules.loaded.borrow().contains_key(&url) {
                    settled(&evaluate_esm(ctx, &url)?, &url)?;
                }
                namespace(ctx, &url)
            }
        },
    }
}

/// What a specifier leads to: as resolved when the program was built. A specifier that was
/// not literal in the source may name any file of the program.
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
    let modules = &realm_of(ctx.runtime()).modules;
    let known = modules.builtins.borrow().get(name).cloned();
    if let Some(exports) = known {
        return Ok(exports);
    }
    let program = modules.program()?;
    let exports = ctx.unguarded(|| program.builtins.make(ctx, name)?.complete(ctx))?;
    if realm_of(ctx.runtime()).barrier.is_shared() {
        exports.share();
    }
    modules
        .builtins
        .borrow_mut()
        .insert(name.to_owned(), exports.clone());
    Ok(exports)
}
