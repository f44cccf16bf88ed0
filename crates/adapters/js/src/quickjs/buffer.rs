//! Binary data: `ArrayBuffer`, typed arrays, `DataView`.

use std::ffi::c_void;

use crate::ffi::{self, JSValue};
use crate::quickjs::{Ctx, Exception, Value};

/// `JS_TYPED_ARRAY_UINT8` of `JSTypedArrayEnum`.
const UINT8_ARRAY: i32 = 2;

impl Ctx {
    /// An `ArrayBuffer` that takes over `bytes` without copying.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn array_buffer(&self, bytes: Vec<u8>) -> Result<Value, Exception> {
        let runtime = self.runtime();
        let bytes = Box::new(bytes.into_boxed_slice());
        let (data, len) = (bytes.as_ptr().cast_mut(), bytes.len());
        let owner: *mut c_void = Box::into_raw(bytes).cast();
        // SAFETY: data and len describe memory that `free_bytes` frees, once, when the
        // buffer goes.
        let raw = unsafe {
            ffi::JS_NewArrayBuffer(runtime.ctx, data, len, 0, Some(free_bytes), owner, false)
        };
        runtime.check(raw)
    }

    /// A `Uint8Array` over a new buffer.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn uint8_array(&self, bytes: Vec<u8>) -> Result<Value, Exception> {
        let runtime = self.runtime();
        let buffer = self.array_buffer(bytes)?;
        let args = [buffer.raw(), JSValue::UNDEFINED, JSValue::UNDEFINED];
        // SAFETY: three live arguments.
        runtime.check(unsafe { ffi::JS_NewTypedArray(runtime.ctx, 3, args.as_ptr(), UINT8_ARRAY) })
    }
}

/// Frees (size zero) the bytes of a buffer made by `array_buffer`; never resizes.
unsafe extern "C" fn free_bytes(
    _: *mut ffi::JSRuntime,
    owner: *mut c_void,
    _: *mut c_void,
    size: usize,
) -> *mut c_void {
    if size == 0 {
        // SAFETY: `owner` is the box `array_buffer` leaked; QuickJS frees a buffer once.
        drop(unsafe { Box::from_raw(owner.cast::<Box<[u8]>>()) });
    }
    std::ptr::null_mut()
}

impl Value {
    /// An `ArrayBuffer`.
    #[must_use]
    pub fn is_array_buffer(&self) -> bool {
        // SAFETY: self owns the value.
        unsafe { ffi::JS_IsArrayBuffer(self.raw()) }
    }

    /// A typed array of any element type.
    #[must_use]
    pub fn is_typed_array(&self) -> bool {
        // SAFETY: self owns the value.
        unsafe { ffi::JS_GetTypedArrayType(self.raw()) >= 0 }
    }

    /// A `Uint8Array` or `Uint8ClampedArray`.
    #[must_use]
    pub fn is_byte_array(&self) -> bool {
        // SAFETY: self owns the value.
        let kind = unsafe { ffi::JS_GetTypedArrayType(self.raw()) };
        kind == ffi::TYPED_ARRAY_UINT8C || kind == ffi::TYPED_ARRAY_UINT8
    }

    /// A `DataView`.
    #[must_use]
    pub fn is_data_view(&self) -> bool {
        // SAFETY: self owns the value.
        unsafe { ffi::JS_IsDataView(self.raw()) }
    }

    /// A copy of the bytes of an `ArrayBuffer`, typed array or `DataView`; `None` for
    /// anything else and for detached buffers.
    #[must_use]
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let (buffer, range) = self.bytes_range()?;
        let bytes = buffer_bytes(&buffer)?;
        // SAFETY: the buffer is alive and nothing of QuickJS runs during the copy.
        unsafe { bytes.as_ref() }.get(range).map(<[u8]>::to_vec)
    }

    /// Copies `source` into the bytes from `offset` on, as far as they reach; returns
    /// how many were written. `None` as [`to_bytes`](Self::to_bytes).
    pub fn write_bytes(&self, offset: usize, source: &[u8]) -> Option<usize> {
        let (buffer, range) = self.bytes_range()?;
        let mut bytes = buffer_bytes(&buffer)?;
        // SAFETY: the buffer is alive and nothing else looks at its bytes during the copy.
        let bytes = unsafe { bytes.as_mut() }.get_mut(range)?;
        let place = bytes.get_mut(offset..)?;
        let count = place.len().min(source.len());
        place[..count].copy_from_slice(&source[..count]);
        Some(count)
    }

    /// The buffer behind the value and the range of its bytes the value covers.
    fn bytes_range(&self) -> Option<(Self, std::ops::Range<usize>)> {
        if self.is_array_buffer() {
            let len = buffer_bytes(self)?.len();
            return Some((self.clone(), 0..len));
        }
        if self.is_data_view() {
            let buffer = self.get("buffer").ok()?;
            let offset = self.get("byteOffset").ok()?.to_i64().ok()?;
            let len = self.get("byteLength").ok()?.to_i64().ok()?;
            let start = usize::try_from(offset).ok()?;
            return Some((buffer, start..start + usize::try_from(len).ok()?));
        }
        if !self.is_typed_array() {
            return None;
        }
        let (mut start, mut len, mut size) = (0, 0, 0);
        // SAFETY: self is a typed array; the results are locals.
        let raw = unsafe {
            ffi::JS_GetTypedArrayBuffer(
                self.runtime().ctx,
                self.raw(),
                &raw mut start,
                &raw mut len,
                &raw mut size,
            )
        };
        let buffer = self.runtime().check(raw).ok()?;
        Some((buffer, start..start + len))
    }
}

fn buffer_bytes(buffer: &Value) -> Option<std::ptr::NonNull<[u8]>> {
    if !buffer.is_array_buffer() {
        return None;
    }
    let mut len = 0;
    // SAFETY: the buffer is owned; the result is a local.
    let data = unsafe { ffi::JS_GetArrayBuffer(buffer.runtime().ctx, &raw mut len, buffer.raw()) };
    if data.is_null() && len > 0 {
        drop(buffer.runtime().take_exception());
        return None;
    }
    let data = std::ptr::NonNull::new(data).unwrap_or(std::ptr::NonNull::dangling());
    Some(std::ptr::NonNull::slice_from_raw_parts(data, len))
}
