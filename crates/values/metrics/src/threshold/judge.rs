//! Whether a total meets a condition.
//!
//! k6's rules for metrics without samples: a counter's sum and rate are 0, a trend's
//! statistics are 0, a gauge is 0, and all are judged; a rate is not judged and passes.

use std::time::Duration;

use super::expression::{Expression, ThresholdStatistic};
use crate::censored::Censored;
use crate::planned_answers::PlannedAnswers;
use crate::value::MetricValue;

/// How a condition stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConditionState {
    /// It holds.
    Passed,
    /// It does not.
    Failed,
    /// There is nothing to judge; counts as passed.
    NoData,
}

/// A judged condition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConditionVerdict {
    /// How it stands.
    pub outcome: ConditionState,
    /// The statistic's value, if there was one to judge.
    pub observed: Option<f64>,
    /// The value is only known to be at least so large.
    pub at_least: bool,
}

impl ConditionVerdict {
    /// Failed: what it asks for was not measured.
    pub(super) const NOTHING_MEASURED: Self = Self {
        outcome: ConditionState::Failed,
        observed: None,
        at_least: false,
    };

    /// Not judged.
    pub(super) const NO_DATA: Self = Self {
        outcome: ConditionState::NoData,
        observed: None,
        at_least: false,
    };
}

/// Judges a total after `elapsed` of the run (a counter's rate is per second of it).
#[must_use]
pub fn judge(expression: &Expression, total: &MetricValue, elapsed: Duration) -> ConditionVerdict {
    let observed = observe(expression.statistic, total, elapsed);
    let outcome = match observed {
        None => ConditionState::NoData,
        Some(value) if expression.operator.holds(value, expression.limit) => ConditionState::Passed,
        Some(_) => ConditionState::Failed,
    };
    ConditionVerdict {
        outcome,
        observed,
        at_least: false,
    }
}

/// Judges an upper bound on a trend of which some values are only lower bounds: it holds if
/// the statistic cannot lie above it.
pub(super) fn judge_censored(
    expression: &Expression,
    trend: &Censored,
) -> Option<ConditionVerdict> {
    let bounds = match expression.statistic {
        ThresholdStatistic::Avg => trend.mean(),
        ThresholdStatistic::Max => trend.max(),
        ThresholdStatistic::Med => trend.percentile(0.5),
        ThresholdStatistic::Percentile(percentile) => trend.percentile(percentile / 100.0),
        ThresholdStatistic::Min
        | ThresholdStatistic::Value
        | ThresholdStatistic::Count
        | ThresholdStatistic::Rate => None,
    }?;
    let holds = |most| expression.operator.holds(most, expression.limit);
    let is_below = bounds.at_most.is_some_and(holds);
    Some(ConditionVerdict {
        outcome: if is_below {
            ConditionState::Passed
        } else {
            ConditionState::Failed
        },
        observed: Some(bounds.at_least),
        at_least: !bounds.is_known(),
    })
}

/// Judges what became of planned starts: too few that were answered well have no value, and miss.
pub(super) fn judge_planned(expression: &Expression, starts: &PlannedAnswers) -> ConditionVerdict {
    let observed = match expression.statistic {
        ThresholdStatistic::Avg => starts.mean(),
        ThresholdStatistic::Max => starts.max(),
        ThresholdStatistic::Med => starts.percentile(0.5),
        ThresholdStatistic::Percentile(percentile) => starts.percentile(percentile / 100.0),
        ThresholdStatistic::Min
        | ThresholdStatistic::Value
        | ThresholdStatistic::Count
        | ThresholdStatistic::Rate => None,
    };
    let holds = |value| expression.operator.holds(value, expression.limit);
    ConditionVerdict {
        outcome: if observed.is_some_and(holds) {
            ConditionState::Passed
        } else {
            ConditionState::Failed
        },
        observed,
        at_least: false,
    }
}

/// The statistic's value; `None` when the total has no such statistic or a rate has no
/// samples.
fn observe(statistic: ThresholdStatistic, total: &MetricValue, elapsed: Duration) -> Option<f64> {
    match (total, statistic) {
        (MetricValue::Counter(sum), ThresholdStatistic::Count) => {
            Some(sum.map_or(0.0, |s| s.value()))
        }
        (MetricValue::Counter(sum), ThresholdStatistic::Rate) => {
            let sum = sum.map_or(0.0, |s| s.value());
            // Over no time there is none.
            (!elapsed.is_zero()).then(|| sum / elapsed.as_secs_f64())
        }
        (MetricValue::Gauge(gauge), ThresholdStatistic::Value) => {
            Some(gauge.map_or(0.0, |g| g.last))
        }
        (MetricValue::Rate(rate), ThresholdStatistic::Rate) => rate.share(),
        (MetricValue::Trend(trend), statistic) => {
            let value = match statistic {
                ThresholdStatistic::Avg => trend.mean(),
                ThresholdStatistic::Min => trend.min(),
                ThresholdStatistic::Max => trend.max(),
                ThresholdStatistic::Med => trend.percentile(0.5),
                ThresholdStatistic::Percentile(percentile) => trend.percentile(percentile / 100.0),
                ThresholdStatistic::Value
                | ThresholdStatistic::Count
                | ThresholdStatistic::Rate => return None,
            };
            Some(value.unwrap_or(0.0))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Kind;
    use loadline_units::Time;

    fn outcome(text: &str, kind: Kind, samples: &[f64]) -> ConditionState {
        let mut value = MetricValue::empty(kind);
        for sample in samples {
            value.record(*sample, Time::ZERO);
        }
        let expression = Expression::parse(text).unwrap();
        judge(&expression, &value, Duration::from_secs(2)).outcome
    }

    #[test]
    fn a_counter_has_no_rate_over_no_time() {
        let total = MetricValue::empty(Kind::Counter);
        let expression = Expression::parse("rate<1").unwrap();
        let verdict = judge(&expression, &total, Duration::ZERO);
        assert_eq!(verdict.outcome, ConditionState::NoData);
    }

    #[test]
    fn a_counters_rate_is_per_second_of_the_run() {
        assert_eq!(
            outcome("rate==5", Kind::Counter, &[4.0, 6.0]),
            ConditionState::Passed
        );
        assert_eq!(
            outcome("count>10", Kind::Counter, &[4.0, 6.0]),
            ConditionState::Failed
        );
    }

    #[test]
    fn without_samples_all_but_rates_are_judged_as_zero() {
        for (text, kind) in [
            ("count>5", Kind::Counter),
            ("rate>5", Kind::Counter),
            ("avg>5", Kind::Trend),
            ("value>1", Kind::Gauge),
        ] {
            assert_eq!(outcome(text, kind, &[]), ConditionState::Failed, "{text}");
        }
        assert_eq!(outcome("p(95)<1", Kind::Trend, &[]), ConditionState::Passed);
        assert_eq!(outcome("rate>0.9", Kind::Rate, &[]), ConditionState::NoData);
    }

    #[test]
    fn trends_and_rates_are_judged_by_their_samples() {
        let samples = [1.0, 2.0, 3.0, 4.0, 100.0];
        assert_eq!(
            outcome("med==3", Kind::Trend, &samples),
            ConditionState::Passed
        );
        assert_eq!(
            outcome("avg==22", Kind::Trend, &samples),
            ConditionState::Passed
        );
        assert_eq!(
            outcome("min>=1", Kind::Trend, &samples),
            ConditionState::Passed
        );
        assert_eq!(
            outcome("max<100", Kind::Trend, &samples),
            ConditionState::Failed
        );
        assert_eq!(
            outcome("p(75)==4", Kind::Trend, &samples),
            ConditionState::Passed
        );
        assert_eq!(
            outcome("rate>0.5", Kind::Rate, &[1.0, 0.0]),
            ConditionState::Failed
        );
    }
}
