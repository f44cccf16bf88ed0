//! Makes text from elsewhere fit to be shown: nothing that moves a terminal's cursor or turns
//! the direction of writing, and no more than fits a line.

use loadline_units::printable::is_hidden;

/// The most characters of a name or message that are shown.
pub const SHOWN_CHARS_MAX: usize = 300;

/// Text of one line: control and direction characters replaced, cut where it is too long.
#[must_use]
pub fn line(text: &str) -> String {
    limited(text, SHOWN_CHARS_MAX, is_hidden)
}

/// Text of several lines, such as a file: line breaks and tabs stay.
#[must_use]
pub fn lines(text: &str, longest: usize) -> String {
    limited(text, longest, |c| is_hidden(c) && !matches!(c, '\n' | '\t'))
}

fn limited(text: &str, longest: usize, is_refused: impl Fn(char) -> bool) -> String {
    let mut chars = text.chars();
    let shown = chars.by_ref().take(longest);
    let mut out: String = shown
        .map(|c| {
            if is_refused(c) {
                char::REPLACEMENT_CHARACTER
            } else {
                c
            }
        })
        .collect();
    if chars.next().is_some() {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_moves_a_cursor_or_turns_the_writing() {
        let shown = line("a\u{1b}[2Jb\u{202e}c\u{2066}d\u{7}\n한글");
        assert_eq!(shown, "a�[2Jb�c�d��한글");
        assert_eq!(lines("a\n\tb\u{9b}", 10), "a\n\tb�");
    }

    #[test]
    fn a_megabyte_is_cut() {
        let shown = line(&"가".repeat(1_000_000));
        assert_eq!(shown.chars().count(), SHOWN_CHARS_MAX + 1);
        assert!(shown.ends_with('…'));
    }
}
