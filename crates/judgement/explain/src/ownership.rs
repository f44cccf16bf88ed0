//! Whose work it is: what grows with the callers' requests is theirs.
//!
//! A database counts the statements of all who use it. Over the seconds of a run calls = a + b × requests:
//! b × requests are the target's, a is somebody else's. Where the load never changed, what it does in the seconds
//! without load is `a`; without such seconds nothing can be told.

use loadline_record::signals::{SignalKind, SignalPoint, SignalSeries};

use super::input::share;
use super::view::RunView;

/// Seconds that are compared.
const SECONDS_MIN: usize = 10;
/// Seconds, or looks, without load that tell.
const IDLE_SECONDS_MIN: f64 = 1.0;
const IDLE_LOOKS_MIN: usize = 3;
/// Requests a second vary by this share of their mean at least: else nothing can be told.
const LOAD_DEVIATION_MIN: f64 = 0.15;

/// A second of a run.
struct Second {
    requests: f64,
    grown: f64,
}

/// The share of a counter's growth that goes with the callers' requests, 0 to 1; `None` where the load did not
/// change enough to tell.
pub(super) fn own_share(view: &RunView<'_>, series: &SignalSeries) -> Option<f64> {
    by_load(view, series).or_else(|| Some(1.0 - idle_share(view, series)?))
}

/// By how much a counter grows a second without load.
fn idle_rate(view: &RunView<'_>, series: &SignalSeries) -> Option<f64> {
    let (mut grown, mut seconds) = (0.0, 0.0);
    for points in idle_points(view, series) {
        // What callers gave up may be worked on for a while.
        let rested = points.get(points.len() / 2..).unwrap_or_default();
        for pair in rested.windows(2) {
            grown += (pair[1].value - pair[0].value).max(0.0);
            seconds += passed(&pair[0], &pair[1]);
        }
    }
    (seconds >= IDLE_SECONDS_MIN).then(|| grown / seconds)
}

/// The least that gauges of a kind are without load: what callers gave up may be worked on for a while.
pub(super) fn idle_level(view: &RunView<'_>, kind: SignalKind) -> f64 {
    let levels = view.run.signals.of_kind(kind).filter_map(|series| {
        let points: Vec<f64> = idle_points(view, series)
            .flatten()
            .map(|point| point.value)
            .collect();
        let least = points.iter().copied().reduce(f64::min);
        least.filter(|_| points.len() >= IDLE_LOOKS_MIN)
    });
    levels.sum()
}

/// The share of a counter's growth that is there without load, too; `None` where the target was not watched
/// without it.
pub(super) fn idle_share(view: &RunView<'_>, series: &SignalSeries) -> Option<f64> {
    let (busy, idle) = (view.rate_of(series)?, idle_rate(view, series)?);
    Some(share(idle, busy).min(1.0))
}

/// The looks at each time without load.
fn idle_points<'a>(
    view: &'a RunView<'_>,
    series: &'a SignalSeries,
) -> impl Iterator<Item = &'a [SignalPoint]> {
    let points = series.points();
    view.run.idle.iter().map(|span| {
        let from = points.partition_point(|point| point.at_ms < span.from_ms);
        let to = points.partition_point(|point| point.at_ms <= span.to_ms);
        points.get(from..to).unwrap_or_default()
    })
}

fn passed(before: &SignalPoint, after: &SignalPoint) -> f64 {
    let millis = after.at_ms.saturating_sub(before.at_ms);
    f64::from(u32::try_from(millis).unwrap_or(u32::MAX)) / 1000.0
}

/// The share that goes with a load that changed.
fn by_load(view: &RunView<'_>, series: &SignalSeries) -> Option<f64> {
    let seconds = seconds(view, series);
    if seconds.len() < SECONDS_MIN {
        return None;
    }
    let count = f64::from(u32::try_from(seconds.len()).ok()?);
    let mean = |value: fn(&Second) -> f64| seconds.iter().map(value).sum::<f64>() / count;
    let (requests, grown) = (mean(|one| one.requests), mean(|one| one.grown));
    let sum = |value: &dyn Fn(&Second) -> f64| seconds.iter().map(value).sum::<f64>();
    let variance = sum(&|one| (one.requests - requests).powi(2));
    if requests <= 0.0 || (variance / count).sqrt() < LOAD_DEVIATION_MIN * requests {
        return None;
    }
    let together = sum(&|one| (one.requests - requests) * (one.grown - grown));
    let each = together / variance;
    Some(share(each * requests, grown).clamp(0.0, 1.0))
}

/// Between every two looks: by how much it grew a second, and how many requests ended a second.
fn seconds(view: &RunView<'_>, series: &SignalSeries) -> Vec<Second> {
    let pairs = series.points().windows(2);
    let second = |pair: &[loadline_record::signals::SignalPoint]| {
        let (before, after) = (&pair[0], &pair[1]);
        let at = |ms: u64| {
            let past = ms.checked_sub(view.run.from_ms)?;
            usize::try_from(past / 1000).ok()
        };
        let requests = view.ended_per_second(at(before.at_ms)?, at(after.at_ms)?)?;
        let passed =
            f64::from(u32::try_from(after.at_ms.checked_sub(before.at_ms)?).ok()?) / 1000.0;
        let is_fallen = after.value < before.value;
        (passed > 0.0 && !is_fallen).then(|| Second {
            requests,
            grown: (after.value - before.value) / passed,
        })
    };
    pairs.filter_map(second).collect()
}

#[cfg(test)]
mod tests {
    use loadline_analysis::compare::ComparedWindow;
    use loadline_record::signals::Entity;

    use super::*;
    use crate::{ExplainedRun, IdleSpan};

    /// Each request makes `own` calls, and somebody else makes `others` a second; the load grows or stays.
    fn share_of(own: f64, others: f64, grows: bool) -> Option<f64> {
        own_share_of(&run_of(own, others, grows))
    }

    fn own_share_of(run: &ExplainedRun) -> Option<f64> {
        own_share(&RunView::new(run), &run.signals.series()[0])
    }

    fn run_of(own: f64, others: f64, grows: bool) -> ExplainedRun {
        let mut run = ExplainedRun::default();
        let (of, mut calls) = (Entity::new(), 0.0);
        for second in 0..40_u32 {
            let requests = 20.0 + if grows { f64::from(second) } else { 0.0 };
            run.windows.push(ComparedWindow {
                requests,
                ..ComparedWindow::default()
            });
            let at_ms = u64::from(second) * 1000 + 300;
            run.signals
                .push(SignalKind::StatementCalls, &of, at_ms, calls);
            calls += requests * own + others;
        }
        run
    }

    #[test]
    fn seconds_without_load_tell_where_it_never_changed() {
        let mut run = run_of(12.0, 100.0, false);
        let mut calls = 40.0 * (20.0 * 12.0 + 100.0);
        for second in 40..45_u64 {
            let of = Entity::new();
            let at_ms = second * 1000 + 300;
            run.signals
                .push(SignalKind::StatementCalls, &of, at_ms, calls);
            calls += 100.0;
        }
        run.idle.push(IdleSpan {
            from_ms: 41_000,
            to_ms: u64::MAX,
        });
        let own = own_share_of(&run);
        let expected = 20.0 * 12.0 / (20.0 * 12.0 + 100.0);
        assert!(
            own.is_some_and(|own| (own - expected).abs() < 0.02),
            "{own:?}"
        );
    }

    #[test]
    fn what_grows_with_the_requests_is_theirs() {
        assert!(share_of(12.0, 0.0, true).is_some_and(|share| share > 0.9));
        assert!(share_of(0.0, 500.0, true).is_some_and(|share| share < 0.1));
        let half = share_of(10.0, 400.0, true);
        assert!(
            half.is_some_and(|share| (0.4..0.6).contains(&share)),
            "{half:?}"
        );
    }

    #[test]
    fn a_load_that_never_changes_cannot_tell() {
        assert_eq!(share_of(12.0, 100.0, false), None);
    }
}
