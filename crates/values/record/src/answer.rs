//! Which requests failed, and the answers to those that did.

/// Whether requests with these tags failed: their answer was not expected, or, where nobody says
/// what is, there was none or that of an error. A challenge to log in is expected.
#[must_use]
pub fn is_failed_request(expected_response: Option<&str>, status: Option<&str>) -> bool {
    match expected_response {
        Some(expected) => expected == "false",
        None => {
            let status = status.and_then(|status| status.parse::<u16>().ok());
            status.is_some_and(|status| status == 0 || status >= 400)
        }
    }
}

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
