//! Stops of the generator, and how long a target feels them.
//!
//! While a generator stands still, nothing is sent, and what was due goes out at once: another load than was
//! planned. Where the whole machine stood still, so did a target on it. Either way an answer comes later by
//! what was stopped in its time, at most: the same queue, worked off that much later.

use std::collections::VecDeque;
use std::time::Duration;

use super::super::stalls::BUNCHED_MS;

/// A stop is felt for so many times its length, by a target that is busy three quarters of its time: until what came
/// together is worked off.
const FELT_FOR: f64 = 3.0;
/// A second, ms.
const SECOND_MS: f64 = 1_000.0;

/// Follows the stops of a run.
#[derive(Debug, Default)]
pub(super) struct Stops {
    /// Those that are still felt.
    felt: VecDeque<Stop>,
    /// For how long what stood still so far is still felt if no two stops were at the same time, ms.
    still_ms: f64,
}

/// What the stops that are felt in a second do to its answers, ms.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct FeltStops {
    /// So much later one may be, at most.
    pub(super) later_ms: f64,
    /// In so much of the second they are felt, at most.
    pub(super) lasts_ms: f64,
    /// Those of this second.
    pub(super) count: u64,
}

/// What is known of a second.
#[derive(Debug, Clone, Copy)]
pub(super) struct SecondStops {
    /// The longest time for which a worker was away.
    pub(super) stalled: Duration,
    /// How often one was.
    pub(super) stalls: u64,
    /// For how long in all. What goes on into later seconds is told with the first of them.
    pub(super) stood_still: Duration,
    pub(super) latest_start_ms: f64,
    /// Starts that were later than [`BUNCHED_MS`].
    pub(super) bunched: u64,
    /// Requests take so many seconds.
    pub(super) seconds_long: u64,
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
    /// Takes a second in.
    pub(super) fn of_second(&mut self, second: SecondStops) -> FeltStops {
        let stalled_ms = second.stalled.as_secs_f64() * 1_000.0;
        let late_ms = if second.latest_start_ms > BUNCHED_MS {
            second.latest_start_ms
        } else {
            0.0
        };
        let length = stalled_ms.max(late_ms);
        if length > 0.0 {
            self.felt.push_back(Stop {
                left: second.seconds_long + 2 + whole_seconds(FELT_FOR * length),
                stalled_ms,
                late_ms,
            });
        }
        // Late starts are what stalls made: they do not add up.
        let stalled: f64 = self.felt.iter().map(|stop| stop.stalled_ms).sum();
        let latest = self.felt.iter().map(|stop| stop.late_ms);
        let later_ms = latest.fold(stalled, f64::max);
        // Late starts without a stall are of stops that were too short to be noted as one, or of one before.
        let (count, still_ms) = if second.stalls > 0 {
            (second.stalls, second.stood_still.as_secs_f64() * 1_000.0)
        } else {
            (second.bunched, second.bunched as f64 * length)
        };
        self.still_ms += still_ms * (1.0 + FELT_FOR);
        let lasts_ms = self.still_ms.min(SECOND_MS);
        self.still_ms -= lasts_ms;
        for stop in &mut self.felt {
            stop.left -= 1;
        }
        self.felt.retain(|stop| stop.left > 0);
        FeltStops {
            later_ms,
            lasts_ms,
            count,
        }
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

    fn felt(seconds: &[(u64, f64)]) -> Vec<FeltStops> {
        let mut stops = Stops::default();
        let of = |&(stalled, late): &(u64, f64)| {
            stops.of_second(SecondStops {
                stalled: Duration::from_millis(stalled),
                stalls: u64::from(stalled > 0),
                stood_still: Duration::from_millis(stalled),
                latest_start_ms: late,
                bunched: u64::from(late > BUNCHED_MS),
                seconds_long: 0,
            })
        };
        seconds.iter().map(of).collect()
    }

    fn later(seconds: &[(u64, f64)]) -> Vec<f64> {
        felt(seconds).iter().map(|stops| stops.later_ms).collect()
    }

    #[test]
    fn a_stop_is_felt_until_what_came_together_is_worked_off() {
        let found = later(&[
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
        assert_eq!(later(&[(1_000, 0.0), (400, 1_350.0)]), [1_000.0, 1_400.0]);
        assert_eq!(later(&[(0, 99.0), (0, 250.0)]), [0.0, 250.0]);
    }

    #[test]
    fn short_stops_are_felt_in_a_part_of_the_time() {
        let lasts = |seconds: &[(u64, f64)]| {
            let ms: f64 = felt(seconds).iter().map(|stops| stops.lasts_ms).sum();
            Duration::from_secs_f64(ms / 1_000.0).as_millis()
        };
        assert_eq!(lasts(&[(0, 1.0), (0, 99.0)]), 0);
        assert_eq!(lasts(&[(150, 140.0), (0, 0.0), (0, 0.0)]), 600);
        assert_eq!(lasts(&[(0, 0.0), (400, 380.0), (0, 0.0)]), 1_600);
        assert_eq!(
            lasts(&[(400, 380.0); 3]),
            3_000,
            "never longer than it takes"
        );
    }
}
