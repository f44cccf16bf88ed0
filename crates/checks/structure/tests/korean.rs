//! Korean messages and documents take the words of `docs/glossary.md` and hold no English
//! sentences.

#![expect(
    clippy::unwrap_used,
    reason = "a tool for tests: what cannot be read fails the test"
)]

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Korean messages and documents, by their place.
fn korean_texts() -> Vec<(String, String)> {
    let folders = [
        "crates/values/text/locales/ko",
        "docs/guide",
        "examples",
        ".",
    ];
    let mut texts = Vec::new();
    for folder in folders {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_file() && (folder.ends_with("/ko") || name.ends_with(".ko.md")) {
                texts.push((
                    format!("{folder}/{name}"),
                    fs::read_to_string(path).unwrap(),
                ));
            }
        }
    }
    texts
}

/// Examples whose comments are for readers of both languages, by their path.
fn examples() -> Vec<(String, String)> {
    let folders = [
        "examples",
        "examples/gate",
        "examples/grpc",
        "examples/targets/node",
        "examples/targets/python",
    ];
    let mut found = Vec::new();
    for folder in folders {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let kind = path.extension().unwrap_or_default().to_string_lossy();
            if ["js", "mjs", "py"].contains(&kind.as_ref()) {
                let text = fs::read_to_string(&path).unwrap();
                found.push((format!("{folder}/{name}"), text));
            }
        }
    }
    found
}

/// The comment at the head of a file, in English and in Korean.
fn heads(text: &str) -> Option<(&str, &str)> {
    let end = text.find("\nimport ")?;
    text[..end].split_once("[한국어] ")
}

/// The commands of a comment.
fn typed(comment: &str) -> Vec<&str> {
    let lines = comment.lines().filter_map(|line| {
        let at = ["curl ", "loadline ", "node ", "uvicorn ", "pip "]
            .iter()
            .filter_map(|name| line.find(name))
            .min()?;
        let is_block = line[..at].trim_matches(['/', ' ']).is_empty() || line.contains(": curl ");
        is_block.then(|| line[at..].split("  #").next().unwrap().trim_end())
    });
    lines.collect()
}

/// Words that are not used, each with the one that is.
fn wrong_words() -> Vec<(String, String)> {
    let glossary = fs::read_to_string(root().join("docs/glossary.md")).unwrap();
    let (_, table) = glossary.split_once("| not | but |").unwrap();
    let rows = table.lines().filter(|row| row.starts_with("| "));
    rows.map(|row| {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        (cells[1].to_owned(), cells[2].to_owned())
    })
    .collect()
}

fn wrong_in(place: &str, text: &str, words: &[(String, String)]) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for (wrong, right) in words.iter().filter(|(wrong, _)| line.contains(wrong)) {
            found.push(format!("{place}:{}: {wrong}: {right}", number + 1));
        }
    }
    found
}

/// Lines of prose without a Korean word that read like an English sentence.
fn english_in(place: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_code = false;
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
            continue;
        }
        if !is_code && !line.starts_with("    ") && is_english_sentence(line) {
            found.push(format!("{place}:{}: {line}", number + 1));
        }
    }
    found
}

/// Five or more words of small English letters side by side, and nothing Korean.
fn is_english_sentence(line: &str) -> bool {
    let is_korean = line.chars().any(|c| ('가'..='힣').contains(&c));
    let is_word = |word: &&str| word.len() > 1 && word.bytes().all(|b| b.is_ascii_lowercase());
    let words = line.split([' ', ',', '.', ';']).filter(is_word).count();
    !is_korean && words >= 5
}

#[test]
fn examples_say_the_same_in_both_languages() {
    let examples = examples();
    assert!(examples.len() >= 17, "{} examples", examples.len());
    let mut commands = 0;
    for (name, text) in &examples {
        let (english, korean) = heads(text).unwrap_or_else(|| panic!("{name} has no Korean"));
        assert_eq!(typed(english), typed(korean), "{name}");
        let lines = |text: &str| text.trim().lines().count();
        let (english_lines, korean_lines) = (lines(english), lines(korean));
        assert!(
            korean_lines * 2 >= english_lines,
            "{name}: {korean_lines} lines for {english_lines}"
        );
        commands += typed(korean).len();
    }
    assert!(commands > 35, "{commands} commands");
}

#[test]
fn korean_takes_the_words_of_the_glossary() {
    let words = wrong_words();
    assert!(words.len() > 15, "{words:?}");
    let mut texts = korean_texts();
    assert!(texts.len() > 15, "{} texts", texts.len());
    texts.extend(examples());
    let found: Vec<String> = texts
        .iter()
        .flat_map(|(place, text)| wrong_in(place, text, &words))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_korean_document_holds_an_english_sentence() {
    let texts = korean_texts();
    let documents = texts.iter().filter(|(place, _)| place.ends_with(".ko.md"));
    let found: Vec<String> = documents
        .flat_map(|(place, text)| english_in(place, text))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_planted_wrong_word_and_a_planted_sentence_are_found() {
    let planted = "- 지연 시간은 좋습니다\n- 에러율이 1%입니다\n";
    assert_eq!(wrong_in("x", planted, &wrong_words()), ["x:2: 에러: 오류"]);
    let planted = "좋은 문장입니다.\nThe run ended and nothing more was said.\n```\nthis is code of an example\n```\n";
    assert_eq!(
        english_in("x", planted),
        ["x:2: The run ended and nothing more was said."]
    );
}
