//! Stores the generator's health and what failed while a run goes on, for those who watch it, what bodies have in common, and answers that later runs are held to.

use loadline_metrics::Merger;
use loadline_record::bodies::BodySample;
use loadline_record::{FailedAnswer, Redactor, Run};
use loadline_vu::RunState;

use super::Judge;
use crate::answers::AnswerOptions;
use crate::outcome::KeptAnswers;

/// Windows between two looks.
const NOTE_INTERVAL_WINDOWS: u64 = 3;

impl Judge {
    /// Stores the generator's health so far, if it is time.
    pub(super) fn keep_health(&mut self, window: u64, totals: &Merger) {
        let Some((recorder, _)) = &mut self.recorder else {
            return;
        };
        if self.began.is_some() && window.is_multiple_of(NOTE_INTERVAL_WINDOWS) {
            recorder.generator(self.health.report(&self.run_state, totals));
            let answers = failed_answers(&self.run_state);
            if !answers.is_empty() {
                recorder.answers(answers);
            }
        }
    }

    /// Reads the bodies of the last second: nobody compares a run that is not stored.
    pub(super) fn keep_bodies(&mut self) {
        if self.recorder.is_some() {
            self.bodies.take(&self.run_state);
        }
        self.answers.take(&self.run_state);
    }

    /// What the run's bodies have in common.
    pub(crate) fn take_bodies(&mut self) -> Vec<BodySample> {
        self.bodies.take(&self.run_state);
        std::mem::take(&mut self.bodies).finish()
    }

    /// The same, keeping answers or holding them to others; `redactor` masks secrets in what is kept.
    pub(crate) fn holding(mut self, options: AnswerOptions, redactor: Redactor) -> Self {
        self.answer_options = options;
        self.redactor = redactor;
        self
    }

    /// Stores the answers that were kept, and compares them with those that the run is held to.
    pub(crate) fn compare_answers(&mut self, run: &mut Run) -> Option<KeptAnswers> {
        if !self.answer_options.are_wanted() {
            return None;
        }
        self.answers.take(&self.run_state);
        let saved = std::mem::take(&mut self.answers).finish(&self.redactor);
        let baseline = self.answer_options.baseline.as_ref();
        run.answers = baseline.map(|baseline| baseline.compare(&saved));
        let kept = KeptAnswers::new(&saved);
        if let Some((recorder, _)) = &mut self.recorder {
            recorder.saved_answers(saved);
        }
        Some(kept)
    }
}

/// The answers to failed requests, masked: answers may repeat secrets that were sent.
pub(crate) fn failed_answers(run_state: &RunState) -> Vec<FailedAnswer> {
    let redactor = Redactor::default();
    let all = run_state.failed_answers.all().into_iter();
    all.map(|(status, text, count)| FailedAnswer {
        status,
        text: redactor.text(&text),
        count,
    })
    .collect()
}
