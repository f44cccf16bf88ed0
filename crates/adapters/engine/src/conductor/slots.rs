//! The slots of one scenario: which user holds which slot, and which are being released.
//!
//! Slots are numbered from 0. Raising the target fills the lowest empty slots; lowering
//! it releases the highest first, as k6's ramping-vus does. A user whose slot is being
//! released holds it until its iteration ends, and keeps it if the target rises first.

use crate::command::{SlotNumber, UserRef};

/// A change of one slot that a worker must carry out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SlotChange {
    /// Assign a user of the pool to this slot.
    Assign(SlotNumber),
    /// Release this user after its iteration.
    Release(UserRef),
    /// Let this user keep its slot after all.
    Keep(UserRef),
}

/// One scenario's slots.
#[derive(Debug, Default)]
pub(super) struct Slots {
    slots: Vec<Slot>,
    target: u64,
    /// Users assigned and not yet returned, extra users included.
    assigned: u64,
}

#[derive(Debug, Default, Clone, Copy)]
struct Slot {
    user: Option<UserRef>,
    releasing: bool,
}

impl Slots {
    /// Sets how many slots are to be filled. The changes come in the order to apply them.
    pub(super) fn set_target(&mut self, target: u64) -> Vec<SlotChange> {
        let mut moves = Vec::new();
        for number in (target..self.target).rev() {
            let slot = self.slot_mut(number);
            if let Some(user) = slot.user
                && !slot.releasing
            {
                slot.releasing = true;
                moves.push(SlotChange::Release(user));
            }
        }
        self.target = target;
        for number in 0..target {
            let slot = self.slot_mut(number);
            match slot.user {
                None => moves.push(SlotChange::Assign(number)),
                Some(user) if slot.releasing => {
                    slot.releasing = false;
                    moves.push(SlotChange::Keep(user));
                }
                Some(_) => {}
            }
        }
        moves
    }

    /// How many slots are to be filled.
    pub(super) fn target(&self) -> u64 {
        self.target
    }

    pub(super) fn fill(&mut self, number: SlotNumber, user: UserRef) {
        let slot = self.slot_mut(number);
        slot.user = Some(user);
        slot.releasing = false;
        self.assigned += 1;
    }

    /// Counts an extra user, which has no numbered slot.
    pub(super) fn extra_assigned(&mut self) {
        self.assigned += 1;
    }

    /// Frees a slot that its user gave back. True: the slot should be filled again.
    pub(super) fn returned(&mut self, number: SlotNumber) -> bool {
        self.assigned = self.assigned.saturating_sub(1);
        let Ok(index) = usize::try_from(number) else {
            return false;
        };
        let Some(slot) = self.slots.get_mut(index) else {
            return false;
        };
        slot.user = None;
        let was_releasing = std::mem::replace(&mut slot.releasing, false);
        was_releasing && number < self.target
    }

    pub(super) fn assigned(&self) -> u64 {
        self.assigned
    }

    /// The users that are releasing slots from `limit` up.
    pub(super) fn releasing_from(&self, limit: u64) -> impl Iterator<Item = UserRef> {
        let first = usize::try_from(limit).unwrap_or(usize::MAX);
        let slots = self.slots.get(first..).unwrap_or_default();
        slots
            .iter()
            .filter(|slot| slot.releasing)
            .filter_map(|slot| slot.user)
    }

    fn slot_mut(&mut self, number: SlotNumber) -> &mut Slot {
        let index = usize::try_from(number).expect("fewer than 2^32 users fit in memory");
        if self.slots.len() <= index {
            self.slots.resize(index + 1, Slot::default());
        }
        &mut self.slots[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadline_units::WorkerId;

    fn user(index: u32) -> UserRef {
        UserRef {
            worker: WorkerId(0),
            index,
        }
    }

    fn filled(count: u32) -> Slots {
        let mut slots = Slots::default();
        slots.set_target(u64::from(count));
        for index in 0..count {
            slots.fill(u64::from(index), user(index));
        }
        slots
    }

    #[test]
    fn ramping_down_releases_the_highest_slots_first() {
        let mut slots = filled(3);
        assert_eq!(
            slots.set_target(1),
            [SlotChange::Release(user(2)), SlotChange::Release(user(1))]
        );
    }

    #[test]
    fn ramping_up_again_keeps_users_that_have_not_returned() {
        let mut slots = filled(2);
        slots.set_target(0);
        slots.returned(1);
        assert_eq!(
            slots.set_target(2),
            [SlotChange::Keep(user(0)), SlotChange::Assign(1)]
        );
    }

    #[test]
    fn only_users_releasing_a_slot_above_the_limit_are_interrupted() {
        let mut slots = filled(4);
        slots.set_target(1);
        assert_eq!(
            slots.releasing_from(2).collect::<Vec<_>>(),
            [user(2), user(3)]
        );
        slots.set_target(4);
        assert_eq!(slots.releasing_from(2).count(), 0, "they keep their slots");
    }

    #[test]
    fn a_returned_user_leaves_no_slot_to_fill_above_the_target() {
        let mut slots = filled(1);
        slots.set_target(0);
        assert!(!slots.returned(0), "the slot is above the target");
        assert_eq!(slots.assigned(), 0);
    }
}
