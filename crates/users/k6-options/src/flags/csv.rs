//! Comma-separated values, some in double quotes.

/// Reads one line; an empty one has no texts.
///
/// # Errors
/// k6's words for misplaced quotes. Columns count bytes from 1.
pub(super) fn parse(line: &str) -> Result<Vec<String>, String> {
    if line.is_empty() {
        return Ok(Vec::new());
    }
    let wrong =
        |column: usize, what: &str| Err(format!("parse error on line 1, column {column}: {what}"));
    let mut texts = Vec::new();
    let mut at = 0;
    loop {
        let rest = &line[at..];
        if let Some(quoted) = rest.strip_prefix('"') {
            let mut text = String::new();
            let mut inside = at + 1;
            let mut left = quoted;
            loop {
                let Some(end) = left.find('"') else {
                    return wrong(line.len() + 1, "extraneous or missing \" in quoted-field");
                };
                text.push_str(&left[..end]);
                inside += end + 1;
                left = &left[end + 1..];
                match left.strip_prefix('"') {
                    Some(more) => {
                        text.push('"');
                        inside += 1;
                        left = more;
                    }
                    None => break,
                }
            }
            texts.push(text);
            match left.chars().next() {
                None => return Ok(texts),
                Some(',') => at = inside + 1,
                Some(_) => return wrong(inside, "extraneous or missing \" in quoted-field"),
            }
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            if let Some(quote) = rest[..end].find('"') {
                return wrong(at + quote + 1, "bare \" in non-quoted-field");
            }
            texts.push(rest[..end].to_owned());
            if end == rest.len() {
                return Ok(texts);
            }
            at += end + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quotes_hold_commas_and_quotes() {
        assert_eq!(parse(r#"a,"b,c","d""e""#).unwrap(), ["a", "b,c", "d\"e"]);
        assert_eq!(parse("a,").unwrap(), ["a", ""]);
        assert!(parse("").unwrap().is_empty());
    }

    #[test]
    fn misplaced_quotes_are_refused() {
        let error = |line| parse(line).unwrap_err();
        let bare = "parse error on line 1, column 2: bare \" in non-quoted-field";
        assert_eq!(error("a\"vg"), bare);
        assert!(error("\"a\"b").contains("column 3: extraneous"));
        assert!(error("\"a").contains("extraneous"));
    }

    proptest! {
        #[test]
        fn what_is_quoted_reads_back(texts in prop::collection::vec(".{0,8}", 1..5)) {
            let quoted: Vec<_> = texts
                .iter()
                .map(|text| format!("\"{}\"", text.replace('"', "\"\"")))
                .collect();
            prop_assert_eq!(parse(&quoted.join(",")).unwrap(), texts);
        }
    }
}
