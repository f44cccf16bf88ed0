//! A value of a column.

use std::time::Duration;

use jiff::civil;

use crate::random::{draw, shuffled, unit};
use crate::schema::{Column, ColumnKind};
use crate::spec::{ColumnSpec, TextLang};

/// A value, as databases write it in text.
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnValue {
    /// Nothing.
    Null,
    /// A number, written as it is.
    Number(String),
    /// A text.
    Text(String),
    /// True or false.
    Bool(bool),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// Words for generated texts.
type Words = [&'static str; 24];
const ENGLISH: Words = [
    "harbour", "island", "market", "garden", "river", "castle", "museum", "bridge", "forest",
    "temple", "village", "valley", "station", "gallery", "beach", "tower", "library", "palace",
    "canal", "summit", "orchard", "lagoon", "plaza", "terrace",
];
const KOREAN: Words = [
    "항구",
    "섬",
    "시장",
    "정원",
    "강변",
    "성곽",
    "박물관",
    "다리",
    "숲",
    "사찰",
    "마을",
    "계곡",
    "역",
    "미술관",
    "해변",
    "탑",
    "도서관",
    "궁궐",
    "운하",
    "정상",
    "과수원",
    "호수",
    "광장",
    "전망대",
];
/// Timestamps are in the two years before this one, in seconds since 1970: 2025-01-01.
const TIMESTAMPS_END: u64 = 1_735_689_600;
const TWO_YEARS: u64 = 2 * 365 * 86_400;

/// What a column's values are drawn from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ValueSource<'a> {
    pub(crate) seed: u64,
    /// `table.column`.
    pub(crate) name: &'a str,
    pub(crate) language: TextLang,
}

/// The value for a seed, column and row. With `unique`, no other row has it.
pub(crate) fn make(
    source: ValueSource<'_>,
    column: &Column,
    said: Option<&ColumnSpec>,
    row: u64,
    unique: Option<u64>,
) -> ColumnValue {
    let ValueSource {
        seed,
        name,
        language,
    } = source;
    let bits = draw(seed, name, row, 0);
    if let Some(said) = said {
        if column.nullable
            && said
                .nulls
                .is_some_and(|share| unit(draw(seed, name, row, 1)) < share)
        {
            return ColumnValue::Null;
        }
        if !said.values.is_empty() {
            let count = said.values.len() as u64;
            let at = usize::try_from(bits % count).unwrap_or(0);
            return given(&said.values[at]);
        }
        if let Some((from, to)) = said.range {
            let width = to.abs_diff(from).saturating_add(1);
            let step = match unique {
                Some(rows) if rows <= width => shuffled(row, width, draw(seed, name, 0, 2)),
                _ => bits % width,
            };
            return ColumnValue::Number(from.saturating_add_unsigned(step).to_string());
        }
    }
    if column.is_serial {
        return ColumnValue::Number((row + 1).to_string());
    }
    let words = match language {
        TextLang::En => &ENGLISH,
        TextLang::Ko => &KOREAN,
    };
    if unique.is_none()
        && let Some(degrees) = degrees(column, bits)
    {
        return ColumnValue::Number(degrees);
    }
    of_kind(words, &column.kind, bits, row, unique)
}

/// A place on the earth, for a column that is called so.
fn degrees(column: &Column, bits: u64) -> Option<String> {
    let digits = match column.kind {
        ColumnKind::Decimal(_, after) => after.min(6) as usize,
        ColumnKind::Float => 6,
        _ => return None,
    };
    let name = column.name.to_lowercase();
    let is_called = |names: &[&str]| {
        let mut parts = name.split('_');
        parts.any(|part| names.contains(&part))
    };
    let most = if is_called(&["lat", "latitude", "위도"]) {
        90.0
    } else if is_called(&["lng", "lon", "long", "longitude", "경도"]) {
        180.0
    } else {
        return None;
    };
    // Rounding must not lead beyond the pole.
    Some(format!(
        "{:.digits$}",
        (unit(bits) * 2.0 - 1.0) * (most - 1.0)
    ))
}

fn of_kind(
    words: &Words,
    kind: &ColumnKind,
    bits: u64,
    row: u64,
    unique: Option<u64>,
) -> ColumnValue {
    match kind {
        ColumnKind::Int(most) => {
            let most = most.unsigned_abs().max(1);
            ColumnValue::Number(match unique {
                Some(_) => (row + 1).to_string(),
                None => (bits % most.min(1000)).to_string(),
            })
        }
        ColumnKind::Decimal(before, after) => {
            let whole = bits % 10_u64.pow((*before).min(4));
            let whole = if unique.is_some() { row + 1 } else { whole };
            match after {
                0 => ColumnValue::Number(whole.to_string()),
                digits => {
                    let part = (bits >> 32) % 10_u64.pow((*digits).min(6));
                    let width = (*digits).min(6) as usize;
                    ColumnValue::Number(format!("{whole}.{part:0width$}"))
                }
            }
        }
        ColumnKind::Float => ColumnValue::Number(match unique {
            Some(_) => (row + 1).to_string(),
            None => format!("{:.4}", unit(bits) * 1000.0),
        }),
        ColumnKind::Text(most) => {
            ColumnValue::Text(text(words, bits, row, *most, unique.is_some()))
        }
        ColumnKind::Bool => ColumnValue::Bool(bits & 1 == 1),
        ColumnKind::Date => ColumnValue::Text(moment(spread(bits, row, unique))[..10].to_owned()),
        ColumnKind::Timestamp => ColumnValue::Text(moment(spread(bits, row, unique))),
        ColumnKind::Time => {
            ColumnValue::Text(moment(TIMESTAMPS_END - bits % TWO_YEARS)[11..19].to_owned())
        }
        ColumnKind::Uuid => ColumnValue::Text(uuid(bits, row)),
        ColumnKind::Json => ColumnValue::Text(format!("{{\"n\": {}}}", bits % 1000)),
        ColumnKind::Bytes => ColumnValue::Bytes(bits.to_le_bytes().to_vec()),
        ColumnKind::Enum(values) => match values.len() as u64 {
            0 => ColumnValue::Null,
            count => ColumnValue::Text(values[usize::try_from(bits % count).unwrap_or(0)].clone()),
        },
        ColumnKind::Unknown(_) => ColumnValue::Null,
    }
}

/// A timestamp; unique ones differ by seconds.
fn spread(bits: u64, row: u64, unique: Option<u64>) -> u64 {
    match unique {
        Some(_) => TIMESTAMPS_END - row,
        None => TIMESTAMPS_END - bits % TWO_YEARS,
    }
}

fn given(value: &serde_json::Value) -> ColumnValue {
    match value {
        serde_json::Value::Null => ColumnValue::Null,
        serde_json::Value::Bool(value) => ColumnValue::Bool(*value),
        serde_json::Value::Number(number) => ColumnValue::Number(number.to_string()),
        serde_json::Value::String(text) => ColumnValue::Text(text.clone()),
        other => ColumnValue::Text(other.to_string()),
    }
}

/// A text of words. A unique text ends in the row's number, and is cut off before that.
fn text(words: &Words, bits: u64, row: u64, most: u32, unique: bool) -> String {
    let most = most.max(1) as usize;
    // Columns count letters, not bytes.
    let first = |text: &str, most: usize| text.chars().take(most).collect::<String>();
    let word = |shift: u32| words[usize::try_from((bits >> shift) % 24).unwrap_or(0)];
    if !unique {
        let mut text = format!("{} {}", word(0), word(8));
        if most > 80 {
            text = format!("{text} {} {} {}", word(16), word(24), word(32));
        }
        return first(&text, most).trim_end().to_owned();
    }
    let number = row.to_string();
    if number.len() >= most {
        // Base 36 has more numbers in a short column.
        let digits = base36(row);
        return digits;
    }
    first(&format!("{}-", word(0)), most - number.len()) + &number
}

fn base36(mut number: u64) -> String {
    let mut digits = Vec::new();
    loop {
        let digit = u8::try_from(number % 36).unwrap_or(0);
        digits.push(if digit < 10 {
            b'0' + digit
        } else {
            b'a' + digit - 10
        });
        number /= 36;
        if number == 0 {
            break;
        }
    }
    digits.iter().rev().map(|byte| char::from(*byte)).collect()
}

/// A version 4 UUID whose last digits are the row's number.
fn uuid(bits: u64, row: u64) -> String {
    format!(
        "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
        bits >> 32,
        (bits >> 16) & 0xffff,
        (bits >> 4) & 0xfff,
        0x8000 | (bits & 0x3fff),
        row & 0xffff_ffff_ffff
    )
}

/// `2024-05-06 07:08:09`.
fn moment(seconds: u64) -> String {
    let epoch = civil::date(1970, 1, 1).at(0, 0, 0, 0);
    let time = epoch.saturating_add(Duration::from_secs(seconds));
    time.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn source(name: &str, language: TextLang) -> ValueSource<'_> {
        ValueSource {
            seed: 1,
            name,
            language,
        }
    }

    fn column(kind: ColumnKind) -> Column {
        Column {
            name: "c".to_owned(),
            kind,
            nullable: true,
            has_default: false,
            is_serial: false,
        }
    }

    #[test]
    fn unique_values_are_unique_and_fit() {
        for kind in [
            ColumnKind::Text(8),
            ColumnKind::Int(i64::MAX),
            ColumnKind::Uuid,
            ColumnKind::Timestamp,
            ColumnKind::Text(4),
        ] {
            let column = column(kind);
            let all: HashSet<String> = (0..10_000)
                .map(|row| {
                    format!(
                        "{:?}",
                        make(
                            source("t.c", TextLang::En),
                            &column,
                            None,
                            row,
                            Some(10_000)
                        )
                    )
                })
                .collect();
            assert_eq!(all.len(), 10_000, "{:?}", column.kind);
            if let ColumnKind::Text(most) = column.kind {
                let longest = (0..10_000).map(|row| {
                    match make(
                        source("t.c", TextLang::En),
                        &column,
                        None,
                        row,
                        Some(10_000),
                    ) {
                        ColumnValue::Text(text) => text.len(),
                        _ => 0,
                    }
                });
                assert!(longest.max().unwrap() <= most as usize);
            }
        }
    }

    #[test]
    fn what_is_said_of_a_column_holds() {
        let column = column(ColumnKind::Int(i64::MAX));
        let said = |text: &str| serde_json::from_str::<ColumnSpec>(text).unwrap();
        let value = |said: &ColumnSpec, row| {
            make(source("t.c", TextLang::En), &column, Some(said), row, None)
        };
        let range = said(r#"{"range": [5, 7]}"#);
        let values: HashSet<String> = (0..100)
            .map(|row| format!("{:?}", value(&range, row)))
            .collect();
        assert_eq!(values.len(), 3);
        let chosen = said(r#"{"values": ["a"]}"#);
        assert_eq!(value(&chosen, 3), ColumnValue::Text("a".to_owned()));
        assert_eq!(value(&said(r#"{"nulls": 1}"#), 3), ColumnValue::Null);
    }

    #[test]
    fn moments_are_dates() {
        assert_eq!(moment(971_211_336), "2000-10-10 20:55:36");
    }

    #[test]
    fn places_are_on_the_earth_and_texts_may_be_korean() {
        let column = |name: &str, kind| Column {
            name: name.to_owned(),
            kind,
            ..column(ColumnKind::Float)
        };
        for row in 0..1000 {
            for (name, most) in [("lat", 90.0), ("place_longitude", 180.0), ("위도", 90.0)] {
                let made = make(
                    source("t.c", TextLang::Ko),
                    &column(name, ColumnKind::Decimal(9, 6)),
                    None,
                    row,
                    None,
                );
                let ColumnValue::Number(text) = made else {
                    panic!("{made:?}");
                };
                let degrees: f64 = text.parse().unwrap();
                assert!(degrees.abs() <= most, "{name}: {degrees}");
            }
            let title = column("title", ColumnKind::Text(5));
            let made = make(source("t.title", TextLang::Ko), &title, None, row, None);
            let ColumnValue::Text(text) = made else {
                panic!("{made:?}");
            };
            assert!(text.chars().count() <= 5, "{text}");
            assert!(
                text.chars().all(|c| c == ' ' || ('가'..='힣').contains(&c)),
                "{text}"
            );
        }
    }
}
