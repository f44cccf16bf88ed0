//! Rust code that QuickJS calls back: in which runtime it runs, and what becomes of its errors
//! and panics.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use super::handles::{Ctx, Exception, Runtime, Value};
use crate::ffi::{self, JSValue};

/// The runtime a callback from QuickJS belongs to.
///
/// # Safety
///
/// `rt` must be a live runtime made by [`Runtime::new`].
pub(crate) unsafe fn runtime_of<'a>(rt: *mut ffi::JSRuntime) -> &'a Runtime {
    // SAFETY: Runtime::new stores the address of the Runtime, which is alive until its
    // own drop has freed the runtime.
    unsafe { &*ffi::JS_GetRuntimeOpaque(rt).cast::<Runtime>().cast_const() }
}

/// Runs `f` with the [`Ctx`] a callback from QuickJS belongs to.
///
/// # Safety
///
/// `ctx` must belong to a runtime made by [`Runtime::new`] whose `Rc<Runtime>` is alive.
pub(crate) unsafe fn with_ctx<R>(ctx: *mut ffi::JSContext, f: impl FnOnce(&Ctx) -> R) -> R {
    // SAFETY: as above; the pointer came from Rc::as_ptr and ManuallyDrop gives the
    // count back unchanged.
    let borrowed = unsafe {
        let rt = ffi::JS_GetRuntime(ctx);
        let runtime = ffi::JS_GetRuntimeOpaque(rt).cast::<Runtime>().cast_const();
        std::mem::ManuallyDrop::new(Ctx::new(Rc::from_raw(runtime)))
    };
    f(&borrowed)
}

/// Runs Rust code for QuickJS: errors become exceptions, panics end the call.
pub(crate) fn guard(
    runtime: &Rc<Runtime>,
    body: impl FnOnce() -> Result<Value, Exception>,
) -> JSValue {
    guard_to(runtime, JSValue::EXCEPTION, || {
        let value = body()?;
        value.raw_in(runtime);
        Ok(value.into_raw())
    })
}

/// The same where QuickJS takes something else than a value, and `failed` for an exception.
pub(crate) fn guard_to<R: Copy>(
    runtime: &Rc<Runtime>,
    failed: R,
    body: impl FnOnce() -> Result<R, Exception>,
) -> R {
    let ran = catch_unwind(AssertUnwindSafe(|| {
        body().unwrap_or_else(|exception| {
            exception.throw(runtime);
            failed
        })
    }));
    ran.unwrap_or_else(|panic| {
        // Making the error may allocate in QuickJS but never panics on its own account.
        Exception::fatal(panic_message(&*panic)).throw(runtime);
        failed
    })
}

/// Runs Rust code for QuickJS where nothing can be thrown. A panic gives `otherwise`, and
/// ends the current call as soon as it can.
pub(crate) fn contain<R>(runtime: &Runtime, otherwise: R, body: impl FnOnce() -> R) -> R {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        runtime.end_call(panic_message(&*panic));
        otherwise
    })
}

/// What a caught panic said.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    format!("internal error: {}", text.as_deref().unwrap_or("panic"))
}
