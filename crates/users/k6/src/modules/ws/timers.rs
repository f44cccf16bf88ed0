//! When the timers of a socket are due. They end with it.

use std::collections::BTreeMap;
use std::time::Duration;

use loadline_units::Time;

/// When timers are due.
#[derive(Default)]
pub(super) struct Timers {
    due: BTreeMap<(Time, u64), Option<Duration>>,
    made: u64,
}

impl Timers {
    /// The one due next.
    pub(super) fn next(&self) -> Option<(Time, u64)> {
        self.due.keys().next().copied()
    }

    pub(super) fn add(&mut self, now: Time, length: Duration, repeats: bool) -> u64 {
        self.made += 1;
        self.due
            .insert((now + length, self.made), repeats.then_some(length));
        self.made
    }

    /// Takes the one due next off the list; one that repeats is due again, turns that were
    /// missed left out. Answers whether it repeats.
    pub(super) fn take(&mut self, now: Time) -> bool {
        let Some(((due, id), every)) = self.due.pop_first() else {
            return false;
        };
        let Some(every) = every else { return false };
        let mut again = due + every;
        if again <= now {
            again = now + every;
        }
        self.due.insert((again, id), Some(every));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_leaves_out_the_turns_it_missed() {
        let at = |millis| Time::ZERO + Duration::from_millis(millis);
        let mut timers = Timers::default();
        timers.add(at(0), Duration::from_millis(10), true);
        timers.add(at(0), Duration::from_millis(5), false);
        assert_eq!(timers.next(), Some((at(5), 2)));
        assert!(!timers.take(at(5)));
        assert_eq!(timers.next(), Some((at(10), 1)));
        assert!(timers.take(at(11)));
        assert_eq!(timers.next(), Some((at(20), 1)));
        assert!(timers.take(at(47)));
        assert_eq!(timers.next(), Some((at(57), 1)));
    }
}
