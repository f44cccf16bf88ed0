//! The words k6 prints for a threshold it refuses, as recorded from it.

use super::expression::ExpressionError;
use super::set::ThresholdError;
use crate::kind::Kind;
use crate::submetric::SubmetricError;

impl ThresholdError {
    /// The words k6 uses for this mistake, never translated; its spelling is kept.
    /// `None` for what k6 lets pass.
    #[must_use]
    pub fn k6_text(&self) -> Option<String> {
        match self {
            Self::Expression { text, cause, .. } => expression_k6_text(text, cause),
            Self::Metric { metric, cause } => Some(metric_k6_text(metric, cause)),
            Self::Unsupported {
                metric,
                text,
                method,
                kind,
            } => {
                let supported = match kind {
                    Kind::Counter => "count, rate",
                    Kind::Gauge => "value",
                    Kind::Rate => "rate",
                    Kind::Trend => "avg, min, max, med, p",
                };
                Some(format!(
                    "invalid threshold {text:?} applied on metric {metric}; reason: unsupported aggregation method {method} on metric of type {kind}. supported aggregation methods for this metric are: {supported}"
                ))
            }
        }
    }
}

fn expression_k6_text(text: &str, cause: &ExpressionError) -> Option<String> {
    let number = |found: &str| {
        let overflows = found.parse::<f64>().is_ok();
        let why = if overflows {
            "value out of range"
        } else {
            "invalid syntax"
        };
        format!("strconv.ParseFloat: parsing {found:?}: {why}")
    };
    let left = format!("failed parsing threshold expression's {text:?} left hand side; reason: ");
    Some(match cause {
        ExpressionError::Malformed { .. } => format!(
            "failed parsing threshold expression {text:?}; reason: malformed threshold expression"
        ),
        ExpressionError::MalformedWindow { .. } => return None,
        ExpressionError::UnknownStatistic { .. } => {
            format!("{left}failed parsing method from expression")
        }
        ExpressionError::MalformedPercentile { found } => {
            format!(
                "{left}malformed percentile value; reason: {}",
                number(found)
            )
        }
        ExpressionError::MalformedLimit { found } => format!(
            "failed parsing threshold expresion's {text:?} right hand side; reason: {}",
            number(found)
        ),
        ExpressionError::PercentileOutOfRange { .. } => {
            format!("{left}malformed percentile value, provide a number between 0 and 100")
        }
    })
}

fn metric_k6_text(metric: &str, cause: &SubmetricError) -> String {
    let wrong = match cause {
        SubmetricError::UnknownMetric { .. } => {
            return format!(
                "invalid threshold defined on {metric}; reason: no metric name {metric:?} found"
            );
        }
        SubmetricError::Unmatched { name } => {
            format!("{name:?} has unmatched opening/close curly brace")
        }
        SubmetricError::ClosedBeforeOpened { name } => {
            format!("{name:?} closing curly brace appears before opening one")
        }
        SubmetricError::NotLast { name } => {
            format!("{name:?} lacks a closing curly brace in its last position")
        }
        SubmetricError::MalformedTag { tag } => format!("{tag:?} tag expression is malformed"),
    };
    format!(
        "unable to validate threshold expressions; reason: parsing metric name failed, metric {wrong}"
    )
}
