//! When pages of metrics are asked for: what serves them is busy with us then.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use loadline_units::Time;

/// What serves a page may still work after its answer.
const AFTER_SCRAPE: Duration = Duration::from_millis(20);
/// A page that takes longer waits for something, and its target is not busy with it.
const SCRAPE_WORK_MAX: Duration = Duration::from_millis(250);

/// The scrapes of all sources of an observer.
#[derive(Debug, Default)]
pub(crate) struct Scrapes(Mutex<ScrapeTimes>);

#[derive(Debug, Default)]
struct ScrapeTimes {
    begun: u64,
    /// When those that are under way began, by their number.
    running: BTreeMap<u64, Time>,
    /// When the last one ended.
    ended: Option<Time>,
}

impl Scrapes {
    /// Records that a scrape begins; its number.
    pub(crate) fn begin(&self, now: Time) -> u64 {
        let mut times = self.times();
        times.begun += 1;
        let number = times.begun;
        times.running.insert(number, now);
        number
    }

    pub(crate) fn end(&self, number: u64, now: Time) {
        let mut times = self.times();
        times.running.remove(&number);
        times.ended = Some(now);
    }

    /// Whether no target is busy with a scrape.
    pub(crate) fn is_quiet(&self, now: Time) -> bool {
        let times = self.times();
        let is_over = times
            .ended
            .is_none_or(|ended| now.since(ended) > AFTER_SCRAPE);
        let mut running = times.running.values();
        is_over && running.all(|began| now.since(*began) > SCRAPE_WORK_MAX)
    }

    fn times(&self) -> MutexGuard<'_, ScrapeTimes> {
        // Times stay whole after a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_quiet_after_a_scrape_and_while_one_waits_for_long() {
        let at = |millis: u64| Time::from_nanos(millis * 1_000_000);
        let scrapes = Scrapes::default();
        assert!(scrapes.is_quiet(at(0)));
        let first = scrapes.begin(at(100));
        assert!(!scrapes.is_quiet(at(101)));
        scrapes.end(first, at(105));
        assert!(!scrapes.is_quiet(at(110)));
        assert!(scrapes.is_quiet(at(126)));
        scrapes.begin(at(200));
        assert!(!scrapes.is_quiet(at(300)));
        assert!(scrapes.is_quiet(at(451)), "it waits in a queue");
    }
}
