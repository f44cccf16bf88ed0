//! What a run is and what it came to, beside what it measured.
//!
//! Kept as JSON under a blob's header. Fields a newer program adds are ignored by an older
//! one, and fields an older one did not write take their default.

use std::collections::BTreeMap;

use loadline_record::{Run, Series, WarmUp};
use serde::{Deserialize, Serialize};

/// What is known of a run when it starts, without secrets.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// What runs it: `url`, `k6`, `artillery`.
    pub kind: String,
    /// The test as named by who started it.
    pub test: String,
    /// SHA-256 of the test's files, in hexadecimal.
    pub hash: String,
    /// The test's source.
    pub source: Option<String>,
    /// The test's consolidated options.
    pub options: serde_json::Value,
    /// Where it ran.
    pub environment: Environment,
    /// Settings of the target that a person wrote down: `threads.max` = `20`.
    pub settings: BTreeMap<String, String>,
    /// A person's words.
    pub note: String,
    /// Its place among repetitions.
    pub series: Option<Series>,
    /// The plan it was made from, as `plan` wrote it.
    pub plan: Option<serde_json::Value>,
    /// The part of the test it is, if not all of it.
    pub segment: Option<Segment>,
    /// Thresholds as written.
    pub thresholds: Vec<Threshold>,
    /// Sub-metrics kept beside those that thresholds name.
    pub submetrics: Vec<String>,
    /// Metrics the test declared.
    pub metrics: Vec<Metric>,
    /// Scenarios: name, executor, and what it is expected to send, in words of its own.
    pub scenarios: Vec<Scenario>,
    /// The runs it was merged from.
    pub merged_from: Vec<String>,
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
    /// CPUs there are.
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
    /// Those asked to be kept, with their values.
    pub kept: BTreeMap<String, String>,
}

/// A threshold as written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Threshold {
    /// The metric's or sub-metric's name.
    pub metric: String,
    /// The condition; none for a metric that is only shown.
    pub condition: Option<String>,
}

/// A metric the test declared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metric {
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
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// How it makes load.
    pub executor: String,
    /// How long iterations may start, seconds.
    pub seconds: f64,
    /// Starts planned, of open load.
    pub starts: Option<u64>,
    /// The most virtual users.
    pub vus: u64,
}

/// A part of a test that several generators run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// From where to where: `1/4:1/2`.
    pub part: String,
    /// All the cuts, if given: `0,1/4,1/2,1`.
    pub sequence: String,
}

/// What a run came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// How it went.
    pub run: Run,
    /// The warm-up left out of the totals.
    pub warm_up: Option<WarmUp>,
    /// The scenarios began.
    pub began: bool,
    /// In a word: `passed`, `failed`, `stopped`, ...
    pub verdict: String,
}

/// Something that happened, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// When, on the run's clock, in nanoseconds.
    pub at_nanos: u64,
    /// When, on the machine's clock, in milliseconds since 1970.
    pub wall_ms: i64,
    /// Which kind: `begins`, `warmed-up`, ...
    pub kind: String,
    /// What about it.
    pub detail: serde_json::Value,
}
