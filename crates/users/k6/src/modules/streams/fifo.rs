//! A queue of values in the slots of an object, from a given slot on.

use std::cell::Cell;

use loadline_js::Value;

/// The places of a queue; the values are in the object it belongs to.
#[derive(Debug)]
pub(super) struct Fifo {
    /// The first slot.
    base: usize,
    /// Slots in use or free again, used in a circle.
    room: Cell<usize>,
    head: Cell<usize>,
    len: Cell<usize>,
}

impl Fifo {
    pub(super) const fn new(base: usize) -> Self {
        Self {
            base,
            room: Cell::new(0),
            head: Cell::new(0),
            len: Cell::new(0),
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.len.get()
    }

    const fn slot(&self, index: usize) -> usize {
        self.base + (self.head.get() + index) % self.room.get()
    }

    pub(super) fn push(&self, owner: &Value, value: Value) {
        if self.len.get() == self.room.get() {
            let values: Vec<_> = std::iter::from_fn(|| self.pop(owner)).collect();
            self.head.set(0);
            self.room.set((self.room.get() * 2).max(4));
            self.len.set(values.len());
            for (index, value) in values.into_iter().enumerate() {
                owner.set_slot(self.slot(index), value);
            }
        }
        owner.set_slot(self.slot(self.len.get()), value);
        self.len.set(self.len.get() + 1);
    }

    pub(super) fn pop(&self, owner: &Value) -> Option<Value> {
        if self.len.get() == 0 {
            return None;
        }
        let slot = self.slot(0);
        let value = owner.slot(slot)?;
        // Frees nothing: the value is held here.
        owner.clear_slot(slot);
        self.head.set((self.head.get() + 1) % self.room.get());
        self.len.set(self.len.get() - 1);
        Some(value)
    }

    pub(super) fn clear(&self, owner: &Value) {
        while self.pop(owner).is_some() {}
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::rc::Rc;

    use loadline_js::{Vm, VmOptions};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn values_come_out_in_the_order_they_went_in(steps in proptest::collection::vec(any::<bool>(), 0..80)) {
            let vm = Vm::new(&VmOptions::default()).expect("a runtime");
            let ctx = vm.ctx();
            let proto = ctx.object().expect("an object");
            let owner = ctx.host_object(&proto, Rc::new(())).expect("an object");
            owner.set_slot(1, ctx.number(-1.0));
            let queue = Fifo::new(2);
            let mut model = VecDeque::new();
            for (number, push) in steps.into_iter().enumerate() {
                if push {
                    queue.push(&owner, ctx.number(number as f64));
                    model.push_back(number as f64);
                } else {
                    let value = queue.pop(&owner).and_then(|value| value.as_f64());
                    prop_assert_eq!(value, model.pop_front());
                }
                prop_assert_eq!(queue.len(), model.len());
            }
            queue.clear(&owner);
            prop_assert_eq!(queue.len(), 0);
            prop_assert_eq!(owner.slot(1).and_then(|value| value.as_f64()), Some(-1.0));
        }
    }
}
