//! What the users of one worker share, made by whoever needs it first.

use std::any::{Any, TypeId};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use loadline_units::RequestCounts;

/// One value of each type, for one worker: a network, a cache of compiled code. The
/// engine keeps it and looks at nothing in it.
#[derive(Default)]
pub struct Local {
    values: RefCell<HashMap<TypeId, Rc<dyn Any>>>,
    requests: Cell<RequestCounts>,
}

impl Local {
    /// Adds what became of a user's requests. Users do so when an iteration ends or is cut.
    pub fn count_requests(&self, counts: RequestCounts) {
        let mut all = self.requests.get();
        all += counts;
        self.requests.set(all);
    }

    /// What became of requests since the last call.
    pub fn take_requests(&self) -> RequestCounts {
        self.requests.take()
    }

    /// The worker's `T`, made by `make` if there is none yet.
    ///
    /// `make` may itself ask for values of other types.
    pub fn get_or_make<T: 'static>(&self, make: impl FnOnce() -> T) -> Rc<T> {
        let kept = self.values.borrow().get(&TypeId::of::<T>()).cloned();
        if let Some(value) = kept.and_then(|value| value.downcast().ok()) {
            return value;
        }
        let value = Rc::new(make());
        let kept: Rc<dyn Any> = value.clone();
        self.values.borrow_mut().insert(TypeId::of::<T>(), kept);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_is_made_once() {
        let local = Local::default();
        assert_eq!(*local.get_or_make(|| 7_u32), 7);
        assert_eq!(*local.get_or_make(|| 8_u32), 7);
        assert_eq!(
            *local.get_or_make(|| local.get_or_make(|| 0_u32).to_string()),
            "7"
        );
    }
}
