//! Words of a command line that a reader may paste into a shell.

use std::borrow::Cow;

/// `text` as one word of a shell: as it is where no shell reads more into it, else in quotes.
#[must_use]
pub fn shell_word(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,~".contains(c);
    // A shell takes `~` at the beginning for a folder.
    if !text.is_empty() && text.chars().all(is_plain) && !text.starts_with('~') {
        return Cow::Borrowed(text);
    }
    Cow::Owned(shell_quoted(text))
}

/// `text` in the quotes of a shell.
#[must_use]
pub fn shell_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_shell_would_read_otherwise_is_quoted() {
        for plain in ["test.js", "주문.js", "a/b-c_1.yml", "http://h:8080/a"] {
            assert_eq!(shell_word(plain), plain);
        }
        for (text, word) in [
            ("상품 조회.py", "'상품 조회.py'"),
            ("", "''"),
            ("~x", "'~x'"),
            ("a'b", r"'a'\''b'"),
            ("p(95)<1s", "'p(95)<1s'"),
            ("a;b", "'a;b'"),
        ] {
            assert_eq!(shell_word(text), word);
        }
    }
}
