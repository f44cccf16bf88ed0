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
fn korean_takes_the_words_of_the_glossary() {
    let words = wrong_words();
    assert!(words.len() > 15, "{words:?}");
    let texts = korean_texts();
    assert!(texts.len() > 15, "{} texts", texts.len());
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
