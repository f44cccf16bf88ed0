//! How many requests a target serves at once while others wait for them.

/// Requests wait where they take so many times as long as those that wait for nothing, ...
pub(super) const WAITING_SLOWDOWN_MIN: f64 = 3.0;
/// ... or where hardly any later request is as quick as the first one of users who all began at once.
pub(super) const WAVE_SLOWDOWN_MIN: f64 = 1.8;
/// Times within this factor of each other are the same.
pub(super) const ALIKE_FACTOR_MAX: f64 = 1.15;
/// As many are served at once as there are whole places in rate times time, and a little: on its way and in the machine a
/// request spends time that is none of a place's.
const SPARE_PLACE: f64 = 0.3;

/// Requests that a target serves at once while others wait for them: by Little's law, their rate
/// times the time of one that waits for nothing.
#[derive(Debug)]
pub(super) struct ServedAtOnce {
    /// How many, a whole number.
    pub(super) count: f64,
    /// Answered per second, at most.
    pub(super) rate: f64,
    /// The mean time of a request while little is asked, ms.
    pub(super) alone_ms: f64,
    /// All requests may have waited for something: no more are served at once than this.
    pub(super) is_most: bool,
    /// The kinds of requests that it is of, where others do not wait; `None`: all.
    pub(super) of: Option<String>,
    /// How long these take, on average, ms.
    pub(super) mean_ms: f64,
}

impl ServedAtOnce {
    /// Of requests that are answered at a rate and take `alone_ms` where they wait for nothing.
    pub(super) fn new(rate: f64, alone_ms: f64) -> Self {
        Self {
            count: (rate * alone_ms / 1000.0 + SPARE_PLACE).floor().max(1.0),
            rate,
            alone_ms,
            is_most: false,
            of: None,
            mean_ms: 0.0,
        }
    }

    /// Fewer may be served at once; never less than one.
    pub(super) fn is_bound(&self) -> bool {
        self.is_most && self.count > 1.0
    }
}
