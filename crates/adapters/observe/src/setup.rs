//! What to observe, and who hears of it.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use loadline_net::{NetworkSettings, Url};
use loadline_reactor::MonotonicClock;
use loadline_record::signals::SourceError;

use crate::address::SourceAddress;

/// Makes network settings for a page.
pub type PageNetwork = Arc<dyn Fn(&Url) -> Result<NetworkSettings, String> + Send + Sync>;

/// Hears of changes of sources.
pub type SourceListener = Arc<dyn Fn(SourceNotice) + Send + Sync>;

/// Time between two looks in a run.
pub const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// What to observe.
#[derive(Clone)]
pub struct ObserverSetup {
    /// The sources.
    pub addresses: Vec<SourceAddress>,
    /// Time between two looks: [`LOOK_INTERVAL`], or less in tests.
    pub every: Duration,
    /// Counts from the run's start.
    pub clock: MonotonicClock,
    /// Where random times of looks begin.
    pub seed: u64,
    /// The time of day, by this host.
    pub wall_clock: fn() -> SystemTime,
    /// How pages are reached.
    pub network: PageNetwork,
    /// Hears when a source answers for the first time, fails or recovers.
    pub listener: SourceListener,
}

/// A source answers, or no longer does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceNotice {
    /// The source, without secrets.
    pub name: String,
    /// Why it does not answer; `None` when it does.
    pub error: Option<SourceError>,
}
