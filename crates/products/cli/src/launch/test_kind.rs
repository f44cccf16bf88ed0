//! Which kind of test a command line names: a URL, a k6 script or archive, or an Artillery file.
//!
//! A dialect reads the whole line by its own table of flags, so that no value of a flag is taken for
//! the test. The one meant is the one that knows every flag and for whose tests the word is that is
//! left over. Where none explains the line whole, the one is taken that explains most of it: its
//! words say what is wrong.

mod flag_table;

use std::path::Path;

pub(crate) use flag_table::{FlagTable, SplitLine};
use flag_table::{Reading, TypedFlag};

/// A kind of test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TestKind {
    /// One URL.
    Url,
    /// A k6 script.
    Script,
    /// A k6 script with all it reads in one file.
    Archive,
    /// An Artillery file.
    Artillery,
}

/// The tables of all dialects.
#[derive(Debug)]
pub(crate) struct Dialects {
    pub(crate) url: FlagTable,
    pub(crate) k6: FlagTable,
    pub(crate) artillery: FlagTable,
}

/// Where a line is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    /// Where relative paths start.
    pub(crate) folder: &'a Path,
    /// The program was started under the name `k6`: every test is k6's.
    pub(crate) is_k6: bool,
}

/// A line of `run`, read.
#[derive(Debug)]
pub(crate) struct TestLine {
    pub(crate) kind: TestKind,
    /// The test, if one is named.
    pub(crate) test: Option<String>,
    pub(crate) asks_help: bool,
    /// Every flag is known, and has a value where it needs one.
    pub(crate) is_understood: bool,
    flags: Vec<TypedFlag>,
}

impl TestLine {
    /// Whether a flag is given, named without dashes.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.flags.iter().any(|flag| flag.name == name)
    }

    /// The last value of a flag, named without dashes.
    pub(crate) fn last(&self, name: &str) -> Option<&str> {
        let mut named = self.flags.iter().rev().filter(|flag| flag.name == name);
        named.find_map(|flag| flag.value.as_deref())
    }
}

/// What a word names by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WordKind {
    Url,
    Script,
    Artillery,
    /// An Artillery file, unless a test of another kind stands beside it.
    Json,
}

impl Dialects {
    /// Reads a line of `run`.
    pub(crate) fn read(&self, args: &[String], place: Place<'_>) -> TestLine {
        let (kind, reading) = if place.is_k6 {
            (TestKind::Script, self.k6.read(args))
        } else {
            self.best_reading(args, place.folder)
        };
        let test = test_words(&reading.words)
            .first()
            .map(|word| (*word).clone());
        let mut line = TestLine {
            kind,
            asks_help: reading.asks_help,
            is_understood: reading.mistakes == 0,
            flags: reading.flags,
            test,
        };
        let name = line.test.as_deref().unwrap_or_default();
        if kind == TestKind::Script && is_archive(name, line.last("type")) {
            line.kind = TestKind::Archive;
        }
        line
    }

    /// Parts a line whose test is of this kind into its words and its flags.
    pub(crate) fn split(&self, args: &[String], kind: TestKind) -> SplitLine {
        self.table(kind).split(args)
    }

    /// The flags of the dialect of this kind.
    pub(crate) fn table(&self, kind: TestKind) -> &FlagTable {
        match kind {
            TestKind::Url => &self.url,
            TestKind::Script | TestKind::Archive => &self.k6,
            TestKind::Artillery => &self.artillery,
        }
    }

    /// The dialect that explains the line best, and how it reads it. As a line that none is for is
    /// most likely a script's that is not there, k6's words say so.
    fn best_reading(&self, args: &[String], folder: &Path) -> (TestKind, Reading) {
        let readings = [
            (TestKind::Url, self.url.read(args)),
            (TestKind::Script, self.k6.read(args)),
            (TestKind::Artillery, self.artillery.read(args)),
        ];
        let fitting = readings.into_iter().filter_map(|(kind, reading)| {
            let kinds: Vec<WordKind> = test_words(&reading.words)
                .into_iter()
                .map(|word| word_kind(word, folder))
                .collect();
            let further = kinds.len().checked_sub(1)?;
            let takes_further = kind == TestKind::Artillery;
            let mistakes = reading.mistakes + if takes_further { 0 } else { further };
            // Of two that explain it, the one for which more of it are values of flags.
            is_for(kind, &kinds).then_some(((mistakes, further), kind, reading))
        });
        let best = fitting.min_by_key(|(order, _, _)| *order);
        best.map_or_else(
            || (TestKind::Script, self.k6.read(args)),
            |(_, kind, reading)| (kind, reading),
        )
    }
}

/// The words that may name a test. A number beside others is the value of a flag that nobody here knows: `-n 100 URL`.
fn test_words(words: &[String]) -> Vec<&String> {
    let named: Vec<&String> = words
        .iter()
        .filter(|word| word.parse::<f64>().is_err())
        .collect();
    if named.is_empty() {
        words.iter().collect()
    } else {
        named
    }
}

/// The kind of a test that is named without flags.
pub(crate) fn kind_of_word(word: &str, folder: &Path) -> TestKind {
    match word_kind(word, folder) {
        WordKind::Url => TestKind::Url,
        WordKind::Artillery | WordKind::Json => TestKind::Artillery,
        WordKind::Script if is_archive(word, None) => TestKind::Archive,
        WordKind::Script => TestKind::Script,
    }
}

/// Whether what is run as k6 runs it is an archive; `asked` is the value of `--type`.
pub(crate) fn is_archive(name: &str, asked: Option<&str>) -> bool {
    let is_tar = Path::new(name).extension().is_some_and(|ext| ext == "tar");
    asked == Some("archive") || (asked.is_none() && is_tar)
}

/// Whether words that are left over name a test of this kind.
fn is_for(kind: TestKind, words: &[WordKind]) -> bool {
    let Some((first, further)) = words.split_first() else {
        return false;
    };
    match kind {
        TestKind::Url => *first == WordKind::Url,
        TestKind::Script | TestKind::Archive => *first == WordKind::Script,
        TestKind::Artillery => match first {
            WordKind::Artillery => true,
            WordKind::Json => !further
                .iter()
                .any(|word| matches!(word, WordKind::Url | WordKind::Script)),
            WordKind::Url | WordKind::Script => false,
        },
    }
}

fn word_kind(word: &str, folder: &Path) -> WordKind {
    if word.starts_with("http://") || word.starts_with("https://") {
        return WordKind::Url;
    }
    let lower = word.to_lowercase();
    let ends = |endings: &[&str]| endings.iter().any(|ending| lower.ends_with(ending));
    if lower.contains("://") {
        WordKind::Script
    } else if ends(&[".yml", ".yaml"]) {
        WordKind::Artillery
    } else if ends(&[".json"]) {
        WordKind::Json
    } else if ends(&[".js", ".ts"]) && names_artillery_program(&folder.join(word)) {
        WordKind::Artillery
    } else {
        WordKind::Script
    }
}

fn names_artillery_program(path: &Path) -> bool {
    std::fs::read_to_string(path).is_ok_and(|text| is_artillery_program(&text))
}

/// Whether a program exports what makes an Artillery test, and is no script for k6.
fn is_artillery_program(text: &str) -> bool {
    let exports = [
        "export const scenarios",
        "export let scenarios",
        "exports.scenarios",
    ];
    let is_whole = text.contains("module.exports") && text.contains("scenarios");
    let is_k6 = [
        "from 'k6",
        "from \"k6",
        "require('k6",
        "exports.options",
        "export default",
    ];
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    (has(&exports) || is_whole) && !has(&is_k6)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seen: `run -n 100 -c 10 http://...` was a script called 100.
    #[test]
    fn a_number_beside_a_url_is_no_test() {
        let words =
            |typed: &[&str]| -> Vec<String> { typed.iter().map(ToString::to_string).collect() };
        assert_eq!(
            test_words(&words(&["100", "http://127.0.0.1/"])),
            ["http://127.0.0.1/"]
        );
        assert_eq!(test_words(&words(&["100"])), ["100"]);
    }

    #[test]
    fn a_program_that_exports_scenarios_is_a_test_of_artillery() {
        assert!(is_artillery_program(
            "export const config = {}; export const scenarios = [];"
        ));
        assert!(is_artillery_program(
            "module.exports = { config: {}, scenarios: [] };"
        ));
        assert!(!is_artillery_program(
            "export const options = { scenarios: {} }; export default () => {};"
        ));
        assert!(!is_artillery_program(
            "exports.options = { scenarios: {} }; module.exports.default = f;"
        ));
    }
}
