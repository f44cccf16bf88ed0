//! Warms a target up before anything of it is judged: a few users in a loop, whose load is
//! never more than it can carry.

use std::time::Duration;

use loadline_analysis::capacity::Unit;
use loadline_experiment::runner::{RunnerRequirements, Running};
use loadline_metrics::Histogram;

use crate::warm_up::{Steadiness, WarmUpSetting};

/// Users who warm the target up.
pub const WARMING_USERS: u64 = 2;
/// Windows at either end whose requests are told beside each other.
const TOLD_WINDOWS: usize = 3;
/// Windows without a good answer after which nothing will warm up.
const SILENT_WINDOWS_MAX: usize = 10;

/// What became of a target while it was warmed up.
#[derive(Debug, Clone, PartialEq)]
pub struct WarmUpOutcome {
    /// How long it took.
    pub took: Duration,
    /// Requests that were sent.
    pub requests: f64,
    /// Median of the requests answered well at first and in the end, ms; `None` without any.
    pub medians_ms: Option<(f64, f64)>,
    /// Neither throughput nor latency had a trend any more, or it took as long as was asked for.
    pub is_steady: bool,
}

/// What steering needs for a warm-up that takes so long at most.
#[must_use]
pub fn requirements(setting: WarmUpSetting, scenario: Option<String>) -> RunnerRequirements {
    RunnerRequirements {
        unit: Unit::Users,
        most_users: WARMING_USERS,
        // Making users and the first window that is not whole come on top.
        longest: longest(setting).as_secs_f64() + 60.0,
        scenario,
        terms: Vec::new(),
    }
}

const fn longest(setting: WarmUpSetting) -> Duration {
    match setting {
        WarmUpSetting::None => Duration::ZERO,
        WarmUpSetting::For(time) => time,
        WarmUpSetting::UntilSteady { at_most } => at_most,
    }
}

/// Warms up until `setting` says that it is enough; `None` where somebody ended it, or the load
/// ended by itself.
pub fn warm_up(running: &mut impl Running, setting: WarmUpSetting) -> Option<WarmUpOutcome> {
    let enough = longest(setting);
    let mut steadiness = Steadiness::default();
    let mut windows: Vec<Histogram> = Vec::new();
    let (mut requests, mut silent) = (0.0, 0);
    running.set_level(WARMING_USERS as f64);
    loop {
        let window = running.next_window()?;
        requests += window.requests;
        let p95 = window.durations.percentile(0.95);
        silent = if p95.is_none() { silent + 1 } else { 0 };
        let is_steady = steadiness.push(window.requests, p95);
        windows.push(window.durations);
        let took = Duration::from_secs(windows.len() as u64);
        let is_asked_for_steady = matches!(setting, WarmUpSetting::UntilSteady { .. });
        let is_over =
            took >= enough || (is_asked_for_steady && (is_steady || silent >= SILENT_WINDOWS_MAX));
        if is_over {
            return Some(WarmUpOutcome {
                took,
                requests,
                medians_ms: ends(&windows),
                is_steady: is_steady || !is_asked_for_steady,
            });
        }
    }
}

/// Medians of the first and of the last windows that had good answers.
fn ends(windows: &[Histogram]) -> Option<(f64, f64)> {
    let filled: Vec<&Histogram> = windows.iter().filter(|one| one.count() > 0).collect();
    let count = TOLD_WINDOWS.min(filled.len());
    let median = |some: &[&Histogram]| {
        let mut all = Histogram::default();
        for one in some {
            all.merge(one);
        }
        all.percentile(0.5)
    };
    Some((
        median(&filled[..count])?,
        median(&filled[filled.len() - count..])?,
    ))
}

#[cfg(test)]
mod tests {
    use loadline_experiment::window::LoadWindow;

    use super::*;
    use crate::warm_up::WARM_UP_MAX;

    /// A target whose requests take `times`, a second each, the last one for ever.
    struct Target {
        times: Vec<Option<f64>>,
        at: usize,
        levels: Vec<f64>,
    }

    impl Target {
        fn new(times: Vec<Option<f64>>) -> Self {
            Self {
                times,
                at: 0,
                levels: Vec::new(),
            }
        }
    }

    impl Running for Target {
        fn set_level(&mut self, level: f64) {
            self.levels.push(level);
        }

        fn next_window(&mut self) -> Option<LoadWindow> {
            let time = *self.times.get(self.at).or(self.times.last())?;
            self.at += 1;
            let mut window = LoadWindow::default();
            if let Some(time) = time {
                window.requests = 2_000.0 / time;
                for _ in 0..10 {
                    window.durations.record(time);
                }
            }
            Some(window)
        }

        fn stop(&mut self) {}
    }

    const AUTO: WarmUpSetting = WarmUpSetting::UntilSteady {
        at_most: WARM_UP_MAX,
    };

    #[test]
    fn a_target_that_gets_faster_is_warmed_until_it_does_no_more() {
        let falling: Vec<Option<f64>> = (0..30).map(|s| Some(200.0 * 0.9_f64.powi(s))).collect();
        let mut target = Target::new(falling);
        let found = warm_up(&mut target, AUTO).unwrap();
        assert!(found.is_steady);
        let seconds = found.took.as_secs();
        assert!((30..45).contains(&seconds), "{seconds}");
        let (early, late) = found.medians_ms.unwrap();
        assert!(early > 150.0 && late < 12.0, "{early} {late}");
        assert_eq!(target.levels, [WARMING_USERS as f64]);
    }

    #[test]
    fn a_warm_target_takes_ten_seconds_and_a_time_that_was_asked_for_is_kept() {
        let found = warm_up(&mut Target::new(vec![Some(20.0)]), AUTO).unwrap();
        assert_eq!((found.took.as_secs(), found.is_steady), (10, true));
        let asked = WarmUpSetting::For(Duration::from_secs(4));
        let found = warm_up(&mut Target::new(vec![Some(20.0)]), asked).unwrap();
        assert_eq!(found.took.as_secs(), 4);
    }

    #[test]
    fn what_never_answers_is_not_waited_for_until_the_end() {
        let found = warm_up(&mut Target::new(vec![None]), AUTO).unwrap();
        assert_eq!((found.took.as_secs(), found.is_steady), (10, false));
        assert_eq!(found.medians_ms, None);
    }

    #[test]
    fn an_end_by_somebody_is_no_outcome() {
        assert_eq!(warm_up(&mut Target::new(Vec::new()), AUTO), None);
    }
}
