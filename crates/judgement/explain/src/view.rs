//! Signals of the busy part of a run, as numbers that rules compare.

mod busy;
mod each_time;
mod growth;
mod parts;
mod same_requests;

use loadline_metrics::Histogram;
use loadline_record::signals::{Entity, Label, SignalKind, SignalPoint, SignalSeries};

pub(super) use growth::Growth;

use super::input::{CallerView, ExplainedRun, answered_per_second, share};
use loadline_analysis::compare::ComparedWindow;

/// Points a signal needs in the part that is looked at.
const POINTS_MIN: usize = 5;
/// ... over at least so many seconds.
const SECONDS_MIN: f64 = 5.0;

/// The busy part of a run.
pub(super) struct RunView<'a> {
    pub(super) run: &'a ExplainedRun,
    pub(super) callers: CallerView,
    /// What callers saw before, while little was asked; none when the load began at once.
    pub(super) quiet: Option<CallerView>,
    /// The windows of that.
    quiet_seconds: Vec<usize>,
    /// The first answers of users in loops who all began at once: what is served at once of a load
    /// that never was low. None where starts are planned.
    pub(super) opening: Option<CallerView>,
    /// Requests that had ended, or were cut, before each second of the run, and at its end.
    ended_before: Vec<f64>,
    from_ms: u64,
    to_ms: u64,
}

/// Requests that are alike.
pub(super) struct RequestKind<'a> {
    /// How long all of them took, ms, the first second of the run included.
    pub(super) all: &'a Histogram,
    /// ... and those of the busy part, without its first two seconds.
    pub(super) later: Histogram,
}

/// A gauge over the busy part.
#[derive(Debug, Clone, Copy)]
pub(super) struct GaugeView {
    pub(super) mean: f64,
    pub(super) median: f64,
    pub(super) first: f64,
    pub(super) last: f64,
    /// The standard error of the mean, where each look is a sample of its own.
    pub(super) error: f64,
}

impl<'a> RunView<'a> {
    pub(super) fn new(run: &'a ExplainedRun) -> Self {
        let busy = busy::busy_part(run);
        let second = |number: usize| u64::try_from(number).unwrap_or(u64::MAX) * 1000;
        let quiet_seconds = busy::quiet_seconds(run, busy.start);
        Self {
            quiet: busy::quiet_part(&run.windows, &quiet_seconds),
            quiet_seconds,
            opening: busy::opening_part(run),
            ended_before: ended_before(run),
            callers: CallerView::from_windows(&run.windows[busy.clone()]),
            from_ms: run.from_ms + second(busy.start),
            to_ms: run.from_ms + second(busy.end),
            run,
        }
    }

    /// What callers of one endpoint saw while little was asked.
    pub(super) fn quiet_of(&self, windows: &[ComparedWindow]) -> Option<CallerView> {
        busy::quiet_part(windows, &self.quiet_seconds)
    }

    /// Seconds since the run's start at which the busy part begins and ends.
    pub(super) fn window(&self) -> (f64, f64) {
        let seconds = |ms: u64| f64::from(u32::try_from(ms).unwrap_or(u32::MAX)) / 1000.0;
        (seconds(self.from_ms), seconds(self.to_ms))
    }

    /// The points of the busy part; `None` with too few.
    fn points<'s>(&self, series: &'s SignalSeries) -> Option<&'s [SignalPoint]> {
        let points = series.points();
        let from = points.partition_point(|point| point.at_ms < self.from_ms);
        let to = points.partition_point(|point| point.at_ms <= self.to_ms);
        let points = points.get(from..to)?;
        let (first, last) = (points.first()?, points.last()?);
        let enough = points.len() >= POINTS_MIN && seconds(first, last) >= SECONDS_MIN;
        enough.then_some(points)
    }

    /// The points of the busy part that tell of the time from each to the next, `span_ms` at least, and whose whole time
    /// lies in it.
    pub(super) fn whole_spans<'s>(
        &self,
        series: &'s SignalSeries,
        span_ms: u64,
    ) -> Vec<&'s SignalPoint> {
        let points = series.points();
        let apart = points.windows(2).map(|two| two[1].at_ms - two[0].at_ms);
        let span_ms = apart.min().unwrap_or(span_ms).max(span_ms);
        let is_whole = |point: &&SignalPoint| {
            point.at_ms >= self.from_ms && point.at_ms + span_ms <= self.to_ms
        };
        points.iter().filter(is_whole).collect()
    }

    /// By how much a counter grows a second; a start anew counts from zero.
    pub(super) fn rate_of(&self, series: &SignalSeries) -> Option<f64> {
        let points = self.points(series)?;
        let grown: f64 = points
            .windows(2)
            .map(|pair| grown(&pair[0], &pair[1]))
            .sum();
        Some(grown / seconds(points.first()?, points.last()?))
    }

    /// By how much a counter grew in the whole run, warm-up included; a start anew counts from zero.
    pub(super) fn grown_in_run(series: &SignalSeries) -> f64 {
        let points = series.points().windows(2);
        points.map(|pair| grown(&pair[0], &pair[1])).sum()
    }

    pub(super) fn gauge_of(&self, series: &SignalSeries) -> Option<GaugeView> {
        let points = self.points(series)?;
        let mut sorted: Vec<f64> = points.iter().map(|point| point.value).collect();
        let count = f64::from(u32::try_from(sorted.len()).unwrap_or(u32::MAX));
        let mean = sorted.iter().sum::<f64>() / count;
        let squares: f64 = sorted.iter().map(|value| (value - mean).powi(2)).sum();
        sorted.sort_by(f64::total_cmp);
        Some(GaugeView {
            mean,
            median: sorted[sorted.len() / 2],
            first: points.first()?.value,
            last: points.last()?.value,
            error: (squares / (count - 1.0).max(1.0) / count).sqrt(),
        })
    }

    /// The series of a kind that belong to `entity`. Sources may name an instance differently:
    /// when all series of the kind are about one instance, they belong to any.
    fn belonging(&self, kind: SignalKind, entity: &Entity) -> Vec<&SignalSeries> {
        let of_kind: Vec<&SignalSeries> = self.run.signals.of_kind(kind).collect();
        let mut instances = of_kind
            .iter()
            .map(|series| series.entity.get(Label::Instance));
        let first = instances.next();
        let is_one = instances.all(|other| Some(other) == first);
        let is_theirs = |series: &&SignalSeries| {
            let all = series.entity.labels();
            let mut known = all.filter(|(label, _)| !(is_one && *label == Label::Instance));
            known.all(|(label, value)| entity.get(label).is_none_or(|theirs| theirs == value))
        };
        of_kind.into_iter().filter(is_theirs).collect()
    }

    /// A counter's growth per second, over all series that belong to `entity`.
    pub(super) fn rate(&self, kind: SignalKind, entity: &Entity) -> Option<f64> {
        let rates = self.belonging(kind, entity);
        sum(rates.into_iter().filter_map(|series| self.rate_of(series)))
    }

    /// A gauge, summed over all series that belong to `entity`.
    pub(super) fn gauge(&self, kind: SignalKind, entity: &Entity) -> Option<f64> {
        let gauges = self.belonging(kind, entity).into_iter();
        sum(gauges
            .filter_map(|series| self.gauge_of(series))
            .map(|gauge| gauge.mean))
    }

    /// The largest of the means of a gauge among the series that belong to `entity`.
    pub(super) fn largest(&self, kind: SignalKind, entity: &Entity) -> Option<f64> {
        let gauges = self.belonging(kind, entity).into_iter();
        let means = gauges
            .filter_map(|series| self.gauge_of(series))
            .map(|gauge| gauge.mean);
        means.reduce(f64::max)
    }

    /// The smallest of the means of a gauge among the series that belong to `entity`.
    pub(super) fn smallest(&self, kind: SignalKind, entity: &Entity) -> Option<f64> {
        let gauges = self.belonging(kind, entity).into_iter();
        let means = gauges
            .filter_map(|series| self.gauge_of(series))
            .map(|gauge| gauge.mean);
        means.reduce(f64::min)
    }

    /// Growth of one counter for each of another: a mean time, rows of a call.
    pub(super) fn each(
        &self,
        total: SignalKind,
        count: SignalKind,
        entity: &Entity,
    ) -> Option<f64> {
        let (total, count) = (self.rate(total, entity)?, self.rate(count, entity)?);
        (count > 0.0).then(|| total / count)
    }

    /// The share of the points at which `value` is at least `use_share` of `most`; the two gauges
    /// are read at the same times or the largest `most` so far is taken.
    pub(super) fn share_at_limit(
        &self,
        value: &SignalSeries,
        most: f64,
        use_share: f64,
    ) -> Option<f64> {
        let points = self.points(value)?;
        let at_limit = points
            .iter()
            .filter(|point| point.value >= use_share * most);
        let count = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
        Some(count(at_limit.count()) / count(points.len()))
    }

    /// The busy part, second by second.
    pub(super) fn windows(&self) -> &[ComparedWindow] {
        let windows = self.run.windows.get(self.busy_windows());
        windows.unwrap_or_default()
    }

    /// Requests answered well per second where most are: the upper quartile of a few seconds each
    /// of the busy part.
    pub(super) fn most_answered(&self) -> f64 {
        let windows = self.run.windows.get(self.busy_windows());
        let few = windows.unwrap_or_default().windows(busy::SMOOTHING_SECONDS);
        let mut rates: Vec<f64> = few.map(answered_per_second).collect();
        rates.sort_by(f64::total_cmp);
        let upper = rates.get(rates.len() * 3 / 4);
        upper.copied().unwrap_or(self.callers.answered)
    }

    /// Requests that ended or were cut per second, from one second of the run through another.
    pub(super) fn ended_per_second(&self, first: usize, last: usize) -> Option<f64> {
        let ended = self.ended_before.get(last + 1)? - self.ended_before.get(first)?;
        let seconds = u32::try_from((last + 1).checked_sub(first)?).ok()?;
        Some(share(ended, f64::from(seconds)))
    }

    /// Requests that ended or were cut per second while a signal was looked at: between its first and its last point
    /// of the busy part.
    pub(super) fn ended_while_seen(&self, kind: SignalKind, entity: &Entity) -> Option<f64> {
        let (from, to) = self.looks(kind, entity)?;
        let seconds = u32::try_from(to - from).ok()?;
        let ended = self.ended_until(to)? - self.ended_until(from)?;
        (seconds > 0).then(|| ended * 1000.0 / f64::from(seconds))
    }

    /// When a signal was first and last looked at in the busy part, ms.
    fn looks(&self, kind: SignalKind, entity: &Entity) -> Option<(u64, u64)> {
        let belonging = self.belonging(kind, entity).into_iter();
        let points = belonging.filter_map(|series| self.points(series));
        let ends = points.filter_map(|points| Some((points.first()?.at_ms, points.last()?.at_ms)));
        ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    /// Requests that had ended, or were cut, at a time of the run; within a second evenly.
    fn ended_until(&self, at_ms: u64) -> Option<f64> {
        let since = at_ms.checked_sub(self.run.from_ms)?;
        let second = usize::try_from(since / 1000).ok()?;
        let (before, after) = (
            *self.ended_before.get(second)?,
            self.ended_before.get(second + 1),
        );
        let part = f64::from(u32::try_from(since % 1000).ok()?) / 1000.0;
        Some(after.map_or(before, |after| before + part * (after - before)))
    }

    /// Each kind of request of the run; none where they are not told apart.
    pub(super) fn kinds(&self) -> Option<Vec<RequestKind<'_>>> {
        let busy = self.busy_windows();
        // The first two seconds of the busy part hold requests that waited for nothing.
        let later = |windows: &[ComparedWindow]| {
            let windows = windows.get(busy.clone())?.get(2..)?;
            let later = CallerView::from_windows(windows).durations;
            (later.count() > 0).then_some(later)
        };
        if let Some(all) = &self.run.alike {
            let later = later(&self.run.windows)?;
            return Some(vec![RequestKind { all, later }]);
        }
        let kinds = self.run.endpoints.iter().filter_map(|endpoint| {
            Some(RequestKind {
                all: &endpoint.all,
                later: later(&endpoint.windows)?,
            })
        });
        Some(kinds.collect()).filter(|kinds: &Vec<_>| !kinds.is_empty())
    }

    /// The windows of the busy part.
    pub(super) fn busy_windows(&self) -> std::ops::Range<usize> {
        let number = |ms: u64| {
            usize::try_from((ms - self.run.from_ms) / 1000).unwrap_or(self.run.windows.len())
        };
        number(self.from_ms)..number(self.to_ms).min(self.run.windows.len())
    }
}

/// Requests that had ended, or were cut, before each second of the run, and at its end.
fn ended_before(run: &ExplainedRun) -> Vec<f64> {
    let mut all = 0.0;
    let ended = run.windows.iter().map(|window| {
        all += window.requests + f64::from(u32::try_from(window.cut.count()).unwrap_or(u32::MAX));
        all
    });
    std::iter::once(0.0).chain(ended).collect()
}

/// The sum; `None` of nothing.
fn sum(values: impl Iterator<Item = f64>) -> Option<f64> {
    values.reduce(|a, b| a + b)
}

fn seconds(first: &SignalPoint, last: &SignalPoint) -> f64 {
    let millis = last.at_ms.saturating_sub(first.at_ms);
    f64::from(u32::try_from(millis).unwrap_or(u32::MAX)) / 1000.0
}

/// A counter that falls began anew with its process.
fn grown(before: &SignalPoint, after: &SignalPoint) -> f64 {
    if after.value >= before.value {
        after.value - before.value
    } else {
        after.value
    }
}

#[cfg(test)]
mod tests;
