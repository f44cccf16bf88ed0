//! Tokens of Groovy.

use crate::characters::CharacterReader;
use crate::loss::Mistake;
use crate::tokens::{Lexeme, TextPart, Token};

/// Those of more characters first.
const OPERATORS_AND_BRACKETS: [&str; 56] = [
    "..<", "===", "!==", "<=>", "==~", "**=", ">>>", "?.", "?:", "*.", ".&", "::", "->", "==",
    "!=", "<=", ">=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<",
    "=~", "..", "**", "{", "}", "(", ")", "[", "]", "<", ">", "=", "+", "-", "*", "/", "%", "!",
    "?", ":", ";", ",", ".", "@", "&", "|",
];

const LESS_USUAL: [&str; 3] = ["~", "^", "$"];

/// After these a `/` begins a pattern.
const BEFORE_VALUE: [&str; 4] = ["return", "in", "case", "assert"];

/// The tokens of a text whose first line has a number.
pub(super) fn lexemes(source: &str, first_line: u32) -> Result<Vec<Lexeme>, Mistake> {
    let mut lexer = Lexer {
        reader: CharacterReader::new(source, first_line),
        begins_line: true,
        follows_blank: true,
        lexemes: Vec::new(),
        open: Vec::new(),
    };
    while lexer.skip_blanks()? {
        lexer.read_one()?;
    }
    if let Some(open) = lexer.open.last() {
        return Err(Mistake::unread(open.line));
    }
    lexer.add(Token::End);
    Ok(lexer.lexemes)
}

/// A bracket that is not closed yet.
struct OpenBracket {
    closing: &'static str,
    line: u32,
}

struct Lexer {
    reader: CharacterReader,
    begins_line: bool,
    follows_blank: bool,
    lexemes: Vec<Lexeme>,
    open: Vec<OpenBracket>,
}

impl Lexer {
    fn add(&mut self, token: Token) {
        self.add_at(token, self.reader.line);
    }

    fn add_at(&mut self, token: Token, line: u32) {
        self.lexemes.push(Lexeme {
            token,
            line,
            begins_line: std::mem::take(&mut self.begins_line),
            follows_blank: std::mem::take(&mut self.follows_blank),
        });
    }

    /// Whether anything follows.
    fn skip_blanks(&mut self) -> Result<bool, Mistake> {
        while let Some(char) = self.reader.peek(0) {
            if char == '\n' {
                self.begins_line = true;
            } else if self.reader.starts_with("//")
                || (self.reader.position == 0 && self.reader.starts_with("#!"))
            {
                while self.reader.peek(0).is_some_and(|char| char != '\n') {
                    self.reader.advance();
                }
                continue;
            } else if self.reader.starts_with("/*") {
                self.skip_comment()?;
                continue;
            } else if char == '\\' && matches!(self.reader.peek(1), Some('\n' | '\r')) {
                self.reader.skip(2);
                continue;
            } else if !char.is_whitespace() && char != '\u{feff}' {
                return Ok(true);
            }
            self.follows_blank = true;
            self.reader.advance();
        }
        self.begins_line = true;
        Ok(false)
    }

    fn skip_comment(&mut self) -> Result<(), Mistake> {
        let line = self.reader.line;
        self.reader.skip(2);
        while !self.reader.starts_with("*/") {
            self.reader.advance().ok_or(Mistake::unread(line))?;
        }
        self.reader.skip(2);
        self.follows_blank = true;
        self.begins_line |= self.reader.line != line;
        Ok(())
    }

    fn read_one(&mut self) -> Result<(), Mistake> {
        let char = self.reader.peek(0).unwrap_or(' ');
        if char.is_alphabetic() || char == '_' || char == '$' {
            self.read_name();
            return Ok(());
        }
        if char.is_ascii_digit() {
            self.read_number();
            return Ok(());
        }
        match char {
            '\'' if self.reader.starts_with("'''") => self.read_text("'''", false),
            '"' if self.reader.starts_with("\"\"\"") => self.read_text("\"\"\"", true),
            '\'' => self.read_text("'", false),
            '"' => self.read_text("\"", true),
            '/' if !self.follows_value() && self.read_pattern() => Ok(()),
            _ => self.read_symbol(),
        }
    }

    fn read_name(&mut self) {
        let from = self.reader.position;
        let is_part = |char: char| char.is_alphanumeric() || char == '_' || char == '$';
        while self.reader.peek(0).is_some_and(is_part) {
            self.reader.position += 1;
        }
        let name = self.reader.chars[from..self.reader.position]
            .iter()
            .collect();
        self.add(Token::Name(name));
    }

    /// Underscores and the letters of a type are left out.
    fn read_number(&mut self) {
        let mut number = String::new();
        let is_hex = self.reader.starts_with("0x") || self.reader.starts_with("0X");
        while let Some(char) = self.reader.peek(0) {
            let is_point = char == '.'
                && self
                    .reader
                    .peek(1)
                    .is_some_and(|next| next.is_ascii_digit());
            let is_hex_part = is_hex && (char.is_ascii_hexdigit() || matches!(char, 'x' | 'X'));
            let is_part = char.is_ascii_digit() || (is_point && !number.contains('.'));
            if is_hex_part || is_part {
                number.push(char);
            } else if matches!(char, 'e' | 'E')
                && self.reader.peek(1).is_some_and(|c| c.is_ascii_digit())
            {
                number.push('e');
            } else if !char.is_ascii_alphanumeric() && char != '_' {
                break;
            }
            self.reader.position += 1;
        }
        self.add(Token::Number(number));
    }

    /// Whether a `/` divides what stands before it.
    fn follows_value(&self) -> bool {
        match self.lexemes.last().map(|one| &one.token) {
            Some(Token::Name(name)) => !BEFORE_VALUE.contains(&name.as_str()),
            Some(Token::Symbol(symbol)) => matches!(*symbol, ")" | "]" | "}" | "++" | "--"),
            Some(Token::Number(_) | Token::Text(_) | Token::Template(_) | Token::Regex(_)) => true,
            _ => false,
        }
    }

    /// A pattern between slashes; whether it ends on its line.
    fn read_pattern(&mut self) -> bool {
        let rest = self.reader.chars[self.reader.position + 1..]
            .iter()
            .enumerate();
        let mut line = rest.take_while(|(_, char)| **char != '\n');
        let mut is_escaped = false;
        let end = line.find(|(_, char)| {
            let is_end = **char == '/' && !is_escaped;
            is_escaped = **char == '\\' && !is_escaped;
            is_end
        });
        let Some((length, _)) = end.filter(|(length, _)| *length > 0) else {
            return false;
        };
        let from = self.reader.position + 1;
        let text: String = self.reader.chars[from..from + length].iter().collect();
        self.reader.position = from + length + 1;
        self.add(Token::Regex(text.replace("\\/", "/")));
        true
    }

    fn read_symbol(&mut self) -> Result<(), Mistake> {
        let mut known = OPERATORS_AND_BRACKETS.iter().chain(&LESS_USUAL);
        let Some(symbol) = known.find(|symbol| self.reader.starts_with(symbol)) else {
            return Err(Mistake::unread(self.reader.line));
        };
        self.note_bracket(symbol)?;
        self.reader.skip(symbol.chars().count());
        self.add(Token::Symbol(symbol));
        Ok(())
    }

    fn note_bracket(&mut self, symbol: &str) -> Result<(), Mistake> {
        let closing = match symbol {
            "{" => "}",
            "(" => ")",
            "[" => "]",
            "}" | ")" | "]" => {
                let open = self.open.pop();
                let is_its_own = open.is_some_and(|open| open.closing == symbol);
                return if is_its_own {
                    Ok(())
                } else {
                    Err(Mistake::unread(self.reader.line))
                };
            }
            _ => return Ok(()),
        };
        let line = self.reader.line;
        self.open.push(OpenBracket { closing, line });
        Ok(())
    }

    fn read_text(&mut self, quote: &str, has_values: bool) -> Result<(), Mistake> {
        let line = self.reader.line;
        self.reader.skip(quote.len());
        let mut parts = Vec::new();
        let mut text = String::new();
        loop {
            if self.reader.starts_with(quote) {
                self.reader.skip(quote.len());
                break;
            }
            let is_value = has_values && self.reader.peek(0) == Some('$');
            if let Some(value) = is_value.then(|| self.read_value()).transpose()?.flatten() {
                if !text.is_empty() {
                    parts.push(TextPart::Text(std::mem::take(&mut text)));
                }
                parts.push(value);
                continue;
            }
            let char = self.reader.advance().ok_or(Mistake::unread(line))?;
            match char {
                '\\' => self.read_escape(&mut text),
                '\n' if quote.len() == 1 => return Err(Mistake::unread(line)),
                _ => text.push(char),
            }
        }
        if parts.is_empty() {
            self.add_at(Token::Text(text), line);
            return Ok(());
        }
        if !text.is_empty() {
            parts.push(TextPart::Text(text));
        }
        self.add_at(Token::Template(parts), line);
        Ok(())
    }

    fn read_escape(&mut self, text: &mut String) {
        match self.reader.advance() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('b') => text.push('\u{8}'),
            Some('f') => text.push('\u{c}'),
            Some('\n') | None => {}
            Some('u') => {
                let from = self.reader.position;
                let digits = self.reader.chars.get(from..from + 4).unwrap_or_default();
                let digits: String = digits.iter().collect();
                let code = u32::from_str_radix(&digits, 16)
                    .ok()
                    .and_then(char::from_u32);
                if let Some(char) = code {
                    text.push(char);
                    self.reader.skip(4);
                }
            }
            Some(other) => text.push(other),
        }
    }

    /// `${...}`, or `$name.name`; None for a `$` that is one.
    fn read_value(&mut self) -> Result<Option<TextPart>, Mistake> {
        let line = self.reader.line;
        if self.reader.starts_with("${") {
            self.reader.skip(2);
            let from = self.reader.position;
            let mut depth = 1_u32;
            loop {
                match self.reader.advance().ok_or(Mistake::unread(line))? {
                    '{' => depth += 1,
                    '}' if depth == 1 => break,
                    '}' => depth -= 1,
                    _ => {}
                }
            }
            let source = self.reader.chars[from..self.reader.position - 1]
                .iter()
                .collect();
            return Ok(Some(TextPart::Code { source, line }));
        }
        let is_first = |char: char| char.is_alphabetic() || char == '_';
        if !self.reader.peek(1).is_some_and(is_first) {
            return Ok(None);
        }
        self.reader.skip(1);
        let from = self.reader.position;
        let is_part = |char: char| char.is_alphanumeric() || char == '_';
        loop {
            while self.reader.peek(0).is_some_and(is_part) {
                self.reader.advance();
            }
            if self.reader.peek(0) != Some('.') || !self.reader.peek(1).is_some_and(is_first) {
                break;
            }
            self.reader.advance();
        }
        let source = self.reader.chars[from..self.reader.position]
            .iter()
            .collect();
        Ok(Some(TextPart::Code { source, line }))
    }
}
