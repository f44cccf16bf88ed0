//! Files of variables: `NAME=value` lines, as `--dotenv` reads them.

/// The names and values of its lines, quotes taken off.
pub(super) fn variables(text: &str) -> Vec<(String, String)> {
    text.lines()
        .filter_map(|line| {
            let line = line.trim();
            let line = line.strip_prefix("export ").unwrap_or(line);
            let (name, value) = line.split_once('=').filter(|_| !line.starts_with('#'))?;
            let value = value.trim();
            let quoted = ['"', '\'', '`']
                .iter()
                .find_map(|quote| value.strip_prefix(*quote)?.split(*quote).next());
            let value = match quoted {
                Some(inner) => inner.replace("\\n", "\n"),
                None => value
                    .split(" #")
                    .next()
                    .unwrap_or_default()
                    .trim()
                    .to_owned(),
            };
            Some((name.trim().to_owned(), value))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dotenv_files_are_read_with_and_without_quotes() {
        let text =
            "# comment\nA=1\nexport B = \"two words\" # why\nC='x'\nD=plain # note\n\nbroken";
        let pairs = variables(text);
        let pairs: Vec<(&str, &str)> = pairs
            .iter()
            .map(|(n, v)| (n.as_str(), v.as_str()))
            .collect();
        assert_eq!(
            pairs,
            [("A", "1"), ("B", "two words"), ("C", "x"), ("D", "plain")]
        );
    }
}
