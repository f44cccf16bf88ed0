//! Numbers, times and strings as Go writes them, so that our files equal k6's.

use std::fmt::Write;

/// A float as `strconv.FormatFloat(value, 'g', -1, 64)` has it.
pub(crate) fn float(out: &mut String, value: f64) {
    if !value.is_finite() {
        // Writing to a string cannot fail.
        let _ = write!(out, "{value}");
        return;
    }
    let start = out.len();
    let _ = write!(out, "{value:e}");
    let written = &out[start..];
    let Some((mantissa, exponent)) = written.split_once('e') else {
        return;
    };
    let Ok(exponent) = exponent.parse::<i32>() else {
        return;
    };
    // Go's shortest form has an exponent from a million on.
    if (-4..6).contains(&exponent) {
        out.truncate(start);
        let _ = write!(out, "{value}");
        return;
    }
    let mantissa = mantissa.to_owned();
    out.truncate(start);
    let sign = if exponent < 0 { '-' } else { '+' };
    let _ = write!(out, "{mantissa}e{sign}{:02}", exponent.abs());
}

/// Times of day as `time.RFC3339Nano` in UTC. The part before the fraction is cached for further
/// times in the same second.
#[derive(Debug, Default)]
pub(crate) struct Times {
    second: Option<i64>,
    text: String,
}

impl Times {
    /// `at`: nanoseconds since 1970.
    pub(crate) fn rfc3339_nano(&mut self, out: &mut String, at: i64) {
        let (second, nanos) = split(at);
        self.whole(out, second);
        if nanos > 0 {
            let mut digits = format!("{nanos:09}");
            digits.truncate(digits.trim_end_matches('0').len());
            let _ = write!(out, ".{digits}");
        }
        out.push('Z');
    }

    /// As `time.RFC3339`, without a fraction.
    pub(crate) fn rfc3339(&mut self, out: &mut String, at: i64) {
        self.whole(out, split(at).0);
        out.push('Z');
    }

    fn whole(&mut self, out: &mut String, second: i64) {
        if self.second != Some(second) {
            self.second = Some(second);
            self.text.clear();
            if let Ok(time) = jiff::Timestamp::from_second(second) {
                let _ = write!(self.text, "{}", time.strftime("%Y-%m-%dT%H:%M:%S"));
            }
        }
        out.push_str(&self.text);
    }
}

/// Seconds since 1970 and nanoseconds into the second.
pub(crate) fn split(at: i64) -> (i64, i64) {
    (at.div_euclid(1_000_000_000), at.rem_euclid(1_000_000_000))
}

/// A JSON string in which characters with a meaning in HTML are escaped.
pub(crate) fn json_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
}

/// A field of a CSV line.
pub(crate) fn csv_field(out: &mut String, text: &str) {
    let needs_quotes = text == "\\."
        || text.contains([',', '"', '\r', '\n'])
        || text.starts_with(char::is_whitespace);
    if !needs_quotes {
        out.push_str(text);
        return;
    }
    out.push('"');
    out.push_str(&text.replace('"', "\"\""));
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut String)) -> String {
        let mut out = String::new();
        write(&mut out);
        out
    }

    #[test]
    fn floats_are_as_go_writes_them() {
        for (value, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (4.827_019, "4.827019"),
            (100_000.0, "100000"),
            (1_234_567.0, "1.234567e+06"),
            (1e20, "1e+20"),
            (1e21, "1e+21"),
            (1.5e-7, "1.5e-07"),
            (0.0001, "0.0001"),
            (-2.5, "-2.5"),
        ] {
            assert_eq!(written(|out| float(out, value)), text);
        }
    }

    #[test]
    fn times_have_as_many_digits_as_they_need() {
        let mut times = Times::default();
        for (at, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (1_500_000_000, "1970-01-01T00:00:01.5Z"),
            (1_795_349_698_021_558_245, "2026-11-22T12:14:58.021558245Z"),
        ] {
            assert_eq!(written(|out| times.rfc3339_nano(out, at)), text);
        }
        assert_eq!(
            written(|out| times.rfc3339(out, 1_500_000_000)),
            "1970-01-01T00:00:01Z"
        );
    }

    #[test]
    fn strings_are_escaped() {
        let text = "a\"b\\c<d>&\n\u{1}\u{2028}한";
        assert_eq!(
            written(|out| json_string(out, text)),
            "\"a\\\"b\\\\c\\u003cd\\u003e\\u0026\\n\\u0001\\u2028한\""
        );
        for (text, field) in [
            ("a", "a"),
            ("a,b", "\"a,b\""),
            ("a\"b", "\"a\"\"b\""),
            (" a", "\" a\""),
            ("", ""),
        ] {
            assert_eq!(written(|out| csv_field(out, text)), field);
        }
    }
}
