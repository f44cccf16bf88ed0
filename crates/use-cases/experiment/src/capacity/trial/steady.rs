//! Whether a level has come to rest: no work piles up, answers get neither slower nor faster,
//! and what is started is also done.
//!
//! A trend counts as certain only beyond what values that resemble their neighbours show by
//! chance. As *possible* it counts sooner, as if windows were independent: a level of which
//! something may still grow is never told to hold.

use loadline_analysis::trend;

use super::windows::Windows;
use crate::window::LoadWindow;

/// Standard deviations from which on a trend is possible or probable, and certain at any of
/// many looks.
const POSSIBLE_TREND_MIN: f64 = 1.645;
const CERTAIN_TREND_MIN: f64 = 3.0;
/// Growth that matters: this share of the mean, and so many iterations or milliseconds.
const GROWTH_SHARE_MIN: f64 = 0.2;
const GROWTH_ITERATIONS_MIN: f64 = 5.0;
const GROWTH_MS_MIN: f64 = 5.0;
/// What the last windows must show of it.
const LAST_PART: f64 = 0.4;
/// Levels at which this share of the planned iterations is not done are not held.
const UNDONE_SHARE_MAX: f64 = 0.1;

/// Whether something grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Growth {
    /// Nothing that would matter.
    None,
    /// It may, were windows independent.
    Possible,
    /// It does, at a single look.
    Probable,
    /// It does.
    Certain,
}

/// Whether iterations in flight grow over the level and over its last windows.
pub(super) fn backlog(windows: &[LoadWindow]) -> Growth {
    let flights: Vec<f64> = windows.iter().map(|w| w.in_flight).collect();
    growth(&flights, GROWTH_ITERATIONS_MIN)
}

/// Whether requests take longer and longer.
pub(super) fn slowing(windows: &[LoadWindow]) -> Growth {
    let means: Vec<f64> = windows.iter().filter_map(|w| w.durations.mean()).collect();
    growth(&means, GROWTH_MS_MIN)
}

fn growth(values: &[f64], least: f64) -> Growth {
    // A target that changed once is slower from then on; what piles up goes on growing.
    let n = values.len();
    let last = &values[n - (n / 3).clamp(8.min(n), 20)..];
    let matters = rises(values, least) && rises(last, least * LAST_PART);
    let score = |of: fn(&[f64]) -> f64| of(values).min(of(last));
    if !matters || score(trend::score) < POSSIBLE_TREND_MIN {
        Growth::None
    } else {
        match score(trend::score_of_correlated) {
            sure if sure >= CERTAIN_TREND_MIN && n >= 8 => Growth::Certain,
            likely if likely >= POSSIBLE_TREND_MIN => Growth::Probable,
            _ => Growth::Possible,
        }
    }
}

/// Whether values rise by more than they wander by themselves.
fn rises(values: &[f64], least: f64) -> bool {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let part = (least / GROWTH_ITERATIONS_MIN).min(1.0);
    trend::slope(values) * n >= least.max(part * GROWTH_SHARE_MIN * mean)
}

/// Whether fewer iterations end than the level asks for, in its second half: by a tenth, and
/// by so many standard deviations of what is planned in that time.
pub(super) fn falls_short(windows: &[LoadWindow], load: f64, deviations: f64) -> bool {
    let last = &windows[windows.len() / 2..];
    let sum = |of: fn(&LoadWindow) -> f64| last.iter().map(of).sum::<f64>();
    let planned = (load * sum(|w| w.span)).max(sum(|w| w.started + w.dropped));
    planned - sum(|w| w.ended) > UNDONE_SHARE_MAX * planned + deviations * planned.sqrt()
}

/// Whether answers get faster from window to window, by more than a tenth.
pub(super) fn is_getting_faster(windows: &Windows) -> bool {
    let medians = windows.medians_from(0);
    if medians.len() < 5 || trend::score_of_correlated(&medians) > -1.96 {
        return false;
    }
    let third = (medians.len() / 3).max(1);
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    mean(&medians[medians.len() - third..]) < 0.9 * mean(&medians[..third])
}

/// Whether neither throughput nor latency has a trend over the last ten windows.
pub(super) fn is_trend_free(windows: &Windows) -> bool {
    let first = windows.len().saturating_sub(10);
    let last = &windows[first..];
    let rates: Vec<f64> = last.iter().map(|w| w.ended).collect();
    let is_free = |values: &[f64]| trend::score(values).abs() <= POSSIBLE_TREND_MIN;
    is_free(&rates) && is_free(&windows.medians_from(first))
}
