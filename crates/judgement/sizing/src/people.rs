//! The load that people make.

/// The rates that people make.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct People {
    /// Mean requests per second.
    pub mean: f64,
    /// Requests per second at the peak, including growth.
    pub peak: f64,
}
