//! Commands as people type them: words parted by spaces, quotes hold spaces.

/// The words of a command; `None` for a quote that does not end.
pub(super) fn words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), letter) if open == letter => quote = None,
            (Some('"') | None, '\\') => {
                word.get_or_insert_default().push(letters.next()?);
            }
            (Some(_), letter) => word.get_or_insert_default().push(letter),
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, letter) if letter.is_whitespace() => words.extend(word.take()),
            (None, letter) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_spaces_together() {
        let found = words(r#"java -D'a b' "c \" d" e\ f ''"#).unwrap();
        assert_eq!(found, ["java", "-Da b", "c \" d", "e f", ""]);
        assert_eq!(words("a 'b"), None);
        assert_eq!(words("  ").unwrap(), Vec::<String>::new());
    }
}
