//! How fast people are let in lately, and so how long somebody will wait.
//!
//! While places are free the rate decides; once the cap is reached, how fast people leave.
//! Of that the rules say nothing, but a cap and a rate from a load test do: they fit each
//! other, so people leave as fast as they come. What is counted soon outweighs that.

use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::Instant;

use crate::queue::{Policy, QueueMode};

/// Counts are kept for windows of so long ...
const WINDOW_LENGTH: Duration = Duration::from_secs(5);
/// ... and so many of them.
const WINDOWS_MAX: usize = 12;
/// Before so many windows the rules say more than the counts.
const WINDOWS_MIN: usize = 6;
/// How many admissions the rules of a load test are worth, compared with those counted at a full cap.
const PRIOR_ADMISSIONS: f64 = 5.0;

/// How long somebody will wait: as likely less as more, and hardly more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WaitEstimate {
    /// As likely less as more, in seconds.
    pub p50_s: f64,
    /// Nine times of ten at most, in seconds.
    pub p90_s: f64,
}

/// Admissions of the last minute, by window.
#[derive(Debug)]
pub(super) struct Pace {
    began: Instant,
    /// Admissions in all when the window began.
    counted: u64,
    windows: VecDeque<u64>,
    /// Since when, and since how many admissions, all places are taken.
    full: Option<(Instant, u64)>,
}

/// How full it is inside, and whether the rules come from a load test.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Places {
    /// Free ones; `None` without a cap.
    pub(super) free: Option<u64>,
    /// Admissions in all.
    pub(super) admitted: u64,
    /// Rate and cap were measured together.
    pub(super) is_measured: bool,
}

impl Places {
    fn is_full(self) -> bool {
        self.free == Some(0)
    }
}

impl Pace {
    pub(super) fn new(now: Instant, admitted: u64) -> Self {
        Self {
            began: now,
            counted: admitted,
            windows: VecDeque::new(),
            full: None,
        }
    }

    /// Where it stands by now, and that `waiting` wait. Windows in which nobody waited say
    /// nothing about how fast it could be, nor those before the cap was reached about later.
    pub(super) fn note(&mut self, now: Instant, places: Places, waiting: u64) {
        let admitted = places.admitted;
        // One place that is free for a moment, until the next one has it, is no change.
        let is_full = places.is_full() || (self.full.is_some() && places.free == Some(1));
        if is_full != self.full.is_some() {
            self.full = is_full.then_some((now, admitted));
            self.windows.clear();
            (self.began, self.counted) = (now, admitted);
            return;
        }
        let passed = now.saturating_duration_since(self.began);
        if passed < WINDOW_LENGTH {
            return;
        }
        if waiting == 0 {
            self.windows.clear();
        } else {
            let windows = (passed.as_secs_f64() / WINDOW_LENGTH.as_secs_f64()).max(1.0);
            let count = admitted.saturating_sub(self.counted) as f64 / windows;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a count"
            )]
            self.windows.push_back(count.round() as u64);
            if self.windows.len() > WINDOWS_MAX {
                self.windows.pop_front();
            }
        }
        self.began = now;
        self.counted = admitted;
    }

    /// How long somebody behind `ahead` others will wait; `None` when nobody can tell.
    pub(super) fn estimate(
        &self,
        now: Instant,
        policy: &Policy,
        places: Places,
        ahead: u64,
    ) -> Option<WaitEstimate> {
        if matches!(policy.mode, QueueMode::Hold | QueueMode::Closed) {
            return None;
        }
        let people = (ahead + 1) as f64;
        let by_rate = policy.rate.map(|rate| rate.as_per_second());
        let free = places.free.map_or(people, |free| people.min(free as f64));
        let (usual, slow) = match self.rates() {
            Some(counted) => counted,
            None if people <= free => by_rate.map(|rate| (rate, rate * 0.8))?,
            None => {
                // Some find a place; for the others one must be left.
                let stay = policy.cap.zip(by_rate).map(|(cap, rate)| cap as f64 / rate);
                let at_cap = self.rate_at_cap(now, by_rate, stay, places)?;
                let places = by_rate.map_or(0.0, |rate| free / rate);
                let usual = people / (places + (people - free) / at_cap);
                (usual, usual * 0.5)
            }
        };
        if usual <= 0.0 {
            return None;
        }
        Some(WaitEstimate {
            p50_s: people / usual,
            p90_s: people / slow.max(usual * 0.5),
        })
    }

    /// Admissions per second once all places are taken; `stay` is how long one stays by the
    /// rules, in seconds.
    fn rate_at_cap(
        &self,
        now: Instant,
        by_rate: Option<f64>,
        stay: Option<f64>,
        places: Places,
    ) -> Option<f64> {
        let (counted, seconds) = self.full.map_or((0.0, 0.0), |(since, before)| {
            let seconds = now.saturating_duration_since(since).as_secs_f64();
            (places.admitted.saturating_sub(before) as f64, seconds)
        });
        let rate = match by_rate.filter(|_| places.is_measured) {
            // Who came in together leaves together: before that it says nothing that nobody left.
            Some(rate) if stay.is_some_and(|stay| seconds < stay) => rate,
            Some(rate) => (PRIOR_ADMISSIONS + counted) / (PRIOR_ADMISSIONS / rate + seconds),
            None if counted > 0.0 && seconds > 0.0 => counted / seconds,
            None => return None,
        };
        Some(by_rate.map_or(rate, |most| rate.min(most)))
    }

    /// Admissions per second: the mean, and what nine of ten minutes reach.
    fn rates(&self) -> Option<(f64, f64)> {
        if self.windows.len() < WINDOWS_MIN {
            return None;
        }
        let n = self.windows.len() as f64;
        let mean = self.windows.iter().sum::<u64>() as f64 / n;
        let squares = self
            .windows
            .iter()
            .map(|count| (*count as f64 - mean).powi(2));
        let deviation = (squares.sum::<f64>() / n).sqrt();
        let slow = mean - 1.28 * deviation / n.sqrt();
        Some((
            mean / WINDOW_LENGTH.as_secs_f64(),
            slow / WINDOW_LENGTH.as_secs_f64(),
        ))
    }
}

/// When to ask again: after a quarter of the wait, so often near the front and seldom at
/// the back. Few are near the front at a time (rate x seconds), so this costs less than the
/// same gap for all. Never so seldom that one counts as gone; spread by a fifth, so that
/// those who came together do not ask together.
pub(super) fn poll_after(estimate: Option<WaitEstimate>, policy: &Policy, spread: u64) -> Duration {
    let usual = estimate.map_or(5.0, |estimate| estimate.p50_s / 4.0);
    let most = (policy.away_after.as_secs_f64() / 3.0).min(30.0);
    let part = (spread % 1_000) as f64 / 1_000.0;
    Duration::from_secs_f64(usual.clamp(0.5, most) * (0.8 + 0.4 * part))
}

#[cfg(test)]
mod tests {
    use super::{Pace, Places, poll_after};
    use crate::queue::{AdmissionRate, Policy, QueueMode};
    use std::time::Duration;
    use tokio::time::Instant;

    fn rules() -> Policy {
        Policy {
            rate: AdmissionRate::per_second(100.0),
            ..Policy::default()
        }
    }

    /// No cap, and so many let in.
    fn uncapped(admitted: u64) -> Places {
        Places {
            admitted,
            ..Places::default()
        }
    }

    #[test]
    fn who_finds_no_place_waits_until_others_leave_from_the_first_second_on() {
        let start = Instant::now();
        let mut pace = Pace::new(start, 0);
        let at = |free, admitted, is_measured| Places {
            free: Some(free),
            admitted,
            is_measured,
        };
        let wait = |pace: &Pace, seconds: u64, places, ahead| {
            let now = start + Duration::from_secs(seconds);
            let estimate = pace.estimate(now, &rules(), places, ahead);
            estimate.map(|estimate| estimate.p50_s)
        };
        assert!((wait(&pace, 0, at(8, 0, false), 7).unwrap() - 0.08).abs() < 1e-9);
        assert_eq!(
            wait(&pace, 0, at(8, 0, false), 199),
            None,
            "when others leave nobody knows"
        );
        pace.note(start, at(0, 8, true), 192);
        let first = wait(&pace, 0, at(0, 8, true), 191).unwrap();
        assert!((first - 1.92).abs() < 1e-9, "{first}");
        let later = wait(&pace, 10, at(0, 8, true), 191).unwrap();
        assert!(later > 300.0, "nobody left in 10 s: {later}");
        let some_leave = wait(&pace, 10, at(0, 18, false), 181).unwrap();
        assert!(
            (some_leave - 182.0).abs() < 1e-9,
            "one a second: {some_leave}"
        );
    }

    #[test]
    fn that_nobody_left_counts_only_once_the_first_could_have() {
        let start = Instant::now();
        let mut pace = Pace::new(start, 0);
        // One stays for 2 s.
        let policy = Policy {
            cap: Some(200),
            ..rules()
        };
        let full = |admitted| Places {
            free: Some(0),
            admitted,
            is_measured: true,
        };
        pace.note(start, full(200), 1_000);
        let wait = |millis, admitted| {
            let now = start + Duration::from_millis(millis);
            let estimate = pace.estimate(now, &policy, full(admitted), 999);
            estimate.unwrap().p50_s
        };
        assert!((wait(1_900, 200) - 10.0).abs() < 1e-9, "as the rules say");
        assert!(wait(6_000, 200) > 1_000.0, "nobody left in 6 s");
        assert!((wait(2_100, 400) - 10.0).abs() < 1.0, "all left after 2 s");
    }

    #[test]
    fn the_rules_tell_at_first_and_the_counts_later() {
        let start = Instant::now();
        let mut pace = Pace::new(start, 0);
        let first = pace.estimate(start, &rules(), uncapped(0), 999).unwrap();
        assert!((first.p50_s - 10.0).abs() < 1e-9);
        for window in 1..=12_u32 {
            pace.note(
                start + Duration::from_secs(5) * window,
                uncapped(u64::from(window) * 250),
                10,
            );
        }
        let later = pace.estimate(start, &rules(), uncapped(0), 999).unwrap();
        assert!(
            (later.p50_s - 20.0).abs() < 1e-9,
            "50 a second came in, whatever the rules say"
        );
        assert!((later.p90_s - 20.0).abs() < 1e-9, "without any spread");
    }

    #[test]
    fn an_uneven_pace_widens_the_range() {
        let start = Instant::now();
        let mut pace = Pace::new(start, 0);
        let mut admitted = 0;
        for window in 1..=12_u32 {
            admitted += if window % 2 == 0 { 450 } else { 50 };
            pace.note(
                start + Duration::from_secs(5) * window,
                uncapped(admitted),
                10,
            );
        }
        let estimate = pace.estimate(start, &rules(), uncapped(0), 99).unwrap();
        assert!((estimate.p50_s - 2.0).abs() < 1e-9);
        assert!(estimate.p90_s > 2.5);
    }

    #[test]
    fn nobody_can_tell_while_nobody_is_let_in() {
        let now = Instant::now();
        let pace = Pace::new(now, 0);
        let wait = |policy: Policy| pace.estimate(now, &policy, uncapped(0), 1);
        assert_eq!(
            wait(Policy {
                mode: QueueMode::Hold,
                ..rules()
            }),
            None
        );
        assert_eq!(
            wait(Policy {
                rate: None,
                ..rules()
            }),
            None
        );
    }

    #[test]
    fn who_is_near_asks_often_and_nobody_so_seldom_as_to_count_as_gone() {
        let now = Instant::now();
        let pace = Pace::new(now, 0);
        let after = |ahead, policy: &Policy| {
            let estimate = pace.estimate(now, policy, uncapped(0), ahead);
            poll_after(estimate, policy, 500).as_secs_f64()
        };
        assert!((after(10, &rules()) - 0.5).abs() < 1e-9);
        assert!((after(3_999, &rules()) - 10.0).abs() < 0.01);
        assert!((after(1_000_000, &rules()) - 30.0).abs() < 1e-9);
        let short = Policy {
            away_after: Duration::from_secs(12),
            ..rules()
        };
        assert!((after(1_000_000, &short) - 4.0).abs() < 1e-9);
    }
}
