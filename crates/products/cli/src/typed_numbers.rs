//! Numbers on the command line as Korean and Japanese keyboards write them, and as Koreans say
//! them: `--rate ２００／s`, `--rate 초당200`, `--duration 1분30초`.

use std::time::Duration;

use loadline_text::{Message, arguments, plan};
use loadline_units::{Rate, halfwidth, korean_quantity, parse_duration};

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
        // Words of a flag alone: a tag, a folder and a test may be called `10초`.
        let is_of_flag = all.last().is_some_and(|flag| flag.starts_with('-'));
        all.push(if is_text {
            word
        } else {
            word_in_ascii(word, is_of_flag)
        });
    }
    all
}

fn word_in_ascii(word: String, is_of_flag: bool) -> String {
    if word.is_ascii() {
        return word;
    }
    let (flag, value) = match word.split_once('=') {
        Some((flag, value)) if flag.starts_with("--") => (Some(flag), value),
        _ => (None, word.as_str()),
    };
    if flag.is_some_and(|flag| OF_TEXTS.contains(&flag)) {
        return word;
    }
    let korean = korean_quantity(value).filter(|_| is_of_flag || flag.is_some());
    let narrow = korean.unwrap_or_else(|| halfwidth(value));
    if !is_number(&narrow) && !is_goal(&narrow) {
        return word;
    }
    match flag {
        Some(flag) => format!("{flag}={narrow}"),
        None => narrow,
    }
}

/// Whether it is a measure with its limit: `p(95)<500ms`.
fn is_goal(text: &str) -> bool {
    let limit = text.rsplit_once(['<', '>', '=']);
    text.is_ascii() && limit.is_some_and(|(measure, limit)| !measure.is_empty() && is_number(limit))
}

/// Whether it begins with a digit and holds nothing but what numbers with their units have.
fn is_number(text: &str) -> bool {
    let is_of_number = |sign: char| {
        sign.is_ascii_alphanumeric() || matches!(sign, '.' | ',' | '%' | '/' | ':' | ' ' | 'µ')
    };
    text.starts_with(|sign: char| sign.is_ascii_digit()) && text.chars().all(is_of_number)
}

// The command line's library asks for a text; what people read is made from the flag's
// name, in `launch::problems`.

/// A time with its unit.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    if text.trim().bytes().all(|b| b.is_ascii_digit()) {
        return Err("no unit".to_owned());
    }
    parse_duration(text).map_err(|error| error.to_string())
}

/// The same of more than nothing.
pub(crate) fn positive_duration(text: &str) -> Result<Duration, String> {
    let length = duration(text)?;
    let is_some = !length.is_zero();
    is_some
        .then_some(length)
        .ok_or_else(|| "nothing".to_owned())
}

/// Why a rate, time, size or load of nothing is refused: `0/s` has the form that is expected.
pub(crate) fn why_nothing(value: &str, expected: &Message) -> Option<Message> {
    let is_amount = [
        arguments::expected_rate(),
        arguments::expected_users(),
        arguments::expected_duration(),
        arguments::expected_warm_up(),
        arguments::expected_size(),
    ]
    .contains(expected);
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-');
    let number = value.trim();
    let number = &number[..number.find(|c| !is_digit(c)).unwrap_or(number.len())];
    let is_nothing = number.parse::<f64>().is_ok_and(|number| number <= 0.0);
    (is_amount && is_nothing).then(plan::why_not_positive)
}

/// A rate of more than nothing.
pub(crate) fn rate(text: &str) -> Result<Rate, String> {
    let rate: Rate = text.parse().map_err(|_| "no rate".to_owned())?;
    let is_some = rate.as_per_second() > 0.0;
    is_some.then_some(rate).ok_or_else(|| "nothing".to_owned())
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

    /// Seen: `--duration cannot be 10초`.
    #[test]
    fn numbers_with_korean_units_are_read() {
        for (words, meant) in [
            (["--duration", "1분30초"], ["--duration", "1m30s"]),
            (["--rate", "100/초"], ["--rate", "100/s"]),
            (["--rate", "초당 100건"], ["--rate", "100/s"]),
            (["-n", "1.5만"], ["-n", "15000"]),
            (["--trace", "30퍼센트"], ["--trace", "30%"]),
            (["--slo", "p(95)<0.5초"], ["--slo", "p(95)<0.5s"]),
            (["run", "--stage=10초:5명"], ["run", "--stage=10s:5"]),
            (["compare", "10초"], ["compare", "10초"]),
            (["--duration", "10초쯤"], ["--duration", "10초쯤"]),
            (["--spool-max", "2기가"], ["--spool-max", "2기가"]),
        ] {
            assert_eq!(read(&words), meant);
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
