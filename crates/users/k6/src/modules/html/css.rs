//! CSS selectors as k6 reads them: level 3 without pseudo-elements, plus what Go's `cascadia`
//! adds (`:contains`, `:matches`, `:has`, `:haschild`, `:input`, `[a!=b]`, `[a#=regex]`).
//!
//! We have our own because the `selectors` crate reads a different language: it lacks these
//! additions, and it accepts selectors that match nothing in k6.

mod matching;
mod parser;

use regex::Regex;

/// A selector that matches nothing, as what k6 cannot read does, or a group of them.
#[derive(Debug, Clone)]
pub(super) struct Selector {
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
    Not(Selector),
    Has(Selector),
    HasChild(Selector),
    /// Lower case; in the text of the node's own children only, or of all within it.
    Contains {
        text: String,
        own: bool,
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
    Empty,
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

impl Selector {
    /// Reads a selector; one that cannot be read matches nothing.
    pub(super) fn new(text: &str) -> Self {
        parser::parse(text).unwrap_or(Self { group: Vec::new() })
    }
}

#[cfg(test)]
mod tests;
