//! Commands in documents and help are commands that can be typed, and a Korean document has those
//! of its English one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser as _;
use loadline_k6::options::flags;

use super::{Cli, capacity, run};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Documents with commands: READMEs and guides, by their name.
fn documents() -> BTreeMap<String, String> {
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

/// The commands of a text: what stands in its blocks of code, without comments.
fn commands(text: &str) -> Vec<Vec<String>> {
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
fn of_line(line: &str) -> Vec<Vec<String>> {
    let mut all = vec![Vec::new()];
    for word in words(line) {
        match word.as_str() {
            "&&" | "|" | ";" | "&" => all.push(Vec::new()),
            _ => all.last_mut().unwrap().push(word),
        }
    }
    all.into_iter()
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

/// What is wrong with a command line, if anything is.
fn mistake(args: &[String]) -> Option<String> {
    let told = |error: &dyn std::fmt::Display| error.to_string().lines().next().map(str::to_owned);
    if args.iter().any(|arg| arg == "--help") {
        return None;
    }
    match args.split_first()? {
        (name, rest) if name == "run" => run::mistake_of(rest),
        (name, rest) if ["inspect", "archive"].contains(&name.as_str()) => {
            let rest: Vec<_> = rest
                .iter()
                .filter(|arg| *arg != "--schedule")
                .cloned()
                .collect();
            let parsed = flags::parse_with(run::own_flags(), &rest);
            parsed.err().and_then(|error| told(&error))
        }
        (name, rest) if name == "capacity" => capacity::mistake_of(rest),
        _ => {
            let words = std::iter::once("loadline".to_owned()).chain(args.iter().cloned());
            Cli::try_parse_from(words)
                .err()
                .and_then(|error| told(&error))
        }
    }
}

#[test]
fn every_command_in_documents_can_be_typed() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, text) in documents() {
        for command in commands(&text) {
            count += 1;
            if let Some(mistake) = mistake(&command) {
                wrong.push(format!("{name}: loadline {}: {mistake}", command.join(" ")));
            }
        }
    }
    assert!(count > 100, "only {count} commands were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_example_of_help_can_be_typed() {
    let mut wrong = Vec::new();
    for command in super::all_commands() {
        let pages = command.get_subcommands().chain([&command]);
        for after in pages.filter_map(clap::Command::get_after_help) {
            let after = after.to_string().replace("\\\n", "");
            for command in after.lines().flat_map(of_line) {
                wrong
                    .extend(mistake(&command).map(|told| format!("{}: {told}", command.join(" "))));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_korean_document_has_the_commands_of_its_english_one() {
    let all = documents();
    let mut wrong = Vec::new();
    for (name, korean) in all.iter().filter(|(name, _)| name.ends_with(".ko.md")) {
        let english = &all[&name.replace(".ko.md", ".md")];
        let of = |text: &str| -> Vec<String> {
            // A Korean document may ask for Korean.
            let commands = commands(text).into_iter().map(|words| words.join(" "));
            commands
                .map(|line| line.replace(" --lang ko", ""))
                .collect()
        };
        let (english, korean) = (of(english), of(korean));
        for command in &english {
            if !korean.contains(command) {
                wrong.push(format!("{name} lacks: loadline {command}"));
            }
        }
        for command in &korean {
            if !english.contains(command) {
                wrong.push(format!("only {name} has: loadline {command}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_command_that_cannot_be_typed_is_found() {
    for line in [
        "loadline run http://127.0.0.1:8080/ --rat 5/s",
        "loadline run script.js --vuss 5",
        "loadline run test.yml --nosuch",
        "loadline capacity script.js --slow 'p(95)<5ms'",
        "loadline compare --nosuch a b",
        "loadline nosuch",
    ] {
        let found = commands(&format!("```sh\n{line}\n```\n"));
        assert_eq!(found.len(), 1, "{line}");
        assert!(mistake(&found[0]).is_some(), "{line}");
    }
    let broken = "A=1 loadline run a.js \\\n  --vus 5  # five\n";
    let found = commands(&format!("```sh\n{broken}```\n"));
    assert_eq!(found[0], ["run", "a.js", "--vus", "5"]);
    assert_eq!(mistake(&found[0]), None);
}
