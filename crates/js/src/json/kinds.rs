//! Kinds of objects met in JSON texts, by their keys.

use std::cell::RefCell;
use std::hash::Hasher;
use std::rc::Rc;

use rustc_hash::FxHasher;

use crate::value::Value;

/// Kinds of objects remembered: so many, by the first key.
const SLOTS: usize = 64;
/// And so many with the same slot.
const KINDS_OF_A_SLOT: usize = 4;

/// A kind of object: its keys as they stand in the text, and one with undefined values.
pub(super) struct Kind {
    pub(super) keys: Box<[Box<[u8]>]>,
    pub(super) model: Value,
}

/// The kinds of objects a realm has met.
#[derive(Default)]
pub(crate) struct Kinds {
    slots: RefCell<Vec<Slot>>,
}

#[derive(Default)]
struct Slot {
    kinds: Vec<Rc<Kind>>,
    /// The one replaced next.
    oldest: usize,
}

impl Kinds {
    pub(crate) fn clear(&self) {
        drop(self.slots.take());
    }

    pub(super) fn find(&self, keys: &[&[u8]]) -> Option<Rc<Kind>> {
        let slots = self.slots.borrow();
        let slot = slots.get(slot_of(keys.first()?))?;
        slot.kinds
            .iter()
            .find(|kind| {
                kind.keys.len() == keys.len()
                    && kind
                        .keys
                        .iter()
                        .zip(keys)
                        .all(|(known, key)| &**known == *key)
            })
            .cloned()
    }

    pub(super) fn keep(&self, kind: Kind) {
        let mut slots = self.slots.borrow_mut();
        if slots.is_empty() {
            slots.resize_with(SLOTS, Slot::default);
        }
        let Some(first) = kind.keys.first() else {
            return;
        };
        let slot = &mut slots[slot_of(&&**first)];
        if slot.kinds.len() < KINDS_OF_A_SLOT {
            slot.kinds.push(Rc::new(kind));
            return;
        }
        let place = slot.oldest;
        slot.oldest = (place + 1) % KINDS_OF_A_SLOT;
        let replaced = std::mem::replace(&mut slot.kinds[place], Rc::new(kind));
        drop(slots);
        drop(replaced);
    }
}

fn slot_of(key: &&[u8]) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(key);
    (hasher.finish() >> 58) as usize
}
