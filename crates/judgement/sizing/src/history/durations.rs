//! Durations as logs write them: with a unit, with a decimal comma, several in a list.

use std::time::Duration;

use loadline_units::{DurationUnit, parse_duration};

use super::entry::decimal;

/// Seconds of a value that says its unit: `12ms`, `0.3s`, `1m2.5s`.
pub(super) fn with_unit(text: &[u8]) -> Option<f64> {
    if !text.first()?.is_ascii_digit() || !text.last()?.is_ascii_alphabetic() {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    let digits = text
        .find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    if let Some(unit) = DurationUnit::parse(unit.trim()) {
        return Some(plain_number(number.as_bytes())? / unit.per_second());
    }
    let is_go = unit
        .bytes()
        .all(|b| b.is_ascii_digit() || b".hms".contains(&b));
    let length = is_go.then(|| parse_duration(text).ok())?;
    length.as_ref().map(Duration::as_secs_f64)
}

/// Seconds of a value in `unit`, unless it says another. The parts of a list, which a proxy
/// writes that asked several servers, are one after the other: their sum. `None` where there
/// is no number, as in `-`.
pub(super) fn seconds(text: &[u8], unit: DurationUnit) -> Option<f64> {
    if let Some(seconds) = with_unit(text) {
        return Some(seconds);
    }
    if let Some(number) = plain_number(text) {
        return Some(number / unit.per_second());
    }
    let mut sum = None;
    for part in parts(text) {
        match plain_number(part) {
            Some(number) => *sum.get_or_insert(0.0) += number / unit.per_second(),
            None if part == b"-" => {}
            None => return None,
        }
    }
    sum
}

/// The parts of `0.012, 0.034 : 0.001`.
pub(super) fn parts(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|b| matches!(b, b' ' | b';'))
        .map(|part| part.strip_suffix(b",").unwrap_or(part))
        .flat_map(|part| {
            // Without a space a comma parts only numbers that have a point.
            let is_list = part.contains(&b',') && part.contains(&b'.');
            part.split(move |b| is_list && *b == b',')
        })
        .filter(|part| !part.is_empty() && *part != b":")
}

/// `0.040`, or with a decimal comma.
pub(super) fn plain_number(text: &[u8]) -> Option<f64> {
    const NUMBER_BYTES_MAX: usize = 32;
    let comma = memchr::memchr(b',', text);
    match comma {
        None => decimal(text),
        Some(at) if text.len() <= NUMBER_BYTES_MAX && !text.contains(&b'.') => {
            let mut pointed = [0; NUMBER_BYTES_MAX];
            let pointed = &mut pointed[..text.len()];
            pointed.copy_from_slice(text);
            pointed[at] = b'.';
            decimal(pointed)
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: Option<f64>, wanted: f64) -> bool {
        found.is_some_and(|found| (found - wanted).abs() < 1e-12)
    }

    #[test]
    fn values_with_a_unit_say_it() {
        for (text, wanted) in [
            ("12ms", 0.012),
            ("0.25s", 0.25),
            ("1,5s", 1.5),
            ("350us", 0.000_35),
            ("350µs", 0.000_35),
            ("1m2.5s", 62.5),
            ("12 ms", 0.012),
        ] {
            assert!(close(with_unit(text.as_bytes()), wanted), "{text}");
        }
        for text in ["12", "0.25", "abc", "ms", "12x", "-", "", "1a2b3c"] {
            assert_eq!(with_unit(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn lists_are_summed_and_commas_may_be_decimal() {
        for (text, wanted) in [
            ("0.012, 0.034", 0.046),
            ("0.012 : 0.020", 0.032),
            ("0.012,0.034", 0.046),
            ("-, 0.034", 0.034),
            ("0,040", 0.04),
            ("0.040", 0.04),
        ] {
            let found = seconds(text.as_bytes(), DurationUnit::Seconds);
            assert!(close(found, wanted), "{text}: {found:?}");
        }
        for text in ["-", "", "-1", "x", "1.2.3"] {
            assert_eq!(seconds(text.as_bytes(), DurationUnit::Seconds), None);
        }
    }
}
