//! Percent-encoding by part of the URL.

use std::fmt::Write;

/// The parts, which allow different bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Host,
    User,
    Path,
    Query,
    Fragment,
}

impl Part {
    /// Whether `byte` must be escaped here.
    fn escapes(self, byte: u8) -> bool {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            return false;
        }
        match self {
            Self::Host => !b"!$&'()*+,;=:[]<>\"".contains(&byte),
            Self::User => !b"$&+,;=".contains(&byte),
            Self::Path => !b"$&+,/:;=@".contains(&byte),
            // The query of the WHATWG's rules: all but blanks and what stands around URLs.
            Self::Query => byte <= b' ' || b"\"<>".contains(&byte),
            Self::Fragment => !b"$&+,/:;=?@!()*".contains(&byte),
        }
    }

    /// Whether `text` needs no further escaping.
    pub(super) fn is_valid_escaped(self, text: &str) -> bool {
        text.bytes()
            .all(|byte| b"!$&'()*+,;=:@[]%".contains(&byte) || !self.escapes(byte))
    }
}

/// Escapes bytes that are not allowed.
pub(super) fn escape(text: &str, part: Part) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let mut buffer = [0; 4];
        // In a host, letters beyond ASCII are not escaped here.
        if c.is_ascii() && !part.escapes(c as u8) {
            out.push(c);
        } else {
            push_escaped(&mut out, c.encode_utf8(&mut buffer).as_bytes());
        }
    }
    out
}

/// Escapes a key or value of a form or query (`url.QueryEscape`): a blank becomes `+`.
pub(crate) fn escape_form(out: &mut String, bytes: &[u8]) {
    for &byte in bytes {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else if byte == b' ' {
            out.push('+');
        } else {
            push_escaped(out, &[byte]);
        }
    }
}

fn push_escaped(out: &mut String, bytes: &[u8]) {
    for byte in bytes {
        write!(out, "%{byte:02X}").expect("writing to a String cannot fail");
    }
}

/// Undoes escapes. Bytes that are not UTF-8 become U+FFFD, since texts are UTF-8 here.
pub(super) fn unescape(text: &str, part: Part) -> Result<String, String> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        if byte == b'%' {
            let digit = |i: usize| bytes.get(i).and_then(|&b| char::from(b).to_digit(16));
            let (Some(high), Some(low)) = (digit(at + 1), digit(at + 2)) else {
                return Err(bad_escape(text, at));
            };
            if part == Part::Host && high < 8 && text[at..].get(..3) != Some("%25") {
                return Err(bad_escape(text, at));
            }
            out.push(u8::try_from(high * 16 + low).expect("two hexadecimal digits fit a byte"));
            at += 3;
            continue;
        }
        if part == Part::Host && byte.is_ascii() && part.escapes(byte) {
            let found = quoted(&text[at..=at]);
            return Err(format!("invalid character {found} in host name"));
        }
        out.push(byte);
        at += 1;
    }
    Ok(String::from_utf8(out)
        .unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
}

fn bad_escape(text: &str, at: usize) -> String {
    let end = text[at..]
        .char_indices()
        .nth(3)
        .map_or(text.len(), |(i, _)| at + i);
    format!("invalid URL escape {}", quoted(&text[at..end]))
}

/// `text` in double quotes with unprintable characters escaped, as Go's `%q` prints it.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' || c == '\x7f' => {
                write!(out, "\\x{:02x}", u32::from(c)).expect("writing to a String cannot fail");
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
