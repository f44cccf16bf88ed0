//! What failed requests were answered.

/// A kind of answer to requests that failed.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FailedAnswer {
    /// Its status.
    pub status: u16,
    /// Its body's words, at most [`FailedAnswer::LONGEST`] characters; empty when it has none.
    pub text: String,
    /// How many requests got it.
    pub count: u64,
}

impl FailedAnswer {
    /// The most characters of a text.
    pub const LONGEST: usize = 60;
}
