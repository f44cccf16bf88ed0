//! Answers kept so that a command that is sent again does nothing again.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use super::clock::Moment;
use super::command::OnceKey;

const KEPT_FOR: Duration = Duration::from_secs(24 * 3600);
/// Oldest answers go first beyond this many.
const KEPT: usize = 10_000;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Once {
    answers: BTreeMap<OnceKey, u64>,
    order: VecDeque<(Moment, OnceKey)>,
}

impl Once {
    /// What was answered to `key`.
    pub(super) fn answer(&self, key: OnceKey) -> Option<u64> {
        self.answers.get(&key).copied()
    }

    pub(super) fn keep(&mut self, key: OnceKey, answer: u64, now: Moment) {
        self.answers.insert(key, answer);
        self.order.push_back((now, key));
        while let Some((kept, key)) = self.order.front() {
            if self.order.len() <= KEPT && now.since(*kept) < KEPT_FOR {
                return;
            }
            self.answers.remove(key);
            self.order.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{KEPT, Once};
    use crate::queue::clock::Moment;
    use crate::queue::command::OnceKey;

    fn key(n: usize) -> OnceKey {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&n.to_le_bytes());
        OnceKey(bytes)
    }

    #[test]
    fn answers_are_kept_for_a_day_and_not_without_end() {
        let mut once = Once::default();
        once.keep(key(0), 7, Moment(0));
        assert_eq!(once.answer(key(0)), Some(7));
        once.keep(key(1), 8, Moment(86_400_000));
        assert_eq!(once.answer(key(0)), None, "a day is over");
        for n in 2..=KEPT + 1 {
            once.keep(key(n), 9, Moment(86_400_000));
        }
        assert_eq!(once.answer(key(1)), None, "the oldest of too many");
        assert_eq!(once.answer(key(2)), Some(9));
    }
}
