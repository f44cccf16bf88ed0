//! The pages of `--help`, in the reader's language.
//!
//! The command line's library lays them out. What stands below the options (examples, what else
//! is to know) is added here as it is written: a command broken over two lines cannot be copied.

mod groups;

use clap::builder::{PossibleValue, StyledStr};
use clap::{Arg, ArgAction, Command};
use loadline_text::{Lang, help};

/// The page of a command; a long one has a line for each value that can be chosen.
pub(crate) fn page(command: Command, lang: Lang, is_long: bool) -> String {
    let after = command.get_after_help().map(StyledStr::to_string);
    let is_long = is_long && has_long_texts(&command);
    let mut command = command.after_help("").disable_help_subcommand(true);
    if lang == Lang::Ko {
        command = in_korean(command);
    }
    let is_program = command.get_name() == "loadline" && command.has_subcommands();
    if is_program {
        command = in_groups(command, lang);
    }
    let laid_out = if is_long {
        command.render_long_help()
    } else {
        command.render_help()
    };
    let mut page = format!("{}\n", laid_out.to_string().trim_end());
    if let Some(after) = after {
        page.push_str(&format!("\n{}\n", text(&after, lang).trim_end()));
    }
    page
}

/// The program's page: its commands by the way of a person.
fn in_groups(command: Command, lang: Lang) -> Command {
    let told = |english: &str| text(english, lang);
    let list = groups::listed(&command, told);
    let (usage, options) = (told("Usage:"), told("Options"));
    command.help_template(format!(
        "{{about-with-newline}}\n{usage} {{usage}}\n\n{list}\n\n{options}:\n{{options}}"
    ))
}

/// A text that is no flag's, line by line: sentences, and commands with what they do.
pub(crate) fn text(english: &str, lang: Lang) -> String {
    if lang == Lang::En {
        return english.to_owned();
    }
    let korean = parts(english).into_iter().map(|part| match part {
        Part::Sentence(text) => korean(text.as_str()),
        Part::Kept(text) => text,
        Part::Explained(head, what) => format!("{head}{}", korean(&what)),
    });
    korean.collect::<Vec<_>>().join("\n")
}

/// A piece of such a text.
enum Part {
    /// To be shown in the reader's language.
    Sentence(String),
    /// An empty line, a command.
    Kept(String),
    /// A command, or a name, and what it does.
    Explained(String, String),
}

fn parts(english: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut sentence: Vec<&str> = Vec::new();
    for line in english.lines() {
        if !line.is_empty() && !line.starts_with(' ') {
            sentence.push(line);
            if line.ends_with(':') {
                parts.push(Part::Sentence(std::mem::take(&mut sentence).join("\n")));
            }
            continue;
        }
        if !sentence.is_empty() {
            parts.push(Part::Sentence(std::mem::take(&mut sentence).join("\n")));
        }
        parts.push(indented(line));
    }
    if !sentence.is_empty() {
        parts.push(Part::Sentence(sentence.join("\n")));
    }
    parts
}

/// `  loadline show      # the latest`, or `  port:N      a process of this machine`.
fn indented(line: &str) -> Part {
    let start = line.len() - line.trim_start().len();
    let gap = line[start..].find("  ").map(|at| start + at);
    let at = line.find(" # ").map(|at| at + 3).or_else(|| {
        let gap = gap?;
        Some(gap + line[gap..].len() - line[gap..].trim_start().len())
    });
    match at {
        Some(at) => Part::Explained(line[..at].to_owned(), line[at..].to_owned()),
        None => Part::Kept(line.to_owned()),
    }
}

/// The Korean, or the English there is none for: a test lets no such text pass.
fn korean(english: &str) -> String {
    help::in_korean(english).map_or_else(|| english.to_owned(), str::to_owned)
}

/// A heading, which the library keeps for good.
fn heading(english: &str) -> Option<&'static str> {
    help::in_korean(english)
}

fn has_long_texts(command: &Command) -> bool {
    command.get_arguments().any(|arg| {
        let values = arg.get_possible_values();
        arg.get_long_help().is_some() || values.iter().any(|value| value.get_help().is_some())
    })
}

fn in_korean(command: Command) -> Command {
    let about = command.get_about().map(|about| korean(&about.to_string()));
    let mut command = command
        .about(about.unwrap_or_default())
        .help_template(format!(
            "{{about-with-newline}}\n{} {{usage}}\n\n{{all-args}}",
            korean("Usage:")
        ))
        .subcommand_help_heading(heading("Commands"))
        .disable_help_flag(true)
        .mut_args(argument)
        .mut_subcommands(|inner| {
            let about = inner.get_about().map(|about| korean(&about.to_string()));
            inner.about(about.unwrap_or_default())
        })
        .arg(
            Arg::new("help")
                .short('h')
                .long("help")
                .action(ArgAction::Help)
                .help(korean("Print help"))
                .help_heading(heading("Options")),
        );
    if command.get_version().is_some() {
        command = command.disable_version_flag(true).arg(
            Arg::new("version")
                .short('V')
                .long("version")
                .action(ArgAction::Version)
                .help(korean("Print version"))
                .help_heading(heading("Options")),
        );
    }
    command
}

fn argument(arg: Arg) -> Arg {
    let mut help = arg.get_help().map(|help| korean(&help.to_string()));
    let values = arg.get_possible_values();
    let told: Vec<String> = values
        .iter()
        .filter(|value| !value.is_hide_set())
        .filter_map(|value| {
            let what = korean(&value.get_help()?.to_string());
            Some(format!("- {}: {what}", value.get_name()))
        })
        .collect();
    let names: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
    let usual: Vec<_> = arg
        .get_default_values()
        .iter()
        .map(|v| v.to_string_lossy())
        .collect();
    let takes_value = arg.get_action().takes_values();
    if let Some(help) = &mut help {
        if takes_value && !usual.is_empty() && !usual.iter().all(|value| value.is_empty()) {
            help.push_str(&format!(" [기본값: {}]", usual.join(", ")));
        }
        if takes_value && !told.is_empty() {
            help.push_str(&format!("\n{}", told.join("\n")));
        } else if takes_value && !names.is_empty() {
            help.push_str(&format!(" [값: {}]", names.join(", ")));
        }
    }
    let heading = match arg.get_help_heading() {
        Some(own) => heading(own),
        None if arg.is_positional() => heading("Arguments"),
        None => heading("Options"),
    };
    let arg = arg
        .help(help.unwrap_or_default())
        .long_help(None::<&str>)
        .help_heading(heading);
    if takes_value {
        return arg.hide_default_value(true).hide_possible_values(true);
    }
    arg
}

#[cfg(test)]
mod tests;
