//! What a runtime asks of the layer above it, which runs calls and maps source positions.

use std::any::Any;
use std::cell::{Cell, RefCell};

use crate::frames::Frame;

/// The status of one user's call.
#[derive(Default)]
pub(crate) struct CallStatus {
    /// The call is being stopped: scripts do not go on.
    pub(crate) interrupted: Cell<bool>,
    /// More than zero while the call's coroutine must not be suspended.
    pub(crate) suspension_forbidden: Cell<u32>,
    /// The message of a panic inside a native function, or of a fatal error; ends the call.
    pub(crate) fatal: RefCell<Option<String>>,
}

impl CallStatus {
    /// Notes why the call cannot go on; the first reason stays.
    pub(crate) fn fail(&self, message: String) {
        self.fatal.borrow_mut().get_or_insert(message);
    }

    /// Keeps the coroutine from being suspended until the guard is dropped.
    pub(crate) fn forbid_suspension(&self) -> SuspensionForbidden<'_> {
        let count = &self.suspension_forbidden;
        count.set(count.get() + 1);
        SuspensionForbidden(count)
    }
}

pub(crate) struct SuspensionForbidden<'a>(&'a Cell<u32>);

impl Drop for SuspensionForbidden<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

/// The owner of a runtime as the runtime sees it.
pub(crate) trait HostHooks: Any {
    /// The call native code runs in; `None` when no user is current.
    fn call_status(&self) -> Option<&CallStatus>;

    /// Corrects positions in compiled code to those in the original source.
    fn map_frames(&self, frames: &mut [Frame]);

    /// Converts positions in bundles to those in the files they were made of.
    fn unbundle_frames(&self, frames: &mut [Frame]);

    /// Drops every value it holds: the runtime is about to go.
    fn clear(&self);
}
