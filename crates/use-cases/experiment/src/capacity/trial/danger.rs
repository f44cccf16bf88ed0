//! What ends a level at once.

use loadline_analysis::capacity::{AbortReason, LevelOutcome, Purpose};

use super::{FEW_ANSWERS, MOST_ERRORS, Rules, Trial};
use crate::window::LoadWindow;

/// A share of refused connections that is no accident.
const REFUSED_SHARE_MIN: f64 = 0.01;
/// A share of answers asking to come back later that is a limit found.
const ASKED_TO_WAIT: f64 = 0.005;
/// Windows without any answer that end a level, unless answers usually take longer.
const SILENT_WINDOWS_MIN: f64 = 2.0;
/// The same, seconds, while fewer requests than this wait for an answer.
const SILENT_FEW: f64 = 10.0;
const FEW_WAITING: f64 = 3.0;

impl Trial {
    /// What ends the level at once.
    pub(super) fn danger(&mut self, window: &LoadWindow, rules: &Rules) -> Option<LevelOutcome> {
        let answers = window.requests;
        if window.asked_to_wait >= 2.0 && window.asked_to_wait >= ASKED_TO_WAIT * answers {
            return Some(LevelOutcome::AsksToWait);
        }
        if window.refused > 0.0 && window.refused >= REFUSED_SHARE_MIN * answers {
            return Some(LevelOutcome::Aborted(AbortReason::Refused));
        }
        let (failed, all) = match self.windows.last() {
            // Two windows where one alone has hardly any answer.
            Some(before) if answers < 20.0 => {
                (window.failed + before.failed, answers + before.requests)
            }
            _ => (window.failed, answers),
        };
        if all >= FEW_ANSWERS && failed > MOST_ERRORS * all && window.failed > 0.0 {
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
