//! Between which loads the line lies, as far as it is known.
//!
//! Later levels outweigh earlier ones: a target that carries a load it did not carry before
//! has warmed up, one that no longer carries what it carried has got worse.

use loadline_analysis::capacity::{Bounds, Ceiling, LevelOutcome, Purpose, Step};

/// A level that was carried, or was too much.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bound {
    pub(super) load: f64,
    /// Its place among the steps.
    pub(super) step: usize,
    /// How many windows it was held.
    pub(super) held: usize,
    pub(super) outcome: LevelOutcome,
    /// Held only to see whether it lasts.
    is_soak: bool,
    /// What the target sustained, iterations per second.
    pub(super) sustained: f64,
}

/// What is known of the line.
#[derive(Debug, Clone, Default)]
pub(super) struct History {
    carried: Vec<Bound>,
    /// Carried, but not for as long as the target takes to change.
    briefly: Vec<Bound>,
    too_much: Vec<Bound>,
    invalid: Vec<Bound>,
}

impl History {
    /// Takes a step in. A short level that only places the knee, below what was held for
    /// long, sets no bound.
    pub(super) fn add(&mut self, place: usize, step: &Step) {
        if step.purpose == Purpose::Knee && step.outcome.is_too_much() {
            return;
        }
        let bound = Bound {
            load: step.load,
            step: place,
            held: step.held,
            outcome: step.outcome.clone(),
            is_soak: step.purpose == Purpose::Soak,
            sustained: step.sustained,
        };
        if step.outcome.is_carried() {
            self.too_much.retain(|other| other.load > step.load);
            self.invalid.retain(|other| other.load > step.load);
            self.carried.push(bound);
        } else if step.outcome.is_too_much() {
            self.carried.retain(|other| other.load < step.load);
            self.too_much.push(bound);
        } else if matches!(step.outcome, LevelOutcome::Invalid(_)) {
            // What cannot be made for long is not known to be carried either; a neighbour may have taken the machine for a
            // moment, so it is seen twice.
            let is_seen_before = |other: &Bound| other.load <= step.load * 1.001;
            let is_generator = matches!(step.outcome, LevelOutcome::Invalid(Ceiling::Generator(_)));
            if !is_generator || self.invalid.iter().any(is_seen_before) {
                self.carried.retain(|other| other.load < step.load);
            }
            self.invalid.push(bound);
        }
    }

    /// Counts no longer as carried what was for fewer windows than this.
    pub(super) fn forget_shorter(&mut self, least: usize) {
        let brief = self.carried.extract_if(.., |bound| bound.held < least);
        self.briefly.extend(brief);
    }

    /// The highest load that is carried; of several levels at it the longest held.
    pub(super) fn low(&self) -> Option<&Bound> {
        highest(self.carried.iter())
    }

    /// The highest load that was confirmed. The soak is held on purpose far below the line, so
    /// that it lasts says nothing of where the line lies.
    pub(super) fn certain(&self) -> Option<&Bound> {
        let carried = self.carried.iter();
        highest(carried.filter(|bound| bound.outcome == LevelOutcome::Holds && !bound.is_soak))
    }

    /// The highest load that was carried at least briefly, below what is too much.
    fn brief(&self) -> Option<&Bound> {
        let most = self.high().map_or(f64::INFINITY, |high| high.load);
        highest(self.briefly.iter().filter(|bound| bound.load < most))
    }

    /// The lowest load that is too much; the latest level at it.
    pub(super) fn high(&self) -> Option<&Bound> {
        let by = |a: &&Bound, b: &&Bound| (a.load.total_cmp(&b.load)).then(b.step.cmp(&a.step));
        self.too_much.iter().min_by(by)
    }

    /// The places of what is known: where nothing is carried for long, what was briefly.
    pub(super) fn bounds(&self) -> Bounds {
        let place = |bound: Option<&Bound>| bound.map(|bound| bound.step);
        Bounds {
            low: place(self.certain().or(self.low()).or_else(|| self.brief())),
            high: place(self.high()),
            ceiling: place(self.ceiling()),
        }
    }

    /// The lowest load at which something else than the target was the limit, unless the
    /// target gives way below it.
    pub(super) fn ceiling(&self) -> Option<&Bound> {
        let lowest = self
            .invalid
            .iter()
            .min_by(|a, b| a.load.total_cmp(&b.load))?;
        let is_first = self.high().is_none_or(|high| lowest.load < high.load);
        is_first.then_some(lowest)
    }
}

fn highest<'a>(bounds: impl Iterator<Item = &'a Bound>) -> Option<&'a Bound> {
    bounds.max_by(|a, b| (a.load.total_cmp(&b.load)).then(a.held.cmp(&b.held)))
}

#[cfg(test)]
mod tests {
    use loadline_analysis::capacity::Unit;
    use loadline_analysis::estimate::Estimate;

    use super::super::measure::{self, BegunLevel};
    use super::*;

    fn step(load: f64, held: usize, outcome: LevelOutcome) -> Step {
        let level = BegunLevel {
            load,
            unit: Unit::Rate,
            purpose: Purpose::Climb,
            began: 0.0,
        };
        let mut step = measure::step(level, &[], outcome, Vec::new(), 0);
        step.held = held;
        step.throughput = Estimate::exact(load);
        step
    }

    fn history(steps: &[(f64, usize, LevelOutcome)]) -> History {
        let mut history = History::default();
        for (place, (load, held, outcome)) in steps.iter().enumerate() {
            history.add(place, &step(*load, *held, outcome.clone()));
        }
        history
    }

    #[test]
    fn the_line_lies_between_what_is_carried_and_what_is_too_much() {
        let known = history(&[
            (10.0, 3, LevelOutcome::Likely),
            (20.0, 3, LevelOutcome::Likely),
            (40.0, 3, LevelOutcome::Overloaded),
        ]);
        assert_eq!(known.low().map(|b| b.step), Some(1));
        assert_eq!(known.high().map(|b| b.step), Some(2));
    }

    #[test]
    fn what_comes_later_outweighs_what_came_before() {
        let warmed = history(&[
            (10.0, 3, LevelOutcome::Overloaded),
            (20.0, 3, LevelOutcome::Holds),
        ]);
        assert!(warmed.high().is_none());
        let worse = history(&[
            (10.0, 3, LevelOutcome::Holds),
            (20.0, 3, LevelOutcome::Holds),
            (15.0, 9, LevelOutcome::Overloaded),
        ]);
        assert_eq!(worse.low().map(|b| b.step), Some(0));
    }

    #[test]
    fn levels_held_too_shortly_can_be_forgotten() {
        let mut known = history(&[
            (10.0, 30, LevelOutcome::Holds),
            (20.0, 3, LevelOutcome::Likely),
        ]);
        known.forget_shorter(20);
        assert_eq!(known.low().map(|b| b.step), Some(0));
        known.forget_shorter(40);
        assert!(known.low().is_none());
        assert_eq!(known.bounds().low, Some(1), "better than nothing");
    }

    #[test]
    fn a_short_level_that_places_the_knee_sets_no_bound() {
        let mut known = history(&[
            (10.0, 30, LevelOutcome::Holds),
            (20.0, 9, LevelOutcome::Overloaded),
        ]);
        let mut knee = step(8.0, 3, LevelOutcome::Overloaded);
        knee.purpose = Purpose::Knee;
        known.add(2, &knee);
        assert_eq!(known.low().map(|b| b.step), Some(0));
        assert_eq!(known.high().map(|b| b.step), Some(1));
    }

    /// Seen: 8/s held, a neighbour took the machine at its confirmation, and 1/s of 11 requests was what remained.
    #[test]
    fn what_held_is_forgotten_once_the_generator_could_not_make_it_twice() {
        let held_up = || LevelOutcome::Invalid(Ceiling::Generator(Vec::new()));
        let of = |times: usize| {
            let mut levels = vec![
                (4.0, 3, LevelOutcome::Likely),
                (8.0, 3, LevelOutcome::Likely),
            ];
            levels.extend(std::iter::repeat_n((8.0, 3, held_up()), times));
            history(&levels).low().map(|low| low.load)
        };
        assert_eq!(of(1), Some(8.0));
        assert_eq!(of(2), Some(4.0));
    }

    #[test]
    fn a_ceiling_above_what_is_too_much_does_not_matter() {
        let ceiling = || LevelOutcome::Invalid(Ceiling::Users);
        assert!(history(&[(40.0, 3, ceiling())]).ceiling().is_some());
        let known = history(&[(40.0, 3, ceiling()), (20.0, 3, LevelOutcome::Overloaded)]);
        assert!(known.ceiling().is_none());
    }
}
