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
    let mean = |run: &ComparedRun| {
        let value: Option<ValueBounds> = values::whole(Measure::Mean, std::slice::from_ref(run));
        value.map(|value| value.at_least).filter(|mean| *mean > 0.0)
    };
    let means: Vec<f64> = runs.iter().map(mean).collect::<Option<_>>()?;
    let (first, later) = means.split_first()?;
    let slowest = later.iter().copied().reduce(f64::max)?;
    let fastest = later.iter().copied().fold(slowest, f64::min);
    let beyond = first / slowest;
    if !is_one_load(runs) {
        return None;
    }
    let is_cold = if later.len() == 1 {
        beyond >= OF_TWO_MIN
    } else {
        beyond >= OF_SEVERAL_MIN && beyond.ln() > BEYOND_SPREAD * (slowest / fastest).ln()
    };
    is_cold.then(|| ColdRun {
        first_ms: *first,
        later_ms: later.iter().sum::<f64>() / later.len() as f64,
    })
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
