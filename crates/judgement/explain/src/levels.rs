//! What callers saw at each level of a load that changed: on a ramp, or in stages, the limit is in its last part.
//!
//! Stages are seconds in a row with the same load; a ramp is cut into equal parts. What came after the highest load is left out.

mod of_search;

use std::ops::Range;

use loadline_analysis::compare::ComparedWindow;

use super::input::{CallerView, share};
use super::view::RunView;

/// A load whose highest level is less than this factor above its lowest has one level.
const RANGE_FACTOR_MIN: f64 = 1.5;
/// Seconds of a level, at least, ...
const LEVEL_SECONDS_MIN: usize = 5;
/// ... and requests.
const LEVEL_REQUESTS_MIN: u64 = 20;
/// Seconds of one stage differ by this share of its load at most, ...
const STAGE_TOLERANCE_SHARE: f64 = 0.08;
/// ... or by so many standard deviations of starts at random.
const STAGE_DEVIATIONS_MAX: f64 = 3.0;
/// Stages are told where they make up this share of the time; else the load is a ramp.
const STAGES_SHARE_MIN: f64 = 0.6;
/// A ramp is cut into so many parts.
const RAMP_PARTS: usize = 5;
/// The most levels that are told.
const LEVELS_MAX: usize = 8;
/// Without an objective: from these shares on, ...
const LOST_SHARE_MAX: f64 = 0.01;
/// ... and from times so many times, and so many ms, above those of the lowest level on, a level is not carried.
const SLOWDOWN_FACTOR_MAX: f64 = 3.0;
const SLOWDOWN_MS_MAX: f64 = 20.0;
/// More users who get no more answers than this factor are served no better.
const ANSWERED_GROWTH_MIN: f64 = 1.05;
const USERS_GROWTH_MIN: f64 = 1.2;
/// They wait so many times as long for one.
const WAITED_GROWTH_MIN: f64 = 1.1;

/// What callers saw at one level of the load.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadLevel {
    /// Starts per second, or virtual users.
    pub load: f64,
    /// It is users.
    pub is_users: bool,
    /// From when to when, seconds since the run's start.
    pub window: (f64, f64),
    /// Requests answered well per second.
    pub answered: f64,
    /// The share of requests that failed or were cut.
    pub failed: f64,
    /// The mean time of good answers, ms.
    pub mean_ms: f64,
    /// Their 95th percentile, ms.
    pub p95_ms: f64,
    /// The objective, given or default, is kept, and more load brought more answers.
    pub is_carried: bool,
    /// More users got no more answers than at a lower level.
    pub is_in_vain: bool,
}

impl LoadLevel {
    /// More users get no more answers than fewer of them did. By Little's law they wait longer for each, or get others:
    /// where neither is so, there were few answers by chance.
    fn is_served_no_better_than(&self, fewer: &Self) -> bool {
        let is_lost =
            self.mean_ms >= WAITED_GROWTH_MIN * fewer.mean_ms || self.failed >= LOST_SHARE_MAX;
        self.is_users
            && is_lost
            && self.load >= USERS_GROWTH_MIN * fewer.load
            && self.answered < ANSWERED_GROWTH_MIN * fewer.answered
    }
}

/// The levels of a load that changed, the lowest first; empty where it did not. A search has its own.
pub(super) fn levels(view: &RunView<'_>) -> Vec<LoadLevel> {
    if !view.run.searched.is_empty() {
        return of_search::levels(&view.run.searched, !view.run.load.is_open);
    }
    let load = Load::new(view);
    let highest = load.of_seconds.iter().copied().fold(0.0, f64::max);
    let is_high = |one: &f64| *one >= (1.0 - STAGE_TOLERANCE_SHARE) * highest;
    let Some(last) = load
        .of_seconds
        .iter()
        .rposition(is_high)
        .filter(|_| highest > 0.0)
    else {
        return Vec::new();
    };
    let rising = Load {
        of_seconds: load.of_seconds[..=last].to_vec(),
        ..load
    };
    let levels = rising.parts().into_iter();
    let mut levels: Vec<LoadLevel> = levels
        .filter_map(|part| rising.level(view, &part))
        .collect();
    levels.sort_by(|a, b| a.load.total_cmp(&b.load));
    if is_one(&levels) || levels.len() > LEVELS_MAX {
        return Vec::new();
    }
    judge(view, &mut levels);
    levels
}

/// Of levels in order: the highest is hardly above the lowest.
fn is_one(levels: &[LoadLevel]) -> bool {
    let ends = levels.first().zip(levels.last());
    ends.is_none_or(|(low, high)| high.load < RANGE_FACTOR_MIN * low.load)
}

/// The load in each second: starts that were planned, else virtual users.
struct Load {
    of_seconds: Vec<f64>,
    is_users: bool,
}

impl Load {
    fn new(view: &RunView<'_>) -> Self {
        let windows = &view.run.windows;
        let is_planned = windows.iter().any(|window| window.planned > 0.0);
        let is_users = !(is_planned && view.run.load.is_open);
        let of_second = |window: &ComparedWindow| {
            if is_users {
                window.users
            } else {
                window.planned
            }
        };
        Self {
            of_seconds: windows.iter().map(of_second).collect(),
            is_users,
        }
    }

    /// The seconds of each level.
    fn parts(&self) -> Vec<Vec<usize>> {
        let stages = self.stages();
        let in_stages: usize = stages.iter().map(ExactSizeIterator::len).sum();
        let is_staged = count(in_stages) >= STAGES_SHARE_MIN * count(self.of_seconds.len());
        if !is_staged {
            return self.parts_of_ramp();
        }
        // A load that came twice is one level.
        let mut parts: Vec<(f64, Vec<usize>)> = Vec::new();
        for stage in stages {
            let mean = self.mean(stage.clone());
            let known = parts
                .iter_mut()
                .find(|(load, _)| (mean - load).abs() <= self.tolerance(*load));
            match known {
                Some((_, seconds)) => seconds.extend(stage),
                None => parts.push((mean, stage.collect())),
            }
        }
        parts.into_iter().map(|(_, seconds)| seconds).collect()
    }

    /// Seconds in a row with about the same load.
    fn stages(&self) -> Vec<Range<usize>> {
        let mut stages = Vec::new();
        let mut from = 0;
        for second in 1..self.of_seconds.len() {
            let mean = self.mean(from..second);
            if (self.of_seconds[second] - mean).abs() > self.tolerance(mean) {
                stages.push(from..second);
                from = second;
            }
        }
        stages.push(from..self.of_seconds.len());
        stages.retain(|stage| stage.len() >= LEVEL_SECONDS_MIN && self.is_even(stage));
        stages
    }

    /// It does not grow from its first to its second half, as a ramp does.
    fn is_even(&self, stage: &Range<usize>) -> bool {
        let middle = stage.start + stage.len() / 2;
        let (early, late) = (self.mean(stage.start..middle), self.mean(middle..stage.end));
        // Means of so many seconds vary less than these.
        let half = count(stage.len() / 2).max(1.0);
        (late - early).abs() <= self.tolerance(early) / half.sqrt()
    }

    fn tolerance(&self, load: f64) -> f64 {
        let random = if self.is_users {
            0.0
        } else {
            STAGE_DEVIATIONS_MAX * load.sqrt()
        };
        (STAGE_TOLERANCE_SHARE * load).max(random)
    }

    fn mean(&self, seconds: Range<usize>) -> f64 {
        let length = count(seconds.len());
        share(self.of_seconds[seconds].iter().sum(), length)
    }

    /// Equal parts of the load, from its lowest to its highest.
    fn parts_of_ramp(&self) -> Vec<Vec<usize>> {
        let highest = self.of_seconds.iter().copied().fold(0.0, f64::max);
        let mut parts = vec![Vec::new(); RAMP_PARTS];
        for (second, load) in self.of_seconds.iter().enumerate() {
            let part =
                (1..RAMP_PARTS).filter(|part| *load >= highest * count(*part) / count(RAMP_PARTS));
            parts[part.count()].push(second);
        }
        parts
    }

    /// What callers saw in these seconds; `None` where that is too little.
    fn level(&self, view: &RunView<'_>, seconds: &[usize]) -> Option<LoadLevel> {
        let windows: Vec<ComparedWindow> = seconds
            .iter()
            .map(|at| view.run.windows[*at].clone())
            .collect();
        let callers = CallerView::from_windows(&windows);
        if seconds.len() < LEVEL_SECONDS_MIN || callers.durations.count() < LEVEL_REQUESTS_MIN {
            return None;
        }
        let load: f64 = seconds.iter().map(|at| self.of_seconds[*at]).sum();
        let objectives = view
            .run
            .objectives
            .iter()
            .filter(|one| one.endpoint.is_none());
        let second =
            |at: usize| count(at) + count(usize::try_from(view.run.from_ms).unwrap_or(0)) / 1000.0;
        Some(LoadLevel {
            load: share(load, count(seconds.len())),
            is_users: self.is_users,
            window: (second(*seconds.first()?), second(*seconds.last()? + 1)),
            answered: callers.answered,
            failed: callers.failed,
            mean_ms: callers.good.mean().unwrap_or(0.0),
            p95_ms: callers.good.percentile(0.95).unwrap_or(0.0),
            is_carried: callers.dropped < LOST_SHARE_MAX
                && objectives.clone().all(|one| !one.is_missed_by(&callers)),
            is_in_vain: false,
        })
    }
}

/// Judges each level by the default objective where none is given, and by whether more users got more answers.
fn judge(view: &RunView<'_>, levels: &mut [LoadLevel]) {
    let given = |is_time: bool| {
        let mut objectives = view
            .run
            .objectives
            .iter()
            .filter(|one| one.endpoint.is_none());
        objectives.any(|one| one.measure.is_time() == is_time)
    };
    let (has_time, has_failed) = (given(true), given(false));
    let lowest = levels[0].mean_ms;
    let mut carried: Option<LoadLevel> = None;
    for level in levels {
        let is_slow = level.mean_ms >= SLOWDOWN_FACTOR_MAX * lowest
            && level.mean_ms - lowest >= SLOWDOWN_MS_MAX;
        let is_failing = level.failed >= LOST_SHARE_MAX;
        level.is_in_vain = carried
            .as_ref()
            .is_some_and(|fewer| level.is_served_no_better_than(fewer));
        level.is_carried &=
            (has_time || !is_slow) && (has_failed || !is_failing) && !level.is_in_vain;
        if level.is_carried {
            carried = Some(level.clone());
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "seconds of a run")]
fn count(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ExplainedLoad, ExplainedRun, GivenObjective, ObjectiveMeasure};

    /// A second with so much load; what is asked beyond `most` is not answered in time.
    fn second(load: f64, most: f64) -> ComparedWindow {
        let mut window = ComparedWindow {
            requests: load.min(most),
            planned: load,
            users: load,
            ..ComparedWindow::default()
        };
        let millis = if load > most { 900.0 } else { 40.0 };
        (0..20).for_each(|_| window.durations.record(millis));
        window
    }

    fn run_of(load: impl Iterator<Item = f64>, is_open: bool) -> ExplainedRun {
        ExplainedRun {
            windows: load.map(|load| second(load, 100.0)).collect(),
            load: ExplainedLoad {
                is_open,
                ..ExplainedLoad::default()
            },
            ..ExplainedRun::default()
        }
    }

    fn carried_of(run: &ExplainedRun) -> Vec<(f64, bool)> {
        let levels = levels(&RunView::new(run));
        levels
            .iter()
            .map(|one| (one.load.round(), one.is_carried))
            .collect()
    }

    fn staged(stages: &[f64]) -> impl Iterator<Item = f64> {
        stages
            .iter()
            .flat_map(|load| std::iter::repeat_n(*load, 12))
    }

    /// Seen: "limited, by something that is not seen" of 6 users who pause: all answers took 60 ms, and by chance 5 users
    /// got no more of them than 4.
    #[test]
    fn users_who_wait_no_longer_are_not_served_in_vain() {
        let told = |millis_at_last: f64| {
            let mut run = run_of(staged(&[2.0, 4.0, 6.0]), false);
            for (at, window) in run.windows.iter_mut().enumerate() {
                window.planned = 0.0;
                window.requests = if at < 12 { 2.0 } else { 4.0 };
                let millis = if at < 24 { 60.0 } else { millis_at_last };
                window.durations = loadline_metrics::Histogram::default();
                (0..4).for_each(|_| window.durations.record(millis));
            }
            levels(&RunView::new(&run)).last().unwrap().is_in_vain
        };
        assert!(!told(60.0));
        assert!(told(120.0));
    }

    #[test]
    fn stages_are_told_each_and_the_first_that_is_not_carried_is_seen() {
        let run = run_of(staged(&[20.0, 50.0, 100.0, 150.0]), true);
        assert_eq!(
            carried_of(&run),
            [(20.0, true), (50.0, true), (100.0, true), (150.0, false)]
        );
    }

    #[test]
    fn what_comes_after_the_highest_load_is_left_out() {
        let run = run_of(staged(&[50.0, 150.0, 50.0]), true);
        assert_eq!(carried_of(&run), [(50.0, true), (150.0, false)]);
    }

    #[test]
    fn a_ramp_is_cut_into_equal_parts() {
        let run = run_of((0..100).map(|second| 2.0 * f64::from(second)), true);
        let told = carried_of(&run);
        assert_eq!(told.len(), 5, "{told:?}");
        let carried: Vec<bool> = told.iter().map(|(_, carried)| *carried).collect();
        assert_eq!(carried, [true, true, false, false, false]);
    }

    #[test]
    fn a_load_that_stays_has_no_levels() {
        assert_eq!(carried_of(&run_of(staged(&[80.0, 80.0]), true)), []);
        let random = loadline_units::random::Random::new(7);
        let at_random = (0..60).map(move |_| 40.0 + 12.0 * (random.unit() + random.unit() - 1.0));
        assert_eq!(carried_of(&run_of(at_random, true)), []);
    }

    #[test]
    fn more_users_who_get_no_more_answers_are_not_carried() {
        let mut run = run_of(staged(&[50.0, 100.0, 150.0]), false);
        // By Little's law they wait longer.
        for (at, window) in run.windows.iter_mut().enumerate() {
            let millis = if at < 24 { 40.0 } else { 60.0 };
            window.durations = loadline_metrics::Histogram::from_values(&[millis; 20]);
        }
        assert_eq!(
            carried_of(&run),
            [(50.0, true), (100.0, true), (150.0, false)]
        );
    }

    #[test]
    fn a_given_objective_replaces_the_default() {
        let mut run = run_of(staged(&[50.0, 100.0, 150.0]), true);
        let objective = |most| GivenObjective {
            text: "p(95)<1000".to_owned(),
            measure: ObjectiveMeasure::Percentile(0.95),
            most,
            endpoint: None,
            is_of_starts: false,
            verdict: None,
        };
        run.objectives.push(objective(1000.0));
        assert_eq!(
            carried_of(&run),
            [(50.0, true), (100.0, true), (150.0, true)]
        );
        run.objectives.push(objective(30.0));
        assert_eq!(
            carried_of(&run),
            [(50.0, false), (100.0, false), (150.0, false)]
        );
    }
}
