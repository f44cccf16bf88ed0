//! Native functions: Rust closures that scripts call.

use std::any::Any;
use std::ffi::c_int;
use std::rc::Rc;

use crate::ffi::{self, JSValue};
use crate::quickjs::callback::{guard, with_ctx};
use crate::quickjs::cell::{cell_of, finalize, mark};
use crate::quickjs::handles::{Args, Content, Ctx, Exception, NativeBody, Value};
use crate::quickjs::{Attributes, IntoJs, c_string};

impl Args<'_> {
    /// How many arguments were passed.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether none were passed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Argument `index`; `undefined` when it was not passed.
    #[must_use]
    pub fn get(&self, index: usize) -> Value {
        let raw = self
            .values
            .get(index)
            .copied()
            .unwrap_or(JSValue::UNDEFINED);
        Value::borrow_raw(self.runtime, raw)
    }

    /// Argument `index` unless it is missing, `undefined` or `null`.
    #[must_use]
    pub fn given(&self, index: usize) -> Option<Value> {
        let value = self.get(index);
        (!value.is_nullish()).then_some(value)
    }

    /// The arguments from `index` on.
    #[must_use]
    pub fn rest(&self, index: usize) -> Vec<Value> {
        let rest = self.values.get(index..).unwrap_or_default();
        rest.iter()
            .map(|raw| Value::borrow_raw(self.runtime, *raw))
            .collect()
    }

    /// `this`; in a constructor call, `new.target`.
    #[must_use]
    pub fn this(&self) -> Value {
        Value::borrow_raw(self.runtime, self.this)
    }

    /// Whether the function was called with `new`.
    #[must_use]
    pub const fn is_new(&self) -> bool {
        self.is_new
    }

    /// The host data of `this`.
    ///
    /// # Errors
    ///
    /// A `TypeError` when `this` is no host object with data of type `T`.
    pub fn this_host<T: Any>(&self) -> Result<Rc<T>, Exception> {
        self.this().host().ok_or_else(|| {
            Exception::type_error(format!(
                "method called on an object that is no {}",
                std::any::type_name::<T>()
                    .rsplit("::")
                    .next()
                    .unwrap_or_default()
            ))
        })
    }

    /// A value the function captured when it was made, or stored later.
    #[must_use]
    pub fn slot(&self, index: usize) -> Value {
        let raw = self
            .cell
            .slot(self.runtime.ctx, index)
            .unwrap_or(JSValue::UNDEFINED);
        Value::adopt(self.runtime, raw)
    }

    /// Stores a value with the function, visible to the garbage collector.
    pub fn set_slot(&self, index: usize, value: Value) {
        value.raw_in(self.runtime);
        self.cell.set_slot(index, value);
    }
}

impl Ctx {
    /// A native function. `length` is what scripts see as its `length`.
    ///
    /// `body` must not own [`Value`]s (they would live as long as the runtime): pass
    /// them to [`function_with`](Self::function_with).
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn function<R: IntoJs>(
        &self,
        name: &str,
        length: u32,
        body: impl Fn(&Self, &Args<'_>) -> Result<R, Exception> + 'static,
    ) -> Result<Value, Exception> {
        self.function_with(name, length, Vec::new(), body)
    }

    /// A native function that captures `slots`; see [`Args::slot`].
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn function_with<R: IntoJs>(
        &self,
        name: &str,
        length: u32,
        slots: Vec<Value>,
        body: impl Fn(&Self, &Args<'_>) -> Result<R, Exception> + 'static,
    ) -> Result<Value, Exception> {
        let body: NativeBody = Box::new(move |ctx, args| body(ctx, args)?.into_js(ctx));
        let runtime = self.runtime();
        // SAFETY: the prototype is freed after use; the class was registered for runtime.
        let object = unsafe {
            let proto = ffi::JS_GetFunctionProto(runtime.ctx);
            let raw = ffi::JS_NewObjectProtoClass(runtime.ctx, proto, runtime.function_class);
            ffi::JS_FreeValueRT(runtime.rt, proto);
            runtime.check(raw)?
        };
        let slots = slots
            .into_iter()
            .map(|value| {
                value.raw_in(runtime);
                value.into_raw()
            })
            .collect();
        let number = runtime
            .progress
            .as_ref()
            .map(|progress| progress.number(name));
        let content = Content::Function(body, number.unwrap_or_default());
        let cell = runtime.cells.insert(content, slots);
        // SAFETY: the object is of our class; its finalizer frees the cell.
        unsafe { ffi::JS_SetOpaque(object.raw(), cell.cast()) };
        let readonly = Attributes::CONFIGURABLE;
        object.define(self.intern("length"), length, readonly)?;
        object.define(self.intern("name"), name, readonly)?;
        Ok(object)
    }

    /// A native function that can be called with `new`; see [`Args::is_new`].
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn constructor<R: IntoJs>(
        &self,
        name: &str,
        length: u32,
        body: impl Fn(&Self, &Args<'_>) -> Result<R, Exception> + 'static,
    ) -> Result<Value, Exception> {
        let function = self.function(name, length, body)?;
        // SAFETY: the function is owned.
        unsafe { ffi::JS_SetConstructorBit(self.runtime().ctx, function.raw(), true) };
        Ok(function)
    }
}

/// Registers the class of native functions.
///
/// # Safety
///
/// `rt` must be a live runtime.
pub(crate) unsafe fn register(rt: *mut ffi::JSRuntime) -> ffi::JSClassID {
    let definition = ffi::JSClassDef {
        class_name: c"Function".as_ptr(),
        finalizer: Some(finalize),
        gc_mark: Some(mark),
        call: Some(call),
        exotic: std::ptr::null_mut(),
    };
    let mut id = 0;
    // SAFETY: rt is alive; the definition is copied.
    unsafe {
        ffi::JS_NewClassID(rt, &raw mut id);
        ffi::JS_NewClass(rt, id, &raw const definition);
    }
    id
}

/// Runs a native function for QuickJS; panics end here.
unsafe extern "C" fn call(
    ctx: *mut ffi::JSContext,
    function: JSValue,
    this: JSValue,
    argc: c_int,
    argv: *mut JSValue,
    flags: c_int,
) -> JSValue {
    // SAFETY: QuickJS calls it in a runtime of ours with argc values at argv, and keeps
    // the function alive meanwhile.
    unsafe {
        with_ctx(ctx, |ctx| {
            let runtime = ctx.runtime();
            guard(runtime, || {
                let cell = cell_of(function, runtime.function_class);
                let ended = || Exception::error("the script has ended");
                let cell = cell.ok_or_else(ended)?;
                let Content::Function(body, number) = &cell.content else {
                    return Err(ended());
                };
                let values = match usize::try_from(argc) {
                    Ok(count) if count > 0 => std::slice::from_raw_parts(argv, count),
                    _ => &[],
                };
                let args = Args {
                    runtime,
                    cell,
                    this,
                    values,
                    is_new: flags & ffi::CALL_FLAG_CONSTRUCTOR != 0,
                };
                let Some(progress) = &runtime.progress else {
                    return body(ctx, &args);
                };
                let around = progress.enter(*number);
                let outcome = body(ctx, &args);
                progress.enter(around);
                outcome
            })
        })
    }
}

/// A module whose exports `init` sets; always has a default export.
pub(crate) fn native_module(
    ctx: &Ctx,
    url: &str,
    init: ffi::ModuleInit,
    names: &[&str],
) -> Result<*mut ffi::JSModuleDef, Exception> {
    let runtime = ctx.runtime();
    let mut names: Vec<&str> = names.to_vec();
    names.push("default");
    names.sort_unstable();
    names.dedup();
    let url = c_string(url);
    // SAFETY: all names are C strings.
    unsafe {
        let module = ffi::JS_NewCModule(runtime.ctx, url.as_ptr(), init);
        if module.is_null() {
            return Err(runtime.take_exception());
        }
        for name in names {
            let code = ffi::JS_AddModuleExport(runtime.ctx, module, c_string(name).as_ptr());
            runtime.check_int(code)?;
        }
        Ok(module)
    }
}
