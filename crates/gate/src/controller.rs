//! Where the rate comes from while the gate runs.
//!
//! Today a person or an imported figure sets rate and cap, and they stay. A controller that
//! follows the service's live latency belongs here: once a window it is given what was
//! measured and what the import allows, and answers with limits never above those. It will
//! be pure, like the queue; whoever runs it sends a [`crate::queue::Command::Configure`].

use crate::queue::AdmissionRate;

/// What admission is limited by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Admissions per second.
    pub rate: Option<AdmissionRate>,
    /// Ready and inside together.
    pub cap: Option<u64>,
}
