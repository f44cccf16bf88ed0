//! The columns of a table: what each means by its name, and the unit of its times.

use loadline_units::{DurationUnit, UnitName};

/// A column's meaning, and the names it goes by: small letters, without spaces, marks and
/// units, as [`ColumnName`] leaves them. nGrinder, JMeter, k6 and Korean tables have their own.
const COLUMNS: [(Column, &[&str]); 11] = [
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
            "동시접속자",
            "동시접속자수",
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
            "초당처리건수",
            "초당건수",
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
            "평균시간",
            "평균응답",
        ],
    ),
    (
        Column::P50,
        &[
            "p50",
            "median",
            "med",
            "50%line",
            "중앙값",
            "중위값",
            "중앙응답시간",
            "50백분위",
            "50퍼센타일",
        ],
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
    (
        Column::Max,
        &["max", "maximum", "최대", "최대값", "최댓값", "최대응답시간"],
    ),
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
            "오류",
            "에러",
            "오류비율",
            "에러비율",
            "실패율",
        ],
    ),
    (Column::Name, &["run", "name", "실행", "이름"]),
    // What tables of stored runs have besides.
    (
        Column::Ignored,
        &[
            "started",
            "test",
            "verdict",
            "tags",
            "판정",
            "samples",
            "requests",
            "요청수",
            "요청건수",
            "총요청수",
            "표본수",
        ],
    ),
    (
        Column::Note,
        &["note", "notes", "comment", "메모", "비고", "설명"],
    ),
];

/// Units of what is no time that stand in brackets behind the name of a column.
const UNITS: [&str; 17] = [
    "%",
    "tps",
    "rps",
    "vu",
    "vus",
    "users",
    "명",
    "건",
    "건/초",
    "건/s",
    "회/초",
    "요청/초",
    "req/s",
    "req/sec",
    "requests/s",
    "/s",
    "/sec",
];

/// The milliseconds of a unit of time by its name.
pub(super) fn time_unit(name: &str) -> Option<f64> {
    DurationUnit::parse(name.trim()).map(DurationUnit::millis)
}

/// The name of a column in small letters.
struct ColumnName {
    /// Without its unit and what people write in many ways.
    plain: String,
    /// The milliseconds of its unit, if that is one of time.
    milliseconds: Option<f64>,
}

impl ColumnName {
    fn new(typed: &str) -> Self {
        let unit = UnitName::new(typed);
        let mut name = unit.map_or(typed.trim(), |name| name.plain).to_lowercase();
        // `처리량(TPS)` says the unit, too.
        let bracketed = name
            .strip_suffix([')', ']'])
            .and_then(|open| open.rsplit_once(['(', '[']))
            .filter(|(_, unit)| UNITS.contains(&unit.trim()))
            .map(|(name, _)| name.trim().to_owned());
        if let Some(before) = bracketed {
            name = before;
        }
        let is_mark = |c: char| c.is_whitespace() || matches!(c, '_' | '-' | '.' | '(' | ')' | '#');
        Self {
            plain: name.chars().filter(|c| !is_mark(*c)).collect(),
            milliseconds: unit.map(|name| name.unit.millis()),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    Users,
    Throughput,
    Mean,
    P50,
    P95,
    P99,
    Max,
    Errors,
    Name,
    Note,
    Ignored,
    Other,
}

impl Column {
    pub(super) const fn is_number(self) -> bool {
        !matches!(self, Self::Name | Self::Note | Self::Ignored | Self::Other)
    }

    pub(super) const fn is_time(self) -> bool {
        matches!(
            self,
            Self::Mean | Self::P50 | Self::P95 | Self::P99 | Self::Max
        )
    }
}

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct TableColumn<'t> {
    /// What it means.
    pub(super) column: Column,
    /// Its name, as typed.
    pub(super) head: &'t str,
    /// The milliseconds of one of its numbers, where it holds times.
    pub(super) milliseconds: f64,
}

/// The columns of a table. Of several with one meaning the one with the clearest name has it,
/// the others are settings: next to `vus`, `threads` are the target's.
pub(super) fn columns(heads: &csv::StringRecord) -> Vec<TableColumn<'_>> {
    let known: Vec<_> = heads.iter().map(|head| (meaning(head), head)).collect();
    let is_clearest = |column: Column, rank: usize| {
        let others = known.iter().filter(|((other, _), _)| *other == column);
        others.map(|((_, rank), _)| *rank).min() == Some(rank)
    };
    let column = |column: Column, rank: usize| match column {
        Column::Ignored => Column::Ignored,
        column if is_clearest(column, rank) => column,
        _ => Column::Other,
    };
    let columns = known.iter();
    columns
        .map(|((known, rank), head)| TableColumn {
            column: column(*known, *rank),
            head,
            milliseconds: ColumnName::new(head).milliseconds.unwrap_or(1.0),
        })
        .collect()
}

/// A column by its name, and how clear that name is: 0 for the clearest.
pub(super) fn meaning(name: &str) -> (Column, usize) {
    let name = ColumnName::new(name);
    let known = COLUMNS.iter().find_map(|(column, names)| {
        let rank = names.iter().position(|known| *known == name.plain)?;
        Some((*column, rank))
    });
    // `users (s)` are none.
    let known = known.filter(|(column, _)| name.milliseconds.is_none() || column.is_time());
    known.unwrap_or((Column::Other, 0))
}
