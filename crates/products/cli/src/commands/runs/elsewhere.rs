//! Rows of `runs --table` that were measured elsewhere.

use loadline_report::runs::{ELSEWHERE, RunLine};
use loadline_text::Catalog;

use crate::context::Context;
use crate::measured::{self, MeasuredRow, NeededColumns, TableMistake};
use crate::refusal::Refusal;

/// The rows of the table in `file`.
pub(super) fn lines(
    context: &Context,
    file: &str,
    catalog: &Catalog,
) -> Result<Vec<RunLine>, Refusal> {
    let text = context
        .read_text(file)
        .map_err(|error| Refusal::unread(file, &error))?;
    let rows = measured::rows(
        &text,
        NeededColumns {
            names: &["vus", "tps"],
            is_above_zero: false,
        },
    );
    let lines = rows.and_then(|rows| rows.into_iter().map(line).collect());
    lines.map_err(|mistake| mistake.refusal(file, catalog))
}

fn line(row: MeasuredRow) -> Result<RunLine, TableMistake> {
    let missing = |head: &str| TableMistake::EmptyCell {
        line: row.line,
        head: head.to_owned(),
    };
    let users = row.users.ok_or_else(|| missing("vus"))?;
    let rate = row.throughput.ok_or_else(|| missing("tps"))?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float that is no such count becomes the nearest one that is"
    )]
    let vus = users.round() as u64;
    Ok(RunLine {
        name: row.name,
        verdict: ELSEWHERE.to_owned(),
        vus,
        rate,
        mean_ms: row.mean,
        p95_ms: row.p95,
        errors: row.errors,
        settings: row.others,
        note: row.note,
        ..RunLine::default()
    })
}
