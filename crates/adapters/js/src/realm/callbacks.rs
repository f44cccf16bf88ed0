//! What QuickJS tells a realm: that a script has computed for a while, and that a promise
//! was rejected.

use std::ffi::{c_int, c_void};

use super::{realm_of, user_of};
use crate::ffi;
use crate::quickjs::{Value, contain, runtime_of, with_ctx};

/// Called by QuickJS every few thousand steps: stops interrupted scripts, ends time
/// slices. Returns non-zero to stop.
///
/// # Safety
///
/// Called by QuickJS only, in the runtime of a realm.
pub(crate) unsafe extern "C" fn interrupt_handler(
    rt: *mut ffi::JSRuntime,
    _: *mut c_void,
) -> c_int {
    // SAFETY: by contract.
    let runtime = unsafe { runtime_of(rt) };
    contain(runtime, 1, || {
        let user = realm_of(runtime).current();
        let user = user.expect("a user runs in the realm");
        c_int::from(user.coroutine.check_slice())
    })
}

/// Keeps track of rejected promises for QuickJS.
///
/// # Safety
///
/// Called by QuickJS only, in the runtime of a realm.
pub(crate) unsafe extern "C" fn rejection_tracker(
    ctx: *mut ffi::JSContext,
    promise: ffi::JSValue,
    reason: ffi::JSValue,
    is_handled: bool,
    _: *mut c_void,
) {
    // SAFETY: by contract; the values are alive during the call.
    unsafe {
        with_ctx(ctx, |ctx| {
            contain(ctx.runtime(), (), || {
                let promise = Value::borrow_raw(ctx.runtime(), promise);
                let reason = Value::borrow_raw(ctx.runtime(), reason);
                let event_loop = &user_of(ctx).event_loop;
                event_loop.note_rejection(promise, reason, is_handled);
            });
        });
    }
}
