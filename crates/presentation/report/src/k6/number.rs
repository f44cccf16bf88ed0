//! Numbers as k6's summary code (JavaScript) writes them.

use super::options::TimeUnit;
use loadline_metrics::{Kind, ValueType};

/// A number as JavaScript's `String(number)` writes it.
#[must_use]
pub fn js_number(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let size = value.abs();
    if (1e-6..1e21).contains(&size) {
        return value.to_string();
    }
    let text = format!("{value:e}"); // 1e21, 1.5e-7
    match text.split_once('e') {
        Some((digits, power)) if !power.starts_with('-') => format!("{digits}e+{power}"),
        _ => text,
    }
}

/// A number as JavaScript's `toFixed(digits)` writes it: ties go away from zero.
#[must_use]
pub fn to_fixed(value: f64, digits: usize) -> String {
    if !value.is_finite() || value.abs() >= 1e21 {
        return js_number(value);
    }
    // Rust rounds ties to even but prints any number of digits exactly, and a float is
    // a tie only if all its digits after the last wanted one are "5". Floats below 1e21
    // have at most 1074 digits.
    let exact = format!("{:.1100}", value.abs());
    let cut = exact.len() - 1100 + digits;
    let (kept, rest) = exact.split_at(cut);
    let is_tie = rest.starts_with('5') && rest[1..].bytes().all(|b| b == b'0');
    let mut rounded = if is_tie {
        round_up(kept)
    } else {
        format!("{:.digits$}", value.abs())
    };
    if rounded.ends_with('.') {
        rounded.pop();
    }
    if value < 0.0 {
        rounded.insert(0, '-');
    }
    rounded
}

/// Adds one to the last digit of a decimal.
fn round_up(decimal: &str) -> String {
    let mut digits: Vec<u8> = decimal.bytes().collect();
    for digit in digits.iter_mut().rev().filter(|d| d.is_ascii_digit()) {
        if *digit == b'9' {
            *digit = b'0';
        } else {
            *digit += 1;
            return String::from_utf8_lossy(&digits).into_owned();
        }
    }
    format!("1{}", String::from_utf8_lossy(&digits))
}

/// A value of a metric as summaries show it.
pub(super) fn humanize(
    value: f64,
    kind: Kind,
    contains: ValueType,
    unit: Option<TimeUnit>,
) -> String {
    if kind == Kind::Rate {
        return format!("{}%", to_fixed((value * 100.0 * 100.0).trunc() / 100.0, 2));
    }
    match contains {
        ValueType::Data => bytes(value),
        ValueType::Time => duration(value, unit),
        ValueType::Default => without_zeros(value, 6),
    }
}

/// At most `digits` decimals.
fn without_zeros(value: f64, digits: usize) -> String {
    to_fixed(value, digits)
        .parse()
        .map_or_else(|_| js_number(value), js_number)
}

/// At most `digits` decimals, cut off, not rounded.
fn cut_off(value: f64, digits: i32) -> String {
    let scale = 10_f64.powi(digits);
    without_zeros(
        (scale * value).trunc() / scale,
        usize::try_from(digits).unwrap_or(0),
    )
}

fn bytes(value: f64) -> String {
    const UNITS: [&str; 9] = ["B", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"];
    if value < 10.0 {
        return format!("{} B", js_number(value));
    }
    let power = (value.ln() / 1000_f64.ln()).floor().min(8.0);
    let shown = (value / 1000_f64.powf(power) * 10.0 + 0.5).floor() / 10.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 to 8"
    )]
    let unit = UNITS[power as usize];
    format!("{} {unit}", to_fixed(shown, usize::from(shown < 10.0)))
}

fn duration(millis: f64, unit: Option<TimeUnit>) -> String {
    match unit {
        Some(TimeUnit::Seconds) => format!("{}s", to_fixed(millis * 0.001, 2)),
        Some(TimeUnit::Milliseconds) => format!("{}ms", to_fixed(millis, 2)),
        Some(TimeUnit::Microseconds) => format!("{}µs", to_fixed(millis * 1000.0, 2)),
        None => fitting_duration(millis),
    }
}

fn fitting_duration(millis: f64) -> String {
    if millis == 0.0 {
        return "0s".to_owned();
    }
    if millis < 0.001 {
        return format!("{}ns", js_number((millis * 1_000_000.0).trunc()));
    }
    if millis < 1.0 {
        return format!("{}µs", cut_off(millis * 1000.0, 2));
    }
    if millis < 1000.0 {
        return format!("{}ms", cut_off(millis, 2));
    }
    let digits = if millis > 60_000.0 { 0 } else { 2 };
    let seconds = format!("{}s", cut_off((millis % 60_000.0) / 1000.0, digits));
    let minutes = (millis / 60_000.0).trunc();
    if minutes < 1.0 {
        return seconds;
    }
    let with_minutes = format!("{}m{seconds}", js_number(minutes % 60.0));
    let hours = (minutes / 60.0).trunc();
    if hours < 1.0 {
        return with_minutes;
    }
    format!("{}h{with_minutes}", js_number(hours))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each pair was recorded from k6's JavaScript.
    #[test]
    fn to_fixed_is_that_of_javascript() {
        let cases = [
            (16.5, 0, "17"),
            (17.5, 0, "18"),
            (2.5, 0, "3"),
            (0.5, 0, "1"),
            (1.25, 1, "1.3"),
            (0.05, 1, "0.1"),
            (0.25, 1, "0.3"),
            (2.675, 1, "2.7"),
            (1.005, 2, "1.00"),
            (0.125, 2, "0.13"),
            (-2.5, 0, "-3"),
            (1e21, 2, "1e+21"),
            (0.000_000_5, 6, "0.000000"),
            (9.5, 0, "10"),
        ];
        for (value, digits, text) in cases {
            assert_eq!(to_fixed(value, digits), text, "{value}");
        }
    }

    #[test]
    fn numbers_are_written_as_in_javascript() {
        let cases = [
            (1e-7, "1e-7"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (1e21, "1e+21"),
            (0.1 + 0.2, "0.30000000000000004"),
            (-0.0, "0"),
            (3.0, "3"),
        ];
        for (value, text) in cases {
            assert_eq!(js_number(value), text);
        }
    }

    #[test]
    fn durations_take_the_unit_that_fits() {
        let cases = [
            (0.0, "0s"),
            (0.000_5, "500ns"),
            (0.822_18, "822.18µs"),
            (45.819, "45.81ms"),
            (1400.246, "1.4s"),
            (59_999.0, "59.99s"),
            (60_000.0, "1m0s"),
            (83_456.0, "1m23s"),
            (3_723_000.0, "1h2m3s"),
        ];
        for (millis, text) in cases {
            assert_eq!(duration(millis, None), text);
        }
        assert_eq!(duration(1.5, Some(TimeUnit::Seconds)), "0.00s");
        assert_eq!(duration(1.5, Some(TimeUnit::Microseconds)), "1500.00µs");
    }

    #[test]
    fn bytes_take_the_prefix_that_fits() {
        let cases = [
            (0.0, "0 B"),
            (9.5, "9.5 B"),
            (966.0, "966 B"),
            (4_100.0, "4.1 kB"),
            (17_500.0, "18 kB"),
            (2_400_000.0, "2.4 MB"),
        ];
        for (value, text) in cases {
            assert_eq!(bytes(value), text);
        }
    }
}
