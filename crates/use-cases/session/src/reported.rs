//! Stored runs made ready to be reported: totals, endpoints, what was measured when.
//!
//! A run that goes on is followed by a [`RunReader`], which reads only what is new. Windows
//! are joined as a run grows, so that its report does not: their histograms are merged, and
//! percentiles are taken of the merged ones.
//!
//! Elsewhere: how a report reads (`report::run`).

mod compared;
mod failures;
mod timeline;

pub use compared::ComparisonResult;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use loadline_explain::{self as explain, Explanation};
use loadline_metrics::{Histogram, MetricValue};
use loadline_record::signals::Signals;
use loadline_record::{LimitVerdict, WarmUp, event_kind, is_failed_request};
use loadline_report::run::{
    EndpointFigures, ObservedTarget, ReportedRun, RunProgress, TestedRun, TestedScenario,
    TimelineEvent,
};
use loadline_store::{
    RunRow, SeriesDef, SeriesGains, Store, StoreError, StoredRun, StoredRunState, StoredWindow,
};

use crate::endpoint_names::{self, MethodBefore, tag};
use crate::failed_requests::is_unmarked;
use failures::Failures;
use timeline::TimelineBuilder;

/// Endpoints of a report; those with the fewest requests are left out beyond.
const ENDPOINTS_MAX: usize = 1000;
/// Events of a report; the first are kept.
const EVENTS_MAX: usize = 1000;
/// The last seconds that are shown beside the totals of a run that goes on.
pub const RECENT_SECONDS: u64 = 10;
/// Windows after which a run that goes on is explained anew.
const EXPLANATION_INTERVAL_SECONDS: u64 = 5;

/// Reads a run that is to be reported.
///
/// # Errors
/// The store cannot be read.
pub fn read(store: &Store, row: RunRow, now_ms: i64) -> Result<ReportedRun, StoreError> {
    let mut follower = RunReader::new(row);
    follower.read(store, now_ms)
}

/// Reads a run again and again while it goes on.
pub struct RunReader {
    row: RunRow,
    after: u64,
    timeline: Option<TimelineBuilder>,
    failures: Failures,
    recent: VecDeque<StoredWindow>,
    explained: Option<(Explanation, LimitVerdict, u64)>,
}

impl RunReader {
    /// Follows a run from its beginning.
    #[must_use]
    pub fn new(row: RunRow) -> Self {
        Self {
            row,
            after: 0,
            timeline: None,
            failures: Failures::default(),
            recent: VecDeque::new(),
            explained: None,
        }
    }

    /// The run's row when it was read last.
    #[must_use]
    pub fn row(&self) -> &RunRow {
        &self.row
    }

    /// The run as it is now.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn read(&mut self, store: &Store, now_ms: i64) -> Result<ReportedRun, StoreError> {
        self.row = store.again(&self.row, now_ms)?;
        let run = store.read(self.row.clone())?;
        let begins = second_of(&run, event_kind::BEGINS).unwrap_or(0.0);
        let counted = second_of(&run, event_kind::WARMED_UP).unwrap_or(begins);
        let over = second_of(&run, event_kind::SCENARIOS_OVER);
        let timeline = self
            .timeline
            .get_or_insert_with(|| TimelineBuilder::new(begins));
        timeline.ends_at(over);
        let (failures, recent) = (&mut self.failures, &mut self.recent);
        self.after = store.windows_after(&run.row, self.after, |window| {
            timeline.add(&run.series, &window);
            if window.first as f64 + 1.0 > counted {
                failures.add(&run.series, &window, begins);
            }
            recent.push_back(window);
            while recent.len() > usize::try_from(RECENT_SECONDS).unwrap_or(usize::MAX) {
                recent.pop_front();
            }
        })?;
        let progress = progress(&run);
        let signals = store.signals(&run.row)?;
        let sources = signals.as_ref().map(|signals| signals.sources.clone());
        let target_setup = signals.as_ref().map(Signals::setup).unwrap_or_default();
        let (explanation, limit) = self.explained(store, &run, progress)?;
        let explanation = Some((explanation, sources.unwrap_or_default()));
        let mut summary = run.summary();
        if progress == RunProgress::Running
            && let Some(health) = store.generator(&run.row)?
        {
            summary.run.generator = health;
            summary.answers = store.answers(&run.row)?;
        }
        let names = endpoint_names::of_series(&run, MethodBefore::Addresses);
        let mut endpoints = endpoints(&names, &run.series, &run.totals);
        if progress == RunProgress::Running {
            add_recent(&mut endpoints, &names, &run, &self.recent);
        }
        Ok(ReportedRun {
            failures: self.failures.list(&summary),
            timeline: self
                .timeline
                .as_ref()
                .map(TimelineBuilder::build)
                .unwrap_or_default(),
            endpoints,
            groups: groups(&run.series, &run.totals),
            events: events(&run, begins),
            warm_up: warm_up(&run),
            progress,
            target: signals.map(|signals| ObservedTarget { signals, begins }),
            explanation,
            limit: Some(limit),
            tested: TestedRun {
                target: target_setup,
                ..tested(&run)
            },
            summary,
        })
    }

    /// What limits a run. One that goes on is not explained anew every second.
    fn explained(
        &mut self,
        store: &Store,
        run: &StoredRun,
        progress: RunProgress,
    ) -> Result<(Explanation, LimitVerdict), StoreError> {
        if let Some((known, limit, at)) = &self.explained
            && progress == RunProgress::Running
            && self.after < at + EXPLANATION_INTERVAL_SECONDS
        {
            return Ok((known.clone(), limit.clone()));
        }
        let read = crate::explanation::of_stored(store, run)?;
        let found = explain::explain(&read, &[]);
        let limit = crate::explanation::in_short(run, &read, &found);
        self.explained = Some((found.clone(), limit.clone(), self.after));
        Ok((found, limit))
    }
}

fn progress(run: &StoredRun) -> RunProgress {
    match (run.row.state, &run.end) {
        (_, Some(_)) | (StoredRunState::Finished, None) => RunProgress::Ended,
        (StoredRunState::Running, None) => RunProgress::Running,
        (StoredRunState::Interrupted, None) => RunProgress::CutOff,
    }
}

/// The warm-up, also of a run that goes on.
fn warm_up(run: &StoredRun) -> Option<WarmUp> {
    match &run.end {
        Some(end) => end.warm_up,
        None => {
            let event = run
                .events
                .iter()
                .find(|event| event.kind == event_kind::WARMED_UP)?;
            serde_json::from_value(event.detail["measured"].clone()).ok()
        }
    }
}

/// When an event was, in seconds on the run's clock.
fn second_of(run: &StoredRun, kind: &str) -> Option<f64> {
    let event = run.events.iter().find(|event| event.kind == kind)?;
    Some(event.at_nanos as f64 / 1e9)
}

fn events(run: &StoredRun, begins: f64) -> Vec<TimelineEvent> {
    let events = run.events.iter().take(EVENTS_MAX);
    events
        .map(|event| TimelineEvent {
            at: event.at_nanos as f64 / 1e9 - begins,
            kind: event.kind.clone(),
            detail: event.detail.clone(),
        })
        .collect()
}

/// Totals by the groups of a script, the busiest first.
fn groups(series: &[SeriesDef], totals: &SeriesGains) -> Vec<EndpointFigures> {
    let named = |_, def| tag(def, "group").filter(|path| !path.is_empty());
    let mut groups = totals_by(series, totals, named);
    for group in &mut groups {
        group.name = group.name.trim_start_matches("::").replace("::", " › ");
    }
    groups
}

/// Totals by endpoint, the busiest first.
fn endpoints<'a>(
    names: &'a [Option<String>],
    series: &'a [SeriesDef],
    totals: &SeriesGains,
) -> Vec<EndpointFigures> {
    totals_by(series, totals, |id: usize, _| names.get(id)?.as_deref())
}

/// Totals by what series are named after, the busiest first.
fn totals_by<'a>(
    series: &'a [SeriesDef],
    totals: &SeriesGains,
    named: impl Fn(usize, &'a SeriesDef) -> Option<&'a str>,
) -> Vec<EndpointFigures> {
    let mut by_name: BTreeMap<&str, EndpointFigures> = BTreeMap::new();
    // A script can leave out both tags that tell which requests failed.
    let mut not_apart = BTreeSet::new();
    for (id, value) in totals {
        let Some((def, name)) = series
            .get(*id as usize)
            .and_then(|def| Some((def, named(*id as usize, def)?)))
        else {
            continue;
        };
        let of = by_name.entry(name).or_default();
        match (def.metric.as_str(), value) {
            ("http_reqs", MetricValue::Counter(Some(sum))) => of.requests += sum.value(),
            ("http_req_failed", MetricValue::Rate(rate)) => of.failed += rate.trues as f64,
            ("http_req_duration", MetricValue::Trend(trend)) => {
                let failed = of.failed_durations.get_or_insert_default();
                if is_failure(def) {
                    failed.merge(trend);
                } else {
                    of.durations.merge(trend);
                }
                if is_unmarked(tag(def, "expected_response"), tag(def, "status")) {
                    not_apart.insert(name);
                }
            }
            _ => {}
        }
    }
    let all = by_name.into_iter().filter(|(_, of)| of.requests > 0.0);
    let mut endpoints: Vec<EndpointFigures> = all
        .map(|(name, of)| EndpointFigures {
            name: name.to_owned(),
            failed_durations: of.failed_durations.filter(|_| !not_apart.contains(name)),
            ..of
        })
        .collect();
    endpoints.sort_by(|a, b| b.requests.total_cmp(&a.requests));
    endpoints.truncate(ENDPOINTS_MAX);
    endpoints
}

/// Adds what the last seconds brought.
fn add_recent(
    endpoints: &mut [EndpointFigures],
    names: &[Option<String>],
    run: &StoredRun,
    windows: &VecDeque<StoredWindow>,
) {
    let mut gains = SeriesGains::new();
    for window in windows {
        loadline_store::merge(&mut gains, window.gains.clone());
    }
    let of_last = self::endpoints(names, &run.series, &gains);
    for endpoint in endpoints {
        let found = of_last.iter().find(|one| one.name == endpoint.name);
        endpoint.recent = Some(found.map_or((0.0, 0.0, Histogram::new()), |one| {
            (one.requests, one.failed, one.durations.clone())
        }));
    }
}

fn tested(run: &StoredRun) -> TestedRun {
    let (row, about) = (&run.row, &run.about);
    let machine = &about.environment;
    let scenarios = about.scenarios.iter().map(|scenario| TestedScenario {
        name: scenario.name.clone(),
        executor: scenario.executor.clone(),
        seconds: scenario.seconds,
        ends: scenario.ends,
        starts: scenario.starts,
        vus: scenario.vus,
    });
    TestedRun {
        name: row.name.clone(),
        test: row.test.clone(),
        kind: row.kind.clone(),
        hash: row.hash.clone(),
        started_ms: row.started_ms,
        note: row.note.clone(),
        tags: row.tags.clone(),
        settings: row.settings.clone(),
        arguments: machine.arguments.clone(),
        version: machine.version.clone(),
        host: machine.host.clone(),
        kernel: machine.kernel.clone(),
        cpus: (machine.usable_cpus, machine.cpus),
        segment: row.segment.clone(),
        series: about.series.clone(),
        scenarios: scenarios.collect(),
        source: about.source.clone(),
        unjudged: run.unjudged(),
        target: BTreeMap::new(),
    }
}

/// Whether a request's series counts failures.
fn is_failure(def: &loadline_store::SeriesDef) -> bool {
    is_failed_request(tag(def, "expected_response"), tag(def, "status"))
}
