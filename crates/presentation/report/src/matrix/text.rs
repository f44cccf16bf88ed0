//! The matrix as a terminal shows it.

use loadline_text::{Catalog, matrix};

use super::words::Words;
use super::{MatrixReport, MatrixRow};
use crate::filled_column::FilledColumn;
use crate::table::Table;

/// The whole matrix; ends with a line break.
#[must_use]
pub fn text(report: &MatrixReport, catalog: &Catalog) -> String {
    let words = Words {
        catalog,
        is_quick: report.quick,
    };
    let mut text = format!("{}\n\n", report.headline(catalog));
    let columns = words.columns(report);
    text.push_str(&FilledColumn::grid(&columns).render());
    for row in &report.rows {
        let details = words.details(row);
        if details.is_empty() {
            continue;
        }
        text.push_str(&format!("\n{}\n", words.name(row)));
        let mut table = Table::default();
        for (label, lines) in details {
            table.list(format!("  {label}"), lines);
        }
        text.push_str(&table.render());
    }
    let notes = report.notes(catalog);
    if !notes.is_empty() {
        text.push('\n');
        text.extend(notes.iter().map(|note| format!("{note}\n")));
    }
    text
}

/// Why a row stops at its one iteration, in a line; `None` where it does not.
#[must_use]
pub fn cell_line(row: &MatrixRow, catalog: &Catalog) -> Option<String> {
    let smoke = row.smoke.as_ref().filter(|smoke| !smoke.is_ok())?;
    let words = Words {
        catalog,
        is_quick: false,
    };
    let reason = words.smoke_told(smoke);
    Some(words.text(&matrix::row_stops(words.name(row), reason)))
}
