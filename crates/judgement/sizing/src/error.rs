//! Why no plan can be made.

/// Why no plan can be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SizingError {
    /// The inputs do not lead to any figure.
    #[error("nothing that was given leads to a figure")]
    NothingToGoOn,
    /// An input is missing.
    #[error("`{input}` is needed beside `{beside}`")]
    Missing {
        /// The missing input.
        input: &'static str,
        /// The input that requires it.
        beside: &'static str,
    },
    /// The rate exceeds what any machine can send.
    #[error("the rate that follows, {rate}/s, cannot be")]
    RateTooLarge {
        /// The rate.
        rate: f64,
    },
}
