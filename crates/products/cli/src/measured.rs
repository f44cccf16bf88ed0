//! Tables of results that were measured elsewhere: CSV as other tools and people write it.
//!
//! Columns are found by their names in the first line, in any order. What the commas of numbers stand for
//! is told by those that can be only one thing; where none is such, it is asked.

mod columns;
mod number;

use std::collections::BTreeMap;

use loadline_report::document::printable;
use loadline_text::{Catalog, capacity, problem};
use loadline_units::{ShareError, parse_share};

use crate::refusal::Refusal;

use columns::{Column, TableColumn, columns, meaning, time_unit};
use number::{Comma, TypedNumber, number, unit_of};

/// One measured load. Times are in milliseconds.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct MeasuredRow {
    /// Its line in the file, from 1.
    pub(crate) line: u64,
    /// What it is called.
    pub(crate) name: String,
    /// Virtual users.
    pub(crate) users: Option<f64>,
    /// What the table calls them.
    pub(crate) users_head: String,
    /// Completed per second.
    pub(crate) throughput: Option<f64>,
    pub(crate) mean: Option<f64>,
    pub(crate) p50: Option<f64>,
    pub(crate) p95: Option<f64>,
    pub(crate) p99: Option<f64>,
    pub(crate) max: Option<f64>,
    /// Share of errors.
    pub(crate) errors: Option<f64>,
    pub(crate) note: String,
    /// Cells of other columns, by the column's name.
    pub(crate) others: BTreeMap<String, String>,
}

/// What each row of a table must have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NeededColumns {
    /// The columns, by their first names.
    pub(crate) names: &'static [&'static str],
    /// Their numbers are above zero.
    pub(crate) is_above_zero: bool,
}

/// The same, of the columns that were found.
struct NeededCells<'a> {
    columns: &'a [Column],
    is_above_zero: bool,
}

/// Why a text is no table.
#[derive(Debug, PartialEq)]
pub(crate) enum TableMistake {
    /// Nothing is in it.
    Empty,
    /// None of the names of a column that is needed, such as `vus`, among those that are there.
    NoColumn {
        name: &'static str,
        seen: Vec<String>,
    },
    /// A comma that may be a decimal mark or stand between thousands, and no other that tells.
    Comma { line: u64, cell: String },
    /// Nor is there a number in a cell that needs one.
    NotANumber {
        line: u64,
        head: String,
        cell: String,
    },
    /// A cell that each line needs is empty.
    EmptyCell { line: u64, head: String },
    /// No users, or no throughput.
    NotPositive {
        line: u64,
        head: String,
        cell: String,
    },
    /// A measure below zero.
    Negative {
        line: u64,
        head: String,
        cell: String,
    },
    /// A cell of errors can be read in two ways, or in none.
    NotAShare { line: u64, error: ShareError },
}

impl TableMistake {
    /// How it is told of `file`.
    pub(crate) fn refusal(self, file: &str, catalog: &Catalog) -> Refusal {
        let reason = match self {
            Self::NoColumn { name, seen } => {
                let seen = seen.join(", ");
                return Refusal::config(problem::column_missing(file, name, seen));
            }
            Self::Comma { line, cell } => {
                let [thousands, decimal] = [cell.replace(',', ""), cell.replace(',', ".")];
                capacity::table_comma(line, cell, thousands, decimal)
            }
            Self::Empty => capacity::table_empty(),
            Self::NotANumber { line, head, cell } => {
                return Refusal::config(problem::table_cell(file, line, head, cell));
            }
            Self::EmptyCell { line, head } => {
                return Refusal::config(problem::table_cell_empty(file, line, head));
            }
            Self::NotPositive { line, head, cell } => {
                return Refusal::config(problem::table_cell_zero(file, line, head, cell));
            }
            Self::Negative { line, head, cell } => {
                return Refusal::config(problem::table_cell_low(file, line, head, cell));
            }
            Self::NotAShare { line, error } if error.is_above_all => {
                capacity::table_share_above_all(line, error.found)
            }
            Self::NotAShare { line, error } => {
                let spellings = error.spellings;
                let (percent, decimal) = (spellings.percent, spellings.decimal);
                capacity::table_not_a_share(line, error.found, percent, decimal)
            }
        };
        Refusal::config(problem::table_invalid(file, catalog.text(&reason)))
    }
}

/// The names of the columns of a CSV text, in one line.
pub(crate) fn heads(text: &str) -> String {
    let text = text.trim_start_matches('\u{feff}');
    let heads = reader(text).headers().cloned().unwrap_or_default();
    let heads: Vec<String> = heads.iter().map(printable::line).collect();
    heads.join(", ")
}

fn reader(text: &str) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .delimiter(delimiter(text))
        .comment(Some(b'#'))
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes())
}

/// The rows of a CSV text that has the columns that are needed.
///
/// # Errors
/// What is wrong, and in which line.
pub(crate) fn rows(text: &str, needed: NeededColumns) -> Result<Vec<MeasuredRow>, TableMistake> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = reader(text);
    // Nothing but reading from memory can fail, and that does not.
    let heads = reader.headers().cloned().unwrap_or_default();
    if heads.is_empty() {
        return Err(TableMistake::Empty);
    }
    let columns = columns(&heads);
    for name in needed.names {
        let (wanted, _) = meaning(name);
        if columns.iter().all(|known| known.column != wanted) {
            let seen = heads.iter().map(printable::line).collect();
            return Err(TableMistake::NoColumn { name, seen });
        }
    }
    let records: Vec<_> = reader.records().filter_map(Result::ok).collect();
    let cells = records.iter().flat_map(|record| {
        let line = record.position().map_or(0, csv::Position::line);
        let cells = columns.iter().zip(record);
        cells.map(move |(known, cell)| (known.column, line, cell))
    });
    let numbers = cells.filter(|(column, ..)| column.is_number());
    let numbers = numbers.map(|(column, line, cell)| TypedNumber {
        line,
        cell,
        // Nobody counts parts of a user.
        is_count: column == Column::Users,
    });
    let comma = Comma::new(numbers).map_err(|doubted| TableMistake::Comma {
        line: doubted.line,
        cell: printable::line(doubted.cell),
    })?;
    let in_each: Vec<Column> = needed.names.iter().map(|name| meaning(name).0).collect();
    let needed = NeededCells {
        columns: &in_each,
        is_above_zero: needed.is_above_zero,
    };
    let rows = records.iter();
    rows.map(|record| row(&columns, record, comma, &needed))
        .collect()
}

/// What parts the cells of the first line: semicolon, tab, or comma.
fn delimiter(text: &str) -> u8 {
    let is_head = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    let head = text.lines().find(is_head).unwrap_or_default();
    let known = [b';', b'\t'].into_iter();
    known
        .clone()
        .find(|mark| head.as_bytes().contains(mark))
        .unwrap_or(b',')
}

fn row(
    columns: &[TableColumn<'_>],
    record: &csv::StringRecord,
    comma: Comma,
    needed: &NeededCells<'_>,
) -> Result<MeasuredRow, TableMistake> {
    let mut row = MeasuredRow {
        line: record.position().map_or(0, csv::Position::line),
        ..MeasuredRow::default()
    };
    // Cells at the end of a line may be left out.
    let cells = record.iter().chain(std::iter::repeat(""));
    for (
        TableColumn {
            column,
            head,
            milliseconds,
        },
        cell,
    ) in columns.iter().zip(cells)
    {
        if cell.is_empty() {
            if needed.columns.contains(column) {
                let (line, head) = (row.line, printable::line(head));
                return Err(TableMistake::EmptyCell { line, head });
            }
            continue;
        }
        let place = match column {
            Column::Name => {
                cell.clone_into(&mut row.name);
                continue;
            }
            Column::Note => {
                cell.clone_into(&mut row.note);
                continue;
            }
            Column::Ignored => continue,
            Column::Other => {
                row.others.insert((*head).to_owned(), cell.to_owned());
                continue;
            }
            Column::Users => {
                (*head).clone_into(&mut row.users_head);
                &mut row.users
            }
            Column::Throughput => &mut row.throughput,
            Column::Mean => &mut row.mean,
            Column::P50 => &mut row.p50,
            Column::P95 => &mut row.p95,
            Column::P99 => &mut row.p99,
            Column::Max => &mut row.max,
            Column::Errors => &mut row.errors,
        };
        if *column == Column::Errors {
            *place = Some(errors(head, &comma.plain(cell), row.line)?);
            continue;
        }
        let not_a_number = || TableMistake::NotANumber {
            line: row.line,
            head: printable::line(head),
            cell: printable::line(cell),
        };
        let value = number(cell, comma).ok_or_else(not_a_number)?;
        let (line, head, written) = (row.line, printable::line(head), printable::line(cell));
        if needed.is_above_zero && needed.columns.contains(column) && value <= 0.0 {
            return Err(TableMistake::NotPositive {
                line,
                head,
                cell: written,
            });
        }
        if value < 0.0 {
            return Err(TableMistake::Negative {
                line,
                head,
                cell: written,
            });
        }
        // A unit in the cell says more than one above it.
        let one = unit_of(cell).and_then(time_unit).unwrap_or(*milliseconds);
        *place = Some(if column.is_time() { one * value } else { value });
    }
    Ok(row)
}

/// A share of errors: a percentage where its column says so, else as shares are typed. Nothing
/// else can be told from `1`: one in a hundred, or all.
fn errors(head: &str, cell: &str, line: u64) -> Result<f64, TableMistake> {
    let head = head.to_lowercase();
    let is_percent = ["%", "percent", "pct", "퍼센트"]
        .iter()
        .any(|mark| head.contains(mark));
    let value = number(cell, Comma::Thousands);
    match value {
        Some(percent) if is_percent && !cell.contains('%') => Ok(percent / 100.0),
        Some(0.0) => Ok(0.0),
        _ => parse_share(cell).map_err(|error| TableMistake::NotAShare { line, error }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows_with(
        text: &str,
        names: &'static [&'static str],
    ) -> Result<Vec<MeasuredRow>, TableMistake> {
        let needed = NeededColumns {
            names,
            is_above_zero: true,
        };
        rows(text, needed)
    }

    fn rows_of(text: &str) -> Result<Vec<MeasuredRow>, TableMistake> {
        rows_with(text, &["vus", "tps"])
    }

    #[test]
    fn tables_are_read_as_people_write_them() {
        let read = rows_of(
            "VU, TPS, MTT (all), mean ms\n7, 92.6, x, 73.5\n\"1,000\", 158.0, , 6380.3 ms\n",
        )
        .unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!(read[1].users, Some(1000.0));
        assert_eq!(read[1].mean, Some(6380.3));
        // Seen: 73,5 ms was 735 ms in silence.
        let decimal = rows_of(
            "가상 사용자;처리량(TPS);평균 응답시간(ms)\n7;92,6;73,5\n1.000;1.158,25;6380\n",
        )
        .unwrap();
        assert_eq!(decimal[0].throughput, Some(92.6));
        assert_eq!(decimal[0].mean, Some(73.5));
        assert_eq!(decimal[1].users, Some(1000.0));
        assert_eq!(decimal[1].throughput, Some(1158.25));
        assert_eq!(decimal[1].mean, Some(6380.0));
        // Seen: 92,600 was 92600 in silence.
        let doubted = TableMistake::Comma {
            line: 2,
            cell: "92,600".to_owned(),
        };
        assert_eq!(rows_of("vus;tps\n7;92,600\n10;107,900\n"), Err(doubted));
        let counted = rows_of("vus;tps\n\"1,000\";158\n").unwrap();
        assert_eq!(counted[0].users, Some(1000.0));
        let thousands = rows_of("vus;tps\n5;1,158.25\n6;1,158\n").unwrap();
        assert_eq!(thousands[0].throughput, Some(1158.25));
        assert_eq!(thousands[1].throughput, Some(1158.0));
        let semicolons = rows_of("vus;rps;p95;errors\n5;10;120;0.5%\n").unwrap();
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
            "가상 사용자(명),TPS(건/초),평균 응답시간[ms],오류율(%)",
        ] {
            let read = rows_of(&format!("{head}\n10,92.6/sec,73.5,0.5%\n")).unwrap();
            assert_eq!(read[0].throughput, Some(92.6), "{head}");
            assert_eq!(read[0].mean, Some(73.5), "{head}");
            assert_eq!(read[0].errors, Some(0.005), "{head}");
        }
        let korean = rows_of(
            "사용자 수,처리량,요청 수,응답 시간(ms),중앙값,최대,오류율\n10,92.6,5000,73.5,60,310,0.5%\n",
        );
        let korean = &korean.unwrap()[0];
        assert_eq!(
            (korean.users, korean.mean, korean.p50, korean.max),
            (Some(10.0), Some(73.5), Some(60.0), Some(310.0))
        );
        // How many requests a level had is no setting of the target.
        assert!(korean.others.is_empty(), "{:?}", korean.others);
        let lines = rows_of("VU,TPS,90% Line,95% Line,99% Line,Median\n5,9,1,2,3,4\n").unwrap();
        assert_eq!(
            (lines[0].p95, lines[0].p99, lines[0].p50),
            (Some(2.0), Some(3.0), Some(4.0))
        );
    }

    /// Seen: `0.055` below `p95 (s)` was 0.055 ms in silence.
    #[test]
    fn times_are_of_the_unit_that_their_column_or_cell_names() {
        for (head, cell) in [
            ("p95 (s)", "0.055"),
            ("p95(초)", "0.055"),
            ("p95_s", "0.055"),
            ("p95 [sec]", "0.055"),
            ("p95-ms", "55"),
            ("p95Ms", "55"),
            ("p95 (µs)", "55000"),
            ("p95_ms", "55"),
            ("p95", "55"),
            ("p95", "0.055 s"),
            ("p95", "0.055s"),
            ("p95 (s)", "55ms"),
            ("95백분위(초)", "0.055"),
        ] {
            let read = rows_of(&format!("vus,tps,{head}\n5,9,{cell}\n")).unwrap();
            let p95 = read[0].p95.unwrap();
            assert!((p95 - 55.0).abs() < 1e-9, "{head} {cell}: {p95}");
        }
        let minutes = rows_with("vus,tps,p95 (min)\n5,9,1\n", &["vus", "tps", "p95"]);
        assert!(matches!(
            minutes,
            Err(TableMistake::NoColumn { name: "p95", .. })
        ));
    }

    /// Seen: `1` was 100 % and the `2` below it 2 %.
    #[test]
    fn errors_without_a_sign_that_they_are_percent_are_refused() {
        let errors = |text: &str| rows_of(text).map(|rows| rows[0].errors);
        assert_eq!(errors("vus,tps,errors %\n5,9,1\n"), Ok(Some(0.01)));
        assert_eq!(errors("vus,tps,errors\n5,9,0\n"), Ok(Some(0.0)));
        assert_eq!(errors("vus,tps,errors\n5,9,0.02\n"), Ok(Some(0.02)));
        for cell in ["1", "2", "1.5"] {
            let refused = errors(&format!("vus,tps,errors\n5,9,{cell}\n"));
            assert!(
                matches!(refused, Err(TableMistake::NotAShare { line: 2, .. })),
                "{cell}"
            );
        }
    }

    /// Seen: the threads of the target were lost beside the virtual users.
    #[test]
    fn threads_are_a_setting_beside_virtual_users() {
        let read = rows_of("threads,pool,VUs,TPS\n200,10,50,98.6\n").unwrap();
        assert_eq!(read[0].users, Some(50.0));
        assert_eq!(read[0].others["threads"], "200");
        let read = rows_of("threads,TPS\n50,98.6\n").unwrap();
        assert_eq!(read[0].users, Some(50.0));
    }

    #[test]
    fn mistakes_name_their_line() {
        assert_eq!(rows_of("").unwrap_err(), TableMistake::Empty);
        let missing = TableMistake::NoColumn {
            name: "vus",
            seen: vec!["a".to_owned(), "b".to_owned()],
        };
        assert_eq!(rows_of("a,b\n1,2\n").unwrap_err(), missing);
        let (line, head, cell) = (3, "tps".to_owned(), "x".to_owned());
        assert_eq!(
            rows_of("vu,tps\n1,2\n3,x\n").unwrap_err(),
            TableMistake::NotANumber { line, head, cell }
        );
    }

    /// Seen: "row 2: users and throughput must be above zero" of an empty cell in line 3, and nothing of the mean of -100.6 in line 4.
    #[test]
    fn a_cell_that_is_empty_or_below_zero_is_named_with_its_line_and_column() {
        let mistake = |text: &str| rows_of(text).unwrap_err();
        let (line, head) = (3, "TPS".to_owned());
        for text in [
            "VU,TPS,mean\n5,68,73\n10,,90\n",
            "VU,mean,TPS\n5,73,68\n10,90\n",
        ] {
            let empty = TableMistake::EmptyCell {
                line,
                head: head.clone(),
            };
            assert_eq!(mistake(text), empty, "{text}");
        }
        let (cell, line) = ("0".to_owned(), 2);
        let none = TableMistake::NotPositive { line, head, cell };
        assert_eq!(mistake("VU,TPS\n5,0\n"), none);
        let (line, head, cell) = (2, "mean".to_owned(), "-100.6".to_owned());
        let negative = TableMistake::Negative { line, head, cell };
        assert_eq!(mistake("VU,TPS,mean\n5,68,-100.6\n"), negative);
    }

    #[test]
    fn what_is_no_measure_is_kept_by_its_name() {
        let read =
            rows_of("run,threads.max,VUs,TPS,비고,verdict\nbefore,200,10,20,\"old, slow\",\n");
        let row = &read.unwrap()[0];
        assert_eq!(
            (row.name.as_str(), row.note.as_str()),
            ("before", "old, slow")
        );
        let others = [("threads.max".to_owned(), "200".to_owned())];
        assert_eq!(row.others, BTreeMap::from(others));
    }
}
