//! Numbers in sentences and tables, the same in both languages.

/// With `digits` decimals and a comma between thousands: `1,234.5`.
#[must_use]
pub fn grouped(value: f64, digits: usize) -> String {
    let plain = format!("{:.digits$}", value.abs());
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let mut text = String::new();
    if value < 0.0 && plain.bytes().any(|b| (b'1'..=b'9').contains(&b)) {
        text.push('-');
    }
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

/// A length such as `1m30s`, as a Korean sentence has it: `1분 30초`. Parts that are nothing are left out.
#[must_use]
pub(crate) fn korean_length(length: &str) -> String {
    const UNITS: [(&str, &str); 4] = [("ms", " ms"), ("h", "시간"), ("m", "분"), ("s", "초")];
    let mut parts = Vec::new();
    let mut rest = length;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
        let (number, unit) = rest.split_at(end.unwrap_or(rest.len()));
        let Some((short, korean)) = UNITS.iter().find(|(short, _)| unit.starts_with(short)) else {
            return length.to_owned();
        };
        if number
            .bytes()
            .any(|digit| digit.is_ascii_digit() && digit != b'0')
        {
            parts.push(format!("{number}{korean}"));
        }
        rest = &unit[short.len()..];
    }
    if parts.is_empty() {
        "0초".to_owned()
    } else {
        parts.join(" ")
    }
}

/// With three significant digits, but never fewer than the whole number: `0.412`,
/// `4.10`, `12.3`, `1,449`.
#[must_use]
pub fn significant(value: f64) -> String {
    grouped(value, significant_decimals(value))
}

/// How many decimals three significant digits of a value have.
#[must_use]
pub fn significant_decimals(value: f64) -> usize {
    match value.abs() {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        v if v >= 0.9995 => 2,
        _ => 3,
    }
}

/// A number of things, with three significant digits but none after the point of a whole
/// number: `10`, `4.25`, `1,449`.
#[must_use]
pub fn counted(value: f64) -> String {
    let is_whole = (value - value.round()).abs() < 0.005;
    // A little is not nothing.
    if is_whole && (value.abs() < 0.0005 || value.abs() >= 0.5) {
        return grouped(value, 0);
    }
    significant(value)
}

/// Milliseconds with three significant digits; never shown as seconds, so that columns
/// compare: `1,449 ms`.
#[must_use]
pub fn millis(value: f64) -> String {
    format!("{} ms", significant(value))
}

/// How long requests took, milliseconds: a dash where they took none, as those have that were
/// never sent.
#[must_use]
pub fn latency(value: f64) -> String {
    if value == 0.0 {
        return "–".to_owned();
    }
    millis(value)
}

/// A share (0 to 1) as a percentage that is 0 or 100 only if it is exactly that.
#[must_use]
pub fn percent(share: f64) -> String {
    let value = share * 100.0;
    if share <= 0.0 || share >= 1.0 {
        return format!("{} %", grouped(value, 0));
    }
    if value < 0.01 {
        return "< 0.01 %".to_owned();
    }
    if value > 99.99 {
        return "> 99.99 %".to_owned();
    }
    // Two decimals would show the first as 10.00, one the last as 100.
    let digits = if (9.995..99.95).contains(&value) {
        1
    } else {
        2
    };
    format!("{} %", grouped(value, digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_parted_by_commas() {
        assert_eq!(grouped(1_234_567.89, 1), "1,234,567.9");
        assert_eq!(grouped(999.0, 0), "999");
        assert_eq!(grouped(-1000.0, 0), "-1,000");
        assert_eq!(grouped(-0.001, 1), "0.0");
    }

    #[test]
    fn whole_numbers_of_things_have_no_decimals() {
        let cases = [
            (10.0, "10"),
            (4.25, "4.25"),
            (0.5, "0.500"),
            (1449.0, "1,449"),
        ];
        for (value, text) in cases {
            assert_eq!(counted(value), text);
        }
    }

    #[test]
    fn times_keep_three_digits_and_their_unit() {
        let cases = [
            (0.0412, "0.041 ms"),
            (0.412, "0.412 ms"),
            (4.1, "4.10 ms"),
            (12.34, "12.3 ms"),
            (99.97, "100 ms"),
            (1449.4, "1,449 ms"),
        ];
        for (value, text) in cases {
            assert_eq!(millis(value), text);
        }
    }

    #[test]
    fn a_percentage_is_round_only_if_it_is_exact() {
        let cases = [
            (0.0, "0 %"),
            (0.000_01, "< 0.01 %"),
            (0.0123, "1.23 %"),
            (0.5, "50.0 %"),
            (0.999_6, "99.96 %"),
            (0.999_99, "> 99.99 %"),
            (1.0, "100 %"),
        ];
        for (share, text) in cases {
            assert_eq!(percent(share), text);
        }
    }

    /// Seen: "3s 동안".
    #[test]
    fn lengths_in_korean_sentences_have_korean_units() {
        let cases = [
            ("3s", "3초"),
            ("1m30s", "1분 30초"),
            ("2m0s", "2분"),
            ("1h0m0s", "1시간"),
            ("1.5s", "1.5초"),
            ("250ms", "250 ms"),
            ("0s", "0초"),
            ("auto", "auto"),
        ];
        for (length, text) in cases {
            assert_eq!(korean_length(length), text);
        }
    }
}
