//! A summary from the merger's totals.
//!
//! Series appear in the order of their first samples, so going through them in order
//! lists groups and checks in the order in which the test ran into them.

use loadline_metrics::threshold::Thresholds;
use loadline_metrics::{
    Histogram, Merger, MetricDef, MetricId, MetricValue, PlannedAnswers, Registry, SeriesInfo,
    Totals, builtin,
};

use super::{Check, Group, Metric, RequestError, Section, SizedAnswers, Summary, ThresholdResult};
use crate::answer::is_failed_request;
use crate::run::Run;

/// Names of requests whose answers' sizes are looked at.
const SIZED_NAMES_MAX: usize = 1000;

/// Parts of a group's path.
const SEPARATOR: &str = "::";
/// The groups of what runs before and after all iterations, as k6 tags it.
const SETUP_GROUP: &str = "::setup";
const TEARDOWN_GROUP: &str = "::teardown";

/// The scenario whose results are not set apart: that of a test without scenarios.
const DEFAULT_SCENARIO: &str = "default";

/// What a summary is made of: the merger that knows the series, and totals of all of a run's
/// windows or of some.
#[derive(Clone, Copy)]
pub struct MergedPart<'a> {
    /// Names the series.
    pub merger: &'a Merger,
    /// What they add up to.
    pub totals: &'a Totals,
}

impl Summary {
    /// The summary of a run whose windows are all merged and whose thresholds are
    /// judged for the last time.
    #[must_use]
    pub fn new(merger: &Merger, registry: &Registry, thresholds: &Thresholds, run: Run) -> Self {
        let totals = merger.totals();
        Self::from_part(MergedPart { merger, totals }, registry, thresholds, run)
    }

    /// The same of a part of the run.
    #[must_use]
    pub fn from_part(
        part: MergedPart<'_>,
        registry: &Registry,
        thresholds: &Thresholds,
        run: Run,
    ) -> Self {
        let MergedPart { merger, totals } = part;
        let mut summary = Self {
            metrics: metrics(part, registry, thresholds),
            checks: Vec::new(),
            root: Group::default(),
            groups: Vec::new(),
            scenarios: Vec::new(),
            statuses: Vec::new(),
            sent_outside_iterations: 0,
            failed: 0,
            failed_statuses: Vec::new(),
            failed_latency: Some(Histogram::new()),
            failed_first_byte: Histogram::new(),
            answers: run.failed_answers.clone(),
            sizes: Vec::new(),
            errors: Vec::new(),
            run,
        };
        let mut outside = Section::default();
        for (id, info) in merger.all_series() {
            let Some(value) = totals.series(id) else {
                continue;
            };
            let sample = Part {
                merger,
                info,
                def: &registry.get(info.metric),
                value,
            };
            sample.add_to(&mut summary, &mut outside);
        }
        summary.groups = outside.groups;
        summary.statuses.sort();
        summary.failed_statuses.sort();
        summary
            .errors
            .sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.text.cmp(&b.text)));
        summary.scenarios.sort_by(|a, b| a.name.cmp(&b.name));
        for section in summary.groups.iter_mut().chain(&mut summary.scenarios) {
            sort_metrics(section);
        }
        summary
    }
}

/// Metrics with samples and those that thresholds name, sub-metrics and their wholes.
fn metrics(part: MergedPart<'_>, registry: &Registry, thresholds: &Thresholds) -> Vec<Metric> {
    let MergedPart { merger, totals } = part;
    let named = |metric: MetricId, part: Option<loadline_metrics::SubmetricId>| {
        let mut subjects = thresholds.subjects().iter();
        subjects.any(|s| s.metric == metric && (part == s.submetric || part.is_none()))
    };
    let results = |name: &str| {
        let own = thresholds.all().iter().filter(|t| t.subject.name == name);
        let result = |t: &loadline_metrics::threshold::Threshold| ThresholdResult {
            source: t.condition.text.clone(),
            ok: t.is_met(),
            observed: t.verdict.observed,
            at_least: t.verdict.at_least,
            is_windowed: t.expression.window.is_some(),
        };
        own.map(result).collect()
    };
    let metric = |name: &str, def: &MetricDef, value: &MetricValue| Metric {
        name: name.to_owned(),
        kind: def.kind,
        contains: def.contains,
        origin: def.origin,
        value: value.clone(),
        thresholds: results(name),
    };
    let mut all = Vec::new();
    for (id, def) in registry.all() {
        let nothing = MetricValue::empty(def.kind);
        let value = totals.metric(id).unwrap_or(&nothing);
        if id == builtin::PLANNED_LATENCY && named(id, None) {
            // Worked out of others: how long planned starts took that were answered well.
            let well = MetricValue::Trend(planned(totals, thresholds).well);
            all.push(metric(&def.name, &def, &well));
        } else if !value.is_empty() || named(id, None) {
            all.push(metric(&def.name, &def, value));
        }
    }
    for (id, part) in merger.submetrics().iter() {
        let def = registry.get(part.metric);
        let nothing = MetricValue::empty(def.kind);
        let value = totals.submetric(id).unwrap_or(&nothing);
        if !value.is_empty() || named(part.metric, Some(id)) {
            all.push(metric(&part.name, &def, value));
        }
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// What became of planned starts, where a goal is about them.
fn planned(totals: &Totals, thresholds: &Thresholds) -> PlannedAnswers {
    let mut subjects = thresholds.subjects().iter();
    let planned = subjects.find_map(|subject| subject.planned(totals));
    planned.unwrap_or_default()
}

fn count_status(statuses: &mut Vec<(String, u64)>, status: &str, count: u64) {
    match statuses.iter_mut().find(|(known, _)| known == status) {
        Some((_, sum)) => *sum += count,
        None => statuses.push((status.to_owned(), count)),
    }
}

/// One series, to be added to the parts of the summary it belongs to.
struct Part<'a> {
    merger: &'a Merger,
    info: &'a SeriesInfo,
    def: &'a MetricDef,
    value: &'a MetricValue,
}

impl Part<'_> {
    fn add_to(&self, summary: &mut Summary, outside: &mut Section) {
        match (self.info.metric, self.value) {
            (builtin::HTTP_REQS, MetricValue::Counter(Some(count))) => {
                self.add_answers(summary, count.value());
            }
            (builtin::HTTP_REQ_WAITING, MetricValue::Trend(waiting)) if self.is_failed() => {
                summary.failed_first_byte.merge(waiting);
            }
            (builtin::HTTP_RESPONSE_SIZE, MetricValue::Trend(sizes)) => {
                self.add_sizes(summary, sizes);
            }
            (builtin::HTTP_REQ_DURATION, MetricValue::Trend(durations)) => {
                self.add_failed_latency(summary, durations);
            }
            // Which they were no tag says, but how many.
            (builtin::HTTP_REQ_FAILED, MetricValue::Rate(failed)) if self.is_unmarked() => {
                summary.failed += failed.trues;
            }
            _ => {}
        }
        let check = self.check();
        let path: Vec<&str> = match self.tag("group") {
            // A group without a name counts for the root, as in k6.
            Some(path) if !path.is_empty() && path != SEPARATOR => path
                .strip_prefix(SEPARATOR)
                .unwrap_or(path)
                .split(SEPARATOR)
                .collect(),
            _ => Vec::new(),
        };
        // A request alone does not make a group known, as in k6.
        if check.is_some() || self.info.metric == builtin::GROUP_DURATION {
            let group = group_at(&mut summary.root, &path);
            if let Some(check) = &check {
                add_check(&mut group.checks, check);
                add_check(&mut summary.checks, check);
            }
        }
        let within = match self.tag("scenario") {
            Some(name) if name != DEFAULT_SCENARIO => {
                let section = section_called(&mut summary.scenarios, name);
                self.add_to_section(section, check.as_ref());
                section
            }
            _ => outside,
        };
        if path.is_empty() || matches!(self.tag("group"), Some(SETUP_GROUP | TEARDOWN_GROUP)) {
            return;
        }
        let mut section = within;
        for name in path {
            section = section_called(&mut section.groups, name);
        }
        self.add_to_section(section, check.as_ref());
    }

    /// Keeps how long failed requests took. A script can leave out both tags that tell them.
    fn add_failed_latency(&self, summary: &mut Summary, durations: &Histogram) {
        if self.is_unmarked() {
            summary.failed_latency = None;
        } else if let Some(failed) = &mut summary.failed_latency
            && self.is_failed()
        {
            failed.merge(durations);
        }
    }

    /// Keeps how large answers with 200 were, of as many names as can be told apart.
    fn add_sizes(&self, summary: &mut Summary, sizes: &Histogram) {
        let name = self.tag("name").or_else(|| self.tag("url"));
        let Some(name) = name.filter(|_| self.tag("status") == Some("200")) else {
            return;
        };
        let method = self.tag("method").unwrap_or_default();
        let is_same = |one: &SizedAnswers| one.name == name && one.method == method;
        match summary.sizes.iter().position(is_same) {
            Some(place) => summary.sizes[place].sizes.merge(sizes),
            None if summary.sizes.len() < SIZED_NAMES_MAX => summary.sizes.push(SizedAnswers {
                method: method.to_owned(),
                name: name.to_owned(),
                sizes: sizes.clone(),
            }),
            None => {}
        }
    }

    /// Counts requests by their status and error.
    fn add_answers(&self, summary: &mut Summary, count: f64) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a count; the cast saturates"
        )]
        let count = count as u64;
        let status = self.tag("status").unwrap_or_default();
        if matches!(self.tag("group"), Some(SETUP_GROUP | TEARDOWN_GROUP)) {
            summary.sent_outside_iterations += count;
        }
        if self.is_failed() {
            summary.failed += count;
            count_status(&mut summary.failed_statuses, status, count);
        }
        count_status(&mut summary.statuses, status, count);
        let Some(text) = self.tag("error").filter(|_| status == "0") else {
            return;
        };
        let code = self.tag("error_code").unwrap_or_default();
        let mut known = summary.errors.iter_mut();
        match known.find(|e| e.code == code && e.text == text) {
            Some(error) => error.count += count,
            None => summary.errors.push(RequestError {
                code: code.to_owned(),
                text: text.to_owned(),
                count,
            }),
        }
    }

    fn is_failed(&self) -> bool {
        is_failed_request(self.tag("expected_response"), self.tag("status"))
    }

    /// Its tags do not say whether it failed.
    fn is_unmarked(&self) -> bool {
        self.tag("status").is_none() && self.tag("expected_response").is_none()
    }

    fn add_to_section(&self, section: &mut Section, check: Option<&Check>) {
        if let Some(check) = check {
            add_check(&mut section.checks, check);
        }
        if let (builtin::CHECKS, MetricValue::Rate(rate)) = (self.info.metric, self.value) {
            let all = section.check_rate.get_or_insert_default();
            all.trues += rate.trues;
            all.total += rate.total;
        }
        let name = &*self.def.name;
        let metric = match section.metrics.iter().position(|m| m.name == name) {
            Some(place) => &mut section.metrics[place],
            None => {
                section.metrics.push(Metric {
                    name: name.to_owned(),
                    kind: self.def.kind,
                    contains: self.def.contains,
                    origin: self.def.origin,
                    value: MetricValue::empty(self.def.kind),
                    thresholds: Vec::new(),
                });
                section.metrics.last_mut().expect("pushed above")
            }
        };
        metric.value.merge(self.value);
    }

    /// The check this series is of.
    fn check(&self) -> Option<Check> {
        let name = self.tag("check")?;
        match self.value {
            MetricValue::Rate(rate) if self.info.metric == builtin::CHECKS => Some(Check {
                name: name.to_owned(),
                passes: rate.trues,
                fails: rate.total - rate.trues,
            }),
            _ => None,
        }
    }

    fn tag(&self, key: &str) -> Option<&str> {
        self.merger.tags().get(self.info.tags, key)
    }
}

/// The group at `path` below `root`, made if need be.
fn group_at<'a>(root: &'a mut Group, path: &[&str]) -> &'a mut Group {
    let mut group = root;
    for name in path {
        let place = match group.groups.iter().position(|g| g.name == *name) {
            Some(place) => place,
            None => {
                let path = format!("{}{SEPARATOR}{name}", group.path);
                group.groups.push(Group {
                    name: (*name).to_owned(),
                    path,
                    ..Group::default()
                });
                group.groups.len() - 1
            }
        };
        group = &mut group.groups[place];
    }
    group
}

/// The section called `name`, made if need be.
fn section_called<'a>(sections: &'a mut Vec<Section>, name: &str) -> &'a mut Section {
    let place = match sections.iter().position(|s| s.name == name) {
        Some(place) => place,
        None => {
            sections.push(Section {
                name: name.to_owned(),
                ..Section::default()
            });
            sections.len() - 1
        }
    };
    &mut sections[place]
}

fn add_check(checks: &mut Vec<Check>, check: &Check) {
    match checks.iter_mut().find(|c| c.name == check.name) {
        Some(known) => {
            known.passes += check.passes;
            known.fails += check.fails;
        }
        None => checks.push(check.clone()),
    }
}

fn sort_metrics(section: &mut Section) {
    section.metrics.sort_by(|a, b| a.name.cmp(&b.name));
    section.groups.iter_mut().for_each(sort_metrics);
}
