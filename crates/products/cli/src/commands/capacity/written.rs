//! The files of a search that were asked for.

use loadline_report::capacity as report;
use loadline_text::{Catalog, capacity, problem};

use super::kept::test_in_file;
use super::{CapacityArgs, Found, arrivals_word};
use crate::context::Context;
use crate::refusal::Refusal;
use crate::stored::written_report::{ReportFormat, Reported};

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
