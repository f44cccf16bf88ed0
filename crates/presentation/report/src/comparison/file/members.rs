//! The members of the document.

use loadline_record::{LimitVerdict, Shortfall};
use serde::Serialize;

/// Two sides compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparisonFile {
    /// Version of the form.
    pub loadline_comparison: u32,
    /// The first side.
    pub before: SideInFile,
    /// The second side.
    pub after: SideInFile,
    /// How sure all intervals together are, a share.
    pub confidence: f64,
    /// Differences up to this share are none worth telling.
    pub within: f64,
    /// Intervals of all requests, which hold together.
    pub intervals: usize,
    /// Looks at endpoints.
    pub endpoint_looks: usize,
    /// First runs that were cold and are not compared; `null` of a side that has none.
    pub cold: [Option<ColdInFile>; 2],
    /// What keeps the sides from being alike, the load first.
    pub caveats: Vec<CaveatInFile>,
    /// What moved at the target, most first; empty when it was not observed on both sides.
    pub moved: Vec<UsageChangeInFile>,
    /// What limits each run, as `explain` says it.
    pub limits: LimitsInFile,
    /// What every run of the second side fell short of, in counts of its last one, and none of
    /// the first.
    pub new_shortfalls: Vec<Shortfall>,
    /// Stages of the same planned load in which times were compared; `null` of an even load.
    pub stages: Option<usize>,
    /// All requests together.
    pub all: EndpointInFile,
    /// Endpoints of both sides, those with changed answers first.
    pub endpoints: Vec<EndpointInFile>,
    /// Endpoints that only the first side has.
    pub only_before: Vec<String>,
    /// Endpoints that only the second side has.
    pub only_after: Vec<String>,
    /// Endpoints that were too many to compare one by one, answers aside.
    pub endpoints_left_out: usize,
    /// What `--fail-if-worse` came to; `null` without it.
    pub regression: Option<RegressionInFile>,
}

/// A first run that was cold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ColdInFile {
    /// Its mean time, ms.
    pub first_ms: f64,
    /// The mean of those after it, ms.
    pub later_ms: f64,
}

/// What limits the runs of both sides.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LimitsInFile {
    /// Of each run of the first side.
    pub before: Vec<LimitVerdict>,
    /// Of each run of the second side.
    pub after: Vec<LimitVerdict>,
}

/// A side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SideInFile {
    /// As named by who asked.
    pub name: String,
    /// How many runs it is of.
    pub runs: usize,
    /// Requests that were compared.
    pub requests: f64,
    /// Full seconds that were compared.
    pub seconds: usize,
}

/// What keeps the sides from being alike.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum CaveatInFile {
    /// Iterations planned per second differ.
    OtherLoad {
        /// On the first side.
        before: f64,
        /// On the second side.
        after: f64,
    },
    /// A run's load was changed while it ran.
    LoadChanged {
        /// The run.
        run: String,
        /// The changes, in order.
        changes: Vec<LoadChangeInFile>,
    },
    /// Different tests.
    OtherTest,
    /// Different machines or CPUs.
    OtherMachine,
    /// The target was set up differently.
    OtherTarget {
        /// What differs.
        settings: Vec<SettingChangeInFile>,
    },
    /// Of one side nothing of the target is known.
    OneSideObserved {
        /// Runs of the first side that were observed.
        before: u64,
        /// Of the second side.
        after: u64,
    },
    /// The generator was the bottleneck.
    NotValid {
        /// In these runs.
        runs: Vec<String>,
    },
    /// Seconds that are not compared.
    SecondsLeft {
        /// Of the first side.
        before: u64,
        /// Of the second side.
        after: u64,
    },
}

/// A setting that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SettingChangeInFile {
    /// Its name.
    pub name: String,
    /// On the first side.
    pub before: String,
    /// On the second side.
    pub after: String,
}

/// Geometric means of the values of stages.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StageMeansInFile {
    /// On the first side.
    pub before: f64,
    /// On the second side.
    pub after: f64,
}

/// A resource of the target that moved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UsageChangeInFile {
    /// Its name, as in the evidence of findings.
    pub name: &'static str,
    /// The unit of both numbers.
    pub unit: &'static str,
    /// What the first side used.
    pub before: f64,
    /// What the second side used.
    pub after: f64,
}

/// A change of load.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LoadChangeInFile {
    /// When, in seconds since the load began.
    pub at_s: f64,
    /// Who changed it: `key`, `rest-api`, `search`.
    pub by: String,
    /// How: `paused`, `resumed`, `scaled`, `level`.
    pub change: String,
    /// To which share of the plan (`scaled`), or to which load (`level`).
    pub to: Option<f64>,
}

/// An endpoint, or all requests.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EndpointInFile {
    /// Its name; empty for all requests.
    pub name: String,
    /// How its answers changed.
    pub changed_answers: Vec<AnswerChangeInFile>,
    /// Its measures; none where only answers were compared.
    pub differences: Vec<DifferenceInFile>,
    /// The 95th percentile of failed requests on both sides; the other times are of good answers.
    pub failed_p95_ms: [Option<f64>; 2],
}

/// A change of answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum AnswerChangeInFile {
    /// The share of a status.
    Status {
        /// The status; `0` is no answer.
        status: String,
        /// Before.
        before: f64,
        /// After.
        after: f64,
    },
    /// The mean size of a body, in bytes.
    Size {
        /// Before.
        before: f64,
        /// After.
        after: f64,
    },
    /// What is so of more of the bodies that were looked at.
    Body {
        /// The place in JSON, such as `items[].price`; empty for whole bodies.
        field: String,
        /// What is so, such as `empty`.
        state: &'static str,
        /// Of so many bodies before; for words so many words.
        before: f64,
        /// Of so many.
        before_of: f64,
        /// After.
        after: f64,
        /// Of so many.
        after_of: f64,
    },
}

/// A measure compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DifferenceInFile {
    /// `tps`, `mean`, `p50`, `p95`, `errors`, `checks` (that failed) or `dropped` (starts).
    pub measure: &'static str,
    /// `ratio`: shares of the first side; `difference`: of all requests, checks or starts.
    pub scale: &'static str,
    /// Of the first side; `null` when nothing was measured there.
    pub before: Option<f64>,
    /// Of the second side, likewise.
    pub after: Option<f64>,
    /// `before` is only known to be at least so large.
    pub before_at_least: bool,
    /// `after` is only known to be at least so large.
    pub after_at_least: bool,
    /// Where stages of the same planned load were compared, the means whose ratio the change is.
    pub of_stages: Option<StageMeansInFile>,
    /// The change with its interval, where it could be worked out.
    pub change: Option<ChangeInFile>,
    /// What can be said.
    pub finding: FindingInFile,
}

/// A change with its interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangeInFile {
    /// The least it may be.
    pub low: f64,
    /// The estimate.
    pub middle: f64,
    /// The most it may be.
    pub high: f64,
}

/// What can be said.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum FindingInFile {
    /// The second side is better.
    Better,
    /// The second side is worse.
    Worse,
    /// If there is a difference, it is at most this share.
    NoDifference {
        /// The largest difference that fits.
        largest: f64,
    },
    /// It is what was planned, and no result.
    Planned,
    /// It cannot be told.
    CannotTell {
        /// `too-short`, `single-runs`, `spread`, `across-within`, `too-few`, `more-errors`, `cut` or `nothing-measured`.
        reason: &'static str,
        /// Runs a side that would do, about.
        runs_needed: Option<u32>,
    },
}

/// What `--fail-if-worse` came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RegressionInFile {
    /// The limit, a share.
    pub limit: f64,
    /// `none`, `worse` or `cannot-judge`.
    pub result: &'static str,
    /// What is worse for certain.
    pub worse: Vec<ConcernInFile>,
    /// What cannot be ruled out to be.
    pub unsure: Vec<ConcernInFile>,
}

/// Something that is worse, or may be.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConcernInFile {
    /// The endpoint; empty for all requests.
    pub endpoint: String,
    /// A measure, `answers`, or what every run fell short of: `cut`, `exceptions`.
    pub of: &'static str,
}
