//! Joins the records of several generators that ran one test.
//!
//! Each run becomes one worker of a merger. Its windows are shifted so that the load of all runs
//! begins in the same window, and are handed in second by second. The same recorder that stores a
//! live run stores the result, so a joined run can be read like any other. Sums and distributions
//! are exact. The window of a sample may be wrong by up to [`JoinedRun::error`].

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use loadline_metrics::threshold::Phase;
use loadline_metrics::{
    GaugeValue, Merger, MetricId, MetricValue, Registry, ShardWindow, Window, builtin,
};
use loadline_record::bodies::BodySample;
use loadline_record::{
    Accounting, Ending, GeneratorHealth, LatencyStart, Run, StartLag, Summary, event_kind,
};
use loadline_units::WorkerId;

use crate::about::{RunEnd, RunInfo};
use crate::error::StoreError;
use crate::reader::{StoredRun, StoredWindow};
use crate::rebuild::{Replay, RunTotals};
use crate::segments::{PartsError, check_parts};
use crate::writer::{Recorder, RecorderConfig, RecordingResult};

const NANOS_PER_SECOND: u64 = 1_000_000_000;
/// How long to wait until the joined run is written.
const JOIN_TIMEOUT: Duration = Duration::from_secs(30);

/// Why runs cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// There are fewer than two runs.
    #[error("joining takes at least two runs")]
    TooFew,
    /// Two runs are of different tests.
    #[error("runs {one} and {other} are of different tests")]
    OtherTest {
        /// A run.
        one: String,
        /// Another.
        other: String,
    },
    /// Their segments do not make up the test exactly once.
    #[error(transparent)]
    Parts(#[from] PartsError),
    /// A run was interrupted or is still going on.
    #[error("run {run} did not end properly")]
    Unfinished {
        /// The run.
        run: String,
    },
    /// A store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A run to join, with its windows.
pub struct JoinPart {
    /// The run.
    pub run: StoredRun,
    /// Its windows, in the order in which they were stored.
    pub windows: Vec<StoredWindow>,
}

/// A joined run.
pub struct JoinedRun {
    /// The summary of the whole, with thresholds judged on it.
    pub summary: Summary,
    /// Whether it was stored.
    pub kept: RecordingResult,
    /// The largest error of a sample's position in time.
    pub error: Duration,
    /// The time between the first and the last load to begin, by the generators' clocks.
    pub spread: Duration,
}

/// Checks that runs can be joined.
///
/// # Errors
/// [`JoinError`].
pub fn check(runs: &[&StoredRun]) -> Result<(), JoinError> {
    let [first, rest @ ..] = runs else {
        return Err(JoinError::TooFew);
    };
    if rest.is_empty() {
        return Err(JoinError::TooFew);
    }
    for run in rest {
        if run.row.hash != first.row.hash || options(run) != options(first) {
            return Err(JoinError::OtherTest {
                one: first.row.name.clone(),
                other: run.row.name.clone(),
            });
        }
    }
    let parts = runs.iter();
    let parts: Vec<_> = parts
        .map(|run| (run.row.name.as_str(), run.about.segment.as_ref()))
        .collect();
    check_parts(&parts)?;
    match runs.iter().find(|run| run.end.is_none()) {
        Some(run) => Err(JoinError::Unfinished {
            run: run.row.name.clone(),
        }),
        None => Ok(()),
    }
}

/// A test's options without the segment.
fn options(run: &StoredRun) -> serde_json::Value {
    let mut options = run.about.options.clone();
    if let Some(fields) = options.as_object_mut() {
        fields.remove("executionSegment");
    }
    options
}

/// Joins runs that passed [`check`] and stores the result as `config` says. The `about` of
/// `config` is replaced by what the runs say.
///
/// # Errors
/// [`JoinError`].
pub fn join(parts: &[JoinPart], mut config: RecorderConfig) -> Result<JoinedRun, JoinError> {
    let runs: Vec<&StoredRun> = parts.iter().map(|part| &part.run).collect();
    check(&runs)?;
    config.about = about(&runs, &config.about);
    let RunTotals {
        registry,
        merger: totals,
        mut thresholds,
        ..
    } = RunTotals::from_runs(&runs);
    let mut merger = Merger::new(runs.len(), registry.clone(), totals.submetrics().clone());
    let clocks: Vec<Clock> = runs.iter().map(|run| Clock::from_run(run)).collect();
    let begins = clocks.iter().map(|clock| clock.begins).max().unwrap_or(0);
    let counted = runs.iter().zip(&clocks);
    let counted = counted.filter_map(|(run, clock)| {
        let warmed = run
            .events
            .iter()
            .find(|event| event.kind == event_kind::WARMED_UP)?;
        Some((warmed.at_nanos / NANOS_PER_SECOND) + (begins - clock.begins) + 1)
    });
    let mut joining = Joiner {
        recorder: Recorder::start(config),
        counted_from: counted.max(),
    };
    let mut queues = queues(parts, &clocks, begins, &registry);
    let last = queues.iter().filter_map(|queue| queue.keys().next_back());
    let last = last.max().copied().unwrap_or(0);
    joining
        .recorder
        .event(0, event_kind::BEGINS, serde_json::Value::Null);
    for window in 0..=last {
        let mut due: Vec<ShardWindow> = Vec::new();
        for (worker, queue) in (0..).zip(&mut queues) {
            due.push(ShardWindow::empty(WorkerId(worker), window));
            due.extend(queue.remove(&window).unwrap_or_default());
        }
        for gauge in [builtin::VUS, builtin::VUS_MAX] {
            add_up(&mut due, gauge);
        }
        for part in due {
            merger.absorb(part);
        }
        while let Some(window) = merger.next_ready() {
            joining.take(&window, &mut merger, &registry);
        }
    }
    for window in merger.finish() {
        joining.take(&window, &mut merger, &registry);
    }
    let run = joined_run(&runs, &merger);
    thresholds.evaluate(merger.totals(), run.duration, Phase::Final);
    let summary = Summary::new(&merger, &registry, &thresholds, run);
    let end = RunEnd {
        run: summary.run.clone(),
        warm_up: None,
        began: true,
        verdict: summary.verdict().word().to_owned(),
        detail: summary.verdict_detail(),
        lower_bounds: summary.latency_lower_bounds(),
        bodies: bodies(&runs),
    };
    let (error, spread) = alignment(&clocks);
    let detail = serde_json::json!({
        "error_ms": error.as_secs_f64() * 1e3, "spread_ms": spread.as_secs_f64() * 1e3,
    });
    joining.recorder.event(0, "merged", detail);
    Ok(JoinedRun {
        kept: joining.recorder.finish(end, &merger, JOIN_TIMEOUT),
        summary,
        error,
        spread,
    })
}

/// What bodies of all parts have in common, by endpoint.
fn bodies(runs: &[&StoredRun]) -> Vec<BodySample> {
    let mut all: BTreeMap<(&str, &str), BodySample> = BTreeMap::new();
    let ends = runs.iter().filter_map(|run| run.end.as_ref());
    for sample in ends.flat_map(|end| &end.bodies) {
        let joined = all.entry((&sample.method, &sample.name));
        let joined = joined.or_insert_with(|| BodySample {
            method: sample.method.clone(),
            name: sample.name.clone(),
            ..BodySample::default()
        });
        joined.merge(sample);
    }
    all.into_values().collect()
}

/// Adds up the gauges of active virtual users. For other gauges a sum means nothing.
fn add_up(parts: &mut [ShardWindow], metric: MetricId) {
    let mut gauges: Vec<&mut GaugeValue> = parts
        .iter_mut()
        .flat_map(|part| &mut part.series)
        .filter(|delta| delta.metric == metric)
        .filter_map(|delta| match &mut delta.value {
            MetricValue::Gauge(gauge) => gauge.as_mut(),
            _ => None,
        })
        .collect();
    let sum = |of: fn(&GaugeValue) -> f64| gauges.iter().map(|gauge| of(gauge)).sum::<f64>();
    let (last, min, max) = (sum(|g| g.last), sum(|g| g.min), sum(|g| g.max));
    for gauge in &mut gauges {
        (gauge.last, gauge.min, gauge.max) = (last, min, max);
    }
}

struct Joiner {
    recorder: Recorder,
    counted_from: Option<u64>,
}

impl Joiner {
    fn take(&mut self, window: &Window, merger: &mut Merger, registry: &Arc<Registry>) {
        self.recorder.window(window, merger, registry);
        if self
            .counted_from
            .is_some_and(|from| window.index + 1 >= from)
        {
            self.counted_from = None;
            merger.reset_totals();
            self.recorder.counted_from(merger.next_window());
        }
    }
}

/// When a run's load began.
struct Clock {
    /// The number of the window in which it begins.
    begins: u64,
    /// The time from the start of that window, in nanoseconds.
    phase: u64,
    /// The machine's clock at that moment, in milliseconds since 1970.
    wall_ms: Option<i64>,
}

impl Clock {
    fn from_run(run: &StoredRun) -> Self {
        let event = run
            .events
            .iter()
            .find(|event| event.kind == event_kind::BEGINS);
        let at = event.map_or(0, |event| event.at_nanos);
        Self {
            begins: at / NANOS_PER_SECOND,
            phase: at % NANOS_PER_SECOND,
            wall_ms: event.map(|event| event.wall_ms),
        }
    }
}

/// The largest offset between the runs' seconds, and the time between their starts.
fn alignment(clocks: &[Clock]) -> (Duration, Duration) {
    let phases = || clocks.iter().map(|clock| clock.phase);
    let apart = phases().max().unwrap_or(0) - phases().min().unwrap_or(0);
    let walls = || clocks.iter().filter_map(|clock| clock.wall_ms);
    let spread = walls().max().unwrap_or(0) - walls().min().unwrap_or(0);
    let spread = u64::try_from(spread).unwrap_or(0);
    (Duration::from_nanos(apart), Duration::from_millis(spread))
}

/// Each run's windows, numbered as in the joined run.
fn queues(
    parts: &[JoinPart],
    clocks: &[Clock],
    begins: u64,
    registry: &Registry,
) -> Vec<BTreeMap<u64, Vec<ShardWindow>>> {
    let workers = (0..).map(WorkerId).zip(parts).zip(clocks);
    let queues = workers.map(|((worker, part), clock)| {
        let mut replay = Replay::new(worker, &part.run.series, registry);
        let mut queue: BTreeMap<u64, Vec<ShardWindow>> = BTreeMap::new();
        for window in &part.windows {
            let number = window.first + (begins - clock.begins);
            let shard = replay.window(number, &window.gains);
            queue.entry(number).or_default().push(shard);
        }
        queue
    });
    queues.collect()
}

fn about(runs: &[&StoredRun], given: &RunInfo) -> RunInfo {
    let mut about = runs[0].about.clone();
    about.segment = None;
    about.series = None;
    about.merged_from = runs.iter().map(|run| run.row.name.clone()).collect();
    about.note.clone_from(&given.note);
    for run in runs {
        about.settings.extend(run.row.settings.clone());
    }
    let hosts: Vec<&str> = runs
        .iter()
        .map(|run| run.about.environment.host.as_str())
        .collect();
    about.environment.host = hosts.join(", ");
    about.environment.cpus = runs.iter().map(|run| run.about.environment.cpus).sum();
    about.environment.usable_cpus = runs
        .iter()
        .map(|run| run.about.environment.usable_cpus)
        .sum();
    about
}

/// Facts about the whole: the longest duration, all iterations, the worst generator health.
fn joined_run(runs: &[&StoredRun], merger: &Merger) -> Run {
    let ends: Vec<&Run> = runs
        .iter()
        .filter_map(|run| run.end.as_ref().map(|end| &end.run))
        .collect();
    let longest = ends.iter().map(|run| run.duration).max();
    let mut joined = Run::finished(longest.unwrap_or_default());
    let cut_short = ends.iter().find(|run| run.ending != Ending::Finished);
    if let Some(run) = cut_short {
        joined.ending = run.ending.clone();
    }
    joined.complete_iterations = ends.iter().map(|run| run.complete_iterations).sum();
    joined.interrupted_iterations = ends.iter().map(|run| run.interrupted_iterations).sum();
    // Unknown of one is unknown of all.
    joined.accounting = ends.iter().try_fold(Accounting::default(), |mut all, run| {
        all += run.accounting?;
        Some(all)
    });
    joined.most_vus = ends.iter().map(|run| run.most_vus).sum();
    let mut all = GeneratorHealth::default();
    for run in &ends {
        all = worse(all, &run.generator);
    }
    if let Some(MetricValue::Trend(lag)) = merger.totals().metric(builtin::START_LAG)
        && let Some(shares) = lag.percentiles(&[0.5, 0.99, 1.0])
    {
        all.start_lag = Some(StartLag {
            p50_ms: shares[0],
            p99_ms: shares[1],
            max_ms: shares[2],
            p95_ms: lag.percentile(0.95),
        });
    }
    all.read_lag = ends
        .iter()
        .filter_map(|run| run.generator.read_lag)
        .max_by(|a, b| a.p95_ms.total_cmp(&b.p95_ms));
    joined.arrivals = ends.first().and_then(|run| run.arrivals);
    joined.latency_start = ends
        .first()
        .map_or_else(LatencyStart::default, |run| run.latency_start);
    joined.generator = all;
    joined
}

/// The worse of two generators' values; counts are added.
fn worse(mut a: GeneratorHealth, b: &GeneratorHealth) -> GeneratorHealth {
    let used =
        |level: &loadline_record::ResourceUsage| level.used as f64 / level.limit.max(1) as f64;
    let fuller = |a: Option<loadline_record::ResourceUsage>,
                  b: Option<loadline_record::ResourceUsage>| match (a, b) {
        (Some(a), Some(b)) => Some(if used(&a) < used(&b) { b } else { a }),
        (a, b) => a.or(b),
    };
    a.workers += b.workers;
    a.cpu = match (a.cpu, b.cpu) {
        (Some(one), Some(other)) if one.busiest >= other.busiest => Some(one),
        (one, other) => other.or(one),
    };
    a.throttled = a.throttled.max(b.throttled);
    // The wait and the request count it is compared with come from the same generator.
    (a.core_wait, a.requests) = match (a.core_wait, b.core_wait) {
        (Some(one), Some(other)) if one.worst >= other.worst => (Some(one), a.requests),
        (_, Some(other)) => (Some(other), b.requests),
        (one, None) => (one, a.requests),
    };
    a.stalls += b.stalls;
    a.longest_stall = a.longest_stall.max(b.longest_stall);
    a.stalled = a.stalled.zip(b.stalled).map(|(a, b)| a + b);
    a.open_files = fuller(a.open_files, b.open_files);
    a.ports = fuller(a.ports, b.ports);
    a.files_lacked += b.files_lacked;
    a.ports_lacked += b.ports_lacked;
    a.planned_starts += b.planned_starts;
    a.dropped_starts += b.dropped_starts;
    a.drops += b.drops;
    a.folded += b.folded;
    a.not_finite += b.not_finite;
    a
}

#[cfg(test)]
mod tests;
