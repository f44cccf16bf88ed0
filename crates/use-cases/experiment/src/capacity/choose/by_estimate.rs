//! The next level by what all levels so far say of the line.

use loadline_analysis::capacity::{Purpose, Step, Unit};
use loadline_analysis::estimate::Estimate;

use super::super::history::Bound;
use super::{CONFIRMED_LEVELS_MAX, SearchState};

/// Where in the range of the likely line the next level lies, from its middle (0) towards its lower (-1) and upper end (1):
/// at the middle first; a second level at one load tells less than the first where both would be off in the same way.
const PLACES_IN_RANGE: [f64; 4] = [0.0, -0.5, 0.4, -0.25];
/// Where it lies while one side of the range is so many times the other, and the range wider than this share of its middle: there.
const SIDES_FACTOR: f64 = 1.5;
const WIDE_SHARE: f64 = 0.12;
const PLACE_IN_WIDE_SIDE: f64 = 0.5;
/// Loads that differ by less are one.
const SAME_LOAD_SHARE: f64 = 0.003;
/// A level that is held to be sure is no nearer to one that was held for that than this.
const LOWER_SHARE: f64 = 0.006;
/// How much time is left after a level for which another is begun, seconds.
const ENOUGH_LEFT_SECONDS: f64 = 10.0;

impl SearchState<'_> {
    /// The highest load that was confirmed.
    pub(super) fn certain(&self) -> Option<&Bound> {
        self.history.certain(self.steps, self.likely)
    }

    /// Whether the line is known as closely as was asked for.
    pub(super) fn is_known(&self) -> bool {
        let asked = self.settings.asked();
        self.likely.is_some_and(|likely| asked.is_narrow(likely))
    }

    /// The load that tells most about where the line is: near it times change fastest with the load.
    pub(super) fn most_telling(&self) -> Option<f64> {
        let likely = self.likely?;
        let near_the_line = |step: &&Step| {
            matches!(step.purpose, Purpose::Refine | Purpose::Confirm)
        };
        let tried = self.steps.iter().filter(near_the_line).count();
        let below = likely.middle - likely.low;
        let above = likely.high - likely.middle;
        let is_wide = below + above > WIDE_SHARE * likely.middle;
        let place = if is_wide && below > SIDES_FACTOR * above {
            -PLACE_IN_WIDE_SIDE
        } else if is_wide && above > SIDES_FACTOR * below {
            PLACE_IN_WIDE_SIDE
        } else {
            PLACES_IN_RANGE[tried % PLACES_IN_RANGE.len()]
        };
        let reach = if place < 0.0 { below } else { above };
        let load = self.whole(likely.middle + place * reach, 0.0);
        let is_same = |step: &Step| (step.load / load - 1.0).abs() < SAME_LOAD_SHARE;
        let is_new = self.settings.unit == Unit::Rate || !self.steps.iter().any(is_same);
        (is_new && load <= self.settings.highest).then_some(load)
    }

    /// The load to be sure of: the lower end of what is likely; lower than what was held for that.
    pub(super) fn safe_to_confirm(&self, likely: Estimate) -> Option<f64> {
        let confirmed = self.steps.iter();
        let confirmed = confirmed.filter(|step| step.purpose == Purpose::Confirm);
        let loads = confirmed.map(|step| step.load);
        let tried = loads.clone().count();
        let most = loads.fold(f64::INFINITY, f64::min) * (1.0 - LOWER_SHARE);
        let load = self.whole(likely.low.min(most), 0.0);
        let is_time = self.left > ENOUGH_LEFT_SECONDS
            && (tried == 0 || self.left > self.settings.confirm_bought());
        (is_time && tried < CONFIRMED_LEVELS_MAX).then_some(load)
    }
}
