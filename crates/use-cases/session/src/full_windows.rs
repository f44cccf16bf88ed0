//! A stored run's full windows, of all requests and by endpoint.

use std::collections::BTreeMap;

use loadline_analysis::compare::{Answers, ComparedRun, ComparedWindow};
use loadline_metrics::{Histogram, MetricValue};
use loadline_record::bodies::BodySample;
use loadline_record::{Shortfall, event_kind, is_failed_request};
use loadline_store::{SeriesDef, StoredRun, StoredWindow};

use crate::bodies;
use crate::endpoint_names::{self, MethodBefore, tag};
use crate::failed_requests::REFUSED;
use crate::planned_load::PlannedLoad;

/// Windows are seconds of the run's clock.
const NANOS_OF_SECOND: u64 = 1_000_000_000;

/// How long requests of an endpoint took, ms.
#[derive(Debug, Clone, Default)]
pub(crate) struct EndpointDurations {
    /// All of them.
    pub(crate) all: Histogram,
    /// Those that were answered well.
    pub(crate) good: Histogram,
}

/// What all requests of an endpoint were answered, those of seconds that are not counted included.
#[derive(Debug, Clone, Default)]
pub(crate) struct EndpointAnswers {
    pub(crate) statuses: BTreeMap<String, f64>,
    pub(crate) failed: f64,
}

/// A run's windows as they are read.
pub(crate) struct Gathered {
    /// What requests of each series are told apart by.
    names: Vec<Option<String>>,
    /// Windows that are full and counted.
    pub(crate) first: u64,
    end: u64,
    /// The second after the last one in which a request ended.
    pub(crate) last_request: u64,
    windows: BTreeMap<u64, BTreeMap<String, ComparedWindow>>,
    spans: BTreeMap<u64, u64>,
    answers: BTreeMap<String, Answers>,
    /// What bodies have in common, by endpoint.
    bodies: BTreeMap<String, BodySample>,
    /// Requests by status, in each window.
    statuses: BTreeMap<u64, BTreeMap<String, f64>>,
    /// Requests that were cut: the window in which they were, their endpoint, their ages.
    cut: Vec<(u64, String, Histogram)>,
    /// How long all requests of an endpoint took, those of seconds that are not counted included.
    durations: BTreeMap<String, EndpointDurations>,
    answered: BTreeMap<String, EndpointAnswers>,
    /// Of the whole run: checks, and what was planned.
    beside: BTreeMap<u64, ComparedWindow>,
    /// How long the run was, as far as windows were stored.
    pub(crate) seconds: u64,
    /// Sizes of answers are among its measurements.
    has_sizes: bool,
    /// Starts are planned, or iterations promised that never began: else nothing can be dropped.
    has_plan: bool,
    /// Starts are counted by their lags; else by the iterations that ended.
    has_lags: bool,
    /// All scenarios start iterations at planned times: without such a start nothing is asked
    /// of the target.
    is_open: bool,
    shortfalls: Vec<Shortfall>,
    /// Nothing changed its load while it went on.
    is_unchanged: bool,
    plan: PlannedLoad,
    /// When load begins, in seconds of the run's clock.
    begins: f64,
}

impl Gathered {
    /// Requests are told apart by method and route; names that the test gives stay as they are.
    pub(crate) fn new(run: &StoredRun) -> Self {
        Self::named(run, MethodBefore::Addresses)
    }

    /// ... and have the method before them, too.
    pub(crate) fn by_method(run: &StoredRun) -> Self {
        Self::named(run, MethodBefore::All)
    }

    fn named(run: &StoredRun, before: MethodBefore) -> Self {
        let at = |kind: &str| run.events.iter().find(|event| event.kind == kind);
        let begins = at(event_kind::BEGINS).map_or(0, |event| event.at_nanos);
        let counted = at(event_kind::WARMED_UP).map_or(begins, |event| event.at_nanos);
        let over = at(event_kind::SCENARIOS_OVER).map_or(u64::MAX, |event| event.at_nanos);
        let names = endpoint_names::of_series(run, before);
        Self {
            bodies: bodies::by_endpoint(run, &names),
            names,
            // The window in which load begins is not a full one, nor that in which it ends.
            first: counted.div_ceil(NANOS_OF_SECOND),
            end: over / NANOS_OF_SECOND,
            last_request: 0,
            windows: BTreeMap::new(),
            spans: BTreeMap::new(),
            answers: BTreeMap::new(),
            statuses: BTreeMap::new(),
            cut: Vec::new(),
            durations: BTreeMap::new(),
            answered: BTreeMap::new(),
            beside: BTreeMap::new(),
            seconds: 0,
            has_sizes: has_metric(run, "http_response_bytes"),
            has_lags: has_metric(run, "start_lag"),
            is_open: run.about.scenarios.iter().all(|s| s.starts.is_some()),
            plan: PlannedLoad::new(&run.about.scenarios),
            begins: begins as f64 / NANOS_OF_SECOND as f64,
            is_unchanged: at(event_kind::LOAD_CHANGED).is_none(),
            shortfalls: run
                .end
                .as_ref()
                .map_or_else(Vec::new, |end| end.detail.shortfalls.clone()),
            has_plan: has_metric(run, "dropped_iterations")
                || run.about.scenarios.iter().any(|s| s.starts.is_some()),
        }
    }

    pub(crate) fn add(&mut self, run: &StoredRun, stored: &StoredWindow) {
        self.keep_cut(run, stored);
        self.keep_durations(run, stored);
        self.keep_answers(run, stored);
        if !stored.late {
            self.seconds += stored.span;
        }
        if stored.first < self.first || stored.first + stored.span > self.end {
            return;
        }
        if !stored.late {
            self.spans.insert(stored.first, stored.span);
        }
        let window = self.windows.entry(stored.first).or_default();
        for (id, value) in &stored.gains {
            let Some(def) = run.series.get(*id as usize) else {
                continue;
            };
            let beside = self.beside.entry(stored.first).or_default();
            add_beside(beside, def, value);
            if let ("iterations", MetricValue::Counter(Some(sum))) = (&*def.metric, value) {
                beside.iterations += sum.value();
                if !self.has_lags {
                    beside.planned += sum.value();
                }
            }
            let Some(name) = self.names.get(*id as usize).and_then(Option::as_ref) else {
                continue;
            };
            let of_name = kept_under(window, name);
            match (def.metric.as_str(), value) {
                ("http_reqs", MetricValue::Counter(Some(sum))) => {
                    of_name.requests += sum.value();
                    let answers = kept_under(&mut self.answers, name);
                    let status = tag(def, "status").unwrap_or("0");
                    if self.has_sizes && status != "0" && !is_failed(def) {
                        of_name.sized += sum.value();
                    }
                    *kept_under(&mut answers.statuses, status) += sum.value();
                    let of_window = self.statuses.entry(stored.first).or_default();
                    *kept_under(of_window, status) += sum.value();
                    if tag(def, "error_code") == Some(REFUSED) {
                        of_name.refused += sum.value();
                    }
                }
                // Errors have bodies of their own: how large answers are is of good ones.
                ("http_response_bytes", MetricValue::Counter(Some(sum))) if !is_failed(def) => {
                    of_name.bytes += sum.value()
                }
                ("http_req_failed", MetricValue::Rate(rate)) => of_name.failed += rate.trues as f64,
                ("http_req_duration", MetricValue::Trend(trend)) => {
                    of_name.durations.merge(trend);
                    if is_failed(def) {
                        of_name.failed_durations.merge(trend);
                    }
                }
                _ => {}
            }
        }
    }

    fn keep_durations(&mut self, run: &StoredRun, stored: &StoredWindow) {
        for (id, value) in &stored.gains {
            let def = run.series.get(*id as usize);
            if let (Some(def), MetricValue::Trend(durations)) = (def, value)
                && def.metric == "http_req_duration"
                && let Some(name) = self.names.get(*id as usize).and_then(Option::as_ref)
            {
                let of_name = kept_under(&mut self.durations, name);
                of_name.all.merge(durations);
                if !is_failed(def) {
                    of_name.good.merge(durations);
                }
                self.last_request = self.last_request.max(stored.first + stored.span);
            }
        }
    }

    fn keep_answers(&mut self, run: &StoredRun, stored: &StoredWindow) {
        for (id, value) in &stored.gains {
            if let (Some(def), MetricValue::Counter(Some(sum))) =
                (run.series.get(*id as usize), value)
                && def.metric == "http_reqs"
                && let Some(name) = self.names.get(*id as usize).and_then(Option::as_ref)
            {
                let of_name = kept_under(&mut self.answered, name);
                let status = tag(def, "status").unwrap_or("0");
                *kept_under(&mut of_name.statuses, status) += sum.value();
                if is_failed(def) {
                    of_name.failed += sum.value();
                }
            }
        }
    }

    /// What each endpoint answered in the whole run.
    pub(crate) fn answers_by_name(&mut self) -> BTreeMap<String, EndpointAnswers> {
        std::mem::take(&mut self.answered)
    }

    /// How long requests of each endpoint took, the first seconds of the run included.
    pub(crate) fn durations_by_name(&mut self) -> BTreeMap<String, EndpointDurations> {
        std::mem::take(&mut self.durations)
    }

    /// Requests by status, in each second of the run's clock.
    pub(crate) fn answered(&mut self) -> BTreeMap<u64, BTreeMap<String, f64>> {
        std::mem::take(&mut self.statuses)
    }

    fn keep_cut(&mut self, run: &StoredRun, stored: &StoredWindow) {
        for (id, value) in &stored.gains {
            let def = run.series.get(*id as usize);
            if let (Some(def), MetricValue::Trend(ages)) = (def, value)
                && def.metric == "http_reqs_cut"
                && let Some(name) = self.names.get(*id as usize).and_then(Option::as_ref)
            {
                self.cut.push((stored.first, name.clone(), ages.clone()));
            }
        }
    }

    /// Lays requests that were cut into the windows in which they were sent, as at least as
    /// long as their age: there a target that hangs answers nothing.
    fn place_cut(&mut self) {
        for (at, name, ages) in std::mem::take(&mut self.cut) {
            for (bucket, count) in ages.buckets() {
                let age = bucket.middle();
                let before = whole_seconds(age);
                let sent = at.saturating_sub(before).max(self.first);
                let Some(window) = self.windows.range_mut(..=sent).next_back() else {
                    continue;
                };
                let cut = &mut window.1.entry(name.clone()).or_default().cut;
                (0..count).for_each(|_| cut.record(age));
                self.answers.entry(name.clone()).or_default();
            }
        }
    }

    /// The same, with what was answered after the load in its last second: later seconds say
    /// nothing of rates.
    pub(crate) fn finish_loaded(self) -> (ComparedRun, BTreeMap<String, ComparedRun>) {
        let is_planned = self.is_open && self.has_lags;
        let (mut whole, mut by_name) = self.finish();
        if is_planned {
            let is_load = |window: &ComparedWindow| window.planned > 0.0;
            let last = whole.windows.iter().rposition(is_load);
            let loaded = last.map_or(0, |last| last + 1);
            for run in by_name.values_mut().chain([&mut whole]) {
                drain(run, loaded);
            }
        }
        (whole, by_name)
    }

    /// What all windows measured, of all requests and by endpoint.
    pub(crate) fn finish(mut self) -> (ComparedRun, BTreeMap<String, ComparedRun>) {
        self.place_cut();
        let mut whole = ComparedRun::default();
        let mut by_name: BTreeMap<String, ComparedRun> = BTreeMap::new();
        let names: Vec<String> = self.answers.keys().cloned().collect();
        for (first, mut window) in self.windows {
            // A coarse window is several seconds: it would count as one fast one.
            if self.spans.get(&first) != Some(&1) {
                continue;
            }
            let mut all = self.beside.get(&first).cloned().unwrap_or_default();
            if !self.has_plan {
                all.planned = 0.0;
            }
            let rate = self.plan.in_second(first as f64 - self.begins);
            all.planned_rate = rate;
            for name in &names {
                let mut one = window.remove(name).unwrap_or_default();
                one.read_wait = all.read_wait;
                one.own_delay_ms = all.own_delay_ms;
                all.add(&one);
                one.planned_rate = rate;
                by_name.entry(name.clone()).or_default().windows.push(one);
            }
            whole.windows.push(all);
        }
        whole.shortfalls = self.shortfalls;
        whole.is_planned = self.is_open && self.has_lags && self.is_unchanged;
        for (name, answers) in self.answers {
            for (status, count) in &answers.statuses {
                *whole.answers.statuses.entry(status.clone()).or_default() += count;
            }
            if let Some(one) = by_name.get_mut(&name) {
                one.answers = answers;
                one.is_planned = whole.is_planned;
                one.bodies = self.bodies.remove(&name).unwrap_or_default();
            }
        }
        // Of several endpoints the bodies together are of no kind.
        if by_name.len() == 1
            && let Some(only) = by_name.values().next()
        {
            whole.bodies = only.bodies.clone();
        }
        (whole, by_name)
    }
}

/// What is kept under a name; the name is copied only once.
fn kept_under<'a, T: Default>(all: &'a mut BTreeMap<String, T>, name: &str) -> &'a mut T {
    if !all.contains_key(name) {
        all.insert(name.to_owned(), T::default());
    }
    all.get_mut(name).expect("it was there, or is now")
}

/// Lays what ended after the load was over into the last of `loaded` windows: it belongs to the
/// answers, but in those seconds no throughput was asked for.
fn drain(run: &mut ComparedRun, loaded: usize) {
    if loaded == 0 || loaded >= run.windows.len() {
        return;
    }
    let after = run.windows.split_off(loaded);
    let last = run.windows.last_mut().expect("at least one is loaded");
    for mut window in after {
        window.drained = window.requests;
        // Only iterations of the load are counted.
        window.iterations = 0.0;
        last.add(&window);
    }
}

fn is_failed(def: &SeriesDef) -> bool {
    is_failed_request(tag(def, "expected_response"), tag(def, "status"))
}

/// Whole seconds of a time in ms.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an age; the cast saturates"
)]
fn whole_seconds(millis: f64) -> u64 {
    (millis / 1000.0) as u64
}

fn has_metric(run: &StoredRun, name: &str) -> bool {
    run.series.iter().any(|def| def.metric == name)
}

/// Takes in what is no endpoint's.
fn add_beside(of: &mut ComparedWindow, def: &SeriesDef, value: &MetricValue) {
    match (def.metric.as_str(), value) {
        ("checks", MetricValue::Rate(rate)) => {
            of.checks += rate.total as f64;
            of.checks_failed += (rate.total - rate.trues) as f64;
        }
        ("read_lag", MetricValue::Trend(waits)) => {
            let at = |share| waits.percentile(share).unwrap_or(0.0);
            of.read_wait.p50_ms = of.read_wait.p50_ms.max(at(0.5));
            of.read_wait.p95_ms = of.read_wait.p95_ms.max(at(0.95));
            of.own_delay_ms = of.own_delay_ms.max(at(1.0));
        }
        ("worker_stall", MetricValue::Trend(stalls)) => {
            of.own_delay_ms = of.own_delay_ms.max(stalls.percentile(1.0).unwrap_or(0.0));
        }
        // Each start has a lag, also one whose iteration never ends.
        ("start_lag", MetricValue::Trend(lags)) => {
            of.planned += lags.count() as f64;
            of.own_delay_ms = of.own_delay_ms.max(lags.percentile(1.0).unwrap_or(0.0));
        }
        ("vus", MetricValue::Gauge(Some(users))) => of.users = of.users.max(users.last),
        ("dropped_iterations", MetricValue::Counter(Some(sum))) => {
            of.planned += sum.value();
            of.dropped += sum.value();
        }
        _ => {}
    }
}
