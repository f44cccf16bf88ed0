//! A level that was held, and its result.

use loadline_metrics::Histogram;
use loadline_record::Limit;

use crate::estimate::Estimate;
use crate::pauses::Pauses;
use crate::slo::{JudgedTerm, Term, TermState};

/// In what load is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Iterations started per second.
    Rate,
    /// Virtual users that loop.
    Users,
}

/// Why a level was held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To see the target without load, and to warm it up.
    Baseline,
    /// To find where it gives way, by doubling.
    Climb,
    /// To close in on the line.
    Refine,
    /// To be sure of the line.
    Confirm,
    /// To place the knee.
    Knee,
    /// To see whether it lasts.
    Soak,
}

/// Why a level was ended at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AbortReason {
    /// More than 20 % of the requests failed: this share.
    Errors(f64),
    /// Connections were refused.
    Refused,
    /// Nothing was answered any more.
    NoAnswers,
}

/// What stopped the load, other than the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ceiling {
    /// The generator, in these ways.
    Generator(Vec<Limit>),
    /// There were not enough virtual users for iterations this long.
    Users,
    /// The highest load that was allowed.
    Highest,
    /// The load that is needed was confirmed, and no more was asked for.
    Goal,
}

/// The result of a level.
#[derive(Debug, Clone, PartialEq)]
pub enum LevelOutcome {
    /// The objective holds with confidence.
    Holds,
    /// Nothing speaks against it; it was not held long enough to be sure.
    Likely,
    /// A term (its place) is missed; `sure` is false where the estimate says so only.
    Misses {
        /// The term's place in the objective.
        term: usize,
        /// With confidence.
        sure: bool,
    },
    /// It was not clear in the time a level may take.
    Unclear,
    /// More iterations start than end: the rest piles up.
    Overloaded,
    /// The target asks to come back later: a limit set on purpose.
    AsksToWait,
    /// It was ended at once.
    Aborted(AbortReason),
    /// Something else than the target was the limit.
    Invalid(Ceiling),
    /// Who watched ended it.
    Cut,
}

impl LevelOutcome {
    /// Whether the target carried the level.
    #[must_use]
    pub const fn is_carried(&self) -> bool {
        matches!(self, Self::Holds | Self::Likely)
    }

    /// Whether the level was more than the target carries.
    #[must_use]
    pub const fn is_too_much(&self) -> bool {
        matches!(
            self,
            Self::Misses { .. } | Self::Overloaded | Self::AsksToWait | Self::Aborted(_)
        )
    }

    /// Whether it was so with confidence: not by the estimate alone.
    #[must_use]
    pub const fn is_surely_too_much(&self) -> bool {
        self.is_too_much() && !matches!(self, Self::Misses { sure: false, .. })
    }
}

/// A level that was held.
#[derive(Debug, Clone)]
pub struct Step {
    /// The load: iterations per second or users.
    pub load: f64,
    /// Why.
    pub purpose: Purpose,
    /// When it began, seconds since the load's clock began.
    pub began: f64,
    /// How many windows count, the transition left out.
    pub held: usize,
    /// When, in windows that count, it began to be missed; zero unless that was late.
    pub late: usize,
    /// Its result.
    pub outcome: LevelOutcome,
    /// Iterations that ended per second.
    pub throughput: Estimate,
    /// Good iterations per second in its last windows.
    pub sustained: f64,
    /// Requests per second.
    pub requests: f64,
    /// Iterations running, on average.
    pub in_flight: f64,
    /// How long requests took, ms.
    pub durations: Histogram,
    /// Mean length of an iteration, ms; none when none ended.
    pub iteration_ms: Option<f64>,
    /// Share of requests that failed.
    pub errors: f64,
    /// Share of answers that asked to come back later.
    pub asked_to_wait: f64,
    /// What went wrong apart from requests.
    pub faults: IterationFaults,
    /// Of each term, what was measured.
    pub terms: Vec<JudgedTerm>,
    /// How far it is off Little's law, as a share, where that is more than chance.
    pub off_law: Option<f64>,
    /// How much the mean times of its windows resemble the one before, -1 to 1; `None` where they are too few to tell.
    pub resemblance: Option<f64>,
    /// Regular pauses that were seen.
    pub pauses: Option<Pauses>,
    /// The target's CPU, where it is observed.
    pub target_cpu: Option<f64>,
}

/// What of a level's iterations went wrong apart from their requests.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct IterationFaults {
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

impl IterationFaults {
    /// The faults of both.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            checks: self.checks + other.checks,
            failed_checks: self.failed_checks + other.failed_checks,
            iterations: self.iterations + other.iterations,
            broken: self.broken + other.broken,
            redirects: self.redirects + other.redirects,
        }
    }
}

/// What is measured is near a limit from half of it on.
const NEAR_EXCESS_MIN: f64 = -0.5;

/// So few requests of a load say nothing of what is carried.
const FEW_REQUESTS: f64 = 30.0;

/// What was sent at a load, and beyond it, by all levels that were carried.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SentAtLoad {
    /// Requests.
    pub requests: f64,
    /// Seconds.
    pub seconds: f64,
}

impl SentAtLoad {
    /// Of these levels.
    #[must_use]
    pub fn of_steps<'a>(steps: impl IntoIterator<Item = &'a Step>, load: f64) -> Self {
        let mut sent = Self::default();
        let steps = steps.into_iter();
        for step in steps.filter(|step| step.outcome.is_carried() && step.load >= load) {
            sent.add(step.requests, step.held as f64);
        }
        sent
    }

    /// A level with so many requests per second.
    pub fn add(&mut self, requests_per_second: f64, seconds: f64) {
        self.requests += requests_per_second * seconds;
        self.seconds += seconds;
    }

    /// Whether it says nothing of what is carried.
    #[must_use]
    pub fn is_few(&self) -> bool {
        self.requests < FEW_REQUESTS
    }
}

/// Why a level that held is not sure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnsureReason {
    /// What was measured is near a limit, or was not at rest.
    NearLimit,
    /// It is far from any limit, and so few requests could hide more.
    FewRequests,
}

impl Step {
    /// Why it is not sure, where it held for all that was seen: less load would be clear of a limit, and more requests of what
    /// so few may hide.
    #[must_use]
    pub fn doubt(&self, terms: &[Term]) -> UnsureReason {
        let holds = |judged: &JudgedTerm| judged.standing == TermState::Holds;
        // One whose terms all hold may not have been at rest.
        if self.terms.iter().all(holds) {
            return UnsureReason::NearLimit;
        }
        let mut judged = self.terms.iter().zip(terms);
        let is_near = judged.any(|(judged, term)| {
            let is_open = judged.standing != TermState::Holds;
            let value = judged.value.filter(|_| is_open);
            value.is_some_and(|value| term.excess(value.middle) > NEAR_EXCESS_MIN)
        });
        if is_near {
            UnsureReason::NearLimit
        } else {
            UnsureReason::FewRequests
        }
    }

    /// Requests per iteration; one where none is known.
    #[must_use]
    pub fn requests_per_iteration(&self) -> f64 {
        if self.throughput.middle > 0.0 && self.requests > 0.0 {
            self.requests / self.throughput.middle
        } else {
            1.0
        }
    }

    /// How long of an iteration no request is under way, ms, if its requests follow each
    /// other; none when none ended.
    #[must_use]
    pub fn think_ms(&self) -> Option<f64> {
        let waits = self.requests_per_iteration() * self.durations.mean()?;
        Some((self.iteration_ms? - waits).max(0.0))
    }
}
