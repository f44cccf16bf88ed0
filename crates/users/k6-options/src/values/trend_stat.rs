//! The statistics of a trend that a summary shows.

/// One statistic of a trend.
#[derive(Debug, Clone, PartialEq)]
pub enum SummaryTrendStat {
    /// The mean.
    Avg,
    /// The least.
    Min,
    /// The median.
    Med,
    /// The greatest.
    Max,
    /// How many samples.
    Count,
    /// A percentile.
    Percentile {
        /// As written, which names it in summaries: `p(99.9)`.
        written: String,
        /// 0 to 100.
        percent: f64,
    },
}

impl SummaryTrendStat {
    /// Those shown unless others are asked for.
    pub const DEFAULT: [&'static str; 6] = ["avg", "min", "med", "max", "p(90)", "p(95)"];

    /// Reads its name.
    ///
    /// # Errors
    /// k6's text, with what was written.
    pub fn parse(text: &str) -> Result<Self, String> {
        let named = match text {
            "avg" => Some(Self::Avg),
            "min" => Some(Self::Min),
            "med" => Some(Self::Med),
            "max" => Some(Self::Max),
            "count" => Some(Self::Count),
            _ => None,
        };
        if let Some(named) = named {
            return Ok(named);
        }
        let inner = text.strip_prefix("p(").and_then(|t| t.strip_suffix(')'));
        let inner = inner.ok_or_else(|| format!("invalid trend stat '{text}', unknown format"))?;
        let percent = inner.parse().ok().filter(|p| (0.0..=100.0).contains(p));
        let percent = percent.ok_or_else(|| {
            format!(
                "invalid percentile trend stat value '{text}', provide a number between 0 and 100"
            )
        })?;
        Ok(Self::Percentile {
            written: text.to_owned(),
            percent,
        })
    }

    /// Its name in summaries.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Avg => "avg",
            Self::Min => "min",
            Self::Med => "med",
            Self::Max => "max",
            Self::Count => "count",
            Self::Percentile { written, .. } => written,
        }
    }
}

/// Reads all names.
///
/// # Errors
/// k6's text about the first that is wrong.
pub fn check_trend_stats<S: AsRef<str>>(names: &[S]) -> Result<Vec<SummaryTrendStat>, String> {
    let names = names.iter();
    names
        .map(|name| SummaryTrendStat::parse(name.as_ref()))
        .collect()
}
