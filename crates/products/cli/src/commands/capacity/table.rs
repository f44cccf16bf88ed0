//! `capacity --table FILE.csv`: a load curve somebody else measured, judged likewise.
//!
//! Columns are found by their names in the first line, in any order; what is not known is
//! left out. Numbers may have a comma between thousands when they are quoted.

use loadline_analysis::capacity::Unit;
use loadline_analysis::capacity::table::{Judgement, Row, TableError, judge};
use loadline_analysis::slo::Term;
use loadline_experiment::capacity::Goal;
use loadline_report::capacity::table as report;
use loadline_report::document::html;
use loadline_text::{Catalog, Exit, capacity, problem};

use super::args::CapacityArgs;
use crate::commands::run::problems::Refusal;
use crate::context::Context;

/// A column's meaning, and the names it goes by: small letters, without spaces, marks and
/// units, as [`plain`] leaves them. nGrinder, JMeter, k6 and Korean tables have their own.
const COLUMNS: [(Column, &[&str]); 9] = [
    (
        Column::Users,
        &[
            "vu",
            "vus",
            "vuser",
            "vusers",
            "users",
            "virtualusers",
            "concurrency",
            "load",
            "threads",
            "allthreads",
            "vusmax",
            "가상사용자",
            "가상사용자수",
            "동시사용자",
            "동시사용자수",
            "사용자",
            "사용자수",
            "부하",
        ],
    ),
    (
        Column::Throughput,
        &[
            "tps",
            "rps",
            "throughput",
            "requests/s",
            "requests/sec",
            "req/s",
            "rate",
            "httpreqs/s",
            "httpreqs",
            "meantps",
            "처리량",
            "초당요청",
            "초당요청수",
            "초당처리량",
        ],
    ),
    (
        Column::Mean,
        &[
            "mean",
            "mtt",
            "meantesttime",
            "avg",
            "average",
            "httpreqduration",
            "평균",
            "평균응답시간",
            "평균테스트시간",
            "응답시간",
        ],
    ),
    (
        Column::P50,
        &["p50", "median", "med", "50%line", "중앙값", "50백분위"],
    ),
    (
        Column::P95,
        &[
            "p95",
            "95%line",
            "95thpercentile",
            "95thpct",
            "95백분위",
            "95퍼센타일",
        ],
    ),
    (
        Column::P99,
        &[
            "p99",
            "99%line",
            "99thpercentile",
            "99thpct",
            "99백분위",
            "99퍼센타일",
        ],
    ),
    (Column::Max, &["max", "maximum", "최대", "최대응답시간"]),
    (
        Column::Errors,
        &[
            "errors",
            "errorrate",
            "error%",
            "errors%",
            "httpreqfailed",
            "오류율",
            "에러율",
            "오류율",
            "오류",
            "에러",
            "오류",
        ],
    ),
    (Column::Other, &[]),
];

/// A column's name without what people write in many ways.
fn plain(name: &str) -> String {
    let mut name = name.trim().to_lowercase();
    for unit in ["(ms)", "(%)", "(s)", "[ms]"] {
        name = name.replace(unit, "");
    }
    let name = name.trim_end_matches(" ms").trim_end_matches("_ms");
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '_' | '-' | '.' | '(' | ')' | '#');
    name.chars().filter(|c| !is_mark(*c)).collect()
}

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
) -> Result<Judgement, Refusal> {
    let text = std::fs::read_to_string(context.working_dir.join(file)).map_err(|error| {
        Refusal::config(match error.kind() {
            std::io::ErrorKind::NotFound => problem::file_missing(file),
            _ => problem::file_unreadable(file, error),
        })
    })?;
    let terms = own.terms(catalog)?;
    let think = own.think.unwrap_or_default().as_secs_f64();
    judge_text(&text, file, (&terms, think), catalog)
}

/// Judges the table `text` of `file`, with `think` seconds of think time.
pub(crate) fn judge_text(
    text: &str,
    file: &str,
    (terms, think): (&[Term], f64),
    catalog: &Catalog,
) -> Result<Judgement, Refusal> {
    let rows = rows(text).map_err(|mistake| mistake.refusal(file, catalog))?;
    judge(rows, terms, think).map_err(|error| {
        let reason = match error {
            TableError::TooFewRows { found } => capacity::table_few_rows(found),
            TableError::NotPositive { row } => capacity::table_not_positive(row),
            TableError::Twice { users } => capacity::table_twice(users),
            TableError::NoColumn { term } => capacity::table_term_column(term),
        };
        Refusal::config(problem::table_invalid(file, catalog.text(&reason)))
    })
}

/// Why a text is no table.
#[derive(Debug, PartialEq)]
enum TableMistake {
    Empty,
    /// None of the names of a column that is needed, such as `vus`.
    NoColumn(&'static str),
    NotANumber {
        line: usize,
        cell: String,
    },
}

impl TableMistake {
    fn refusal(self, file: &str, catalog: &Catalog) -> Refusal {
        let reason = match self {
            Self::NoColumn(name) => return Refusal::config(problem::column_missing(file, name)),
            Self::Empty => capacity::table_empty(),
            Self::NotANumber { line, cell } => capacity::table_not_a_number(line, cell),
        };
        Refusal::config(problem::table_invalid(file, catalog.text(&reason)))
    }
}

/// Prints the judgement of the table in `file`.
pub(super) fn judge_and_print(
    context: &mut Context,
    own: &CapacityArgs,
    file: &str,
    catalog: &Catalog,
) -> Result<Exit, Refusal> {
    let judgement = judge_file(context, own, file, catalog)?;
    let goal = match own.goal(context, Unit::Users, catalog)? {
        Some(Goal::Load(load)) => Some(load),
        Some(Goal::Requests(_)) | None => None,
    };
    let text = report::text(&judgement, (file, goal), catalog);
    context.out(&text);
    if let Some(path) = &own.export {
        let exported = report::file(&judgement, file).to_json();
        super::write(context, path, &exported, catalog)?;
    }
    if let Some(path) = &own.report {
        let exported = report::file(&judgement, file);
        let document = loadline_report::capacity::document::of_file(&exported, "", catalog);
        super::write(context, path, &html::page(&document, &[], catalog), catalog)?;
    }
    Ok(match goal {
        Some(goal) if report::misses(&judgement, goal) => Exit::ThresholdsFailed,
        _ => Exit::Success,
    })
}

/// The rows of a CSV text.
///
/// # Errors
/// What is wrong, and in which line.
fn rows(text: &str) -> Result<Vec<Row>, TableMistake> {
    let mut lines = text
        .trim_start_matches('\u{feff}')
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let Some((_, head)) = lines.next() else {
        return Err(TableMistake::Empty);
    };
    let columns: Vec<Column> = cells(head).iter().map(|name| column(name)).collect();
    for (needed, name) in [(Column::Users, "vus"), (Column::Throughput, "tps")] {
        if !columns.contains(&needed) {
            return Err(TableMistake::NoColumn(name));
        }
    }
    let of_line = |(number, line): (usize, &str)| {
        let number = number + 1;
        row(&columns, line).map_err(|cell| TableMistake::NotANumber { line: number, cell })
    };
    lines.map(of_line).collect()
}

fn column(name: &str) -> Column {
    let name = plain(name);
    let known = COLUMNS
        .iter()
        .find(|(_, names)| names.contains(&name.as_str()));
    known.map_or(Column::Other, |(column, _)| *column)
}

/// A row, or the cell that is no number.
fn row(columns: &[Column], line: &str) -> Result<Row, String> {
    let mut row = Row::default();
    for (column, cell) in columns.iter().zip(cells(line)) {
        if *column == Column::Other || cell.trim().is_empty() {
            continue;
        }
        let value = number(&cell).ok_or_else(|| cell.trim().to_owned())?;
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
        .trim_end_matches("/sec")
        .trim_end_matches("/s")
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
    fn headers_of_other_tools_and_in_korean_are_known() {
        for head in [
            "vuser,TPS,Mean_Test_Time_(ms),Errors",
            "allThreads,Throughput,Average,Error %",
            "vus,http_reqs/s,http_req_duration,http_req_failed",
            "가상 사용자,처리량,평균 응답 시간(ms),에러율",
            "동시 사용자 수,TPS,평균,오류율(%)",
        ] {
            let read = rows(&format!("{head}\n10,92.6/sec,73.5,0.5%\n")).unwrap();
            assert!((read[0].throughput - 92.6).abs() < 1e-9, "{head}");
            assert_eq!(read[0].mean, Some(73.5), "{head}");
            assert_eq!(read[0].errors, Some(0.005), "{head}");
        }
        let lines = rows("VU,TPS,90% Line,95% Line,99% Line,Median\n5,9,1,2,3,4\n").unwrap();
        assert_eq!(
            (lines[0].p95, lines[0].p99, lines[0].p50),
            (Some(2.0), Some(3.0), Some(4.0))
        );
    }

    #[test]
    fn mistakes_name_their_line() {
        assert_eq!(rows("").unwrap_err(), TableMistake::Empty);
        let missing = TableMistake::NoColumn("vus");
        assert_eq!(rows("a,b\n1,2\n").unwrap_err(), missing);
        let (line, cell) = (3, "x".to_owned());
        assert_eq!(
            rows("vu,tps\n1,2\n3,x\n").unwrap_err(),
            TableMistake::NotANumber { line, cell }
        );
    }
}
