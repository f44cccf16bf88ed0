//! Texts that are no JSON, word by word of each line.

use std::collections::BTreeSet;

use loadline_record::{DifferenceKind, UncomparedKind};

use super::difference::{Found, shown};

/// What varies by itself in the texts of a request.
#[derive(Debug, Clone, Default)]
pub(super) struct LearnedLines {
    words: BTreeSet<WordPlace>,
    /// From this line on nothing is compared.
    rest: Option<usize>,
}

/// A word of a line; both count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct WordPlace {
    line: usize,
    /// `None`: all of the line.
    word: Option<usize>,
}

/// What words end at; each is a word of its own.
fn is_separator(c: char) -> bool {
    c.is_whitespace() || "\"'`<>(){}[],;:&?".contains(c)
}

fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let length = if is_separator(first) {
            first.len_utf8()
        } else {
            rest.find(is_separator).unwrap_or(rest.len())
        };
        let (word, after) = rest.split_at(length);
        words.push(word);
        rest = after;
    }
    words
}

impl LearnedLines {
    /// Learns from two answers to one request.
    pub(super) fn learn(&mut self, one: &str, other: &str) {
        let one: Vec<&str> = one.lines().collect();
        let other: Vec<&str> = other.lines().collect();
        let are_as_many = one.len() == other.len();
        for (line, (left, right)) in one.iter().zip(&other).enumerate() {
            let (lefts, rights) = (words(left), words(right));
            if lefts.len() == rights.len() {
                let pairs = lefts.iter().zip(&rights).enumerate();
                let varies = pairs.filter(|(_, (left, right))| left != right);
                self.words.extend(varies.map(|(word, _)| WordPlace {
                    line,
                    word: Some(word),
                }));
            } else if are_as_many {
                self.words.insert(WordPlace { line, word: None });
            } else {
                self.end_at(line);
                return;
            }
        }
        if !are_as_many {
            self.end_at(one.len().min(other.len()));
        }
    }

    fn end_at(&mut self, line: usize) {
        self.rest = Some(self.rest.map_or(line, |known| known.min(line)));
    }

    fn has(&self, line: usize, word: Option<usize>) -> bool {
        self.words.contains(&WordPlace { line, word })
    }

    /// Calls `each` with all that varies.
    pub(super) fn each_varying(&self, mut each: impl FnMut(UncomparedKind, &str)) {
        let rest = self.rest.unwrap_or(usize::MAX);
        let lines: BTreeSet<usize> = self.words.iter().map(|place| place.line).collect();
        for line in lines.into_iter().filter(|line| *line < rest) {
            each(UncomparedKind::Line, &(line + 1).to_string());
        }
        if let Some(line) = self.rest {
            each(UncomparedKind::Rest, &(line + 1).to_string());
        }
    }
}

/// The first difference of two texts.
pub(super) fn difference(
    was: &str,
    is: &str,
    is_cut: bool,
    learned: Option<&LearnedLines>,
) -> Option<Found> {
    let none = LearnedLines::default();
    let learned = learned.unwrap_or(&none);
    let left: Vec<&str> = was.lines().collect();
    let right: Vec<&str> = is.lines().collect();
    let shorter = left.len().min(right.len());
    // The last line of a text that is cut may go on.
    let known = if is_cut {
        shorter.saturating_sub(1)
    } else {
        shorter
    };
    let compared = known.min(learned.rest.unwrap_or(usize::MAX));
    let found = |line: usize, was: &str, is: &str| {
        let (was, is) = shown(was, is);
        Some(Found {
            kind: DifferenceKind::Line,
            path: (line + 1).to_string(),
            was,
            is,
        })
    };
    for line in (0..compared).filter(|line| !learned.has(*line, None)) {
        let (lefts, rights) = (words(left[line]), words(right[line]));
        if lefts.len() != rights.len() {
            return found(line, left[line], right[line]);
        }
        let pairs = lefts.iter().zip(&rights).enumerate();
        let mut differing = pairs.filter(|(_, (left, right))| left != right);
        let first = differing.find(|(word, _)| !learned.has(line, Some(*word)));
        if let Some((_, (was, is))) = first {
            return found(line, was, is);
        }
    }
    let goes_on = !is_cut && learned.rest.is_none() && left.len() != right.len();
    if goes_on {
        let line = |lines: &[&str]| lines.get(shorter).copied().unwrap_or_default().to_owned();
        return found(shorter, &line(&left), &line(&right));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(token: &str, title: &str) -> String {
        format!("<html>\n<h1>{title}</h1>\n<input name=\"csrf\" value=\"{token}\">\n</html>\n")
    }

    #[test]
    fn a_token_in_a_page_is_left_out_and_the_rest_is_compared() {
        let mut learned = LearnedLines::default();
        learned.learn(&page("a1+b/c==", "Shop"), &page("zz-9_q", "Shop"));
        let told = |is: &str| difference(&page("x", "Shop"), is, false, Some(&learned));
        assert_eq!(told(&page("other", "Shop")), None);
        let found = told(&page("other", "Store")).unwrap();
        assert_eq!((found.path.as_str(), found.was.as_str()), ("2", "Shop"));
        assert!(told("<html>\n").is_some());
        let mut named = Vec::new();
        learned.each_varying(|_, path| named.push(path.to_owned()));
        assert_eq!(named, ["3"]);
    }

    #[test]
    fn of_a_text_that_is_cut_the_last_line_is_not_compared() {
        assert_eq!(difference("a\nbcd", "a\nb", true, None), None);
        assert!(difference("a\nbcd", "a\nb", false, None).is_some());
        assert!(difference("a\nb", "a\nb\nc", false, None).is_some());
    }

    #[test]
    fn texts_of_other_lengths_are_compared_up_to_where_they_part() {
        let mut learned = LearnedLines::default();
        learned.learn("a\nx y\nz", "a\nx\nz\nw");
        assert_eq!(difference("a\nq", "a\nr s\nt", false, Some(&learned)), None);
        assert!(difference("a\nq", "b\nq", false, Some(&learned)).is_some());
    }
}
