//! One condition on one metric: `p(95) < 500`.
//!
//! ```text
//! expression = statistic operator number [ "every" duration ]
//! statistic  = "value" | "count" | "rate" | "avg" | "min" | "med" | "max" | "p(" number ")"
//! operator   = "<=" | "<" | ">=" | ">" | "===" | "==" | "!="
//! ```
//! Space is allowed around the operator. The first operator of this list that occurs in
//! the text parts it, as in k6. `every 10s` is ours: the condition is judged on the samples
//! of each ten seconds alone, and holds when it holds in all of them.

use std::fmt;
use std::time::Duration;

use loadline_units::parse_duration;

use crate::kind::Kind;

/// What is asked of a metric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ThresholdStatistic {
    /// A gauge's latest value.
    Value,
    /// A counter's sum.
    Count,
    /// A counter's sum per second of the run; a rate's share.
    Rate,
    /// A trend's mean.
    Avg,
    /// A trend's least value.
    Min,
    /// A trend's median.
    Med,
    /// A trend's greatest value.
    Max,
    /// A trend's percentile, 0 to 100.
    Percentile(f64),
}

/// How the statistic compares with the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `<=`
    LessOrEqual,
    /// `<`
    Less,
    /// `>=`
    GreaterOrEqual,
    /// `>`
    Greater,
    /// `==` or `===`
    Equal,
    /// `!=`
    NotEqual,
}

/// A condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    /// What is asked.
    pub statistic: ThresholdStatistic,
    /// How it compares.
    pub operator: Operator,
    /// With what.
    pub limit: f64,
    /// The whole seconds whose samples are judged by themselves; all of the run without.
    pub window: Option<Duration>,
}

/// Why a text is not a condition.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ExpressionError {
    /// There is no operator with something after it.
    #[error("`{text}` is not a statistic, an operator and a number")]
    Malformed {
        /// The whole text.
        text: String,
    },
    /// What stands before the operator is no statistic.
    #[error("unknown statistic `{found}`")]
    UnknownStatistic {
        /// What stands there.
        found: String,
    },
    /// The text between `p(` and `)` is not a number.
    #[error("`{found}` is not a percentile")]
    MalformedPercentile {
        /// What stands there.
        found: String,
    },
    /// The percentile is not 0 to 100.
    #[error("percentile {found} is outside 0 to 100")]
    PercentileOutOfRange {
        /// What stands there.
        found: String,
    },
    /// What stands after `every` is no length of whole seconds.
    #[error("`{found}` is not a window of whole seconds")]
    MalformedWindow {
        /// What stands there.
        found: String,
    },
    /// What stands after the operator is no number.
    #[error("`{found}` is not a number")]
    MalformedLimit {
        /// What stands there.
        found: String,
    },
}

/// In the order in which k6 looks for them.
pub(super) const OPERATORS: [(&str, Operator); 7] = [
    ("<=", Operator::LessOrEqual),
    ("<", Operator::Less),
    (">=", Operator::GreaterOrEqual),
    (">", Operator::Greater),
    ("===", Operator::Equal),
    ("==", Operator::Equal),
    ("!=", Operator::NotEqual),
];

impl Expression {
    /// Reads a condition.
    ///
    /// # Errors
    /// [`ExpressionError`] with the part that is wrong.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let parted = OPERATORS.iter().find_map(|(token, operator)| {
            let (left, right) = text.split_once(token)?;
            (!right.is_empty()).then(|| (left.trim(), *operator, right.trim()))
        });
        let Some((left, operator, right)) = parted else {
            return Err(ExpressionError::Malformed { text: text.into() });
        };
        let (right, window) = match right.split_once(" every ") {
            Some((limit, window)) => (limit.trim_end(), Some(parse_window(window.trim())?)),
            None => (right, None),
        };
        Ok(Self {
            statistic: ThresholdStatistic::parse(left)?,
            operator,
            window,
            limit: parse_number(right).ok_or_else(|| ExpressionError::MalformedLimit {
                found: right.into(),
            })?,
        })
    }
}

fn parse_window(text: &str) -> Result<Duration, ExpressionError> {
    let malformed = || ExpressionError::MalformedWindow { found: text.into() };
    let length = parse_duration(text).map_err(|_| malformed())?;
    if length.is_zero() || length.subsec_nanos() != 0 {
        return Err(malformed());
    }
    Ok(length)
}

/// A number as Go reads one: no overflow to infinity unless infinity is what is written.
fn parse_number(text: &str) -> Option<f64> {
    let number: f64 = text.parse().ok()?;
    let overflowed = number.is_infinite() && text.bytes().any(|b| b.is_ascii_digit());
    (!overflowed).then_some(number)
}

impl ThresholdStatistic {
    fn parse(text: &str) -> Result<Self, ExpressionError> {
        let named = match text {
            "value" => Some(Self::Value),
            "count" => Some(Self::Count),
            "rate" => Some(Self::Rate),
            "avg" => Some(Self::Avg),
            "min" => Some(Self::Min),
            "med" => Some(Self::Med),
            "max" => Some(Self::Max),
            _ => None,
        };
        if let Some(statistic) = named {
            return Ok(statistic);
        }
        let inner = text
            .strip_prefix("p(")
            .and_then(|rest| rest.strip_suffix(')'))
            .ok_or_else(|| ExpressionError::UnknownStatistic { found: text.into() })?;
        let percentile =
            parse_number(inner).ok_or_else(|| ExpressionError::MalformedPercentile {
                found: inner.into(),
            })?;
        if !(0.0..=100.0).contains(&percentile) {
            return Err(ExpressionError::PercentileOutOfRange {
                found: inner.into(),
            });
        }
        Ok(Self::Percentile(percentile))
    }

    /// Whether metrics of this kind have the statistic.
    #[must_use]
    pub fn is_of(self, kind: Kind) -> bool {
        match self {
            Self::Value => kind == Kind::Gauge,
            Self::Count => kind == Kind::Counter,
            Self::Rate => matches!(kind, Kind::Counter | Kind::Rate),
            Self::Avg | Self::Min | Self::Med | Self::Max | Self::Percentile(_) => {
                kind == Kind::Trend
            }
        }
    }

    /// The word before any parenthesis, as messages list it.
    #[must_use]
    pub const fn method(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Count => "count",
            Self::Rate => "rate",
            Self::Avg => "avg",
            Self::Min => "min",
            Self::Med => "med",
            Self::Max => "max",
            Self::Percentile(_) => "p",
        }
    }
}

impl fmt::Display for ThresholdStatistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Percentile(percentile) => write!(f, "p({percentile})"),
            named => f.write_str(named.method()),
        }
    }
}

impl Operator {
    /// Whether too large a value does not meet it.
    #[must_use]
    pub const fn is_upper_bound(self) -> bool {
        matches!(self, Self::Less | Self::LessOrEqual)
    }

    /// Whether too small a value does not meet it.
    #[must_use]
    pub const fn is_lower_bound(self) -> bool {
        matches!(self, Self::Greater | Self::GreaterOrEqual | Self::Equal)
    }

    /// Whether `left` and `right` compare as this operator asks.
    #[must_use]
    #[expect(clippy::float_cmp, reason = "the script asked for equality")]
    pub fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Self::LessOrEqual => left <= right,
            Self::Less => left < right,
            Self::GreaterOrEqual => left >= right,
            Self::Greater => left > right,
            Self::Equal => left == right,
            Self::NotEqual => left != right,
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LessOrEqual => "<=",
            Self::Less => "<",
            Self::GreaterOrEqual => ">=",
            Self::Greater => ">",
            Self::Equal => "==",
            Self::NotEqual => "!=",
        })
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.statistic, self.operator, self.limit)?;
        match self.window {
            Some(window) => write!(f, " every {}s", window.as_secs()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parsed(text: &str) -> (ThresholdStatistic, Operator, f64) {
        let e = Expression::parse(text).unwrap();
        (e.statistic, e.operator, e.limit)
    }

    #[test]
    fn conditions_are_read_with_or_without_space() {
        assert_eq!(
            parsed("p(95)<500"),
            (ThresholdStatistic::Percentile(95.0), Operator::Less, 500.0)
        );
        assert_eq!(
            parsed(" rate <= 0.01 "),
            (ThresholdStatistic::Rate, Operator::LessOrEqual, 0.01)
        );
        assert_eq!(
            parsed("p(99.9)>=1e3"),
            (
                ThresholdStatistic::Percentile(99.9),
                Operator::GreaterOrEqual,
                1000.0
            )
        );
        assert_eq!(
            parsed("count===3"),
            (ThresholdStatistic::Count, Operator::Equal, 3.0)
        );
        let windowed = Expression::parse("p(95)<300 every 1m30s").unwrap();
        assert_eq!(
            (windowed.limit, windowed.window),
            (300.0, Some(Duration::from_secs(90)))
        );
        assert_eq!(windowed.to_string(), "p(95)<300 every 90s");
        assert_eq!(
            parsed("value!=0"),
            (ThresholdStatistic::Value, Operator::NotEqual, 0.0)
        );
    }

    #[test]
    fn mistakes_name_the_part_that_is_wrong() {
        let error = |text| Expression::parse(text).unwrap_err().to_string();
        assert_eq!(
            error("avg"),
            "`avg` is not a statistic, an operator and a number"
        );
        assert_eq!(
            error("avg<"),
            "`avg<` is not a statistic, an operator and a number"
        );
        assert_eq!(error("p95<1"), "unknown statistic `p95`");
        assert_eq!(error("p(x)<1"), "`x` is not a percentile");
        assert_eq!(error("p(950)<300"), "percentile 950 is outside 0 to 100");
        assert_eq!(error("p(-1)<300"), "percentile -1 is outside 0 to 100");
        assert_eq!(error("avg<3x"), "`3x` is not a number");
        assert_eq!(error("avg<1e999"), "`1e999` is not a number");
        for (text, window) in [
            ("avg<1 every 0s", "0s"),
            ("avg<1 every 500ms", "500ms"),
            ("avg<1 every x", "x"),
            ("avg<1 every -1s", "-1s"),
            ("avg<1 every 1.5s", "1.5s"),
        ] {
            let told = format!("`{window}` is not a window of whole seconds");
            assert_eq!(error(text), told);
        }
        assert_eq!(error("avg=<1"), "unknown statistic `avg=`");
    }

    proptest! {
        #[test]
        fn reading_what_was_written_gives_the_same_condition(
            percentile in 0.0..=100.0_f64,
            limit in -1e9..1e9_f64,
        ) {
            let text = format!("p({percentile}) < {limit}");
            let expression = Expression::parse(&text).unwrap();
            prop_assert_eq!(Expression::parse(&expression.to_string()).unwrap(), expression);
        }

        #[test]
        fn any_text_is_read_or_refused_without_a_panic(text in ".{0,30}") {
            let _ = Expression::parse(&text);
        }
    }
}
