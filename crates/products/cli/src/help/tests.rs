use std::collections::BTreeSet;

use super::*;
use crate::commands::{all_commands, plain_pages};

/// English texts of a command and of those below it.
fn texts(command: &Command, into: &mut BTreeSet<String>) {
    let mut found: Vec<Option<&StyledStr>> = vec![command.get_about()];
    let shown = || command.get_arguments().filter(|arg| !arg.is_hide_set());
    found.extend(shown().map(Arg::get_help));
    let values: Vec<_> = shown().flat_map(Arg::get_possible_values).collect();
    found.extend(values.iter().map(|value| value.get_help()));
    let found = found.into_iter().flatten().map(StyledStr::to_string);
    into.extend(found.filter(|text| !text.is_empty()));
    into.extend(shown().filter_map(Arg::get_help_heading).map(str::to_owned));
    let after = command.get_after_help().map(StyledStr::to_string);
    of_text(&after.unwrap_or_default(), into);
    for inner in command.get_subcommands() {
        texts(inner, into);
    }
}

fn of_text(text: &str, into: &mut BTreeSet<String>) {
    into.extend(parts(text).into_iter().filter_map(|part| match part {
        Part::Sentence(text) | Part::Explained(_, text) => Some(text),
        Part::Kept(_) => None,
    }));
}

fn all_texts() -> BTreeSet<String> {
    let mut all: BTreeSet<String> = [
        "Usage:",
        "Commands",
        "Arguments",
        "Options",
        "Print help",
        "Print version",
    ]
    .map(str::to_owned)
    .into();
    all.extend(groups::GROUPS.map(|group| group.heading.to_owned()));
    for command in all_commands() {
        texts(&command, &mut all);
    }
    for page in plain_pages() {
        of_text(page, &mut all);
    }
    all
}

#[test]
fn every_text_of_help_has_its_korean() {
    let missing: Vec<_> = all_texts()
        .into_iter()
        .filter(|text| help::in_korean(text).is_none())
        .collect();
    assert!(
        missing.is_empty(),
        "add to locales/ko/help.txt:\n{}",
        missing.join("\n")
    );
}

#[test]
fn no_korean_is_left_of_a_text_that_is_gone() {
    let all: BTreeSet<String> = all_texts()
        .iter()
        .map(|text| text.lines().map(str::trim).collect::<Vec<_>>().join(" "))
        .collect();
    let gone: Vec<_> = help::known().filter(|text| !all.contains(*text)).collect();
    assert!(
        gone.is_empty(),
        "take out of locales/ko/help.txt:\n{}",
        gone.join("\n")
    );
}

#[test]
fn a_text_without_korean_is_found() {
    let command = Command::new("x").about("Nobody said this in Korean");
    let mut all = BTreeSet::new();
    texts(&command, &mut all);
    assert!(all.iter().any(|text| help::in_korean(text).is_none()));
}

#[test]
fn examples_stay_on_one_line_and_their_comments_are_told() {
    let long = format!("  loadline run {}  # the latest", "x".repeat(200));
    let text = text(&format!("Examples:\n{long}\n"), Lang::Ko);
    assert_eq!(
        text,
        format!("예:\n{}# 마지막 실행", long.split('#').next().unwrap())
    );
}

/// A command and all below it, with their names.
fn tree(command: &Command, name: &str) -> Vec<(String, Command)> {
    let mut all = vec![(name.to_owned(), command.clone())];
    for inner in command.get_subcommands() {
        all.extend(tree(inner, &format!("{name} {}", inner.get_name())));
    }
    all
}

#[test]
fn every_page_is_laid_out_in_both_languages_without_the_others_sentences() {
    let commands = all_commands();
    let all = commands
        .iter()
        .flat_map(|command| tree(command, "loadline"));
    for (name, command) in all {
        let named = || command.clone().bin_name(name.clone());
        let english = page(named(), Lang::En, true);
        let is_korean = |text: &str| text.chars().any(|c| ('가'..='힣').contains(&c));
        assert!(!is_korean(&english), "{english}");
        for is_long in [true, false] {
            let korean = page(named(), Lang::Ko, is_long);
            // Examples are commands, and may hold words of a person.
            let ours = |line: &&str| !line.starts_with("  loadline");
            let korean: String = korean.lines().filter(ours).collect();
            for word in [
                " the ",
                " of ",
                " is ",
                "Usage:",
                "Options:",
                "Print ",
                "[default",
                "ossible values",
            ] {
                assert!(!korean.contains(word), "{name}: {word}: {korean}");
            }
        }
    }
}
