//! The answers to failed requests.

/// A kind of answer to requests that failed.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FailedAnswer {
    /// Its status.
    pub status: u16,
    /// Its body's words, as far as they were kept; empty when it has none.
    pub text: String,
    /// How many requests got it.
    pub count: u64,
}
