//! What is wrong with a text that is no JSON, in the words of k6's `JSON.parse`.
//!
//! They are those of Go's decoder, which reads token by token: a scalar that is followed
//! by something else is whole, and what follows is the mistake.

/// The mistake; `None` when Go's decoder finds none.
pub(super) fn mistake(text: &[u8]) -> Option<String> {
    let mut reader = Reader {
        text,
        at: 0,
        state: State::Top,
        outer: Vec::new(),
    };
    loop {
        match reader.token() {
            Err(message) => return Some(message),
            Ok(None) => return Some("Unexpected end of JSON input (EOF)".to_owned()),
            Ok(Some(_)) if reader.state == State::Top => break,
            Ok(Some(_)) => {}
        }
    }
    let shown = match reader.token() {
        Ok(None) => return None,
        Ok(Some(token)) => token,
        Err(_) => "<nil>".to_owned(),
    };
    Some(format!("Unexpected token at the end: {shown}"))
}

/// Where in a list or an object the reader is.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Top,
    ListStart,
    ListItem,
    ListComma,
    ObjectStart,
    ObjectKey,
    ObjectColon,
    ObjectValue,
    ObjectComma,
}

impl State {
    /// What Go adds to a character that may not stand here.
    const fn place(self) -> &'static str {
        match self {
            Self::Top | Self::ListStart | Self::ListItem | Self::ObjectValue => {
                " looking for beginning of value"
            }
            Self::ListComma => " after array element",
            Self::ObjectStart => "",
            Self::ObjectKey => " looking for beginning of object key string",
            Self::ObjectColon => " after object key",
            Self::ObjectComma => " after object key:value pair",
        }
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    state: State,
    /// The states of the lists and objects around.
    outer: Vec<State>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// The next token as Go shows it; `None` at the end of the text.
    fn token(&mut self) -> Result<Option<String>, String> {
        use State::{
            ListComma, ListItem, ListStart, ObjectColon, ObjectComma, ObjectKey, ObjectStart,
            ObjectValue, Top,
        };
        loop {
            while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
                self.at += 1;
            }
            let Some(byte) = self.peek() else {
                return Ok(None);
            };
            match (byte, self.state) {
                (b'[', Top | ListStart | ListItem | ObjectValue) => self.open(ListStart),
                (b'{', Top | ListStart | ListItem | ObjectValue) => self.open(ObjectStart),
                (b']', ListStart | ListComma) | (b'}', ObjectStart | ObjectComma) => {
                    self.state = self.outer.pop().unwrap_or(Top);
                    self.at += 1;
                    self.end_value();
                }
                (b':', ObjectColon) => {
                    self.step(ObjectValue);
                    continue;
                }
                (b',', ListComma) => {
                    self.step(ListItem);
                    continue;
                }
                (b',', ObjectComma) => {
                    self.step(ObjectKey);
                    continue;
                }
                (b'"', ObjectStart | ObjectKey) => {
                    let key = self.scalar()?;
                    self.state = ObjectColon;
                    return Ok(Some(key));
                }
                (b'[' | b']' | b'{' | b'}' | b':' | b',', _)
                | (_, ListComma | ObjectStart | ObjectKey | ObjectColon | ObjectComma) => {
                    return Err(invalid(byte, self.state.place()));
                }
                (_, Top | ListStart | ListItem | ObjectValue) => {
                    let shown = self.scalar()?;
                    self.end_value();
                    return Ok(Some(shown));
                }
            }
            return Ok(Some(char::from(byte).to_string()));
        }
    }

    fn open(&mut self, state: State) {
        self.outer.push(self.state);
        self.step(state);
    }

    fn step(&mut self, state: State) {
        self.state = state;
        self.at += 1;
    }

    fn end_value(&mut self) {
        self.state = match self.state {
            State::ListStart | State::ListItem => State::ListComma,
            State::ObjectValue => State::ObjectComma,
            other => other,
        };
    }

    /// A text, number, `true`, `false` or `null`, as Go shows it.
    fn scalar(&mut self) -> Result<String, String> {
        let start = self.at;
        match self.peek() {
            Some(b'"') => self.string()?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true")?,
            Some(b'f') => self.word("false")?,
            Some(b'n') => self.word("null")?,
            Some(byte) => return Err(invalid(byte, State::Top.place())),
            None => return Err(cut()),
        }
        let shown = String::from_utf8_lossy(&self.text[start..self.at]).into_owned();
        Ok(match shown.as_str() {
            "null" => "<nil>".to_owned(),
            text => text.trim_matches('"').to_owned(),
        })
    }

    fn next(&mut self) -> Result<u8, String> {
        let byte = self.peek().ok_or_else(cut)?;
        self.at += 1;
        Ok(byte)
    }

    fn word(&mut self, word: &str) -> Result<(), String> {
        for expected in word.bytes() {
            let byte = self.next()?;
            if byte != expected {
                let expected = char::from(expected);
                return Err(invalid(
                    byte,
                    &format!(" in literal {word} (expecting '{expected}')"),
                ));
            }
        }
        Ok(())
    }

    fn string(&mut self) -> Result<(), String> {
        self.at += 1;
        loop {
            match self.next()? {
                b'"' => return Ok(()),
                b'\\' => match self.next()? {
                    b'b' | b'f' | b'n' | b'r' | b't' | b'\\' | b'/' | b'"' => {}
                    b'u' => {
                        for _ in 0..4 {
                            let byte = self.next()?;
                            if !byte.is_ascii_hexdigit() {
                                return Err(invalid(byte, " in \\u hexadecimal character escape"));
                            }
                        }
                    }
                    byte => return Err(invalid(byte, " in string escape code")),
                },
                byte if byte < b' ' => return Err(invalid(byte, " in string literal")),
                _ => {}
            }
        }
    }

    fn number(&mut self) -> Result<(), String> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits(" in numeric literal")?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits(" after decimal point in numeric literal")?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits(" in exponent of numeric literal")?;
        }
        Ok(())
    }

    /// At least one digit.
    fn digits(&mut self, place: &str) -> Result<(), String> {
        match self.next()? {
            b'0'..=b'9' => {}
            byte => return Err(invalid(byte, place)),
        }
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        Ok(())
    }
}

fn cut() -> String {
    "unexpected EOF".to_owned()
}

/// Go's complaint about a byte, which it shows as the character of that number.
fn invalid(byte: u8, place: &str) -> String {
    let shown = match byte {
        b'\'' => "\\'".to_owned(),
        b'\\' => "\\\\".to_owned(),
        b'\n' => "\\n".to_owned(),
        b'\r' => "\\r".to_owned(),
        b'\t' => "\\t".to_owned(),
        7 => "\\a".to_owned(),
        8 => "\\b".to_owned(),
        11 => "\\v".to_owned(),
        12 => "\\f".to_owned(),
        0..=31 | 127 => format!("\\x{byte:02x}"),
        128..=160 | 173 => format!("\\u{byte:04x}"),
        byte => char::from(byte).to_string(),
    };
    format!("invalid character '{shown}'{place}")
}

#[cfg(test)]
mod tests {
    use super::mistake;

    #[test]
    fn mistakes_are_told_as_k6_tells_them() {
        // What k6 says of each.
        for (text, said) in [
            ("", "Unexpected end of JSON input (EOF)"),
            ("   ", "Unexpected end of JSON input (EOF)"),
            ("{\"a\":1", "Unexpected end of JSON input (EOF)"),
            ("[1,", "Unexpected end of JSON input (EOF)"),
            ("\"abc", "unexpected EOF"),
            ("nul", "unexpected EOF"),
            ("1.", "unexpected EOF"),
            ("-", "unexpected EOF"),
            (
                "<html>",
                "invalid character '<' looking for beginning of value",
            ),
            (
                "undefined",
                "invalid character 'u' looking for beginning of value",
            ),
            ("{a", "invalid character 'a'"),
            ("{]", "invalid character ']'"),
            ("{'a':1}", "invalid character '\\''"),
            (
                "[,1]",
                "invalid character ',' looking for beginning of value",
            ),
            (
                "[1,]",
                "invalid character ']' looking for beginning of value",
            ),
            ("[}", "invalid character '}' looking for beginning of value"),
            (
                "{\"a\":}",
                "invalid character '}' looking for beginning of value",
            ),
            (
                "{\"a\":1,}",
                "invalid character '}' looking for beginning of object key string",
            ),
            ("{\"a\" 1}", "invalid character '1' after object key"),
            (
                "{\"a\":1 \"b\"}",
                "invalid character '\"' after object key:value pair",
            ),
            ("[1 2]", "invalid character '2' after array element"),
            (
                "{\"a\":tru}",
                "invalid character '}' in literal true (expecting 'e')",
            ),
            ("\"\\x\"", "invalid character 'x' in string escape code"),
            ("\"a\nb\"", "invalid character '\\n' in string literal"),
            (
                "\"\\u12\"",
                "invalid character '\"' in \\u hexadecimal character escape",
            ),
            (
                "한글",
                "invalid character 'í' looking for beginning of value",
            ),
            ("1 2", "Unexpected token at the end: 2"),
            ("01", "Unexpected token at the end: 1"),
            ("{} {}", "Unexpected token at the end: {"),
            ("{} x", "Unexpected token at the end: <nil>"),
            ("truex", "Unexpected token at the end: <nil>"),
            ("{\"a\":1}\"", "Unexpected token at the end: <nil>"),
        ] {
            assert_eq!(mistake(text.as_bytes()).as_deref(), Some(said), "{text}");
        }
        for text in ["1", " [] ", "{\"a\":[1,{\"b\":null}]}", "-0.5e+3"] {
            assert_eq!(mistake(text.as_bytes()), None, "{text}");
        }
    }
}
