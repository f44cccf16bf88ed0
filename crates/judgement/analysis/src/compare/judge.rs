//! What can be said of the measures of one endpoint.

use loadline_metrics::ValueBounds;

use super::prior::Prior;
use super::values::{self, RUNS_MIN, Spread};
use super::{
    Change, ComparedRun, ComparisonSettings, Difference, Endpoint, Finding, Measure, ShortRun,
    UncertaintyReason, answers, shares, stages, weights,
};
use crate::student;

/// Judges the measures of endpoints, all with the same care.
pub(super) struct Judge<'a> {
    pub(super) settings: &'a ComparisonSettings,
    /// The share of each interval's each end that may lie outside.
    pub(super) tail: f64,
    /// It is of all requests, whose intervals hold together.
    pub(super) is_whole: bool,
    /// What other endpoints tell of how runs vary; nothing for all requests together.
    pub(super) priors: Vec<Prior>,
}

impl Judge<'_> {
    pub(super) fn endpoint(
        &self,
        name: &str,
        before: &[ComparedRun],
        after: &[ComparedRun],
    ) -> Endpoint {
        let measures = Measure::ALL.into_iter();
        let mut differences: Vec<Difference> = measures
            .map(|measure| self.difference(measure, before, after))
            .map(|difference| self.without_own_delays(difference, before, after))
            .collect();
        let fails_more = differences
            .iter()
            .any(|d| d.measure == Measure::Errors && d.finding == Finding::Worse);
        if fails_more {
            for difference in differences.iter_mut().filter(|d| !d.measure.is_share()) {
                let nothing = UncertaintyReason::Nothing;
                // Where all fail there is no good answer whose time could be told.
                let has_none = difference.after.is_none()
                    && difference.finding == Finding::CannotTell { why: nothing };
                if difference.finding == Finding::Better || has_none {
                    let why = UncertaintyReason::MoreErrors;
                    difference.finding = Finding::CannotTell { why };
                }
            }
        }
        Endpoint {
            name: name.to_owned(),
            changed: answers::changes(before, after, fails_more),
            differences,
            failed_p95: [before, after].map(values::failed_p95),
        }
    }

    pub(super) fn difference(
        &self,
        measure: Measure,
        before: &[ComparedRun],
        after: &[ComparedRun],
    ) -> Difference {
        let value = |runs: &[ComparedRun]| values::whole(measure, runs);
        let (first, second) = (value(before), value(after));
        let is_open = |bounds: Option<ValueBounds>| bounds.is_some_and(|bounds| !bounds.is_known());
        let at_least = (is_open(first), is_open(second));
        let told = |change, finding| Difference {
            measure,
            before: first.map(|bounds| bounds.at_least),
            after: second.map(|bounds| bounds.at_least),
            at_least,
            of_stages: None,
            change,
            finding,
        };
        let cannot = |why| told(None, Finding::CannotTell { why });
        let (Some(first), Some(second)) = (first, second) else {
            return cannot(UncertaintyReason::Nothing);
        };
        if measure == Measure::Rate && is_planned(before, after) {
            return told(None, Finding::Planned);
        }
        if measure.is_share() {
            let Some(change) = shares::difference(measure, before, after, self.tail) else {
                return cannot(UncertaintyReason::Nothing);
            };
            let runs = before.len().min(after.len());
            return told(
                Some(change),
                self.share_finding(change, first.at_least, second.at_least, runs),
            );
        }
        if let Some(stages) = stages::difference(measure, before, after) {
            let change = self.change_of_stages(measure, stages.apart);
            let finding = self.finding(measure, change, stages.apart, Spread::NONE);
            return Difference {
                of_stages: Some(stages.means),
                ..told(Some(change), bounded(finding, at_least.0, at_least.1))
            };
        }
        let spreads = values::spread(measure, before).zip(values::spread(measure, after));
        let Some((a, b)) = spreads else {
            let run = ShortRun::new(measure, before, after);
            return cannot(UncertaintyReason::TooShort { run });
        };
        let change = self.change(measure, a, b, [first.at_least, second.at_least]);
        let finding = self.finding(measure, change, a, b);
        told(Some(change), bounded(finding, at_least.0, at_least.1))
    }

    fn tail_of(&self, measure: Measure) -> f64 {
        if self.is_whole {
            self.tail * weights::in_whole(measure)
        } else {
            self.tail
        }
    }

    /// Student's interval on the scale of the values, given as a share.
    fn change(&self, measure: Measure, a: Spread, b: Spread, whole: [f64; 2]) -> Change {
        let is_of_runs = !a.is_single && !b.is_single;
        let prior = Prior::find(&self.priors, measure).filter(|_| is_of_runs);
        let freedom = values::freedom(a, b);
        let (variance, freedom) = prior.map_or(
            (a.variance_of_mean + b.variance_of_mean, freedom),
            |prior| prior.moderated([a, b], freedom),
        );
        let error = variance.sqrt();
        let t = student::quantile(1.0 - self.tail_of(measure), freedom);
        // Runs are compared by their own values, blocks only say how sure the whole is.
        let middle = if a.is_single || b.is_single {
            values::scale(measure, whole[1]) - values::scale(measure, whole[0])
        } else {
            b.mean - a.mean
        };
        Change {
            low: (middle - t * error).exp_m1(),
            middle: middle.exp_m1(),
            high: (middle + t * error).exp_m1(),
        }
    }

    /// Student's interval of what stages have in common, given as a share.
    fn change_of_stages(&self, measure: Measure, apart: Spread) -> Change {
        let t = student::quantile(1.0 - self.tail_of(measure), apart.freedom);
        let reach = t * apart.variance_of_mean.sqrt();
        Change {
            low: (apart.mean - reach).exp_m1(),
            middle: apart.mean.exp_m1(),
            high: (apart.mean + reach).exp_m1(),
        }
    }

    /// What can be said of the difference of two shares: less is better.
    fn share_finding(&self, change: Change, before: f64, after: f64, runs: usize) -> Finding {
        let floor = self.settings.share_floor;
        let share = change.low.abs().max(change.high.abs());
        if change.low > floor {
            Finding::Worse
        } else if change.high < -floor {
            Finding::Better
        } else if share <= 2.0 * floor {
            Finding::NoLargerThan { share }
        } else {
            let times = (change.high - change.low) / 2.0 / (2.0 * floor);
            let runs = runs as f64;
            // Where none is bad, or all are, nothing spreads, and the interval is as wide as the
            // requests are few; else as their root.
            let why = match (before, after) {
                (0.0, 0.0) | (1.0, 1.0) => UncertaintyReason::TooFew {
                    runs: needed(runs, times.sqrt()),
                },
                _ => UncertaintyReason::Spread {
                    runs: needed(runs, times),
                },
            };
            Finding::CannotTell { why }
        }
    }

    fn finding(&self, measure: Measure, change: Change, a: Spread, b: Spread) -> Finding {
        let single = a.is_single || b.is_single;
        let floor = if single {
            self.settings.single_floor
        } else {
            self.settings.floor
        };
        let share = change.low.abs().max(change.high.abs());
        if self.settings.is_tolerance_asked && share <= self.settings.tolerance {
            return Finding::NoLargerThan { share };
        }
        let beyond = |worth: f64| (change.low > worth, change.high < -worth);
        let worth = if self.settings.is_tolerance_asked {
            floor.max(self.settings.tolerance)
        } else {
            floor
        };
        let (is_more, is_less) = beyond(worth);
        if is_more || is_less {
            return if is_more == measure.more_is_better() {
                Finding::Better
            } else {
                Finding::Worse
            };
        }
        if share <= self.settings.tolerance {
            return Finding::NoLargerThan { share };
        }
        if beyond(floor) != (false, false) {
            let runs = self.runs_apart(change, a, b);
            let why = UncertaintyReason::AcrossTolerance { runs };
            return Finding::CannotTell { why };
        }
        let differs_within = change.low > 0.0 || change.high < 0.0;
        let why = if single && differs_within {
            UncertaintyReason::SingleRuns
        } else {
            UncertaintyReason::Spread {
                runs: self.runs_needed(a, b),
            }
        };
        Finding::CannotTell { why }
    }

    /// Runs a side after which the interval would be within the tolerance, about, if runs go on
    /// to spread as these do; `None` for more than [`RUNS_MAX`].
    fn runs_needed(&self, a: Spread, b: Spread) -> Option<u32> {
        self.runs_within(self.settings.tolerance.ln_1p(), a, b)
    }

    /// Runs a side after which the interval would lie on one side of the tolerance, about; `None` for more than [`RUNS_MAX`].
    fn runs_apart(&self, change: Change, a: Spread, b: Spread) -> Option<u32> {
        let edge = self.settings.tolerance.copysign(change.middle);
        self.runs_within((change.middle.ln_1p() - edge.ln_1p()).abs(), a, b)
    }

    /// Runs a side after which the interval would reach so far to each side, about, on a scale of logarithms.
    fn runs_within(&self, reach: f64, a: Spread, b: Spread) -> Option<u32> {
        // A single run shows how far its own blocks spread, and no more.
        let of_a_run = |side: Spread| {
            if side.is_single {
                side.variance_of_mean
            } else {
                side.variance_of_mean * side.count
            }
        };
        let variance = of_a_run(a) + of_a_run(b);
        let fits = |runs: u32| {
            let runs = f64::from(runs);
            let t = student::quantile(1.0 - self.tail, 2.0 * (runs - 1.0));
            t * (variance / runs).sqrt() <= reach
        };
        // Each run more makes it narrower: the first that fits by halving, as a quantile takes long.
        let (mut low, mut high) = (RUNS_MIN, RUNS_MAX + 1);
        while low < high {
            let middle = u32::midpoint(low, high);
            if middle > RUNS_MAX || fits(middle) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        (low <= RUNS_MAX).then_some(low)
    }
}

/// Whether what both sides sent was planned.
pub(super) fn is_planned(before: &[ComparedRun], after: &[ComparedRun]) -> bool {
    let mut runs = before.iter().chain(after);
    let is_any = !before.is_empty() && !after.is_empty();
    is_any && runs.all(|run| run.is_planned)
}

/// What remains of a finding where values are only lower bounds: more may be more still.
fn bounded(finding: Finding, before: bool, after: bool) -> Finding {
    let holds = match finding {
        Finding::Worse => !before,
        Finding::Better => !after,
        Finding::NoLargerThan { .. } => !before && !after,
        Finding::Planned | Finding::CannotTell { .. } => true,
    };
    let why = UncertaintyReason::Cut;
    if holds {
        finding
    } else {
        Finding::CannotTell { why }
    }
}

/// Nobody repeats a run more often than this to learn of a difference.
const RUNS_MAX: u32 = 100;

/// Runs a side that make an interval `times` narrower, about; `None` for more than
/// [`RUNS_MAX`].
fn needed(runs: f64, times: f64) -> Option<u32> {
    let needed = (runs * times.powi(2)).ceil();
    if needed > f64::from(RUNS_MAX) {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small whole number"
    )]
    let needed = needed.max(runs + 1.0).max(f64::from(RUNS_MIN)) as u32;
    Some(needed)
}
