//! Levels of a target of which all levels together soon tell where the line lies.
//!
//! Where requests take equally long and only come at random, levels near the line are not clear at once, and holding one after the other to be
//! sure takes the whole budget. A level held a little below where the line most likely lies and short ones beside it tell as much: the
//! search ends once the range of the estimate is as narrow as was asked for.

use loadline_analysis::capacity::{LevelOutcome, Purpose, Step};
use loadline_analysis::estimate::Estimate;

use super::{Choice, SearchState};
use crate::capacity::history::Bound;

/// How far below the line it is held first to be sure, as a share, and how far while the range is not yet narrow.
const FIRST_BELOW_SHARE: f64 = 0.025;
const LATER_BELOW_SHARE: f64 = 0.04;
/// No level is held farther below the line to be sure, and each is at least so much below one that was too much.
const DEEPEST_SHARE: f64 = 0.12;
const DEEPER_SHARE: f64 = 0.03;
/// What is sure and lies farther below the safe end of a narrow range is worth another level.
const SURE_BELOW_SHARE_MAX: f64 = 0.012;
/// Levels held to be sure that may turn out too much.
const REFUTED_LEVELS_MAX: usize = 3;
/// The line is known well enough for a long level once its range reaches no farther above it than this share.
const REACH_ABOVE_MAX: f64 = 0.08;
/// A level near the line that is held for so many windows and still missed by its estimate alone was not clear.
const UNCLEAR_WINDOWS_MIN: usize = 30;
/// A level of fewer windows says little of how long requests wait.
const WAITING_WINDOWS_MIN: usize = 10;
/// A time that is longer than without load by more than this share of what it may be waits.
const WAITING_SHARE_MIN: f64 = 0.1;
/// Levels under little load, of so many requests each, say whether they do.
const ALIKE_LEVELS_MIN: usize = 3;
const ALIKE_REQUESTS_MIN: u64 = 10;
/// The fastest requests of a level are this share of so many.
const FASTEST_SHARE: f64 = 0.05;
const FASTEST_REQUESTS_MIN: u64 = 40;
/// Their medians, and what the fastest of all levels take, differ by no more, as a share, ...
const ALIKE_SHARE_MAX: f64 = 0.03;
/// ... and what is judged by no more of its limit: pauses make it long in some of them.
const ALIKE_OF_LIMIT_MAX: f64 = 0.34;

/// What comes next by all levels together.
pub(super) enum NextByAll {
    /// This level.
    Level(Choice),
    /// Nothing on the way to the line.
    Enough,
    /// They do not tell yet.
    Unknown,
}

impl SearchState<'_> {
    /// Where the line lies by all levels together, for a target whose requests take equally long, once a level near the line waited.
    pub(super) fn known_near_the_line(&self) -> Option<Estimate> {
        let tells = |step: &Step| {
            let is_near = matches!(step.purpose, Purpose::Refine | Purpose::Confirm);
            is_near
                && match step.outcome {
                    LevelOutcome::Misses { term, .. } => {
                        let is_time = self.settings.terms[term].time().is_some();
                        is_time && step.held >= UNCLEAR_WINDOWS_MIN
                    }
                    _ => {
                        let is_long = step.held >= WAITING_WINDOWS_MIN;
                        step.outcome.is_carried() && is_long && self.waits(step)
                    }
                }
        };
        // While a target changes its levels say little of each other.
        let is_changing = self.least > 0 || loadline_analysis::capacity::got_faster(self.steps);
        let is_told = !is_changing && self.steps.iter().any(tells) && self.takes_alike();
        if is_told { *self.known } else { None }
    }

    /// What is still to be learnt on the way to the line: once it was held to be sure, by levels where it most likely is and a little below
    /// it, in turn, as those at the line alone do not tell how times grow below it.
    pub(super) fn by_all_levels(&self, known: Estimate, low: &Bound) -> NextByAll {
        let Some(last_held) = self.held_to_be_sure().last() else {
            let is_near = known.high <= known.middle * (1.0 + REACH_ABOVE_MAX);
            return if is_near {
                NextByAll::Enough
            } else {
                NextByAll::Unknown
            };
        };
        let was_last = self.steps.last().map(|step| step.purpose);
        let is_refuted = was_last == Some(Purpose::Confirm)
            && last_held.outcome.is_too_much()
            && self.history.certain().is_none();
        if is_refuted {
            return NextByAll::Enough;
        }
        if self.settings.asked().is_known(known) {
            let higher = self.worth_more(known);
            return higher.map_or(NextByAll::Enough, |load| {
                NextByAll::Level(Choice::Level(load, Purpose::Confirm))
            });
        }
        NextByAll::Level(if was_last == Some(Purpose::Refine) {
            let below = known.middle * (1.0 - LATER_BELOW_SHARE);
            Choice::Level(below.max(known.low), Purpose::Confirm)
        } else {
            // A level that held and lies above the estimate is looked at again.
            let most = known.middle.max(low.load);
            Choice::Level(most.min(self.settings.highest), Purpose::Refine)
        })
    }

    /// The safe end of a range that is narrow, where what is sure lies far below it and nothing higher was held for that.
    fn worth_more(&self, known: Estimate) -> Option<f64> {
        let certain = self.history.certain()?.load;
        let is_far = certain < known.low * (1.0 - SURE_BELOW_SHARE_MAX);
        let is_highest = (self.held_to_be_sure()).all(|step| step.load <= certain * 1.001);
        (is_far && is_highest).then_some(known.low)
    }

    /// The load to be sure of: a little below the line, and deeper where that was too much after all.
    pub(super) fn to_confirm_below(&self, known: Estimate, low: &Bound) -> Option<f64> {
        let below = known.middle.max(low.load) * (1.0 - FIRST_BELOW_SHARE);
        let Some(last) = self.held_to_be_sure().last() else {
            // One that held without waiting was no luck.
            let is_lucky = self.waits(&self.steps[low.step]);
            return Some(if is_lucky { below } else { below.max(low.load) });
        };
        let is_asked = last.outcome.is_too_much()
            && self.held_to_be_sure().count() < REFUTED_LEVELS_MAX
            && self.left > self.settings.confirm_bought();
        let deepest = known.middle * (1.0 - DEEPEST_SHARE);
        let deeper = last.load * (1.0 - DEEPER_SHARE);
        is_asked.then_some(known.low.max(deepest).min(deeper))
    }

    fn held_to_be_sure(&self) -> impl Iterator<Item = &Step> {
        let steps = self.steps.iter();
        steps.filter(|step| step.purpose == Purpose::Confirm)
    }

    /// Whether requests usually take as long at each level at which nothing waits, and none of them much longer: then chance lies in when
    /// they come, and few levels tell where the line lies.
    fn takes_alike(&self) -> bool {
        let carried = self.steps.iter().filter(|step| step.outcome.is_carried());
        let most = carried.clone().map(|step| step.load).fold(0.0, f64::max);
        // At any load some wait for nobody: what the fastest take tells whether the target is the same all the time.
        let known_well = carried
            .clone()
            .filter(|step| step.durations.count() >= FASTEST_REQUESTS_MIN);
        let fastest = known_well.map(|step| step.durations.percentile(FASTEST_SHARE));
        let fastest: Vec<f64> = fastest.flatten().collect();
        // The first level warms it up, and a target that is hardly asked answers later.
        let little = carried
            .filter(|step| step.purpose != Purpose::Baseline)
            .filter(|step| step.load <= 0.5 * most && step.durations.count() >= ALIKE_REQUESTS_MIN);
        let usual = little.clone().map(|step| step.durations.percentile(0.5));
        let usual: Vec<f64> = usual.flatten().collect();
        let terms = self.settings.terms.iter().enumerate();
        let mut times = terms.filter(|(_, term)| term.time().is_some());
        let is_even = times.all(|(place, term)| {
            let values = little.clone().map(|step| step.terms.get(place)?.value);
            let values: Vec<f64> = values.flatten().map(|value| value.middle).collect();
            let (least, longest) = ends(&values);
            longest - least <= ALIKE_OF_LIMIT_MAX * term.limit
        });
        let is_alike = |times: &[f64]| {
            let (least, longest) = ends(times);
            longest <= least * (1.0 + ALIKE_SHARE_MAX)
        };
        let is_pausing = self.steps.iter().any(|step| step.pauses.is_some());
        usual.len() >= ALIKE_LEVELS_MIN
            && is_alike(&usual)
            && is_alike(&fastest)
            && is_even
            && !is_pausing
    }

    /// Whether what is judged takes longer at a level than without load, by more than little of what it may.
    fn waits(&self, step: &Step) -> bool {
        let terms = self.settings.terms.iter().enumerate();
        let mut times = terms.filter(|(_, term)| term.time().is_some());
        times.any(|(place, term)| {
            let value = |step: &Step| Some(step.terms.get(place)?.value?.middle);
            let idle = self.steps.iter().filter_map(value).reduce(f64::min);
            idle.zip(value(step))
                .is_some_and(|(idle, value)| value > idle + WAITING_SHARE_MIN * (term.limit - idle))
        })
    }
}

/// The least and the greatest.
fn ends(values: &[f64]) -> (f64, f64) {
    let values = values.iter().copied();
    (
        values.clone().fold(f64::INFINITY, f64::min),
        values.fold(f64::NEG_INFINITY, f64::max),
    )
}
