//! CSS selectors, level 3 without pseudo-elements, in two dialects.
//!
//! k6's is that of Go's `cascadia`, with `:contains`, `:matches`, `:has`, `:haschild`, `:input`,
//! `[a!=b]` and `[a#=regex]`. Artillery's is that of `cheerio`: there, `:matches` is `:is`,
//! `:contains` minds case, and an attribute's value may begin with a digit.
//!
//! We have our own because the `selectors` crate reads a third language: it lacks these
//! additions, and it accepts selectors that match nothing in k6.

mod matching;
mod parser;

use regex::Regex;

use crate::tree::{HtmlDocument, NodeId};

/// Whose selectors are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SelectorDialect {
    /// k6's.
    Cascadia,
    /// Artillery's.
    Cheerio,
}

/// A group of selectors; an empty one matches nothing.
#[derive(Debug, Clone)]
pub struct CssSelector {
    group: Vec<Complex>,
}

/// Compounds from right to left.
#[derive(Debug, Clone)]
struct Complex {
    subject: Compound,
    /// The compounds to the left, nearest first, and how they relate.
    context: Vec<(Combinator, Compound)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Combinator {
    Descendant,
    Child,
    Adjacent,
    Sibling,
}

/// All of these; without any, every element.
#[derive(Debug, Clone, Default)]
struct Compound {
    parts: Vec<Simple>,
}

#[derive(Debug, Clone)]
enum Simple {
    Tag(String),
    Id(String),
    Class(String),
    Attribute {
        name: String,
        test: Test,
        ignores_case: bool,
    },
    Is(CssSelector),
    Not(CssSelector),
    Has(CssSelector),
    HasChild(CssSelector),
    /// In the text of the node's own children only, or of all within it; in lower case when
    /// case does not count.
    Contains {
        text: String,
        own: bool,
        ignores_case: bool,
    },
    Matches {
        pattern: Regex,
        own: bool,
    },
    Nth(Nth),
    OnlyChild {
        of_type: bool,
    },
    Input,
    /// No element and no text, or none but blanks.
    Empty {
        ignores_blanks: bool,
    },
    Root,
    Link,
    Lang(String),
    Enabled,
    Disabled,
    Checked,
    Never,
}

#[derive(Debug, Clone)]
enum Test {
    Present,
    Equal(String),
    NotEqual(String),
    Word(String),
    Dash(String),
    Prefix(String),
    Suffix(String),
    Substring(String),
    Pattern(Regex),
}

/// `an + b`
#[derive(Debug, Clone, Copy)]
struct Nth {
    a: i64,
    b: i64,
    last: bool,
    of_type: bool,
}

impl CssSelector {
    /// Reads a selector; `None` when it cannot be read.
    #[must_use]
    pub fn parse(text: &str, dialect: SelectorDialect) -> Option<Self> {
        parser::parse(text, dialect)
    }

    /// Reads a selector as k6 does: one that cannot be read matches nothing.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self::parse(text, SelectorDialect::Cascadia).unwrap_or(Self { group: Vec::new() })
    }

    /// The elements of a document that match, in its order.
    pub fn elements(&self, document: &HtmlDocument) -> impl Iterator<Item = NodeId> {
        document
            .subtree(HtmlDocument::ROOT)
            .filter(|id| document.is_element(*id) && self.matches(document, *id))
    }
}

#[cfg(test)]
mod tests;
