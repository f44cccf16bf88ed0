//! The call in progress of a runtime: whether it may be suspended now, and when its time
//! slice is over.

use std::cell::Cell;
use std::ptr::NonNull;
use std::rc::Rc;
use std::time::Duration;

use corosensei::Yielder;
use loadline_units::Time;

use super::Blocked;
use crate::event_loop::Timer;
use crate::ffi;
use crate::inner::inner_of;
use crate::lend::Loans;
use crate::native::contain;

/// Why a coroutine was suspended.
pub(super) enum Yielded {
    /// It waits for this, which lies on its own stack.
    Blocked(NonNull<dyn Blocked>),
    /// Its time slice is over.
    SliceOver,
}

pub(super) type Switch = Yielder<(), Yielded>;

/// The state of the call in progress, if any, of one runtime.
pub(crate) struct Running {
    /// Set exactly while the coroutine runs.
    pub(super) switch: Cell<Option<NonNull<Switch>>>,
    pub(crate) loans: Loans,
    pub(super) interrupted: Cell<bool>,
    forbidden: Cell<u32>,
    pub(super) slice_start: Cell<Option<Time>>,
    slice: Duration,
    pub(crate) timer: Rc<dyn Timer>,
    pub(super) busy: Cell<bool>,
    /// The call runs the init code of a program.
    pub(crate) initialising: Cell<bool>,
}

impl Running {
    pub(crate) fn new(timer: Rc<dyn Timer>, slice: Duration) -> Self {
        Self {
            switch: Cell::default(),
            loans: Loans::default(),
            interrupted: Cell::default(),
            forbidden: Cell::default(),
            slice_start: Cell::default(),
            slice,
            timer,
            busy: Cell::default(),
            initialising: Cell::default(),
        }
    }

    pub(crate) const fn is_interrupted(&self) -> bool {
        self.interrupted.get()
    }

    /// What is waited for is given up, and no script goes on.
    pub(crate) fn interrupt(&self) {
        self.interrupted.set(true);
    }

    /// Keeps the coroutine from being suspended until the guard is dropped.
    pub(crate) fn forbid_suspension(&self) -> Forbidden<'_> {
        self.forbidden.set(self.forbidden.get() + 1);
        Forbidden(self)
    }

    /// Whether the user can be made to wait for others of its realm now: not in its init
    /// code, which others wait for.
    pub(crate) fn may_wait(&self) -> bool {
        !self.initialising.get() && self.may_suspend().is_some()
    }

    /// The switch, when the coroutine runs and may be suspended now.
    pub(super) fn may_suspend(&self) -> Option<NonNull<Switch>> {
        let switch = self.switch.get()?;
        (self.forbidden.get() == 0 && !self.loans.is_out()).then_some(switch)
    }

    pub(super) fn suspend(&self, switch: NonNull<Switch>, why: Yielded) {
        // SAFETY: `switch` is set only while the coroutine it belongs to runs, and this
        // runs on that coroutine.
        unsafe { switch.as_ref().suspend(why) };
    }
}

pub(crate) struct Forbidden<'a>(&'a Running);

impl Drop for Forbidden<'_> {
    fn drop(&mut self) {
        self.0.forbidden.set(self.0.forbidden.get() - 1);
    }
}

/// Called by QuickJS every few thousand steps: stops interrupted scripts, ends time
/// slices. Returns non-zero to stop.
///
/// # Safety
///
/// Called by QuickJS only, in a runtime made by `Vm::new`.
pub(crate) unsafe extern "C" fn interrupt_handler(
    rt: *mut ffi::JSRuntime,
    _: *mut std::ffi::c_void,
) -> i32 {
    // SAFETY: by contract.
    let inner = unsafe { inner_of(rt) };
    contain(inner, 1, || look_up(&inner.user().running))
}

/// Whether the script is to stop; suspends it when its slice is over.
fn look_up(running: &Running) -> i32 {
    if running.interrupted.get() {
        return 1;
    }
    let Some(switch) = running.may_suspend() else {
        return 0;
    };
    // The clock is first read when a script computes for long, not at every resume.
    let now = running.timer.now();
    match running.slice_start.get() {
        None => running.slice_start.set(Some(now)),
        Some(start) if now.since(start) >= running.slice => {
            running.slice_start.set(None);
            running.suspend(switch, Yielded::SliceOver);
        }
        Some(_) => {}
    }
    i32::from(running.interrupted.get())
}
