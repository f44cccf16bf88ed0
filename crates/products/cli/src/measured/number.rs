//! Numbers of tables, and what their commas stand for.

/// What a comma in a number stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comma {
    /// `1,000` is a thousand.
    Thousands,
    /// `73,5` is seventy-three and a half.
    Decimal,
}

impl Comma {
    /// Of a table, by all cells of its columns of numbers; an error is the first one with a comma that may be either,
    /// where no cell tells.
    pub(super) fn new<'a>(
        cells: impl Iterator<Item = TypedNumber<'a>>,
    ) -> Result<Self, TypedNumber<'a>> {
        let (mut doubted, mut is_thousands) = (None, false);
        for typed in cells {
            let number = without_unit(typed.cell);
            if has_decimal_comma(number) {
                return Ok(Self::Decimal);
            }
            let commas = number.matches(',').count();
            is_thousands |= typed.is_count && commas > 0;
            is_thousands |= commas > 1 || has_decimal_dot(number);
            if commas == 1 && doubted.is_none() {
                doubted = Some(typed);
            }
        }
        match doubted.filter(|_| !is_thousands) {
            Some(typed) => Err(typed),
            None => Ok(Self::Thousands),
        }
    }

    /// A number as programs write it.
    pub(super) fn plain(self, number: &str) -> String {
        match self {
            Self::Thousands => number.replace(',', ""),
            // A dot beside a decimal comma stands between thousands.
            Self::Decimal if number.contains(',') || has_thousands_dot(number) => {
                number.replace('.', "").replace(',', ".")
            }
            Self::Decimal => number.to_owned(),
        }
    }
}

/// A number as it stands in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TypedNumber<'a> {
    /// The line, from 1.
    pub(super) line: u64,
    pub(super) cell: &'a str,
    /// It can be whole only.
    pub(super) is_count: bool,
}

/// Whether a dot is the decimal mark: `92.6`; that of `1.000` may stand between thousands.
fn has_decimal_dot(number: &str) -> bool {
    let plain = number.replace(',', "");
    plain.contains('.') && plain.parse::<f64>().is_ok() && !has_thousands_dot(&plain)
}

/// A number with or without a unit.
pub(super) fn number(cell: &str, comma: Comma) -> Option<f64> {
    let number = comma.plain(without_unit(cell)).parse().ok();
    number.filter(|number: &f64| number.is_finite())
}

fn without_unit(cell: &str) -> &str {
    parts(cell).0
}

/// The unit behind a number, if it has one.
pub(super) fn unit_of(cell: &str) -> Option<&str> {
    Some(parts(cell).1).filter(|unit| !unit.is_empty())
}

/// A number, and what stands behind it.
fn parts(cell: &str) -> (&str, &str) {
    let cell = cell.trim();
    let number = cell.trim_end_matches(|sign: char| !sign.is_ascii_digit());
    let unit = cell[number.len()..].trim();
    let is_unit = matches!(unit, "" | "%" | "/s" | "/sec") || super::time_unit(unit).is_some();
    if is_unit { (number, unit) } else { (cell, "") }
}

/// Whether the dots of `1.000` stand between thousands, where a comma is the decimal mark.
fn has_thousands_dot(number: &str) -> bool {
    let Some((first, rest)) = number.split_once('.') else {
        return false;
    };
    let is_first = (1..=3).contains(&first.len()) && !first.starts_with('0');
    is_first && rest.split('.').all(|group| group.len() == 3)
}

/// Whether the comma of a number cannot stand between thousands: `73,5` and `1.234,5`.
fn has_decimal_comma(number: &str) -> bool {
    let Some((before, after)) = number.split_once(',') else {
        return false;
    };
    let is_decimal = !after.is_empty() && after.bytes().all(|byte| byte.is_ascii_digit());
    let is_group = after.len() == 3 && before.trim_start_matches('-').len() <= 3;
    is_decimal && (before.contains('.') || !is_group)
}
