//! `capacity --table FILE.csv`: a load curve somebody else measured, judged likewise.
//!
//! How such tables are read: `measured`.

use loadline_analysis::capacity::table::{Judgement, Row, TableError, judge};
use loadline_analysis::slo::Term;
use loadline_report::capacity::table as report;
use loadline_text::{Catalog, Exit, capacity, problem};

use super::args::CapacityArgs;
use super::written::write;
use crate::context::Context;
use crate::measured::{self, MeasuredRow, NeededColumns, TableMistake};
use crate::refusal::Refusal;
use crate::stored::written_report::{ReportFormat, Reported};

/// Judges the table in `file`.
pub(super) fn judge_file(
    context: &Context,
    own: &CapacityArgs,
    file: &str,
    catalog: &Catalog,
) -> Result<Judgement, Refusal> {
    let text = context
        .read_text(file)
        .map_err(|error| Refusal::unread(file, &error))?;
    let terms = own.terms(catalog)?;
    let think = own.think.unwrap_or_default().as_secs_f64();
    judge_text(&text, file, &terms, think, catalog)
}

/// Judges the table `text` of `file`, with `think` seconds of think time.
pub(crate) fn judge_text(
    text: &str,
    file: &str,
    terms: &[Term],
    think: f64,
    catalog: &Catalog,
) -> Result<Judgement, Refusal> {
    let rows = rows(text).map_err(|mistake| mistake.refusal(file, catalog))?;
    judge(rows, terms, think).map_err(|error| {
        let reason = match error {
            TableError::TooFewRows { found } => capacity::table_few_rows(found),
            TableError::NotPositive { row } => capacity::table_not_positive(row),
            TableError::Twice { users } => capacity::table_twice(users),
            TableError::NoColumn { term } => {
                capacity::table_term_column(term, measured::heads(text))
            }
        };
        Refusal::config(problem::table_invalid(file, catalog.text(&reason)))
    })
}

/// Prints the judgement of the table in `file`.
pub(super) fn judge_and_print(
    context: &mut Context,
    own: &CapacityArgs,
    file: &str,
    catalog: &Catalog,
) -> Result<Exit, Refusal> {
    let judgement = judge_file(context, own, file, catalog)?;
    let goal = own.goal_of_table(context, catalog)?;
    let text = report::text(&judgement, file, goal, catalog);
    context.out(&text);
    if let Some(path) = &own.export {
        let exported = report::file(&judgement, file, goal).to_json();
        write(context, path, &exported, catalog)?;
    }
    if let Some(path) = &own.report {
        let exported = report::file(&judgement, file, goal);
        let document = loadline_report::capacity::document::of_file(&exported, "", catalog);
        let reported = Reported {
            name: file.to_owned(),
            document,
            json: exported.to_json(),
            seconds: 0.0,
        };
        let text = reported.text(ReportFormat::asked(path)?, catalog);
        write(context, path, &text, catalog)?;
    }
    Ok(match goal {
        Some(goal) if goal.is_missed(&judgement) => Exit::ThresholdsFailed,
        _ if report::holds_nowhere(&judgement) => Exit::ThresholdsFailed,
        _ => Exit::Success,
    })
}

/// The rows of a CSV text.
///
/// # Errors
/// What is wrong, and in which line.
fn rows(text: &str) -> Result<Vec<Row>, TableMistake> {
    // A table is not read where one of these has no number.
    let of_row = |row: MeasuredRow| Row {
        users: row.users.unwrap_or_default(),
        throughput: row.throughput.unwrap_or_default(),
        mean: row.mean,
        p50: row.p50,
        p95: row.p95,
        p99: row.p99,
        max: row.max,
        errors: row.errors,
    };
    let rows = measured::rows(
        text,
        NeededColumns {
            names: &["vus", "tps"],
            is_above_zero: true,
        },
    )?;
    Ok(rows.into_iter().map(of_row).collect())
}
