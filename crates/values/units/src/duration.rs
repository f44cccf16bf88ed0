//! Lengths of time as load-test files write them.
//!
//! The grammar is Go's (`1h30m`, `250ms`, `1.5s`) plus days (`1d2h`); a bare number is
//! milliseconds, as in k6 options.

use std::time::Duration;

/// Why a length of time could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DurationError {
    /// Nothing was written.
    #[error("a duration is empty")]
    Empty,
    /// The text does not follow the grammar.
    #[error("`{found}` is not a duration")]
    Malformed {
        /// What was written.
        found: String,
    },
    /// The length is negative.
    #[error("`{found}` is negative")]
    Negative {
        /// What was written.
        found: String,
    },
    /// The length exceeds 292 years.
    #[error("`{found}` is too long")]
    TooLong {
        /// What was written.
        found: String,
    },
}

/// Nanoseconds in each unit, longest name first where one begins another.
const UNITS: [(&str, u128); 9] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
    ("d", 86_400_000_000_000),
];

/// Reads a length of time: `1h30m`, `250ms`, `1.5s`, `1d2h`; a bare number is ms.
///
/// # Errors
/// [`DurationError`] with the text as written.
pub fn parse_duration(text: &str) -> Result<Duration, DurationError> {
    let malformed = || DurationError::Malformed {
        found: text.to_owned(),
    };
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Err(DurationError::Empty);
    }
    if let Some(rest) = trimmed.strip_prefix('-') {
        // One sign: each one more was a call more, as deep as the text is long.
        if rest.trim_start().starts_with('-') {
            return Err(malformed());
        }
        return match parse_duration(rest) {
            Ok(length) if length.is_zero() => Ok(length),
            Ok(_) => Err(DurationError::Negative {
                found: text.to_owned(),
            }),
            Err(_) => Err(malformed()),
        };
    }
    let mut rest = trimmed.strip_prefix('+').unwrap_or(trimmed);
    let mut nanos: u128 = 0;
    let mut first = true;
    while !rest.is_empty() {
        let number_end = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(rest.len());
        let (number, after) = rest.split_at(number_end);
        let (unit, after) = match split_unit(after) {
            Some(found) => found,
            None if first && after.is_empty() => (1_000_000, ""),
            None => return Err(malformed()),
        };
        nanos += scaled(number, unit).ok_or_else(malformed)?;
        if nanos > i64::MAX as u128 {
            return Err(DurationError::TooLong {
                found: text.to_owned(),
            });
        }
        rest = after;
        first = false;
    }
    Ok(Duration::from_nanos(u64::try_from(nanos).map_err(
        |_| DurationError::TooLong {
            found: text.to_owned(),
        },
    )?))
}

/// Splits a leading unit off `text`: its length in ns, and what follows.
fn split_unit(text: &str) -> Option<(u128, &str)> {
    UNITS
        .iter()
        .find_map(|(name, nanos)| text.strip_prefix(name).map(|rest| (*nanos, rest)))
}

/// `number` (digits with at most one point) times `unit`, fractions of a ns cut off.
fn scaled(number: &str, unit: u128) -> Option<u128> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') {
        return None;
    }
    let whole: u128 = if whole.is_empty() {
        0
    } else {
        whole.parse().ok()?
    };
    let mut nanos = whole.checked_mul(unit)?;
    let mut place = unit;
    for digit in fraction.bytes() {
        place /= 10;
        nanos = nanos.checked_add(u128::from(digit - b'0') * place)?;
    }
    Some(nanos)
}

/// Writes a length as Go's `Duration.String` does: `1h30m0s`, `1.5s`, `250ms`, `0s`.
#[must_use]
pub fn go_string(length: Duration) -> String {
    let nanos = length.as_nanos();
    match nanos {
        0 => "0s".to_owned(),
        n if n < 1_000 => format!("{n}ns"),
        n if n < 1_000_000 => format!("{}µs", decimal(n, 1_000)),
        n if n < 1_000_000_000 => format!("{}ms", decimal(n, 1_000_000)),
        n => {
            let seconds = n / 1_000_000_000;
            let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
            let rest = decimal(n % 60_000_000_000, 1_000_000_000);
            match (hours, minutes) {
                (0, 0) => format!("{rest}s"),
                (0, m) => format!("{m}m{rest}s"),
                (h, m) => format!("{h}h{m}m{rest}s"),
            }
        }
    }
}

/// `value / unit` with as many decimals as it needs.
fn decimal(value: u128, unit: u128) -> String {
    let whole = value / unit;
    let fraction = value % unit;
    if fraction == 0 {
        return whole.to_string();
    }
    let width = unit.ilog10() as usize;
    let digits = format!("{fraction:0width$}");
    format!("{whole}.{}", digits.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn signs_without_end_are_malformed() {
        let signs = "-".repeat(1_000_000);
        let malformed = DurationError::Malformed {
            found: signs.clone(),
        };
        assert_eq!(parse_duration(&signs), Err(malformed));
    }

    #[test]
    fn reads_go_durations_days_and_bare_milliseconds() {
        let cases = [
            ("10s", 10_000_000_000),
            ("1m30s", 90_000_000_000),
            ("1.5s", 1_500_000_000),
            ("1d2h", 93_600_000_000_000),
            ("250", 250_000_000),
            ("0.5", 500_000),
            ("3us", 3_000),
            (".5s", 500_000_000),
            ("0", 0),
            ("-0s", 0),
        ];
        for (text, nanos) in cases {
            assert_eq!(
                parse_duration(text),
                Ok(Duration::from_nanos(nanos)),
                "{text}"
            );
        }
    }

    #[test]
    fn refuses_what_is_not_a_duration() {
        for text in [
            "",
            " ",
            "s",
            "1x",
            "1s2",
            "1..5s",
            "abc",
            "1 s",
            "--1s",
            "999999999h",
        ] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
        assert!(matches!(
            parse_duration("-1s"),
            Err(DurationError::Negative { .. })
        ));
    }

    proptest! {
        #[test]
        fn reading_what_was_written_gives_the_same_length(nanos in 0..i64::MAX as u64) {
            let length = Duration::from_nanos(nanos);
            prop_assert_eq!(parse_duration(&go_string(length)), Ok(length));
        }
    }
}
