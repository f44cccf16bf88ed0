//! Numbers, booleans, quoted strings and durations as Go reads and writes them.
//!
//! k6 is a Go program and shows the error texts of Go's own parsers, so each reader here fails
//! with that text.

use std::time::Duration;

use loadline_testplan::draft::SignedDuration;
use loadline_units::duration::go_string;
use loadline_units::printable;

/// Reads a decimal integer.
///
/// # Errors
/// Go's text, with what was written.
pub fn parse_int(text: &str) -> Result<i64, String> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(syntax("ParseInt", text));
    }
    text.parse().map_err(|_| range("ParseInt", text))
}

/// Reads a whole number whose base is in its prefix (`0x`, `0o`, `0b`, `0`), with `_`
/// between digits, as flags take it.
///
/// # Errors
/// Go's text, with what was written.
pub fn parse_int_any_base(text: &str) -> Result<i64, String> {
    let (sign, rest) = match text.as_bytes().first() {
        Some(b'-') => ("-", &text[1..]),
        Some(b'+') => ("", &text[1..]),
        _ => ("", text),
    };
    let lower = rest.to_ascii_lowercase();
    let (base, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'o', ..] => (8, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', _, ..] => (8, &lower[1..]),
        _ => (10, lower.as_str()),
    };
    let prefixed = base != 10;
    let well_placed =
        !digits.contains("__") && !digits.ends_with('_') && (prefixed || !digits.contains('_'));
    let plain = digits.replace('_', "");
    if !well_placed || plain.is_empty() || !plain.chars().all(|c| c.is_digit(base)) {
        return Err(syntax("ParseInt", text));
    }
    i64::from_str_radix(&format!("{sign}{plain}"), base).map_err(|_| range("ParseInt", text))
}

/// Reads a truth value as flags take it: `1`, `t`, `true`, `0`, `f`, `false` and their
/// upper-case forms.
///
/// # Errors
/// Go's text, with what was written.
pub fn parse_bool(text: &str) -> Result<bool, String> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(false),
        _ => Err(syntax("ParseBool", text)),
    }
}

/// Reads a number. As a duration it is in milliseconds.
fn parse_millis(text: &str) -> Option<f64> {
    // Rust reads the same numbers as Go, except hexadecimal ones, which nobody uses here.
    text.parse().ok()
}

/// Reads a length of time as options write it: Go's grammar, days in front (`1d2h`), a
/// bare number is milliseconds.
///
/// # Errors
/// Go's text, with what was written.
pub fn parse_extended_duration(text: &str) -> Result<SignedDuration, String> {
    if let Some(millis) = parse_millis(text) {
        return Ok(from_millis(millis));
    }
    let Some((days, rest)) = text.split_once('d') else {
        return parse_duration(text);
    };
    let hours = if rest.is_empty() {
        SignedDuration(0)
    } else {
        parse_duration(rest)?
    };
    if hours.0 < 0 {
        return Err(format!("invalid time format '{rest}'"));
    }
    let days = parse_int(days)?;
    let hours = if days < 0 { -hours.0 } else { hours.0 };
    Ok(SignedDuration(
        days.wrapping_mul(86_400_000_000_000).wrapping_add(hours),
    ))
}

/// A duration of this many milliseconds; fractions of a nanosecond are dropped.
#[must_use]
#[expect(
    clippy::cast_possible_truncation,
    reason = "saturates, which no length in use reaches"
)]
pub fn from_millis(millis: f64) -> SignedDuration {
    SignedDuration((millis * 1e6) as i64)
}

/// Reads a length of time in Go's grammar; every number needs a unit, but for zero.
///
/// # Errors
/// Go's text, with what was written.
pub fn parse_duration(text: &str) -> Result<SignedDuration, String> {
    let invalid = || format!("time: invalid duration {}", quote(text));
    let (negative, mut rest) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    if rest == "0" {
        return Ok(SignedDuration(0));
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut total: i128 = 0;
    while !rest.is_empty() {
        let end = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(rest.len());
        let (number, after) = rest.split_at(end);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') {
            return Err(invalid());
        }
        let unit_end = after
            .find(|c: char| c == '.' || c.is_ascii_digit())
            .unwrap_or(after.len());
        let (unit, after) = after.split_at(unit_end);
        if unit.is_empty() {
            return Err(format!("time: missing unit in duration {}", quote(text)));
        }
        let unit_nanos = unit_nanos(unit).ok_or_else(|| {
            format!(
                "time: unknown unit {} in duration {}",
                quote(unit),
                quote(text)
            )
        })?;
        total = scaled(whole, fraction, unit_nanos)
            .and_then(|part| total.checked_add(part))
            .filter(|total| *total <= i128::from(i64::MAX))
            .ok_or_else(invalid)?;
        rest = after;
    }
    let total = if negative { -total } else { total };
    i64::try_from(total)
        .map(SignedDuration)
        .map_err(|_| invalid())
}

fn unit_nanos(unit: &str) -> Option<i128> {
    Some(match unit {
        "ns" => 1,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

fn scaled(whole: &str, fraction: &str, unit: i128) -> Option<i128> {
    let whole: i128 = if whole.is_empty() {
        0
    } else {
        whole.parse().ok()?
    };
    let mut nanos = whole.checked_mul(unit)?;
    let mut place = unit;
    for digit in fraction.bytes() {
        place /= 10;
        nanos += i128::from(digit - b'0') * place;
    }
    Some(nanos)
}

/// Writes a length as Go does: `1h30m0s`, `-1.5s`, `0s`.
#[must_use]
pub fn duration_text(span: SignedDuration) -> String {
    let length = go_string(Duration::from_nanos(span.0.unsigned_abs()));
    if span.0 < 0 {
        format!("-{length}")
    } else {
        length
    }
}

/// Puts a text in double quotes as Go's `%q` does.
#[must_use]
pub fn quote(text: &str) -> String {
    printable::quoted(text.as_bytes())
}

fn syntax(reader: &str, text: &str) -> String {
    format!("strconv.{reader}: parsing {}: invalid syntax", quote(text))
}

fn range(reader: &str, text: &str) -> String {
    format!(
        "strconv.{reader}: parsing {}: value out of range",
        quote(text)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn durations_follow_go_with_days_and_bare_milliseconds() {
        let cases = [
            ("10s", 10_000_000_000),
            ("1m30s", 90_000_000_000),
            ("1d2h", 93_600_000_000_000),
            ("-1d2h", -93_600_000_000_000),
            ("12d", 1_036_800_000_000_000),
            ("2500", 2_500_000_000),
            ("1e3", 1_000_000_000),
            ("0.5", 500_000),
            ("-1.5s", -1_500_000_000),
            (".5s", 500_000_000),
            ("3µs", 3_000),
            ("0", 0),
        ];
        for (text, nanos) in cases {
            assert_eq!(
                parse_extended_duration(text),
                Ok(SignedDuration(nanos)),
                "{text}"
            );
        }
    }

    #[test]
    fn durations_fail_with_gos_words() {
        let cases = [
            ("", r#"time: invalid duration """#),
            ("soon", r#"time: invalid duration "soon""#),
            ("1x", r#"time: unknown unit "x" in duration "1x""#),
            ("1s5", r#"time: missing unit in duration "1s5""#),
            ("1.2.3s", r#"time: invalid duration "1.2.3s""#),
            ("9999999999h", r#"time: invalid duration "9999999999h""#),
            ("1d-1h", "invalid time format '-1h'"),
            ("xd", r#"strconv.ParseInt: parsing "x": invalid syntax"#),
        ];
        for (text, message) in cases {
            assert_eq!(
                parse_extended_duration(text),
                Err(message.to_owned()),
                "{text}"
            );
        }
        assert_eq!(
            parse_duration("10"),
            Err(r#"time: missing unit in duration "10""#.to_owned())
        );
    }

    #[test]
    fn flags_take_numbers_in_other_bases() {
        for (text, number) in [
            ("0x1F", 31),
            ("-0b11", -3),
            ("017", 15),
            ("0x1_0", 16),
            ("7", 7),
        ] {
            assert_eq!(parse_int_any_base(text), Ok(number), "{text}");
        }
        for text in ["", "0x", "1_000", "08", "1.5", "0x1__0"] {
            assert_eq!(parse_int_any_base(text), Err(syntax("ParseInt", text)));
        }
    }

    proptest! {
        #[test]
        fn a_written_duration_reads_back(nanos in any::<i64>()) {
            prop_assume!(nanos != i64::MIN);
            prop_assert_eq!(parse_duration(&duration_text(SignedDuration(nanos))), Ok(SignedDuration(nanos)));
        }

        #[test]
        fn any_text_is_read_or_refused_without_a_panic(text in ".{0,20}") {
            let _ = parse_extended_duration(&text);
            let _ = parse_int_any_base(&text);
        }
    }
}
