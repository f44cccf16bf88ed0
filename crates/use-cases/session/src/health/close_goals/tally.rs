//! Sums over seconds of a goal.

/// How answers of some seconds compare with a goal.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AnswerTally {
    pub(super) seconds: u64,
    /// Answers, or planned starts.
    pub(super) all: u64,
    /// Those that were not answered well, however fast.
    pub(super) missed: u64,
    /// Of these, those that no stop can have made.
    pub(super) missed_for_certain: u64,
    /// Those that were late or missed.
    pub(super) late: u64,
    /// At least so many of these are late without the generator's delays, too.
    pub(super) late_for_certain: f64,
    /// The same of planned starts if no stop made them later.
    pub(super) late_without_stops: f64,
    /// Stops are felt in so much of these seconds at most, ms.
    pub(super) felt_ms: f64,
    /// Stops within them.
    pub(super) stops: u64,
    /// Answers in the busiest second.
    pub(super) busiest: u64,
    /// Sum of times, ms.
    pub(super) sum_ms: f64,
    /// Of it, what the generator's delays may be, ms.
    pub(super) own_ms: f64,
}

impl AnswerTally {
    pub(super) fn plus(self, other: &Self) -> Self {
        Self {
            seconds: self.seconds + other.seconds,
            all: self.all + other.all,
            missed: self.missed + other.missed,
            missed_for_certain: self.missed_for_certain + other.missed_for_certain,
            late: self.late + other.late,
            late_for_certain: self.late_for_certain + other.late_for_certain,
            late_without_stops: self.late_without_stops + other.late_without_stops,
            felt_ms: self.felt_ms + other.felt_ms,
            stops: self.stops + other.stops,
            busiest: self.busiest.max(other.busiest),
            sum_ms: self.sum_ms + other.sum_ms,
            own_ms: self.own_ms + other.own_ms,
        }
    }

    /// Whether answers are late that may not have been without the delays.
    pub(super) fn is_in_doubt(&self) -> bool {
        self.late as f64 > self.late_for_certain
    }
}
