//! Pieces of JavaScript.

/// How tightly an expression holds together: one that holds less is put in parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Assign,
    Choice,
    Or,
    And,
    Equal,
    Compare,
    Add,
    Multiply,
    Unary,
    Atom,
}

/// An expression in JavaScript.
#[derive(Debug, Clone)]
pub(super) struct Code {
    pub(super) text: String,
    rank: Rank,
}

impl Code {
    pub(super) fn new(text: impl Into<String>, rank: Rank) -> Self {
        let text = text.into();
        Self { text, rank }
    }

    pub(super) fn atom(text: impl Into<String>) -> Self {
        Self::new(text, Rank::Atom)
    }

    /// The text where at least so much is needed.
    pub(super) fn at(self, rank: Rank) -> String {
        if self.rank >= rank {
            return self.text;
        }
        format!("({})", self.text)
    }

    /// The text where it is followed by `.name`, `[...]` or `(...)`.
    pub(super) fn receiver(self) -> String {
        let is_number = self.text.starts_with(|char: char| char.is_ascii_digit());
        // `{` at the beginning of a statement is a block.
        if is_number || self.text.starts_with('{') {
            return format!("({})", self.text);
        }
        self.at(Rank::Atom)
    }
}

/// A text in quotation marks, on one line.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('\'');
    for char in text.chars() {
        match char {
            '\'' => quoted.push_str("\\'"),
            _ => push_escaped(&mut quoted, char),
        }
    }
    quoted.push('\'');
    quoted
}

/// The text of a template, without its values.
pub(super) fn template_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '`' => escaped.push_str("\\`"),
            '$' if chars.peek() == Some(&'{') => escaped.push_str("\\$"),
            '\n' => escaped.push('\n'),
            _ => push_escaped(&mut escaped, char),
        }
    }
    escaped
}

fn push_escaped(text: &mut String, char: char) {
    match char {
        '\\' => text.push_str("\\\\"),
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        '\u{2028}' | '\u{2029}' => text.push_str(&format!("\\u{:04x}", u32::from(char))),
        char if char.is_control() => text.push_str(&format!("\\u{:04x}", u32::from(char))),
        char => text.push(char),
    }
}

/// A key of an object.
pub(super) fn key(text: &str) -> String {
    if is_identifier(text) {
        return text.to_owned();
    }
    quoted(text)
}

/// `.name`, or `['name']` where it is no name.
pub(super) fn member(text: &str) -> String {
    if is_identifier(text) {
        return format!(".{text}");
    }
    format!("[{}]", quoted(text))
}

fn is_identifier(text: &str) -> bool {
    let is_first = |char: char| char.is_ascii_alphabetic() || char == '_' || char == '$';
    let is_part = |char: char| char.is_ascii_alphanumeric() || char == '_' || char == '$';
    text.starts_with(is_first) && text.chars().all(is_part) && text != "__proto__"
}

/// Lines of a script.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) text: String,
}

impl Lines {
    pub(super) fn push(&mut self, depth: usize, line: &str) {
        if !line.is_empty() {
            self.text.push_str(&indent(depth));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }
}

pub(super) fn indent(depth: usize) -> String {
    "  ".repeat(depth)
}
