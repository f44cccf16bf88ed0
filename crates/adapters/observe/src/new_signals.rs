//! What `observe --listen` answers to a run on another host.

use std::collections::BTreeSet;

use loadline_record::signals::Signals;
use serde::{Deserialize, Serialize};

/// Where signals are asked for.
pub(crate) const SERVED_PATH: &str = "/v1/signals";

/// What is new since the last answer.
#[derive(Serialize, Deserialize)]
pub(crate) struct NewSignals {
    /// The watch's name; another one begins at zero.
    pub(crate) watch: String,
    /// Now, ms by the watch's clock.
    pub(crate) now_ms: u64,
    /// Where what is looked at listens.
    pub(crate) places: BTreeSet<String>,
    pub(crate) signals: Signals,
}
