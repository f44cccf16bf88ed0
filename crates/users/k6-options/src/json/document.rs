//! A JSON text and its values.

use serde_json::Value;

use super::node::Node;
use super::parse;
use super::write::to_pretty_text;

/// A JSON text with its values and their places.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    text: String,
    root: Node,
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
