//! The part of `csrc/host.c` this crate calls, declared by hand.

use std::ffi::{c_char, c_int, c_void};

use super::{JSAtom, JSClassID, JSContext, JSModuleDef, JSRuntime, JSValue};

/// The part of a runtime that belongs to one native stack; see `host.c`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct HostExecution {
    pub(crate) stack_frame: *mut c_void,
    pub(crate) stack_limit: usize,
    pub(crate) first_job: *mut c_void,
    pub(crate) last_job: *mut c_void,
    pub(crate) random_state: u64,
}

unsafe extern "C" {
    pub(crate) fn host_swap_execution(ctx: *mut JSContext, other: *mut HostExecution);
    pub(crate) fn host_clear_jobs(rt: *mut JSRuntime);
    pub(crate) fn host_word_as_node(rt: *mut JSRuntime);
    pub(crate) fn host_next_seed(ctx: *mut JSContext) -> u64;
    pub(crate) fn host_share_all(ctx: *mut JSContext);
    /// Borrows the value.
    pub(crate) fn host_share_value(ctx: *mut JSContext, value: JSValue);
    /// Borrows the module.
    pub(crate) fn host_module_pattern(ctx: *mut JSContext, module: JSValue);
    /// Borrows the pattern; the result is owned by the caller.
    pub(crate) fn host_module_instance(
        ctx: *mut JSContext,
        pattern: JSValue,
        name: *const c_char,
    ) -> JSValue;
    pub(crate) fn host_module_free(ctx: *mut JSContext, module: *mut JSModuleDef);
    /// Borrows the value.
    pub(crate) fn host_ref_count(value: JSValue) -> c_int;
    pub(crate) fn host_seed_random(ctx: *mut JSContext, seed: u64);
    pub(crate) fn host_new_error(
        ctx: *mut JSContext,
        kind: c_int,
        message: *const c_char,
        len: usize,
    ) -> JSValue;
    pub(crate) fn host_define_lazy(
        ctx: *mut JSContext,
        object: JSValue,
        name: JSAtom,
        which: usize,
    ) -> c_int;
    /// Consumes the `values`.
    pub(crate) fn host_new_like(
        ctx: *mut JSContext,
        model: JSValue,
        class: JSClassID,
        count: c_int,
        values: *mut JSValue,
    ) -> JSValue;
}
