//! What QuickJS asks for while it links modules: names, code, the values of native modules.

use std::ffi::{CStr, c_char, c_int, c_void};

use super::{builtin, link, load_file, module_of, name_of, run_commonjs, url_in};
use crate::ffi;
use crate::program::{Link, ModuleKind};
use crate::quickjs::{
    Atom, Ctx, Exception, Value, c_string, contain, guard_to, native_module, with_ctx,
};
use crate::realm::{realm_of, user_of};

/// Runs a module callback of QuickJS; errors and panics become exceptions.
///
/// # Safety
///
/// `raw` must be the context QuickJS called back with.
unsafe fn callback<R: Copy>(
    raw: *mut ffi::JSContext,
    failed: R,
    body: impl FnOnce(&Ctx) -> Result<R, Exception>,
) -> R {
    // SAFETY: by contract.
    unsafe { with_ctx(raw, |ctx| guard_to(ctx.runtime(), failed, || body(ctx))) }
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
/// Called by QuickJS only, in the runtime of a realm.
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
            let modules = &realm_of(ctx.runtime()).modules;
            if !modules.is_linking.get() {
                // A string, not an error: scripts see the same under k6.
                let refusal = ctx.string("dynamic modules not enabled in the host program")?;
                return Err(Exception::thrown(refusal));
            }
            let target = match link(&*modules.program()?, &name, url_in(&base))? {
                Link::File(url) => name_of(ctx, &url),
                Link::Builtin(name) => name,
                Link::Missing(message) => return Err(Exception::error(message)),
            };
            Ok(ffi::js_strndup(raw, target.as_ptr().cast(), target.len()))
        })
    }
}

/// Loads a module for QuickJS.
///
/// # Safety
///
/// Called by QuickJS only, in the runtime of a realm.
pub(crate) unsafe extern "C" fn load(
    raw: *mut ffi::JSContext,
    url: *const c_char,
    _: *mut c_void,
) -> *mut ffi::JSModuleDef {
    // SAFETY: QuickJS passes a C string.
    unsafe {
        callback(raw, std::ptr::null_mut(), |ctx| {
            let name = text_of(url);
            let program = realm_of(ctx.runtime()).modules.program()?;
            let url = url_in(&name);
            match program.modules.get(url).map(|file| file.kind) {
                // The module stays listed in the context when this value is freed.
                Some(ModuleKind::Esm) => Ok(load_file(ctx, url)?.raw().pointer().cast()),
                Some(ModuleKind::CommonJs) => {
                    let names = &module_of(&program, url)?.names;
                    let names: Vec<&str> = names.iter().map(String::as_str).collect();
                    let module = native_module(ctx, &name, commonjs_module, &names)?;
                    let wrappers = &user_of(ctx).modules.wrappers;
                    wrappers.borrow_mut().push(module);
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
            contain(ctx.runtime(), std::ptr::null_mut(), || {
                let loaded = user_of(ctx).modules.loaded.borrow();
                let found = loaded.get(&text_of(url)).copied();
                found.unwrap_or(std::ptr::null_mut())
            })
        })
    }
}

/// # Safety
///
/// `module` must be a module QuickJS is initialising.
unsafe fn module_url(ctx: &Ctx, module: *mut ffi::JSModuleDef) -> String {
    let runtime = ctx.runtime();
    // SAFETY: by contract; the name is owned here.
    unsafe {
        let name = ffi::JS_GetModuleName(runtime.ctx, module);
        let text = Atom::borrow_raw(runtime, name).to_text();
        ffi::JS_FreeAtom(runtime.ctx, name);
        url_in(&text).to_owned()
    }
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
            let program = realm_of(ctx.runtime()).modules.program()?;
            for name in program.builtin_imports.get(&url).into_iter().flatten() {
                if exports.get(name).is_none() {
                    set_export(ctx, module, name, ctx.null())?;
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
            let program = realm_of(ctx.runtime()).modules.program()?;
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
            // Files compiled from ECMAScript modules say so, and their default export is a
            // property of their exports.
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
    let runtime = ctx.runtime();
    // SAFETY: the module is being initialised; the value is given away.
    let code = unsafe {
        ffi::JS_SetModuleExport(
            runtime.ctx,
            module,
            c_string(name).as_ptr(),
            value.into_raw(),
        )
    };
    runtime.check_int(code).map(drop)
}
