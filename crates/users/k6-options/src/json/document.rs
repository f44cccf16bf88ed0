//! A JSON text and its values.

use std::ops::Range;

use serde_json::Value;

use super::parse;
use super::write::to_pretty_text;

/// A JSON text with its values and their places.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    text: String,
    root: Node,
}

/// A value and its position.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The value.
    pub kind: NodeKind,
    /// Its bytes in the document's text.
    pub span: Range<usize>,
}

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeKind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as written.
    Number(String),
    /// A text.
    String(String),
    /// A list.
    Array(Vec<Node>),
    /// Names and values in the order written; a name may come twice.
    Object(Vec<(String, Node)>),
}

impl Document {
    /// What Go's writer makes of a value a script exports: names sorted, two spaces.
    ///
    /// # Errors
    /// When it is nested too deeply.
    pub fn of_script(value: &Value) -> Result<Self, String> {
        let text = to_pretty_text(value);
        let root = parse::parse(&text)?;
        Ok(Self { text, root })
    }

    /// Reads a text.
    ///
    /// # Errors
    /// Go's complaint about its syntax.
    pub fn parse(text: &str) -> Result<Self, String> {
        let root = parse::parse(text)?;
        Ok(Self {
            text: text.to_owned(),
            root,
        })
    }

    /// The outermost value.
    #[must_use]
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A value's text.
    #[must_use]
    pub fn raw(&self, node: &Node) -> &str {
        &self.text[node.span.clone()]
    }
}

impl Node {
    /// The value as JSON.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match &self.kind {
            NodeKind::Null => Value::Null,
            NodeKind::Bool(b) => Value::Bool(*b),
            NodeKind::Number(n) => n.parse().map_or(Value::Null, Value::Number),
            NodeKind::String(s) => Value::String(s.clone()),
            NodeKind::Array(items) => items.iter().map(Self::to_value).collect(),
            NodeKind::Object(entries) => entries
                .iter()
                .map(|(name, node)| (name.clone(), node.to_value()))
                .collect(),
        }
    }

    /// What Go calls a value of this kind when it finds it in the wrong place.
    pub(super) fn go_name(&self) -> &'static str {
        match self.kind {
            NodeKind::Null => "null",
            NodeKind::Bool(_) => "bool",
            NodeKind::Number(_) => "number",
            NodeKind::String(_) => "string",
            NodeKind::Array(_) => "array",
            NodeKind::Object(_) => "object",
        }
    }

    /// How far Go's reader has come when it finds the value to be of the wrong kind: past
    /// a literal, or past the first character of a list or an object.
    pub(super) fn noticed_at(&self) -> usize {
        match self.kind {
            NodeKind::Array(_) | NodeKind::Object(_) => self.span.start + 1,
            _ => self.span.end,
        }
    }
}
