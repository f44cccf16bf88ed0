//! Verdicts that no delay of the generator could have made.
//!
//! A late start and an answer that is read late make times longer and rates lower, never the
//! other way round. So a goal that is met in spite of them is met, if the target was under the
//! planned load; and one that is missed by more than they are is missed.

use loadline_metrics::threshold::{Expression, Operator, ThresholdStatistic};
use loadline_metrics::{Kind, ValueType};

use super::{Metric, PLANNED_LATENCY, Shortfall, Summary, ThresholdResult, Verdict};
use crate::health::Limit;
use crate::run::LatencyStart;
use crate::validity::{Goals, Validity, VerdictStanding};

/// Times that consist of one request each: what was added to them is known.
const TIMES_OF_ONE_REQUEST: [&str; 3] =
    ["http_req_duration", "http_req_waiting", "grpc_req_duration"];

impl Summary {
    /// Notes whether the verdict stands: `rest` is the summary of the seconds that the
    /// generator's delays did not touch. A run that it did not limit is left as it is.
    pub fn settle(&mut self, seconds: u64, touched: u64, rest: Option<&Self>) {
        if self.run.generator.limits(self.run.duration).is_empty() {
            return;
        }
        let is_sound = |rest: &&Self| rest.run.generator.limits(rest.run.duration).is_empty();
        let enough = Validity::is_enough_left(seconds, touched);
        let rest = rest.filter(|_| enough).filter(is_sound);
        let verdict = self.verdict_as_measured();
        let of_rest = rest.map(Self::verdict_as_measured);
        let is_certain = self.is_certain(&verdict);
        let p95 = rest.and_then(|rest| rest.waited()?.percentile(0.95));
        self.run.validity = Some(Validity {
            seconds,
            touched,
            standing: weighed(&verdict, of_rest.as_ref(), is_certain),
            goals: rest.map(|rest| {
                let (met, all) = rest.goals();
                Goals { met, all }
            }),
            p95_ms: p95.map(|p95| p95.at_least),
            is_p95_longer: p95.is_some_and(|p95| !p95.is_known()),
        });
    }

    /// Notes that the goals of the run are missed by less than its generator's own delays, and
    /// what the seconds without long ones say. Goals that others judged are missed all the same.
    pub fn doubt_missed(&mut self, found: Validity) {
        let others = self.run.goals.unwrap_or_default();
        let is_known = found.standing.holds() && self.run.validity.is_some();
        if others.met == others.all && !is_known {
            let goals = found.goals.map(|goals| Goals {
                met: goals.met + others.met,
                all: goals.all + others.all,
            });
            self.run.validity = Some(Validity { goals, ..found });
        }
    }

    /// Notes that more answers miss a goal than the generator's own delays can have made late.
    pub fn settle_missed_by_count(&mut self) {
        if self.verdict_as_measured() == Verdict::ThresholdsFailed
            && let Some(validity) = &mut self.run.validity
            && !validity.standing.holds()
        {
            validity.standing = VerdictStanding::Certain;
        }
    }

    /// Whether no delay of the generator could have made a verdict.
    fn is_certain(&self, verdict: &Verdict) -> bool {
        match verdict {
            Verdict::Passed => {
                let metrics = self.metrics.iter();
                let mut goals = metrics.flat_map(|m| m.thresholds.iter().map(move |t| (m, t)));
                self.was_loaded_as_planned() && goals.all(|(m, t)| only_suffers(m, t))
            }
            Verdict::NoGoals => self.was_loaded_as_planned() && self.shows_the_target(),
            Verdict::ThresholdsFailed => self.misses_for_certain(),
            _ => false,
        }
    }

    /// Whether the target was under the planned load: with starts at a rate, none of which was
    /// much too late.
    fn was_loaded_as_planned(&self) -> bool {
        let is_short = |short: &Shortfall| matches!(short, Shortfall::Load { .. });
        self.run.arrivals.is_some()
            && self.run.generator.sent_as_planned()
            && !self.shortfalls().iter().any(is_short)
    }

    /// Whether the times that are shown are the target's.
    fn shows_the_target(&self) -> bool {
        let run = &self.run;
        let only_late = |limit: &Limit| {
            matches!(
                limit,
                Limit::StartLag | Limit::Stalls | Limit::FreeCores | Limit::Throttling
            )
        };
        run.generator.limits(run.duration).iter().all(only_late)
            && (run.generator).shows_the_targets_latency(run.latency_start == LatencyStart::Planned)
    }

    /// Whether a goal is missed also without what the generator may have added.
    fn misses_for_certain(&self) -> bool {
        let metrics = self.metrics.iter();
        let mut goals = metrics.flat_map(|m| m.thresholds.iter().map(move |t| (m, t)));
        goals.any(|(metric, goal)| !goal.ok && self.is_missed_for_certain(metric, goal))
    }

    fn is_missed_for_certain(&self, metric: &Metric, goal: &ThresholdResult) -> bool {
        let Ok(expression) = Expression::parse(&goal.source) else {
            return false;
        };
        let Some(observed) = goal
            .observed
            .filter(|_| expression.operator.is_upper_bound())
        else {
            return false;
        };
        // A part of it that no late generator makes; of what comes together after a stop, all may be turned away for that.
        if metric.name == "http_req_failed" {
            let (_, all) = self.failed_requests();
            let in_stops = self.run.generator.stopped_share(self.run.duration) * all as f64;
            let failed = (self.answered_failures() as f64 - in_stops)
                .max(self.failures_at_any_load() as f64);
            return all > 0
                && !expression
                    .operator
                    .holds(failed / all as f64, expression.limit);
        }
        let is_planned = ["intended_latency", PLANNED_LATENCY].contains(&metric.parent());
        let is_one_request = TIMES_OF_ONE_REQUEST.contains(&metric.parent())
            || (is_planned && self.run.latency_start == LatencyStart::Planned);
        let is_within_p99 = match expression.statistic {
            ThresholdStatistic::Avg | ThresholdStatistic::Med => true,
            ThresholdStatistic::Percentile(percentile) => percentile <= 99.0,
            _ => false,
        };
        let generator = &self.run.generator;
        // An answer comes later by what was stopped in its time, at most.
        let own = (generator.own_delay_p99(is_planned)).max(generator.stopped_ms());
        // The delays of all of the run are not those of one window of a goal.
        is_one_request
            && is_within_p99
            && expression.window.is_none()
            && !expression.operator.holds(observed - own, expression.limit)
    }
}

/// Weighs a verdict against that of the seconds that are left, if enough are; `is_certain` says that no delay could have
/// made it.
fn weighed(verdict: &Verdict, rest: Option<&Verdict>, is_certain: bool) -> VerdictStanding {
    match rest {
        Some(rest) if rest.word() == verdict.word() => VerdictStanding::Same,
        _ if is_certain => VerdictStanding::Certain,
        Some(_) => VerdictStanding::Differs,
        None => VerdictStanding::NothingLeft,
    }
}

/// Whether delays of the generator can only make a goal harder to meet.
fn only_suffers(metric: &Metric, goal: &ThresholdResult) -> bool {
    let Ok(expression) = Expression::parse(&goal.source) else {
        return false;
    };
    let (upper, lower) = (
        expression.operator.is_upper_bound(),
        matches!(
            expression.operator,
            Operator::Greater | Operator::GreaterOrEqual
        ),
    );
    match (metric.kind, metric.parent()) {
        (Kind::Trend, _) => upper && metric.contains == ValueType::Time,
        (Kind::Rate, "http_req_failed") | (Kind::Counter, "dropped_iterations") => upper,
        (Kind::Rate, "checks") => lower,
        (Kind::Counter, "http_reqs" | "iterations" | "data_received" | "data_sent") => lower,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
