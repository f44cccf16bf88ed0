//! Numbers that were given and then lost with the store's last seconds.
//!
//! A ticket is signed and names its number, so its holder can show what the store lost. Once
//! numbers may have been lost, none of the next ones is given; each stays free for the ticket
//! that bears it, and its holder gets the old place back.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

use super::Queue;
use crate::queue::command::Reply;
use crate::queue::people::{Person, Stage};
use crate::queue::state::VisitorState;
use crate::queue::visitor_id::VisitorId;

/// More numbers than gates give in the seconds that a store may lose.
const NUMBERS_AFTER_LOSS: u64 = 10_000;
/// Of so many losses the numbers are remembered; tickets of older ones are over by then.
const LOSSES_MAX: usize = 8;
/// A ticket so far beyond the last number is of another queue's life.
const NUMBERS_AHEAD_MAX: u64 = 1_000_000;

/// Numbers left out, and those of them whose tickets were shown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct LostNumbers {
    /// First and last number of each loss, oldest first.
    ranges: Vec<(u64, u64)>,
    shown: BTreeSet<u64>,
}

impl LostNumbers {
    fn has(&self, seq: u64) -> bool {
        let within = |(first, last): &(u64, u64)| (*first..=*last).contains(&seq);
        self.ranges.iter().any(within) && !self.shown.contains(&seq)
    }

    fn add(&mut self, first: u64, last: u64) {
        self.ranges.push((first, last));
        if self.ranges.len() > LOSSES_MAX {
            self.ranges.remove(0);
            let oldest = self.ranges[0].0;
            self.shown = self.shown.split_off(&oldest);
        }
    }
}

impl Queue {
    /// Numbers may have been given that this state does not know of: none of the next ones is
    /// given, so that nobody's number is given twice.
    pub fn after_loss(&mut self) {
        self.leave_out(NUMBERS_AFTER_LOSS);
    }

    fn leave_out(&mut self, count: u64) {
        let first = self.line.last() + 1;
        self.line.skip(count);
        self.lost.add(first, self.line.last());
    }

    /// Whether a ticket of this number, whose holder is not known, may have been lost.
    #[must_use]
    pub fn may_have_lost(&self, seq: u64) -> bool {
        let last = self.line.last();
        self.lost.has(seq) || (last + 1..=last + NUMBERS_AHEAD_MAX).contains(&seq)
    }

    /// Gives the holder of a lost ticket the old place back.
    pub(super) fn restore(&mut self, wid: VisitorId, seq: u64) -> Reply {
        let state = self.state(wid);
        if state != VisitorState::Gone || !self.may_have_lost(seq) {
            return Reply::State(state);
        }
        let last = self.line.last();
        if seq > last {
            // An older copy of the store, and nobody noticed until now.
            self.leave_out(seq - last + NUMBERS_AFTER_LOSS);
        }
        self.lost.shown.insert(seq);
        self.rest.totals.joined += 1;
        if !self.line.fill(seq, wid, self.rest.clock.now()) {
            let now = self.now();
            self.put(wid, Person::waiting_outside(seq, Stage::Returned, now));
        }
        Reply::State(self.state(wid))
    }
}
