//! Rebuilds the totals and the summary of a stored run.
//!
//! Stored totals go through the same merger as the windows of a live run. So one piece of code
//! makes every summary: of a live run, a stored one, an interrupted one, or several joined ones.
//! Several runs are several workers of the merger.

use std::sync::Arc;
use std::time::Duration;

use loadline_metrics::threshold::{
    Condition, ConditionState, ConditionVerdict, Phase, ThresholdSource, Thresholds,
};
use loadline_metrics::{
    Kind, Merger, MetricDef, MetricId, MetricValue, Origin, Registry, SeriesDelta, ShardWindow,
    Submetrics, TagSetDef, TagSetId, TagSets, ValueType, builtin,
};
use loadline_record::{Ending, Run, Summary, WindowedGoal, event_kind};
use loadline_units::WorkerId;

use crate::about::RunInfo;
use crate::dictionary::SeriesDef;
use crate::reader::{SeriesGains, StoredRun};

/// Totals of one or several stored runs.
pub struct RunTotals {
    /// The runs' metrics.
    pub registry: Arc<Registry>,
    /// The merger that holds the totals.
    pub merger: Merger,
    /// The thresholds; not judged yet.
    pub thresholds: Thresholds,
    /// Thresholds that cannot be judged from totals, as the test writes them.
    pub unjudged: Vec<String>,
}

impl RunTotals {
    /// Adds up the totals of runs. The first run says which thresholds there are.
    #[must_use]
    pub fn from_runs(runs: &[&StoredRun]) -> Self {
        let registry = Arc::new(Registry::new());
        for run in runs {
            for metric in &run.about.metrics {
                let (kind, contains) = (kind(&metric.kind), contains(&metric.contains));
                if let (Some(kind), Some(contains)) = (kind, contains) {
                    // A metric that contradicts another run's is not registered; its name may be
                    // found below.
                    let _ = registry.register(&metric.name, kind, contains);
                }
            }
            for def in run.series.iter().filter(|def| def.origin == Origin::Test) {
                let _ = registry.register(&def.metric, def.kind, def.contains);
            }
        }
        let mut submetrics = Submetrics::default();
        let nothing = RunInfo::default();
        let about = runs.first().map_or(&nothing, |run| &run.about);
        for name in &about.submetrics {
            // A sub-metric that no longer compiles has no samples.
            let _ = submetrics.add(name, &registry);
        }
        let windowed = match runs {
            [run] => run.end.as_ref().map(|end| end.detail.windowed.as_slice()),
            _ => None,
        };
        let windowed = windowed.unwrap_or_default();
        let (thresholds, unjudged) = thresholds(about, windowed, &registry, &mut submetrics);
        let mut merger = Merger::new(runs.len(), registry.clone(), submetrics);
        for (worker, run) in (0..).zip(runs) {
            let mut replay = Replay::new(WorkerId(worker), &run.series, &registry);
            merger.absorb(replay.window(0, &run.totals));
        }
        let _ = merger.finish();
        Self {
            registry,
            merger,
            thresholds,
            unjudged,
        }
    }

    /// Judges the thresholds on the totals and makes the summary.
    #[must_use]
    pub fn summary(mut self, run: Run) -> Summary {
        self.thresholds
            .evaluate(self.merger.totals(), run.duration, Phase::Final);
        Summary::new(&self.merger, &self.registry, &self.thresholds, run)
    }
}

impl StoredRun {
    /// The summary as of the run's end, or of all stored windows if it has not ended.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let rebuilt = RunTotals::from_runs(&[self]);
        let run = match &self.end {
            Some(end) => end.run.clone(),
            None => self.run_so_far(&rebuilt.merger),
        };
        rebuilt.summary(run)
    }

    /// The result of the search for capacity that the run was, as its newest event has it;
    /// `None` of any other run.
    #[must_use]
    pub fn capacity_found(&self) -> Option<&serde_json::Value> {
        let mut newest_first = self.events.iter().rev();
        let found = newest_first.find(|event| event.kind == event_kind::CAPACITY);
        found.map(|event| &event.detail)
    }

    /// Its thresholds that cannot be judged from totals, as the test writes them.
    #[must_use]
    pub fn unjudged(&self) -> Vec<String> {
        RunTotals::from_runs(&[self]).unjudged
    }

    /// Facts about a run that has no stored end.
    fn run_so_far(&self, merger: &Merger) -> Run {
        let mut run = Run::finished(Duration::from_secs_f64(self.row.seconds.max(0.0)));
        run.ending = Ending::Interrupted;
        run.most_vus = self.row.vus;
        if let Some(MetricValue::Counter(Some(sum))) = merger.totals().metric(builtin::ITERATIONS) {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a count"
            )]
            let iterations = sum.value() as u64;
            run.complete_iterations = iterations;
        }
        run
    }
}

/// Compiles the stored thresholds, `windowed` being those whose windows were judged while the run went on; those that no
/// longer compile are returned as text.
fn thresholds(
    about: &RunInfo,
    windowed: &[WindowedGoal],
    registry: &Registry,
    submetrics: &mut Submetrics,
) -> (Thresholds, Vec<String>) {
    let (mut sources, mut unjudged): (Vec<ThresholdSource>, Vec<String>) = (Vec::new(), Vec::new());
    for threshold in &about.thresholds {
        let condition = threshold.condition.iter().map(|text| Condition {
            text: text.clone(),
            abort_on_fail: false,
            delay_abort: None,
        });
        let source = ThresholdSource {
            metric: threshold.metric.clone(),
            conditions: condition.collect(),
        };
        // Each one alone first, so that a broken one does not affect the others.
        let alone = Thresholds::compile(
            std::slice::from_ref(&source),
            registry,
            &mut Submetrics::default(),
        );
        // Totals do not say what happened in each window.
        let is_kept = windowed.iter().any(|goal| {
            goal.metric == threshold.metric && Some(&goal.condition) == threshold.condition.as_ref()
        });
        let by_windows = |alone: &Thresholds| {
            let mut all = alone.all().iter();
            !is_kept && all.any(|threshold| threshold.expression.window.is_some())
        };
        match alone {
            Ok(alone) if !by_windows(&alone) => sources.push(source),
            _ => unjudged.push(format!(
                "{} {}",
                threshold.metric,
                threshold.condition.as_deref().unwrap_or_default()
            )),
        }
    }
    let compiled = Thresholds::compile(&sources, registry, submetrics);
    let mut compiled = compiled.unwrap_or_default();
    for goal in windowed {
        let outcome = match (goal.is_met, goal.observed) {
            (true, None) => ConditionState::NoData,
            (true, Some(_)) => ConditionState::Passed,
            (false, _) => ConditionState::Failed,
        };
        let verdict = ConditionVerdict {
            outcome,
            observed: goal.observed,
            at_least: goal.at_least,
        };
        compiled.take_over(&goal.metric, &goal.condition, verdict);
    }
    (compiled, unjudged)
}

/// Turns stored gains into a worker's windows.
pub(crate) struct Replay<'a> {
    worker: WorkerId,
    series: &'a [SeriesDef],
    metrics: Vec<Option<MetricId>>,
    sets: TagSets,
    announced: rustc_hash::FxHashSet<TagSetId>,
}

impl<'a> Replay<'a> {
    pub(crate) fn new(worker: WorkerId, series: &'a [SeriesDef], registry: &Registry) -> Self {
        let all = registry.all();
        Self {
            worker,
            series,
            metrics: series.iter().map(|def| metric_of(def, &all)).collect(),
            sets: TagSets::new(),
            announced: rustc_hash::FxHashSet::default(),
        }
    }

    /// Stored gains as window `window` of the worker.
    pub(crate) fn window(&mut self, window: u64, gains: &SeriesGains) -> ShardWindow {
        let mut part = ShardWindow::empty(self.worker, window);
        for (id, value) in gains {
            let place = *id as usize;
            let Some((def, Some(metric))) = self.series.get(place).zip(self.metrics.get(place))
            else {
                continue;
            };
            let pairs = def.tags.iter().map(|(k, v)| (k.as_str(), v.as_str()));
            let pairs: Vec<(&str, &str)> = pairs.collect();
            let tags = self.sets.extend(TagSetId::EMPTY, &pairs);
            if self.announced.insert(tags) {
                let tags_of = self.sets.tags(tags).map(|(k, v)| (k.into(), v.into()));
                part.tag_sets.push(TagSetDef {
                    id: tags,
                    tags: tags_of.collect(),
                });
            }
            part.series.push(SeriesDelta {
                metric: *metric,
                tags,
                since: def.since,
                value: value.clone(),
            });
        }
        part
    }
}

/// The metric of a series, if its kind is still the same.
fn metric_of(def: &SeriesDef, all: &[(MetricId, Arc<MetricDef>)]) -> Option<MetricId> {
    let mut all = all.iter();
    let same =
        |m: &MetricDef| *m.name == *def.metric && m.kind == def.kind && m.origin == def.origin;
    all.find(|(_, metric)| same(metric)).map(|(id, _)| *id)
}

fn kind(name: &str) -> Option<Kind> {
    let all = [Kind::Counter, Kind::Gauge, Kind::Rate, Kind::Trend];
    all.into_iter().find(|kind| kind.name() == name)
}

fn contains(name: &str) -> Option<ValueType> {
    let all = [ValueType::Default, ValueType::Time, ValueType::Data];
    all.into_iter().find(|contains| contains.name() == name)
}
