//! Text from elsewhere, and what of it may stand on a terminal.

use std::fmt::Write as _;

/// Whether a character moves a terminal's cursor, changes the direction of what follows, or is
/// not seen.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Bytes in double quotes with what cannot be seen escaped, as Go's `%q` writes them.
#[must_use]
pub fn quoted(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push('"');
    for chunk in bytes.utf8_chunks() {
        chunk.valid().chars().for_each(|c| escape(c, &mut out));
        for byte in chunk.invalid() {
            // Writing to a String cannot fail.
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out.push('"');
    out
}

fn escape(c: char, out: &mut String) {
    let is_unseen = is_hidden(c) || (c.is_whitespace() && c != ' ');
    let short = match c {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\x07' => "\\a",
        '\x08' => "\\b",
        '\x0c' => "\\f",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        '\x0b' => "\\v",
        _ => "",
    };
    // Writing to a String cannot fail.
    let _ = match u32::from(c) {
        _ if !short.is_empty() => out.write_str(short),
        _ if !is_unseen => out.write_char(c),
        code @ ..0x80 => write!(out, "\\x{code:02x}"),
        code @ ..0x1_0000 => write!(out, "\\u{code:04x}"),
        code => write!(out, "\\U{code:08x}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_escaped_as_go_does() {
        assert_eq!(
            quoted("a\"b\\\n\u{1}é한".as_bytes()),
            r#""a\"b\\\n\x01é한""#
        );
        assert_eq!(quoted(b"\0a\x07\xff\x7f"), r#""\x00a\a\xff\x7f""#);
        let unseen = "\u{85}\u{202e}\u{a0}\u{3000}\u{e0041}";
        assert_eq!(
            quoted(unseen.as_bytes()),
            r#""\u0085\u202e\u00a0\u3000\U000e0041""#
        );
    }

    #[test]
    fn letters_of_any_language_are_seen() {
        assert!("가é漢 ع🚢".chars().all(|c| !is_hidden(c)));
        assert!(
            "\u{1b}\u{9b}\u{202e}\u{2066}\u{200b}"
                .chars()
                .all(is_hidden)
        );
    }
}
