//! What a pool measures of its permits.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use std::time::Duration;

/// 1 ms to 16 s, doubling.
pub(crate) fn seconds() -> Histogram {
    Histogram::new(exponential_buckets(0.001, 2.0, 15))
}

/// Wait and hold times of one pool.
#[derive(Debug, Clone)]
pub(crate) struct PoolTimes {
    pub(crate) wait: Histogram,
    pub(crate) hold: Histogram,
    pub(crate) timeouts: Counter,
}

impl Default for PoolTimes {
    fn default() -> Self {
        Self {
            wait: seconds(),
            hold: seconds(),
            timeouts: Counter::default(),
        }
    }
}

impl PoolTimes {
    pub(crate) fn waited(&self, time: Duration) {
        self.wait.observe(time.as_secs_f64());
    }

    pub(crate) fn held(&self, time: Duration) {
        self.hold.observe(time.as_secs_f64());
    }

    pub(crate) fn timed_out(&self) {
        self.timeouts.inc();
    }
}
