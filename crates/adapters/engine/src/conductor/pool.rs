//! Users without a slot.

use std::collections::VecDeque;

use crate::command::UserRef;

/// Users without a slot, the longest-waiting first (k6's order).
#[derive(Debug, Default)]
pub(super) struct Pool {
    pub(super) free: VecDeque<UserRef>,
}

impl Pool {
    pub(super) fn take(&mut self) -> Option<UserRef> {
        self.free.pop_front()
    }
}
