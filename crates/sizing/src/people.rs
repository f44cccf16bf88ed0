//! The load that people make.

/// Where the rates come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct People {
    /// Mean requests per second.
    pub mean: f64,
    /// Requests per second at the peak, growth included.
    pub peak: f64,
}
