//! Korean for texts of `--help`.
//!
//! English stands beside each flag, where it is declared; it is the key under which
//! `locales/ko/help.txt` has the Korean. So a changed sentence loses its Korean, which a test
//! of the command finds, and nothing has to be named twice.

use std::collections::BTreeMap;
use std::sync::LazyLock;

const SOURCE: &str = include_str!("../locales/ko/help.txt");

/// Korean texts by English ones, both without the breaks between lines of English.
static KOREAN: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let entries = SOURCE.split("\n\n").filter_map(entry);
    entries.collect()
});

/// The Korean for an English text of `--help`; how its lines are broken does not matter.
#[must_use]
pub fn in_korean(english: &str) -> Option<&'static str> {
    KOREAN.get(&joined(english.lines())).map(String::as_str)
}

/// All English texts there is Korean for.
pub fn known() -> impl Iterator<Item = &'static str> {
    KOREAN.keys().map(String::as_str)
}

/// `English`, then `= Korean`, each over one or more lines.
fn entry(text: &str) -> Option<(String, String)> {
    let (korean, english): (Vec<_>, Vec<_>) = text.lines().partition(|line| line.starts_with("= "));
    let korean: Vec<_> = korean.iter().map(|line| &line[2..]).collect();
    let is_whole = !english.is_empty() && !korean.is_empty();
    is_whole.then(|| (joined(english.into_iter()), korean.join("\n")))
}

fn joined<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_whole_and_none_is_there_twice() {
        let entries = SOURCE.split("\n\n").filter(|text| !text.trim().is_empty());
        let mut count = 0;
        for text in entries {
            assert!(entry(text).is_some(), "{text}");
            count += 1;
        }
        assert_eq!(KOREAN.len(), count, "an English text is there twice");
    }

    #[test]
    fn what_is_korean_is_korean() {
        for (english, korean) in KOREAN.iter() {
            let is_korean = korean.chars().any(|c| ('가'..='힣').contains(&c));
            let is_same = english == korean || korean.starts_with("http");
            let is_name = korean.starts_with("max_connections") || korean.starts_with("URL:");
            assert!(is_korean || is_same || is_name, "{english}: {korean}");
        }
    }

    #[test]
    fn breaks_between_lines_do_not_matter() {
        let wide = in_korean("Take the planned rate from a plan of loadline plan --write");
        let narrow = in_korean("Take the planned rate from\n  a plan of loadline plan --write");
        assert!(wide.is_some());
        assert_eq!(wide, narrow);
        assert_eq!(in_korean("No such text"), None);
    }
}
