//! The load that was asked for, beside the one that is carried.

use loadline_analysis::capacity::Answer;
use loadline_text::{Message, capacity, percent, report};

use super::file::{self, CapacityFile};
use super::likely::LikelyLine;
use super::percent_of;
use super::words::{Words, rate};
use crate::document::DocumentGoal;

/// Below it a share is written with its decimals.
const SMALL_SHARE: f64 = 0.095;

/// A load that is to be carried, and what was found, both in one unit.
#[derive(Debug, Clone, Copy)]
pub(super) struct AskedLoad {
    /// What was asked for.
    pub(super) goal: f64,
    /// What is carried; zero where nothing is.
    pub(super) carried: f64,
    /// No higher load was seen to be too much.
    pub(super) is_open: bool,
    /// All levels together contradict that it is met.
    pub(super) is_doubted: bool,
    /// Both are requests per second, whatever the unit of the search.
    pub(super) is_rate: bool,
}

/// Whether a search that ended so, without a line, may be of a target that holds none or all.
fn is_untold(end: &str) -> bool {
    let untold = ["out-of-time", "interrupted", "no-sample", "no-requests"];
    untold.contains(&end) || end.starts_with("at-least")
}

impl AskedLoad {
    pub(super) fn of_answer(answer: &Answer, goal: f64, words: Words<'_>) -> Self {
        let line = answer.line.as_ref();
        let likely = LikelyLine::of_answer(answer);
        Self {
            goal,
            carried: line.map_or(0.0, |line| line.load.middle),
            is_open: line.map_or(is_untold(file::end(&answer.end)), |line| {
                line.beyond.is_none()
            }),
            is_doubted: likely.is_some_and(|likely| likely.doubts(goal, words)),
            is_rate: false,
        }
    }

    /// Of a kept answer; `None` where no load was asked for.
    pub(super) fn of_file(file: &CapacityFile, words: Words<'_>) -> Option<Self> {
        let line = file.line.as_ref();
        if let Some(asked) = file.goal_requests {
            return Some(Self {
                goal: asked.goal,
                carried: asked.carried,
                is_open: line.map_or(is_untold(&file.end), |line| line.beyond.is_none()),
                is_doubted: false,
                is_rate: true,
            });
        }
        let goal = file.goal?;
        let likely = line.and_then(|line| line.likely_line());
        Some(Self {
            goal,
            carried: line.map_or(0.0, |line| line.of_table().unwrap_or(line.load)),
            is_open: line.map_or(is_untold(&file.end), |line| line.beyond.is_none()),
            is_doubted: likely.is_some_and(|likely| likely.doubts(goal, words)),
            is_rate: false,
        })
    }

    fn written(self, load: f64, words: Words<'_>) -> String {
        if self.is_rate {
            rate(load)
        } else {
            words.load(load)
        }
    }

    /// Whether it is carried; `None` where that cannot be told.
    pub(super) fn is_met(self) -> Option<bool> {
        let is_carried = self.carried >= self.goal;
        let is_unknown = (is_carried && self.is_doubted) || (!is_carried && self.is_open);
        (!is_unknown).then_some(is_carried)
    }

    /// What it came to.
    fn result(self) -> Message {
        let share = self.carried / self.goal - 1.0;
        match self.is_met() {
            Some(true) if self.is_open => capacity::goal_met_at_least(percent_of(share)),
            Some(true) => capacity::goal_met(percent_of(share)),
            Some(false) => capacity::goal_missed(short(-share)),
            None if self.is_doubted && self.carried >= self.goal => capacity::goal_doubted(),
            None => capacity::goal_unknown(),
        }
    }

    /// `40.0/s: missed by 60 %`.
    pub(super) fn row(self, words: Words<'_>) -> String {
        let result = words.text(&self.result());
        words.text(&capacity::goal_is(self.written(self.goal, words), result))
    }

    /// The same for a document, under the objective's `terms`.
    pub(super) fn in_document(self, terms: &str, words: Words<'_>) -> DocumentGoal {
        let result = words.text(&self.result());
        let is_met = self.is_met();
        DocumentGoal {
            goal: words.text(&report::goal_load(self.written(self.goal, words), terms)),
            observed: match self.carried {
                0.0 => result,
                carried => words.text(&capacity::goal_is(self.written(carried, words), result)),
            },
            met: is_met,
            word: words.text(&match is_met {
                Some(true) => report::word_met(),
                Some(false) => report::word_missed(),
                None => report::word_unknown(),
            }),
        }
    }
}

/// A share that is missing: a little is not nothing.
fn short(share: f64) -> String {
    if share < SMALL_SHARE {
        return percent(share);
    }
    percent_of(share)
}
