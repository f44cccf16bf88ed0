//! What stands after the status of a combined line: size, referer, agent, and whatever a custom
//! format adds. [`TailLayout`] says which of these fields is the time of the request and which
//! the client behind a proxy; [`probe`] decides it from the first lines of a file.

mod probe;

pub(in super::super) use probe::TailProbe;

use loadline_units::DurationUnit;

use super::super::durations;
use super::closing_quote;

/// A field after the status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct TailField<'a> {
    /// Its name, as in `rt=0.040`; empty without one.
    pub(in super::super) name: &'a [u8],
    /// Its value, without quotes.
    pub(in super::super) value: &'a [u8],
    pub(in super::super) is_quoted: bool,
}

/// How a field is found again in the next line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) enum TailKey {
    /// By its name.
    Name(Vec<u8>),
    /// By its place, from 0.
    Place(usize),
}

/// The field that is the time of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct TailTime {
    pub(in super::super) key: TailKey,
    pub(in super::super) unit: DurationUnit,
}

/// Which fields mean what.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in super::super) struct TailLayout {
    pub(in super::super) time: Option<TailTime>,
    /// The addresses that a proxy adds, the client's first.
    pub(in super::super) forwarded: Option<TailKey>,
}

/// What of a line's fields counts.
#[derive(Debug, Default)]
pub(in super::super) struct TailValues<'a> {
    pub(in super::super) seconds: Option<f64>,
    /// The client behind a proxy.
    pub(in super::super) forwarded: Option<&'a [u8]>,
    pub(in super::super) agent: &'a [u8],
}

impl TailKey {
    fn is(&self, place: usize, field: &TailField<'_>) -> bool {
        match self {
            Self::Name(name) => name == field.name,
            Self::Place(wanted) => *wanted == place && field.name.is_empty(),
        }
    }
}

impl TailLayout {
    /// Reads the fields of a line.
    pub(in super::super) fn read<'a>(&self, tail: &'a [u8]) -> TailValues<'a> {
        let mut values = TailValues::default();
        let mut quoted = 0;
        for (place, field) in TailFields::new(tail).enumerate() {
            if field.is_quoted && field.name.is_empty() {
                quoted += 1;
                // The referer comes before it.
                if quoted == 2 {
                    values.agent = field.value;
                }
            }
            if let Some(time) = &self.time
                && time.key.is(place, &field)
            {
                values.seconds = durations::seconds(field.value, time.unit);
            }
            if let Some(key) = &self.forwarded
                && key.is(place, &field)
            {
                values.forwarded = first_address(field.value);
            }
        }
        values
    }
}

/// The fields of a tail, one after another.
#[derive(Debug, Clone)]
pub(in super::super) struct TailFields<'a> {
    rest: &'a [u8],
}

impl<'a> TailFields<'a> {
    pub(in super::super) const fn new(tail: &'a [u8]) -> Self {
        Self { rest: tail }
    }

    /// A value in quotes, which `rest` begins behind of.
    fn quoted(&mut self, name: &'a [u8], from: usize) -> TailField<'a> {
        let inner = &self.rest[from..];
        let end = closing_quote(inner).unwrap_or(inner.len());
        self.rest = inner.get(end + 1..).unwrap_or_default();
        TailField {
            name,
            value: &inner[..end],
            is_quoted: true,
        }
    }

    /// Where the word at the beginning ends; a list of values in it goes on behind spaces.
    fn word_end(&self) -> usize {
        let mut end = 0;
        loop {
            end += memchr::memchr(b' ', &self.rest[end..]).unwrap_or(self.rest.len() - end);
            let next = self.rest.get(end + 1..).unwrap_or_default();
            let goes_on = match next {
                [b':', b' ', ..] => true,
                [first, ..] if self.rest[..end].ends_with(b",") => {
                    first.is_ascii_digit() || *first == b'-'
                }
                _ => self.rest[..end].ends_with(b" :"),
            };
            if !goes_on {
                return end;
            }
            end += 1;
        }
    }
}

impl<'a> Iterator for TailFields<'a> {
    type Item = TailField<'a>;

    fn next(&mut self) -> Option<TailField<'a>> {
        self.rest = self.rest.trim_ascii_start();
        if *self.rest.first()? == b'"' {
            return Some(self.quoted(b"", 1));
        }
        let named = self
            .rest
            .iter()
            .position(|b| !b.is_ascii_alphanumeric() && *b != b'_' && *b != b'-' && *b != b'.');
        if let Some(end) = named
            && end > 0
            && !self.rest[0].is_ascii_digit()
            && matches!(self.rest[end], b'=' | b':')
        {
            let name = &self.rest[..end];
            if self.rest.get(end + 1) == Some(&b'"') {
                return Some(self.quoted(name, end + 2));
            }
            let word = self.word_end();
            let value = &self.rest[end + 1..word.max(end + 1)];
            self.rest = &self.rest[word..];
            return Some(TailField {
                name,
                value: value.strip_suffix(b",").unwrap_or(value),
                is_quoted: false,
            });
        }
        let end = self.word_end();
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(TailField {
            name: b"",
            value: word
                .strip_suffix(b",")
                .or_else(|| word.strip_suffix(b";"))
                .unwrap_or(word),
            is_quoted: false,
        })
    }
}

/// Whether it is an IP address without a port.
pub(in super::super) fn is_address(text: &[u8]) -> bool {
    let text = std::str::from_utf8(text).unwrap_or_default();
    text.parse::<std::net::IpAddr>().is_ok()
}

/// The first address of a list, which is the client's.
pub(in super::super) fn first_address(text: &[u8]) -> Option<&[u8]> {
    let first = text.split(|b| *b == b',').next()?.trim_ascii();
    let is_some = !first.is_empty() && first != b"-" && first != b"unknown";
    is_some.then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(tail: &str) -> Vec<(String, String)> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        TailFields::new(tail.as_bytes())
            .map(|field| (text(field.name), text(field.value)))
            .collect()
    }

    #[test]
    fn fields_are_words_quotes_names_and_lists() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            fields(
                r#"12 "-" "a \"b\"" rt=0.040, uct="0.001" 0.012, 0.034 0.1 : 0.2 "1.2.3.4, 5.6.7.8""#
            ),
            [
                pair("", "12"),
                pair("", "-"),
                pair("", r#"a \"b\""#),
                pair("rt", "0.040"),
                pair("uct", "0.001"),
                pair("", "0.012, 0.034"),
                pair("", "0.1 : 0.2"),
                pair("", "1.2.3.4, 5.6.7.8"),
            ]
        );
        assert_eq!(fields("10.0.0.1:80"), [pair("", "10.0.0.1:80")]);
        assert_eq!(fields("  "), []);
        assert_eq!(fields(r#""open"#), [pair("", "open")]);
    }
}
