//! The answer as a file: what a waiting room imports and `compare --capacity` reads.
//!
//! The form is described by `docs/schemas/capacity.schema.json`. Readers refuse newer
//! versions by number; members may be added within one.

use std::collections::BTreeMap;

use loadline_analysis::capacity::{
    Answer, Ceiling, IterationFaults, LevelOutcome, Purpose, SearchEnd, SoakEnd, Step, Unit,
};
use loadline_analysis::estimate::Estimate;
use loadline_record::LimitVerdict;
use loadline_text::{Catalog, capacity, grouped, millis, percent, significant};
use serde::{Deserialize, Serialize};

use super::likely::LikelyLine;
use super::words::{Words, peak_rate};
use crate::grid::{Grid, Side};
use crate::table::Table;

/// The version written, and the newest that is read.
pub const CAPACITY_VERSION: u32 = 1;

/// So few requests of the highest level say nothing of what is carried.
pub(super) const FEW_REQUESTS: f64 = 30.0;

/// What a search came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CapacityFile {
    /// Version of the form.
    pub loadline_capacity: u32,
    /// What was loaded.
    pub test: TestInFile,
    /// `iterations-per-second` or `virtual-users`: what loads are counted in.
    pub unit: UnitInFile,
    /// How the search ended: `found`, `at-least-generator`, ...
    pub end: String,
    /// The objective's terms.
    pub objective: Vec<String>,
    /// Confidence of intervals.
    pub confidence: f64,
    /// The line.
    pub line: Option<LineInFile>,
    /// The knee.
    pub knee: Option<KneeInFile>,
    /// The peak.
    pub peak: Option<PeakInFile>,
    /// The target without load.
    pub baseline: BaselineInFile,
    /// Requests of one iteration (a session of one user), at the line.
    pub requests_per_session: Option<f64>,
    /// How long one iteration takes at the line, ms.
    pub session_ms: Option<f64>,
    /// What of it no request is under way, ms: the test's own think time.
    #[serde(default)]
    pub think_ms: Option<f64>,
    /// The long hold in the end.
    pub soak: Option<SoakInFile>,
    /// The rule of `explain` that names what limits; `asks-to-wait` where none does and the target asked for it.
    pub limited_by: Option<String>,
    /// What `explain` says of the level that shows the limit.
    #[serde(default)]
    pub limit: Option<LimitVerdict>,
    /// Where it was measured from.
    pub environment: serde_json::Value,
    /// How the target was set up, as far as it was observed.
    #[serde(default)]
    pub target: BTreeMap<String, String>,
    /// All levels.
    pub steps: Vec<StepInFile>,
}

/// What was loaded.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TestInFile {
    /// As named by who started it.
    pub name: String,
    /// `url`, `k6`, `artillery`, `table`.
    pub kind: String,
    /// SHA-256 of its files.
    pub hash: String,
    /// The only scenario loaded, if not all.
    pub scenario: Option<String>,
    /// How starts were spaced: `random` or `even`; nothing of users in a loop and in older files.
    #[serde(default)]
    pub arrivals: Option<String>,
    /// Hosts that were hit.
    pub hosts: Vec<String>,
    /// The stored run.
    pub run: Option<String>,
    /// When the search began, milliseconds since 1970.
    pub started_ms: i64,
}

/// What loads are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnitInFile {
    /// Iterations started per second.
    IterationsPerSecond,
    /// Virtual users.
    VirtualUsers,
}

/// The highest load whose objective holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LineInFile {
    /// The load that holds.
    pub load: f64,
    /// The lowest load that does not; none when none was seen.
    pub beyond: Option<f64>,
    /// Iterations per second there.
    pub throughput: f64,
    /// Requests per second there.
    pub requests_per_second: f64,
    /// Held long enough to be sure.
    pub sure: bool,
    /// How long, seconds.
    pub held_s: f64,
    /// Where the limit is crossed by interpolation.
    pub interpolated: Option<f64>,
    /// Of a table, the load that it comes to in whole users: interpolated, or the first level that misses where it is at the
    /// goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<f64>,
    /// Where the limit is most likely crossed, by a fit over all levels.
    #[serde(default)]
    pub likely: Option<LikelyLineInFile>,
    /// What went wrong there beside requests.
    #[serde(default)]
    pub faults: FaultsInFile,
}

impl LineInFile {
    /// Whether a search that ended so held it with so few requests that it is no answer.
    pub(super) fn is_hardly_tried(&self, end: &str) -> bool {
        let requests = self.requests_per_second * self.held_s;
        end == "out-of-time" && !self.sure && requests < FEW_REQUESTS
    }

    /// Where all levels together put it, beside the levels around it.
    pub(super) fn likely_line(&self) -> Option<LikelyLine> {
        let likely = self.likely?;
        Some(LikelyLine {
            likely: Estimate {
                low: likely.low,
                middle: likely.load,
                high: likely.high,
            },
            held: self.load,
            missed: self.beyond,
        })
    }
}

/// The load at which the limit is most likely crossed, and between which it lies with 95 %.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LikelyLineInFile {
    /// As likely below it as above.
    pub load: f64,
    /// The least it may be.
    pub low: f64,
    /// The most it may be.
    pub high: f64,
}

/// What went wrong beside requests.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FaultsInFile {
    /// Checks and expectations.
    pub checks: f64,
    /// Of these, those that failed.
    pub failed_checks: f64,
    /// Iterations that ended.
    pub iterations: f64,
    /// Of these, those that threw, and virtual users that gave up.
    pub broken: f64,
    /// Answers to a URL that point elsewhere, which is not followed.
    pub redirects: f64,
}

impl From<IterationFaults> for FaultsInFile {
    fn from(faults: IterationFaults) -> Self {
        Self {
            checks: faults.checks,
            failed_checks: faults.failed_checks,
            iterations: faults.iterations,
            broken: faults.broken,
            redirects: faults.redirects,
        }
    }
}

/// The lowest load with at least 90 % of the peak's throughput.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KneeInFile {
    /// The load.
    pub load: f64,
    /// The highest load below it that has less.
    pub low: f64,
    /// Iterations per second there.
    pub throughput: f64,
    /// Iterations in flight there.
    pub in_flight: f64,
    /// The share of the peak.
    pub share_of_peak: f64,
}

/// The highest throughput.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PeakInFile {
    /// Good iterations per second.
    pub throughput: f64,
    /// The least it may be.
    pub low: f64,
    /// The most it may be.
    pub high: f64,
    /// The load it was seen at.
    pub load: f64,
}

impl PeakInFile {
    /// Its throughput with its interval.
    pub(super) const fn throughput(&self) -> Estimate {
        Estimate {
            low: self.low,
            middle: self.throughput,
            high: self.high,
        }
    }
}

/// The target without load.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct BaselineInFile {
    /// The load it was seen at.
    pub load: f64,
    /// Median of a request, ms.
    pub median_ms: f64,
    /// 95th percentile, ms.
    pub p95_ms: f64,
    /// Mean iteration, ms.
    pub iteration_ms: f64,
}

/// The long hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SoakInFile {
    /// The load.
    pub load: f64,
    /// How long, seconds.
    pub held_s: f64,
    /// Whether it was carried; none where it was not tried to its end.
    pub holds: Option<bool>,
}

/// A level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepInFile {
    /// The load.
    pub load: f64,
    /// Why it was held.
    pub why: String,
    /// What it came to.
    pub outcome: String,
    /// When it began, seconds since the load's clock began.
    pub began_s: f64,
    /// How long it counted, seconds.
    pub held_s: f64,
    /// Iterations per second.
    pub throughput: f64,
    /// Requests per second.
    pub requests_per_second: f64,
    /// Mean of requests, ms.
    pub mean_ms: Option<f64>,
    /// Median.
    pub p50_ms: Option<f64>,
    /// 95th percentile.
    pub p95_ms: Option<f64>,
    /// 99th percentile.
    pub p99_ms: Option<f64>,
    /// Share of failed requests; none where a table does not tell.
    pub errors: Option<f64>,
    /// Iterations in flight.
    pub in_flight: f64,
    /// The target's CPU.
    pub target_cpu: Option<f64>,
}

/// Why a file is no capacity.
#[derive(Debug, thiserror::Error)]
pub enum CapacityFileError {
    /// It is not JSON of the form.
    #[error("no capacity: {0}")]
    Malformed(#[from] serde_json::Error),
    /// It was written by a newer version.
    #[error("a capacity of version {found}; this program reads version {CAPACITY_VERSION}")]
    Version {
        /// The version found.
        found: u32,
    },
}

impl CapacityFile {
    /// An answer with what it does not know of itself.
    #[must_use]
    pub fn new(answer: &Answer, test: TestInFile, environment: serde_json::Value) -> Self {
        let line = answer.line.as_ref();
        let at_line = answer.line_step();
        Self {
            loadline_capacity: CAPACITY_VERSION,
            test,
            unit: match answer.unit {
                Unit::Rate => UnitInFile::IterationsPerSecond,
                Unit::Users => UnitInFile::VirtualUsers,
            },
            end: end(&answer.end).to_owned(),
            objective: answer.terms.iter().map(ToString::to_string).collect(),
            confidence: 0.95,
            line: line.map(|line| LineInFile {
                load: line.load.middle,
                beyond: line.beyond.map(|place| answer.steps[place].load),
                throughput: line.throughput,
                requests_per_second: line.requests,
                sure: line.is_sure,
                held_s: answer.steps[line.step].held as f64,
                interpolated: line.interpolated,
                about: None,
                likely: answer.crossing.map(|likely| LikelyLineInFile {
                    load: likely.middle,
                    low: likely.low,
                    high: likely.high,
                }),
                faults: answer.steps[line.step].faults.into(),
            }),
            knee: answer.knee.as_ref().map(|knee| KneeInFile {
                load: knee.load.middle,
                low: knee.load.low,
                throughput: knee.throughput,
                in_flight: knee.in_flight,
                share_of_peak: knee.share,
            }),
            peak: answer.peak.as_ref().map(|peak| PeakInFile {
                throughput: peak.throughput.middle,
                low: peak.throughput.low,
                high: peak.throughput.high,
                load: peak.load,
            }),
            baseline: BaselineInFile {
                load: answer.baseline.load,
                median_ms: answer.baseline.request_ms,
                p95_ms: answer.baseline.p95_ms,
                iteration_ms: answer.baseline.iteration_ms,
            },
            requests_per_session: at_line.map(Step::requests_per_iteration),
            session_ms: at_line.and_then(|step| step.iteration_ms),
            think_ms: at_line.and_then(Step::think_ms),
            soak: answer.soak.map(|soak| SoakInFile {
                load: answer.steps[soak.step].load,
                held_s: answer.steps[soak.step].held as f64,
                holds: match soak.end {
                    SoakEnd::Held => Some(true),
                    SoakEnd::Missed => Some(false),
                    SoakEnd::Unknown => None,
                },
            }),
            limited_by: answer.asks_to_wait.map(|_| "asks-to-wait".to_owned()),
            limit: None,
            environment,
            target: BTreeMap::new(),
            steps: answer.steps.iter().map(step).collect(),
        }
    }

    /// The same with what `explain` says of it.
    #[must_use]
    pub fn explained(mut self, limit: Option<LimitVerdict>) -> Self {
        // Where the target asks to come back later, that nothing else is seen is no answer.
        let is_asked = self.limited_by.is_some();
        if let Some(limit) = limit.filter(|limit| limit.is_cause() || !is_asked) {
            self.limited_by = limit.rule.clone().or(self.limited_by);
            self.limit = Some(limit);
        }
        self
    }

    /// In what its loads are counted.
    #[must_use]
    pub const fn load_unit(&self) -> Unit {
        match self.unit {
            UnitInFile::IterationsPerSecond => Unit::Rate,
            UnitInFile::VirtualUsers => Unit::Users,
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`CapacityFileError`].
    pub fn parse(text: &str) -> Result<Self, CapacityFileError> {
        let value: serde_json::Value = serde_json::from_str(text)?;
        let found = value["loadline_capacity"].as_u64().unwrap_or(0);
        let found = u32::try_from(found).unwrap_or(u32::MAX);
        if found > CAPACITY_VERSION {
            return Err(CapacityFileError::Version { found });
        }
        Ok(serde_json::from_value(value)?)
    }

    /// The file's text.
    #[must_use]
    pub fn to_json(&self) -> String {
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        format!("{text}\n")
    }
}

/// What a kept answer says: the three points, and a line a level.
#[must_use]
pub fn text(file: &CapacityFile, catalog: &Catalog) -> String {
    let unit = file.load_unit();
    let load = |load: f64| super::load(load, unit, catalog);
    let say = |message| catalog.text(&message);
    let rate = |value: f64| format!("{}/s", significant(value));
    let mut points = Table::default();
    points.list(
        say(capacity::note_judged(file.objective.join(", "))),
        vec![file.end.clone()],
    );
    let not_seen = || say(capacity::not_seen());
    let line = file.line.as_ref().map(|line| {
        let requests = significant(line.requests_per_second);
        say(capacity::line(
            load(line.load),
            requests,
            grouped(line.held_s, 0),
        ))
    });
    let words = Words {
        unit,
        terms: &[],
        catalog,
    };
    let likely = file.line.as_ref().and_then(LineInFile::likely_line);
    let mut lines = vec![line.unwrap_or_else(not_seen)];
    lines.extend(likely.map(|likely| likely.row(words)));
    points.list(say(capacity::row_line()), lines);
    let knee = file.knee.as_ref().map(|knee| {
        say(capacity::knee(
            load(knee.load),
            load(knee.low),
            rate(knee.throughput),
            percent(knee.share_of_peak),
            significant(knee.in_flight),
        ))
    });
    points.list(
        say(capacity::row_knee()),
        vec![knee.unwrap_or_else(not_seen)],
    );
    let peak = file.peak.as_ref().map(|peak| {
        say(capacity::peak(
            peak_rate(&peak.throughput()),
            load(peak.load),
        ))
    });
    points.list(
        say(capacity::row_peak()),
        vec![peak.unwrap_or_else(not_seen)],
    );
    if let Some(limit) = &file.limit {
        points.list(
            say(capacity::row_limit()),
            super::limit_lines(limit, unit, catalog),
        );
    }
    let mut grid = Grid::default();
    for (head, side) in [
        (capacity::column_load(), Side::Right),
        (capacity::column_why(), Side::Left),
        (capacity::column_rate(), Side::Right),
    ] {
        grid.column(say(head), side);
    }
    grid.column("p95".to_owned(), Side::Right);
    grid.column(say(capacity::column_held()), Side::Right);
    grid.column(say(capacity::column_outcome()), Side::Left);
    for step in &file.steps {
        grid.row(vec![
            load(step.load),
            step.why.clone(),
            significant(step.throughput),
            step.p95_ms.map_or_else(String::new, millis),
            format!("{} s", grouped(step.held_s, 0)),
            step.outcome.clone(),
        ]);
    }
    format!("{}\n{}", points.render(), grid.render())
}

/// How a search ended, for programs.
#[must_use]
pub const fn end(end: &SearchEnd) -> &'static str {
    match end {
        SearchEnd::Found => "found",
        SearchEnd::AtLeast(Ceiling::Generator(_)) => "at-least-generator",
        SearchEnd::AtLeast(Ceiling::Users) => "at-least-test",
        SearchEnd::AtLeast(Ceiling::Highest) => "at-least-highest",
        SearchEnd::AtLeast(Ceiling::Goal) => "at-least-goal",
        SearchEnd::OutOfTime => "out-of-time",
        SearchEnd::NoneHolds => "none-holds",
        SearchEnd::MissedAtAnyLoad { .. } => "missed-at-any-load",
        SearchEnd::FailsWithoutLoad(_) => "fails-without-load",
        SearchEnd::NoSample { .. } => "no-sample",
        SearchEnd::NoRequests { .. } => "no-requests",
        SearchEnd::NoAnswer => "no-answer",
        SearchEnd::NotRecovered => "not-recovered",
        SearchEnd::Interrupted => "interrupted",
    }
}

fn step(step: &Step) -> StepInFile {
    let at = |share: f64| step.durations.percentile(share);
    StepInFile {
        load: step.load,
        why: match step.purpose {
            Purpose::Baseline => "baseline",
            Purpose::Climb => "climb",
            Purpose::Refine => "refine",
            Purpose::Confirm => "confirm",
            Purpose::Knee => "knee",
            Purpose::Soak => "soak",
        }
        .to_owned(),
        outcome: match &step.outcome {
            LevelOutcome::Holds => "holds",
            LevelOutcome::Likely => "likely",
            LevelOutcome::Misses { .. } => "misses",
            LevelOutcome::Unclear => "unclear",
            LevelOutcome::Overloaded => "overloaded",
            LevelOutcome::AsksToWait => "asks-to-wait",
            LevelOutcome::Aborted(_) => "aborted",
            LevelOutcome::Invalid(_) => "invalid",
            LevelOutcome::Cut => "cut",
        }
        .to_owned(),
        began_s: step.began,
        held_s: step.held as f64,
        throughput: step.throughput.middle,
        requests_per_second: step.requests,
        mean_ms: step.durations.mean(),
        p50_ms: at(0.5),
        p95_ms: at(0.95),
        p99_ms: at(0.99),
        errors: Some(step.errors),
        in_flight: step.in_flight,
        target_cpu: step.target_cpu,
    }
}

/// A level as it is kept with its run.
#[must_use]
pub fn step_json(held: &Step) -> serde_json::Value {
    serde_json::to_value(step(held)).unwrap_or_default()
}
