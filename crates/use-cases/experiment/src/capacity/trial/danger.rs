//! What ends a level at once.

use loadline_analysis::capacity::{AbortReason, LevelOutcome, Purpose};
use loadline_analysis::slo::{Statistic, Term};

use super::{FEW_ANSWERS, MOST_ERRORS, Rules, Trial};
use crate::window::LoadWindow;

/// A share of refused connections that is no accident.
const REFUSED_SHARE_MIN: f64 = 0.01;
/// A share of answers asking to come back later that is a limit found, where the objective says nothing of failures.
const ASKED_TO_WAIT: f64 = 0.005;
/// So many times what the objective allows to fail ends a level at once, ...
const FAR_BEYOND_FACTOR: f64 = 3.0;
/// ... where chance alone makes as many in fewer levels than this, as each second is looked at.
const CHANCE_MAX: f64 = 0.001;
/// Fewer answers that ask to come back later are none.
const ASKED_COUNT_MIN: f64 = 2.0;
/// A share of a few is by so many standard deviations what it seems, at most.
const DEVIATIONS_SURE: f64 = 1.65;
/// What answers that ask to come back later have as their status.
const ASKING_STATUSES: [&str; 2] = ["429", "503"];
/// Windows without any answer that end a level, unless answers usually take longer.
const SILENT_WINDOWS_MIN: f64 = 2.0;
/// The same, seconds, while fewer requests than this wait for an answer.
const SILENT_FEW: f64 = 10.0;
const FEW_WAITING: f64 = 3.0;

impl Trial {
    /// What ends the level at once.
    pub(super) fn danger(&mut self, window: &LoadWindow, rules: &Rules) -> Option<LevelOutcome> {
        let answers = window.requests;
        let so_far =
            |of: fn(&LoadWindow) -> f64| of(window) + self.windows.iter().map(of).sum::<f64>();
        let asked = so_far(|w| w.asked_to_wait);
        if is_too_often_asked(asked, so_far(|w| w.requests), rules) {
            return Some(LevelOutcome::AsksToWait);
        }
        if window.refused > 0.0 && window.refused >= REFUSED_SHARE_MIN * answers {
            return Some(LevelOutcome::Aborted(AbortReason::Refused));
        }
        let (failed, all) = match self.windows.last() {
            // So little load does no harm: what fails of a few by chance is no share yet.
            _ if self.purpose == Purpose::Baseline => {
                (so_far(|w| w.failed), so_far(|w| w.requests))
            }
            // Two windows where one alone has hardly any answer.
            Some(before) if answers < 20.0 => {
                (window.failed + before.failed, answers + before.requests)
            }
            _ => (window.failed, answers),
        };
        let is_enough = all >= FEW_ANSWERS
            && (self.purpose != Purpose::Baseline || is_surely_much(failed, all));
        if is_enough && failed > MOST_ERRORS * all && window.failed > 0.0 {
            if 2.0 * window.asked_to_wait > window.failed {
                return Some(LevelOutcome::AsksToWait);
            }
            return Some(LevelOutcome::Aborted(AbortReason::Errors(failed / all)));
        }
        // A generator that stood still has not listened either.
        let listened = window.generator.stalled <= 0.0;
        let nothing = answers <= 0.0 && window.ended <= 0.0 && window.in_flight >= 1.0 && listened;
        self.silent = if nothing {
            self.silent + window.span
        } else {
            0.0
        };
        let usual = rules.idle_iteration_ms.max(rules.idle_request_ms) / 1000.0;
        let is_slow_start = self.purpose == Purpose::Baseline && self.silent < 60.0;
        let patience = if is_slow_start {
            60.0
        } else if window.in_flight < FEW_WAITING {
            // One or two that are slow are no silence yet.
            SILENT_FEW.max(2.0 * usual + 1.0)
        } else {
            SILENT_WINDOWS_MIN.max(2.0 * usual + 1.0)
        };
        (self.silent >= patience - 0.05).then_some(LevelOutcome::Aborted(AbortReason::NoAnswers))
    }
}

/// More than may fail do even where chance made it more than it is.
pub(super) fn is_surely_much(failed: f64, all: f64) -> bool {
    let share = failed / all;
    share - DEVIATIONS_SURE * (share * (1.0 - share) / all).sqrt() > MOST_ERRORS
}

/// Whether too many answers ask to come back later: refusing some is no miss where the objective allows as many to fail, and
/// goes on to be judged by it. Seen: 2 of 52 answers ended a level at once whose share was 0.1 %, of 1 % that were allowed.
fn is_too_often_asked(asked: f64, answers: f64, rules: &Rules) -> bool {
    let is_beyond = |share: f64| asked >= ASKED_COUNT_MIN && asked >= share * answers;
    match failures_allowed(rules) {
        None => is_beyond(ASKED_TO_WAIT),
        Some(allowed) => {
            is_beyond(FAR_BEYOND_FACTOR * allowed)
                && chance_of(asked, allowed * answers) < CHANCE_MAX
        }
    }
}

/// How likely so many are, or more, where fewer are `expected`: at most (Chernoff's bound for a Poisson number).
fn chance_of(count: f64, expected: f64) -> f64 {
    if count <= expected {
        return 1.0;
    }
    if expected <= 0.0 {
        return 0.0;
    }
    (count - expected - count * (count / expected).ln()).exp()
}

/// The share of answers that the objective allows to fail, if it says anything of those that ask to come back later.
fn failures_allowed(rules: &Rules) -> Option<f64> {
    let failures = rules.terms.iter();
    let asks = |term: &&Term| {
        ASKING_STATUSES
            .iter()
            .any(|status| term.counts_status(status))
    };
    let failures = failures.filter(|term| term.statistic == Statistic::Errors);
    let failures = failures.filter(asks);
    failures.map(|term| term.limit).reduce(f64::min)
}
