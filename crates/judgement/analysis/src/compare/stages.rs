//! Single runs of a load that was planned to vary, compared stage by stage.
//!
//! Times follow the load, so blocks of a ramp differ by its plan and say nothing of chance. The
//! windows of both runs are put in the order of their planned load and cut into stages that both
//! have; each stage gives one ratio. What these have in common is the difference, and what is
//! left of them beside a straight trend (a target may be slower at high load only) its spread.

use super::values::{self, Spread};
use super::{ComparedRun, ComparedWindow, Measure};

/// Stages a load is cut into, at most about.
const STAGES_MAX: f64 = 10.0;
/// With fewer stages their spread says nothing.
const STAGES_MIN: usize = 5;
/// A stage with fewer requests has no percentile worth the name.
const REQUESTS_MIN: f64 = 20.0;
/// A load varies when its highest planned rate is so many times its lowest.
const VARIES_MIN: f64 = 1.2;
/// Rates that differ by no more than this share are the same.
const SAME_RATE: f64 = 0.02;

/// The windows of one stage.
#[derive(Debug, Default)]
struct Stage<'a> {
    before: Vec<&'a ComparedWindow>,
    after: Vec<&'a ComparedWindow>,
}

/// A window with its place among those of its run.
struct Placed<'a> {
    window: &'a ComparedWindow,
    is_after: bool,
    /// Its share of the way through the windows of the same planned rate.
    place: f64,
}

/// What the stages of two single runs have in common.
pub(super) struct ComparedStages {
    /// The mean of their ratios, on the scale of the values.
    pub(super) apart: Spread,
    /// The geometric means of their values on both sides.
    pub(super) means: [f64; 2],
}

/// The difference of two single runs over stages of the same planned load; `None` where the load
/// was not planned to vary, or there are too few stages.
pub(super) fn difference(
    measure: Measure,
    before: &[ComparedRun],
    after: &[ComparedRun],
) -> Option<ComparedStages> {
    let ([first], [second]) = (before, after) else {
        return None;
    };
    let stages = stages(first, second)?;
    let of = |windows: &[&ComparedWindow]| {
        let value = values::of_windows(measure, windows)?;
        Some(values::scale(measure, value.at_least))
    };
    let pairs = stages
        .iter()
        .map(|stage| Some([of(&stage.before)?, of(&stage.after)?]));
    let pairs: Vec<[f64; 2]> = pairs.collect::<Option<_>>()?;
    let ratios: Vec<f64> = pairs.iter().map(|[before, after]| after - before).collect();
    let mean = |side: usize| {
        let sum: f64 = pairs.iter().map(|pair| pair[side]).sum();
        (sum / pairs.len() as f64).exp()
    };
    Some(ComparedStages {
        apart: common(&ratios),
        means: [mean(0), mean(1)],
    })
}

/// How many stages two single runs are compared in, where they are.
pub(super) fn count(before: &[ComparedRun], after: &[ComparedRun]) -> Option<usize> {
    let ([first], [second]) = (before, after) else {
        return None;
    };
    stages(first, second).map(|stages| stages.len())
}

/// The mean of ratios in the order of load, with their spread beside a straight trend.
fn common(ratios: &[f64]) -> Spread {
    let count = ratios.len() as f64;
    let mean = ratios.iter().sum::<f64>() / count;
    let middle = (count - 1.0) / 2.0;
    let numbered = || ratios.iter().zip(0_u32..).map(|(y, x)| (f64::from(x), *y));
    let squares: f64 = numbered().map(|(x, _)| (x - middle).powi(2)).sum();
    let products: f64 = numbered().map(|(x, y)| (x - middle) * (y - mean)).sum();
    let slope = products / squares;
    let rests = numbered().map(|(x, y)| y - mean - slope * (x - middle));
    let variance = rests.map(|rest| rest * rest).sum::<f64>() / (count - 2.0);
    Spread {
        mean,
        variance_of_mean: variance / count,
        freedom: count - 2.0,
        count,
        is_single: true,
    }
}

fn stages<'a>(before: &'a ComparedRun, after: &'a ComparedRun) -> Option<Vec<Stage<'a>>> {
    let range = |run: &ComparedRun| {
        let rates = run.windows.iter().map(|window| window.planned_rate);
        let rates = rates.filter(|rate| *rate > 0.0);
        let ends = |ends: Option<(f64, f64)>, rate: f64| {
            Some(ends.map_or((rate, rate), |(low, high)| (rate.min(low), rate.max(high))))
        };
        rates.fold(None, ends)
    };
    let ((low_a, high_a), (low_b, high_b)) = (range(before)?, range(after)?);
    let is_varied = high_a.max(high_b) >= VARIES_MIN * low_a.min(low_b);
    if !before.is_planned || !after.is_planned || !is_varied {
        return None;
    }
    // Loads that only one side had are not compared.
    let (low, high) = (low_a.max(low_b), high_a.min(high_b));
    let is_shared = |one: &Placed<'_>| {
        let rate = one.window.planned_rate;
        rate >= low * (1.0 - SAME_RATE) && rate <= high * (1.0 + SAME_RATE)
    };
    let mut all = placed(before, false);
    all.extend(placed(after, true));
    all.retain(is_shared);
    all.sort_by(|one, other| {
        let rates = one
            .window
            .planned_rate
            .total_cmp(&other.window.planned_rate);
        rates.then(one.place.total_cmp(&other.place))
    });
    let sum = |is_after: bool| -> f64 {
        let side = all.iter().filter(|one| one.is_after == is_after);
        side.map(|one| values::timed(&[one.window])).sum()
    };
    let enough = (sum(false).min(sum(true)) / STAGES_MAX).max(REQUESTS_MIN);
    let stages = cut(&all, enough);
    (stages.len() >= STAGES_MIN).then_some(stages)
}

/// Cuts windows in order into stages with so many requests on both sides; what is left belongs
/// to the last one.
fn cut<'a>(all: &[Placed<'a>], enough: f64) -> Vec<Stage<'a>> {
    let mut stages: Vec<Stage<'a>> = Vec::new();
    let mut open = Stage::default();
    let (mut before, mut after) = (0.0, 0.0);
    for one in all {
        if one.is_after {
            open.after.push(one.window);
            after += values::timed(&[one.window]);
        } else {
            open.before.push(one.window);
            before += values::timed(&[one.window]);
        }
        if before >= enough && after >= enough {
            stages.push(std::mem::take(&mut open));
            (before, after) = (0.0, 0.0);
        }
    }
    if let Some(last) = stages.last_mut() {
        last.before.append(&mut open.before);
        last.after.append(&mut open.after);
    }
    stages
}

/// The windows of a run in the order of their planned rate, those of one rate in the order of time.
fn placed(run: &ComparedRun, is_after: bool) -> Vec<Placed<'_>> {
    let windows = run.windows.iter().filter(|w| w.planned_rate > 0.0);
    let mut windows: Vec<&ComparedWindow> = windows.collect();
    windows.sort_by(|one, other| one.planned_rate.total_cmp(&other.planned_rate));
    let alike =
        windows.chunk_by(|one, other| one.planned_rate.total_cmp(&other.planned_rate).is_eq());
    let placed = alike.flat_map(|alike| {
        let place = move |number: usize| (number as f64 + 0.5) / alike.len() as f64;
        let numbered = alike.iter().enumerate();
        numbered.map(move |(number, window)| Placed {
            window,
            is_after,
            place: place(number),
        })
    });
    placed.collect()
}
