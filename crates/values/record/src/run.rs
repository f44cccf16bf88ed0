//! How a run went, apart from its metrics.

use std::time::Duration;

use crate::accounting::Accounting;
use crate::answer::FailedAnswer;
use crate::answers_compared::AnswerComparison;
use crate::health::{GeneratorHealth, Limit};
use crate::validity::{Goals, Validity};

/// Why a run ended.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Ending {
    /// It ran as planned.
    Finished,
    /// A threshold that stops runs failed.
    Threshold,
    /// The test asked for it.
    Test {
        /// What the test gave as its reason.
        message: String,
    },
    /// A person, another program or the system asked for it.
    Interrupted,
    /// Something the run needs failed.
    Failed {
        /// What happened.
        message: String,
    },
    /// A defect of this program.
    Defect {
        /// Its message.
        message: String,
    },
}

/// How the starts of load at a rate were spaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ArrivalProcess {
    /// At equal shares of the planned rate.
    Even,
    /// At random: a Poisson process of the planned rate.
    Poisson {
        /// The same seed makes the same starts.
        seed: u64,
    },
}

/// What the latency that a run is told with is counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum LatencyStart {
    /// When the request was sent.
    #[default]
    Sent,
    /// When it should have been sent: each iteration is one request of load at a rate.
    Planned,
}

/// How a run went.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Run {
    /// From the first iteration's start to the end of the last, set-up and teardown
    /// left out; counters' rates divide by it.
    pub duration: Duration,
    /// Why it ended.
    pub ending: Ending,
    /// What set-up returned, if the test has one.
    pub setup_data: Option<serde_json::Value>,
    /// Iterations that were over.
    pub complete_iterations: u64,
    /// Iterations that were cut off.
    pub interrupted_iterations: u64,
    /// The accounting; `None` in records made before it existed and for runs whose end was
    /// not recorded.
    #[serde(default)]
    pub accounting: Option<Accounting>,
    /// The most virtual users at one time.
    pub most_vus: u64,
    /// How starts were spaced; `None` without load at a rate, and in older records.
    #[serde(default)]
    pub arrivals: Option<ArrivalProcess>,
    /// What latency is counted from; in older records when a request was sent.
    #[serde(default)]
    pub latency_start: LatencyStart,
    /// Iterations that ended with an exception of the test's.
    #[serde(default)]
    pub exceptions: u64,
    /// Virtual users that gave up before the end of their scenario, as those of Artillery files do.
    #[serde(default)]
    pub failed_users: u64,
    /// Answers to URL runs that point elsewhere, which is not followed.
    #[serde(default)]
    pub redirects: u64,
    /// Where the first of them points, without its query; `None` where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirected_to: Option<String>,
    /// Goals that are no thresholds, such as those of Artillery's `ensure`; `None` without.
    #[serde(default)]
    pub goals: Option<Goals>,
    /// What failed requests were answered; empty in older records.
    #[serde(default)]
    pub failed_answers: Vec<FailedAnswer>,
    /// How answers compare with those of runs before; `None` where nobody asked, and in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<AnswerComparison>,
    /// The generator's health.
    pub generator: GeneratorHealth,
    /// What its delays touched, where there were any that matter; `None` in older records.
    #[serde(default)]
    pub validity: Option<Validity>,
    /// Missed goals of which nobody knows whether delays are in what they are about; empty in
    /// older records.
    #[serde(default)]
    pub untold_goals: Vec<String>,
}

impl Run {
    /// How the generator limited the run; empty where its verdict could not differ for it.
    #[must_use]
    pub fn generator_limits(&self) -> Vec<Limit> {
        let stands = self.validity.is_some_and(|found| found.standing.holds());
        if stands {
            return Vec::new();
        }
        self.generator_touches()
    }

    /// How the generator touched the run, whether its verdict stands or not: where no limit was
    /// reached, its delays are as long as what a goal is missed by.
    #[must_use]
    pub fn generator_touches(&self) -> Vec<Limit> {
        let mut limits = self.generator.limits(self.duration);
        if limits.is_empty() && self.validity.is_some() {
            limits.push(Limit::CloseGoal);
        }
        limits
    }

    /// Starts that were planned, and of these those that never were; `None` where users loop,
    /// and nothing was planned.
    #[must_use]
    pub fn starts(&self) -> Option<(u64, u64)> {
        let (planned, dropped) = (self.generator.planned_starts, self.generator.dropped_starts);
        let is_planned = self.arrivals.is_some() && planned > 0 || dropped > 0;
        is_planned.then_some((planned, dropped))
    }

    /// A run that finished, with nothing else known about it.
    #[must_use]
    pub fn finished(duration: Duration) -> Self {
        Self {
            duration,
            ending: Ending::Finished,
            setup_data: None,
            complete_iterations: 0,
            interrupted_iterations: 0,
            accounting: None,
            most_vus: 0,
            arrivals: None,
            latency_start: LatencyStart::Sent,
            exceptions: 0,
            failed_users: 0,
            redirects: 0,
            redirected_to: None,
            goals: None,
            failed_answers: Vec::new(),
            answers: None,
            generator: GeneratorHealth::default(),
            validity: None,
            untold_goals: Vec::new(),
        }
    }
}
