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

/// What a document shows as the output of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownText {
    /// The arguments of the command; empty where none is above it.
    pub command: Vec<String>,
    /// What it prints, as the document shows it.
    pub lines: Vec<String>,
    /// Shown as an example: of another load or target than the command above has.
    pub is_example: bool,
    /// The line that it begins at.
    pub line: usize,
}

/// The fenced outputs of a text, each with the last command above it. A sample that begins with
/// `$ loadline ...` names its command itself; ```` ```text example ```` marks one of other numbers.
#[must_use]
pub fn shown_texts(text: &str) -> Vec<ShownText> {
    let mut all = Vec::new();
    let mut command: Vec<String> = Vec::new();
    let mut fence: Option<(usize, String, Vec<String>)> = None;
    for (at, line) in text.lines().enumerate() {
        let Some(kind) = line.trim_start().strip_prefix("```") else {
            if let Some((_, _, lines)) = &mut fence {
                lines.push(line.to_owned());
            }
            continue;
        };
        let Some((begins, kind, mut lines)) = fence.take() else {
            fence = Some((at + 1, kind.trim().to_owned(), Vec::new()));
            continue;
        };
        if kind == "sh" {
            let block = format!("```sh\n{}\n```", lines.join("\n"));
            command = commands(&block).pop().unwrap_or(command);
        }
        if !["", "text", "text example"].contains(&kind.as_str()) {
            continue;
        }
        let typed = lines.first().and_then(|line| line.strip_prefix("$ "));
        let own = typed.and_then(|typed| of_line(typed).pop());
        if own.is_some() {
            lines.remove(0);
        }
        all.push(ShownText {
            command: own.unwrap_or_else(|| command.clone()),
            lines,
            is_example: kind == "text example",
            line: begins,
        });
    }
    all
}

/// The shape of a line of output: figures, times, names of runs, addresses and paths are one class
/// each, gaps are one blank.
#[must_use]
pub fn shape(line: &str) -> String {
    let words = line.split_whitespace().map(shape_of_word);
    let mut words: Vec<String> = words.collect();
    // A unit behind a figure, and the interval of one, are part of it.
    let mut at = 1;
    while at < words.len() {
        let is_unit =
            ["ms", "s", "µs", "%"].contains(&words[at].trim_end_matches([',', ';', ':', ')', ']']));
        if words[at - 1].ends_with('#') && is_unit {
            let end = words.remove(at);
            let closing = end.trim_start_matches(['m', 's', 'µ', '%']);
            words[at - 1].push_str(closing);
        } else {
            at += 1;
        }
    }
    let line = words.join(" ").replace(" [#, #]", "");
    line.replace("< #", "#")
        .replace("> #", "#")
        .replace("≥ #", "#")
}

fn shape_of_word(word: &str) -> String {
    if ["–", "yes", "no", "예", "아니요"].contains(&word) {
        return "#".to_owned();
    }
    let is_name = |part: &str| {
        part.len() == 8
            && part.bytes().any(|b| b.is_ascii_digit())
            && part
                .bytes()
                .all(|b| b.is_ascii_digit() || b.is_ascii_lowercase())
    };
    // Of a path, the last part.
    let is_path = word.starts_with('/') || word.contains(":///");
    let word = match word.rsplit_once('/') {
        Some((_, last)) if is_path && !last.is_empty() => last,
        _ => word,
    };
    let mut shape = String::new();
    let mut rest = word;
    while let Some(c) = rest.chars().next() {
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(rest.len());
        if is_name(&rest[..end]) {
            shape.push('#');
            rest = &rest[end..];
            continue;
        }
        let signed = rest.strip_prefix(['+', '-']).unwrap_or(rest);
        if signed.starts_with(|c: char| c.is_ascii_digit()) {
            let is_part = |c: char| c.is_ascii_digit() || ".,".contains(c);
            let end = signed.find(|c| !is_part(c)).unwrap_or(signed.len());
            // A comma or a full stop behind a figure is the sentence's.
            let figure = signed[..end].trim_end_matches(['.', ',']);
            shape.push('#');
            rest = &signed[figure.len()..];
            for unit in ["ms", "µs", "s", "m"] {
                let after = rest.strip_prefix(unit);
                if let Some(after) = after.filter(|after| !after.starts_with(char::is_alphabetic)) {
                    rest = after;
                    break;
                }
            }
            continue;
        }
        let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(0);
        let end = if end == 0 { c.len_utf8() } else { end };
        shape.push_str(&rest[..end.min(rest.len())]);
        rest = &rest[end.min(rest.len())..];
    }
    shape
}

/// The lines of a sample that are not, in this order, among those that were printed. `...` stands
/// for anything: lines that are left out, or the rest of a line.
#[must_use]
pub fn not_printed<'s>(sample: &'s [String], printed: &str) -> Vec<&'s str> {
    let printed: Vec<String> = printed.lines().map(shape).collect();
    let mut from = 0;
    let mut missing = Vec::new();
    for line in sample {
        let wanted = shape(line);
        let is_left_out = ["", "...", "…"].contains(&wanted.as_str());
        if is_left_out {
            continue;
        }
        let fits = |found: &String| match wanted.split_once("...") {
            Some((begin, end)) => found.starts_with(begin) && found.ends_with(end),
            None => *found == wanted,
        };
        match printed[from..].iter().position(fits) {
            Some(at) => from += at + 1,
            None => missing.push(line.as_str()),
        }
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_belongs_to_the_command_above_it() {
        let text = "```sh\nloadline run a.js   # x\nloadline show\n```\n\n```text\none\n```\n```text example\ntwo\n```\n\
            ```js\nno\n```\n```\n$ loadline list -n 5\nthree\n```\n";
        let found = shown_texts(text);
        let of = |sample: &ShownText| (sample.command.join(" "), sample.lines.join("|"));
        assert_eq!(of(&found[0]), ("show".to_owned(), "one".to_owned()));
        assert!(found[1].is_example && !found[0].is_example);
        assert_eq!(of(&found[2]), ("list -n 5".to_owned(), "three".to_owned()));
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].line, 6);
    }

    #[test]
    fn the_shape_of_a_line_is_all_but_its_figures() {
        for (one, other) in [
            ("p95   1,342 ms  57.3 ms", "p95 3 ms 5.1 ms"),
            (
                "run k3f9ab12: 5 of 7, in 1m12s",
                "run aa00bb11: 1 of 2, in 3m4s",
            ),
            ("mean +94.8 % [-1.35 %, +285 %]", "mean –"),
            (
                "http://127.0.0.1:8080/a: answers",
                "http://127.0.0.1:45123/a: answers",
            ),
            ("avg=3.8ms min=168.85µs", "avg=38.1µs min=1ms"),
            ("errors < 0.01 %", "errors 0 %"),
        ] {
            assert_eq!(shape(one), shape(other), "{one}");
        }
        for (one, other) in [
            ("better by 12 %", "worse by 12 %"),
            ("5 of 7 requests", "5 requests"),
            ("p95 5 ms", "p99 5 ms errors"),
        ] {
            assert_ne!(shape(one), shape(other), "{one}");
        }
    }

    #[test]
    fn what_a_sample_shows_is_printed_in_its_order() {
        let printed = "head 1\nfirst 2 ms\nother\nsecond 3 ms and more\n";
        let sample = |lines: &[&str]| {
            lines
                .iter()
                .map(|line| (*line).to_owned())
                .collect::<Vec<_>>()
        };
        assert!(not_printed(&sample(&["head 9", "...", "second 1 ms ..."]), printed).is_empty());
        let wrong = sample(&["second 3 ms and more", "first 2 ms"]);
        assert_eq!(not_printed(&wrong, printed), ["first 2 ms"]);
        assert_eq!(not_printed(&sample(&["third 1"]), printed), ["third 1"]);
    }
}
