//! Conditions on parts of a run: each so many seconds are judged by themselves.
//!
//! Seconds are those in which the run's parts are joined; what came too late for its second
//! is judged with the one that brings it. Seconds left over at the end are too few to be
//! judged, unless there was no whole window at all.
//!
//! A window without samples is passed over, with one exception: a counter that is to be at
//! least so much counted nothing in it, and fails. For that to be fair, such a condition
//! looks only at seconds that lie wholly within the load.
//!
//! Seconds may be left out of a second look. Windows stay where they are, and one of which less
//! than half is left is no window any more.

use std::time::Duration;

use super::expression::Expression;
use super::judge::{ConditionState, ConditionVerdict, judge, judge_planned};
use super::subject::Subject;
use crate::kind::Kind;
use crate::merger::{Merger, Window};
use crate::planned_answers::PlannedAnswers;
use crate::value::MetricValue;

/// The present window of a condition, and how those before it came out.
#[derive(Debug, Clone)]
pub(super) struct Windows {
    seconds: u64,
    /// Of these, seconds that a second look leaves out.
    left_out: u64,
    length: u64,
    samples: MetricValue,
    /// What became of the planned starts, where the condition is about them.
    planned: Option<PlannedAnswers>,
    judged: Option<ConditionVerdict>,
    /// Whether nothing in a window is too little.
    is_lower_bound: bool,
}

impl Windows {
    /// For a condition that has windows.
    pub(super) fn new(expression: &Expression, subject: &Subject) -> Option<Self> {
        Some(Self {
            seconds: 0,
            left_out: 0,
            planned: subject.is_of_planned().then(PlannedAnswers::default),
            length: expression.window?.as_secs().max(1),
            samples: MetricValue::empty(subject.kind),
            judged: None,
            is_lower_bound: subject.kind == Kind::Counter && expression.operator.is_lower_bound(),
        })
    }

    /// Takes one second in; judges at the end of a window. `is_whole`: the load ran through
    /// all of the second.
    pub(super) fn add(
        &mut self,
        expression: &Expression,
        subject: &Subject,
        second: &Window,
        is_whole: bool,
        merger: &Merger,
    ) {
        if self.is_lower_bound && !is_whole {
            return;
        }
        if let Some(planned) = &mut self.planned {
            planned.add(&subject.gained(second, merger));
        }
        let late = second.late.iter().flat_map(|part| &part.series);
        for gain in second.series.iter().chain(late) {
            if subject.has(gain, merger) {
                self.samples.merge(&gain.value);
            }
        }
        self.pass(expression, subject);
    }

    /// Leaves one second out: its place in the window stays empty.
    pub(super) fn leave_out(&mut self, expression: &Expression, subject: &Subject, is_whole: bool) {
        if self.is_lower_bound && !is_whole {
            return;
        }
        self.left_out += 1;
        self.pass(expression, subject);
    }

    /// A second is over, and with it perhaps its window.
    fn pass(&mut self, expression: &Expression, subject: &Subject) {
        self.seconds += 1;
        if self.seconds >= self.length {
            self.judge(expression);
            (self.seconds, self.left_out) = (0, 0);
            self.samples = MetricValue::empty(subject.kind);
            self.planned = self.planned.take().map(|_| PlannedAnswers::default());
        }
    }

    fn judge(&mut self, expression: &Expression) {
        let counted = self.seconds - self.left_out;
        if counted < self.left_out {
            return;
        }
        let verdict = match &self.planned {
            Some(planned) if planned.planned() == 0 => return,
            Some(planned) => judge_planned(expression, planned),
            None if self.samples.is_empty() && !(self.is_lower_bound && counted > 0) => return,
            None => judge(
                expression,
                &self.samples,
                Duration::from_secs(counted.max(1)),
            ),
        };
        // The first that fails stays.
        if self
            .judged
            .is_none_or(|known| known.outcome != ConditionState::Failed)
        {
            self.judged = Some(verdict);
        }
    }

    /// Takes over how all its windows came out in a run that is read again.
    pub(super) const fn take_over(&mut self, verdict: ConditionVerdict) {
        self.judged = Some(verdict);
    }

    /// How it stands; `at_end` judges what there is when no window was whole.
    pub(super) fn verdict(
        &mut self,
        expression: &Expression,
        at_end: bool,
    ) -> Option<ConditionVerdict> {
        if at_end && self.judged.is_none() {
            self.judge(expression);
        }
        self.judged
    }
}
