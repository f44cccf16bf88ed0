//! Runs of one test that belong together.

/// A run's place among repetitions of the same test, which are compared as one.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Series {
    /// The same for all of them, and for no others.
    pub id: String,
    /// Which of them, from 1.
    pub number: u32,
    /// How many there are to be.
    pub of: u32,
}
