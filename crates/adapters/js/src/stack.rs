//! Stacks for coroutines: reserved in slabs, resident only where touched, recycled.

use std::cell::RefCell;
use std::io;
use std::num::NonZeroUsize;
use std::rc::Rc;

use corosensei::stack::{Stack, StackPointer};

/// Address space reserved for each stack unless told otherwise. Only touched pages
/// (usually one or two) become resident.
pub const DEFAULT_STACK_SIZE: usize = 2 << 20;

/// Lowest part of each stack that faults when touched.
const GUARD_SIZE: usize = 64 << 10;

/// Stacks mapped at a time.
const STACKS_PER_SLAB: usize = 32;

/// A recycling supply of coroutine stacks for one thread.
#[derive(Clone)]
pub struct Stacks {
    pool: Rc<Pool>,
}

struct Pool {
    /// Size of one stack with its guard.
    size: usize,
    slabs: RefCell<Vec<Slab>>,
    /// Lowest addresses of stacks not in use.
    free: RefCell<Vec<usize>>,
}

struct Slab {
    start: usize,
    len: usize,
}

impl Stacks {
    /// A supply of stacks of `size` bytes of address space each (rounded up to pages,
    /// at least 256 KiB).
    #[must_use]
    pub fn new(size: usize) -> Self {
        let size = size.max(256 << 10).next_multiple_of(GUARD_SIZE);
        let pool = Pool {
            size,
            slabs: RefCell::default(),
            free: RefCell::default(),
        };
        Self {
            pool: Rc::new(pool),
        }
    }

    /// Takes a stack.
    ///
    /// # Errors
    ///
    /// When the system refuses another mapping.
    pub(crate) fn take(&self) -> io::Result<PooledStack> {
        if self.pool.free.borrow().is_empty() {
            self.pool.grow()?;
        }
        let limit = self.pool.free.borrow_mut().pop().expect("grow adds stacks");
        Ok(PooledStack {
            limit,
            pool: Rc::clone(&self.pool),
        })
    }
}

impl Default for Stacks {
    fn default() -> Self {
        Self::new(DEFAULT_STACK_SIZE)
    }
}

impl Pool {
    fn grow(&self) -> io::Result<()> {
        let len = self.size * STACKS_PER_SLAB;
        // SAFETY: a fresh anonymous mapping touches nothing that exists.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                len,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let slab = Slab {
            start: start.addr(),
            len,
        };
        // SAFETY: the range is the mapping just made. A refusal only costs memory: a
        // huge page would make 2 MiB of a stack resident at its first touch.
        unsafe { libc::madvise(start, len, libc::MADV_NOHUGEPAGE) };
        for i in 0..STACKS_PER_SLAB {
            install_guard(slab.start + i * self.size)?;
        }
        let mut free = self.free.borrow_mut();
        free.extend(
            (0..STACKS_PER_SLAB)
                .rev()
                .map(|i| slab.start + i * self.size),
        );
        self.slabs.borrow_mut().push(slab);
        Ok(())
    }
}

/// Makes the guard at `start` fault. Linux 6.13 does that without splitting the
/// mapping (`vm.max_map_count` allows 65530 by default); older ones change protection.
fn install_guard(start: usize) -> io::Result<()> {
    const MADV_GUARD_INSTALL: i32 = 102;
    let address = std::ptr::without_provenance_mut(start);
    // SAFETY: the range lies in a mapping of ours that nobody uses yet.
    let result = unsafe {
        match libc::madvise(address, GUARD_SIZE, MADV_GUARD_INSTALL) {
            0 => 0,
            _ => libc::mprotect(address, GUARD_SIZE, libc::PROT_NONE),
        }
    };
    if result == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

impl Drop for Slab {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours and, as every stack holds the pool, unused.
        unsafe { libc::munmap(std::ptr::without_provenance_mut(self.start), self.len) };
    }
}

/// One stack; goes back to its supply when dropped.
pub(crate) struct PooledStack {
    limit: usize,
    pool: Rc<Pool>,
}

impl PooledStack {
    /// Lowest address that may be used.
    pub(crate) const fn lowest(&self) -> usize {
        self.limit + GUARD_SIZE
    }
}

impl Drop for PooledStack {
    fn drop(&mut self) {
        self.pool.free.borrow_mut().push(self.limit);
    }
}

// SAFETY: the memory is mapped until drop, has a guard at its low end and is far larger
// than the minimum; both ends are page-aligned.
unsafe impl Stack for PooledStack {
    fn base(&self) -> StackPointer {
        NonZeroUsize::new(self.limit + self.pool.size).expect("mappings are not at address zero")
    }

    fn limit(&self) -> StackPointer {
        NonZeroUsize::new(self.limit).expect("mappings are not at address zero")
    }
}

/// Lowest address JavaScript may use on the current thread's own stack, leaving
/// `reserve` bytes to native code.
pub(crate) fn thread_limit(reserve: usize) -> usize {
    // SAFETY: the attribute object is initialised by the call that fills it and
    // destroyed once.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &raw mut attributes) != 0 {
            return 0;
        }
        let mut lowest = std::ptr::null_mut();
        let mut size = 0;
        let found =
            libc::pthread_attr_getstack(&raw const attributes, &raw mut lowest, &raw mut size);
        libc::pthread_attr_destroy(&raw mut attributes);
        if found == 0 {
            lowest.addr() + reserve.min(size / 2)
        } else {
            0
        }
    }
}
