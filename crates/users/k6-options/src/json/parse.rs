//! Parses JSON with positions, and with Go's error texts.

use super::document::{Node, NodeKind};
use crate::go::quote;

/// Deeper texts are refused, as Go refuses them (though later), to spare the stack.
const NESTING_MAX: usize = 200;

/// Reads one value and nothing after it.
pub(super) fn parse(text: &str) -> Result<Node, String> {
    let mut parser = Parser {
        text,
        bytes: text.as_bytes(),
        at: 0,
    };
    let node = parser.value(0)?;
    parser.space();
    match parser.peek() {
        None => Ok(node),
        Some(_) => Err(parser.invalid("after top-level value")),
    }
}

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// The complaint about the character at hand, or about the end.
    fn invalid(&self, place: &str) -> String {
        match self
            .text
            .get(self.at..)
            .and_then(|rest| rest.chars().next())
        {
            None => "unexpected end of JSON input".to_owned(),
            Some(c) => {
                let shown = match c {
                    '\'' => r"'\''".to_owned(),
                    '"' => "'\"'".to_owned(),
                    c => format!("'{}'", quote(&c.to_string()).trim_matches('"')),
                };
                format!("invalid character {shown} {place}")
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, String> {
        if depth > NESTING_MAX {
            return Err("exceeded max depth".to_owned());
        }
        self.space();
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => NodeKind::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.literal("true", NodeKind::Bool(true))?,
            Some(b'f') => self.literal("false", NodeKind::Bool(false))?,
            Some(b'n') => self.literal("null", NodeKind::Null)?,
            _ => return Err(self.invalid("looking for beginning of value")),
        };
        Ok(Node {
            kind,
            span: start..self.at,
        })
    }

    fn literal(&mut self, word: &str, kind: NodeKind) -> Result<NodeKind, String> {
        for (place, expected) in word.char_indices() {
            if self.peek() != Some(expected as u8) {
                let context = format!("in literal {word} (expecting '{expected}')");
                debug_assert!(place > 0, "the first character chose the word");
                return Err(self.invalid(&context));
            }
            self.at += 1;
        }
        Ok(kind)
    }

    fn number(&mut self) -> Result<NodeKind, String> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return Err(self.invalid("in numeric literal")),
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            if !matches!(self.peek(), Some(b'0'..=b'9')) {
                return Err(self.invalid("after decimal point in numeric literal"));
            }
            self.digits();
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if !matches!(self.peek(), Some(b'0'..=b'9')) {
                return Err(self.invalid("in exponent of numeric literal"));
            }
            self.digits();
        }
        Ok(NodeKind::Number(self.text[start..self.at].to_owned()))
    }

    fn digits(&mut self) {
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
    }

    fn array(&mut self, depth: usize) -> Result<NodeKind, String> {
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(NodeKind::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(NodeKind::Array(items));
                }
                _ => return Err(self.invalid("after array element")),
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<NodeKind, String> {
        self.at += 1;
        let mut entries = Vec::new();
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(NodeKind::Object(entries));
        }
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                return Err(self.invalid("looking for beginning of object key string"));
            }
            let name = self.string()?;
            self.space();
            if self.peek() != Some(b':') {
                return Err(self.invalid("after object key"));
            }
            self.at += 1;
            entries.push((name, self.value(depth + 1)?));
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(NodeKind::Object(entries));
                }
                _ => return Err(self.invalid("after object key:value pair")),
            }
        }
    }

    fn string(&mut self) -> Result<String, String> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    break;
                }
                Some(b'\\') => self.escape()?,
                Some(0..=0x1f) | None => return Err(self.invalid("in string literal")),
                Some(_) => self.at += 1,
            }
        }
        // Go replaces lone surrogates; so does the fallback.
        let raw = &self.text[start..self.at];
        Ok(serde_json::from_str(raw).unwrap_or_else(|_| "\u{fffd}".to_owned()))
    }

    fn escape(&mut self) -> Result<(), String> {
        self.at += 1;
        match self.peek() {
            Some(b'b' | b'f' | b'n' | b'r' | b't' | b'\\' | b'/' | b'"') => {
                self.at += 1;
                Ok(())
            }
            Some(b'u') => {
                self.at += 1;
                for _ in 0..4 {
                    if !self.peek().is_some_and(|b| b.is_ascii_hexdigit()) {
                        return Err(self.invalid("in \\u hexadecimal character escape"));
                    }
                    self.at += 1;
                }
                Ok(())
            }
            _ => Err(self.invalid("in string escape code")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::write::to_pretty_text;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn mistakes_are_named_as_go_names_them() {
        let cases = [
            ("", "unexpected end of JSON input"),
            ("{", "unexpected end of JSON input"),
            (
                "{vus:1}",
                "invalid character 'v' looking for beginning of object key string",
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
            ("1 2", "invalid character '2' after top-level value"),
            (
                "tru0",
                "invalid character '0' in literal true (expecting 'e')",
            ),
            (
                "1.x",
                "invalid character 'x' after decimal point in numeric literal",
            ),
            ("\"\\x\"", "invalid character 'x' in string escape code"),
            (
                "'a'",
                r"invalid character '\'' looking for beginning of value",
            ),
        ];
        for (text, message) in cases {
            assert_eq!(parse(text), Err(message.to_owned()), "{text}");
        }
    }

    #[test]
    fn every_value_knows_its_place() {
        let text = r#" {"a": [1, "x"]} "#;
        let root = parse(text).unwrap();
        let NodeKind::Object(entries) = &root.kind else {
            panic!("an object is read");
        };
        assert_eq!(&text[entries[0].1.span.clone()], r#"[1, "x"]"#);
        assert_eq!(root.span, 1..16);
    }

    #[test]
    fn deep_nesting_is_refused() {
        let text = "[".repeat(100_000);
        assert_eq!(parse(&text), Err("exceeded max depth".to_owned()));
    }

    fn any_json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            ".*".prop_map(Into::into),
        ];
        leaf.prop_recursive(3, 30, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
                prop::collection::hash_map(".*", inner, 0..5)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(value in any_json()) {
            let text = to_pretty_text(&value);
            prop_assert_eq!(parse(&text).unwrap().to_value(), value);
        }

        #[test]
        fn any_text_is_read_or_refused_without_a_panic(text in "[\\[\\]{}\",:0-9a-z \\\\'-.]{0,30}") {
            let _ = parse(&text);
        }
    }
}
