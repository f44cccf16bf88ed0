//! State shared by the users of one worker, made at first use.

use std::any::{Any, TypeId};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use loadline_units::RequestCounts;

/// One value of each type, for one worker: a network, a cache of compiled code. The
/// engine owns it but uses none of its values.
#[derive(Default)]
pub struct WorkerLocal {
    values: RefCell<HashMap<TypeId, Rc<dyn Any>>>,
    requests: Cell<RequestCounts>,
}

impl WorkerLocal {
    /// Adds a user's request counts. Users call this when an iteration ends.
    pub fn count_requests(&self, counts: RequestCounts) {
        let mut all = self.requests.get();
        all += counts;
        self.requests.set(all);
    }

    /// Of the requests counted since they were last taken, those that were cut.
    pub fn cut_requests(&self) -> u64 {
        self.requests.get().cut
    }

    /// The request counts since the last call.
    pub fn take_requests(&self) -> RequestCounts {
        self.requests.take()
    }

    /// The worker's `T`, made by `make` if there is none yet.
    ///
    /// `make` may itself ask for values of other types.
    pub fn get_or_make<T: 'static>(&self, make: impl FnOnce() -> T) -> Rc<T> {
        let existing = self.values.borrow().get(&TypeId::of::<T>()).cloned();
        if let Some(value) = existing.and_then(|value| value.downcast().ok()) {
            return value;
        }
        let value = Rc::new(make());
        let shared: Rc<dyn Any> = value.clone();
        self.values.borrow_mut().insert(TypeId::of::<T>(), shared);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_is_made_once() {
        let local = WorkerLocal::default();
        assert_eq!(*local.get_or_make(|| 7_u32), 7);
        assert_eq!(*local.get_or_make(|| 8_u32), 7);
        assert_eq!(
            *local.get_or_make(|| local.get_or_make(|| 0_u32).to_string()),
            "7"
        );
    }
}
