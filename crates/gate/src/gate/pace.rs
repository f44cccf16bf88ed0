//! How fast people are let in lately, and so how long somebody will wait.

use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::Instant;

use crate::queue::{Mode, Policy};

/// Counts are kept for windows of so long ...
const WINDOW: Duration = Duration::from_secs(5);
/// ... and so many of them.
const WINDOWS: usize = 12;
/// Before so many windows the rules say more than the counts.
const ENOUGH: usize = 6;

/// How long somebody will wait: as likely less as more, and hardly more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
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
}

impl Pace {
    pub(super) fn new(now: Instant, admitted: u64) -> Self {
        Self {
            began: now,
            counted: admitted,
            windows: VecDeque::new(),
        }
    }

    /// `admitted` were let in in all by now, and `waiting` wait. Windows in which nobody
    /// waited say nothing about how fast it could be.
    pub(super) fn note(&mut self, now: Instant, admitted: u64, waiting: u64) {
        let passed = now.saturating_duration_since(self.began);
        if passed < WINDOW {
            return;
        }
        if waiting == 0 {
            self.windows.clear();
        } else {
            let windows = (passed.as_secs_f64() / WINDOW.as_secs_f64()).max(1.0);
            let count = admitted.saturating_sub(self.counted) as f64 / windows;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a count"
            )]
            self.windows.push_back(count.round() as u64);
            if self.windows.len() > WINDOWS {
                self.windows.pop_front();
            }
        }
        self.began = now;
        self.counted = admitted;
    }

    /// How long somebody behind `ahead` others will wait; `None` when nobody can tell.
    pub(super) fn estimate(&self, policy: &Policy, ahead: u64) -> Option<Estimate> {
        if matches!(policy.mode, Mode::Hold | Mode::Closed) {
            return None;
        }
        let (usual, slow) = self.rates().or_else(|| {
            let rate = policy.rate?.as_per_second();
            Some((rate, rate * 0.8))
        })?;
        if usual <= 0.0 {
            return None;
        }
        let people = (ahead + 1) as f64;
        Some(Estimate {
            p50_s: people / usual,
            p90_s: people / slow.max(usual * 0.5),
        })
    }

    /// Admissions per second: the mean, and what nine of ten minutes reach.
    fn rates(&self) -> Option<(f64, f64)> {
        if self.windows.len() < ENOUGH {
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
        Some((mean / WINDOW.as_secs_f64(), slow / WINDOW.as_secs_f64()))
    }
}

/// When to ask again: after a quarter of the wait, so often near the front and seldom at
/// the back. Few are near the front at a time (rate x seconds), so this costs less than the
/// same gap for all. Never so seldom that one counts as gone; spread by a fifth, so that
/// those who came together do not ask together.
pub(super) fn poll_after(estimate: Option<Estimate>, policy: &Policy, spread: u64) -> Duration {
    let usual = estimate.map_or(5.0, |estimate| estimate.p50_s / 4.0);
    let most = (policy.away_after.as_secs_f64() / 3.0).min(30.0);
    let part = (spread % 1_000) as f64 / 1_000.0;
    Duration::from_secs_f64(usual.clamp(0.5, most) * (0.8 + 0.4 * part))
}

#[cfg(test)]
mod tests {
    use super::{Pace, poll_after};
    use crate::queue::{AdmissionRate, Mode, Policy};
    use std::time::Duration;
    use tokio::time::Instant;

    fn rules() -> Policy {
        Policy {
            rate: AdmissionRate::per_second(100.0),
            ..Policy::default()
        }
    }

    #[test]
    fn the_rules_tell_at_first_and_the_counts_later() {
        let start = Instant::now();
        let mut pace = Pace::new(start, 0);
        let first = pace.estimate(&rules(), 999).unwrap();
        assert!((first.p50_s - 10.0).abs() < 1e-9);
        for window in 1..=12_u32 {
            pace.note(
                start + Duration::from_secs(5) * window,
                u64::from(window) * 250,
                10,
            );
        }
        let later = pace.estimate(&rules(), 999).unwrap();
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
            pace.note(start + Duration::from_secs(5) * window, admitted, 10);
        }
        let estimate = pace.estimate(&rules(), 99).unwrap();
        assert!((estimate.p50_s - 2.0).abs() < 1e-9);
        assert!(estimate.p90_s > 2.5);
    }

    #[test]
    fn nobody_can_tell_while_nobody_is_let_in() {
        let pace = Pace::new(Instant::now(), 0);
        assert_eq!(
            pace.estimate(
                &Policy {
                    mode: Mode::Hold,
                    ..rules()
                },
                1
            ),
            None
        );
        assert_eq!(
            pace.estimate(
                &Policy {
                    rate: None,
                    ..rules()
                },
                1
            ),
            None
        );
    }

    #[test]
    fn who_is_near_asks_often_and_nobody_so_seldom_as_to_count_as_gone() {
        let pace = Pace::new(Instant::now(), 0);
        let after = |ahead, policy: &Policy| {
            poll_after(pace.estimate(policy, ahead), policy, 500).as_secs_f64()
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
