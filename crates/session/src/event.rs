//! What a run tells those who follow it.

use loadline_metrics::{Histogram, Value, builtin};
use loadline_outputs::OutputNotice;
use loadline_record::WarmUp;
use loadline_units::Time;
use loadline_vu::{Fault, Stage};

use crate::health::GeneratorSecond;
use crate::outcome::Outcome;

/// Something that happened in a run, in order.
#[derive(Debug)]
pub enum Event {
    /// So many of the planned users exist.
    UsersMade {
        /// Users that exist.
        made: u64,
        /// Users planned.
        planned: u64,
    },
    /// All users exist and the run is paused before its beginning.
    Waits,
    /// A stage begins.
    StageBegins(Stage),
    /// The scenarios' clock begins.
    Begins(Time),
    /// The warm-up is over; what was measured so far no longer counts.
    WarmedUp(WarmUp),
    /// A second is over.
    Second(Box<Second>),
    /// A scenario has no idle user and may make no more.
    OutOfUsers {
        /// Its name.
        scenario: String,
        /// Its executor.
        executor: &'static str,
        /// How many users it has.
        active: u64,
    },
    /// There are so many series that further tag values are folded.
    TooManySeries {
        /// Series there are.
        series: usize,
    },
    /// Something about an output.
    Output(OutputNotice),
    /// All iterations have ended.
    ScenariosOver,
    /// Something broke that ends the run.
    Failed(Fault),
    /// The run is over; nothing follows.
    Finished(Box<Outcome>),
}

/// One window's essentials, for live views.
#[derive(Debug, Clone)]
pub struct Second {
    /// Its number, from the making of users.
    pub window: u64,
    /// Requests that ended in it.
    pub requests: f64,
    /// Of these, failed ones.
    pub failed: u64,
    /// Iterations that ended in it.
    pub iterations: f64,
    /// Starts dropped in it.
    pub dropped: f64,
    /// `http_req_duration` of these requests, ms.
    pub durations: Histogram,
    /// How the generator fared, where it can be read.
    pub generator: Option<GeneratorSecond>,
}

impl Second {
    pub(crate) fn of(window: &loadline_metrics::Window) -> Self {
        let counter = |metric| match window.of_metric(metric, loadline_metrics::Kind::Counter) {
            Value::Counter(Some(sum)) => sum.value(),
            _ => 0.0,
        };
        let rate = loadline_metrics::Kind::Rate;
        let failed = match window.of_metric(builtin::HTTP_REQ_FAILED, rate) {
            Value::Rate(rate) => rate.trues,
            _ => 0,
        };
        let trend = loadline_metrics::Kind::Trend;
        let durations = match window.of_metric(builtin::HTTP_REQ_DURATION, trend) {
            Value::Trend(histogram) => histogram,
            _ => Histogram::default(),
        };
        Self {
            window: window.index,
            requests: counter(builtin::HTTP_REQS),
            failed,
            iterations: counter(builtin::ITERATIONS),
            dropped: counter(builtin::DROPPED_ITERATIONS),
            durations,
            generator: None,
        }
    }
}
