//! What of a text reaches a terminal.
//!
//! Names of checks, answers of a target and lines of its logs stand in what we print. Nothing of
//! them may move the cursor, change the title, hide what follows or turn the direction of writing.

use std::borrow::Cow;

use loadline_units::printable::is_hidden;

/// The text with nothing in it but characters that are seen, line breaks, tabs and colours.
pub(crate) fn fit(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| !is_hidden(c) || matches!(c, '\n' | '\t');
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let kept = match c {
            '\x1b' => style_length(rest),
            '\r' if rest.starts_with("\r\n") => Some(2),
            c if is_plain(c) => Some(c.len_utf8()),
            _ => None,
        };
        let length = kept.unwrap_or(c.len_utf8());
        match kept {
            Some(length) => out.push_str(&rest[..length]),
            None => out.push(char::REPLACEMENT_CHARACTER),
        }
        rest = &rest[length..];
    }
    Cow::Owned(out)
}

/// The length of a colour or a weight that `text` begins with: `ESC [ numbers m`. Those that hide
/// text (blinking, reversed, concealed) are none.
fn style_length(text: &str) -> Option<usize> {
    let codes = text.strip_prefix("\x1b[")?;
    let (codes, _) = codes.split_once('m')?;
    let all_numbers = codes.bytes().all(|b| b.is_ascii_digit() || b == b';');
    let allowed = all_numbers && are_styles(codes);
    allowed.then(|| "\x1b[m".len() + codes.len())
}

/// Whether none of the codes hides text. The numbers of a colour (`38;5;7`, `48;2;1;2;3`) are no codes.
fn are_styles(codes: &str) -> bool {
    let mut codes = codes.split(';');
    while let Some(code) = codes.next() {
        let of_colour = match (code, codes.clone().next()) {
            ("38" | "48", Some("5")) => 2,
            ("38" | "48", Some("2")) => 4,
            _ => 0,
        };
        let is_style =
            code.is_empty() || code.parse::<u8>().is_ok_and(|code| !matches!(code, 5..=8));
        if !is_style {
            return false;
        }
        codes.by_ref().take(of_colour).for_each(drop);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_lines_stay_and_nothing_else_does() {
        let ours = "\x1b[32m✓ a\x1b[0m\n\tb\r\n\x1b[1;38;5;7mc\x1b[m";
        assert_eq!(fit("plain 한글\n"), "plain 한글\n");
        assert_eq!(fit(ours), ours);
        for (text, shown) in [
            ("a\x1b[2Jb", "a\u{fffd}[2Jb"),
            ("\x1b]0;own\x07", "\u{fffd}]0;own\u{fffd}"),
            ("a\rb\u{202e}c\u{9b}31m", "a\u{fffd}b\u{fffd}c\u{fffd}31m"),
            ("\x1b[8mhidden\x1b[5;1m", "\u{fffd}[8mhidden\u{fffd}[5;1m"),
            ("\x1b[", "\u{fffd}["),
            ("\x1b[3\u{202e}1m", "\u{fffd}[3\u{fffd}1m"),
        ] {
            assert_eq!(fit(text), shown);
        }
    }
}
