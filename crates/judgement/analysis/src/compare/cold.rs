//! A cold first run told apart: a target that was just started compiles, fills its caches and
//! pools, and its first round says nothing of the later ones.

use loadline_metrics::ValueBounds;

use super::{ComparedRun, Measure, Side, values};

/// With one later run to be held against: the first took so many times as long.
const OF_TWO_MIN: f64 = 2.0;
/// With several: so many times as long as the slowest of them ...
const OF_SEVERAL_MIN: f64 = 1.5;
/// ... and beyond it by so many times what they differ by.
const BEYOND_SPREAD: f64 = 2.0;

/// Runs whose planned loads differ by more than this share are no rounds of one test.
const OTHER_LOAD: f64 = 0.1;

/// A first run that was cold, and is not compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColdRun {
    /// Its mean time, ms.
    pub first_ms: f64,
    /// The mean of those after it, ms.
    pub later_ms: f64,
}

/// Leaves a cold first run out of a side.
pub(super) fn without(side: &Side) -> (Option<ColdRun>, Option<Side>) {
    let Some(cold) = cold(&side.whole) else {
        return (None, None);
    };
    let rest = |runs: &[ComparedRun]| runs.get(1..).unwrap_or_default().to_vec();
    let endpoints = side.endpoints.iter();
    let warm = Side {
        whole: rest(&side.whole),
        endpoints: endpoints
            .map(|(name, runs)| (name.clone(), rest(runs)))
            .collect(),
    };
    (Some(cold), Some(warm))
}

fn cold(runs: &[ComparedRun]) -> Option<ColdRun> {
    let means: Vec<f64> = runs.iter().map(mean).collect::<Option<_>>()?;
    let (first, later) = means.split_first()?;
    if !is_one_load(runs) || !is_beyond(*first, later) {
        return None;
    }
    // What the machine stood still for is no warming up.
    let slowest = later.iter().copied().fold(0.0, f64::max);
    let calm = mean(&calm(&runs[0], first - slowest))?;
    is_beyond(calm, later).then(|| ColdRun {
        first_ms: *first,
        later_ms: later.iter().sum::<f64>() / later.len() as f64,
    })
}

fn mean(run: &ComparedRun) -> Option<f64> {
    let value: Option<ValueBounds> = values::whole(Measure::Mean, std::slice::from_ref(run));
    value.map(|value| value.at_least).filter(|mean| *mean > 0.0)
}

/// A run without the seconds in which the generator itself was late by as much as is to be explained, and those after them.
fn calm(run: &ComparedRun, apart: f64) -> ComparedRun {
    let is_late = |place: usize| run.windows[place].own_delay_ms >= apart;
    let left = (0..run.windows.len())
        .filter(|place| !is_late(*place) && (*place == 0 || !is_late(place - 1)));
    ComparedRun {
        windows: left.map(|place| run.windows[place].clone()).collect(),
        ..ComparedRun::default()
    }
}

/// Whether a first run took so much longer than all later ones.
fn is_beyond(first: f64, later: &[f64]) -> bool {
    let Some(slowest) = later.iter().copied().reduce(f64::max) else {
        return false;
    };
    let fastest = later.iter().copied().fold(slowest, f64::min);
    let beyond = first / slowest;
    if later.len() == 1 {
        beyond >= OF_TWO_MIN
    } else {
        beyond >= OF_SEVERAL_MIN && beyond.ln() > BEYOND_SPREAD * (slowest / fastest).ln()
    }
}

/// Whether all runs were to start about as many iterations a second: a run at a higher load is
/// slower and not cold.
fn is_one_load(runs: &[ComparedRun]) -> bool {
    let rates = runs.iter().map(|run| {
        let planned: f64 = run.windows.iter().map(|window| window.planned_rate).sum();
        planned / run.windows.len().max(1) as f64
    });
    let rates: Vec<f64> = rates.collect();
    let highest = rates.iter().copied().fold(0.0, f64::max);
    rates
        .iter()
        .all(|rate| *rate >= highest * (1.0 - OTHER_LOAD))
}

#[cfg(test)]
mod tests {
    use super::super::ComparedWindow;
    use super::*;

    /// Seconds of ten requests each: how long they took, and how late the generator was, ms.
    fn run(seconds: &[(f64, f64)]) -> ComparedRun {
        let window = |(took, late): &(f64, f64)| {
            let mut window = ComparedWindow {
                requests: 10.0,
                planned_rate: 10.0,
                own_delay_ms: *late,
                ..ComparedWindow::default()
            };
            (0..10).for_each(|_| window.durations.record(*took));
            window
        };
        ComparedRun {
            windows: seconds.iter().map(window).collect(),
            ..ComparedRun::default()
        }
    }

    /// Seen: "the first run of b was cold (mean 60.7 ms, later 17.2 ms)" of a warm server beside stops of up to 1,212 ms.
    #[test]
    fn a_first_run_beside_stops_of_the_machine_is_not_cold() {
        let later = || [run(&[(17.0, 1.0); 9]), run(&[(17.4, 2.0); 9])];
        let slow = |late: f64| {
            let first = [
                (17.0, 1.0),
                (90.0, late),
                (80.0, late),
                (16.5, 1.0),
                (17.0, 1.0),
            ];
            [&[run(&first)][..], &later()].concat()
        };
        assert_eq!(cold(&slow(1212.0)), None);
        assert!(cold(&slow(2.0)).is_some(), "as slow, and no stop");
        // One that is slow also in the seconds without a stop is.
        let first = run(&[
            (90.0, 1.0),
            (80.0, 1.0),
            (70.0, 300.0),
            (60.0, 1.0),
            (50.0, 1.0),
        ]);
        assert!(cold(&[&[first][..], &later()].concat()).is_some());
        // Where no second is without one, nothing is known of it.
        assert_eq!(
            cold(&[&[run(&[(90.0, 400.0); 5])][..], &later()].concat()),
            None
        );
    }
}
