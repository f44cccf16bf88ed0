//! Numbers on the command line as Korean and Japanese keyboards write them: `--rate ２００／s`.

use loadline_units::halfwidth;

/// Flags whose value is a text, however much it looks like a number.
const OF_TEXTS: [&str; 17] = [
    "-b",
    "--body",
    "-e",
    "--env",
    "-H",
    "--header",
    "--note",
    "--tag",
    "--name",
    "--set",
    "-o",
    "--output",
    "--report",
    "--export",
    "--store",
    "--baseline",
    "--against",
];

/// The words of a command line with numbers, rates, shares and times in ASCII; texts stay.
pub(crate) fn in_ascii(words: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for word in words {
        let is_text = all
            .last()
            .is_some_and(|flag| OF_TEXTS.contains(&flag.as_str()));
        all.push(if is_text { word } else { word_in_ascii(word) });
    }
    all
}

fn word_in_ascii(word: String) -> String {
    if word.is_ascii() {
        return word;
    }
    let (flag, value) = match word.split_once('=') {
        Some((flag, value)) if flag.starts_with("--") => (Some(flag), value),
        _ => (None, word.as_str()),
    };
    let narrow = halfwidth(value);
    if !is_number(&narrow) || flag.is_some_and(|flag| OF_TEXTS.contains(&flag)) {
        return word;
    }
    match flag {
        Some(flag) => format!("{flag}={narrow}"),
        None => narrow,
    }
}

/// Whether it begins with a digit and holds nothing but what numbers with their units have.
fn is_number(text: &str) -> bool {
    let is_of_number = |sign: char| {
        sign.is_ascii_alphanumeric() || matches!(sign, '.' | ',' | '%' | '/' | ':' | ' ' | 'µ')
    };
    text.starts_with(|sign: char| sign.is_ascii_digit()) && text.chars().all(is_of_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Vec<String> {
        in_ascii(words.iter().map(ToString::to_string))
    }

    /// Seen: full-width signs were read in goals alone.
    #[test]
    fn numbers_of_every_kind_are_read() {
        for (typed, meant) in [
            ("２００／s", "200/s"),
            ("１０", "10"),
            ("３０ｓ", "30s"),
            ("1０ｓ：５", "10s:5"),
            ("５％", "5%"),
            ("--rate=２００/s", "--rate=200/s"),
            ("1，０００", "1,000"),
        ] {
            assert_eq!(read(&["run", typed]), ["run", meant], "{typed}");
        }
    }

    #[test]
    fn texts_stay_as_they_are_typed() {
        for words in [
            &["-b", "１２３"][..],
            &["--body=１２３"],
            &["--note", "１０"],
            &["--note", "１０회 반복"],
            &["http://localhost/１０"],
            &["부하.js"],
        ] {
            assert_eq!(read(words), words, "{words:?}");
        }
    }
}
