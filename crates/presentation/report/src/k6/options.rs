//! Options of a summary.

use std::fmt;
use std::str::FromStr;

use loadline_metrics::Histogram;

/// How much a summary shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SummaryDetail {
    /// Totals.
    #[default]
    Compact,
    /// Totals, the phases of requests, and results by group and scenario.
    Full,
    /// The layout before k6 v1.0.
    Legacy,
}

/// The unit that all times are shown in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeUnit {
    /// `s`
    Seconds,
    /// `ms`
    Milliseconds,
    /// `us`
    Microseconds,
}

impl TimeUnit {
    /// The unit called `s`, `ms` or `us`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "s" => Some(Self::Seconds),
            "ms" => Some(Self::Milliseconds),
            "us" => Some(Self::Microseconds),
            _ => None,
        }
    }

    /// Its name in options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::Milliseconds => "ms",
            Self::Microseconds => "us",
        }
    }
}

/// A column of trends.
#[derive(Debug, Clone, PartialEq)]
pub enum TrendStat {
    /// `avg`
    Avg,
    /// `min`
    Min,
    /// `med`
    Med,
    /// `max`
    Max,
    /// `count`
    Count,
    /// `p(95)`; kept as written, because it is also a key.
    Percentile {
        /// As written.
        name: String,
        /// 0 to 100.
        percentile: f64,
    },
}

/// Why a column of trends is refused; the words are k6's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TrendStatError {
    /// It has no known form.
    #[error("invalid trend stat '{found}', unknown format")]
    Unknown {
        /// As written.
        found: String,
    },
    /// The percentile is not 0 to 100.
    #[error("invalid percentile trend stat value '{found}', provide a number between 0 and 100")]
    Percentile {
        /// As written.
        found: String,
    },
}

impl FromStr for TrendStat {
    type Err = TrendStatError;

    fn from_str(text: &str) -> Result<Self, TrendStatError> {
        Ok(match text {
            "avg" => Self::Avg,
            "min" => Self::Min,
            "med" => Self::Med,
            "max" => Self::Max,
            "count" => Self::Count,
            _ => {
                let inner = text.strip_prefix("p(").and_then(|t| t.strip_suffix(')'));
                let inner = inner.ok_or_else(|| TrendStatError::Unknown { found: text.into() })?;
                let percentile: Option<f64> = inner.parse().ok();
                let percentile = percentile.filter(|p| (0.0..=100.0).contains(p));
                Self::Percentile {
                    name: text.to_owned(),
                    percentile: percentile
                        .ok_or_else(|| TrendStatError::Percentile { found: text.into() })?,
                }
            }
        })
    }
}

impl fmt::Display for TrendStat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl TrendStat {
    /// As written.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Avg => "avg",
            Self::Min => "min",
            Self::Med => "med",
            Self::Max => "max",
            Self::Count => "count",
            Self::Percentile { name, .. } => name,
        }
    }

    /// The value of a trend; zero without samples.
    #[must_use]
    pub fn value_of(&self, trend: &Histogram) -> f64 {
        let value = match self {
            Self::Avg => trend.mean(),
            Self::Min => trend.min(),
            Self::Med => trend.percentile(0.5),
            Self::Max => trend.max(),
            Self::Count => Some(trend.count() as f64),
            Self::Percentile { percentile, .. } => trend.percentile(percentile / 100.0),
        };
        value.unwrap_or(0.0)
    }
}

/// The options of a summary.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryOptions {
    /// The columns of trends, in order.
    pub trend_stats: Vec<TrendStat>,
    /// The unit of all times; each its own unless set.
    pub time_unit: Option<TimeUnit>,
    /// Whether to colour.
    pub colors: bool,
    /// Whether colours were turned off; `handleSummary` is told.
    pub no_color: bool,
    /// The release of k6 whose summary it is.
    pub k6_version: &'static str,
    /// Whether a gauge's greatest value is 0 at least, as in k6 1.8.
    pub gauges_from_zero: bool,
}

impl Default for SummaryOptions {
    /// k6's: `avg,min,med,max,p(90),p(95)`, times in fitting units, no colours.
    fn default() -> Self {
        let stats = ["avg", "min", "med", "max", "p(90)", "p(95)"];
        Self {
            trend_stats: stats.iter().filter_map(|s| s.parse().ok()).collect(),
            time_unit: None,
            colors: false,
            no_color: false,
            k6_version: "2.2.0",
            gauges_from_zero: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_read_and_refused_as_k6_does() {
        assert_eq!(SummaryOptions::default().trend_stats.len(), 6);
        assert_eq!("p(99.9)".parse::<TrendStat>().unwrap().name(), "p(99.9)");
        let error = |text: &str| text.parse::<TrendStat>().unwrap_err().to_string();
        assert_eq!(error("p95"), "invalid trend stat 'p95', unknown format");
        assert_eq!(
            error("p(101)"),
            "invalid percentile trend stat value 'p(101)', provide a number between 0 and 100"
        );
    }
}
