//! Splits a line into arguments the way a shell would, without anything a shell does beyond quotes.

/// Arguments of one line; single and double quotes keep blanks together.
pub(super) fn split(line: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut current: Option<String> = None;
    let mut quote = None;
    for character in line.chars() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                current.get_or_insert_default();
            }
            (None, _) if character.is_whitespace() => arguments.extend(current.take()),
            _ => current.get_or_insert_default().push(character),
        }
    }
    arguments.extend(current);
    arguments
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn quotes_keep_blanks_and_empty_arguments() {
        assert_eq!(
            split("--tag 'a=b c' -e X=\"1 2\" ''"),
            ["--tag", "a=b c", "-e", "X=1 2", ""]
        );
    }
}
