//! The part of `quickjs.h` this crate calls, declared by hand.
//!
//! `JSValue` is the 16-byte struct of 64-bit builds; 32-bit targets box values in NaNs
//! and are not supported. A function taking `JSValue` consumes it only where the
//! comment beside it says so.

pub(crate) mod csrc;

use std::ffi::{c_char, c_int, c_void};

#[cfg(not(target_pointer_width = "64"))]
compile_error!("loadline-js declares the JSValue layout of 64-bit targets only");

/// A JavaScript value as QuickJS passes it: payload and tag.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct JSValue {
    pub(crate) payload: u64,
    pub(crate) tag: i64,
}

pub(crate) const TAG_FIRST: i64 = -9;
pub(crate) const TAG_BIG_INT: i64 = -9;
pub(crate) const TAG_SYMBOL: i64 = -8;
pub(crate) const TAG_STRING: i64 = -7;
pub(crate) const TAG_STRING_ROPE: i64 = -6;
pub(crate) const TAG_OBJECT: i64 = -1;
pub(crate) const TAG_INT: i64 = 0;
pub(crate) const TAG_BOOL: i64 = 1;
pub(crate) const TAG_NULL: i64 = 2;
pub(crate) const TAG_UNDEFINED: i64 = 3;
pub(crate) const TAG_EXCEPTION: i64 = 6;
pub(crate) const TAG_SHORT_BIG_INT: i64 = 7;
pub(crate) const TAG_FLOAT64: i64 = 8;

impl JSValue {
    pub(crate) const UNDEFINED: Self = Self {
        payload: 0,
        tag: TAG_UNDEFINED,
    };
    pub(crate) const NULL: Self = Self {
        payload: 0,
        tag: TAG_NULL,
    };

    /// What a function returns when an exception is pending.
    pub(crate) const EXCEPTION: Self = Self {
        payload: 0,
        tag: TAG_EXCEPTION,
    };

    pub(crate) const fn bool(value: bool) -> Self {
        Self {
            payload: value as u64,
            tag: TAG_BOOL,
        }
    }

    pub(crate) const fn int(value: i32) -> Self {
        Self {
            payload: value.cast_unsigned() as u64,
            tag: TAG_INT,
        }
    }

    pub(crate) const fn float(value: f64) -> Self {
        Self {
            payload: value.to_bits(),
            tag: TAG_FLOAT64,
        }
    }

    pub(crate) const fn is_exception(self) -> bool {
        self.tag == TAG_EXCEPTION
    }

    pub(crate) const fn has_ref_count(self) -> bool {
        self.tag < 0 && self.tag >= TAG_FIRST
    }

    pub(crate) const fn pointer(self) -> *mut c_void {
        self.payload as *mut c_void
    }
}

/// Opaque QuickJS types; only pointers to them exist here.
#[repr(C)]
pub(crate) struct JSRuntime {
    _private: [u8; 0],
}
#[repr(C)]
pub(crate) struct JSContext {
    _private: [u8; 0],
}
#[repr(C)]
pub(crate) struct JSModuleDef {
    _private: [u8; 0],
}

pub(crate) type JSAtom = u32;
pub(crate) type JSClassID = u32;

pub(crate) const PROP_CONFIGURABLE: c_int = 1 << 0;
pub(crate) const PROP_WRITABLE: c_int = 1 << 1;
pub(crate) const PROP_ENUMERABLE: c_int = 1 << 2;
pub(crate) const PROP_C_W_E: c_int = PROP_CONFIGURABLE | PROP_WRITABLE | PROP_ENUMERABLE;
pub(crate) const PROP_THROW: c_int = 1 << 14;

pub(crate) const EVAL_TYPE_GLOBAL: c_int = 0;
pub(crate) const EVAL_TYPE_MODULE: c_int = 1;
pub(crate) const EVAL_FLAG_STRICT: c_int = 1 << 3;
pub(crate) const EVAL_FLAG_COMPILE_ONLY: c_int = 1 << 5;

pub(crate) const GPN_STRING_MASK: c_int = 1 << 0;
pub(crate) const GPN_SYMBOL_MASK: c_int = 1 << 1;
pub(crate) const GPN_ENUM_ONLY: c_int = 1 << 4;

pub(crate) const CALL_FLAG_CONSTRUCTOR: c_int = 1 << 0;

pub(crate) const WRITE_OBJ_BYTECODE: c_int = 1 << 0;
pub(crate) const READ_OBJ_BYTECODE: c_int = 1 << 0;

/// `JSErrorEnum` of quickjs.c.
pub(crate) const ERROR_RANGE: c_int = 1;
pub(crate) const ERROR_REFERENCE: c_int = 2;
pub(crate) const ERROR_SYNTAX: c_int = 3;
pub(crate) const ERROR_TYPE: c_int = 4;
pub(crate) const ERROR_INTERNAL: c_int = 6;
/// `JS_TYPED_ARRAY_UINT8C`
pub(crate) const TYPED_ARRAY_UINT8C: c_int = 0;
/// `JS_TYPED_ARRAY_UINT8`
pub(crate) const TYPED_ARRAY_UINT8: c_int = 2;
pub(crate) const ERROR_PLAIN: c_int = 9;

pub(crate) const PROMISE_PENDING: c_int = 0;
pub(crate) const PROMISE_FULFILLED: c_int = 1;
pub(crate) const PROMISE_REJECTED: c_int = 2;

pub(crate) type ClassCall = unsafe extern "C" fn(
    ctx: *mut JSContext,
    function: JSValue,
    this: JSValue,
    argc: c_int,
    argv: *mut JSValue,
    flags: c_int,
) -> JSValue;
pub(crate) type ClassFinalizer = unsafe extern "C" fn(rt: *mut JSRuntime, value: JSValue);
pub(crate) type MarkFunc = unsafe extern "C" fn(rt: *mut JSRuntime, header: *mut c_void);
pub(crate) type ClassMark =
    unsafe extern "C" fn(rt: *mut JSRuntime, value: JSValue, mark: MarkFunc);
pub(crate) type InterruptHandler =
    unsafe extern "C" fn(rt: *mut JSRuntime, opaque: *mut c_void) -> c_int;
pub(crate) type RejectionTracker = unsafe extern "C" fn(
    ctx: *mut JSContext,
    promise: JSValue,
    reason: JSValue,
    is_handled: bool,
    opaque: *mut c_void,
);
pub(crate) type ModuleNormalize = unsafe extern "C" fn(
    ctx: *mut JSContext,
    base: *const c_char,
    name: *const c_char,
    opaque: *mut c_void,
) -> *mut c_char;
pub(crate) type ModuleLoad = unsafe extern "C" fn(
    ctx: *mut JSContext,
    name: *const c_char,
    opaque: *mut c_void,
) -> *mut JSModuleDef;
pub(crate) type ModuleInit =
    unsafe extern "C" fn(ctx: *mut JSContext, module: *mut JSModuleDef) -> c_int;
pub(crate) type ReallocBuffer = unsafe extern "C" fn(
    rt: *mut JSRuntime,
    opaque: *mut c_void,
    ptr: *mut c_void,
    size: usize,
) -> *mut c_void;

#[repr(C)]
pub(crate) struct JSClassDef {
    pub(crate) class_name: *const c_char,
    pub(crate) finalizer: Option<ClassFinalizer>,
    pub(crate) gc_mark: Option<ClassMark>,
    pub(crate) call: Option<ClassCall>,
    pub(crate) exotic: *mut c_void,
}

#[repr(C)]
pub(crate) struct JSPropertyEnum {
    pub(crate) is_enumerable: bool,
    pub(crate) atom: JSAtom,
}

#[repr(C)]
#[derive(Default)]
pub(crate) struct JSMemoryUsage {
    pub(crate) malloc_size: i64,
    pub(crate) malloc_limit: i64,
    pub(crate) memory_used_size: i64,
    pub(crate) malloc_count: i64,
    pub(crate) rest: [i64; 22],
}

unsafe extern "C" {
    pub(crate) fn JS_NewRuntime() -> *mut JSRuntime;
    pub(crate) fn JS_FreeRuntime(rt: *mut JSRuntime);
    pub(crate) fn JS_SetMemoryLimit(rt: *mut JSRuntime, limit: usize);
    pub(crate) fn JS_SetMaxStackSize(rt: *mut JSRuntime, size: usize);
    pub(crate) fn JS_RunGC(rt: *mut JSRuntime);
    pub(crate) fn JS_ComputeMemoryUsage(rt: *mut JSRuntime, usage: *mut JSMemoryUsage);
    pub(crate) fn JS_GetRuntimeOpaque(rt: *mut JSRuntime) -> *mut c_void;
    pub(crate) fn JS_SetRuntimeOpaque(rt: *mut JSRuntime, opaque: *mut c_void);
    pub(crate) fn JS_SetInterruptHandler(
        rt: *mut JSRuntime,
        handler: InterruptHandler,
        opaque: *mut c_void,
    );
    pub(crate) fn JS_SetHostPromiseRejectionTracker(
        rt: *mut JSRuntime,
        tracker: RejectionTracker,
        opaque: *mut c_void,
    );
    pub(crate) fn JS_SetModuleLoaderFunc(
        rt: *mut JSRuntime,
        normalize: ModuleNormalize,
        load: ModuleLoad,
        opaque: *mut c_void,
    );

    pub(crate) fn JS_NewContext(rt: *mut JSRuntime) -> *mut JSContext;
    pub(crate) fn JS_FreeContext(ctx: *mut JSContext);
    pub(crate) fn JS_GetRuntime(ctx: *mut JSContext) -> *mut JSRuntime;
    pub(crate) fn JS_GetGlobalObject(ctx: *mut JSContext) -> JSValue;
    pub(crate) fn JS_GetFunctionProto(ctx: *mut JSContext) -> JSValue;

    pub(crate) fn JS_NewClassID(rt: *mut JSRuntime, id: *mut JSClassID) -> JSClassID;
    pub(crate) fn JS_NewClass(
        rt: *mut JSRuntime,
        id: JSClassID,
        definition: *const JSClassDef,
    ) -> c_int;
    pub(crate) fn JS_GetClassID(value: JSValue) -> JSClassID;
    pub(crate) fn JS_SetOpaque(value: JSValue, opaque: *mut c_void) -> c_int;
    pub(crate) fn JS_GetOpaque(value: JSValue, class: JSClassID) -> *mut c_void;
    pub(crate) fn JS_SetConstructorBit(ctx: *mut JSContext, function: JSValue, on: bool) -> bool;
    pub(crate) fn JS_MarkValue(rt: *mut JSRuntime, value: JSValue, mark: MarkFunc);

    pub(crate) fn JS_NewAtomLen(ctx: *mut JSContext, text: *const c_char, len: usize) -> JSAtom;
    pub(crate) fn JS_NewAtomUInt32(ctx: *mut JSContext, n: u32) -> JSAtom;
    pub(crate) fn JS_DupAtom(ctx: *mut JSContext, atom: JSAtom) -> JSAtom;
    pub(crate) fn JS_FreeAtom(ctx: *mut JSContext, atom: JSAtom);
    pub(crate) fn JS_FreeAtomRT(rt: *mut JSRuntime, atom: JSAtom);
    pub(crate) fn JS_AtomToString(ctx: *mut JSContext, atom: JSAtom) -> JSValue;
    pub(crate) fn JS_AtomToValue(ctx: *mut JSContext, atom: JSAtom) -> JSValue;

    pub(crate) fn JS_DupValue(ctx: *mut JSContext, value: JSValue) -> JSValue;
    /// Consumes `value`.
    pub(crate) fn JS_FreeValueRT(rt: *mut JSRuntime, value: JSValue);
    /// Consumes `value`.
    pub(crate) fn JS_Throw(ctx: *mut JSContext, value: JSValue) -> JSValue;
    pub(crate) fn JS_GetException(ctx: *mut JSContext) -> JSValue;
    pub(crate) fn JS_IsError(value: JSValue) -> bool;
    pub(crate) fn JS_IsUncatchableError(value: JSValue) -> bool;
    pub(crate) fn JS_SetUncatchableError(ctx: *mut JSContext, value: JSValue);

    pub(crate) fn JS_ToBool(ctx: *mut JSContext, value: JSValue) -> c_int;
    pub(crate) fn JS_ToInt32(ctx: *mut JSContext, result: *mut i32, value: JSValue) -> c_int;
    pub(crate) fn JS_ToInt64Ext(ctx: *mut JSContext, result: *mut i64, value: JSValue) -> c_int;
    pub(crate) fn JS_ToFloat64(ctx: *mut JSContext, result: *mut f64, value: JSValue) -> c_int;
    pub(crate) fn JS_ToCStringLen2(
        ctx: *mut JSContext,
        len: *mut usize,
        value: JSValue,
        cesu8: bool,
    ) -> *const c_char;
    pub(crate) fn JS_FreeCString(ctx: *mut JSContext, text: *const c_char);
    pub(crate) fn JS_NewStringLen(ctx: *mut JSContext, text: *const c_char, len: usize) -> JSValue;
    pub(crate) fn JS_NewStringUTF16(ctx: *mut JSContext, text: *const u16, len: usize) -> JSValue;
    pub(crate) fn JS_NewBigInt64(ctx: *mut JSContext, value: i64) -> JSValue;
    pub(crate) fn JS_NewSymbol(
        ctx: *mut JSContext,
        description: *const c_char,
        is_global: bool,
    ) -> JSValue;
    pub(crate) fn JS_NewDate(ctx: *mut JSContext, epoch_ms: f64) -> JSValue;

    pub(crate) fn JS_NewObject(ctx: *mut JSContext) -> JSValue;
    pub(crate) fn JS_NewObjectProto(ctx: *mut JSContext, proto: JSValue) -> JSValue;
    pub(crate) fn JS_NewObjectProtoClass(
        ctx: *mut JSContext,
        proto: JSValue,
        class: JSClassID,
    ) -> JSValue;
    /// Consumes the `values`.
    pub(crate) fn JS_NewArrayFrom(
        ctx: *mut JSContext,
        count: c_int,
        values: *const JSValue,
    ) -> JSValue;
    pub(crate) fn JS_IsArray(value: JSValue) -> bool;
    pub(crate) fn JS_IsFunction(ctx: *mut JSContext, value: JSValue) -> bool;
    pub(crate) fn JS_IsAsyncFunction(value: JSValue) -> bool;
    pub(crate) fn JS_IsDate(value: JSValue) -> bool;
    pub(crate) fn JS_IsMap(value: JSValue) -> bool;
    pub(crate) fn JS_IsSet(value: JSValue) -> bool;
    pub(crate) fn JS_IsRegExp(value: JSValue) -> bool;
    pub(crate) fn JS_IsProxy(value: JSValue) -> bool;
    pub(crate) fn JS_IsStrictEqual(ctx: *mut JSContext, a: JSValue, b: JSValue) -> bool;
    pub(crate) fn JS_IsInstanceOf(ctx: *mut JSContext, value: JSValue, class: JSValue) -> c_int;

    pub(crate) fn JS_GetProperty(ctx: *mut JSContext, this: JSValue, prop: JSAtom) -> JSValue;
    pub(crate) fn JS_GetPropertyUint32(ctx: *mut JSContext, this: JSValue, index: u32) -> JSValue;
    /// Consumes `value`.
    pub(crate) fn JS_SetProperty(
        ctx: *mut JSContext,
        this: JSValue,
        prop: JSAtom,
        value: JSValue,
    ) -> c_int;
    /// Consumes `value`.
    pub(crate) fn JS_SetPropertyUint32(
        ctx: *mut JSContext,
        this: JSValue,
        index: u32,
        value: JSValue,
    ) -> c_int;
    /// Consumes `value`.
    pub(crate) fn JS_DefinePropertyValue(
        ctx: *mut JSContext,
        this: JSValue,
        prop: JSAtom,
        value: JSValue,
        flags: c_int,
    ) -> c_int;
    /// Consumes `getter` and `setter`.
    pub(crate) fn JS_DefinePropertyGetSet(
        ctx: *mut JSContext,
        this: JSValue,
        prop: JSAtom,
        getter: JSValue,
        setter: JSValue,
        flags: c_int,
    ) -> c_int;
    /// `descriptor` may be null: then it only says whether there is one (1) or not (0).
    pub(crate) fn JS_GetOwnProperty(
        ctx: *mut JSContext,
        descriptor: *mut std::ffi::c_void,
        object: JSValue,
        property: JSAtom,
    ) -> c_int;
    pub(crate) fn JS_HasProperty(ctx: *mut JSContext, this: JSValue, prop: JSAtom) -> c_int;
    pub(crate) fn JS_DeleteProperty(
        ctx: *mut JSContext,
        this: JSValue,
        prop: JSAtom,
        flags: c_int,
    ) -> c_int;
    pub(crate) fn JS_GetOwnPropertyNames(
        ctx: *mut JSContext,
        table: *mut *mut JSPropertyEnum,
        len: *mut u32,
        object: JSValue,
        flags: c_int,
    ) -> c_int;
    pub(crate) fn JS_FreePropertyEnum(ctx: *mut JSContext, table: *mut JSPropertyEnum, len: u32);
    pub(crate) fn JS_GetLength(ctx: *mut JSContext, object: JSValue, len: *mut i64) -> c_int;
    pub(crate) fn JS_FreezeObject(ctx: *mut JSContext, object: JSValue) -> c_int;
    pub(crate) fn JS_GetPrototype(ctx: *mut JSContext, value: JSValue) -> JSValue;
    pub(crate) fn JS_SetPrototype(ctx: *mut JSContext, value: JSValue, proto: JSValue) -> c_int;

    pub(crate) fn JS_Call(
        ctx: *mut JSContext,
        function: JSValue,
        this: JSValue,
        argc: c_int,
        argv: *const JSValue,
    ) -> JSValue;
    pub(crate) fn JS_CallConstructor(
        ctx: *mut JSContext,
        function: JSValue,
        argc: c_int,
        argv: *const JSValue,
    ) -> JSValue;
    /// `input` must be followed by a NUL byte.
    pub(crate) fn JS_Eval(
        ctx: *mut JSContext,
        input: *const c_char,
        len: usize,
        filename: *const c_char,
        flags: c_int,
    ) -> JSValue;
    /// `text` must be followed by a NUL byte.
    pub(crate) fn JS_ParseJSON(
        ctx: *mut JSContext,
        text: *const c_char,
        len: usize,
        filename: *const c_char,
    ) -> JSValue;
    pub(crate) fn JS_JSONStringify(
        ctx: *mut JSContext,
        value: JSValue,
        replacer: JSValue,
        space: JSValue,
    ) -> JSValue;

    pub(crate) fn JS_NewArrayBuffer(
        ctx: *mut JSContext,
        buf: *mut u8,
        len: usize,
        max_len: usize,
        realloc: Option<ReallocBuffer>,
        opaque: *mut c_void,
        is_shared: bool,
    ) -> JSValue;
    pub(crate) fn JS_GetArrayBuffer(
        ctx: *mut JSContext,
        size: *mut usize,
        value: JSValue,
    ) -> *mut u8;
    pub(crate) fn JS_IsArrayBuffer(value: JSValue) -> bool;
    pub(crate) fn JS_IsDataView(value: JSValue) -> bool;
    pub(crate) fn JS_NewTypedArray(
        ctx: *mut JSContext,
        argc: c_int,
        argv: *const JSValue,
        kind: c_int,
    ) -> JSValue;
    pub(crate) fn JS_GetTypedArrayType(value: JSValue) -> c_int;
    pub(crate) fn JS_GetTypedArrayBuffer(
        ctx: *mut JSContext,
        value: JSValue,
        offset: *mut usize,
        length: *mut usize,
        bytes_per_element: *mut usize,
    ) -> JSValue;

    pub(crate) fn JS_NewPromiseCapability(ctx: *mut JSContext, resolving: *mut JSValue) -> JSValue;
    pub(crate) fn JS_PromiseState(ctx: *mut JSContext, promise: JSValue) -> c_int;
    pub(crate) fn JS_PromiseResult(ctx: *mut JSContext, promise: JSValue) -> JSValue;
    pub(crate) fn JS_PromiseMarkAsHandled(ctx: *mut JSContext, promise: JSValue);
    pub(crate) fn JS_ExecutePendingJob(rt: *mut JSRuntime, ctx: *mut *mut JSContext) -> c_int;

    pub(crate) fn JS_WriteObject(
        ctx: *mut JSContext,
        size: *mut usize,
        value: JSValue,
        flags: c_int,
    ) -> *mut u8;
    pub(crate) fn JS_ReadObject(
        ctx: *mut JSContext,
        buf: *const u8,
        len: usize,
        flags: c_int,
    ) -> JSValue;
    /// Consumes `function`.
    pub(crate) fn JS_EvalFunction(ctx: *mut JSContext, function: JSValue) -> JSValue;
    pub(crate) fn JS_ResolveModule(ctx: *mut JSContext, module: JSValue) -> c_int;
    pub(crate) fn JS_NewCModule(
        ctx: *mut JSContext,
        name: *const c_char,
        init: ModuleInit,
    ) -> *mut JSModuleDef;
    pub(crate) fn JS_AddModuleExport(
        ctx: *mut JSContext,
        module: *mut JSModuleDef,
        name: *const c_char,
    ) -> c_int;
    /// Consumes `value`.
    pub(crate) fn JS_SetModuleExport(
        ctx: *mut JSContext,
        module: *mut JSModuleDef,
        name: *const c_char,
        value: JSValue,
    ) -> c_int;
    pub(crate) fn JS_GetImportMeta(ctx: *mut JSContext, module: *mut JSModuleDef) -> JSValue;
    pub(crate) fn JS_GetModuleName(ctx: *mut JSContext, module: *mut JSModuleDef) -> JSAtom;
    pub(crate) fn JS_GetModuleNamespace(ctx: *mut JSContext, module: *mut JSModuleDef) -> JSValue;

    pub(crate) fn js_free(ctx: *mut JSContext, ptr: *mut c_void);
    pub(crate) fn js_strndup(ctx: *mut JSContext, text: *const c_char, len: usize) -> *mut c_char;
}
