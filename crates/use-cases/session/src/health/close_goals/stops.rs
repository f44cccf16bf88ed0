//! Stops of the generator, and how long a target feels them.
//!
//! While a generator stands still, nothing is sent, and what was due goes out at once: another load than was
//! planned. Where the whole machine stood still, so did a target on it. Either way an answer comes later by
//! what was stopped in its time, at most: the same queue, worked off that much later.

use std::collections::VecDeque;
use std::time::Duration;

/// Starts that are later than this were sent together with others, ms: a delay that users notice.
const BUNCHED_MS: f64 = 100.0;
/// A stop is felt for so many times its length, by a target that is busy three quarters of its time: until what came
/// together is worked off.
const FELT_FOR: f64 = 3.0;

/// Follows the stops of a run.
#[derive(Debug, Default)]
pub(super) struct Stops {
    /// Those that are still felt.
    felt: VecDeque<Stop>,
}

/// What stood still in a second, ms.
#[derive(Debug)]
struct Stop {
    /// Seconds for which it is felt, with this one.
    left: u64,
    /// A worker was away.
    stalled_ms: f64,
    /// The latest start.
    late_ms: f64,
}

impl Stops {
    /// Takes a second in, of a test whose requests take `seconds_long` seconds; how much later its answers may be, ms.
    pub(super) fn of_second(
        &mut self,
        stalled: Duration,
        latest_start_ms: f64,
        seconds_long: u64,
    ) -> f64 {
        let stalled_ms = stalled.as_secs_f64() * 1_000.0;
        let late_ms = if latest_start_ms > BUNCHED_MS {
            latest_start_ms
        } else {
            0.0
        };
        let length = stalled_ms.max(late_ms);
        if length > 0.0 {
            self.felt.push_back(Stop {
                left: seconds_long + 2 + whole_seconds(FELT_FOR * length),
                stalled_ms,
                late_ms,
            });
        }
        // Late starts are what stalls made: they do not add up.
        let stalled: f64 = self.felt.iter().map(|stop| stop.stalled_ms).sum();
        let latest = self.felt.iter().map(|stop| stop.late_ms);
        let felt = latest.fold(stalled, f64::max);
        for stop in &mut self.felt {
            stop.left -= 1;
        }
        self.felt.retain(|stop| stop.left > 0);
        felt
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a time; the cast saturates"
)]
fn whole_seconds(ms: f64) -> u64 {
    (ms / 1_000.0).ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn felt(seconds: &[(u64, f64)]) -> Vec<f64> {
        let mut stops = Stops::default();
        let of = |&(stalled, late): &(u64, f64)| {
            stops.of_second(Duration::from_millis(stalled), late, 0)
        };
        seconds.iter().map(of).collect()
    }

    #[test]
    fn a_stop_is_felt_until_what_came_together_is_worked_off() {
        let found = felt(&[
            (0, 1.0),
            (1_000, 980.0),
            (0, 0.0),
            (0, 0.0),
            (0, 0.0),
            (0, 0.0),
            (0, 0.0),
        ]);
        assert_eq!(
            found,
            [0.0, 1_000.0, 1_000.0, 1_000.0, 1_000.0, 1_000.0, 0.0]
        );
    }

    #[test]
    fn stalls_add_up_and_starts_that_are_late_for_them_do_not() {
        assert_eq!(felt(&[(1_000, 0.0), (400, 1_350.0)]), [1_000.0, 1_400.0]);
        assert_eq!(felt(&[(0, 99.0), (0, 250.0)]), [0.0, 250.0]);
    }
}
