//! Commands on the first page of help, by the way a person goes: plan, run, explain, improve, protect.

use clap::Command;

/// Commands under one heading.
pub(super) struct HelpGroup {
    /// The heading, in English.
    pub(super) heading: &'static str,
    commands: &'static [&'static str],
}

const fn group(heading: &'static str, commands: &'static [&'static str]) -> HelpGroup {
    HelpGroup { heading, commands }
}

pub(super) const GROUPS: [HelpGroup; 9] = [
    group("Plan", &["plan", "new"]),
    group("Run", &["run", "quick"]),
    group("Explain", &["explain", "observe", "compare"]),
    group("Improve", &["capacity", "matrix", "tune"]),
    group("Protect", &["gate"]),
    group(
        "Look",
        &[
            "show", "report", "rounds", "runs", "serve", "access", "merge",
        ],
    ),
    group("Test bed", &["preflight", "demo", "mock", "data"]),
    group(
        "k6 and Artillery",
        &["inspect", "archive", "vendor", "deps", "features"],
    ),
    group(
        "This program",
        &["trust", "completion", "man", "help", "version"],
    ),
];

/// The commands of `command` in their groups, laid out by the command line's library; `headings` gives a heading in the
/// reader's language.
pub(super) fn listed(command: &Command, headings: impl Fn(&str) -> String) -> String {
    let list = command.clone().help_template("{subcommands}");
    let list = list.clone().render_help().to_string();
    let mut blocks: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in list.lines() {
        let name = line
            .strip_prefix("  ")
            .and_then(|line| line.split(' ').next());
        match (name.filter(|name| !name.is_empty()), blocks.last_mut()) {
            (Some(name), _) => blocks.push((name, vec![line])),
            // A long text goes on in the next line.
            (None, Some((_, lines))) => lines.push(line),
            (None, None) => {}
        }
    }
    let of_group = |group: &HelpGroup| {
        let named = |name: &&str| blocks.iter().find(|(known, _)| known == name);
        let lines = group.commands.iter().filter_map(named);
        let lines: Vec<&str> = lines.flat_map(|(_, lines)| lines.iter().copied()).collect();
        format!(
            "{}:\n{}",
            headings(group.heading),
            lines.join("\n").trim_end()
        )
    };
    GROUPS.iter().map(of_group).collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::commands::all_commands;

    #[test]
    fn every_command_stands_in_one_group() {
        let program = all_commands().swap_remove(0);
        let shown = program.get_subcommands().filter(|one| !one.is_hide_set());
        let shown: BTreeSet<&str> = shown.map(Command::get_name).collect();
        let grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|one| one.commands)
            .copied()
            .collect();
        assert_eq!(grouped.iter().copied().collect::<BTreeSet<_>>(), shown);
        assert_eq!(grouped.len(), shown.len(), "a command stands in two groups");
    }

    #[test]
    fn a_text_over_two_lines_stays_with_its_command() {
        let command = Command::new("x")
            .subcommand(Command::new("run").about("word ".repeat(60)))
            .subcommand(Command::new("gate").about("Hold visitors"))
            .term_width(60);
        let list = listed(&command, str::to_owned);
        let run = list.find("Run:").unwrap();
        let gate = list.find("Protect:\n  gate").unwrap();
        assert_eq!(list[run..gate].matches("word").count(), 60);
    }
}
