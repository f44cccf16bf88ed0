//! Shapes of the objects seen in JSON texts: their keys, in order.

use std::hash::Hasher;
use std::rc::Rc;

use rustc_hash::FxHasher;

use crate::quickjs::handles::{Shape, Shapes, Slot};

/// Slots in the table of shapes; the first key picks the slot.
const SLOT_COUNT: usize = 64;
/// Shapes remembered in each slot.
const SHAPES_PER_SLOT: usize = 4;

impl Shapes {
    pub(in crate::quickjs) fn clear(&self) {
        drop(self.slots.take());
    }

    pub(super) fn find(&self, keys: &[&[u8]]) -> Option<Rc<Shape>> {
        let slots = self.slots.borrow();
        let slot = slots.get(slot_of(keys.first()?))?;
        slot.shapes
            .iter()
            .find(|shape| {
                shape.keys.len() == keys.len()
                    && shape
                        .keys
                        .iter()
                        .zip(keys)
                        .all(|(known, key)| &**known == *key)
            })
            .cloned()
    }

    pub(super) fn add(&self, shape: Shape) {
        let mut slots = self.slots.borrow_mut();
        if slots.is_empty() {
            slots.resize_with(SLOT_COUNT, Slot::default);
        }
        let Some(first) = shape.keys.first() else {
            return;
        };
        let slot = &mut slots[slot_of(&&**first)];
        if slot.shapes.len() < SHAPES_PER_SLOT {
            slot.shapes.push(Rc::new(shape));
            return;
        }
        let place = slot.oldest;
        slot.oldest = (place + 1) % SHAPES_PER_SLOT;
        let replaced = std::mem::replace(&mut slot.shapes[place], Rc::new(shape));
        drop(slots);
        drop(replaced);
    }
}

fn slot_of(key: &&[u8]) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(key);
    (hasher.finish() >> 58) as usize
}
