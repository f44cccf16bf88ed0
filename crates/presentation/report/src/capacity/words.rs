//! Loads, values and outcomes as people read them.

use loadline_analysis::capacity::{
    AbortReason, Ceiling, LevelOutcome, Purpose, Step, Unit, UnsureReason,
};
use loadline_analysis::estimate::Estimate;
use loadline_analysis::slo::Term;
use loadline_record::Limit;
use loadline_text::{Catalog, Message, capacity, grouped, messages, millis, percent, significant};

use crate::telling_interval::between;

/// A level held for so many windows was no short look.
pub(super) const LONG_WINDOWS: usize = 45;

/// The highest throughput with its interval, if it has one.
pub(crate) fn peak_rate(peak: &Estimate) -> String {
    let between = between(&significant(peak.low), &significant(peak.high));
    let between = between.map(|between| format!(" {between}"));
    format!("{}{}", rate(peak.middle), between.unwrap_or_default())
}

/// Writes in the unit and language of one answer.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a> {
    pub(crate) unit: Unit,
    pub(crate) terms: &'a [Term],
    pub(crate) catalog: &'a Catalog,
}

impl Words<'_> {
    pub(crate) fn text(&self, message: &Message) -> String {
        self.catalog.text(message)
    }

    /// A load: `194/s`, `20 VUs`.
    pub(crate) fn load(&self, load: f64) -> String {
        match self.unit {
            Unit::Rate => rate(load),
            Unit::Users => self.text(&capacity::users(whole_or_tenth(load))),
        }
    }

    /// A load that is an estimate: `about 194/s`, `about 20 VUs`.
    pub(crate) fn about(&self, load: f64) -> String {
        self.text(&match self.unit {
            Unit::Rate => capacity::about(rate(load)),
            Unit::Users => capacity::about_users(whole_or_tenth(load)),
        })
    }

    /// The objective: its terms.
    pub(crate) fn objective(&self) -> String {
        let terms: Vec<String> = self.terms.iter().map(ToString::to_string).collect();
        terms.join(", ")
    }

    /// A term's value: a time or a share.
    pub(crate) fn value(&self, term: &Term, value: f64) -> String {
        if value.is_infinite() {
            self.text(&messages::goal_not_reached())
        } else if term.statistic.is_share() {
            percent(value)
        } else {
            millis(value)
        }
    }

    /// The term at a place.
    pub(crate) fn term(&self, place: usize) -> String {
        self.terms
            .get(place)
            .map_or_else(String::new, ToString::to_string)
    }

    pub(crate) fn purpose(&self, purpose: Purpose) -> String {
        self.text(&match purpose {
            Purpose::Baseline => capacity::purpose_baseline(),
            Purpose::Climb => capacity::purpose_climb(),
            Purpose::Refine => capacity::purpose_refine(),
            Purpose::Confirm => capacity::purpose_confirm(),
            Purpose::Knee => capacity::purpose_knee(),
            Purpose::Soak => capacity::purpose_soak(),
        })
    }

    /// Ways in which the generator was the limit.
    pub(crate) fn limits(&self, limits: &[Limit]) -> String {
        crate::health::reasons(limits, self.catalog)
    }

    /// What a level came to.
    pub(crate) fn outcome(&self, step: &Step) -> String {
        let message = match &step.outcome {
            LevelOutcome::Holds => capacity::outcome_holds(),
            LevelOutcome::Likely if step.held >= LONG_WINDOWS => match step.doubt(self.terms) {
                UnsureReason::NearLimit => capacity::outcome_likely_long(),
                UnsureReason::FewRequests => capacity::outcome_likely_few(),
            },
            LevelOutcome::Likely => capacity::outcome_likely(),
            LevelOutcome::Misses { term, sure } => {
                let value = step.terms.get(*term).and_then(|judged| judged.value);
                let value = match (self.terms.get(*term), value) {
                    (Some(term), Some(value)) => self.value(term, value.middle),
                    _ => String::new(),
                };
                let term = self.term(*term);
                if *sure {
                    capacity::outcome_misses(term, value)
                } else {
                    capacity::outcome_misses_unsure(term, value)
                }
            }
            LevelOutcome::Unclear => capacity::outcome_unclear(),
            // A part of a level may have completed more than all of it was asked for.
            LevelOutcome::Overloaded => {
                capacity::outcome_overloaded(rate(step.sustained.min(step.throughput.middle)))
            }
            LevelOutcome::AsksToWait => capacity::outcome_waits(percent(step.asked_to_wait)),
            LevelOutcome::Aborted(AbortReason::Errors(share)) => {
                capacity::outcome_errors(percent(*share))
            }
            LevelOutcome::Aborted(AbortReason::Refused) => capacity::outcome_refused(),
            LevelOutcome::Aborted(AbortReason::NoAnswers) => capacity::outcome_silent(),
            LevelOutcome::Invalid(Ceiling::Generator(limits)) => {
                capacity::outcome_generator(self.limits(limits))
            }
            LevelOutcome::Invalid(Ceiling::Users | Ceiling::Highest | Ceiling::Goal) => {
                capacity::outcome_users()
            }
            LevelOutcome::Cut => capacity::outcome_cut(),
        };
        let mut text = self.text(&message);
        if step.late > 0 {
            text.push_str(&self.text(&capacity::outcome_late(step.late)));
        }
        text
    }
}

/// A rate: `194/s`.
pub(crate) fn rate(value: f64) -> String {
    format!("{}/s", significant(value))
}

/// A number of users, or one between two.
pub(crate) fn whole_or_tenth(value: f64) -> String {
    let digits = if (value - value.round()).abs() < 1e-9 {
        0
    } else {
        1
    };
    grouped(value, digits)
}

/// From so many users on an estimate is told in whole ones.
const WHOLE_USERS: f64 = 100.0;
/// Closer than this two loads are the same.
const SAME_LOAD: f64 = 1e-6;

/// The users `at` which an objective is crossed, rounded as they are told: never those of the level `first`, which
/// misses, nor fewer than those of the level `last`, which holds.
pub(crate) fn interpolated_users(last: f64, at: f64, first: f64) -> f64 {
    let each = if at < WHOLE_USERS { 10.0 } else { 1.0 };
    let told = (at * each).round() / each;
    if told < first - SAME_LOAD {
        told.max(last)
    } else {
        last.max(told - 1.0 / each)
    }
}
