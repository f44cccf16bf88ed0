//! What is kept of a search with its run.

use loadline_analysis::capacity::Answer;
use loadline_record::{SEARCH_VERDICT, event_kind};
use loadline_report::capacity as report;
use loadline_session::steered::SteeredRun;

use crate::commands::run;

/// What of a test a file has.
pub(super) fn test_in_file(facts: &run::SteerableFacts) -> report::file::TestInFile {
    report::file::TestInFile {
        name: facts.name.clone(),
        kind: facts.kind.to_owned(),
        hash: facts.hash.clone(),
        ..report::file::TestInFile::default()
    }
}

/// Keeps the answer with the run.
pub(super) fn keep_answer(
    steered: &SteeredRun,
    answer: &Answer,
    test: report::file::TestInFile,
    goal: Option<f64>,
) {
    let mut file = report::file::CapacityFile::new(answer, test, serde_json::Value::Null);
    file.goal = goal;
    steered.note(
        event_kind::CAPACITY,
        serde_json::to_value(file).unwrap_or_default(),
    );
    steered.note_verdict(SEARCH_VERDICT);
}
