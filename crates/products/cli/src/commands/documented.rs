//! Commands in documents and help are commands that can be typed, and a Korean document has those
//! of its English one.

use clap::Parser as _;
use loadline_k6_options::flags;
use loadline_testkit::documents::{commands, documents, of_line};

use super::{Cli, capacity, matrix, run};

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
            let parsed = flags::parse_with(run::loadline_flags(), &rest);
            parsed.err().and_then(|error| told(&error))
        }
        (name, rest) if name == "capacity" => capacity::mistake_of(rest),
        (name, rest) if name == "matrix" => matrix::mistake_of(rest),
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
