//! Reads typed values from a document, or fails with Go's error.

use std::collections::BTreeMap;
use std::fmt;

use loadline_testplan::draft::SignedDuration;

use super::document::{Document, Node, NodeKind};
use crate::go::{from_millis, parse_extended_duration, parse_int, quote};

/// A value to read: its position, and Go's name for the path to it.
#[derive(Debug, Clone)]
pub struct Reader<'d> {
    document: &'d Document,
    node: &'d Node,
    /// Where the text begins that Go's innermost reader was given.
    given_from: usize,
    /// The outermost Go struct and the fields on the way.
    way: Vec<&'static str>,
}

/// Why a value cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionReadError {
    /// It is of another kind than the option.
    TypeMismatch(TypeMismatch),
    /// An object has a name that means nothing where every name must mean something.
    Unknown(String),
    /// Something else; the words are k6's.
    Other(String),
}

/// A value of another kind than the option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeMismatch {
    found: String,
    go_type: String,
    way: Vec<&'static str>,
    offset: usize,
}

impl fmt::Display for OptionReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "json: unknown field {}", quote(name)),
            Self::Other(text) => f.write_str(text),
            Self::TypeMismatch(m) => {
                write!(f, "json: cannot unmarshal {} into Go ", m.found)?;
                match m.way.as_slice() {
                    [] | [_] => write!(f, "value of type {}", m.go_type),
                    way => write!(f, "struct field {} of type {}", way.join("."), m.go_type),
                }
            }
        }
    }
}

impl OptionReadError {
    /// k6's words for a fault in a script's options, with the text around the place that
    /// k6 takes for it (which is another one when the value has a reader of its own).
    #[must_use]
    pub fn in_script(&self, document: &Document) -> String {
        let Self::TypeMismatch(mismatch) = self else {
            return self.to_string();
        };
        let text = document.text().as_bytes();
        let at = mismatch.offset.min(text.len());
        let from = text[..at].iter().rposition(|b| *b == b'\n').unwrap_or(0);
        // k6 takes a distance for a place here.
        let to = text[at..].iter().position(|b| *b == b'\n');
        let to = to
            .map_or(0, |distance| distance.min(text.len() - 1))
            .max(at);
        let around = String::from_utf8_lossy(&text[from..to]);
        format!(
            "parsing options from script got error while parsing {}: {self}",
            quote(around.trim())
        )
    }
}

impl<'d> Reader<'d> {
    /// Reads a whole document, whose Go struct is `root` (`Options`).
    #[must_use]
    pub fn new(document: &'d Document, root: &'static str) -> Self {
        Self {
            document,
            node: document.root(),
            given_from: 0,
            way: vec![root],
        }
    }

    /// The value.
    #[must_use]
    pub fn node(&self) -> &'d Node {
        self.node
    }

    /// Whether nothing is written.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.node.kind == NodeKind::Null
    }

    /// A value inside, as Go's field `field`.
    #[must_use]
    pub fn field(&self, field: &'static str, node: &'d Node) -> Self {
        let mut inner = self.item(node);
        inner.way.push(field);
        inner
    }

    /// The same value with one more field on the way to what is inside.
    #[must_use]
    pub fn through(&self, field: &'static str) -> Self {
        self.field(field, self.node)
    }

    /// A nested value that is not a field.
    #[must_use]
    pub fn item(&self, node: &'d Node) -> Self {
        Self {
            node,
            ..self.clone()
        }
    }

    /// The same value, for a Go type with a custom reader.
    #[must_use]
    pub fn with_own_reader(&self) -> Self {
        Self {
            given_from: self.node.span.start,
            ..self.clone()
        }
    }

    /// The complaint that the value is not of Go's type `go_type`.
    #[must_use]
    pub fn mismatch(&self, go_type: &str) -> OptionReadError {
        self.mismatch_of(self.node.go_name().to_owned(), go_type)
    }

    fn mismatch_of(&self, found: String, go_type: &str) -> OptionReadError {
        OptionReadError::TypeMismatch(TypeMismatch {
            found,
            go_type: go_type.to_owned(),
            way: self.way.clone(),
            offset: self.node.noticed_at() - self.given_from,
        })
    }

    /// The names and values of an object; nothing for null.
    ///
    /// # Errors
    /// When it is neither.
    pub fn entries(&self, go_type: &str) -> Result<&'d [(String, Node)], OptionReadError> {
        match &self.node.kind {
            NodeKind::Object(entries) => Ok(entries),
            NodeKind::Null => Ok(&[]),
            _ => Err(self.mismatch(go_type)),
        }
    }

    /// The values of a list; `None` for null.
    ///
    /// # Errors
    /// When it is neither.
    pub fn items(&self, go_type: &str) -> Result<Option<Vec<Self>>, OptionReadError> {
        match &self.node.kind {
            NodeKind::Array(items) => Ok(Some(items.iter().map(|node| self.item(node)).collect())),
            NodeKind::Null => Ok(None),
            _ => Err(self.mismatch(go_type)),
        }
    }

    /// A text; empty for null.
    ///
    /// # Errors
    /// When it is neither.
    pub fn text(&self) -> Result<String, OptionReadError> {
        match &self.node.kind {
            NodeKind::String(text) => Ok(text.clone()),
            NodeKind::Null => Ok(String::new()),
            _ => Err(self.mismatch("string")),
        }
    }

    /// A truth value; false for null.
    ///
    /// # Errors
    /// When it is neither.
    pub fn truth(&self) -> Result<bool, OptionReadError> {
        match &self.node.kind {
            NodeKind::Bool(truth) => Ok(*truth),
            NodeKind::Null => Ok(false),
            _ => Err(self.mismatch("bool")),
        }
    }

    /// A list of texts; `None` for null.
    ///
    /// # Errors
    /// When it is neither.
    pub fn texts(&self) -> Result<Option<Vec<String>>, OptionReadError> {
        let items = self.items("[]string")?;
        items
            .map(|items| items.iter().map(Self::text).collect())
            .transpose()
    }

    /// Texts by name; `None` for null.
    ///
    /// # Errors
    /// When it is neither.
    pub fn text_map(&self) -> Result<Option<BTreeMap<String, String>>, OptionReadError> {
        if self.is_null() {
            return Ok(None);
        }
        let entries = self.entries("map[string]string")?;
        let map: Result<_, OptionReadError> = entries
            .iter()
            .map(|(name, node)| Ok((name.clone(), self.item(node).text()?)))
            .collect();
        map.map(Some)
    }

    /// A text that Go's type `go_type` reads from text; `None` for null.
    ///
    /// # Errors
    /// When it is neither.
    pub fn text_of(&self, go_type: &str) -> Result<Option<&'d str>, OptionReadError> {
        match &self.node.kind {
            NodeKind::String(text) => Ok(Some(text)),
            NodeKind::Null => Ok(None),
            _ => Err(self.mismatch(go_type)),
        }
    }

    /// An integer, also as a string; `None` for null and for an empty string.
    ///
    /// # Errors
    /// When it is neither.
    pub fn optional_int(&self) -> Result<Option<i64>, OptionReadError> {
        match &self.node.kind {
            NodeKind::Null => Ok(None),
            NodeKind::Number(number) => {
                let whole = number.parse().map_err(|_| {
                    let own = self.with_own_reader();
                    own.mismatch_of(format!("number {number}"), "int64")
                })?;
                Ok(Some(whole))
            }
            NodeKind::String(text) if text.is_empty() => Ok(None),
            NodeKind::String(text) => parse_int(text).map(Some).map_err(OptionReadError::Other),
            // Go's own form of an optional number.
            NodeKind::Object(_) => {
                let inner = self.with_own_reader();
                let value = inner.member("Int64").map(|int| int.optional_int());
                Ok(Some(value.transpose()?.flatten().unwrap_or(0)))
            }
            NodeKind::Bool(_) | NodeKind::Array(_) => Err(self.not_optional("Int")),
        }
    }

    /// A truth value; `None` for null.
    ///
    /// # Errors
    /// When it is neither.
    pub fn optional_bool(&self) -> Result<Option<bool>, OptionReadError> {
        match &self.node.kind {
            NodeKind::Null => Ok(None),
            NodeKind::Bool(truth) => Ok(Some(*truth)),
            NodeKind::Object(_) => {
                let inner = self.with_own_reader();
                let value = inner.member("Bool").map(|truth| truth.truth());
                Ok(Some(value.transpose()?.unwrap_or(false)))
            }
            _ => Err(self.not_optional("Bool")),
        }
    }

    /// A text; `None` for null.
    ///
    /// # Errors
    /// When it is neither.
    pub fn optional_text(&self) -> Result<Option<String>, OptionReadError> {
        match &self.node.kind {
            NodeKind::Null => Ok(None),
            NodeKind::String(text) => Ok(Some(text.clone())),
            NodeKind::Object(_) => {
                let inner = self.with_own_reader();
                let value = inner.member("String").map(|text| text.text());
                Ok(Some(value.transpose()?.unwrap_or_default()))
            }
            _ => Err(self.not_optional("String")),
        }
    }

    /// A length of time: a text with units, or milliseconds; `None` for null.
    ///
    /// # Errors
    /// When it is neither.
    pub fn optional_duration(&self) -> Result<Option<SignedDuration>, OptionReadError> {
        match &self.node.kind {
            NodeKind::Null => Ok(None),
            NodeKind::String(text) => parse_extended_duration(text)
                .map(Some)
                .map_err(OptionReadError::Other),
            _ => match self.document.raw(self.node).parse() {
                Ok(millis) => Ok(Some(from_millis(millis))),
                Err(_) => Err(OptionReadError::Other(format!(
                    "'{}' is not a valid duration value",
                    self.document.raw(self.node)
                ))),
            },
        }
    }

    /// A value of an object by its Go name, if written.
    fn member(&self, name: &'static str) -> Option<Self> {
        let NodeKind::Object(entries) = &self.node.kind else {
            return None;
        };
        let found = entries.iter().rev();
        let mut found = found.filter(|(written, _)| written.eq_ignore_ascii_case(name));
        found.next().map(|(_, node)| self.field(name, node))
    }

    /// Go's word for the value is that of its generic reader, which has none for lists.
    fn not_optional(&self, kind: &str) -> OptionReadError {
        let found = match self.node.kind {
            NodeKind::Number(_) => "float64",
            NodeKind::Array(_) => "",
            _ => self.node.go_name(),
        };
        OptionReadError::Other(format!(
            "json: cannot unmarshal {found} into Go value of type null.{kind}"
        ))
    }
}

/// Which of `fields` a name in JSON means: the same, or the same but for case.
#[must_use]
pub(crate) fn field_named(name: &str, fields: &[&'static str]) -> Option<&'static str> {
    let same = fields.iter().find(|field| **field == name);
    let similar = || {
        let mut fields = fields.iter();
        fields.find(|field| field.eq_ignore_ascii_case(name))
    };
    same.or_else(similar).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<T>(
        text: &str,
        read: impl FnOnce(&Reader<'_>) -> Result<T, OptionReadError>,
    ) -> Result<T, String> {
        let document = Document::parse(text).unwrap();
        read(&Reader::new(&document, "Options").through("x")).map_err(|fault| fault.to_string())
    }

    #[test]
    fn numbers_may_be_texts_and_texts_may_be_empty() {
        let int = |text| read(text, |value| value.optional_int());
        assert_eq!(int("5"), Ok(Some(5)));
        assert_eq!(int("\"50\""), Ok(Some(50)));
        assert_eq!(int("\"\""), Ok(None));
        assert_eq!(int("null"), Ok(None));
        assert_eq!(int("{\"int64\": 4}"), Ok(Some(4)));
        assert_eq!(
            int("[1]"),
            Err("json: cannot unmarshal  into Go value of type null.Int".to_owned())
        );
        assert_eq!(
            int("1e3"),
            Err(
                "json: cannot unmarshal number 1e3 into Go struct field Options.x of type int64"
                    .to_owned()
            )
        );
    }

    #[test]
    fn durations_may_be_milliseconds() {
        let duration = |text| read(text, |value| value.optional_duration());
        assert_eq!(duration("1500"), Ok(Some(SignedDuration(1_500_000_000))));
        assert_eq!(duration("\"1m\""), Ok(Some(SignedDuration(60_000_000_000))));
        assert_eq!(
            duration("[]"),
            Err("'[]' is not a valid duration value".to_owned())
        );
    }

    #[test]
    fn names_are_matched_without_case_when_no_exact_one_is_there() {
        assert_eq!(field_named("VUs", &["vus", "VUS"]), Some("vus"));
        assert_eq!(field_named("VUS", &["vus", "VUS"]), Some("VUS"));
        assert_eq!(field_named("vu", &["vus"]), None);
    }
}
