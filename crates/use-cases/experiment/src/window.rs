//! What an experiment sees of one second of load.

use loadline_analysis::capacity::IterationFaults;
use loadline_analysis::slo::Sample;
use loadline_metrics::Histogram;
use loadline_record::Limit;

/// One window of load, all workers together.
#[derive(Debug, Clone, Default)]
pub struct LoadWindow {
    /// When it ended, seconds since the load's clock began.
    pub end: f64,
    /// How long it was, seconds.
    pub span: f64,
    /// Iterations that began in it.
    pub started: f64,
    /// Iterations that ended in it.
    pub ended: f64,
    /// Starts that found no virtual user.
    pub dropped: f64,
    /// Iterations running at its end.
    pub in_flight: f64,
    /// Requests that ended in it.
    pub requests: f64,
    /// Of these, failed ones.
    pub failed: f64,
    /// Of these, connections that were refused.
    pub refused: f64,
    /// Of these, answers that ask to come back later: 429, or 503 with Retry-After.
    pub asked_to_wait: f64,
    /// What went wrong beside requests.
    pub faults: IterationFaults,
    /// How long requests took that were answered well, ms.
    pub durations: Histogram,
    /// How long the iterations took that ended, ms.
    pub iterations: Histogram,
    /// Of each term of the objective, the requests it is asked of.
    pub samples: Vec<Sample>,
    /// How the generator fared.
    pub generator: Generator,
    /// The target's CPU, as a share of what it may use, where it is observed.
    pub target_cpu: Option<f64>,
}

/// How the generator fared in a window.
#[derive(Debug, Clone, Default)]
pub struct Generator {
    /// How late planned starts were, ms.
    pub lag: Histogram,
    /// How long answers waited to be read, ms.
    pub read_lag: Histogram,
    /// The busiest worker's share of a core.
    pub cpu: Option<f64>,
    /// The share of the window that a CPU quota took.
    pub throttled: f64,
    /// How long a worker was away (not scheduled, or busy in one piece), seconds; zero for
    /// less than 100 ms.
    pub stalled: f64,
    /// Whether files or ports ran out.
    pub lacks: Option<Limit>,
}

impl LoadWindow {
    /// The share of requests that failed; none without requests.
    #[must_use]
    pub fn errors(&self) -> Option<f64> {
        (self.requests > 0.0).then(|| self.failed / self.requests)
    }
}
