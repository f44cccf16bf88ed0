//! How much a tenant may have.

use serde::{Deserialize, Serialize};

/// What a tenant may have at most; `None` for no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Quotas {
    /// Queues, archived ones not counted.
    pub queues: Option<u64>,
    /// People waiting in all its queues.
    pub waiting: Option<u64>,
    /// Streams open at each gate.
    pub streams: Option<u64>,
    /// Joins a second at each gate.
    pub joins_per_s: Option<u32>,
}
