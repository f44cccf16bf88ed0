//! Tokens of Python, with the blocks that indentation makes.

use crate::characters::CharacterReader;
use crate::loss::Mistake;
use crate::tokens::{Lexeme, Token};

/// Those of more characters first.
const OPERATORS_AND_BRACKETS: [&str; 40] = [
    "**=", "//=", "==", "!=", "<>", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "**", "//", "<<",
    ">>", "->", "{", "}", "(", ")", "[", "]", "<", ">", "=", "+", "-", "*", "/", "%", ":", ";",
    ",", ".", "@", "&", "|", "~", "^",
];

/// How far a tab goes on.
const TAB_WIDTH: usize = 8;

pub(super) fn lexemes(source: &str) -> Result<Vec<Lexeme>, Mistake> {
    let mut lexer = Lexer {
        reader: CharacterReader::new(source, 1),
        lexemes: Vec::new(),
        indents: vec![0],
        open: Vec::new(),
    };
    lexer.read_all()?;
    Ok(lexer.lexemes)
}

struct Lexer {
    reader: CharacterReader,
    lexemes: Vec<Lexeme>,
    indents: Vec<usize>,
    /// Lines of the brackets that are not closed yet.
    open: Vec<u32>,
}

impl Lexer {
    fn add(&mut self, token: Token, line: u32) {
        self.lexemes.push(Lexeme {
            token,
            line,
            begins_line: false,
            follows_blank: false,
        });
    }

    fn read_all(&mut self) -> Result<(), Mistake> {
        while self.reader.peek(0).is_some() {
            self.read_indent();
            self.read_line()?;
        }
        if let Some(line) = self.open.last() {
            return Err(Mistake::unread(*line));
        }
        self.add(Token::LineEnd, self.reader.line);
        for _ in 1..self.indents.len() {
            self.add(Token::Dedent, self.reader.line);
        }
        self.add(Token::End, self.reader.line);
        Ok(())
    }

    /// The blanks before a line; lines of nothing and of a comment change no block.
    fn read_indent(&mut self) {
        let mut width = 0;
        while let Some(char) = self.reader.peek(0) {
            match char {
                ' ' | '\u{feff}' => width += 1,
                '\t' => width += TAB_WIDTH - width % TAB_WIDTH,
                '\r' => {}
                _ => break,
            }
            self.reader.position += 1;
        }
        if matches!(self.reader.peek(0), None | Some('\n' | '#')) {
            return;
        }
        if self.indents.last().is_some_and(|last| width > *last) {
            self.indents.push(width);
            self.add(Token::Indent, self.reader.line);
        }
        while self.indents.len() > 1 && self.indents.last().is_some_and(|last| width < *last) {
            self.indents.pop();
            self.add(Token::Dedent, self.reader.line);
        }
    }

    /// Up to the end of a line that ends a statement.
    fn read_line(&mut self) -> Result<(), Mistake> {
        while let Some(char) = self.reader.peek(0) {
            match char {
                '\n' => {
                    let line = self.reader.line;
                    self.reader.advance();
                    if self.open.is_empty() {
                        self.end_line(line);
                        return Ok(());
                    }
                }
                '#' => {
                    while self.reader.peek(0).is_some_and(|char| char != '\n') {
                        self.reader.position += 1;
                    }
                }
                '\\' if self.continues_line() => {}
                char if char.is_whitespace() || char == '\u{feff}' => self.reader.position += 1,
                _ => self.read_one()?,
            }
        }
        Ok(())
    }

    /// A backslash at the end of a line, passed.
    fn continues_line(&mut self) -> bool {
        let length = if self.reader.starts_with("\\\r\n") {
            3
        } else {
            2
        };
        let is_last = self.reader.peek(length - 1) == Some('\n');
        if is_last {
            for _ in 0..length {
                self.reader.advance();
            }
        }
        is_last
    }

    fn end_line(&mut self, line: u32) {
        let last = self.lexemes.last().map(|one| &one.token);
        if !matches!(
            last,
            None | Some(Token::LineEnd | Token::Indent | Token::Dedent)
        ) {
            self.add(Token::LineEnd, line);
        }
    }

    fn read_one(&mut self) -> Result<(), Mistake> {
        let char = self.reader.peek(0).unwrap_or(' ');
        if self.text_begins() {
            return self.read_text();
        }
        if char.is_alphabetic() || char == '_' {
            let from = self.reader.position;
            let is_part = |char: char| char.is_alphanumeric() || char == '_';
            while self.reader.peek(0).is_some_and(is_part) {
                self.reader.position += 1;
            }
            let name = self.reader.chars[from..self.reader.position]
                .iter()
                .collect();
            self.add(Token::Name(name), self.reader.line);
            return Ok(());
        }
        if char.is_ascii_digit() {
            self.read_number();
            return Ok(());
        }
        let Some(symbol) = OPERATORS_AND_BRACKETS
            .iter()
            .find(|symbol| self.reader.starts_with(symbol))
        else {
            return Err(Mistake::unread(self.reader.line));
        };
        match *symbol {
            "{" | "(" | "[" => self.open.push(self.reader.line),
            "}" | ")" | "]" => {
                self.open.pop().ok_or(Mistake::unread(self.reader.line))?;
            }
            _ => {}
        }
        self.reader.position += symbol.len();
        self.add(Token::Symbol(symbol), self.reader.line);
        Ok(())
    }

    /// The letters of a type are left out.
    fn read_number(&mut self) {
        let mut number = String::new();
        let is_hex = self.reader.starts_with("0x") || self.reader.starts_with("0X");
        while let Some(char) = self.reader.peek(0) {
            let is_hex_digit = is_hex && (char.is_ascii_hexdigit() || matches!(char, 'x' | 'X'));
            if char.is_ascii_digit() || is_hex_digit || (char == '.' && !number.contains('.')) {
                number.push(char);
            } else if !char.is_ascii_alphanumeric() {
                break;
            }
            self.reader.position += 1;
        }
        self.add(Token::Number(number), self.reader.line);
    }

    /// A quote, or the letters that may stand before one.
    fn text_begins(&self) -> bool {
        let is_letter = |char: char| matches!(char, 'r' | 'u' | 'b' | 'R' | 'U' | 'B');
        let letters = (0..2).take_while(|at| self.reader.peek(*at).is_some_and(is_letter));
        matches!(self.reader.peek(letters.count()), Some('"' | '\''))
    }

    fn read_text(&mut self) -> Result<(), Mistake> {
        let line = self.reader.line;
        let mut is_raw = false;
        while let Some(letter) = self.reader.peek(0).filter(|char| char.is_alphabetic()) {
            is_raw |= matches!(letter, 'r' | 'R');
            self.reader.position += 1;
        }
        let quote = ["\"\"\"", "'''", "\"", "'"]
            .into_iter()
            .find(|quote| self.reader.starts_with(quote))
            .ok_or(Mistake::unread(line))?;
        self.reader.position += quote.len();
        let mut text = String::new();
        while !self.reader.starts_with(quote) {
            let char = self.reader.advance().ok_or(Mistake::unread(line))?;
            match char {
                '\\' if is_raw => {
                    text.push('\\');
                    text.extend(self.reader.advance());
                }
                '\\' => self.read_escape(&mut text),
                '\n' if quote.len() == 1 => return Err(Mistake::unread(line)),
                _ => text.push(char),
            }
        }
        self.reader.position += quote.len();
        self.add(Token::Text(text), line);
        Ok(())
    }

    fn read_escape(&mut self, text: &mut String) {
        match self.reader.advance() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('\n') | None => {}
            Some(kind @ ('u' | 'x')) => {
                let length = if kind == 'u' { 4 } else { 2 };
                let from = self.reader.position;
                let digits = self
                    .reader
                    .chars
                    .get(from..from + length)
                    .unwrap_or_default();
                let digits: String = digits.iter().collect();
                let code = u32::from_str_radix(&digits, 16)
                    .ok()
                    .and_then(char::from_u32);
                if let Some(char) = code {
                    text.push(char);
                    self.reader.position += length;
                }
            }
            Some(char @ ('\\' | '\'' | '"')) => text.push(char),
            Some(other) => {
                text.push('\\');
                text.push(other);
            }
        }
    }
}
