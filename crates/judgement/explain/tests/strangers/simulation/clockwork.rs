//! What happens next.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Event {
    /// A start that was planned.
    Start,
    /// A user begins.
    User,
    Other,
    Health,
    Block,
    Look,
    End,
    Done {
        request: usize,
        life: u32,
    },
    Patience {
        request: usize,
        life: u32,
        step: usize,
    },
    Timeout {
        request: usize,
        life: u32,
    },
}

#[derive(Debug, PartialEq)]
struct Due {
    at: f64,
    number: u64,
    event: Event,
}

impl Eq for Due {}

impl Ord for Due {
    fn cmp(&self, other: &Self) -> Ordering {
        self.at
            .total_cmp(&other.at)
            .then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Events in the order of their times; of one time in the order in which they were added.
#[derive(Debug, Default)]
pub(super) struct Clockwork {
    due: BinaryHeap<Reverse<Due>>,
    number: u64,
}

impl Clockwork {
    pub(super) fn add(&mut self, at: f64, event: Event) {
        self.number += 1;
        let number = self.number;
        self.due.push(Reverse(Due { at, number, event }));
    }

    pub(super) fn next(&mut self) -> Option<(f64, Event)> {
        self.due.pop().map(|Reverse(due)| (due.at, due.event))
    }
}
