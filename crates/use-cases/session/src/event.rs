//! The events of a run.

use std::time::Duration;

use loadline_engine::WorkerHold;
use loadline_explain::Explanation;
use loadline_metrics::threshold::ConditionVerdict;
use loadline_metrics::{Histogram, Kind, Merger, MetricValue, ValueType, Window, builtin};
use loadline_observe::SourceNotice;
use loadline_outputs::OutputNotice;
use loadline_record::WarmUp;
use loadline_record::signals::TargetSnapshot;
use loadline_units::Time;
use loadline_vu::{Fault, LifecycleStage};

use crate::failed_requests::{self, FailureCount, REFUSED};
use crate::health::GeneratorSecond;
use crate::outcome::RunResult;

/// An event of a run. Events come in order.
#[derive(Debug)]
pub enum SessionEvent {
    /// The number of planned users made so far.
    UsersMade {
        /// Users that exist.
        made: u64,
        /// Users planned.
        planned: u64,
    },
    /// All users exist and the run is paused before its beginning.
    Waits,
    /// A stage begins.
    StageBegins(LifecycleStage),
    /// The scenarios' clock begins.
    Begins(Time),
    /// The warm-up is over; what was measured so far no longer counts.
    WarmedUp(WarmUp),
    /// A second is over.
    Second(Box<Second>),
    /// How the thresholds stand, in the order in which they are written.
    Judged(Vec<ThresholdState>),
    /// A scenario has no idle user and may make no more.
    OutOfUsers {
        /// Its name.
        scenario: String,
        /// Its executor.
        executor: &'static str,
        /// How many users it has.
        active: u64,
    },
    /// The test's own code failed while a user beyond the planned ones was made; the run goes on
    /// without it.
    ExtraFailed {
        /// The scenario it was for.
        scenario: String,
        /// Its executor.
        executor: &'static str,
        /// What failed.
        message: String,
    },
    /// A task held a worker for long, or did not give it back at the end.
    WorkerHeld(WorkerHold),
    /// So many series exist that further tag values are folded.
    TooManySeries {
        /// Number of series.
        series: usize,
    },
    /// A notice about an output.
    Output(OutputNotice),
    /// A source of signals answers, or no longer does.
    Source(SourceNotice),
    /// What the target shows of itself now.
    Target(Box<TargetSnapshot>),
    /// What limits the run, as far as its last seconds tell.
    Explained(Box<Explanation>),
    /// All iterations have ended.
    ScenariosOver,
    /// The sources of signals are watched on without load.
    WatchesOn {
        /// For so long.
        after: Duration,
    },
    /// A fault that ends the run.
    Failed(Fault),
    /// The run is over; nothing follows.
    Finished(Box<RunResult>),
}

/// How a threshold stands while the run goes on.
#[derive(Debug, Clone, PartialEq)]
pub struct ThresholdState {
    /// The metric or sub-metric.
    pub metric: String,
    /// The condition as written.
    pub condition: String,
    /// What the metric is.
    pub kind: Kind,
    /// What its values are.
    pub contains: ValueType,
    /// How it stood when last judged.
    pub verdict: ConditionVerdict,
}

/// The main figures of one window, for live views.
#[derive(Debug, Clone)]
pub struct Second {
    /// Its number, counted from the start of the workers.
    pub window: u64,
    /// Requests that ended in it.
    pub requests: f64,
    /// Of these, failed ones.
    pub failed: u64,
    /// Iterations that ended in it.
    pub iterations: f64,
    /// Iterations that began in it at a planned time.
    pub started: f64,
    /// Starts dropped in it.
    pub dropped: f64,
    /// Checks made in it.
    pub checks: f64,
    /// Of these, failed ones.
    pub checks_failed: f64,
    /// `http_req_duration` of those that did not fail, ms.
    pub durations: Histogram,
    /// The same of those that failed.
    pub failed_durations: Histogram,
    /// The failed requests by what failed.
    pub failures: Vec<FailureCount>,
    /// The generator's health, where it can be read.
    pub generator: Option<GeneratorSecond>,
    /// How long a worker was away in it; zero for less than 100 ms.
    pub stalled: Duration,
}

impl Second {
    /// Requests for which nobody listened at the target's address.
    pub(crate) fn refused(&self) -> f64 {
        let refused = self.failures.iter().filter(|one| one.code == REFUSED);
        refused.map(|one| one.count).sum()
    }

    pub(crate) fn new(window: &Window, merger: &Merger) -> Self {
        let counter = |metric| match window.of_metric(metric, loadline_metrics::Kind::Counter) {
            MetricValue::Counter(Some(sum)) => sum.value(),
            _ => 0.0,
        };
        let rate = loadline_metrics::Kind::Rate;
        let failed = match window.of_metric(builtin::HTTP_REQ_FAILED, rate) {
            MetricValue::Rate(rate) => rate.trues,
            _ => 0,
        };
        let (checks, checks_failed) = match window.of_metric(builtin::CHECKS, rate) {
            MetricValue::Rate(rate) => (rate.total as f64, (rate.total - rate.trues) as f64),
            _ => (0.0, 0.0),
        };
        let trend = |metric| match window.of_metric(metric, loadline_metrics::Kind::Trend) {
            MetricValue::Trend(histogram) => histogram,
            _ => Histogram::default(),
        };
        let failed_durations = failed_requests::durations_in_window(window, merger);
        Self {
            window: window.index,
            requests: counter(builtin::HTTP_REQS),
            failed,
            iterations: counter(builtin::ITERATIONS),
            // Each start has a lag, also one whose iteration never ends.
            started: trend(builtin::START_LAG).count() as f64,
            dropped: counter(builtin::DROPPED_ITERATIONS),
            checks,
            checks_failed,
            durations: trend(builtin::HTTP_REQ_DURATION).without(&failed_durations),
            failed_durations,
            failures: failed_requests::in_window(window, merger),
            generator: None,
            stalled: Duration::ZERO,
        }
    }
}
