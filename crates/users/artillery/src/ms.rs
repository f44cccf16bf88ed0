//! Parses durations as npm's `ms` does: `10min`, `0.5 min`, `9 seconds`, `250`.

use std::time::Duration;

/// Milliseconds per unit, with the unit's names.
const UNITS: [(&[&str], f64); 8] = [
    (&["milliseconds", "millisecond", "msecs", "msec", "ms"], 1.0),
    (&["seconds", "second", "secs", "sec", "s"], 1e3),
    (&["minutes", "minute", "mins", "min", "m"], 6e4),
    (&["hours", "hour", "hrs", "hr", "h"], 3.6e6),
    (&["days", "day", "d"], 8.64e7),
    (&["weeks", "week", "w"], 6.048e8),
    (&["years", "year", "yrs", "yr", "y"], 3.155_76e10),
    (&[""], 1.0),
];

/// The milliseconds of a text; `None` if `ms` would reject it, too.
#[must_use]
pub(crate) fn parse(text: &str) -> Option<f64> {
    if text.len() > 100 {
        return None;
    }
    let split = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let digits = number.strip_prefix('-').unwrap_or(number);
    let ends_in_digit = digits
        .bytes()
        .next_back()
        .is_some_and(|b| b.is_ascii_digit());
    if !ends_in_digit || digits.contains('-') || digits.matches('.').count() > 1 {
        return None;
    }
    let unit = unit.trim_start_matches(' ').to_ascii_lowercase();
    let factor = UNITS
        .iter()
        .find(|(names, _)| names.contains(&unit.as_str()))?
        .1;
    Some(number.parse::<f64>().ok()? * factor)
}

/// The longest duration in milliseconds: a hundred years.
const DURATION_MS_MAX: f64 = 3.2e12;

/// Milliseconds as a duration, limited to the longest.
#[must_use]
pub(crate) fn duration(millis: f64) -> Duration {
    if millis.is_nan() {
        return Duration::ZERO;
    }
    Duration::from_secs_f64(millis.clamp(0.0, DURATION_MS_MAX) / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_as_ms_reads_them() {
        for (text, expected) in [
            ("10min", Some(600_000.0)),
            ("0.5 min", Some(30_000.0)),
            ("9 seconds", Some(9_000.0)),
            ("250", Some(250.0)),
            ("500ms", Some(500.0)),
            ("-3s", Some(-3000.0)),
            (".5s", Some(500.0)),
            ("5.", None),
            ("five", None),
            ("", None),
            ("1 fortnight", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }
}
