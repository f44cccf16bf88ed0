//! Tokens of both languages, and the place that a parser is at.

use crate::form::{Expr, ExprKind};
use crate::loss::{LossReason, Mistake};

/// Blocks, brackets and texts in each other that are read; a person writes fewer than twenty.
const DEPTH_MAX: u16 = 50;

/// Expressions in each other that are kept: they are walked by recursion.
const HEIGHT_MAX: u16 = 120;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Token {
    Name(String),
    Number(String),
    Text(String),
    /// A text with values in it.
    Template(Vec<TextPart>),
    Regex(String),
    Symbol(&'static str),
    /// The end of a line that ends a statement; Python only.
    LineEnd,
    Indent,
    Dedent,
    End,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TextPart {
    Text(String),
    /// What stands in `${...}`.
    Code {
        source: String,
        line: u32,
    },
}

#[derive(Debug, Clone)]
pub(crate) struct Lexeme {
    pub(crate) token: Token,
    pub(crate) line: u32,
    /// It is the first of its line.
    pub(crate) begins_line: bool,
    /// A blank stands before it.
    pub(crate) follows_blank: bool,
}

/// What was spent at some place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    depth: u16,
    tallest: u16,
}

/// The place that a parser is at, and what it may still spend.
#[derive(Debug)]
pub(crate) struct Cursor {
    lexemes: Vec<Lexeme>,
    position: usize,
    depth: u16,
    /// The height of the highest expression since a closure began.
    tallest: u16,
}

impl Cursor {
    /// At the beginning; the last lexeme is the end.
    pub(crate) fn new(lexemes: Vec<Lexeme>, depth: u16) -> Self {
        Self {
            lexemes,
            position: 0,
            depth,
            tallest: 0,
        }
    }

    pub(crate) fn depth(&self) -> u16 {
        self.depth
    }

    /// One level deeper, while there is one.
    pub(crate) fn enter(&mut self) -> Result<(), Mistake> {
        if self.depth >= DEPTH_MAX {
            return Err(Mistake::new(self.line(), LossReason::TooDeep));
        }
        self.depth += 1;
        Ok(())
    }

    pub(crate) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// Back to a place that was passed.
    pub(crate) fn go_to(&mut self, position: usize) {
        self.position = position;
    }

    fn lexeme(&self, ahead: usize) -> Option<&Lexeme> {
        self.lexemes
            .get(self.position + ahead)
            .or(self.lexemes.last())
    }

    pub(crate) fn peek(&self) -> &Token {
        self.peek_at(0)
    }

    pub(crate) fn peek_at(&self, ahead: usize) -> &Token {
        self.lexeme(ahead).map_or(&Token::End, |one| &one.token)
    }

    pub(crate) fn line(&self) -> u32 {
        self.lexeme(0).map_or(1, |one| one.line)
    }

    pub(crate) fn begins_line(&self) -> bool {
        self.begins_line_at(0)
    }

    pub(crate) fn begins_line_at(&self, ahead: usize) -> bool {
        self.lexeme(ahead).is_none_or(|one| one.begins_line)
    }

    pub(crate) fn follows_blank(&self) -> bool {
        self.lexeme(0).is_none_or(|one| one.follows_blank)
    }

    pub(crate) fn advance(&mut self) -> Token {
        let token = self.peek().clone();
        if self.position < self.lexemes.len() {
            self.position += 1;
        }
        token
    }

    pub(crate) fn is_end(&self) -> bool {
        *self.peek() == Token::End
    }

    pub(crate) fn is_symbol(&self, symbol: &str) -> bool {
        self.is_symbol_at(0, symbol)
    }

    pub(crate) fn is_symbol_at(&self, ahead: usize, symbol: &str) -> bool {
        matches!(self.peek_at(ahead), Token::Symbol(one) if *one == symbol)
    }

    pub(crate) fn eat_symbol(&mut self, symbol: &str) -> bool {
        let is_there = self.is_symbol(symbol);
        if is_there {
            self.advance();
        }
        is_there
    }

    pub(crate) fn expect_symbol(&mut self, symbol: &str) -> Result<(), Mistake> {
        if self.eat_symbol(symbol) {
            return Ok(());
        }
        Err(Mistake::unread(self.line()))
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Name(name) if name == word)
    }

    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let is_there = self.is_word(word);
        if is_there {
            self.advance();
        }
        is_there
    }

    pub(crate) fn expect_name(&mut self) -> Result<String, Mistake> {
        let line = self.line();
        match self.advance() {
            Token::Name(name) => Ok(name),
            _ => Err(Mistake::unread(line)),
        }
    }

    /// A name that follows on the same line, passed.
    pub(crate) fn name_if_there(&mut self) -> Option<String> {
        let Token::Name(name) = self.peek().clone() else {
            return None;
        };
        self.advance();
        Some(name)
    }

    /// Whether a symbol was passed last.
    pub(crate) fn is_behind(&self, symbol: &str) -> bool {
        let last = self
            .position
            .checked_sub(1)
            .and_then(|at| self.lexemes.get(at));
        last.is_some_and(|one| matches!(one.token, Token::Symbol(passed) if passed == symbol))
    }

    /// A dotted name, as of an import.
    pub(crate) fn dotted_name(&mut self) -> Result<String, Mistake> {
        let mut name = self.expect_name()?;
        while self.is_symbol(".") && matches!(self.peek_at(1), Token::Name(_)) {
            self.advance();
            name.push('.');
            name.push_str(&self.expect_name()?);
        }
        Ok(name)
    }

    /// Makes an expression, unless too many lie in each other.
    pub(crate) fn expr(&mut self, kind: ExprKind, line: u32) -> Result<Expr, Mistake> {
        let inner = match &kind {
            ExprKind::Closure(_) => self.tallest,
            _ => kind
                .children()
                .iter()
                .map(|one| one.height)
                .max()
                .unwrap_or(0),
        };
        if inner >= HEIGHT_MAX {
            return Err(Mistake::new(line, LossReason::TooDeep));
        }
        let height = inner + 1;
        self.tallest = self.tallest.max(height);
        Ok(Expr { kind, line, height })
    }

    /// What to come back to when a statement cannot be read.
    pub(crate) fn budget(&self) -> Budget {
        Budget {
            depth: self.depth,
            tallest: self.tallest,
        }
    }

    pub(crate) fn restore(&mut self, budget: Budget) {
        self.depth = budget.depth;
        self.tallest = self.tallest.max(budget.tallest);
    }

    /// Begins to look for the highest expression anew; what it was until now.
    pub(crate) fn begin_closure(&mut self) -> u16 {
        std::mem::take(&mut self.tallest)
    }

    pub(crate) fn end_closure(&mut self, before: u16) {
        self.tallest = self.tallest.max(before);
    }
}
