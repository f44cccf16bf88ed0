//! A reusable timer, and a future that waits for an instant.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use loadline_units::Time;

use crate::handle::ReactorHandle;
use crate::timers::Timers;

impl ReactorHandle {
    /// A future that is ready at `deadline`.
    #[must_use]
    pub fn sleep_until(&self, deadline: Time) -> Sleep {
        Sleep::until(self.clone(), deadline)
    }

    /// A timer, disarmed.
    #[must_use]
    pub fn timer(&self) -> Timer {
        Timer::new(self.clone())
    }
}

/// A timer that can be set repeatedly. Dropping it disarms it.
#[derive(Debug)]
pub struct Timer {
    handle: ReactorHandle,
    index: u32,
}

impl Timer {
    pub(crate) fn new(handle: ReactorHandle) -> Self {
        let index = handle.timers().borrow_mut().add();
        Self { handle, index }
    }

    /// Sets the deadline. Moving it to a later time costs one store.
    pub fn reset(&mut self, deadline: Time) {
        self.timers().borrow_mut().reset(self.index, deadline);
    }

    /// Removes the deadline.
    pub fn disarm(&mut self) {
        self.reset(Time::MAX);
    }

    /// Ready when the deadline has passed; otherwise the task is woken then. The time is that of
    /// the reactor's present turn, so polling does not read the clock.
    pub fn poll_expired(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let mut timers = self.timers().borrow_mut();
        let now = timers.fired;
        timers.poll(self.index, now, cx.waker())
    }

    fn timers(&self) -> &RefCell<Timers> {
        self.handle.timers()
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.timers().borrow_mut().remove(self.index);
    }
}

/// Waits until an instant. Made by [`ReactorHandle::sleep_until`].
#[derive(Debug)]
pub struct Sleep {
    timer: Timer,
}

impl Sleep {
    pub(crate) fn until(handle: ReactorHandle, deadline: Time) -> Self {
        let mut timer = Timer::new(handle);
        timer.reset(deadline);
        Self { timer }
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.timer.poll_expired(cx)
    }
}
