//! `--save-answers` and `--same-answers-as`: what is typed, and what is said of it.

use std::sync::Arc;

use loadline_report::answers as report;
use loadline_session::RunResult;
use loadline_session::answers::{AnswerOptions, NoBaseline, baseline};
use loadline_text::{Catalog, answers, grouped, problem};

use crate::context::Context;
use crate::refusal::Refusal;
use crate::stored::Stored;

/// What is typed about answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct AnswerFlags {
    /// They are kept for later runs.
    pub(crate) are_saved: bool,
    /// The runs whose answers this one is held to.
    pub(crate) same_as: Option<String>,
}

impl AnswerFlags {
    /// The first of its flags that is typed.
    pub(crate) fn typed(&self) -> Option<&'static str> {
        let same = self.same_as.as_ref().map(|_| "--same-answers-as");
        self.are_saved.then_some("--save-answers").or(same)
    }

    /// What the run does with answers.
    ///
    /// # Errors
    /// There are no answers that it could be held to.
    pub(crate) fn options(
        &self,
        context: &Context,
        store: Option<&str>,
    ) -> Result<AnswerOptions, Refusal> {
        let Some(reference) = &self.same_as else {
            return Ok(AnswerOptions {
                are_saved: self.are_saved,
                baseline: None,
            });
        };
        let stored = Stored::open(context, store)?;
        let found = baseline(&stored.store, reference, stored.now_ms);
        let found = found.map_err(|why| match why {
            NoBaseline::NotSaved { run } => Refusal::config(problem::answers_not_saved(run)),
            NoBaseline::Store(error) => stored.refusal(error),
        })?;
        Ok(AnswerOptions {
            are_saved: self.are_saved,
            baseline: Some(Arc::new(found)),
        })
    }
}

/// How the answers compare, and how many were kept, a line each.
pub(crate) fn lines(
    flags: &AnswerFlags,
    outcome: &RunResult,
    is_quiet: bool,
    catalog: &Catalog,
) -> Vec<String> {
    let compared = outcome.summary.run.answers.as_ref();
    let compared = compared.filter(|compared| !is_quiet || !compared.are_same());
    let mut lines = compared.map_or_else(Vec::new, |compared| report::lines(compared, catalog));
    let kept = outcome
        .answers_kept
        .filter(|_| flags.are_saved && !is_quiet);
    if let (Some(answers_kept), Some(run)) = (kept, &outcome.kept) {
        let count = |n: u64| grouped(n as f64, 0);
        let (requests, once) = (answers_kept.requests, answers_kept.seen_once);
        let mut said = vec![if requests == 0 {
            answers::answers_kept_none()
        } else {
            answers::answers_kept(count(requests), count(once), &run.name)
        }];
        said.extend(answers_kept.is_full.then(answers::answers_kept_full));
        lines.extend(said.iter().map(|line| catalog.text(line)));
    }
    lines
}
