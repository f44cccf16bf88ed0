//! Assigns stalls of workers to seconds.

use std::time::Duration;

/// Starts that are later than this were sent together with others, ms: a delay that users notice.
pub(super) const BUNCHED_MS: f64 = 100.0;

/// Assigns stalls to seconds. Seconds that passed during a stall arrive together, and the whole
/// stall is known when the first of them arrives.
#[derive(Debug, Default)]
pub(crate) struct Stalls {
    left: Duration,
}

impl Stalls {
    /// How long workers were stalled in the second that just arrived; `noted` is the longest
    /// stall since the previous second.
    pub(crate) fn of_second(&mut self, noted: Duration) -> Duration {
        let longest = noted.max(self.left);
        let here = longest.min(Duration::from_secs(1));
        self.left = longest - here;
        here
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stall_goes_on_into_the_seconds_that_came_with_it() {
        let mut stalls = Stalls::default();
        let noted = [0, 2_500, 0, 0, 0, 300, 0];
        let laid = noted.map(|ms| stalls.of_second(Duration::from_millis(ms)).as_millis());
        assert_eq!(laid, [0, 1_000, 1_000, 500, 0, 300, 0]);
    }
}
