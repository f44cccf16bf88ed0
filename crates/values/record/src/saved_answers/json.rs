//! JSON as it is compared: members in the order of their names, numbers by their value and never as floating point.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::number;

/// What stands at the end of a list or an object of which only the beginning is known.
pub(super) const OPEN_END: char = '…';

/// A value of JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JsonNode {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number in the only way in which its value is written here.
    Number(String),
    /// A text; half of a surrogate pair stays as its escape.
    Text(String),
    /// A list.
    List(JsonSequence),
    /// An object.
    Object(JsonMap),
}

/// A list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JsonSequence {
    /// Its elements.
    pub items: Vec<JsonNode>,
    /// There are more: the document was cut.
    pub is_open: bool,
}

/// An object; of members of one name the last counts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JsonMap {
    /// Its members.
    pub members: BTreeMap<String, JsonNode>,
    /// There may be more: the document was cut.
    pub is_open: bool,
}

impl JsonNode {
    /// The only way in which it is written.
    #[must_use]
    pub fn canonical(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(true) => out.push_str("true"),
            Self::Bool(false) => out.push_str("false"),
            Self::Number(number) => out.push_str(number),
            Self::Text(text) => quoted(text, out),
            Self::List(list) => {
                out.push('[');
                for (place, item) in list.items.iter().enumerate() {
                    if place > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                if list.is_open {
                    out.push(OPEN_END);
                }
                out.push(']');
            }
            Self::Object(object) => {
                out.push('{');
                for (place, (name, value)) in object.members.iter().enumerate() {
                    if place > 0 {
                        out.push(',');
                    }
                    quoted(name, out);
                    out.push(':');
                    value.write(out);
                }
                if object.is_open {
                    out.push(OPEN_END);
                }
                out.push('}');
            }
        }
    }

    /// A number of this text; `None` where it is none.
    #[must_use]
    pub fn number(text: &str) -> Option<Self> {
        number::canonical(text).map(Self::Number)
    }
}

/// A text in quotes.
fn quoted(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
