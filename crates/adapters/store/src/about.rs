//! What is stored of a run besides its measurements: what it was (when it starts) and how it
//! ended.
//!
//! Stored as JSON under a blob's header. An older program ignores fields that a newer one added;
//! a field that an older program did not write takes its default.

use std::collections::BTreeMap;

use loadline_record::bodies::BodySample;
use loadline_record::{LowerBounds, Run, Series, VerdictDetail, WarmUp};
use serde::{Deserialize, Serialize};

/// What is known of a run when it starts, without secrets.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RunInfo {
    /// What runs it: `url`, `k6`, `artillery`.
    pub kind: String,
    /// The test as named by who started it.
    pub test: String,
    /// SHA-256 of the test's files, in hexadecimal digits.
    pub hash: String,
    /// The test's source.
    pub source: Option<String>,
    /// The modules it imports from the web.
    pub modules: Vec<ModuleInfo>,
    /// The test's consolidated options.
    pub options: serde_json::Value,
    /// Where it ran.
    pub environment: Environment,
    /// Settings of the target, as the person who started the run gave them: `threads.max` = `20`.
    pub settings: BTreeMap<String, String>,
    /// Free text from the person who started the run.
    pub note: String,
    /// Its place in a series of repetitions.
    pub series: Option<Series>,
    /// The load plan that the run follows, as `loadline plan` wrote it.
    pub plan: Option<serde_json::Value>,
    /// The segment it ran, when several generators share the test.
    pub segment: Option<SegmentInfo>,
    /// Thresholds as written.
    pub thresholds: Vec<ThresholdInfo>,
    /// Conditions of the run that are no thresholds, as written: `ensure` of Artillery files.
    pub conditions: Vec<String>,
    /// Sub-metrics that are kept although no threshold names them.
    pub submetrics: Vec<String>,
    /// Metrics the test declared.
    pub metrics: Vec<MetricInfo>,
    /// The test's scenarios.
    pub scenarios: Vec<ScenarioInfo>,
    /// The socket on which it can be steered while it goes on.
    pub control_socket: Option<String>,
    /// The runs it was merged from; empty for a run of one generator.
    pub merged_from: Vec<String>,
}

/// A module that a test imports from the web.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ModuleInfo {
    /// Its URL.
    pub url: String,
    /// SHA-256 of its text, in hexadecimal digits.
    pub sha256: String,
    /// Where the text came from: `server`, `cache`, `lock`, `built-in`, `archive`.
    pub origin: String,
}

/// The machine and the program.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Environment {
    /// The program's version.
    pub version: String,
    /// The machine's name.
    pub host: String,
    /// System and version of its kernel.
    pub kernel: String,
    /// Number of CPUs.
    pub cpus: usize,
    /// CPUs the process may use.
    pub usable_cpus: usize,
    /// The cgroup's CPU quota in CPUs.
    pub cpu_limit: Option<f64>,
    /// The cgroup's memory limit in bytes.
    pub memory_limit: Option<u64>,
    /// The machine's memory in bytes.
    pub memory: Option<u64>,
    /// What was typed, without secrets.
    pub arguments: Vec<String>,
    /// Names of environment variables.
    pub variables: Vec<String>,
    /// Environment variables that the user asked to store, with their values.
    pub kept: BTreeMap<String, String>,
}

/// A threshold as the test writes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ThresholdInfo {
    /// The metric's or sub-metric's name.
    pub metric: String,
    /// The condition; `None` for a metric that is only shown.
    pub condition: Option<String>,
}

/// A metric the test declared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetricInfo {
    /// Its name.
    pub name: String,
    /// `counter`, `gauge`, `rate`, `trend`.
    pub kind: String,
    /// `default`, `time`, `data`.
    pub contains: String,
}

/// A scenario of the plan.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ScenarioInfo {
    /// Its name.
    pub name: String,
    /// Its executor, as k6 names it.
    pub executor: String,
    /// How long it may start iterations, in seconds.
    pub seconds: f64,
    /// When its last iterations start, in seconds since load began; `None` where their number
    /// decides it.
    pub ends: Option<f64>,
    /// How many iterations an open-model scenario plans to start.
    pub starts: Option<u64>,
    /// How many of them, on average over all seeds, by the end of each of equal parts of
    /// `seconds`; empty in older records and where nothing is planned.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub planned: Vec<f64>,
    /// The most virtual users.
    pub vus: u64,
}

/// The segment of a test that one of several generators runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentInfo {
    /// Its bounds: `1/4:1/2`.
    pub part: String,
    /// The whole segment sequence, if one was given: `0,1/4,1/2,1`.
    pub sequence: String,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunEnd {
    /// Duration, iterations and the generator's health.
    pub run: Run,
    /// The warm-up, which the totals leave out.
    pub warm_up: Option<WarmUp>,
    /// Whether the scenarios began.
    pub began: bool,
    /// The verdict in one word: `passed`, `failed`, `stopped`, ...
    pub verdict: String,
    /// What the word leaves out; empty in older records.
    #[serde(default)]
    pub detail: VerdictDetail,
    /// Which figures of the list are only lower bounds; none in older records.
    #[serde(default)]
    pub lower_bounds: LowerBounds,
    /// What bodies of each endpoint have in common, without what stands in them; none in older records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<BodySample>,
}

/// Something that happened during a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunEvent {
    /// When, on the run's clock, in nanoseconds.
    pub at_nanos: u64,
    /// When, on the machine's clock, in milliseconds since 1970.
    pub wall_ms: i64,
    /// Its kind: `begins`, `warmed-up`, ...
    pub kind: String,
    /// More about it; its shape depends on the kind.
    pub detail: serde_json::Value,
}
