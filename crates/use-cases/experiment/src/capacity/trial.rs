//! Holding one level: how long, and what it comes to.
//!
//! The transition is left out, and so is what was measured while the target was still
//! getting faster. Danger ends a level at once. Otherwise it is held until the
//! objective is kept or missed with confidence, or until its longest time: short where a
//! rough answer will do, longer near the line.

use loadline_analysis::capacity::{AbortReason, Ceiling, LevelOutcome, Purpose, Step, Unit};
use loadline_analysis::slo::{JudgedTerm, Statistic, Term, TermState, judge, look};
use loadline_metrics::Histogram;

use super::measure::{self, BegunLevel};
use super::spells::UsualSpells;
use crate::window::LoadWindow;
use steady::Growth;
use windows::Windows;

mod ceiling;
mod certain;
mod danger;
mod own_delays;
mod steady;
mod windows;

/// More failures than this end a level.
const MOST_ERRORS: f64 = 0.2;
/// Answers that say something about errors.
const FEW_ANSWERS: f64 = 5.0;
/// How often a standing may be wrong at the limit itself, each way, over all looks at a level,
/// were its windows' spread known. That it is estimated, from windows that follow each other
/// and with bad ones in few of them, makes it wrong several times as often: simulated, to stay
/// below one in twenty (`docs/decisions/capacity.md`).
const LEVEL_ALPHA: f64 = 0.005;
/// The same of a claim made before a level was held for its shortest time, or on its last
/// windows only: it rests on few windows, or is one of many such claims.
const EARLY_ALPHA: f64 = 0.0002;
/// Failures from which on a rough level tells something about errors.
const ENOUGH_FAILURES: u64 = 10;
/// Windows up to which a level is judged after each, and after how many from then on.
const EACH_WINDOW_MAX: usize = 15;
const LATER_LOOK_WINDOWS: usize = 3;
/// A level that loses this share of its throughput in its last windows piles work up.
const THROUGHPUT_SHARE_MIN: f64 = 0.85;

/// What holds for all levels of a search.
#[derive(Debug, Clone)]
pub(super) struct Rules {
    pub(super) unit: Unit,
    pub(super) terms: Vec<Term>,
    /// Mean length of an iteration and median of a request without load, ms.
    pub(super) idle_iteration_ms: f64,
    pub(super) idle_request_ms: f64,
    /// Of each term, the mean under little load of the requests it is asked of, ms.
    pub(super) idle_term_ms: Vec<f64>,
    /// Of each term, how its failures came at other levels, where they came in spells.
    pub(super) spells: Vec<Option<UsualSpells>>,
    /// Windows a level must count, since the target was seen to change late.
    pub(super) least: usize,
    /// Windows that make sure of the line, and of the end.
    pub(super) confirm: usize,
    /// Windows from which on a level can hold for certain.
    pub(super) sure: usize,
    pub(super) soak: usize,
    pub(super) own_ceiling: Option<f64>,
}

impl Rules {
    /// Whether requests took much longer than without load.
    pub(super) fn is_slow(&self, durations: &Histogram) -> bool {
        let median = durations.percentile(0.5);
        median.is_none_or(|median| median > 1.5 * self.idle_request_ms + 5.0)
    }
}

/// A level being held.
#[derive(Debug)]
pub(super) struct Trial {
    pub(super) load: f64,
    pub(super) purpose: Purpose,
    began: f64,
    settling: usize,
    /// Windows that count.
    windows: Windows,
    /// All of them.
    seen: usize,
    silent: f64,
    late: usize,
}

/// How long a level is held, in windows that count.
struct Effort {
    least: usize,
    most: usize,
    /// An answer without confidence will do when it is far from the limit.
    is_rough: bool,
}

impl Trial {
    pub(super) fn new(load: f64, purpose: Purpose, began: f64, rules: &Rules) -> Self {
        let length = rules.idle_iteration_ms / 1000.0;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped to a small whole number"
        )]
        let longer = (length * 1.2).floor().clamp(0.0, 600.0) as usize;
        Self {
            load,
            purpose,
            began,
            // The first window has only part of the load.
            settling: 1 + longer,
            windows: Windows::default(),
            seen: 0,
            silent: 0.0,
            late: 0,
        }
    }

    fn effort(&self, rules: &Rules) -> Effort {
        let (least, most, is_rough) = match self.purpose {
            Purpose::Baseline => (10, 30, true),
            Purpose::Climb => (3, 15, true),
            Purpose::Knee => (3, 8, true),
            Purpose::Refine => (10, 30, false),
            Purpose::Confirm => (rules.confirm, rules.confirm * 2, false),
            Purpose::Soak => (rules.soak, rules.soak, false),
        };
        let least = if matches!(self.purpose, Purpose::Baseline | Purpose::Knee) {
            least
        } else {
            least.max(rules.least)
        };
        Effort {
            least,
            most: most.max(least + 10),
            is_rough,
        }
    }

    /// Takes a window in; what the level came to, once it is over.
    pub(super) fn take(&mut self, window: &LoadWindow, rules: &Rules) -> Option<Step> {
        self.seen += 1;
        if let Some(outcome) = self.danger(window, rules) {
            if self.windows.is_empty() || self.settling == 0 {
                self.windows.push(window.clone(), rules);
            }
            return Some(self.end(outcome, rules));
        }
        if self.settling > 0 {
            self.settling -= 1;
            return None;
        }
        self.windows.push(window.clone(), rules);
        let outcome = self.judge(rules)?;
        let outcome = self.fails_without_load().unwrap_or(outcome);
        Some(self.end(self.by_who_fails(outcome, rules), rules))
    }

    /// So little load may have less than a window's answers in several: they are counted
    /// together.
    fn fails_without_load(&self) -> Option<LevelOutcome> {
        let sum = |of: fn(&LoadWindow) -> f64| self.windows.iter().map(of).sum::<f64>();
        let (failed, all) = (sum(|w| w.failed), sum(|w| w.requests));
        let is_failing = all >= FEW_ANSWERS && danger::is_surely_much(failed, all);
        (self.purpose == Purpose::Baseline && is_failing)
            .then_some(LevelOutcome::Aborted(AbortReason::Errors(failed / all)))
    }

    /// Too many failures are a limit set on purpose where most of them ask to come back later.
    fn by_who_fails(&self, outcome: LevelOutcome, rules: &Rules) -> LevelOutcome {
        let LevelOutcome::Misses { term, .. } = outcome else {
            return outcome;
        };
        let sum = |of: fn(&LoadWindow) -> f64| self.windows.iter().map(of).sum::<f64>();
        let is_asked = 2.0 * sum(|w| w.asked_to_wait) > sum(|w| w.failed);
        if is_asked && rules.terms[term].statistic == Statistic::Errors {
            LevelOutcome::AsksToWait
        } else {
            outcome
        }
    }

    /// The level as far as it was held: for as long as a level must be, it says what it says.
    pub(super) fn cut(mut self, rules: &Rules) -> Option<Step> {
        let outcome = if self.is_held_long_enough(rules) {
            LevelOutcome::Likely
        } else {
            LevelOutcome::Cut
        };
        (!self.windows.is_empty()).then(|| self.end(outcome, rules))
    }

    /// It was held for the least time, keeps all terms by their values, and nothing piles up.
    fn is_held_long_enough(&mut self, rules: &Rules) -> bool {
        let effort = self.effort(rules);
        if self.purpose != Purpose::Confirm || self.windows.len() < effort.least.max(3) {
            return false;
        }
        let judged = self.windows.judged_from(0, rules, LEVEL_ALPHA, look);
        judged.iter().all(|term| term.is_within)
            && self.growth(rules) == Growth::None
            && !self.is_short(1.0, rules)
    }

    fn end(&mut self, outcome: LevelOutcome, rules: &Rules) -> Step {
        let judged = self.windows.judged_from(0, rules, LEVEL_ALPHA, judge);
        let level = BegunLevel {
            load: self.load,
            unit: rules.unit,
            purpose: self.purpose,
            began: self.began,
        };
        let windows = self.windows.take();
        measure::step(level, &windows, outcome, judged, self.late)
    }

    /// What the windows that count say, if they say enough.
    fn judge(&mut self, rules: &Rules) -> Option<LevelOutcome> {
        let n = self.windows.len();
        let effort = self.effort(rules);
        if n < 3 {
            return None;
        }
        if let Some(ceiling) = self.ceiling(rules) {
            return Some(LevelOutcome::Invalid(ceiling));
        }
        if self.is_piling_up_fast(rules) {
            self.note_lateness(rules);
            return Some(LevelOutcome::Overloaded);
        }
        // Later seconds change little each, and a look at all of them costs.
        let is_look =
            n <= EACH_WINDOW_MAX || n.is_multiple_of(LATER_LOOK_WINDOWS) || n == effort.least;
        if !is_look && n < effort.most {
            return None;
        }
        let alpha = if n < effort.least {
            EARLY_ALPHA
        } else {
            LEVEL_ALPHA
        };
        let judged = self.windows.judged_from(0, rules, alpha, look);
        let missed = self.missed(&judged, rules);
        if steady::is_getting_faster(&self.windows) && self.seen < effort.most * 3 {
            // What was measured before it was warm does not count.
            if n >= 10 {
                self.windows.leave_first_out(n / 3, rules);
            }
            return None;
        }
        if missed.is_some() && self.is_falling_behind(rules) {
            self.note_lateness(rules);
            return Some(LevelOutcome::Overloaded);
        }
        if let Some(term) = missed {
            return self.outcome_of_missing(term, &effort, rules);
        }
        if n < effort.least {
            return None;
        }
        let growth = self.growth(rules);
        if growth == Growth::Certain {
            self.note_lateness(rules);
            return Some(LevelOutcome::Overloaded);
        }
        if self.purpose == Purpose::Baseline
            && !steady::is_trend_free(&self.windows)
            && n < effort.most
        {
            return None;
        }
        let is_steady = growth == Growth::None && !self.is_short(1.0, rules);
        if is_steady
            && judged.iter().all(|j| j.standing == TermState::Holds)
            && let Some(outcome) = self.outcome_of_holding(&effort, rules)
        {
            return Some(outcome);
        }
        if is_steady && effort.is_rough && self.is_far_from_limits(rules) {
            return Some(LevelOutcome::Likely);
        }
        let is_hopeless =
            self.purpose == Purpose::Confirm && n == effort.least && self.stays_open(rules);
        if !is_hopeless && n < effort.most {
            return None;
        }
        let outcome = if is_hopeless {
            Self::by_value(&judged)
        } else {
            self.last_outcome(growth, &judged, effort.is_rough, rules)
        };
        match outcome {
            LevelOutcome::Misses { term, .. } if self.may_be_own(term, rules) => {
                self.leave_touched_out(term, &effort, rules)
            }
            outcome => Some(outcome),
        }
    }

    /// A term is missed with confidence: by the target, or by the generator's own delays.
    fn outcome_of_missing(
        &mut self,
        term: usize,
        effort: &Effort,
        rules: &Rules,
    ) -> Option<LevelOutcome> {
        if self.may_be_own(term, rules) {
            return self.leave_touched_out(term, effort, rules);
        }
        self.note_lateness(rules);
        Some(LevelOutcome::Misses { term, sure: true })
    }

    /// What is said of a level that is not held any longer.
    fn last_outcome(
        &self,
        growth: Growth,
        judged: &[JudgedTerm],
        is_rough: bool,
        rules: &Rules,
    ) -> LevelOutcome {
        if growth >= Growth::Probable || (growth == Growth::Possible && is_rough) {
            return LevelOutcome::Overloaded;
        }
        if self.is_short(3.0, rules) {
            return if self.is_slower_than_idle(rules) {
                LevelOutcome::Overloaded
            } else {
                LevelOutcome::Invalid(Ceiling::Users)
            };
        }
        match Self::by_value(judged) {
            LevelOutcome::Misses { .. } if is_rough => LevelOutcome::Unclear,
            outcome => outcome,
        }
    }

    /// Whether fewer iterations end than are to start, by so many deviations.
    fn is_short(&self, deviations: f64, rules: &Rules) -> bool {
        rules.unit == Unit::Rate && steady::falls_short(&self.windows, self.load, deviations)
    }

    /// What a level comes to by its values as they are.
    fn by_value(judged: &[JudgedTerm]) -> LevelOutcome {
        match judged.iter().position(|j| !j.is_within) {
            None => LevelOutcome::Likely,
            Some(term) => LevelOutcome::Misses { term, sure: false },
        }
    }

    /// Whether work piles up: iterations in flight, or the time requests take. Users of a
    /// closed loop wait for each other, so nothing can pile up there.
    fn growth(&self, rules: &Rules) -> Growth {
        match rules.unit {
            // A few requests a second differ by more than would mean anything.
            Unit::Rate if self.purpose == Purpose::Baseline => steady::backlog(&self.windows),
            Unit::Rate => steady::backlog(&self.windows).max(steady::slowing(&self.windows)),
            Unit::Users => Growth::None,
        }
    }

    /// A term that is missed: over the whole level, or in its last windows if it was held
    /// long enough to have changed.
    fn missed(&mut self, judged: &[JudgedTerm], rules: &Rules) -> Option<usize> {
        let misses =
            |judged: &[JudgedTerm]| judged.iter().position(|j| j.standing == TermState::Misses);
        let n = self.windows.len();
        if self.purpose == Purpose::Baseline && n < 10 {
            return None;
        }
        if let Some(term) = misses(judged) {
            return (!self.is_handful(term, rules)).then_some(term);
        }
        // Seldom, as each look is one more chance to be wrong.
        if n < 24 || !n.is_multiple_of(12) {
            return None;
        }
        let last = self.windows.judged_from(n / 2, rules, EARLY_ALPHA, look);
        misses(&last)
    }

    /// Whether a rough level saw only a handful of failures: with more load it will be seen
    /// whether they have to do with load at all.
    fn is_handful(&self, term: usize, rules: &Rules) -> bool {
        let is_rough = matches!(self.purpose, Purpose::Baseline | Purpose::Climb);
        if !is_rough || !rules.terms[term].statistic.is_share() {
            return false;
        }
        let samples = self.windows.samples(term);
        let is_slow = self.purpose != Purpose::Baseline && self.is_slower_than_idle(rules);
        samples.map(|sample| sample.bad).sum::<u64>() < ENOUGH_FAILURES && !is_slow
    }

    /// Remembers a change that came late: next to nothing in the first half of the level. What
    /// merely piles up does so from the beginning.
    fn note_lateness(&mut self, rules: &Rules) {
        let n = self.windows.len();
        if n < 10 {
            return;
        }
        let value = |window: &LoadWindow| match rules.unit {
            Unit::Rate => window.in_flight,
            Unit::Users => window.durations.percentile(0.5).unwrap_or(0.0),
        };
        let mean =
            |windows: &[LoadWindow]| windows.iter().map(value).sum::<f64>() / windows.len() as f64;
        let first = mean(&self.windows[..3]);
        let half = mean(&self.windows[n / 2 - 1..=n / 2 + 1]);
        let last = mean(&self.windows[n - 3..]);
        let sum = |of: fn(&LoadWindow) -> f64| self.windows[n - 3..].iter().map(of).sum::<f64>();
        let keeps_up = sum(|w| w.ended) > THROUGHPUT_SHARE_MIN * sum(|w| w.started + w.dropped);
        if last > 2.5 * first && half - first < 0.2 * (last - first) && !keeps_up {
            self.late = n;
        }
    }

    /// Whether requests of the last windows take much longer than without load.
    fn is_slower_than_idle(&self, rules: &Rules) -> bool {
        let last = &self.windows[self.windows.len() - 2..];
        let mut durations = Histogram::new();
        for window in last {
            durations.merge(&window.durations);
        }
        rules.is_slow(&durations)
    }

    /// Whether far fewer iterations end than start.
    fn is_piling_up_fast(&self, rules: &Rules) -> bool {
        if rules.unit != Unit::Rate {
            return false;
        }
        let last = &self.windows[self.windows.len() - 3..];
        let loses = last
            .iter()
            .all(|w| w.ended < THROUGHPUT_SHARE_MIN * (w.started + w.dropped));
        // With all users busy no more can pile up, and starts are dropped.
        let rises = last
            .windows(2)
            .all(|pair| pair[1].in_flight > pair[0].in_flight || pair[1].dropped > 0.0);
        let usual = self.load * rules.idle_iteration_ms / 1000.0;
        loses && rises && last[2].in_flight > 2.0 * usual + 5.0
    }

    /// Whether fewer iterations ended than started, and what is in flight rose by as much.
    fn is_falling_behind(&self, rules: &Rules) -> bool {
        let sum = |of: fn(&LoadWindow) -> f64| self.windows.iter().map(of).sum::<f64>();
        let lost = sum(|w| w.started) - sum(|w| w.ended);
        let (first, last) = (&self.windows[0], &self.windows[self.windows.len() - 1]);
        let gained = last.in_flight - first.in_flight;
        rules.unit == Unit::Rate && lost > 0.03 * sum(|w| w.started) && gained > 5.0
    }

    /// Whether every term is kept so clearly that it need not be proven.
    fn is_far_from_limits(&self, rules: &Rules) -> bool {
        let judged = self.windows.judged_from(0, rules, LEVEL_ALPHA, judge);
        let answers: f64 = self.windows.iter().map(|w| w.requests).sum();
        let all = judged.iter().zip(&rules.terms);
        answers >= 1.0
            && all.into_iter().all(|(judged, term)| {
                let Some(value) = judged.value.filter(|_| judged.is_within) else {
                    return judged.value.is_none() && judged.is_within;
                };
                match term.statistic {
                    Statistic::Errors => value.middle <= 0.5 * term.limit,
                    Statistic::Checks => 1.0 - value.middle <= 0.5 * (1.0 - term.limit),
                    _ => value.middle <= 0.7 * term.limit,
                }
            })
    }
}

#[cfg(test)]
mod tests;
