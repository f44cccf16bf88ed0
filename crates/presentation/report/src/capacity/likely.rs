//! Where all levels together put the line, beside the two levels that it is to lie between.
//!
//! A level that was held only briefly proves nothing: the fit may put the line below it, or above one
//! that was missed. The two figures never stand beside each other without a word.

use loadline_analysis::capacity::Answer;
use loadline_analysis::estimate::Estimate;
use loadline_text::{Message, capacity, significant};

use super::words::Words;

/// An estimate of the line and the levels around it.
#[derive(Debug, Clone, Copy)]
pub(super) struct LikelyLine {
    /// Where the line most likely lies, with its range.
    pub(super) likely: Estimate,
    /// The highest level that held.
    pub(super) held: f64,
    /// The lowest that did not.
    pub(super) missed: Option<f64>,
}

impl LikelyLine {
    pub(super) fn of_answer(answer: &Answer) -> Option<Self> {
        let line = answer.line.as_ref()?;
        Some(Self {
            likely: answer.crossing?,
            held: line.load.middle,
            missed: line.beyond.map(|_| line.load.high),
        })
    }

    /// Whether it lies below the level that held, as both are shown.
    pub(super) fn is_below_held(&self, words: Words<'_>) -> bool {
        let is_same = words.load(self.likely.middle) == words.load(self.held);
        self.likely.middle < self.held && !is_same
    }

    /// Whether it may lie below the level that held, as both are shown: then that is no lower bound.
    pub(super) fn may_be_below_held(&self, words: Words<'_>) -> bool {
        let is_same = words.load(self.likely.low) == words.load(self.held);
        self.likely.low < self.held && !is_same
    }

    /// Whether it contradicts a goal that held only because its level was held by chance.
    pub(super) fn doubts(&self, goal: f64, words: Words<'_>) -> bool {
        self.is_below_held(words) && self.likely.middle < goal
    }

    /// The estimate with its range, and which of the two levels around it it contradicts.
    pub(super) fn row(&self, words: Words<'_>) -> String {
        let [low, likely, high] = self.shown(words);
        let held = words.load(self.held);
        let said = if self.is_below_held(words) {
            capacity::line_likely_below(likely, low, high, held)
        } else if let Some(missed) = self.missed.filter(|missed| self.likely.middle > *missed)
            && words.load(missed) != likely
        {
            capacity::line_likely_above(likely, low, high, words.load(missed))
        } else {
            capacity::line_likely(likely, low, high)
        };
        words.text(&said)
    }

    /// The first line where it lies below what held: the estimate is the answer, not the level.
    pub(super) fn verdict_below(&self, requests: f64, words: Words<'_>) -> Option<Message> {
        let [low, likely, high] = self.shown(words);
        let requests = self.requests(requests);
        self.is_below_held(words).then(|| {
            let (terms, held) = (words.objective(), words.load(self.held));
            capacity::verdict_below(likely, requests, terms, low, high, held)
        })
    }

    /// The first line where nothing that held is sure: the estimate is the answer.
    pub(super) fn verdict_estimated(&self, requests: f64, words: Words<'_>) -> Message {
        let [low, likely, high] = self.shown(words);
        let (terms, held) = (words.objective(), words.load(self.held));
        capacity::verdict_estimated(likely, self.requests(requests), terms, low, high, held)
    }

    /// What the estimate sends, where the load that held sends so many requests per second.
    fn requests(&self, held: f64) -> String {
        significant(held * self.likely.middle / self.held)
    }

    /// The estimate, as it is shown.
    pub(super) fn middle(&self, words: Words<'_>) -> String {
        words.load(self.likely.middle)
    }

    fn shown(&self, words: Words<'_>) -> [String; 3] {
        [self.likely.low, self.likely.middle, self.likely.high].map(|load| words.load(load))
    }
}
