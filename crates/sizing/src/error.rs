//! Why no plan can be made.

/// Why no plan can be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SizingError {
    /// Nothing given leads to any figure.
    #[error("nothing that was given leads to a figure")]
    NothingToGoOn,
    /// A number is needed that was not given.
    #[error("`{input}` is needed beside `{beside}`")]
    Missing {
        /// The input that is not there.
        input: &'static str,
        /// The one that needs it.
        beside: &'static str,
    },
    /// What follows is beyond any machine or clock.
    #[error("the rate that follows, {rate}/s, cannot be")]
    RateTooLarge {
        /// The rate.
        rate: f64,
    },
}
