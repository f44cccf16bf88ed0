//! What is answered where the load is highest, as far as the generator sent it.

use std::borrow::Cow;

use loadline_analysis::compare::ComparedWindow;

use super::input::share;
use super::view::RunView;

/// A second, ms.
const SECOND_MS: f64 = 1_000.0;
/// A stop of the generator is one from this length on, ms.
const OWN_STOP_MS_MIN: f64 = 100.0;
/// Seconds with at least this share of the highest load are at it.
const HIGHEST_SHARE_MIN: f64 = 0.92;

/// Requests answered well per second in the seconds with the highest load: no more than were planned, as chance has it.
/// `None` where no load is known.
pub(super) fn answered_at_highest_load(view: &RunView<'_>) -> Option<f64> {
    let windows = without_own_delays(view.windows(), OWN_STOP_MS_MIN);
    let is_planned = view.run.load.is_open && windows.iter().any(|one| one.planned_rate > 0.0);
    let load = |window: &ComparedWindow| {
        if is_planned {
            window.planned_rate
        } else {
            window.users
        }
    };
    let highest = windows.iter().map(load).fold(0.0, f64::max);
    if highest <= 0.0 {
        return None;
    }
    let is_highest = |window: &&ComparedWindow| load(window) >= HIGHEST_SHARE_MIN * highest;
    let at_highest = || windows.iter().filter(is_highest);
    let seconds: f64 = at_highest().map(|_| 1.0).sum();
    let good = |window: &ComparedWindow| window.requests - window.failed - window.drained;
    let answered = share(at_highest().map(good).sum(), seconds);
    let sum = |of: fn(&ComparedWindow) -> f64| windows.iter().map(of).sum::<f64>();
    let requests_of_start = share(sum(|one| one.requests), sum(|one| one.iterations));
    if !is_planned || requests_of_start <= 0.0 {
        return Some(answered);
    }
    let planned = share(at_highest().map(load).sum(), seconds);
    Some(answered.min(planned * requests_of_start))
}

/// The seconds in which the generator itself did not stand still for `stop_ms_min` or longer: nothing was asked then, and
/// what was due came at once after it.
pub(super) fn without_own_delays(
    windows: &[ComparedWindow],
    stop_ms_min: f64,
) -> Cow<'_, [ComparedWindow]> {
    let is_stopped = |window: &ComparedWindow| window.own_delay_ms >= stop_ms_min;
    if !windows.iter().any(is_stopped) {
        return Cow::Borrowed(windows);
    }
    let mut left_ms = 0.0_f64;
    let is_free = |window: &&ComparedWindow| {
        if is_stopped(window) {
            // It may have begun at the end of the second in which it is noted.
            left_ms = left_ms.max(window.own_delay_ms + SECOND_MS);
        }
        let is_free = left_ms <= 0.0;
        left_ms -= SECOND_MS;
        is_free
    };
    windows.iter().filter(is_free).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ExplainedLoad, ExplainedRun};

    fn at_highest_load(windows: Vec<ComparedWindow>, is_open: bool) -> f64 {
        let run = ExplainedRun {
            windows,
            load: ExplainedLoad {
                is_open,
                ..ExplainedLoad::default()
            },
            ..ExplainedRun::default()
        };
        answered_at_highest_load(&RunView::new(&run)).unwrap()
    }

    fn second(requests: f64) -> ComparedWindow {
        let mut window = ComparedWindow {
            requests,
            iterations: requests,
            users: 4.0,
            ..ComparedWindow::default()
        };
        (0..20).for_each(|_| window.durations.record(20.0));
        window
    }

    /// Seen: "NO SIGN OF A LIMIT up to 26.6" of a ramp to 40/s in 10 s, all of it answered.
    #[test]
    fn of_a_ramp_its_end_is_told_and_no_more_than_was_planned() {
        let ramp = |extra: f64| {
            let second = |at: u32| ComparedWindow {
                planned_rate: 4.0 * f64::from(at),
                planned: 4.0 * f64::from(at),
                ..second(4.0 * f64::from(at) + extra)
            };
            (1..10).map(second).collect()
        };
        assert!((at_highest_load(ramp(0.0), true) - 36.0).abs() < 0.01);
        assert!(at_highest_load(ramp(9.0), true) <= 36.0 * 1.3);
        assert!((at_highest_load(ramp(-2.0), true) - 34.0).abs() < 0.01);
    }

    /// Seen: "up to 25.8" of users in loops who were answered 32.7 times a second but for 2 s in which their generator was stopped.
    #[test]
    fn a_stop_of_the_generator_does_not_make_it_less() {
        let mut seconds = vec![second(33.0); 10];
        seconds[4].own_delay_ms = 2_000.0;
        seconds[5] = second(0.0);
        seconds[6] = second(10.0);
        assert!((at_highest_load(seconds, false) - 33.0).abs() < 0.01);
    }
}
