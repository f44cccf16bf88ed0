//! Is B better than A, and by how much? Or is the evidence too weak to say?
//!
//! Differences of times and rates are ratios, so they are worked out on logarithms. Shares
//! (errors, failed checks, dropped starts) may be zero and are subtracted ([`shares`]). Where a side has several runs, each run gives
//! one value and the interval is Welch's over runs, with more degrees of freedom where both sides vary alike: it holds whatever differs from run to run. A single run gives values by *blocks* of
//! its windows (batch means), long enough to be nearly independent, and widened by what autocorrelation is left; how runs differ from
//! each other cannot be seen in it, so a difference must exceed what runs of one system usually differ by before it is called one.
//!
//! One look at all requests, whose intervals hold together, then looks at endpoints with a false
//! discovery rate ([`hierarchy`]): looking at many does not make one of them different by chance.
//! Percentiles are those of merged distributions; they are never averaged over windows.
//!
//! Answers come first: an endpoint whose answers changed comes before any difference in
//! speed, because a wrong answer is often a fast one. For the same reason nothing is called
//! faster where more requests failed.

mod answers;
mod bodies;
mod caveat;
mod cold;
mod hierarchy;
mod judge;
mod mended;
mod own_delays;
mod prior;
mod regression;
mod shares;
mod short_run;
mod shortfalls;
mod stages;
mod values;
mod weights;

use loadline_metrics::Histogram;
use loadline_record::{Shortfall, bodies::BodySample};

pub use answers::{AnswerChange, Answers, OtherAnswers, other_answers};
pub use bodies::{BodyChange, BodyCount, BodyState};
pub use caveat::{Caveat, LoadChange, LoadChanges, SettingChange, TargetSettings, setting_changes};
pub use cold::ColdRun;
use hierarchy::{Pair, WholeLooks};
use judge::Judge;
pub use mended::MendedErrors;
pub use regression::{Concern, ConcernKind, Regression, SHARE_CHANGE_MIN};
pub use short_run::ShortRun;

/// What one run measured of one endpoint, or of all.
#[derive(Debug, Clone, Default)]
pub struct ComparedRun {
    /// Its full windows (1 s each), in order, without warm-up.
    pub windows: Vec<ComparedWindow>,
    /// What the answers were.
    pub answers: Answers,
    /// What a sample of their bodies has in common; of all requests together only where they are of one endpoint.
    pub bodies: BodySample,
    /// What the run as a whole fell short of; of all requests together only.
    pub shortfalls: Vec<Shortfall>,
    /// All its iterations were to start at planned times, and nothing changed that on the way:
    /// how many were sent is a condition of the run, and no result.
    pub is_planned: bool,
}

/// One window.
#[derive(Debug, Clone, Default)]
pub struct ComparedWindow {
    /// Requests that ended in it.
    pub requests: f64,
    /// Of these, requests that ended after the load was over: no rate counts them.
    pub drained: f64,
    /// Of these, failed ones.
    pub failed: f64,
    /// Failed ones for which nobody listened at the target's address.
    pub refused: f64,
    /// How long they took, in milliseconds.
    pub durations: Histogram,
    /// Of these, those that failed.
    pub failed_durations: Histogram,
    /// How old requests were when they were cut, in milliseconds, in the window in which they
    /// were sent: they would have taken longer.
    pub cut: Histogram,
    /// Checks, and those that failed.
    pub checks: f64,
    /// Failed checks.
    pub checks_failed: f64,
    /// Iterations that ended in it.
    pub iterations: f64,
    /// Iterations that were to start, dropped ones included.
    pub planned: f64,
    /// Of these, those that never did.
    pub dropped: f64,
    /// How many iterations were to start in it as the plan has it, whatever chance made of it;
    /// 0 without a plan.
    pub planned_rate: f64,
    /// Virtual users at its end; of several windows the most.
    pub users: f64,
    /// Good answers whose size is known: errors have bodies of their own.
    pub sized: f64,
    /// Bytes of their bodies, as sent.
    pub bytes: f64,
    /// How long answers waited for the generator to read them; of several windows the longest.
    pub read_wait: ReadWait,
    /// The longest that the generator itself was late with a start or an answer, ms: the machine may have stood still for as long.
    pub own_delay_ms: f64,
}

/// How long answers waited for the generator to read them, ms: what is in their times and not the
/// target's.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ReadWait {
    /// Half of them at least so long.
    pub p50_ms: f64,
    /// One in twenty at least so long.
    pub p95_ms: f64,
}

impl ComparedWindow {
    /// Adds all that another window counted.
    pub fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.drained += other.drained;
        self.failed += other.failed;
        self.refused += other.refused;
        self.durations.merge(&other.durations);
        self.failed_durations.merge(&other.failed_durations);
        self.cut.merge(&other.cut);
        self.checks += other.checks;
        self.checks_failed += other.checks_failed;
        self.iterations += other.iterations;
        self.planned += other.planned;
        self.dropped += other.dropped;
        self.planned_rate += other.planned_rate;
        self.users = self.users.max(other.users);
        self.sized += other.sized;
        self.bytes += other.bytes;
        self.read_wait.p50_ms = self.read_wait.p50_ms.max(other.read_wait.p50_ms);
        self.read_wait.p95_ms = self.read_wait.p95_ms.max(other.read_wait.p95_ms);
        self.own_delay_ms = self.own_delay_ms.max(other.own_delay_ms);
    }
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Requests per second; more is better.
    Rate,
    /// Mean duration.
    Mean,
    /// Median duration.
    P50,
    /// 95th percentile of durations.
    P95,
    /// The share of failed requests.
    Errors,
    /// The share of failed checks.
    Checks,
    /// The share of planned iterations that never started, or whose request was cut unanswered.
    Dropped,
}

impl Measure {
    /// All of them, in the order of reports.
    pub const ALL: [Self; 7] = [
        Self::Rate,
        Self::Mean,
        Self::P50,
        Self::P95,
        Self::Errors,
        Self::Checks,
        Self::Dropped,
    ];

    fn more_is_better(self) -> bool {
        self == Self::Rate
    }

    /// Whether it is a share, compared by its absolute difference; else a ratio.
    #[must_use]
    pub const fn is_share(self) -> bool {
        matches!(self, Self::Errors | Self::Checks | Self::Dropped)
    }
}

/// With a single run on a side a difference is called one beyond this share, by which runs of one system on a busy machine were
/// seen to differ.
const SINGLE_FLOOR: f64 = 0.10;

/// How careful a comparison is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ComparisonSettings {
    /// How sure all intervals together are: 0.95.
    pub confidence: f64,
    /// Differences up to this share are none worth telling, as long as the interval lies
    /// within it: 0.05.
    pub tolerance: f64,
    /// Whether somebody asked for that tolerance: then it holds before the floors, also where it is wider than they are.
    pub is_tolerance_asked: bool,
    /// With several runs on both sides a difference is called one beyond this: 0.01.
    pub floor: f64,
    /// With a single run on a side, beyond this: 0.10.
    pub single_floor: f64,
    /// Differences of shares are reported beyond this much of the whole, and none are when the
    /// interval lies within twice of it: 0.005.
    pub share_floor: f64,
    /// Endpoints beyond this many are compared together only; the busiest on both sides are kept.
    pub most_endpoints: usize,
}

impl Default for ComparisonSettings {
    fn default() -> Self {
        Self {
            confidence: 0.95,
            tolerance: 0.05,
            is_tolerance_asked: false,
            floor: 0.01,
            single_floor: SINGLE_FLOOR,
            share_floor: 0.005,
            most_endpoints: 20,
        }
    }
}

/// A change with its interval; shares of the first side (for errors: of all requests).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// The least it may be.
    pub low: f64,
    /// The estimate.
    pub middle: f64,
    /// The most it may be.
    pub high: f64,
}

/// What can be said about a measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Finding {
    /// The second side is better.
    Better,
    /// The second side is worse.
    Worse,
    /// If there is a difference, it is at most this share.
    NoLargerThan {
        /// The largest difference that fits.
        share: f64,
    },
    /// It is what was planned, and no result.
    Planned,
    /// It cannot be told.
    CannotTell {
        /// Why not.
        why: UncertaintyReason,
    },
}

/// Why there is no verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum UncertaintyReason {
    /// A run has too few windows or requests to see how they spread.
    TooShort {
        /// The run that is the shorter one.
        run: ShortRun,
    },
    /// There is a difference within the runs, but single runs differ by as much by chance.
    SingleRuns,
    /// The values spread too much; so many runs a side would do.
    Spread {
        /// Runs a side, about; `None` if not even a hundred would do.
        runs: Option<u32>,
    },
    /// There is a difference, which may be within the tolerance that was asked for; so many runs a side would tell.
    AcrossTolerance {
        /// Runs a side, about; `None` if not even a hundred would do.
        runs: Option<u32>,
    },
    /// None is bad on either side, or all are, of so few that a difference may hide; so many
    /// runs a side would do.
    TooFew {
        /// Runs a side, about; `None` if not even a hundred would do.
        runs: Option<u32>,
    },
    /// More requests failed: failed ones are often fast.
    MoreErrors,
    /// The generator read answers so late that this may be the difference, and the seconds without
    /// say something else, or are too few.
    OwnDelays,
    /// So many requests were cut that the value of a side is only a lower bound.
    Cut,
    /// There was nothing to compare on a side.
    Nothing,
}

/// A measure compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// What was compared.
    pub measure: Measure,
    /// Of the first side, over all its runs; `None` when nothing was measured there.
    pub before: Option<f64>,
    /// Of the second side, likewise.
    pub after: Option<f64>,
    /// Which of the two are only known to be at least so large, as requests were cut.
    pub at_least: (bool, bool),
    /// Where stages of the same planned load are compared, the geometric means of their values on
    /// both sides, whose ratio the change is. How much a stage counts in `before` and `after`
    /// follows from how many requests it had.
    pub of_stages: Option<[f64; 2]>,
    /// The change, where it could be worked out.
    pub change: Option<Change>,
    /// What can be said.
    pub finding: Finding,
}

/// An endpoint compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Endpoint {
    /// Its name; empty for all requests together.
    pub name: String,
    /// How its answers changed.
    pub changed: Vec<AnswerChange>,
    /// How its measures did; times are those of good answers.
    pub differences: Vec<Difference>,
    /// The 95th percentile of failed requests on both sides, ms; `None` where none failed.
    pub failed_p95: [Option<f64>; 2],
}

/// Two sides compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// All requests together.
    pub whole: Endpoint,
    /// Endpoints that both sides have, those with changed answers first; differences of the
    /// busiest only.
    pub endpoints: Vec<Endpoint>,
    /// Endpoints that only the first side has.
    pub only_before: Vec<String>,
    /// Endpoints that only the second side has.
    pub only_after: Vec<String>,
    /// Runs of each side.
    pub runs: (usize, usize),
    /// Requests of each side.
    pub requests: (f64, f64),
    /// Seconds of each side that were compared.
    pub seconds: (usize, usize),
    /// Intervals of all requests, which hold together.
    pub intervals: usize,
    /// Looks at endpoints; of what is called of them no more than the rest is by chance.
    pub endpoint_looks: usize,
    /// First runs that were cold, and are not compared, of each side.
    pub cold: [Option<ColdRun>; 2],
    /// Endpoints that both sides have but that were too many to compare one by one, answers
    /// aside.
    pub left_out: usize,
    /// Of the kinds that no measure tells (requests cut off, exceptions), what every run of the
    /// second side fell short of and none of the first.
    pub new_shortfalls: Vec<Shortfall>,
    /// Stages of the same planned load in which two single runs of a varied load were compared.
    pub stages: Option<usize>,
}

impl Comparison {
    /// How sure the intervals of all requests are together: half of what may go wrong is left to
    /// the endpoints, where there are any.
    #[must_use]
    pub fn whole_confidence(&self, settings: &ComparisonSettings) -> f64 {
        1.0 - hierarchy_share(self.endpoint_looks) * (1.0 - settings.confidence)
    }
}

/// The share of what may go wrong that belongs to all requests, and to the endpoints.
fn hierarchy_share(endpoint_looks: usize) -> f64 {
    match endpoint_looks {
        0 => 1.0,
        _ => 0.5,
    }
}

/// One side: its runs, all requests together and by endpoint.
#[derive(Debug, Clone, Default)]
pub struct Side {
    /// Each run's requests together.
    pub whole: Vec<ComparedRun>,
    /// The same by endpoint; each has as many runs.
    pub endpoints: Vec<(String, Vec<ComparedRun>)>,
}

/// Compares two sides; their runs are in the order of time.
#[must_use]
pub fn compare(before: &Side, after: &Side, settings: &ComparisonSettings) -> Comparison {
    let ((cold_before, warm_before), (cold_after, warm_after)) =
        (cold::without(before), cold::without(after));
    let before = warm_before.as_ref().unwrap_or(before);
    let after = warm_after.as_ref().unwrap_or(after);
    Comparison {
        cold: [cold_before, cold_after],
        ..compare_warm(before, after, settings)
    }
}

fn compare_warm(before: &Side, after: &Side, settings: &ComparisonSettings) -> Comparison {
    let find = |side: &'_ Side, name: &str| side.endpoints.iter().position(|(n, _)| n == name);
    let mut shared: Vec<(usize, usize)> = before
        .endpoints
        .iter()
        .enumerate()
        .filter_map(|(place, (name, _))| Some((place, find(after, name)?)))
        .collect();
    let only = |side: &Side, other: &Side| -> Vec<String> {
        let names = side.endpoints.iter().map(|(name, _)| name);
        names
            .filter(|name| find(other, name).is_none())
            .cloned()
            .collect()
    };
    // The busiest of those that both sides have, whatever else either of them has.
    let requests = |(a, b): &(usize, usize)| {
        requests_of(&before.endpoints[*a].1) + requests_of(&after.endpoints[*b].1)
    };
    shared.sort_by(|one, other| requests(other).total_cmp(&requests(one)));
    let rest = shared.split_off(shared.len().min(settings.most_endpoints));
    // A test of one endpoint is shown once.
    let shared = if shared.len() == 1 && before.endpoints.len() == 1 && after.endpoints.len() == 1 {
        Vec::new()
    } else {
        shared
    };
    let pairs = shared.iter().map(|(a, b)| {
        let (name, runs) = &before.endpoints[*a];
        Pair {
            name,
            before: runs,
            after: &after.endpoints[*b].1,
        }
    });
    let pairs: Vec<Pair<'_>> = pairs.collect();
    let alpha = (1.0 - settings.confidence) * hierarchy_share(pairs.len());
    let judged = hierarchy::endpoints(&pairs, alpha, settings);
    let mut endpoints = judged.all;
    let whole = Pair {
        name: "",
        before: &before.whole,
        after: &after.whole,
    };
    let looks = WholeLooks::new(whole);
    let alpha = (1.0 - settings.confidence) * hierarchy_share(judged.looks);
    let judge = Judge {
        settings,
        tail: alpha / looks.weight / 2.0,
        is_whole: true,
        priors: Vec::new(),
    };
    // Answers need no interval: those of all endpoints are compared.
    endpoints.extend(rest.iter().filter_map(|(a, b)| {
        let (name, runs) = &before.endpoints[*a];
        answers_only(name, runs, &after.endpoints[*b].1)
    }));
    endpoints.sort_by_key(Endpoint::order_of_changes);
    let mut whole = judge.endpoint("", &before.whole, &after.whole);
    if !shared.is_empty() {
        // The mean size of all answers also follows from how often each endpoint is asked.
        let is_size = |change: &AnswerChange| matches!(change, AnswerChange::Size { .. });
        whole.changed.retain(|change| !is_size(change));
    }
    Comparison {
        whole,
        endpoints,
        only_before: only(before, after),
        only_after: only(after, before),
        runs: (before.whole.len(), after.whole.len()),
        requests: (requests_of(&before.whole), requests_of(&after.whole)),
        seconds: (seconds_of(&before.whole), seconds_of(&after.whole)),
        intervals: looks.count,
        endpoint_looks: judged.looks,
        cold: [None, None],
        left_out: rest.len(),
        new_shortfalls: shortfalls::only_after(&before.whole, &after.whole),
        stages: stages::count(&before.whole, &after.whole),
    }
}

/// An endpoint of which only the answers are compared; `None` when they are the same.
fn answers_only(name: &str, before: &[ComparedRun], after: &[ComparedRun]) -> Option<Endpoint> {
    let changed = answers::changes(before, after, false);
    (!changed.is_empty()).then(|| Endpoint {
        name: name.to_owned(),
        changed,
        differences: Vec::new(),
        failed_p95: [None, None],
    })
}

fn requests_of(runs: &[ComparedRun]) -> f64 {
    let windows = runs.iter().flat_map(|run| &run.windows);
    windows.map(|window| window.requests).sum()
}

fn seconds_of(runs: &[ComparedRun]) -> usize {
    runs.iter().map(|run| run.windows.len()).sum()
}

#[cfg(test)]
mod tests;
