//! Splits JSON into tokens with their positions, as Go's `protojson` does.

use crate::JsonError;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    End,
    Null,
    Bool,
    Number,
    String,
    Name,
    ObjectOpen,
    ObjectClose,
    ArrayOpen,
    ArrayClose,
}

/// One token.
#[derive(Debug, Clone)]
pub(crate) struct Token<'t> {
    pub(crate) kind: Kind,
    /// Where it begins, in bytes.
    pub(crate) at: usize,
    /// As it is written.
    pub(crate) raw: &'t str,
    /// For strings and names: without quotes and escapes.
    pub(crate) text: String,
}

impl Token<'_> {
    pub(crate) fn is_true(&self) -> bool {
        self.raw == "true"
    }

    /// A whole number as digits: `1.50e1` is 15.
    pub(crate) fn int_text(&self) -> Option<String> {
        (self.kind == Kind::Number)
            .then(|| whole_number(self.raw))
            .flatten()
    }
}

/// A JSON number as digits, if it is whole.
fn whole_number(raw: &str) -> Option<String> {
    let (negative, rest) = match raw.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, raw),
    };
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (rest, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let (whole, fraction) = (
        whole.trim_start_matches('0'),
        fraction.trim_end_matches('0'),
    );
    if whole.is_empty() && fraction.is_empty() {
        return Some("0".to_owned());
    }
    let mut digits = whole.to_owned();
    if let Ok(exponent) = usize::try_from(exponent) {
        /// More digits than the largest number has.
        const DIGITS_MAX: usize = 20;
        if fraction.len() > exponent || whole.len() + exponent > DIGITS_MAX {
            return None;
        }
        digits.push_str(fraction);
        digits.extend(std::iter::repeat_n('0', exponent - fraction.len()));
    } else {
        let cut = usize::try_from(exponent.unsigned_abs()).ok()?;
        let kept = digits.len().checked_sub(cut)?;
        if !fraction.is_empty() || digits[kept..].bytes().any(|digit| digit != b'0') {
            return None;
        }
        digits.truncate(kept);
    }
    Some(if negative {
        format!("-{digits}")
    } else {
        digits
    })
}

/// Reads tokens; checks and skips commas.
#[derive(Debug, Clone)]
pub(crate) struct Tokens<'t> {
    text: &'t str,
    at: usize,
    /// The open objects and arrays, innermost last.
    open: Vec<Kind>,
    /// The previous token; `None` inside for a comma.
    last: Option<Option<Kind>>,
    peeked: Option<Token<'t>>,
}

impl<'t> Tokens<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let mut tokens = Self {
            text,
            at: 0,
            open: Vec::new(),
            last: None,
            peeked: None,
        };
        tokens.skip_space();
        tokens
    }

    pub(crate) fn peek(&mut self) -> Result<Kind, JsonError> {
        if self.peeked.is_none() {
            self.peeked = Some(self.next()?);
        }
        Ok(self.peeked.as_ref().map_or(Kind::End, |token| token.kind))
    }

    /// The token that [`peek`](Self::peek) saw.
    pub(crate) fn peeked(&mut self) -> Result<Token<'t>, JsonError> {
        self.peek()?;
        let token = self.peeked.clone();
        token.ok_or_else(unexpected_end)
    }

    pub(crate) fn read(&mut self) -> Result<Token<'t>, JsonError> {
        match self.peeked.take() {
            Some(token) => Ok(token),
            None => self.next(),
        }
    }

    fn next(&mut self) -> Result<Token<'t>, JsonError> {
        loop {
            if self.text[self.at..].starts_with(',') {
                let fits = !self.open.is_empty()
                    && matches!(self.last, Some(Some(kind)) if ends_value(kind));
                if !fits {
                    return Err(self.unexpected_at(self.at, ","));
                }
                self.take(1);
                self.last = Some(None);
                continue;
            }
            let token = self.scan()?;
            self.last = Some(Some(token.kind));
            return Ok(token);
        }
    }

    fn scan(&mut self) -> Result<Token<'t>, JsonError> {
        let at = self.at;
        let Some(first) = self.text.as_bytes().get(at) else {
            let whole = self.open.is_empty() && self.last.is_some();
            return if whole {
                Ok(self.token(Kind::End, 0))
            } else {
                Err(unexpected_end())
            };
        };
        let value_next = self.is_value_next();
        let (kind, length) = match first {
            b'{' => (Kind::ObjectOpen, 1),
            b'}' => (Kind::ObjectClose, 1),
            b'[' => (Kind::ArrayOpen, 1),
            b']' => (Kind::ArrayClose, 1),
            b'"' => return self.string(value_next),
            _ => {
                let word = self.word();
                let kind = match word {
                    "null" => Kind::Null,
                    "true" | "false" => Kind::Bool,
                    word if is_number(word) => Kind::Number,
                    _ => return Err(self.invalid_value()),
                };
                (kind, word.len())
            }
        };
        let raw = &self.text[at..at + length];
        let fits = match kind {
            Kind::ObjectClose => {
                self.open.pop() == Some(Kind::ObjectOpen)
                    && !matches!(self.last, Some(None | Some(Kind::Name)))
            }
            Kind::ArrayClose => {
                self.open.pop() == Some(Kind::ArrayOpen) && !matches!(self.last, Some(None))
            }
            _ => value_next,
        };
        if !fits {
            return Err(self.unexpected_at(at, raw));
        }
        if matches!(kind, Kind::ObjectOpen | Kind::ArrayOpen) {
            self.open.push(kind);
        }
        Ok(self.token(kind, length))
    }

    fn is_value_next(&self) -> bool {
        match self.open.last() {
            None => self.last.is_none(),
            Some(Kind::ObjectOpen) => self.last == Some(Some(Kind::Name)),
            Some(_) => matches!(self.last, Some(None | Some(Kind::ArrayOpen))),
        }
    }

    fn string(&mut self, value_next: bool) -> Result<Token<'t>, JsonError> {
        let at = self.at;
        let (text, length) = self.unquote()?;
        let raw = &self.text[at..at + length];
        if value_next {
            let mut token = self.token(Kind::String, length);
            token.text = text;
            return Ok(token);
        }
        let fits = self.open.last() == Some(&Kind::ObjectOpen)
            && matches!(self.last, Some(None | Some(Kind::ObjectOpen)));
        if !fits {
            return Err(self.unexpected_at(at, raw));
        }
        let mut token = self.token(Kind::Name, length);
        token.text = text;
        match self.text[self.at..].chars().next() {
            None => Err(unexpected_end()),
            Some(':') => {
                self.take(1);
                Ok(token)
            }
            Some(c) => Err(self.syntax_error(
                self.at,
                &format!("unexpected character {c}, missing \":\" after field name"),
            )),
        }
    }

    /// The string that begins here, and its length in bytes.
    fn unquote(&self) -> Result<(String, usize), JsonError> {
        let rest = &self.text[self.at + 1..];
        let mut out = String::new();
        let mut chars = rest.char_indices();
        while let Some((place, c)) = chars.next() {
            match c {
                '"' => return Ok((out, place + 2)),
                '\\' => {
                    let escape = &rest[place..];
                    let (c, length) = unescape(escape).ok_or_else(|| {
                        let shown: String = escape.chars().take(6).collect();
                        let text = format!("invalid escape code {shown:?} in string");
                        self.syntax_error(self.at, &text)
                    })?;
                    out.push(c);
                    // Escapes contain only ASCII.
                    chars.nth(length - 2);
                }
                c if c < ' ' => {
                    let text = format!("invalid character {c:?} in string");
                    return Err(self.syntax_error(self.at, &text));
                }
                c => out.push(c),
            }
        }
        Err(unexpected_end())
    }

    /// The text up to the next delimiter.
    fn word(&self) -> &'t str {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "-+._".contains(c)));
        &rest[..end.unwrap_or(rest.len())]
    }

    fn invalid_value(&self) -> JsonError {
        const SHOWN_BYTES_MAX: usize = 32;
        let word = self.word();
        let shown = if word.is_empty() {
            let rest = &self.text[self.at..];
            &rest[..rest.chars().next().map_or(0, char::len_utf8)]
        } else {
            &word[..word.len().min(SHOWN_BYTES_MAX)]
        };
        self.syntax_error(self.at, &format!("invalid value {shown}"))
    }

    fn token(&mut self, kind: Kind, length: usize) -> Token<'t> {
        let at = self.at;
        self.take(length);
        Token {
            kind,
            at,
            raw: &self.text[at..at + length],
            text: String::new(),
        }
    }

    fn take(&mut self, length: usize) {
        self.at += length;
        self.skip_space();
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\n', '\r', '\t']).len();
    }

    /// `(line L:C): ` and `text`.
    pub(crate) fn error(&self, at: usize, text: &str) -> JsonError {
        let (line, column) = self.place(at);
        JsonError(format!("(line {line}:{column}): {text}"))
    }

    pub(crate) fn syntax_error(&self, at: usize, text: &str) -> JsonError {
        let (line, column) = self.place(at);
        JsonError(format!("syntax error (line {line}:{column}): {text}"))
    }

    pub(crate) fn unexpected(&self, token: &Token<'_>) -> JsonError {
        self.unexpected_at(token.at, token.raw)
    }

    fn unexpected_at(&self, at: usize, raw: &str) -> JsonError {
        self.syntax_error(at, &format!("unexpected token {raw}"))
    }

    /// Line and column, from 1, in characters.
    fn place(&self, at: usize) -> (usize, usize) {
        let before = &self.text[..at];
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        (line, before[start..].chars().count() + 1)
    }
}

fn unexpected_end() -> JsonError {
    JsonError::new("unexpected EOF")
}

fn ends_value(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Null
            | Kind::Bool
            | Kind::Number
            | Kind::String
            | Kind::ObjectClose
            | Kind::ArrayClose
    )
}

/// Whether `word` is exactly one JSON number.
pub(crate) fn is_number(word: &str) -> bool {
    let rest = word.strip_prefix('-').unwrap_or(word);
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(rest);
    if whole == 0 || (whole > 1 && rest.starts_with('0')) {
        return false;
    }
    let mut rest = &rest[whole..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let count = digits(fraction);
        if count == 0 {
            return false;
        }
        rest = &fraction[count..];
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let count = digits(exponent);
        return count > 0 && count == exponent.len();
    }
    rest.is_empty()
}

/// The character of an escape, and the escape's length in bytes.
fn unescape(escape: &str) -> Option<(char, usize)> {
    let simple = match escape.as_bytes().get(1)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let unit = |from: usize| -> Option<u16> {
                let digits = escape.get(from..from + 4)?;
                let is_hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
                is_hex.then(|| u16::from_str_radix(digits, 16).ok())?
            };
            let first = unit(2)?;
            if let Some(c) = char::from_u32(u32::from(first)) {
                return Some((c, 6));
            }
            if escape.get(6..8)? != "\\u" {
                return None;
            }
            let c = char::decode_utf16([first, unit(8)?]).next()?.ok()?;
            return Some((c, 12));
        }
        _ => return None,
    };
    Some((simple, 2))
}
