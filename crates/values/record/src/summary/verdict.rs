//! The verdict of a run, and in what ways it fell short.

use loadline_metrics::{Kind, MetricValue, Origin};

use super::{Metric, Summary};
use crate::health::Limit;
use crate::run::Ending;
use crate::validity::Goals;

/// The share of the load that may be missing, or of the answers that may be wrong, before a
/// run without goals fails.
const ALLOWED_SHARE_MAX: f64 = 0.01;

/// Statuses below 500 that may say that too much came at once.
const OF_LOAD: [&str; 3] = ["408", "425", "429"];

/// What goals of latency of URL runs are about: planned starts.
pub const PLANNED_LATENCY: &str = "planned_latency";

/// The verdict of a run. If several apply, the first in this order counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// A defect of this program ended it.
    Defect(String),
    /// Something the run needs failed.
    Failed(String),
    /// Someone stopped it, or the test itself did.
    Interrupted,
    /// No request was sent, and neither a missed goal nor something that threw or gave up says
    /// why.
    NothingSent,
    /// Requests were sent and none was answered.
    NoAnswer,
    /// The verdict could be another without the generator's own delays.
    GeneratorLimited(Vec<Limit>),
    /// A goal was missed: a threshold, a check of Artillery's `ensure`, an expectation.
    ThresholdsFailed,
    /// The load was not reached, or too many answers were wrong.
    FellShort(Vec<Shortfall>),
    /// None of the above, and no goal was set.
    NoGoals,
    /// None of the above; goals were set, and none of them could be judged.
    NotJudged,
    /// All goals are met.
    Passed,
}

/// How a run's load or answers fell short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Shortfall {
    /// At least 1 % of the planned starts were dropped.
    Load {
        /// Starts planned.
        planned: u64,
        /// Of these, starts that began.
        started: u64,
    },
    /// At least 1 % of the requests were interrupted at the end, unanswered. Event streams
    /// usually end this way, so a test that reads them is not judged by this.
    Cut {
        /// Requests sent.
        sent: u64,
        /// Of these, requests that were cut off.
        cut: u64,
    },
    /// At least 1 % of the requests failed, and no goal is about them.
    Errors {
        /// Requests that ended.
        all: u64,
        /// Of these, requests that failed.
        failed: u64,
    },
    /// At least 1 % of the gRPC calls and of the WebSockets that were asked for failed.
    Calls {
        /// Those that ended.
        all: u64,
        /// Of these, calls with a status of an error, and WebSockets that did not open.
        failed: u64,
    },
    /// At least 1 % of the answers to a URL run point elsewhere, which is not followed: what
    /// was measured is not what was asked for.
    Redirects {
        /// Requests that were answered.
        all: u64,
        /// Of these answers, those that point elsewhere.
        redirects: u64,
    },
    /// At least 1 % of the checks failed, and no goal is about them.
    Checks {
        /// Checks made.
        all: u64,
        /// Of these, checks that failed.
        failed: u64,
    },
    /// At least 1 % of the iterations threw an exception.
    Exceptions {
        /// Iterations that ended.
        all: u64,
        /// Of these, iterations that threw.
        thrown: u64,
    },
    /// Answers are other than those of the runs that this one is held to, or none could be compared.
    Answers {
        /// Requests whose answers were compared.
        compared: u64,
        /// Of these, requests whose answers differ.
        differing: u64,
    },
    /// At least 1 % of the virtual users gave up before the end of their scenario.
    Users {
        /// Virtual users that ended.
        all: u64,
        /// Of these, users that gave up.
        failed: u64,
    },
}

/// The word of a search for capacity, which has levels and no verdict, in lists and files.
pub const SEARCH_VERDICT: &str = "capacity";

/// What a verdict's word leaves out.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct VerdictDetail {
    /// Goals that were met, and all.
    pub goals: Goals,
    /// How load and answers fell short, whatever the word says.
    pub shortfalls: Vec<Shortfall>,
    /// Goals that each so many seconds had to meet: totals do not say how these came out. None in older records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub windowed: Vec<WindowedGoal>,
}

/// How a goal came out that each so many seconds had to meet.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct WindowedGoal {
    /// The metric's or sub-metric's name.
    pub metric: String,
    /// As written.
    pub condition: String,
    /// Whether it held in all of them.
    pub is_met: bool,
    /// The value of the first that failed, or of the last; `None` without samples.
    pub observed: Option<f64>,
    /// The value is only a lower bound.
    pub at_least: bool,
}

impl Shortfall {
    /// Its name in flags and files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Load { .. } => "load",
            Self::Cut { .. } => "cut",
            Self::Errors { .. } => "errors",
            Self::Calls { .. } => "calls",
            Self::Redirects { .. } => "redirects",
            Self::Checks { .. } => "checks",
            Self::Exceptions { .. } => "exceptions",
            Self::Answers { .. } => "answers",
            Self::Users { .. } => "users",
        }
    }
}

impl Verdict {
    /// Its name in lists and files.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Failed(_) | Self::Defect(_) => "error",
            Self::Interrupted => "stopped",
            Self::NothingSent => "nothing-sent",
            Self::NoAnswer => "no-answer",
            Self::GeneratorLimited(_) => "not-valid",
            Self::ThresholdsFailed | Self::FellShort(_) => "failed",
            Self::NoGoals => "no-goals",
            Self::NotJudged => "not-judged",
            Self::Passed => "passed",
        }
    }
}

impl Summary {
    /// The verdict.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match &self.run.ending {
            Ending::Defect { message } => return Verdict::Defect(message.clone()),
            Ending::Failed { message } => return Verdict::Failed(message.clone()),
            Ending::Interrupted | Ending::Test { .. } => return Verdict::Interrupted,
            Ending::Finished | Ending::Threshold => {}
        }
        if self.statuses.is_empty() && self.run.complete_iterations == 0 {
            let requests = self.run.accounting.unwrap_or_default().requests;
            match (requests.sent, requests.answered) {
                (0, _) => return Verdict::NothingSent,
                // What was sent and never ended was cut.
                (_, 0) => return Verdict::NoAnswer,
                _ => {}
            }
        }
        if !self.statuses.is_empty() && self.statuses.iter().all(|(status, _)| status == "0") {
            return Verdict::NoAnswer;
        }
        let (met, all) = self.goals();
        if met == all && self.sent_nothing() && !self.says_why_nothing() {
            return Verdict::NothingSent;
        }
        let limits = self.run.generator_limits();
        if limits.is_empty() {
            return self.verdict_as_measured();
        }
        let certain = self.certain_shortfalls();
        if !certain.is_empty() {
            return Verdict::FellShort(certain);
        }
        Verdict::GeneratorLimited(limits)
    }

    /// What goals, load and answers say, the generator aside.
    pub(super) fn verdict_as_measured(&self) -> Verdict {
        let (met, all) = self.goals();
        if met < all {
            return Verdict::ThresholdsFailed;
        }
        let short = self.shortfalls();
        if !short.is_empty() {
            return Verdict::FellShort(short);
        }
        match all {
            0 => Verdict::NoGoals,
            all if all == self.unjudged_thresholds() => Verdict::NotJudged,
            _ => Verdict::Passed,
        }
    }

    /// Whether it is known that no iteration sent a request of any protocol, whatever set-up and teardown did.
    #[must_use]
    pub fn sent_nothing(&self) -> bool {
        let outside = self.sent_outside_iterations;
        let ended: u64 = self.statuses.iter().map(|(_, count)| count).sum();
        let requests = self.run.accounting.map(|all| all.requests);
        ended <= outside && requests.is_some_and(|requests| requests.sent <= outside)
    }

    /// Whether a shortfall tells why nothing was sent.
    fn says_why_nothing(&self) -> bool {
        let tells = |short: &Shortfall| {
            matches!(
                short,
                Shortfall::Exceptions { .. } | Shortfall::Users { .. } | Shortfall::Checks { .. }
            )
        };
        self.shortfalls().iter().any(tells)
    }

    /// Goals that are met, and all: thresholds, and what another dialect judged.
    #[must_use]
    pub fn goals(&self) -> (usize, usize) {
        let thresholds = || self.metrics.iter().flat_map(|metric| &metric.thresholds);
        let met = thresholds().filter(|threshold| threshold.ok).count();
        let own = self.run.goals.unwrap_or_default();
        (met + own.met, thresholds().count() + own.all)
    }

    /// Metrics with thresholds that had no sample to be judged by. That nothing was lost or
    /// counted is a finding, not a lack of samples; of a part (`{tag:value}`) it may be a part
    /// that is misspelt.
    pub fn metrics_without_samples(&self) -> impl Iterator<Item = &Metric> {
        let losses = |name: &str| name.contains("_cut") || name.contains("_censored");
        self.metrics.iter().filter(move |metric| {
            let is_loss = metric.origin == Origin::Loadline && losses(&metric.name)
                || metric.name == "dropped_iterations";
            let is_count = metric.kind == Kind::Counter
                && metric.origin != Origin::Loadline
                && metric.name == metric.parent();
            // No start was answered well: the goal is missed.
            let is_of_starts = metric.name == PLANNED_LATENCY;
            let is_finding = is_loss || is_count || is_of_starts;
            !metric.thresholds.is_empty() && metric.value.is_empty() && !is_finding
        })
    }

    /// Thresholds that count as met because there was nothing to judge them by.
    #[must_use]
    pub fn unjudged_thresholds(&self) -> usize {
        let thresholds = self
            .metrics_without_samples()
            .flat_map(|metric| &metric.thresholds);
        thresholds.filter(|threshold| threshold.ok).count()
    }

    /// What the verdict's word leaves out.
    #[must_use]
    pub fn verdict_detail(&self) -> VerdictDetail {
        let (met, all) = self.goals();
        VerdictDetail {
            goals: Goals { met, all },
            shortfalls: self.shortfalls(),
            windowed: self.windowed_goals(),
        }
    }

    fn windowed_goals(&self) -> Vec<WindowedGoal> {
        let pairs = (self.metrics.iter())
            .flat_map(|metric| metric.thresholds.iter().map(move |goal| (metric, goal)));
        let windowed = pairs.filter(|(_, goal)| goal.is_windowed);
        let goals = windowed.map(|(metric, goal)| WindowedGoal {
            metric: metric.name.clone(),
            condition: goal.source.clone(),
            is_met: goal.ok,
            observed: goal.observed,
            at_least: goal.at_least,
        });
        goals.collect()
    }

    /// How load and answers fell short, where no goal sets a limit.
    #[must_use]
    pub fn shortfalls(&self) -> Vec<Shortfall> {
        let mut short = Vec::new();
        if let Some(answers) = self.run.answers.as_ref().filter(|all| !all.are_same()) {
            let (compared, differing) = (answers.compared, answers.differing);
            short.push(Shortfall::Answers {
                compared,
                differing,
            });
        }
        let is_much =
            |part: u64, all: u64| part > 0 && part as f64 >= ALLOWED_SHARE_MAX * all as f64;
        let generator = &self.run.generator;
        let (planned, dropped) = (generator.planned_starts, generator.dropped_starts);
        if is_much(dropped, planned) && !self.has_goal_on("dropped_iterations") {
            let started = planned.saturating_sub(dropped);
            short.push(Shortfall::Load { planned, started });
        }
        if let Some(requests) = self.run.accounting.map(|all| all.requests)
            // What the test's own ramp-down cuts is what it asks for.
            && let cut = requests.cut.saturating_sub(requests.ramped_down)
            && is_much(cut, requests.sent)
            && self.metric("sse_event").is_none()
        {
            let sent = requests.sent;
            short.push(Shortfall::Cut { sent, cut });
        }
        let (failed, all) = self.failed_requests();
        if is_much(failed, all) && !self.has_goal_on("http_req_failed") {
            short.push(Shortfall::Errors { all, failed });
        }
        let (failed, all) = self.failed_calls();
        if is_much(failed, all) {
            short.push(Shortfall::Calls { all, failed });
        }
        let (redirects, all) = self.redirects();
        if is_much(redirects, all) {
            short.push(Shortfall::Redirects { all, redirects });
        }
        let checks = self.metric("checks").map(|metric| &metric.value);
        if let Some(MetricValue::Rate(checks)) = checks {
            let failed = checks.total - checks.trues;
            if is_much(failed, checks.total) && !self.has_goal_on("checks") {
                let all = checks.total;
                short.push(Shortfall::Checks { all, failed });
            }
        }
        let all = self.run.complete_iterations + self.run.interrupted_iterations;
        let thrown = self.run.exceptions;
        if is_much(thrown, all) {
            short.push(Shortfall::Exceptions { all, thrown });
        }
        let failed = self.run.failed_users;
        if is_much(failed, all) {
            short.push(Shortfall::Users { all, failed });
        }
        short
    }

    /// Shortfalls that no late generator makes: answers that point elsewhere or have a status of
    /// an error or are other than before, and iterations that threw. They stand also where it was the bottleneck.
    #[must_use]
    pub fn certain_shortfalls(&self) -> Vec<Shortfall> {
        let mut short = self.shortfalls();
        let answered = self.answered_failures();
        short.retain(|short| match *short {
            Shortfall::Answers { .. }
            | Shortfall::Redirects { .. }
            | Shortfall::Exceptions { .. } => true,
            Shortfall::Errors { all, .. } => {
                answered > 0 && answered as f64 >= ALLOWED_SHARE_MAX * all as f64
            }
            Shortfall::Load { .. } => self.lacks_users_for_certain(),
            Shortfall::Cut { .. }
            | Shortfall::Calls { .. }
            | Shortfall::Checks { .. }
            | Shortfall::Users { .. } => false,
        });
        short
    }

    /// More starts found all users busy than stops of the generator can have made: these keep users busy for a while, and
    /// nothing else of it does where it reads answers in time.
    fn lacks_users_for_certain(&self) -> bool {
        let generator = &self.run.generator;
        let limits = generator.limits(self.run.duration);
        let only_stops =
            |limit: &Limit| matches!(limit, Limit::StartLag | Limit::Stalls | Limit::FreeCores);
        let busy = generator.drops.no_free_user + generator.drops.user_limit;
        let planned = generator.planned_starts as f64;
        let in_stops = generator.stopped_share(self.run.duration) * planned;
        limits.iter().all(only_stops) && busy as f64 - in_stops > ALLOWED_SHARE_MAX * planned
    }

    /// Failed requests that were answered.
    pub(super) fn answered_failures(&self) -> u64 {
        let statuses = self.statuses.iter();
        let unanswered: u64 = statuses
            .filter_map(|(status, count)| (status == "0").then_some(*count))
            .sum();
        self.failed.saturating_sub(unanswered)
    }

    /// Failed requests that were answered with a status that has nothing to do with how many came at once.
    pub(super) fn failures_at_any_load(&self) -> u64 {
        let failed = self.failed_statuses.iter();
        let of = failed.filter(|(status, _)| {
            let is_of_load = OF_LOAD.contains(&status.as_str()) || status.starts_with('5');
            status != "0" && !is_of_load
        });
        of.map(|(_, count)| count).sum()
    }

    /// Failed requests and all requests. A request that was not rated, such as an event stream, failed when
    /// it had no answer or one of 400 and more.
    #[must_use]
    pub fn failed_requests(&self) -> (u64, u64) {
        let all = self.statuses.iter().map(|(_, count)| count).sum();
        (self.failed, all)
    }

    /// gRPC calls and WebSockets that failed, and all of them: k6 has no metric of either.
    #[must_use]
    pub fn failed_calls(&self) -> (u64, u64) {
        let requests = self.run.accounting.unwrap_or_default().requests;
        (requests.other_failed, requests.other_ended)
    }

    /// Answers that point elsewhere and are not followed, and all answers.
    #[must_use]
    pub fn redirects(&self) -> (u64, u64) {
        let answers = self.statuses.iter().filter(|(status, _)| status != "0");
        (self.run.redirects, answers.map(|(_, count)| count).sum())
    }

    /// Whether a threshold asks for something of a metric, or of a part of it.
    fn has_goal_on(&self, name: &str) -> bool {
        let mut metrics = self.metrics.iter();
        metrics.any(|metric| !metric.thresholds.is_empty() && metric.parent() == name)
    }
}
