//! Counts the requests of each second.
//!
//! A day has one counter per second and is allocated on first use. Counters have 16 bits; a day
//! in which one overflows gets 32 bits. So a year takes 63 MB. Beyond [`MOST_DAYS`] the oldest
//! days are closed: only their sums and busiest moments are kept.

use std::collections::BTreeMap;

/// How many days keep their seconds.
const MOST_DAYS: usize = 500;
/// The highest number of days; more would come from wrong dates.
const MOST_CLOSED: usize = 40_000;
const DAY_SECONDS: i64 = 86_400;

/// Counts per second of a day.
#[derive(Debug)]
enum Seconds {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

/// The sums of a day whose seconds are no longer kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct DaySum {
    pub(super) requests: u64,
    /// Its busiest minute: the start, and the number of requests.
    pub(super) minute: (i64, u64),
    /// Its busiest second.
    pub(super) second: (i64, u64),
}

#[derive(Debug, Default)]
pub(super) struct Timeline {
    open: BTreeMap<i64, Seconds>,
    closed: BTreeMap<i64, DaySum>,
    /// The offset of the log's own zone.
    offset: Option<i32>,
    /// The day of the last request and its counters, taken out of `open`.
    current: Option<(i64, Seconds)>,
    /// Requests on days that were already closed.
    pub(super) late: u64,
}

impl Timeline {
    /// Counts a request.
    #[inline]
    pub(super) fn add(&mut self, time: i64, offset: i32) {
        let own = *self.offset.get_or_insert(offset);
        let local = time + i64::from(own);
        let day = local.div_euclid(DAY_SECONDS);
        let second = usize::try_from(local.rem_euclid(DAY_SECONDS)).unwrap_or(0);
        if let Some((current, seconds)) = &mut self.current
            && *current == day
        {
            seconds.add(second);
            return;
        }
        self.turn_to(day, second);
    }

    /// The offset of the log's first line, seconds.
    pub(super) fn offset(&self) -> i32 {
        self.offset.unwrap_or(0)
    }

    fn turn_to(&mut self, day: i64, second: usize) {
        if let Some((before, seconds)) = self.current.take() {
            self.open.insert(before, seconds);
        }
        if let Some(sum) = self.closed.get_mut(&day) {
            sum.requests += 1;
            self.late += 1;
            return;
        }
        let mut seconds = self.open.remove(&day).unwrap_or_else(Seconds::new);
        seconds.add(second);
        self.current = Some((day, seconds));
        if self.open.len() >= MOST_DAYS
            && let Some((oldest, seconds)) = self.open.pop_first()
        {
            if self.closed.len() >= MOST_CLOSED {
                self.late += seconds.sum(oldest).requests;
            } else {
                self.closed.insert(oldest, seconds.sum(oldest));
            }
        }
    }

    /// Each day with its sums, in the log's own zone.
    pub(super) fn days(mut self) -> BTreeMap<i64, DaySum> {
        if let Some((day, seconds)) = self.current.take() {
            self.open.insert(day, seconds);
        }
        let mut days = std::mem::take(&mut self.closed);
        days.extend(self.open.iter().map(|(day, s)| (*day, s.sum(*day))));
        days
    }
}

impl Seconds {
    fn new() -> Self {
        Self::Narrow(vec![0; 86_400])
    }

    #[inline]
    fn add(&mut self, second: usize) {
        match self {
            Self::Narrow(counts) if counts[second] < u16::MAX => counts[second] += 1,
            Self::Narrow(counts) => {
                let mut wide: Vec<u32> = counts.iter().map(|count| u32::from(*count)).collect();
                wide[second] += 1;
                *self = Self::Wide(wide);
            }
            Self::Wide(counts) => counts[second] = counts[second].saturating_add(1),
        }
    }

    fn sum(&self, day: i64) -> DaySum {
        let count = |second: usize| match self {
            Self::Narrow(counts) => u64::from(counts[second]),
            Self::Wide(counts) => u64::from(counts[second]),
        };
        let mut sum = DaySum::default();
        let mut at = day * DAY_SECONDS;
        for minute in 0..1440 {
            let mut of_minute = 0;
            for second in 0..60 {
                let requests = count(minute * 60 + second);
                of_minute += requests;
                if requests > sum.second.1 {
                    sum.second = (at, requests);
                }
                at += 1;
            }
            if of_minute > sum.minute.1 {
                sum.minute = (at - 60, of_minute);
            }
            sum.requests += of_minute;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_busiest_minute_and_second_of_a_day_are_found() {
        let mut timeline = Timeline::default();
        for second in 0..120 {
            timeline.add(20_000 * DAY_SECONDS + second, 0);
        }
        for _ in 0..5 {
            timeline.add(20_000 * DAY_SECONDS + 90, 0);
        }
        let days = timeline.days();
        let sum = days[&20_000];
        assert_eq!(sum.requests, 125);
        assert_eq!(sum.minute, (20_000 * DAY_SECONDS + 60, 65));
        assert_eq!(sum.second, (20_000 * DAY_SECONDS + 90, 6));
    }

    #[test]
    fn a_second_may_count_beyond_sixteen_bits() {
        let mut timeline = Timeline::default();
        for _ in 0..70_000 {
            timeline.add(DAY_SECONDS, 0);
        }
        assert_eq!(timeline.days()[&1].second.1, 70_000);
    }

    #[test]
    fn days_are_those_of_the_logs_own_zone() {
        let mut timeline = Timeline::default();
        timeline.add(DAY_SECONDS - 3600, 9 * 3600);
        assert_eq!(timeline.days().keys().copied().collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn only_so_many_days_keep_their_seconds() {
        let mut timeline = Timeline::default();
        let days = i64::try_from(MOST_DAYS).unwrap() + 10;
        for day in 0..days {
            timeline.add(day * DAY_SECONDS, 0);
        }
        assert!(timeline.open.len() <= MOST_DAYS);
        timeline.add(0, 0);
        assert_eq!(timeline.late, 1);
        assert_eq!(timeline.days().len(), MOST_DAYS + 10);
    }
}
