//! A source that can be looked at, whatever it is.

use std::collections::BTreeSet;
use std::time::Duration;

use loadline_record::signals::{MissingSignal, SourceError, SourceNote};

use crate::reading::Reading;

/// How long one answer by HTTP may take. A target out of threads answers late, and its figures matter then.
pub(crate) const HTTP_TIMEOUT: Duration = Duration::from_secs(5);
/// The largest answer by HTTP: 16 MiB.
pub(crate) const RESPONSE_BYTES_MAX: u64 = 16 << 20;

/// A source that is looked at once a second, on a thread of its own.
pub(crate) trait Source {
    /// Looks at it once.
    fn read(&mut self, reading: &mut Reading) -> Result<(), SourceError>;

    /// The mean time between two glances, where something is seen only at the moment it is looked at.
    fn glance_pause(&self) -> Option<Duration> {
        None
    }

    /// Looks at what it does at this moment, at random times between the readings.
    fn glance(&mut self) {}

    /// What it could tell and does not, as far as the readings so far show.
    fn lacks(&self) -> Vec<MissingSignal>;

    /// What is to be known of its figures, as far as the readings so far show.
    fn notes(&self) -> Vec<SourceNote> {
        Vec::new()
    }

    /// The ports that whatever it is about listens on, with its host; empty where that is unknown.
    fn places(&self) -> BTreeSet<String>;
}
