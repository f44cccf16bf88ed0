//! Statements of databases without their literals.

/// The statement in one line without comments, and `?` for each literal that the server left in.
pub(crate) fn without_literals(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let is_in_name = plain.ends_with(|c: char| c.is_alphanumeric() || "_$\"".contains(c));
        let (taken, put) = match letter {
            '\'' => (quoted(rest, '\''), "?"),
            '/' if rest.starts_with("/*") => (until(rest, "*/"), " "),
            '-' if rest.starts_with("--") => (until(rest, "\n"), " "),
            '$' if !is_in_name => match dollar_quoted(rest) {
                Some(length) => (length, "?"),
                // A place for a value: `$1`.
                None => {
                    let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                    plain.push_str(&rest[..=digits]);
                    rest = &rest[digits + 1..];
                    continue;
                }
            },
            '"' => {
                let name = quoted(rest, '"');
                plain.push_str(&rest[..name]);
                rest = &rest[name..];
                continue;
            }
            '0'..='9' if !is_in_name => (number(rest), "?"),
            c if c.is_whitespace() => (c.len_utf8(), " "),
            c => {
                plain.push(c);
                rest = &rest[c.len_utf8()..];
                continue;
            }
        };
        if put != " " || !(plain.is_empty() || plain.ends_with(' ')) {
            plain.push_str(put);
        }
        rest = &rest[taken..];
    }
    plain.trim_end().to_owned()
}

/// The length of a quoted text; a doubled quote is part of it, and one never closed is all.
fn quoted(text: &str, quote: char) -> usize {
    let mut letters = text.char_indices().skip(1).peekable();
    while let Some((place, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            _ if letter == quote => match letters.peek() {
                Some((_, next)) if *next == quote => drop(letters.next()),
                _ => return place + 1,
            },
            _ => {}
        }
    }
    text.len()
}

fn until(text: &str, end: &str) -> usize {
    text.find(end).map_or(text.len(), |place| place + end.len())
}

/// The length of `$tag$...$tag$`.
fn dollar_quoted(text: &str) -> Option<usize> {
    let tag = text[1..].find('$').map(|end| &text[..end + 2])?;
    let is_tag = tag[1..tag.len() - 1]
        .chars()
        .all(|c| c.is_alphanumeric() || c == '_');
    if !is_tag || tag[1..].starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let body = &text[tag.len()..];
    Some(body.find(tag).map_or(text.len(), |end| end + 2 * tag.len()))
}

fn number(text: &str) -> usize {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '.';
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_literal_and_no_comment_is_kept() {
        let cases = [
            (
                "select *\n  from a1 where id = $1",
                "select * from a1 where id = $1",
            ),
            (
                "ALTER ROLE x PASSWORD 'it''s s3cret'",
                "ALTER ROLE x PASSWORD ?",
            ),
            ("SELECT E'a\\'b', 12.5e3, x2, -7", "SELECT E?, ?, x2, -?"),
            (
                "/* trace=1 */ SELECT 1 -- s3cret\nFROM t",
                "SELECT ? FROM t",
            ),
            ("DO $body$ secret $body$; x", "DO ?; x"),
            ("SET a = 'never closed", "SET a = ?"),
            (
                "insert into \"t 1\" values ($1,$2)",
                "insert into \"t 1\" values ($1,$2)",
            ),
        ];
        for (text, plain) in cases {
            assert_eq!(without_literals(text), plain);
        }
    }
}
