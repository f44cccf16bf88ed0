//! What a run comes to.

use loadline_outputs::OutputReport;
use loadline_record::saved_answers::{SavedAnswers, SavedRequest};
use loadline_record::signals::Signals;
use loadline_record::{Gap, Goals, Series, Summary, WarmUp};
use loadline_store::RecordingResult;
use loadline_vu::{Fault, StopCause};

/// A finished run.
#[derive(Debug)]
pub struct RunResult {
    /// All totals, thresholds judged for the last time.
    pub summary: Summary,
    /// The same without the seconds that the generator's own delays touched, where there were such
    /// and the verdict is the same with them.
    pub rest: Option<Summary>,
    /// Why it ended before its plan, if it did; the first cause.
    pub cause: Option<StopCause>,
    /// Set-up failed.
    pub setup: Option<Fault>,
    /// Teardown failed.
    pub teardown: Option<Fault>,
    /// The test's own summary failed.
    pub summarize: Option<Fault>,
    /// The test declared itself failed.
    pub marked_failed: bool,
    /// Iterations that ended with an exception of the script's.
    pub exceptions: u64,
    /// The scenarios began.
    pub began: bool,
    /// The warm-up before what is in the summary, if there was to be one.
    pub warm_up: Option<WarmUp>,
    /// Its place among repetitions of the same test.
    pub series: Option<Series>,
    /// What became of its record, if it was to be kept.
    pub kept: Option<RecordingResult>,
    /// What became of each output.
    pub outputs: Vec<OutputReport>,
    /// What was observed of the target.
    pub signals: Signals,
    /// What began and is not accounted for: defects of this program.
    pub gaps: Vec<Gap>,
    /// How many answers were kept; `None` where that was not asked for.
    pub answers_kept: Option<KeptAnswers>,
}

/// How many answers a run kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptAnswers {
    /// The requests that they are to.
    pub requests: u64,
    /// Of these, requests that were answered once only.
    pub seen_once: u64,
    /// There were more than are kept.
    pub is_full: bool,
}

impl KeptAnswers {
    pub(crate) fn new(saved: &SavedAnswers) -> Self {
        let count = |request: &&SavedRequest| {
            let answers = request.answers.iter();
            answers.map(|answer| u64::from(answer.count)).sum::<u64>() < 2
        };
        Self {
            requests: saved.requests.len() as u64,
            seen_once: saved.requests.iter().filter(count).count() as u64,
            is_full: saved.is_full,
        }
    }
}

/// Judges goals that are no thresholds, once everything is measured.
pub trait GoalJudge: Send + Sync {
    /// How many are met, and all; `None` when there are none.
    fn judge(&self) -> Option<Goals>;

    /// The same, with the times of the seconds alone that the generator's own delays did not touch.
    fn judge_rest(&self) -> Option<Goals>;

    /// Those that are conditions on what is measured, as written.
    fn conditions(&self) -> Vec<String>;
}

/// Makes a test's own summary. Called on the run's thread around the summary stage.
pub trait Summarizer: Send + Sync {
    /// Hands over the totals, before the stage runs.
    fn give(&self, summary: &Summary);

    /// What set-up returned, for the record.
    fn setup_data(&self) -> Option<serde_json::Value>;
}
