//! What is kept of a search: with its run, and in the files that were asked for.

use loadline_analysis::capacity::Answer;
use loadline_record::{SEARCH_VERDICT, event_kind};
use loadline_report::capacity as report;
use loadline_session::steered::SteeredRun;
use loadline_text::{Catalog, capacity, problem};

use super::{CapacityArgs, Found, arrivals_word};
use crate::commands::run;
use crate::context::Context;
use crate::refusal::Refusal;
use crate::stored::written_report::{ReportFormat, Reported};

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

/// Writes the files that were asked for.
pub(super) fn export(
    context: &mut Context,
    own: &CapacityArgs,
    found: &Found,
    facts: &report::CapacityFacts,
    hosts: Vec<String>,
    catalog: &Catalog,
) -> Result<(), Refusal> {
    let mut written = Vec::new();
    let file = {
        let test = report::file::TestInFile {
            scenario: found.scenario.clone(),
            arrivals: arrivals_word(found.answer.unit, own.spacings()?.first().copied()),
            hosts,
            run: found.run.clone(),
            started_ms: found.started_ms,
            ..test_in_file(&found.facts)
        };
        let environment = serde_json::to_value(loadline_session::environment());
        let environment = environment.unwrap_or_default();
        let file = report::file::CapacityFile::new(&found.answer, test, environment);
        let mut file = file.explained(found.target.limit.clone());
        file.target.clone_from(&found.target.setup);
        file.goal = found.goal;
        file
    };
    if let Some(path) = &own.export {
        written.push((path, file.to_json()));
    }
    if let Some(path) = &own.report {
        let document =
            report::document::of_answer(&found.answer, facts, &found.facts.name, catalog);
        let reported = Reported {
            name: found.facts.name.clone(),
            document,
            json: file.to_json(),
            seconds: 0.0,
        };
        written.push((path, reported.text(ReportFormat::asked(path)?, catalog)));
    }
    for (path, text) in written {
        write(context, path, &text, catalog)?;
    }
    Ok(())
}

/// Writes a file that was asked for, and says so.
pub(super) fn write(
    context: &mut Context,
    path: &str,
    text: &str,
    catalog: &Catalog,
) -> Result<(), Refusal> {
    std::fs::write(context.working_dir.join(path), text)
        .map_err(|error| Refusal::other(problem::write_failed(path, error)))?;
    let said = catalog.text(&capacity::exported(path));
    context.err(&format!("loadline: {said}\n"));
    Ok(())
}
