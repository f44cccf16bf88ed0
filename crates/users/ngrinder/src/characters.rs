//! Characters of a source, read one after the other.

/// The place that a lexer is at.
#[derive(Debug)]
pub(crate) struct CharacterReader {
    pub(crate) chars: Vec<char>,
    pub(crate) position: usize,
    /// From 1.
    pub(crate) line: u32,
}

impl CharacterReader {
    pub(crate) fn new(source: &str, first_line: u32) -> Self {
        Self {
            chars: source.chars().collect(),
            position: 0,
            line: first_line,
        }
    }

    /// The character so many further on.
    pub(crate) fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.position + ahead).copied()
    }

    /// Whether this text comes next.
    pub(crate) fn starts_with(&self, text: &str) -> bool {
        let mut chars = text.chars().enumerate();
        chars.all(|(at, char)| self.peek(at) == Some(char))
    }

    /// The next character, which is read with that.
    pub(crate) fn advance(&mut self) -> Option<char> {
        let char = self.peek(0)?;
        self.position += 1;
        if char == '\n' {
            self.line += 1;
        }
        Some(char)
    }

    /// Reads so many characters.
    pub(crate) fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.advance();
        }
    }
}
