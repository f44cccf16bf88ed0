//! Whether a verdict stands although the generator's own delays touched some of the run.
//!
//! Seconds that were touched are left out, and the rest is judged by itself. Only a verdict that
//! could differ is void.

/// Goals and how many of them were met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Goals {
    /// Those that were met.
    pub met: usize,
    /// All of them.
    pub all: usize,
}

/// What the generator's own delays touched of a run, and whether the verdict could differ for it.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Validity {
    /// Seconds that count.
    pub seconds: u64,
    /// Of these, seconds that were touched.
    pub touched: u64,
    /// What follows for the verdict.
    pub standing: VerdictStanding,
    /// Goals met by the other seconds alone, and all; `None` when too few are left.
    pub goals: Option<Goals>,
    /// The 95th percentile of latency in the other seconds, ms.
    pub p95_ms: Option<f64>,
    /// It is longer: some of these were cut unanswered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_p95_longer: bool,
}

/// Whether a verdict stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictStanding {
    /// The other seconds alone say the same.
    Same,
    /// The delays are in the numbers, and the verdict could not be another without them.
    Certain,
    /// The other seconds alone say something else.
    Differs,
    /// Hardly anything is left without the touched seconds.
    NothingLeft,
}

impl VerdictStanding {
    /// Whether the verdict stands.
    #[must_use]
    pub const fn holds(self) -> bool {
        matches!(self, Self::Same | Self::Certain)
    }
}

/// Of the seconds of a run this share must be left to be judged.
const REST_SHARE_MIN: f64 = 0.1;

impl Validity {
    /// Whether enough seconds are left to be judged by themselves.
    #[must_use]
    pub fn is_enough_left(seconds: u64, touched: u64) -> bool {
        let left = seconds.saturating_sub(touched);
        left > 0 && left as f64 >= REST_SHARE_MIN * seconds as f64
    }
}
