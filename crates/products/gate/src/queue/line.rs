//! The waiters, in the order of their numbers.
//!
//! A waiter is 20 bytes (who, when last seen) in a ring indexed by number, 4 to 9 bytes in
//! a table that finds the number of a wid, and a bit in the gaps.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

use super::clock::QueueTime;
use super::gaps::Gaps;
use super::numbers::Numbers;
use super::visitor_id::VisitorId;

/// The highest number one epoch gives out; the table keeps them in 32 bits.
pub(super) const LAST_NUMBER: u64 = u32::MAX as u64;

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Slot {
    wid: VisitorId,
    /// Queue time in seconds when last seen, plus one; 0 says that the person went away.
    seen: u32,
}

/// The tickets behind the cursor.
#[derive(Debug, Clone, Default)]
pub(super) struct Line {
    /// Every number up to here has been passed.
    cursor: u64,
    /// The ticket of number `cursor + 1 + i`.
    slots: VecDeque<Slot>,
    numbers: Numbers,
    gaps: Gaps,
}

/// The first waiter of the line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Next {
    pub(super) seq: u64,
    pub(super) wid: VisitorId,
    pub(super) last_seen: Option<QueueTime>,
}

impl Line {
    pub(super) fn cursor(&self) -> u64 {
        self.cursor
    }

    /// The highest number given out.
    pub(super) fn last(&self) -> u64 {
        self.cursor + self.slots.len() as u64
    }

    /// How many wait.
    pub(super) fn len(&self) -> u64 {
        self.numbers.len()
    }

    pub(super) fn find(&self, wid: VisitorId) -> Option<u64> {
        let found = self
            .numbers
            .find(wid.hash(), |seq| self.wid_of(u64::from(*seq)) == Some(wid));
        found.map(u64::from)
    }

    /// Who waits with a number.
    pub(super) fn wid_of(&self, seq: u64) -> Option<VisitorId> {
        if self.gaps.contains(seq) {
            return None;
        }
        self.slots.get(self.index(seq)?).map(|slot| slot.wid)
    }

    /// How many waiters have a lower number.
    pub(super) fn ahead(&self, seq: u64) -> u64 {
        let numbers = seq.saturating_sub(self.cursor + 1);
        numbers - self.gaps.between(self.cursor + 1, seq.max(self.cursor + 1))
    }

    /// Gives out the next number; `None` when this epoch has no more.
    pub(super) fn join(&mut self, wid: VisitorId, now: QueueTime) -> Option<u64> {
        debug_assert_eq!(self.find(wid), None, "{wid} waits already");
        let seq = self.number_for(wid, seconds(now))?;
        let slots = &self.slots;
        let cursor = self.cursor;
        let hash = |seq: &u32| slots[offset(cursor, u64::from(*seq))].wid.hash();
        let short = u32::try_from(seq).ok()?;
        self.numbers.insert(wid.hash(), short, hash);
        Some(seq)
    }

    /// Gives out a number that nobody waits on: for those let in past the line.
    pub(super) fn pass_by(&mut self, wid: VisitorId) -> Option<u64> {
        let seq = self.number_for(wid, 0)?;
        self.gaps.mark(seq);
        self.skip_gaps();
        Some(seq)
    }

    /// Gives out none of the next `count` numbers.
    pub(super) fn skip(&mut self, count: u64) {
        for seq in self.last() + 1..=(self.last() + count).min(LAST_NUMBER) {
            let (wid, seen) = (VisitorId([0; 16]), 0);
            self.slots.push_back(Slot { wid, seen });
            self.gaps.mark(seq);
        }
        self.skip_gaps();
    }

    /// Puts a waiter back on a number that was skipped; `false` when it was passed by now.
    pub(super) fn fill(&mut self, seq: u64, wid: VisitorId, now: QueueTime) -> bool {
        let Some(index) = self.index(seq).filter(|_| self.gaps.contains(seq)) else {
            return false;
        };
        self.slots[index] = Slot {
            wid,
            seen: seconds(now),
        };
        self.gaps.unmark(seq);
        let (slots, cursor) = (&self.slots, self.cursor);
        let hash = |seq: &u32| slots[offset(cursor, u64::from(*seq))].wid.hash();
        if let Ok(short) = u32::try_from(seq) {
            self.numbers.insert(wid.hash(), short, hash);
        }
        true
    }

    fn number_for(&mut self, wid: VisitorId, seen: u32) -> Option<u64> {
        let seq = self.last() + 1;
        if seq > LAST_NUMBER {
            return None;
        }
        self.slots.push_back(Slot { wid, seen });
        Some(seq)
    }

    /// Removes a waiter, leaving a gap.
    pub(super) fn remove(&mut self, wid: VisitorId) -> Option<u64> {
        let seq = self.find(wid)?;
        self.forget(wid, seq);
        self.gaps.mark(seq);
        self.skip_gaps();
        Some(seq)
    }

    /// Notes that the holder of `seq` was there at `now`; `None` marks the holder as gone away.
    pub(super) fn see(&mut self, seq: u64, now: Option<QueueTime>) {
        if self.gaps.contains(seq) {
            return;
        }
        let slot = self.index(seq).and_then(|index| self.slots.get_mut(index));
        if let Some(slot) = slot {
            slot.seen = now.map_or(0, seconds);
        }
    }

    /// Notes that everybody who did not go away was there at `now`.
    pub(super) fn see_all(&mut self, now: QueueTime) {
        for slot in self.slots.iter_mut().filter(|slot| slot.seen != 0) {
            slot.seen = seconds(now);
        }
    }

    /// Passes the first waiter.
    pub(super) fn pop(&mut self) -> Option<Next> {
        self.skip_gaps();
        let slot = *self.slots.front()?;
        let seq = self.cursor + 1;
        self.forget(slot.wid, seq);
        self.pass_front();
        let last_seen = slot
            .seen
            .checked_sub(1)
            .map(|s| QueueTime(u64::from(s) * 1000));
        Some(Next {
            seq,
            wid: slot.wid,
            last_seen,
        })
    }

    /// Numbers from 1 that are gaps or passed need no slot.
    fn skip_gaps(&mut self) {
        while !self.slots.is_empty() && self.gaps.contains(self.cursor + 1) {
            self.pass_front();
        }
    }

    fn pass_front(&mut self) {
        self.slots.pop_front();
        self.cursor += 1;
        self.gaps.forget_before(self.cursor + 1);
    }

    fn forget(&mut self, wid: VisitorId, seq: u64) {
        self.numbers.remove(wid.hash(), seq);
    }

    fn index(&self, seq: u64) -> Option<usize> {
        let index = usize::try_from(seq.checked_sub(self.cursor + 1)?).ok()?;
        (index < self.slots.len()).then_some(index)
    }

    /// What a snapshot keeps; the table is rebuilt from it.
    pub(super) fn frozen(&self) -> LineSnapshot {
        LineSnapshot {
            cursor: self.cursor,
            slots: self.slots.clone(),
            gaps: self.gaps.clone(),
        }
    }
}

/// Where the slot of `seq` is; it must be there.
fn offset(cursor: u64, seq: u64) -> usize {
    usize::try_from(seq - cursor - 1).expect("the line is in memory")
}

fn seconds(now: QueueTime) -> u32 {
    u32::try_from(now.0 / 1000 + 1).unwrap_or(u32::MAX)
}

/// A line in a snapshot.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
pub(super) struct LineSnapshot {
    cursor: u64,
    slots: VecDeque<Slot>,
    gaps: Gaps,
}

impl From<LineSnapshot> for Line {
    fn from(frozen: LineSnapshot) -> Self {
        let LineSnapshot {
            cursor,
            slots,
            gaps,
        } = frozen;
        let mut numbers = Numbers::default();
        for (place, slot) in (1_u64..).zip(&slots) {
            // A damaged snapshot may begin anywhere.
            let Some(seq) = cursor.checked_add(place) else {
                break;
            };
            let Ok(short) = u32::try_from(seq) else { break };
            if !gaps.contains(seq) {
                let hash = |seq: &u32| slots[offset(cursor, u64::from(*seq))].wid.hash();
                numbers.insert(slot.wid.hash(), short, hash);
            }
        }
        Self {
            cursor,
            slots,
            numbers,
            gaps,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Found by fuzzing: the number of the first place overflowed.
    #[test]
    fn a_damaged_snapshot_that_begins_at_the_last_number_is_read() {
        let slot = Slot {
            wid: VisitorId(*b"0123456789abcdef"),
            seen: 1,
        };
        let frozen = LineSnapshot {
            cursor: u64::MAX,
            slots: VecDeque::from([slot]),
            gaps: Gaps::default(),
        };
        let line = Line::from(frozen);
        assert_eq!(line.frozen().cursor, u64::MAX);
    }
}
