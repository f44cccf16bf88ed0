//! Commands in READMEs and guides.

#![expect(
    clippy::unwrap_used,
    reason = "a tool for tests: what cannot be read fails the test"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Documents with commands: READMEs and guides, by their path.
///
/// # Panics
/// For a document that cannot be read.
#[must_use]
pub fn documents() -> BTreeMap<String, String> {
    let root = root();
    let guides = fs::read_dir(root.join("docs/guide")).unwrap();
    let paths = guides.map(|entry| entry.unwrap().path()).chain(
        [
            "README.md",
            "README.ko.md",
            "examples/README.md",
            "examples/README.ko.md",
        ]
        .map(|name| root.join(name)),
    );
    paths
        .filter(|path| path.extension().is_some_and(|ext| ext == "md"))
        .map(|path| {
            let name = path.strip_prefix(&root).unwrap().display().to_string();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect()
}

/// The commands of a text: the arguments of `loadline` in its blocks of code, without comments.
#[must_use]
pub fn commands(text: &str) -> Vec<Vec<String>> {
    let mut lines: Vec<String> = Vec::new();
    let mut fence: Option<String> = None;
    let mut goes_on = false;
    for line in text.lines() {
        if let Some(kind) = line.trim_start().strip_prefix("```") {
            fence = match fence {
                Some(_) => None,
                None => Some(kind.to_owned()),
            };
            continue;
        }
        let is_command = match &fence {
            Some(kind) => kind == "sh",
            None => line.starts_with("    "),
        };
        if !is_command {
            continue;
        }
        let (line, broken) = match line.trim_end().strip_suffix('\\') {
            Some(line) => (line, true),
            None => (line, false),
        };
        match lines.last_mut().filter(|_| goes_on) {
            Some(last) => last.push_str(line),
            None => lines.push(line.to_owned()),
        }
        goes_on = broken;
    }
    lines.iter().flat_map(|line| of_line(line)).collect()
}

/// The commands of ours in a line of a shell.
#[must_use]
pub fn of_line(line: &str) -> Vec<Vec<String>> {
    let words = words(line);
    words
        .split(|word| ["&&", "|", ";", "&"].contains(&word.as_str()))
        .map(<[String]>::to_vec)
        .filter_map(|words| {
            let is_variable = |word: &String| {
                word.split('=').next().is_some_and(|name| {
                    word.contains('=')
                        && name
                            .chars()
                            .all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit())
                })
            };
            let mut words = words.into_iter().skip_while(is_variable);
            (words.next()? == "loadline").then(|| words.collect::<Vec<_>>())
        })
        .map(|words| {
            let redirected = words.iter().position(|word| word == ">" || word == ">>");
            words[..redirected.unwrap_or(words.len())].to_vec()
        })
        .collect()
}

/// Words as a shell makes them, up to a comment.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                word.get_or_insert_default();
                quote = Some(c);
            }
            (None, '#') if word.is_none() => break,
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}
