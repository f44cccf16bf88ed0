//! Shapes of the objects seen in JSON texts: their keys, in order.

use std::cell::RefCell;
use std::hash::Hasher;
use std::rc::Rc;

use rustc_hash::FxHasher;

use crate::quickjs::Value;

/// Slots in the table of shapes; the first key picks the slot.
const SLOTS: usize = 64;
/// Shapes remembered in each slot.
const SHAPES_PER_SLOT: usize = 4;

/// The keys of an object as they stand in the text, and a model object whose values are
/// undefined.
pub(super) struct Shape {
    pub(super) keys: Box<[Box<[u8]>]>,
    pub(super) model: Value,
}

/// The shapes one runtime has seen.
#[derive(Default)]
pub(in crate::quickjs) struct Shapes {
    slots: RefCell<Vec<Slot>>,
}

#[derive(Default)]
struct Slot {
    shapes: Vec<Rc<Shape>>,
    /// The one replaced next.
    oldest: usize,
}

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
            slots.resize_with(SLOTS, Slot::default);
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
