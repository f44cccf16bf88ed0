//! The words of the field that stand in a document, with what they mean.
//!
//! Pages link each label to the meaning of the word in it, so that it is at hand where it is
//! read, by mouse, keyboard and finger. How words are written is in `text`, by language.

use loadline_text::{Catalog, Message, glossary};
use serde::Serialize;

use super::{DocumentBlock, ReportDocument};

/// Says a sentence that needs no arguments.
type Sentence = fn() -> Message;

/// A word of the field: how it is called and written, and what it means.
struct WordEntry {
    id: &'static str,
    word: Sentence,
    /// The ways in which it is written, parted by commas.
    spelled: Sentence,
    meaning: Sentence,
}

impl WordEntry {
    const fn new(id: &'static str, word: Sentence, spelled: Sentence, meaning: Sentence) -> Self {
        Self {
            id,
            word,
            spelled,
            meaning,
        }
    }
}

/// All of them, in the order in which they are explained.
const FIELD_WORDS: &[WordEntry] = &[
    WordEntry::new(
        "tps",
        glossary::tps,
        glossary::tps_spelled,
        glossary::tps_is,
    ),
    WordEntry::new(
        "latency",
        glossary::latency,
        glossary::latency_spelled,
        glossary::latency_is,
    ),
    WordEntry::new(
        "percentile",
        glossary::percentile,
        glossary::percentile_spelled,
        glossary::percentile_is,
    ),
    WordEntry::new(
        "mean",
        glossary::mean,
        glossary::mean_spelled,
        glossary::mean_is,
    ),
    WordEntry::new("vu", glossary::vu, glossary::vu_spelled, glossary::vu_is),
    WordEntry::new(
        "iteration",
        glossary::iteration,
        glossary::iteration_spelled,
        glossary::iteration_is,
    ),
    WordEntry::new(
        "dropped",
        glossary::dropped,
        glossary::dropped_spelled,
        glossary::dropped_is,
    ),
    WordEntry::new(
        "errors",
        glossary::errors,
        glossary::errors_spelled,
        glossary::errors_is,
    ),
    WordEntry::new(
        "capacity",
        glossary::capacity,
        glossary::capacity_spelled,
        glossary::capacity_is,
    ),
    WordEntry::new(
        "knee",
        glossary::knee,
        glossary::knee_spelled,
        glossary::knee_is,
    ),
    WordEntry::new(
        "saturation",
        glossary::saturation,
        glossary::saturation_spelled,
        glossary::saturation_is,
    ),
    WordEntry::new(
        "limit",
        glossary::limit,
        glossary::limit_spelled,
        glossary::limit_is,
    ),
    WordEntry::new(
        "headroom",
        glossary::headroom,
        glossary::headroom_spelled,
        glossary::headroom_is,
    ),
    WordEntry::new(
        "soak",
        glossary::soak,
        glossary::soak_spelled,
        glossary::soak_is,
    ),
    WordEntry::new(
        "grade",
        glossary::grade,
        glossary::grade_spelled,
        glossary::grade_is,
    ),
];

/// A word that stands in a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GlossaryEntry {
    /// A name for links, the same in all languages.
    pub id: &'static str,
    /// The word.
    pub word: String,
    /// What it means.
    pub meaning: String,
    /// The labels of the document that are explained by it.
    pub labels: Vec<String>,
}

/// A document with its words, as pages show it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageDocument<'a> {
    #[serde(flatten)]
    document: &'a ReportDocument,
    glossary: Vec<GlossaryEntry>,
}

impl<'a> PageDocument<'a> {
    /// The document, with the words that stand in it.
    #[must_use]
    pub fn new(document: &'a ReportDocument, catalog: &Catalog) -> Self {
        Self {
            document,
            glossary: words_in(document, catalog),
        }
    }

    /// As JSON for pages.
    ///
    /// # Panics
    /// Never: all keys are strings.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("all keys are strings")
    }
}

/// The words that stand in a document's labels and sentences, in the order in which they are
/// explained.
#[must_use]
pub fn words_in(document: &ReportDocument, catalog: &Catalog) -> Vec<GlossaryEntry> {
    words_of(labels(document), sentences(document), catalog)
}

/// The words that stand in labels of a page, or in sentences of it.
#[must_use]
pub fn words_of<'a>(
    labels: impl IntoIterator<Item = &'a str>,
    sentences: impl IntoIterator<Item = &'a str>,
    catalog: &Catalog,
) -> Vec<GlossaryEntry> {
    let spellings = Spellings::new(catalog);
    let mut entries: Vec<GlossaryEntry> = FIELD_WORDS
        .iter()
        .map(|entry| GlossaryEntry {
            id: entry.id,
            word: catalog.text(&(entry.word)()),
            meaning: catalog.text(&(entry.meaning)()),
            labels: Vec::new(),
        })
        .collect();
    let mut stands = vec![false; entries.len()];
    for label in labels {
        let found = spellings.places(label);
        for place in &found {
            stands[*place] = true;
        }
        // A label is a link, and that has one end: its first word.
        if let Some(first) = found.first() {
            let known = &mut entries[*first].labels;
            if !known.iter().any(|one| one == label) {
                known.push(label.to_owned());
            }
        }
    }
    for sentence in sentences {
        for place in spellings.places(sentence) {
            stands[place] = true;
        }
    }
    let mut stands = stands.into_iter();
    entries.retain(|_| stands.next() == Some(true));
    entries
}

/// Every way to write a word, longest first, with the word's place.
struct Spellings {
    of_words: Vec<(String, usize)>,
}

impl Spellings {
    fn new(catalog: &Catalog) -> Self {
        let mut of_words: Vec<(String, usize)> = Vec::new();
        for (place, entry) in FIELD_WORDS.iter().enumerate() {
            let spelled = catalog.text(&(entry.spelled)());
            let each = spelled.split(',').map(|one| one.trim().to_lowercase());
            of_words.extend(each.map(|one| (one, place)));
        }
        of_words.sort_by_key(|(spelling, _)| std::cmp::Reverse(spelling.len()));
        Self { of_words }
    }

    /// The words of a text, in the order in which they stand.
    fn places(&self, text: &str) -> Vec<usize> {
        let text = text.to_lowercase();
        let mut places = Vec::new();
        let mut rest = text.as_str();
        let mut before = None;
        while let Some(c) = rest.chars().next() {
            let length = match self.at_start(rest, before) {
                Some((length, place)) => {
                    places.push(place);
                    length
                }
                None => c.len_utf8(),
            };
            before = rest[..length].chars().next_back();
            rest = &rest[length..];
        }
        places
    }

    /// The longest word with which a text starts: its length and place.
    fn at_start(&self, text: &str, before: Option<char>) -> Option<(usize, usize)> {
        let (spelling, place) = (self.of_words.iter()).find(|(spelling, _)| {
            text.strip_prefix(spelling.as_str())
                .is_some_and(|after| is_whole(before, spelling, after.chars().next()))
        })?;
        Some((spelling.len(), *place))
    }
}

/// Whether what stands before and after leaves it a word of its own. A Korean particle may
/// follow directly.
fn is_whole(before: Option<char>, spelling: &str, after: Option<char>) -> bool {
    let is_in_word = |c: char| c.is_alphanumeric();
    let starts = spelling.starts_with('/') || !before.is_some_and(is_in_word);
    let ends = !after.is_some_and(|c| c.is_ascii_alphanumeric());
    starts && ends
}

/// What pages show as names: of figures, columns, rows, charts.
fn labels(document: &ReportDocument) -> impl Iterator<Item = &str> {
    let figures = document.figures.iter().map(|figure| figure.label.as_str());
    let blocks = document.sections.iter().flat_map(|section| &section.blocks);
    figures.chain(blocks.flat_map(labels_of_block))
}

fn labels_of_block(block: &DocumentBlock) -> Vec<&str> {
    match block {
        DocumentBlock::Rows { rows } => rows.iter().map(|row| row.label.as_str()).collect(),
        DocumentBlock::Table(table) => {
            let heads = table.columns.iter().map(|column| column.head.as_str());
            heads.collect()
        }
        DocumentBlock::Chart(chart) => vec![chart.title.as_str()],
        DocumentBlock::Finding(finding) => vec![finding.head.as_str()],
        DocumentBlock::Text { .. } | DocumentBlock::Source { .. } => Vec::new(),
    }
}

fn sentences(document: &ReportDocument) -> impl Iterator<Item = &str> {
    let verdict = &document.verdict;
    let first = std::iter::once(&verdict.text).chain(&verdict.details);
    let sections = document.sections.iter().flat_map(|section| {
        let texts = section.blocks.iter().flat_map(|block| match block {
            DocumentBlock::Text { lines } => lines.as_slice(),
            _ => &[],
        });
        std::iter::once(&section.title).chain(texts)
    });
    first.chain(sections).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use loadline_text::Lang;

    use super::*;

    fn words(text: &str, lang: Lang) -> Vec<&'static str> {
        let catalog = Catalog::new(lang);
        let places = Spellings::new(&catalog).places(text);
        places
            .into_iter()
            .map(|place| FIELD_WORDS[place].id)
            .collect()
    }

    #[test]
    fn words_are_found_whole_and_the_longest_first() {
        assert_eq!(
            words("Peak throughput (TPS), p95 ms", Lang::En),
            ["saturation", "tps", "percentile"]
        );
        assert_eq!(words("150/s at the knee", Lang::En), ["tps", "knee"]);
        assert_eq!(
            words("a kneeling meaning, vusers2", Lang::En),
            [""; 0],
            "parts of words"
        );
    }

    #[test]
    fn a_korean_particle_may_follow() {
        assert_eq!(words("TPS는 포화점에서", Lang::Ko), ["tps", "knee"]);
        assert_eq!(words("포화 상태", Lang::Ko), ["saturation"]);
        assert_eq!(words("응답 시간 p95", Lang::Ko), ["latency", "percentile"]);
    }

    #[test]
    fn every_word_is_written_in_one_way_of_its_own() {
        for lang in [Lang::En, Lang::Ko] {
            let catalog = Catalog::new(lang);
            let mut spellings = Spellings::new(&catalog).of_words;
            let count = spellings.len();
            spellings.sort();
            spellings.dedup_by(|a, b| a.0 == b.0);
            assert_eq!(spellings.len(), count, "one spelling, one word");
            assert!(spellings.iter().all(|(spelling, _)| !spelling.is_empty()));
        }
    }
}
