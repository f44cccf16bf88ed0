//! Whether requests fail by chance or beyond a limit, by the likelier of the two laws.
//!
//! By chance each request fails as often, whatever comes. A limit lets as much through in a second with many requests
//! as in one with few (a queue that is full, a rate), or fails a larger share where more come at once (places without a
//! queue). Starts by chance make such seconds. What is likelier by far is told; else the seconds do not tell.

use loadline_analysis::compare::ComparedWindow;

use super::super::super::input::share;
use super::is_as_chance_makes;

/// Fewer seconds say nothing, ...
const WINDOWS_MIN: usize = 6;
/// ... nor do fewer requests that failed.
const FAILED_MIN: f64 = 20.0;
/// A law is told that is likelier by this factor (its logarithm): 20 times.
const LOG_LIKELIER_MIN: f64 = 3.0;
/// Failed requests of a second vary at most about as chance makes them: every fifteenth varies less, and is no limit's
/// doing either where as large a share fails of few as of many.
const DISPERSION_MAX: f64 = 2.0;
/// Places without a queue turn away a share that grows faster than what comes, by about this power.
const PLACES_POWER: f64 = 3.0;
/// Starts by chance vary by as much as their number; those that come evenly by this share of it at most.
const EVEN_VARIANCE_SHARE_MAX: f64 = 0.25;
/// A standard normal number is below its negative once in 200 times.
const QUANTILE_OF_ONE_IN_200: f64 = 2.576;
/// Requests that come at the end of a second end in the next: counts are no surer than this variance.
const EDGE_VARIANCE: f64 = 0.5;

/// By which law requests fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FailureLaw {
    /// By chance, each as often.
    Chance,
    /// Beyond a limit.
    Limit,
    /// Either may be.
    Unclear,
}

/// A second: requests that came, and those of them that failed.
struct Second {
    requests: f64,
    failed: f64,
}

impl FailureLaw {
    /// Of starts that come whatever the answers.
    pub(super) fn from_windows(windows: &[ComparedWindow]) -> Self {
        let asked = windows.iter().filter(|window| window.requests > 0.0);
        let seconds: Vec<Second> = asked
            .map(|window| Second {
                requests: window.requests,
                failed: window.failed,
            })
            .collect();
        let all: f64 = seconds.iter().map(|one| one.requests).sum();
        let failed: f64 = seconds.iter().map(|one| one.failed).sum();
        if seconds.len() < WINDOWS_MIN || failed < FAILED_MIN || failed >= all {
            return Self::Unclear;
        }
        let fails = failed / all;
        let by_chance = by_share(&seconds, |_| fails);
        let by_limit = by_most(&seconds).max(by_places(&seconds, fails));
        if by_limit >= by_chance + LOG_LIKELIER_MIN {
            Self::Limit
        } else if by_chance >= by_limit + LOG_LIKELIER_MIN
            && is_as_chance_makes(windows, 0.0..=DISPERSION_MAX)
        {
            Self::Chance
        } else {
            Self::Unclear
        }
    }
}

/// As many come in each second: less than a fourth as far apart as by chance, and than few seconds are by chance once in 200
/// times (the quantile of chi squared by Wilson and Hilferty, 1931).
pub(super) fn are_starts_even(windows: &[ComparedWindow]) -> bool {
    let seconds = count(windows.len()).max(1.0);
    let freedom = (seconds - 1.0).max(1.0);
    let spread = 2.0 / (9.0 * freedom);
    let by_chance = (1.0 - spread - QUANTILE_OF_ONE_IN_200 * spread.sqrt())
        .max(0.0)
        .powi(3);
    let mean = windows.iter().map(|window| window.requests).sum::<f64>() / seconds;
    let squares = windows
        .iter()
        .map(|window| (window.requests - mean).powi(2));
    squares.sum::<f64>() / freedom <= by_chance.min(EVEN_VARIANCE_SHARE_MAX) * mean
}

/// The logarithm of how likely it is that of each second's requests so large a share fails.
fn by_share(seconds: &[Second], fails: impl Fn(&Second) -> f64) -> f64 {
    let of_each = seconds.iter().map(|one| {
        let fails = fails(one);
        let variance = (one.requests * fails * (1.0 - fails)).max(EDGE_VARIANCE);
        log_normal_density(one.failed - fails * one.requests, variance)
    });
    of_each.sum()
}

/// ... that no more than a number of each second's requests is let through, by a variance of its own: what is fitted to
/// the seconds once more is less likely by the square root of their number.
fn by_most(seconds: &[Second]) -> f64 {
    let through = |one: &Second| one.requests - one.failed;
    let of_each = |most: f64| {
        let off = |one: &Second| through(one) - one.requests.min(most);
        let squares: f64 = seconds.iter().map(|one| off(one).powi(2)).sum();
        let variance = (squares / count(seconds.len())).max(EDGE_VARIANCE);
        let of_each = seconds
            .iter()
            .map(|one| log_normal_density(off(one), variance));
        of_each.sum::<f64>() - 0.5 * count(seconds.len()).ln()
    };
    let mean = share(seconds.iter().map(through).sum(), count(seconds.len()));
    let candidates = seconds.iter().map(through).chain([mean]);
    candidates.map(of_each).fold(f64::NEG_INFINITY, f64::max)
}

/// ... that the share that fails grows with what comes.
fn by_places(seconds: &[Second], fails: f64) -> f64 {
    let mean = share(
        seconds.iter().map(|one| one.requests).sum(),
        count(seconds.len()),
    );
    let grown = |one: &Second| (one.requests / mean).powf(PLACES_POWER);
    let weights: f64 = seconds.iter().map(|one| one.requests * grown(one)).sum();
    let level = share(seconds.iter().map(|one| one.failed).sum(), weights);
    let most = 1.0 - (1.0 - fails) / 2.0;
    by_share(seconds, |one| (level * grown(one)).min(most))
}

fn log_normal_density(off: f64, variance: f64) -> f64 {
    -0.5 * ((2.0 * std::f64::consts::PI * variance).ln() + off * off / variance)
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use loadline_units::random::Random;

    use super::super::tests::{by_chance, windows};
    use super::*;

    /// Starts that come evenly make no seconds that tell.
    fn evenly(
        seconds: usize,
        random: &Random,
        fails: impl Fn(f64, &Random) -> f64,
    ) -> Vec<ComparedWindow> {
        let requests = 50.0;
        let window = |_| ComparedWindow {
            requests,
            failed: fails(requests, random).clamp(0.0, requests),
            ..ComparedWindow::default()
        };
        (0..seconds).map(window).collect()
    }

    /// Of 200 runs of so many seconds.
    fn laws_of(
        seconds: usize,
        is_even: bool,
        fails: impl Fn(f64, &Random) -> f64 + Copy,
    ) -> [usize; 3] {
        let laws: Vec<FailureLaw> = (0..200)
            .map(|seed| {
                FailureLaw::from_windows(&if is_even {
                    evenly(seconds, &Random::new(seed), fails)
                } else {
                    windows(seed, seconds, fails)
                })
            })
            .collect();
        [FailureLaw::Chance, FailureLaw::Limit, FailureLaw::Unclear]
            .map(|law| laws.iter().filter(|one| **one == law).count())
    }

    #[test]
    fn what_fails_by_chance_is_hardly_ever_a_limit() {
        for share in [0.03, 0.1, 0.26, 0.5] {
            for seconds in [11, 30] {
                let [chance, limit, unclear] = laws_of(seconds, false, &by_chance(share));
                assert!(limit <= 4, "{share} {seconds}: {limit}");
                let least = if seconds == 30 && share >= 0.1 {
                    150
                } else {
                    0
                };
                assert!(chance >= least, "{share} {seconds}: {chance}, {unclear}");
                // Starts that come evenly make no seconds that tell.
                let [_, limit, _] = laws_of(seconds, true, &by_chance(share));
                assert!(limit <= 4, "{share} {seconds} evenly: {limit}");
            }
        }
    }

    #[test]
    fn a_limit_is_hardly_ever_chance() {
        for most in [25.0, 37.0, 48.0] {
            for seconds in [11, 30] {
                for is_even in [false, true] {
                    let over = move |requests: f64, _: &Random| requests - most;
                    let [chance, limit, unclear] = laws_of(seconds, is_even, over);
                    assert!(chance <= 4, "{most} {seconds} {is_even}: {chance}");
                    let least = if seconds == 30 { 190 } else { 150 };
                    assert!(limit >= least, "{most} {seconds}: {limit}, {unclear}");
                }
            }
        }
    }

    /// What goes through varies, too: places that are held for random times.
    #[test]
    fn a_limit_whose_rate_varies_is_hardly_ever_chance() {
        let over = |requests: f64, random: &Random| {
            let around: f64 = (0..12).map(|_| random.unit()).sum::<f64>() - 6.0;
            (requests - 37.0 - 4.0 * around).round()
        };
        let [chance, limit, _] = laws_of(30, false, over);
        assert!(chance <= 4 && limit >= 100, "{chance}, {limit}");
    }

    /// Places without a queue: of more that come at once a larger share is turned away.
    #[test]
    fn places_without_a_queue_are_hardly_ever_chance() {
        let turned_away = |requests: f64, random: &Random| {
            let share = (0.1 * (requests / 50.0).powi(3)).min(0.9);
            by_chance(share)(requests, random)
        };
        let [chance, limit, _] = laws_of(30, false, turned_away);
        assert!(chance <= 4 && limit >= 100, "{chance}, {limit}");
    }

    #[test]
    fn failures_that_come_in_bursts_are_not_chance() {
        let second = std::cell::Cell::new(0);
        let bursts = |requests: f64, _: &Random| {
            second.set(second.get() + 1);
            if second.get() % 5 == 0 { requests } else { 0.0 }
        };
        let law = FailureLaw::from_windows(&windows(3, 30, bursts));
        assert_ne!(law, FailureLaw::Chance);
    }
}
