//! Signals of the busy part of a run, as numbers that rules compare.

mod each_time;
mod growth;

use std::time::Duration;

use loadline_metrics::Histogram;
use loadline_record::signals::{Entity, Label, SignalKind, SignalPoint, SignalSeries};

pub(super) use growth::Growth;

use super::input::{CallerView, ExplainedRun, answered_per_second, share};
use loadline_analysis::compare::ComparedWindow;

/// Points a signal needs in the part that is looked at.
const POINTS_MIN: usize = 5;
/// ... over at least so many seconds.
const SECONDS_MIN: f64 = 5.0;
/// Seconds over which the rate is smoothed to find the busy part.
const SMOOTHING_SECONDS: usize = 5;
/// The busy part begins and ends where this share of the highest rate is reached.
const BUSY_SHARE_MIN: f64 = 0.75;
/// Of what was started in the busiest second, a second asked for this much at most.
const DROPPED_AT_ONCE: f64 = 2.0;
/// A third of the busy part, and half of a short one, has so many seconds at least.
const SECONDS_OF_THIRD_MIN: usize = 3;
const SECONDS_OF_HALF_MIN: usize = 2;
/// Requests of a second end in the middle of it, on average.
const HALF_SECOND_MS: f64 = 500.0;
/// Requests are told apart by when they began in so many parts of the busy part.
const BEGUN_PARTS: usize = 8;
/// Up to this share of it nothing waits for long, ...
const QUIET_SHARE_MAX: f64 = 0.3;
/// ... which so many requests show.
const QUIET_REQUESTS_MIN: u64 = 20;
/// Answers that show how long those take that came first.
const FIRST_REQUESTS_MIN: u64 = 5;

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
}

impl<'a> RunView<'a> {
    pub(super) fn new(run: &'a ExplainedRun) -> Self {
        let busy = busy_part(run);
        let second = |number: usize| u64::try_from(number).unwrap_or(u64::MAX) * 1000;
        let quiet_seconds = quiet_seconds(run, busy.start);
        Self {
            quiet: quiet_part(&run.windows, &quiet_seconds),
            quiet_seconds,
            opening: opening_part(run),
            ended_before: ended_before(run),
            callers: CallerView::from_windows(&run.windows[busy.clone()]),
            from_ms: run.from_ms + second(busy.start),
            to_ms: run.from_ms + second(busy.end),
            run,
        }
    }

    /// What callers of one endpoint saw while little was asked.
    pub(super) fn quiet_of(&self, windows: &[ComparedWindow]) -> Option<CallerView> {
        quiet_part(windows, &self.quiet_seconds)
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

    /// By how much a counter grows a second; a start anew counts from zero.
    pub(super) fn rate_of(&self, series: &SignalSeries) -> Option<f64> {
        let points = self.points(series)?;
        let grown: f64 = points
            .windows(2)
            .map(|pair| grown(&pair[0], &pair[1]))
            .sum();
        Some(grown / seconds(points.first()?, points.last()?))
    }

    pub(super) fn gauge_of(&self, series: &SignalSeries) -> Option<GaugeView> {
        let points = self.points(series)?;
        let mut sorted: Vec<f64> = points.iter().map(|point| point.value).collect();
        let count = f64::from(u32::try_from(sorted.len()).unwrap_or(u32::MAX));
        let mean = sorted.iter().sum::<f64>() / count;
        sorted.sort_by(f64::total_cmp);
        Some(GaugeView {
            mean,
            median: sorted[sorted.len() / 2],
            first: points.first()?.value,
            last: points.last()?.value,
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
        let few = windows.unwrap_or_default().windows(SMOOTHING_SECONDS);
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
        let belonging = self.belonging(kind, entity).into_iter();
        let points = belonging.filter_map(|series| self.points(series));
        let ends = points.filter_map(|points| Some((points.first()?.at_ms, points.last()?.at_ms)));
        let (from, to) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
        let seconds = u32::try_from(to - from).ok()?;
        let ended = self.ended_until(to)? - self.ended_until(from)?;
        (seconds > 0).then(|| ended * 1000.0 / f64::from(seconds))
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

    /// The callers' mean time early and late in the busy part, ms.
    pub(super) fn mean_early_and_late(&self) -> Option<(f64, f64)> {
        let mean = |part| CallerView::from_windows(part).mean_ms();
        let [early, late] = self.early_and_late()?;
        Some((mean(early), mean(late)))
    }

    /// How much longer requests take late in the busy part than early in it: by when they ended, and by when they began.
    /// What still waits when the load ends has not ended in it.
    pub(super) fn growths(&self) -> Vec<Growth> {
        let Some([_, late]) = self.early_and_late() else {
            return Vec::new();
        };
        let part = late.len();
        let of_second = |window: &ComparedWindow| {
            CallerView::from_windows(std::slice::from_ref(window)).durations
        };
        let by_end: Vec<Histogram> = self.windows().iter().map(of_second).collect();
        let begun = self.begun_in_seconds().unwrap_or_default();
        // When a request began that took long is known to some seconds only.
        let few = begun.len().div_ceil(BEGUN_PARTS).max(1);
        let of_few = begun.chunks(few).map(Histogram::joined);
        let by_begin = Growth::new(&of_few.collect::<Vec<_>>(), part.div_ceil(few));
        let by_end = Growth::new(&by_end, part);
        by_end.into_iter().chain(by_begin).collect()
    }

    /// How long requests took that began in each second of the busy part, ms; `None` where seconds after the load are not
    /// told apart.
    fn begun_in_seconds(&self) -> Option<Vec<Histogram>> {
        let busy = self.busy_windows();
        let mut begun = vec![Histogram::default(); busy.len()];
        for (second, window) in self.run.windows.iter().enumerate() {
            if window.drained > 0.0 {
                return None;
            }
            for (bucket, count) in window.durations.buckets() {
                let at = begun_in(second, bucket.middle());
                if let Some(of_second) = at.checked_sub(busy.start).and_then(|at| begun.get_mut(at))
                {
                    (0..count).for_each(|_| of_second.record(bucket.middle()));
                }
            }
        }
        Some(begun)
    }

    /// The callers' mean time in each third of the busy part, ms.
    pub(super) fn mean_of_thirds(&self) -> Option<[f64; 3]> {
        let thirds = self.thirds(SECONDS_OF_THIRD_MIN)?;
        Some(thirds.map(|third| CallerView::from_windows(third).mean_ms()))
    }

    /// The callers' mean time in the middle of the busy part and after it, ms: of a short run, too.
    pub(super) fn mean_middle_and_late(&self) -> Option<(f64, f64)> {
        let [_, middle, late] = self.thirds(1)?;
        let mean = |part| CallerView::from_windows(part).mean_ms();
        Some((mean(middle), mean(late)))
    }

    /// Requests answered well per second early and late in the busy part.
    pub(super) fn answered_early_and_late(&self) -> Option<(f64, f64)> {
        let answered = |part| CallerView::from_windows(part).answered;
        let [early, late] = self.early_and_late()?;
        Some((answered(early), answered(late)))
    }

    /// What callers saw late in the busy part.
    pub(super) fn callers_late(&self) -> Option<CallerView> {
        let [_, late] = self.early_and_late()?;
        Some(CallerView::from_windows(late))
    }

    /// How long requests took in each third of the busy part, ms.
    pub(super) fn durations_of_thirds(&self) -> Option<[Histogram; 3]> {
        let thirds = self.thirds(SECONDS_OF_THIRD_MIN)?;
        Some(thirds.map(|third| CallerView::from_windows(third).durations))
    }

    /// The first and the last third of the busy part; of a short run its halves, which hold more.
    fn early_and_late(&self) -> Option<[&[ComparedWindow]; 2]> {
        if let Some([early, _, late]) = self.thirds(SECONDS_OF_THIRD_MIN) {
            return Some([early, late]);
        }
        let windows = self.windows();
        let half = windows.len() / 2;
        (half >= SECONDS_OF_HALF_MIN).then(|| [&windows[..half], &windows[windows.len() - half..]])
    }

    fn thirds(&self, seconds_min: usize) -> Option<[&[ComparedWindow]; 3]> {
        let windows = self.windows();
        let part = windows.len() / 3;
        (part >= seconds_min).then(|| {
            [
                &windows[..part],
                &windows[part..windows.len() - part],
                &windows[windows.len() - part..],
            ]
        })
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

/// Where starts are planned, what is answered after the last of them is a queue that empties.
fn is_planned(run: &ExplainedRun) -> bool {
    run.windows.iter().any(|window| window.planned > 0.0)
}

/// What was asked of the target in each second and the few after it.
fn asked(run: &ExplainedRun) -> Vec<f64> {
    let is_planned = is_planned(run);
    // Starts that wait for a free user are counted as dropped when they give up, many at once at the end:
    // that second asked for no more than others did.
    let started = run
        .windows
        .iter()
        .map(|window| window.planned - window.dropped);
    let most = DROPPED_AT_ONCE * started.fold(0.0, f64::max);
    let asked: Vec<f64> = run
        .windows
        .iter()
        .map(|window| {
            if !is_planned {
                window.requests - window.drained
            } else if most > 0.0 {
                window.planned.min(most)
            } else {
                window.planned
            }
        })
        .collect();
    smoothed(&asked)
}

/// Requests in flight in each second and the few after it.
fn in_flight(run: &ExplainedRun) -> Vec<f64> {
    let mut begun = vec![0.0; run.windows.len()];
    for (second, window) in run.windows.iter().enumerate() {
        for (duration, count) in window.durations.buckets() {
            // What ends at the end of its second was in flight for all of it.
            begun[begun_in(second, duration.middle() - HALF_SECOND_MS)] +=
                f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        }
        begun[second] += f64::from(u32::try_from(window.cut.count()).unwrap_or(u32::MAX));
    }
    let mut now = 0.0;
    let in_each = run.windows.iter().zip(begun).map(|(window, begun)| {
        let during = now + begun;
        now = during - f64::from(u32::try_from(window.durations.count()).unwrap_or(u32::MAX));
        during
    });
    smoothed(&in_each.collect::<Vec<f64>>())
}

/// The second in which a request began that ended in the middle of this one.
fn begun_in(second: usize, took_ms: f64) -> usize {
    let before = (took_ms + HALF_SECOND_MS) / 1000.0;
    let before = Duration::try_from_secs_f64(before).unwrap_or_default();
    let before = usize::try_from(before.as_secs()).unwrap_or(usize::MAX);
    second.saturating_sub(before)
}

fn smoothed(seconds: &[f64]) -> Vec<f64> {
    let few = seconds.windows(SMOOTHING_SECONDS);
    few.map(|few| few.iter().sum::<f64>()).collect()
}

/// The windows before the busy part in which little was asked, and nothing more before them: what is answered after a
/// heavier load may have waited in the queue that it left.
fn quiet_seconds(run: &ExplainedRun, busy: usize) -> Vec<usize> {
    let smooth = asked(run);
    let highest = smooth.iter().copied().fold(0.0, f64::max);
    let before = smooth.iter().take(busy).enumerate();
    let quiet = before.take_while(|(_, asked)| **asked <= QUIET_SHARE_MAX * highest);
    quiet.map(|(second, _)| second).collect()
}

/// What callers saw in these windows, where that is enough.
fn quiet_part(windows: &[ComparedWindow], seconds: &[usize]) -> Option<CallerView> {
    let quiet = seconds.iter().filter_map(|second| windows.get(*second));
    let quiet: Vec<ComparedWindow> = quiet.cloned().collect();
    let quiet = CallerView::from_windows(&quiet);
    (quiet.durations.count() >= QUIET_REQUESTS_MIN).then_some(quiet)
}

/// The first seconds with answers of users in loops: nothing was before them in a queue.
fn opening_part(run: &ExplainedRun) -> Option<CallerView> {
    let mut answered = 0;
    let enough = run.windows.iter().position(|window| {
        answered += window.durations.count();
        answered >= FIRST_REQUESTS_MIN
    })?;
    let first = CallerView::from_windows(&run.windows[..=enough]);
    (!run.load.is_open && run.is_begun_at_once()).then_some(first)
}

/// From the first to the last second in which much was asked of the target. Users in loops ask
/// while they wait, too: a target that answers in bursts is not idle between them.
fn busy_part(run: &ExplainedRun) -> std::ops::Range<usize> {
    let asked = asked(run);
    let waiting = if is_planned(run) {
        vec![0.0; asked.len()]
    } else {
        in_flight(run)
    };
    let most_asked = asked.iter().copied().fold(0.0, f64::max);
    // Without a request there is none to wait for.
    let most_waiting = waiting.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let busy: Vec<bool> = asked
        .iter()
        .zip(&waiting)
        .map(|(asked, waiting)| {
            *asked >= BUSY_SHARE_MIN * most_asked || *waiting >= BUSY_SHARE_MIN * most_waiting
        })
        .collect();
    let (Some(first), Some(last)) = (
        busy.iter().position(|busy| *busy),
        busy.iter().rposition(|busy| *busy),
    ) else {
        return 0..run.windows.len();
    };
    let end = last + SMOOTHING_SECONDS;
    let first = after_rest(run, first, last).unwrap_or(first);
    first..end
}

/// Where users came back after there was none, as they do between two levels of a search: what is busy is busy since then.
fn after_rest(run: &ExplainedRun, first: usize, last: usize) -> Option<usize> {
    let nobody = |second: usize| {
        let window = run.windows.get(second);
        window.is_some_and(|window| window.users <= 0.0)
    };
    if is_planned(run) || nobody(last) {
        return None;
    }
    let begun = (first..last).rfind(|second| nobody(*second))? + 1;
    (begun + POINTS_MIN <= last + SMOOTHING_SECONDS).then_some(begun)
}

#[cfg(test)]
mod tests;
