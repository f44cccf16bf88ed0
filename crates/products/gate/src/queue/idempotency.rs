//! Answers kept so that a command that is sent again does nothing again.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use super::clock::QueueTime;
use super::command::IdempotencyKey;

const ANSWER_LIFE: Duration = Duration::from_secs(24 * 3600);
/// Oldest answers go first beyond this many.
const ANSWERS_MAX: usize = 10_000;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct IdempotencyRecords {
    answers: BTreeMap<IdempotencyKey, u64>,
    order: VecDeque<(QueueTime, IdempotencyKey)>,
}

impl IdempotencyRecords {
    /// What was answered to `key`.
    pub(super) fn answer(&self, key: IdempotencyKey) -> Option<u64> {
        self.answers.get(&key).copied()
    }

    pub(super) fn keep(&mut self, key: IdempotencyKey, answer: u64, now: QueueTime) {
        self.answers.insert(key, answer);
        self.order.push_back((now, key));
        while let Some((kept, key)) = self.order.front() {
            if self.order.len() <= ANSWERS_MAX && now.since(*kept) < ANSWER_LIFE {
                return;
            }
            self.answers.remove(key);
            self.order.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ANSWERS_MAX, IdempotencyRecords};
    use crate::queue::clock::QueueTime;
    use crate::queue::command::IdempotencyKey;

    fn key(n: usize) -> IdempotencyKey {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&n.to_le_bytes());
        IdempotencyKey(bytes)
    }

    #[test]
    fn answers_are_kept_for_a_day_and_not_without_end() {
        let mut once = IdempotencyRecords::default();
        once.keep(key(0), 7, QueueTime(0));
        assert_eq!(once.answer(key(0)), Some(7));
        once.keep(key(1), 8, QueueTime(86_400_000));
        assert_eq!(once.answer(key(0)), None, "a day is over");
        for n in 2..=ANSWERS_MAX + 1 {
            once.keep(key(n), 9, QueueTime(86_400_000));
        }
        assert_eq!(once.answer(key(1)), None, "the oldest of too many");
        assert_eq!(once.answer(key(2)), Some(9));
    }
}
