//! Whether a total meets a condition.
//!
//! k6's rules for metrics without samples: a counter's sum and rate are 0, a trend's
//! statistics are 0, a gauge is 0, and all are judged; a rate is not judged and passes.

use std::time::Duration;

use super::expression::{Expression, Statistic};
use crate::censored::Censored;
use crate::value::Value;

/// How a condition stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It holds.
    Passed,
    /// It does not.
    Failed,
    /// There is nothing to judge; counts as passed.
    NoData,
}

/// A judged condition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// How it stands.
    pub outcome: Outcome,
    /// The statistic's value, if there was one to judge.
    pub observed: Option<f64>,
    /// The value is only known to be at least so large.
    pub at_least: bool,
}

impl Verdict {
    /// Failed: what it asks for was not measured.
    pub(super) const NOTHING_MEASURED: Self = Self {
        outcome: Outcome::Failed,
        observed: None,
        at_least: false,
    };

    /// Not judged.
    pub(super) const NO_DATA: Self = Self {
        outcome: Outcome::NoData,
        observed: None,
        at_least: false,
    };
}

/// Judges a total after `elapsed` of the run (a counter's rate is per second of it).
#[must_use]
pub fn judge(expression: &Expression, total: &Value, elapsed: Duration) -> Verdict {
    let observed = observe(expression.statistic, total, elapsed);
    let outcome = match observed {
        None => Outcome::NoData,
        Some(value) if expression.operator.holds(value, expression.limit) => Outcome::Passed,
        Some(_) => Outcome::Failed,
    };
    Verdict {
        outcome,
        observed,
        at_least: false,
    }
}

/// Judges an upper bound on a trend of which some values are only lower bounds: it holds if
/// the statistic cannot lie above it.
pub(super) fn judge_censored(expression: &Expression, trend: &Censored) -> Option<Verdict> {
    let bounds = match expression.statistic {
        Statistic::Avg => trend.mean(),
        Statistic::Max => trend.max(),
        Statistic::Med => trend.percentile(0.5),
        Statistic::Percentile(percentile) => trend.percentile(percentile / 100.0),
        Statistic::Min | Statistic::Value | Statistic::Count | Statistic::Rate => None,
    }?;
    let holds = |most| expression.operator.holds(most, expression.limit);
    let is_below = bounds.at_most.is_some_and(holds);
    Some(Verdict {
        outcome: if is_below {
            Outcome::Passed
        } else {
            Outcome::Failed
        },
        observed: Some(bounds.at_least),
        at_least: !bounds.is_known(),
    })
}

/// The statistic's value; `None` when the total has no such statistic or a rate has no
/// samples.
fn observe(statistic: Statistic, total: &Value, elapsed: Duration) -> Option<f64> {
    match (total, statistic) {
        (Value::Counter(sum), Statistic::Count) => Some(sum.map_or(0.0, |s| s.value())),
        (Value::Counter(sum), Statistic::Rate) => {
            let sum = sum.map_or(0.0, |s| s.value());
            Some(sum / elapsed.as_secs_f64())
        }
        (Value::Gauge(gauge), Statistic::Value) => Some(gauge.map_or(0.0, |g| g.last)),
        (Value::Rate(rate), Statistic::Rate) => rate.share(),
        (Value::Trend(trend), statistic) => {
            let value = match statistic {
                Statistic::Avg => trend.mean(),
                Statistic::Min => trend.min(),
                Statistic::Max => trend.max(),
                Statistic::Med => trend.percentile(0.5),
                Statistic::Percentile(percentile) => trend.percentile(percentile / 100.0),
                Statistic::Value | Statistic::Count | Statistic::Rate => return None,
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

    fn outcome(text: &str, kind: Kind, samples: &[f64]) -> Outcome {
        let mut value = Value::empty(kind);
        for sample in samples {
            value.record(*sample, Time::ZERO);
        }
        let expression = Expression::parse(text).unwrap();
        judge(&expression, &value, Duration::from_secs(2)).outcome
    }

    #[test]
    fn a_counters_rate_is_per_second_of_the_run() {
        assert_eq!(
            outcome("rate==5", Kind::Counter, &[4.0, 6.0]),
            Outcome::Passed
        );
        assert_eq!(
            outcome("count>10", Kind::Counter, &[4.0, 6.0]),
            Outcome::Failed
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
            assert_eq!(outcome(text, kind, &[]), Outcome::Failed, "{text}");
        }
        assert_eq!(outcome("p(95)<1", Kind::Trend, &[]), Outcome::Passed);
        assert_eq!(outcome("rate>0.9", Kind::Rate, &[]), Outcome::NoData);
    }

    #[test]
    fn trends_and_rates_are_judged_by_their_samples() {
        let samples = [1.0, 2.0, 3.0, 4.0, 100.0];
        assert_eq!(outcome("med==3", Kind::Trend, &samples), Outcome::Passed);
        assert_eq!(outcome("avg==22", Kind::Trend, &samples), Outcome::Passed);
        assert_eq!(outcome("min>=1", Kind::Trend, &samples), Outcome::Passed);
        assert_eq!(outcome("max<100", Kind::Trend, &samples), Outcome::Failed);
        assert_eq!(outcome("p(75)==4", Kind::Trend, &samples), Outcome::Passed);
        assert_eq!(
            outcome("rate>0.5", Kind::Rate, &[1.0, 0.0]),
            Outcome::Failed
        );
    }
}
