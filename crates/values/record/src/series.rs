//! Repetitions of one test.

/// A run's place among repetitions of the same test, which are compared as one.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Series {
    /// The id of the series.
    pub id: String,
    /// This run's number in the series, from 1.
    pub number: u32,
    /// How many runs the series is to have.
    pub of: u32,
}
