//! `capacity --table FILE.csv`: a load curve somebody else measured, judged likewise.
//!
//! Columns are found by their names in the first line, in any order; what is not known is
//! left out. Numbers may have a comma between thousands when they are quoted.

use loadline_analysis::capacity::table::{Row, TableError, judge};
use loadline_report::capacity::table as report;
use loadline_text::{Catalog, Exit, problem};

use super::args::CapacityArgs;
use crate::commands::run::problems::Refusal;
use crate::context::Context;

/// A column's meaning, and the names it goes by.
const COLUMNS: [(Column, &[&str]); 9] = [
    (
        Column::Users,
        &[
            "vu",
            "vus",
            "vuser",
            "vusers",
            "users",
            "virtual users",
            "concurrency",
            "load",
        ],
    ),
    (
        Column::Throughput,
        &["tps", "rps", "throughput", "requests/s", "req/s", "rate"],
    ),
    (
        Column::Mean,
        &[
            "mean",
            "mean_ms",
            "mean (ms)",
            "mtt",
            "avg",
            "average",
            "mean ms",
        ],
    ),
    (Column::P50, &["p50", "p50_ms", "median", "med", "p(50)"]),
    (Column::P95, &["p95", "p95_ms", "p(95)"]),
    (Column::P99, &["p99", "p99_ms", "p(99)"]),
    (Column::Max, &["max", "max_ms"]),
    (
        Column::Errors,
        &["errors", "error rate", "error_rate", "errors %"],
    ),
    (Column::Other, &[]),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Users,
    Throughput,
    Mean,
    P50,
    P95,
    P99,
    Max,
    Errors,
    Other,
}

/// Judges the table in `file`.
pub(super) fn judge_file(
    context: &Context,
    own: &CapacityArgs,
    file: &str,
    catalog: &Catalog,
) -> Result<loadline_analysis::capacity::table::Judgement, Refusal> {
    let text = std::fs::read_to_string(context.working_dir.join(file)).map_err(|error| {
        Refusal::config(match error.kind() {
            std::io::ErrorKind::NotFound => problem::file_missing(file),
            _ => problem::file_unreadable(file, error),
        })
    })?;
    let rows =
        rows(&text).map_err(|reason| Refusal::config(problem::table_invalid(file, reason)))?;
    let terms = own.terms(catalog)?;
    let think = own.think.unwrap_or_default().as_secs_f64();
    judge(rows, &terms, think)
        .map_err(|error: TableError| Refusal::config(problem::table_invalid(file, error)))
}

/// Prints the judgement of the table in `file`.
pub(super) fn judge_and_print(
    context: &mut Context,
    own: &CapacityArgs,
    file: &str,
    catalog: &Catalog,
) -> Result<Exit, Refusal> {
    let judgement = judge_file(context, own, file, catalog)?;
    context.out(&report::text(&judgement, file, catalog));
    Ok(Exit::Success)
}

/// The rows of a CSV text.
///
/// # Errors
/// What is wrong, and in which line.
pub(crate) fn rows(text: &str) -> Result<Vec<Row>, String> {
    let mut lines = text
        .trim_start_matches('\u{feff}')
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let Some((_, head)) = lines.next() else {
        return Err("it is empty".to_owned());
    };
    let columns: Vec<Column> = cells(head).iter().map(|name| column(name)).collect();
    for needed in [Column::Users, Column::Throughput] {
        if !columns.contains(&needed) {
            return Err(format!("no column is called {}", named(needed)));
        }
    }
    lines
        .map(|(number, line)| {
            row(&columns, line).map_err(|why| format!("line {}: {why}", number + 1))
        })
        .collect()
}

fn named(column: Column) -> String {
    let known = COLUMNS.iter().find(|(other, _)| *other == column);
    known.map_or_else(String::new, |(_, names)| names.join(" / "))
}

fn column(name: &str) -> Column {
    let name = name.trim().to_lowercase();
    let known = COLUMNS
        .iter()
        .find(|(_, names)| names.contains(&name.as_str()));
    known.map_or(Column::Other, |(column, _)| *column)
}

fn row(columns: &[Column], line: &str) -> Result<Row, String> {
    let mut row = Row::default();
    for (column, cell) in columns.iter().zip(cells(line)) {
        if *column == Column::Other || cell.trim().is_empty() {
            continue;
        }
        let value = number(&cell).ok_or_else(|| format!("`{}` is not a number", cell.trim()))?;
        match column {
            Column::Users => row.users = value,
            Column::Throughput => row.throughput = value,
            Column::Mean => row.mean = Some(value),
            Column::P50 => row.p50 = Some(value),
            Column::P95 => row.p95 = Some(value),
            Column::P99 => row.p99 = Some(value),
            Column::Max => row.max = Some(value),
            // A share, unless it says percent or cannot be one.
            Column::Errors => {
                row.errors = Some(if cell.contains('%') || value > 1.0 {
                    value / 100.0
                } else {
                    value
                })
            }
            Column::Other => {}
        }
    }
    Ok(row)
}

/// A number with or without a unit of ms, commas between thousands.
fn number(cell: &str) -> Option<f64> {
    let text = cell
        .trim()
        .trim_end_matches('%')
        .trim_end_matches("ms")
        .trim();
    text.replace(',', "")
        .parse()
        .ok()
        .filter(|n: &f64| n.is_finite())
}

/// The cells of a line: parted by commas, semicolons or tabs; quotes hold one together.
fn cells(line: &str) -> Vec<String> {
    let parted_by = [';', '\t']
        .into_iter()
        .find(|c| line.contains(*c))
        .unwrap_or(',');
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            c if c == parted_by && !quoted => cells.push(String::new()),
            c => {
                if let Some(last) = cells.last_mut() {
                    last.push(c);
                }
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_as_people_write_them() {
        let read =
            rows("VU, TPS, MTT (all), mean ms\n7, 92.6, x, 73.5\n\"1,000\", 158.0, , 6380.3 ms\n")
                .unwrap();
        assert_eq!(read.len(), 2);
        assert!((read[1].users - 1000.0).abs() < 1e-9);
        assert_eq!(read[1].mean, Some(6380.3));
        let semicolons = rows("vus;rps;p95;errors\n5;10;120;0.5%\n").unwrap();
        assert_eq!(semicolons[0].errors, Some(0.005));
    }

    #[test]
    fn mistakes_name_their_line() {
        assert_eq!(rows("").unwrap_err(), "it is empty");
        assert!(
            rows("a,b\n1,2\n")
                .unwrap_err()
                .starts_with("no column is called vu")
        );
        assert_eq!(
            rows("vu,tps\n1,2\n3,x\n").unwrap_err(),
            "line 3: `x` is not a number"
        );
    }
}
