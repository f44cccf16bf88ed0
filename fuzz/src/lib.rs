//! What targets share: a count of the memory that some work asks for.
//!
//! Time depends on the machine; what is allocated does not. Work that copies its input once for each
//! of its bytes, and an announced length that is believed, both show in it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that were asked for since the start.
static ALLOCATED_BYTES: AtomicU64 = AtomicU64::new(0);

/// The system's allocator, counted.
struct CountingAllocator;

// SAFETY: every call is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED_BYTES.fetch_add(layout.size() as u64, Ordering::Relaxed);
        // SAFETY: the caller keeps what `alloc` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        ALLOCATED_BYTES.fetch_add(layout.size() as u64, Ordering::Relaxed);
        // SAFETY: the caller keeps what `alloc_zeroed` asks for.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATED_BYTES.fetch_add(size as u64, Ordering::Relaxed);
        // SAFETY: the caller keeps what `realloc` asks for.
        unsafe { System.realloc(at, layout, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps what `dealloc` asks for.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// How many bytes some work may ask for, all in all, also those that it gave back.
#[derive(Debug, Clone, Copy)]
pub struct MemoryBound {
    /// For each byte of the input.
    pub bytes_each: u64,
    /// Whatever the input is.
    pub bytes_base: u64,
}

/// For parsers that keep what they read once or twice, in values of some ten bytes.
pub const LINEAR: MemoryBound = MemoryBound {
    bytes_each: 1_000,
    bytes_base: 100_000,
};

impl MemoryBound {
    /// Does the work, and fails if it asked for more than so many bytes of input allow.
    pub fn hold<T>(self, input_bytes: usize, work: impl FnOnce() -> T) -> T {
        let before = ALLOCATED_BYTES.load(Ordering::Relaxed);
        let result = work();
        let allocated = ALLOCATED_BYTES.load(Ordering::Relaxed) - before;
        let allowed = self.bytes_base + self.bytes_each * input_bytes as u64;
        assert!(
            allocated <= allowed,
            "{allocated} bytes were asked for, and {input_bytes} of input allow {allowed}"
        );
        result
    }
}
