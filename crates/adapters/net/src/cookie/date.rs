//! Parses dates in cookies as Go's `time.Parse` does.
//!
//! The weekday is parsed but not checked, names may have any case, and an unknown zone counts as
//! UTC. Errors have Go's texts, because k6 shows them to scripts.

use jiff::civil::{self, Date};

use crate::url::quoted;

/// Why a text is not a date.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("parsing time {}{}: {reason}", quoted(.text), .layout.map(|l| format!(" as {}", quoted(l))).unwrap_or_default())]
pub struct DateError {
    /// What was written.
    pub text: String,
    layout: Option<&'static str>,
    reason: String,
}

const RFC1123: &str = "Mon, 02 Jan 2006 15:04:05 MST";
const DASHED: &str = "Mon, 02-Jan-2006 15:04:05 MST";

/// Parses `Mon, 02 Jan 2006 15:04:05 GMT`; returns seconds since 1970.
///
/// # Errors
/// [`DateError`] in Go's words.
pub fn parse_date(text: &str) -> Result<i64, DateError> {
    parse(text, RFC1123, ' ')
}

/// Parses the older form `Mon, 02-Jan-2006 15:04:05 GMT`.
pub(super) fn parse_dashed_date(text: &str) -> Result<i64, DateError> {
    parse(text, DASHED, '-')
}

fn parse(text: &str, layout: &'static str, dash: char) -> Result<i64, DateError> {
    let mut reader = Reader { rest: text };
    reader.read(dash).map_err(|problem| match problem {
        Problem::Expected(element, rest) => DateError {
            text: text.to_owned(),
            layout: Some(layout),
            reason: format!("cannot parse {} as {}", quoted(&rest), quoted(&element)),
        },
        Problem::Said(reason) => DateError {
            text: text.to_owned(),
            layout: None,
            reason,
        },
    })
}

enum Problem {
    /// The layout's element that was expected, and the rest of the text.
    Expected(String, String),
    Said(String),
}

struct Reader<'t> {
    rest: &'t str,
}

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

impl Reader<'_> {
    fn read(&mut self, dash: char) -> Result<i64, Problem> {
        let dash = dash.to_string();
        self.name(&DAYS, "Mon")?;
        self.literal(", ")?;
        let day = self.number(2, 2, "02")?;
        self.literal(&dash)?;
        let month = self.name(&MONTHS, "Jan")?;
        self.literal(&dash)?;
        let year = self.number(4, 4, "2006")?;
        self.literal(" ")?;
        let hour = self.number(1, 2, "15")?;
        in_range(hour < 24, "hour")?;
        self.literal(":")?;
        let minute = self.number(2, 2, "04")?;
        in_range(minute < 60, "minute")?;
        self.literal(":")?;
        let second = self.number(2, 2, "05")?;
        in_range(second < 60, "second")?;
        self.skip_fraction();
        self.literal(" ")?;
        let offset = self.zone()?;
        if !self.rest.is_empty() {
            return Err(Problem::Said(format!("extra text: {}", quoted(self.rest))));
        }
        let days = days_since_1970(year, month + 1, day);
        let Some(days) = days else {
            return Err(Problem::Said("day out of range".to_owned()));
        };
        Ok(((days * 24 + hour) * 60 + minute) * 60 + second - offset)
    }

    fn expected<T>(&self, element: &str) -> Result<T, Problem> {
        Err(Problem::Expected(element.to_owned(), self.rest.to_owned()))
    }

    /// Takes `literal`. A blank in it matches any number of blanks, but at least one if text
    /// follows.
    fn literal(&mut self, literal: &str) -> Result<(), Problem> {
        let mut rest = self.rest;
        for c in literal.chars() {
            if c == ' ' {
                if !rest.is_empty() && !rest.starts_with(' ') {
                    self.rest = rest;
                    return self.expected(literal);
                }
                rest = rest.trim_start_matches(' ');
            } else if let Some(after) = rest.strip_prefix(c) {
                rest = after;
            } else {
                self.rest = rest;
                return self.expected(literal);
            }
        }
        self.rest = rest;
        Ok(())
    }

    /// Takes one of `names`; returns its index.
    fn name(&mut self, names: &[&str], element: &str) -> Result<i64, Problem> {
        let found = self
            .rest
            .get(..3)
            .and_then(|name| names.iter().position(|n| n.eq_ignore_ascii_case(name)));
        match found {
            Some(at) => {
                self.rest = &self.rest[3..];
                Ok(i64::try_from(at).expect("there are at most twelve names"))
            }
            None => self.expected(element),
        }
    }

    fn number(&mut self, least: usize, most: usize, element: &str) -> Result<i64, Problem> {
        let digits = self.rest.bytes().take(most);
        let count = digits.take_while(u8::is_ascii_digit).count();
        if count < least {
            return self.expected(element);
        }
        let (digits, rest) = self.rest.split_at(count);
        self.rest = rest;
        Ok(digits.parse().expect("at most four digits"))
    }

    /// Skips a fraction of a second; no layout here has one.
    fn skip_fraction(&mut self) {
        if let Some(rest) = self.rest.strip_prefix(['.', ',']) {
            let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            if digits.len() < rest.len() {
                self.rest = digits;
            }
        }
    }

    /// Takes a zone's name; returns its offset in seconds, which is known for UTC and for names
    /// like `GMT+3`.
    fn zone(&mut self) -> Result<i64, Problem> {
        let letters = self
            .rest
            .bytes()
            .take(6)
            .take_while(u8::is_ascii_uppercase)
            .count();
        let name = &self.rest[..letters];
        if name.starts_with("GMT") {
            let (hours, rest) = hours(&self.rest[3..]);
            self.rest = rest;
            return Ok(hours * 3600);
        }
        let is_zone = match letters {
            3 => true,
            4 => name.ends_with('T') || name == "WITA",
            5 => name.ends_with('T'),
            _ => false,
        };
        if !is_zone {
            return self.expected("MST");
        }
        self.rest = &self.rest[letters..];
        Ok(0)
    }
}

/// The hours of `+3` at the start of `text`, and the rest.
fn hours(text: &str) -> (i64, &str) {
    let Some(digits) = text.strip_prefix(['+', '-']) else {
        return (0, text);
    };
    let end = digits.bytes().take_while(u8::is_ascii_digit).count() + 1;
    match text[..end].parse::<i64>() {
        Ok(hours) if (-23..=23).contains(&hours) => (hours, &text[end..]),
        _ => (0, text),
    }
}

/// Days from 1970-01-01; `None` for a day that no calendar has.
fn days_since_1970(year: i64, month: i64, day: i64) -> Option<i64> {
    let (year, month, day) = (year.try_into(), month.try_into(), day.try_into());
    let date = Date::new(year.ok()?, month.ok()?, day.ok()?).ok()?;
    Some(i64::from((date - civil::date(1970, 1, 1)).get_days()))
}

fn in_range(holds: bool, what: &str) -> Result<(), Problem> {
    if holds {
        Ok(())
    } else {
        Err(Problem::Said(format!("{what} out of range")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_go_reads_them() {
        for (text, seconds) in [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Wed, 21 Oct 2099 07:28:00 GMT", 4_096_250_880),
            ("Mon, 21 Oct 2099 07:28:00 UTC", 4_096_250_880),
            ("wed,  21 oct 2099 7:28:00.5 GMT", 4_096_250_880),
            ("Wed, 21 Oct 2099 07:28:00 GMT+3", 4_096_250_880 - 3 * 3600),
            ("Wed, 21 Oct 2099 07:28:00 CEST", 4_096_250_880),
            ("Sat, 29 Feb 2020 23:59:59 GMT", 1_583_020_799),
            ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800),
            ("Mon, 01 Jan 9999 00:00:00 GMT", 253_370_764_800),
        ] {
            assert_eq!(parse_date(text), Ok(seconds), "{text}");
        }
        assert_eq!(
            parse_dashed_date("Wed, 21-Oct-2099 7:28:00 UTC"),
            Ok(4_096_250_880)
        );
        assert!(parse_dashed_date("Wed, 21 Oct 2099 07:28:00 GMT").is_err());
    }

    /// Texts of k6.
    #[test]
    fn mistakes_are_named_as_go_names_them() {
        let as_layout = "as \"Mon, 02 Jan 2006 15:04:05 MST\": cannot parse";
        for (text, reason) in [
            ("bogus", format!(" {as_layout} \"bogus\" as \"Mon\"")),
            (
                "Wed, 2 Oct 2099 07:28:00 GMT",
                format!(" {as_layout} \"2 Oct 2099 07:28:00 GMT\" as \"02\""),
            ),
            (
                "Wed, 21 Oct 2099 07:28:00",
                format!(" {as_layout} \"\" as \"MST\""),
            ),
            (
                "Wed,21 Oct 2099 07:28:00 gmt",
                format!(" {as_layout} \"21 Oct 2099 07:28:00 gmt\" as \", \""),
            ),
            (
                "Wed, 32 Oct 2099 07:28:00 GMT",
                ": day out of range".to_owned(),
            ),
            (
                "Wed, 31 Feb 2099 07:28:00 GMT",
                ": day out of range".to_owned(),
            ),
            (
                "Wed, 21 Oct 2099 27:28:00 GMT",
                ": hour out of range".to_owned(),
            ),
            (
                "Wed, 21 Oct 2099 07:28:00 GMT x",
                ": extra text: \" x\"".to_owned(),
            ),
        ] {
            assert_eq!(
                parse_date(text).unwrap_err().to_string(),
                format!("parsing time \"{text}\"{reason}")
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_breaks_the_reader(text: String, tail in "[-+0-9A-Z ]{0,8}") {
            let _ = parse_date(&text);
            let _ = parse_date(&format!("Wed, 21 Oct 2099 07:28:00 {tail}"));
            let _ = parse_date(&format!("Wed, 21 Oct 2099 07:28:00 GMT{tail}"));
        }
    }
}
