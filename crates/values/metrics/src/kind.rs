//! What a metric is.

use std::fmt;

/// How a metric's samples add up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A sum.
    Counter,
    /// The latest value, with the least and the greatest seen.
    Gauge,
    /// The share of samples that were not zero.
    Rate,
    /// A distribution.
    Trend,
}

impl Kind {
    /// The name scripts and result files use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Rate => "rate",
            Self::Trend => "trend",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Who brought a metric into the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Built in, and k6 has it too.
    K6,
    /// Built in, ours alone; not part of k6's summaries.
    Loadline,
    /// Declared by the test.
    Test,
}

/// What a metric's numbers are; decides only how they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ValueType {
    /// Plain numbers.
    #[default]
    Default,
    /// Milliseconds.
    Time,
    /// Bytes.
    Data,
}

impl ValueType {
    /// The name scripts and result files use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Time => "time",
            Self::Data => "data",
        }
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A metric's position in the run's [`crate::Registry`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MetricId(pub(crate) u32);

impl MetricId {
    /// The position as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
