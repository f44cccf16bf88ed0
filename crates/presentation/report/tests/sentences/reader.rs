//! Reads sentences of either language by patterns that are written down here once more, and
//! compares each number in them with the value of the record that it speaks of.
//!
//! A pattern is text with places: `{failed}` is a value of that name, `{@goal}` a text that one
//! of the patterns of a group reads, `{@reason;}` several of them with `; ` between.

use std::collections::BTreeMap;

use loadline_text::Lang;

/// A value that a sentence speaks of.
#[derive(Debug, Clone)]
pub(crate) enum Fact {
    /// A number of things.
    Count(f64),
    /// With three significant digits at least.
    Number(f64),
    /// As rounded, however few its digits.
    Rough(f64),
    /// Milliseconds; without any there is a dash.
    Millis(Option<f64>),
    /// Milliseconds, known to be at least so many.
    AtLeastMillis(f64),
    /// A share (0 to 1).
    Share(f64),
    /// The size of a change, as a share that may exceed 1.
    Size(f64),
    /// A size with its sign.
    Signed(f64),
    /// A difference of shares in percentage points, to a hundredth.
    Points(f64),
    /// A share to a whole percent.
    WholePercent(f64),
    /// As it is.
    Text(String),
}

/// Half of the last digit shown, and a little more for the conversion.
const HALF_A_DIGIT: f64 = 0.500_001;
/// A number that is shown with three digits is off by at most this share.
const THREE_DIGITS: f64 = 0.005_001;
/// A change beyond this is shown as `>1,000 %`.
const SIZE_SHOWN_MAX: f64 = 10.0;

impl Fact {
    /// Whether a text says it, rounded as far as it is shown.
    fn is_shown_by(&self, text: &str) -> bool {
        match self {
            Self::Count(value) => {
                decimals_shown(text, *value).is_some_and(|decimals| decimals == 0)
            }
            Self::Number(value) => {
                decimals_shown(text, *value).is_some() && has_digits(text, *value)
            }
            Self::Rough(value) => decimals_shown(text, *value).is_some(),
            Self::Millis(None) => text == "–",
            // What took no time was never sent.
            Self::Millis(Some(value)) if *value == 0.0 => text == "–",
            Self::Millis(Some(value)) => {
                let shown = text.strip_suffix(" ms");
                shown.is_some_and(|shown| {
                    decimals_shown(shown, *value).is_some() && has_digits(shown, *value)
                })
            }
            Self::AtLeastMillis(value) => {
                let least = text.strip_prefix("≥ ");
                least.is_some_and(|least| Self::Millis(Some(*value)).is_shown_by(least))
            }
            Self::Share(share) => shows_share(text, *share),
            Self::Size(size) if *size > SIZE_SHOWN_MAX => text == ">1,000 %",
            Self::Size(size) if *size >= 1.0 => {
                let shown = text.strip_suffix(" %");
                shown.is_some_and(|shown| decimals_shown(shown, size * 100.0) == Some(0))
            }
            Self::Size(size) => shows_share(text, *size),
            Self::Signed(size) => shows_signed(text, *size),
            Self::Points(share) => {
                let share = share.abs() * 100.0;
                match text.strip_prefix("< ") {
                    Some(bound) => share > 0.0 && bound.parse().is_ok_and(|most: f64| share < most),
                    None => {
                        decimals_shown(text, share) == Some(2) && (share == 0.0 || text != "0.00")
                    }
                }
            }
            Self::WholePercent(share) => {
                let shown = text.strip_suffix(" %");
                shown.is_some_and(|shown| decimals_shown(shown, share * 100.0) == Some(0))
            }
            Self::Text(expected) => text == expected,
        }
    }
}

/// The decimals with which a text shows a value; `None` where it shows another.
fn decimals_shown(text: &str, value: f64) -> Option<i32> {
    let groups: Vec<&str> = text
        .trim_start_matches('-')
        .split('.')
        .next()?
        .split(',')
        .collect();
    let (first, rest) = groups.split_first()?;
    let is_grouped = rest.iter().all(|group| group.len() == 3) && (1..=3).contains(&first.len());
    let is_number = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b",.-".contains(&byte));
    if !is_grouped || !is_number {
        return None;
    }
    let shown: f64 = text.replace(',', "").parse().ok()?;
    let decimals = text
        .split_once('.')
        .map_or(0, |(_, decimals)| decimals.len());
    let decimals = i32::try_from(decimals).ok()?;
    let off = (shown - value).abs();
    (off <= HALF_A_DIGIT * 10_f64.powi(-decimals)).then_some(decimals)
}

/// Whether so much is shown of a value that it is not another.
fn has_digits(text: &str, value: f64) -> bool {
    let shown: f64 = text.replace(',', "").parse().unwrap_or(f64::NAN);
    (shown - value).abs() <= THREE_DIGITS * value.abs() || value.abs() < 0.1
}

fn shows_share(text: &str, share: f64) -> bool {
    let percent = share * 100.0;
    match text {
        "< 0.01 %" => percent > 0.0 && percent < 0.01,
        "> 99.99 %" => percent < 100.0 && percent > 99.99,
        _ => {
            let shown = text.strip_suffix(" %");
            // Only what is nothing or all is shown as such.
            let is_round = matches!(text, "0 %" | "100 %");
            let is_none_or_all = share <= 0.0 || share >= 1.0;
            shown.is_some_and(|shown| {
                decimals_shown(shown, percent).is_some_and(|decimals| decimals > 0 || is_round)
            }) && is_round == is_none_or_all
        }
    }
}

fn shows_signed(text: &str, size: f64) -> bool {
    let sign = if size < 0.0 { '-' } else { '+' };
    let open = if size < 0.0 { '<' } else { '>' };
    if size.abs() > SIZE_SHOWN_MAX {
        return text == format!("{open}{sign}1,000 %");
    }
    if size.abs() < 1.0 && size.abs() > 0.9999 {
        return text == format!("{open}{sign}99.99 %");
    }
    let unsigned = text.strip_prefix(sign);
    unsigned.is_some_and(|text| Fact::Size(size.abs()).is_shown_by(text))
}

/// A part of a pattern.
#[derive(Debug, Clone)]
enum Piece {
    Words(String),
    Value(String),
    Group { name: String, between: String },
}

/// Patterns by group, and the values they speak of.
#[derive(Debug)]
pub(crate) struct Reader {
    lang: Lang,
    facts: BTreeMap<String, Fact>,
    patterns: BTreeMap<String, Vec<Vec<Piece>>>,
}

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Misreading {
    /// No pattern has these words.
    Unknown(String),
    /// One has, but the values are others.
    Wrong(String),
    /// A number and its noun.
    Plural(String),
}

/// Whether values are compared, or only words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Care {
    Words,
    Values,
}

impl Reader {
    pub(crate) fn new(lang: Lang) -> Self {
        Self {
            lang,
            facts: BTreeMap::new(),
            patterns: BTreeMap::new(),
        }
    }

    pub(crate) fn fact(&mut self, name: &str, fact: Fact) {
        self.facts.insert(name.to_owned(), fact);
    }

    /// What an English and a Korean pattern read alike.
    pub(crate) fn pattern(&mut self, group: &str, english: &str, korean: &str) {
        let text = match self.lang {
            Lang::En => english,
            Lang::Ko => korean,
        };
        let patterns = self.patterns.entry(group.to_owned()).or_default();
        patterns.push(pieces(text));
    }

    /// The same in both languages.
    pub(crate) fn both(&mut self, group: &str, text: &str) {
        self.pattern(group, text, text);
    }

    /// Reads a text, line by line, as sentences of a group; gaps between cells are one blank.
    pub(crate) fn read(&self, group: &str, text: &str) -> Vec<Misreading> {
        let lines = text
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        lines
            .filter(|line| !line.is_empty())
            .flat_map(|line| self.read_line(group, &line))
            .collect()
    }

    fn read_line(&self, group: &str, line: &str) -> Option<Misreading> {
        if self.lang == Lang::En
            && let Some(noun) = wrong_plural(line)
        {
            return Some(Misreading::Plural(format!("{noun}: {line}")));
        }
        if self.is_of(group, line, Care::Values) {
            return None;
        }
        Some(if self.is_of(group, line, Care::Words) {
            Misreading::Wrong(line.to_owned())
        } else {
            Misreading::Unknown(line.to_owned())
        })
    }

    fn is_of(&self, group: &str, text: &str, care: Care) -> bool {
        let patterns = self.patterns.get(group).map_or(&[][..], Vec::as_slice);
        patterns.iter().any(|pieces| self.fits(pieces, text, care))
    }

    fn fits(&self, pieces: &[Piece], text: &str, care: Care) -> bool {
        let Some((piece, rest)) = pieces.split_first() else {
            return text.is_empty();
        };
        if let Piece::Words(words) = piece {
            return text
                .strip_prefix(words.as_str())
                .is_some_and(|text| self.fits(rest, text, care));
        }
        // A place ends where the words behind it begin, or with the text.
        let ends: Vec<usize> = match rest.first() {
            None => vec![text.len()],
            Some(Piece::Words(words)) => text
                .match_indices(words.as_str())
                .map(|(at, _)| at)
                .collect(),
            Some(_) => text.char_indices().map(|(at, _)| at).collect(),
        };
        ends.into_iter()
            .filter(|end| *end > 0)
            .any(|end| self.has(piece, &text[..end], care) && self.fits(rest, &text[end..], care))
    }

    fn has(&self, piece: &Piece, text: &str, care: Care) -> bool {
        match piece {
            Piece::Words(words) => text == words,
            Piece::Value(name) => {
                let fact = self.facts.get(name);
                let is_value = |text: &str| text.chars().any(|c| c.is_ascii_digit()) || text == "–";
                fact.is_some_and(|fact| match (care, fact) {
                    (Care::Values, fact) => fact.is_shown_by(text),
                    (Care::Words, Fact::Text(expected)) => text == expected,
                    (Care::Words, _) => is_value(text),
                })
            }
            Piece::Group { name, between } if between.is_empty() => self.is_of(name, text, care),
            Piece::Group { name, between } => self.is_list_of(name, between, text, care),
        }
    }

    fn is_list_of(&self, group: &str, between: &str, text: &str, care: Care) -> bool {
        if self.is_of(group, text, care) {
            return true;
        }
        text.match_indices(between).any(|(at, _)| {
            self.is_of(group, &text[..at], care)
                && self.is_list_of(group, between, &text[at + between.len()..], care)
        })
    }
}

fn pieces(pattern: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = pattern;
    while let Some((words, after)) = rest.split_once('{') {
        if !words.is_empty() {
            pieces.push(Piece::Words(words.to_owned()));
        }
        let (name, after) = after.split_once('}').expect("a place ends");
        pieces.push(match name.strip_prefix('@') {
            None => Piece::Value(name.to_owned()),
            Some(group) => {
                let name = group.trim_end_matches([';', ',']);
                let between = &group[name.len()..];
                Piece::Group {
                    name: name.to_owned(),
                    between: if between.is_empty() {
                        String::new()
                    } else {
                        format!("{between} ")
                    },
                }
            }
        });
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Words(rest.to_owned()));
    }
    pieces
}

/// Nouns that stand behind numbers.
const NOUNS: [&str; 24] = [
    "answers",
    "calls",
    "checks",
    "endpoints",
    "errors",
    "intervals",
    "iterations",
    "levels",
    "pairs",
    "redirects",
    "requests",
    "rows",
    "runs",
    "samples",
    "seconds",
    "stalls",
    "starts",
    "thresholds",
    "times",
    "trials",
    "users",
    "values",
    "workers",
    "points",
];

/// A noun in the plural behind a one, or a verb that does not agree with it.
fn wrong_plural(line: &str) -> Option<String> {
    let words: Vec<&str> = line
        .split([' ', '('])
        .map(|word| word.trim_end_matches([',', ';', ':', ')', '.']))
        .collect();
    let is_adjective =
        |word: &&str| ["virtual", "planned", "full", "fresh", "more", "gRPC"].contains(word);
    for (at, word) in words.iter().enumerate() {
        if *word != "1" {
            continue;
        }
        let after: Vec<&str> = words[at + 1..]
            .iter()
            .copied()
            .skip_while(|w| is_adjective(w))
            .collect();
        if after.first().is_some_and(|noun| NOUNS.contains(noun)) {
            return Some(format!("1 {}", after[0]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_says_what_it_is_rounded_from_and_nothing_else() {
        assert!(Fact::Millis(Some(1449.4)).is_shown_by("1,449 ms"));
        assert!(!Fact::Millis(Some(1449.6)).is_shown_by("1,449 ms"));
        assert!(!Fact::Millis(Some(1449.4)).is_shown_by("1449 ms"));
        assert!(Fact::Share(0.5).is_shown_by("50.0 %") && !Fact::Share(0.5).is_shown_by("49.0 %"));
        assert!(!Fact::Share(0.000_01).is_shown_by("0 %"));
        assert!(!Fact::Share(0.999_99).is_shown_by("100 %"));
        assert!(Fact::Count(3.0).is_shown_by("3") && !Fact::Count(3.0).is_shown_by("3.0"));
        assert!(!Fact::Number(12.3).is_shown_by("12"), "too few digits");
        assert!(
            Fact::Signed(-0.4).is_shown_by("-40.0 %") && !Fact::Signed(-0.4).is_shown_by("+40.0 %")
        );
    }

    #[test]
    fn a_sentence_with_two_values_swapped_is_wrong_and_an_unknown_one_is_none() {
        let mut reader = Reader::new(Lang::En);
        reader.fact("failed", Fact::Count(3.0));
        reader.fact("all", Fact::Count(20.0));
        reader.pattern("line", "{failed} of {all} requests failed", "");
        assert_eq!(reader.read("line", "3 of 20 requests failed"), []);
        let swapped = reader.read("line", "20 of 3 requests failed");
        assert!(matches!(swapped[..], [Misreading::Wrong(_)]));
        let unknown = reader.read("line", "3 of 20 requests were lost");
        assert!(matches!(unknown[..], [Misreading::Unknown(_)]));
        let plural = reader.read("line", "of 1 requests");
        assert!(matches!(plural[..], [Misreading::Plural(_)]));
    }
}
