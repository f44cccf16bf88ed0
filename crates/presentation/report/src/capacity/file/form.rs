//! The form of a capacity file, member by member: `docs/schemas/capacity.schema.json`.

use std::collections::BTreeMap;

use loadline_analysis::capacity::{IterationFaults, Knee};
use loadline_analysis::estimate::Estimate;
use loadline_record::LimitVerdict;
use serde::{Deserialize, Serialize};

use super::super::likely::LikelyLine;
use super::super::words::interpolated_users;

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
    /// The load that was asked for, in the unit of loads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<f64>,
    /// The requests per second that were asked for of a table of users.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal_requests: Option<GoalRequestsInFile>,
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

/// Requests per second that were asked for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GoalRequestsInFile {
    /// So many are needed.
    pub goal: f64,
    /// So many are carried at the line; 0 without one.
    pub carried: f64,
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
    /// Of a table, the load that it comes to, as it is told: interpolated, between this level and the one that misses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<f64>,
    /// The load that is safe: the one that holds, and no more than the lower end of where the limit lies. None in older files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub safe: Option<f64>,
    /// Where the limit is most likely crossed, by a fit over all levels.
    #[serde(default)]
    pub likely: Option<LikelyLineInFile>,
    /// What went wrong there beside requests.
    #[serde(default)]
    pub faults: FaultsInFile,
}

impl LineInFile {
    /// The load that a table comes to; `None` of a search. Older files have whole users in its place, which may be those of
    /// the level that misses.
    pub(in crate::capacity) fn of_table(&self) -> Option<f64> {
        let (_, at) = self.about.zip(self.interpolated)?;
        Some(interpolated_users(self.load, at, self.beyond?))
    }

    /// Where all levels together put it, beside the levels around it.
    pub(in crate::capacity) fn likely_line(&self) -> Option<LikelyLine> {
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

impl From<&Knee> for KneeInFile {
    fn from(knee: &Knee) -> Self {
        Self {
            load: knee.load.middle,
            low: knee.load.low,
            throughput: knee.throughput,
            in_flight: knee.in_flight,
            share_of_peak: knee.share,
        }
    }
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
    pub(in crate::capacity) const fn throughput(&self) -> Estimate {
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
    /// Why one that held is not sure: `near-limit`, `few-requests`; none in older files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<String>,
}
