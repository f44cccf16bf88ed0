//! Runs that are too short to see how they spread.

use super::values::{self, RUNS_MIN};
use super::{ComparedRun, Measure};

/// A run that is too short, and what it would take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShortRun {
    /// Its full seconds.
    pub seconds: u32,
    /// Requests in them whose times are known.
    pub requests: u32,
    /// Full seconds that it takes.
    pub seconds_needed: u32,
    /// Requests that it takes, spread over them.
    pub requests_needed: u32,
    /// Runs a side that would do instead.
    pub runs_needed: u32,
}

impl ShortRun {
    /// Of the runs whose spread is not seen, the one with the fewest requests.
    pub(super) fn new(measure: Measure, before: &[ComparedRun], after: &[ComparedRun]) -> Self {
        let sides = [before, after].into_iter();
        let short = sides.filter(|side| values::spread(measure, side).is_none());
        let sizes = short.flatten().map(|run| {
            let windows: Vec<_> = run.windows.iter().collect();
            (whole(values::timed(&windows)), windows.len())
        });
        let (requests, seconds) = sizes.min().unwrap_or_default();
        Self {
            seconds: u32::try_from(seconds).unwrap_or(u32::MAX),
            requests,
            seconds_needed: values::WINDOWS_MIN,
            requests_needed: whole(values::requests_needed(measure)),
            runs_needed: RUNS_MIN,
        }
    }

    /// It is long enough as a whole: its requests ended in a few of its seconds.
    #[must_use]
    pub const fn is_bunched(&self) -> bool {
        self.seconds >= self.seconds_needed && self.requests >= self.requests_needed
    }
}

/// A count as a whole number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a count of requests; the cast saturates"
)]
fn whole(count: f64) -> u32 {
    count.round() as u32
}
