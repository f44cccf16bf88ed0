//! Shares compared: how much more of all requests, checks or starts are bad.
//!
//! The interval is Newcombe's (1998) for the difference of two shares: both sides' score
//! intervals, which hold at 0 % too, put together. Windows (of a single run) or runs that differ
//! by more than chance are worth fewer requests (design effect). Where runs of a side differ by
//! more than their requests explain, Welch's interval over runs is taken if it is wider.

use super::{Change, ComparedRun, ComparedWindow, Measure, values};
use crate::estimate::longer;
use crate::student;

/// Bad ones and all of them, as far as they are independent.
#[derive(Debug, Clone, Copy)]
struct Share {
    bad: f64,
    all: f64,
}

/// How much larger the share is on the second side, each end wrong with a probability of `tail`;
/// `None` where a side has nothing it could be a share of.
pub(super) fn difference(
    measure: Measure,
    before: &[ComparedRun],
    after: &[ComparedRun],
    tail: f64,
) -> Option<Change> {
    let (a, b) = (worth(measure, before)?, worth(measure, after)?);
    let z = student::normal_quantile(1.0 - tail);
    let (first, second) = (a.interval(z), b.interval(z));
    let (p, q) = (a.bad / a.all, b.bad / b.all);
    let middle = q - p;
    let mut low = middle - (q - second.0).hypot(first.1 - p);
    let mut high = middle + (second.1 - q).hypot(p - first.0);
    let is_explained = differ_by_chance(measure, before) && differ_by_chance(measure, after);
    if !is_explained && let Some(reach) = between_runs(measure, before, after, tail) {
        low = low.min(middle - reach);
        high = high.max(middle + reach);
    }
    Some(Change {
        low: low.max(-1.0),
        middle,
        high: high.min(1.0),
    })
}

impl Share {
    /// Wilson's score interval.
    fn interval(self, z: f64) -> (f64, f64) {
        let (share, square) = (self.bad / self.all, z * z);
        let below = 1.0 + square / self.all;
        let centre = (share + square / (2.0 * self.all)) / below;
        let inner = share * (1.0 - share) / self.all + square / (4.0 * self.all * self.all);
        let reach = z * inner.sqrt() / below;
        ((centre - reach).max(0.0), (centre + reach).min(1.0))
    }
}

/// The bad ones and all of them in a window.
pub(super) fn bad_and_all(measure: Measure, window: &ComparedWindow) -> (f64, f64) {
    match measure {
        Measure::Checks => (window.checks_failed, window.checks),
        Measure::Dropped => (window.dropped, window.planned),
        _ => (window.failed, window.requests),
    }
}

fn worth(measure: Measure, runs: &[ComparedRun]) -> Option<Share> {
    let windows: Vec<(f64, f64)> = runs
        .iter()
        .flat_map(|run| &run.windows)
        .map(|window| bad_and_all(measure, window))
        .collect();
    let bad: f64 = windows.iter().map(|(bad, _)| bad).sum();
    let all: f64 = windows.iter().map(|(_, all)| all).sum();
    if all <= 0.0 {
        return None;
    }
    let share = bad / all;
    let by_chance = share * (1.0 - share) * all;
    let rests: Vec<f64> = windows.iter().map(|(bad, all)| bad - share * all).collect();
    let n = rests.len() as f64;
    let squares: f64 = rests.iter().map(|rest| rest * rest).sum();
    let effect = if by_chance > 0.0 && n >= 3.0 {
        (squares * n / (n - 1.0) * longer(&rests) / by_chance).max(1.0)
    } else {
        1.0
    };
    Some(Share {
        bad: bad / effect,
        all: all / effect,
    })
}

/// More than chance makes runs differ: their variance is so many times what it makes of it.
const BEYOND_CHANCE: f64 = 1.5;

/// Whether runs differ by no more than the requests they have explain.
fn differ_by_chance(measure: Measure, runs: &[ComparedRun]) -> bool {
    let Some((seen, side)) = values::of_runs(measure, runs).zip(worth(measure, runs)) else {
        return true;
    };
    let share = side.bad / side.all;
    let by_chance = share * (1.0 - share) / side.all;
    seen.variance_of_mean <= BEYOND_CHANCE * by_chance
}

/// How far the difference may lie off by how runs differ; `None` for single runs.
fn between_runs(
    measure: Measure,
    before: &[ComparedRun],
    after: &[ComparedRun],
    tail: f64,
) -> Option<f64> {
    let spreads = values::of_runs(measure, before).zip(values::of_runs(measure, after));
    let (a, b) = spreads?;
    let t = student::quantile(1.0 - tail, values::freedom(a, b));
    Some(t * (a.variance_of_mean + b.variance_of_mean).sqrt())
}
