//! Masks secrets in everything that is stored or written about a run.
//!
//! Two rules work together. *Known* values (variables whose name or look says so) are masked
//! where they are a whole word, long ones wherever they are, unless they are plainly no secret:
//! numbers, times, switches, addresses without credentials. *Shapes* are masked whatever their
//! value: credentials in URLs and headers, cookies, query parameters and assignments whose
//! name says so, private keys, tokens that look like it.
//!
//! The rules have a version, which stands in each stored blob's header.

mod names;
mod pattern;
mod shapes;

use std::fmt;

pub use names::is_secret_name;
pub use shapes::{MASK, is_plain, looks_secret};

/// Shorter values are not masked: the mask would hit half of any text.
const SECRET_BYTES_MIN: usize = 4;
/// From so many bytes on a value is masked within words, too: it is not there by chance.
const LONG_SECRET_BYTES_MIN: usize = 12;

/// Masks secrets.
#[derive(Clone, Default)]
pub struct Redactor {
    /// The longest first, so that a value that is part of another does not mask only that part.
    known: Vec<String>,
}

impl fmt::Debug for Redactor {
    /// How many values it knows; the values are not shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Redactor({} values)", self.known.len())
    }
}

impl Redactor {
    /// The version of the rules.
    pub const RULES_VERSION: u8 = 4;

    /// Masks these values too, except those that are clearly no secret.
    #[must_use]
    pub fn knowing<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        let mut known: Vec<String> = values
            .into_iter()
            .filter(|value| value.len() >= SECRET_BYTES_MIN && !is_plain(value))
            .flat_map(|value| [value.to_owned(), percent_encoded(value)])
            .collect();
        known.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        known.dedup();
        Self { known }
    }

    /// Compiles the patterns, so that the first text does not have to wait for it.
    pub fn prepare() {
        shapes::prepare();
    }

    /// The text with every secret masked.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        shapes::masked(self.values(text))
    }

    /// A document in JSON with secrets masked in each of its texts, and in whole texts and lists under
    /// a secret's name; all else stays as it is written. Objects under such a name are not hidden: it
    /// may be that of a check.
    #[must_use]
    pub fn document(&self, json: &str) -> String {
        let mut masked = String::with_capacity(json.len());
        let (mut rest, mut key, mut is_hidden) = (json, "", false);
        while let Some(begins) = rest.find('"') {
            let (before, literal) = rest.split_at(begins);
            let (literal, after) = literal.split_at(literal_length(literal));
            let mut between = before.chars().filter(|c| !c.is_whitespace());
            is_hidden = match (between.next(), between.next(), between.next()) {
                (Some(':'), None | Some('['), None) => is_secret_name(key.trim_matches('"')),
                (Some(','), None, None) => is_hidden && !after.trim_start().starts_with(':'),
                _ => false,
            };
            masked.push_str(before);
            if is_hidden {
                masked.push_str(&format!("\"{MASK}\""));
            } else {
                masked.push_str(&self.literal(literal));
            }
            (rest, key) = (after, literal);
        }
        masked + rest
    }

    fn literal(&self, literal: &str) -> String {
        let Ok(text) = serde_json::from_str::<String>(literal) else {
            return self.text(literal);
        };
        let masked = self.text(&text);
        if masked == text {
            return literal.to_owned();
        }
        serde_json::Value::String(masked).to_string()
    }

    /// A tag's value, masked as a whole if its name says so.
    #[must_use]
    pub fn tag(&self, name: &str, value: &str) -> String {
        if is_secret_name(name) {
            return MASK.to_owned();
        }
        self.text(value)
    }

    /// A command's words with secrets masked: by their shape, and by the name of the option or the
    /// property that they are given to (`--db-password=x`, `--token x`, `-Dapi.key=x`).
    #[must_use]
    pub fn command(&self, words: &[String]) -> Vec<String> {
        let mut masked = Vec::with_capacity(words.len());
        let mut is_value = false;
        for word in words {
            if is_value && !word.starts_with('-') {
                masked.push(MASK.to_owned());
                is_value = false;
                continue;
            }
            let (name, value) = word
                .split_once('=')
                .map_or((word.as_str(), None), |(name, value)| (name, Some(value)));
            let is_secret = is_secret_name(name.trim_start_matches('-'));
            is_value = is_secret && value.is_none() && name.starts_with('-');
            masked.push(match value {
                Some(_) if is_secret => format!("{name}={MASK}"),
                _ => self.text(word),
            });
        }
        masked
    }

    /// The text with known values masked, whatever else stands in it.
    #[must_use]
    pub fn values(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for value in &self.known {
            if text.contains(value.as_str()) {
                text = without(&text, value);
            }
        }
        text
    }

    /// The value with every secret in it masked: strings by their shape, and whatever
    /// stands under a key that says so.
    #[must_use]
    pub fn json(&self, value: serde_json::Value) -> serde_json::Value {
        use serde_json::Value;
        match value {
            Value::String(text) => Value::String(self.text(&text)),
            Value::Array(items) => items.into_iter().map(|item| self.json(item)).collect(),
            Value::Object(fields) => {
                let masked = fields.into_iter().map(|(key, value)| {
                    let value = if is_secret_name(&key) {
                        hidden(value)
                    } else {
                        self.json(value)
                    };
                    (self.text(&key), value)
                });
                Value::Object(masked.collect())
            }
            other => other,
        }
    }
}

/// How long the text is that begins with a quote, in bytes; all that is there where it does not end.
fn literal_length(json: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in json.bytes().enumerate().skip(1) {
        match byte {
            b'"' if !is_escaped => return at + 1,
            _ => is_escaped = byte == b'\\' && !is_escaped,
        }
    }
    json.len()
}

/// Text with a known value masked: a short one only where it is a whole word.
fn without(text: &str, value: &str) -> String {
    if value.len() >= LONG_SECRET_BYTES_MIN {
        return text.replace(value, MASK);
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut masked = String::new();
    let mut rest = text;
    while let Some(place) = rest.find(value) {
        let (before, after) = (&rest[..place], &rest[place + value.len()..]);
        let previous = before
            .chars()
            .next_back()
            .or_else(|| masked.chars().next_back());
        let joins = |beside: Option<char>, own: Option<char>| {
            beside.is_some_and(is_word) && own.is_some_and(is_word)
        };
        let is_part = joins(previous, value.chars().next())
            || joins(after.chars().next(), value.chars().next_back());
        masked.push_str(before);
        masked.push_str(if is_part { value } else { MASK });
        rest = after;
    }
    masked + rest
}

/// A value under a secret's name: texts are masked, in lists and objects, too.
fn hidden(value: serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::String(_) => Value::String(MASK.to_owned()),
        Value::Array(items) => items.into_iter().map(hidden).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(key, value)| (key, hidden(value)));
            Value::Object(fields.collect())
        }
        other => other,
    }
}

/// As it would stand in a URL.
fn percent_encoded(value: &str) -> String {
    let mut text = String::new();
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

#[cfg(test)]
mod tests;
