//! The slots of one scenario: which user holds which slot, and which are being released.
//!
//! Slots are numbered from 0. Raising the target fills the lowest empty slots; lowering
//! it releases the highest first, as k6's ramping-vus does. A user whose slot is being
//! released holds it until its iteration ends, and keeps it if the target rises first.
//!
//! A ramp has a step for each user, so a step looks only at the slots that it changes.

use std::collections::BTreeSet;

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
    /// Who holds each slot.
    users: Vec<Option<UserRef>>,
    /// The slots without a user.
    empty: BTreeSet<SlotNumber>,
    /// The slots whose user is to give them back.
    releasing: BTreeSet<SlotNumber>,
    target: u64,
    /// Users assigned and not yet returned, extra users included.
    assigned: u64,
}

impl Slots {
    /// Sets how many slots are to be filled, by at most `free` users. The changes come in the
    /// order to apply them; slots that nobody is free for stay empty.
    pub(super) fn set_target(&mut self, target: u64, free: usize) -> Vec<SlotChange> {
        let mut moves = Vec::new();
        for number in (target..self.target).rev() {
            if let Some(user) = self.user(number)
                && self.releasing.insert(number)
            {
                moves.push(SlotChange::Release(user));
            }
        }
        self.target = target;
        let known = self.users.len() as u64;
        if target > known {
            self.users.resize(index(target), None);
            self.empty.extend(known..target);
        }
        let kept: Vec<SlotNumber> = self.releasing.range(..target).copied().collect();
        for number in kept {
            self.releasing.remove(&number);
            moves.extend(self.user(number).map(SlotChange::Keep));
        }
        let to_fill = self.empty.range(..target).take(free);
        moves.extend(to_fill.copied().map(SlotChange::Assign));
        moves
    }

    /// Whether a slot within the target has no user.
    pub(super) fn has_empty(&self) -> bool {
        self.empty.range(..self.target).next().is_some()
    }

    /// How many slots are to be filled.
    pub(super) fn target(&self) -> u64 {
        self.target
    }

    pub(super) fn fill(&mut self, number: SlotNumber, user: UserRef) {
        let at = index(number);
        if self.users.len() <= at {
            let known = self.users.len() as u64;
            self.users.resize(at + 1, None);
            self.empty.extend(known..number);
        }
        self.users[at] = Some(user);
        self.empty.remove(&number);
        self.releasing.remove(&number);
        self.assigned += 1;
    }

    /// Counts an extra user, which has no numbered slot.
    pub(super) fn extra_assigned(&mut self) {
        self.assigned += 1;
    }

    /// Frees a slot that its user gave back. True: the slot should be filled again.
    pub(super) fn returned(&mut self, number: SlotNumber) -> bool {
        self.assigned = self.assigned.saturating_sub(1);
        let Some(user) = usize::try_from(number)
            .ok()
            .and_then(|at| self.users.get_mut(at))
        else {
            return false;
        };
        *user = None;
        self.empty.insert(number);
        let was_releasing = self.releasing.remove(&number);
        was_releasing && number < self.target
    }

    pub(super) fn assigned(&self) -> u64 {
        self.assigned
    }

    /// The users that are releasing slots from `limit` up.
    pub(super) fn releasing_from(&self, limit: u64) -> impl Iterator<Item = UserRef> {
        let releasing = self.releasing.range(limit..);
        releasing.filter_map(|number| self.user(*number))
    }

    fn user(&self, number: SlotNumber) -> Option<UserRef> {
        let at = usize::try_from(number).ok()?;
        self.users.get(at).copied().flatten()
    }
}

fn index(number: SlotNumber) -> usize {
    usize::try_from(number).expect("fewer than 2^32 users fit in memory")
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
        slots.set_target(u64::from(count), usize::MAX);
        for index in 0..count {
            slots.fill(u64::from(index), user(index));
        }
        slots
    }

    #[test]
    fn ramping_down_releases_the_highest_slots_first() {
        let mut slots = filled(3);
        assert_eq!(
            slots.set_target(1, usize::MAX),
            [SlotChange::Release(user(2)), SlotChange::Release(user(1))]
        );
    }

    #[test]
    fn ramping_up_again_keeps_users_that_have_not_returned() {
        let mut slots = filled(2);
        slots.set_target(0, usize::MAX);
        slots.returned(1);
        assert_eq!(
            slots.set_target(2, usize::MAX),
            [SlotChange::Keep(user(0)), SlotChange::Assign(1)]
        );
    }

    #[test]
    fn only_users_releasing_a_slot_above_the_limit_are_interrupted() {
        let mut slots = filled(4);
        slots.set_target(1, usize::MAX);
        assert_eq!(
            slots.releasing_from(2).collect::<Vec<_>>(),
            [user(2), user(3)]
        );
        slots.set_target(4, usize::MAX);
        assert_eq!(slots.releasing_from(2).count(), 0, "they keep their slots");
    }

    #[test]
    fn a_returned_user_leaves_no_slot_to_fill_above_the_target() {
        let mut slots = filled(1);
        slots.set_target(0, usize::MAX);
        assert!(!slots.returned(0), "the slot is above the target");
        assert_eq!(slots.assigned(), 0);
    }

    #[test]
    fn slots_that_nobody_is_free_for_stay_empty_until_someone_is() {
        let mut slots = Slots::default();
        let assigned = [SlotChange::Assign(0), SlotChange::Assign(1)];
        assert_eq!(slots.set_target(3, 2), assigned);
        slots.fill(0, user(0));
        slots.fill(1, user(1));
        assert!(slots.has_empty());
        assert_eq!(slots.set_target(3, 1), [SlotChange::Assign(2)]);
        slots.fill(2, user(2));
        assert!(!slots.has_empty());
    }

    /// Before, each of 100,000 steps up and down looked at all slots: minutes on a debug build.
    #[test]
    fn a_ramp_of_many_users_looks_at_each_slot_a_few_times() {
        const USER_COUNT: u32 = 100_000;
        let mut slots = Slots::default();
        for number in 0..USER_COUNT {
            let target = u64::from(number) + 1;
            let assigned = [SlotChange::Assign(u64::from(number))];
            assert_eq!(slots.set_target(target, usize::MAX), assigned);
            slots.fill(u64::from(number), user(number));
        }
        for number in (0..USER_COUNT).rev() {
            let released = [SlotChange::Release(user(number))];
            assert_eq!(slots.set_target(u64::from(number), usize::MAX), released);
            let cut = slots.releasing_from(u64::from(number));
            assert_eq!(cut.collect::<Vec<_>>(), [user(number)]);
            assert!(!slots.returned(u64::from(number)));
        }
        assert_eq!(slots.assigned(), 0);
    }
}
