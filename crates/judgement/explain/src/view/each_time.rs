//! How long each of a counter's events takes early and late: a second counter, of their time, by the first.

use loadline_record::signals::SignalSeries;

use super::{RunView, grown};

/// So many calls in a third of the time tell how long they take.
const CALLS_OF_THIRD_MIN: f64 = 20.0;
/// ... and so many in a quarter of a run, or at its quickest.
const CALLS_OF_QUARTER_MIN: f64 = 10.0;
/// So many of the first ones do not all come out quick by chance.
const FIRST_CALLS_MIN: f64 = 20.0;

impl RunView<'_> {
    /// The first and the last third of a counter's growth per second for each of another.
    pub(in super::super) fn each_early_and_late(
        &self,
        total: &SignalSeries,
        count: &SignalSeries,
    ) -> Option<(f64, f64)> {
        let third = |series: &SignalSeries, late: bool| {
            let points = self.points(series)?;
            let part = points.len() / 3;
            let points = if late {
                &points[points.len() - part..]
            } else {
                &points[..part]
            };
            let all: f64 = points
                .windows(2)
                .map(|pair| grown(&pair[0], &pair[1]))
                .sum();
            (points.len() >= 3).then_some(all)
        };
        let each = |late| {
            let (total, count) = (third(total, late)?, third(count, late)?);
            (count >= CALLS_OF_THIRD_MIN).then(|| total / count)
        };
        Some((each(false)?, each(true)?))
    }

    /// The same over the whole run: its first quarter, in which a load that grows is low, and its last.
    pub(in super::super) fn each_at_first_and_last(
        &self,
        total: &SignalSeries,
        count: &SignalSeries,
    ) -> Option<(f64, f64)> {
        let quarter = |series: &SignalSeries, is_last: bool| {
            let points = series.points();
            let part = points.len() / 4;
            let from = if is_last { points.len() - part } else { 0 };
            let pairs = points.get(from..from + part)?.windows(2);
            Some(pairs.map(|pair| grown(&pair[0], &pair[1])).sum::<f64>())
        };
        let each = |is_last| {
            let (total, count) = (quarter(total, is_last)?, quarter(count, is_last)?);
            (count >= CALLS_OF_QUARTER_MIN).then(|| total / count)
        };
        Some((each(false)?, each(true)?))
    }

    /// The same of the first calls of all, and in the last quarter. What is full within seconds has a slow first quarter, too.
    pub(in super::super) fn each_of_first_calls_and_last(
        &self,
        total: &SignalSeries,
        count: &SignalSeries,
    ) -> Option<(f64, f64)> {
        let (_, last) = self.each_at_first_and_last(total, count)?;
        Some((batches(total, count, FIRST_CALLS_MIN).next()?, last))
    }

    /// The same as at its quickest, over a few looks in a row with enough calls, and in the last quarter. A load that
    /// grows may have been too much within its first quarter.
    pub(in super::super) fn each_at_quickest_and_last(
        &self,
        total: &SignalSeries,
        count: &SignalSeries,
    ) -> Option<(f64, f64)> {
        let (_, last) = self.each_at_first_and_last(total, count)?;
        let quickest = batches(total, count, CALLS_OF_QUARTER_MIN).reduce(f64::min)?;
        Some((quickest, last))
    }
}

/// The growth of a counter for each of another, over as few looks in a row as have so many of the latter.
fn batches<'a>(
    total: &'a SignalSeries,
    count: &'a SignalSeries,
    least: f64,
) -> impl Iterator<Item = f64> + 'a {
    let mut looks = steps(total).zip(steps(count));
    std::iter::from_fn(move || {
        let (mut time, mut calls) = (0.0, 0.0);
        while calls < least {
            let (seconds, number) = looks.next()?;
            time += seconds;
            calls += number;
        }
        Some(time / calls)
    })
}

/// By how much a counter grew from each look to the next.
fn steps(series: &SignalSeries) -> impl Iterator<Item = f64> {
    let pairs = series.points().windows(2);
    pairs.map(|pair| grown(&pair[0], &pair[1]))
}

#[cfg(test)]
mod tests {
    use loadline_record::signals::{Entity, SignalKind};

    use super::*;
    use crate::ExplainedRun;

    /// Seen: a load that was too much from its third second on has a slow first quarter, too.
    #[test]
    fn the_quickest_calls_are_found_within_the_first_quarter() {
        let series = |kind| SignalSeries::new(kind, Entity::new());
        let mut time = series(SignalKind::StatementTime);
        let mut calls = series(SignalKind::StatementCalls);
        let mut seconds = 0.0;
        for at in 0..40_u32 {
            time.push(u64::from(at) * 1_000, seconds);
            calls.push(u64::from(at) * 1_000, 20.0 * f64::from(at));
            seconds += 20.0 * if at < 2 { 0.01 } else { 0.1 };
        }
        let run = ExplainedRun::default();
        let view = RunView::new(&run);
        let (quickest, last) = view.each_at_quickest_and_last(&time, &calls).unwrap();
        assert!((quickest - 0.01).abs() < 1e-9, "{quickest}");
        assert!((last - 0.1).abs() < 1e-9, "{last}");
        let (first, _) = view.each_at_first_and_last(&time, &calls).unwrap();
        assert!(first > 0.06, "{first}");
        let (first, last) = view.each_of_first_calls_and_last(&time, &calls).unwrap();
        assert!((first - 0.01).abs() < 1e-9 && (last - 0.1).abs() < 1e-9);
    }
}
