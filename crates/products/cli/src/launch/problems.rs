//! Mistakes on the command line as problems for the user.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use loadline_bare::TargetError;
use loadline_record::Redactor;
use loadline_text::{Catalog, Code, Message, Problem, arguments, problem, shell_word};
use loadline_units::nearest;

use super::fail_on;
use super::flags_elsewhere::{KnownFlags, is_needless};
use crate::typed_numbers::why_nothing;

/// The command that people type most.
const RUN: &str = "run";

/// Why a flag's value is refused, for the command line's library, which hands it back.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.key())]
pub(crate) struct RefusedValue(pub(crate) Message);

/// What is wrong with a command line; `None` for what is no mistake (help, version).
///
/// `known` are the flags of the command: only such are proposed.
pub(crate) fn of_command_line(
    error: &clap::Error,
    known: &KnownFlags,
    catalog: &Catalog,
) -> Option<Problem> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => texts.first().cloned(),
        _ => None,
    };
    let argument = || text(ContextKind::InvalidArg).unwrap_or_default();
    let problem = match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => return None,
        ErrorKind::UnknownArgument if !argument().starts_with('-') => {
            problem::argument_unexpected(argument())
        }
        ErrorKind::UnknownArgument => {
            let argument = argument();
            let similar = text(ContextKind::SuggestedArg);
            let similar = similar.filter(|similar| is_misspelt(&argument, similar));
            let similar = similar.or_else(|| known.similar(&argument));
            match (known.named_elsewhere(&argument), similar) {
                (Some(ours), _) => problem::option_elsewhere(argument, ours),
                (None, _) if is_needless(&argument) => problem::option_needless(argument),
                (None, Some(similar)) => problem::option_misspelt(argument, similar),
                (None, None) => problem::option_unknown(argument),
            }
        }
        ErrorKind::InvalidSubcommand => {
            let name = text(ContextKind::InvalidSubcommand).unwrap_or_default();
            match text(ContextKind::SuggestedSubcommand) {
                _ if looks_like_a_test(&name) => {
                    problem::command_is_test(shell_word(&Redactor::default().text(&name)))
                }
                Some(similar) => {
                    let similar = nearest_command(error, &name).unwrap_or(similar);
                    problem::command_misspelt(name, similar)
                }
                None => problem::command_unknown(name),
            }
        }
        ErrorKind::MissingRequiredArgument => match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::Strings(missing)) => problem::argument_missing(missing.join(" ")),
            _ => problem::usage(first_line(error)),
        },
        ErrorKind::WrongNumberOfValues => problem::option_without_value(argument()),
        ErrorKind::ArgumentConflict => {
            let other = text(ContextKind::PriorArg).unwrap_or_default();
            conflict(&argument(), &other)
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let argument = argument();
            let flag = flag_of(&argument).to_owned();
            match text(ContextKind::InvalidValue).filter(|value| !value.is_empty()) {
                None => problem::option_without_value(flag),
                Some(value) => {
                    let short = flag.chars().find(char::is_ascii_alphabetic);
                    let long = short.and_then(|short| known.of_one_dash(short, &value));
                    if let (Some(short), Some(long)) = (short, long) {
                        return Some(problem::option_misspelt(format!("-{short}{value}"), long));
                    }
                    // An address that cannot be read may hold a password.
                    let value = Redactor::default().text(&value);
                    let expected = one_of(error).or_else(|| in_range(error));
                    let expected = expected.or_else(|| reasons(&flag, known));
                    let expected = expected.or_else(|| self::expected(&argument));
                    let why = refused(error).map(|RefusedValue(why)| why.clone());
                    let why = why.or_else(|| why_nothing(&value, expected.as_ref()?));
                    let expected = expected.map(|expected| catalog.text(&expected));
                    match (why, expected) {
                        (Some(why), Some(expected)) => {
                            problem::option_refused(flag, value, catalog.text(&why), expected)
                        }
                        (None, Some(expected)) => problem::option_invalid(flag, value, expected),
                        (_, None) => problem::option_value(flag, value),
                    }
                }
            }
        }
        _ => problem::usage(first_line(error)),
    };
    Some(problem)
}

/// What is wrong with two options that do not go together; the same one may be there twice.
fn conflict(one: &str, other: &str) -> Problem {
    if one == other {
        return problem::option_twice(flag_of(one));
    }
    problem::option_conflict(flag_of(one), flag_of(other))
}

/// Of the commands that the library proposes the one that is nearest to what was typed.
fn nearest_command(error: &clap::Error, typed: &str) -> Option<String> {
    match error.get(ContextKind::SuggestedSubcommand)? {
        ContextValue::Strings(similar) => {
            // It leaves out commands that are a slip further away by its own measure: `run` for `rnu`.
            let similar = similar.iter().map(String::as_str);
            nearest(typed, similar.chain([RUN])).map(str::to_owned)
        }
        _ => None,
    }
}

/// The option that was typed, where `problem` says no more of it than that there is none.
pub(crate) fn unknown_option(problem: &Problem) -> Option<&str> {
    let mut args = problem
        .args
        .iter()
        .filter(|_| problem.code == Code::OptionUnknown);
    args.find_map(|(name, value)| (*name == "option").then_some(value.as_str()))
}

/// Whether a word is a URL, a host with its port, or a file: no command has such a name.
fn looks_like_a_test(word: &str) -> bool {
    word.contains(['.', '/', ':'])
}

/// The words of a command line in which each negative number belongs to the flag before it.
///
/// The command line's library takes `-1s` for a flag of its own, and says that there is none.
pub(crate) fn with_negative_values(words: impl IntoIterator<Item = String>) -> Vec<String> {
    let is_negative = |word: &str| {
        let mut letters = word.strip_prefix('-').unwrap_or_default().chars();
        letters
            .next()
            .is_some_and(|c| c.is_ascii_digit() || c == '.')
    };
    // A short flag may be one without a value: these two count users and iterations.
    let takes_a_value = |word: &str| {
        (word.starts_with("--") && word.len() > 2 && !word.contains('='))
            || ["-u", "-i"].contains(&word)
    };
    let mut joined: Vec<String> = Vec::new();
    let mut is_passed_on = false;
    for word in words {
        is_passed_on |= word == "--";
        match joined.last_mut() {
            Some(last) if !is_passed_on && is_negative(&word) && takes_a_value(last) => {
                *last = format!("{last}={word}");
            }
            _ => joined.push(word),
        }
    }
    joined
}

/// The first long flag among `words` that is typed with one dash, as tools written in Go take it: `-body=x` for `--body`.
///
/// The command line's library takes it for `-b ody=x`, and sends that.
pub(crate) fn of_one_dash(words: &[String], command: &clap::Command) -> Option<Problem> {
    let takes_a_value = |word: &str| {
        let arg = command.get_arguments().find(|arg| {
            let long = arg.get_long().map(|long| format!("--{long}"));
            let short = arg.get_short().map(|short| format!("-{short}"));
            [long, short].contains(&Some(word.to_owned()))
        });
        arg.is_some_and(|arg| arg.get_action().takes_values())
    };
    let known = KnownFlags::new(command);
    let typed = words.iter().take_while(|word| *word != "--");
    let mut before = None;
    for word in typed {
        let is_value = before.replace(word).is_some_and(|flag| takes_a_value(flag));
        let name = word
            .strip_prefix('-')
            .filter(|name| !name.starts_with('-') && !is_value);
        let name = name.map(|name| name.split('=').next().unwrap_or_default());
        let Some(name) = name.filter(|name| name.len() > 1) else {
            continue;
        };
        let (typed, long) = (format!("-{name}"), format!("--{name}"));
        if known.has(&long) {
            return Some(problem::option_misspelt(typed, long));
        }
        if let Some(ours) = known.named_elsewhere(&long) {
            return Some(problem::option_elsewhere(typed, ours));
        }
    }
    None
}

/// Whether a flag is a slip of the pen for another one: `--tag` is none for `--lang`.
fn is_misspelt(argument: &str, similar: &str) -> bool {
    let bare = |flag: &str| flag.trim_start_matches('-').to_owned();
    nearest(&bare(argument), [bare(similar).as_str()]).is_some()
}

/// Why a parser of ours refused the value.
fn refused(error: &clap::Error) -> Option<&RefusedValue> {
    std::error::Error::source(error)?.downcast_ref()
}

/// The flag of `--vus <N>`: a flag and the name of what it takes.
fn flag_of(argument: &str) -> &str {
    argument.split(' ').next().unwrap_or_default()
}

fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    line.trim_start_matches("error: ").to_owned()
}

/// The values to choose from, where a flag has such.
fn one_of(error: &clap::Error) -> Option<Message> {
    match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(known)) if !known.is_empty() => {
            Some(arguments::expected_one_of(known.join(", ")))
        }
        _ => None,
    }
}

/// The whole numbers a flag takes, where it takes only some.
fn in_range(error: &clap::Error) -> Option<Message> {
    let text = error.to_string();
    let (_, range) = text.lines().next()?.split_once(" is not in ")?;
    let (least, most) = range.trim().split_once("..=")?;
    Some(arguments::expected_number(least, most))
}

/// What a flag takes: by its own name, else by the name of its value.
fn expected(argument: &str) -> Option<Message> {
    by_flag(flag_of(argument)).or_else(|| {
        let (_, value) = argument.split_once('<')?;
        Some(match value.trim_end_matches(['>', '.']) {
            "TIME" => arguments::expected_duration(),
            "PERCENT" => arguments::expected_percent(),
            "SHARE" => arguments::expected_share(),
            "RATE" | "LOAD" => arguments::expected_rate(),
            "TERM" => arguments::expected_goal(),
            "HOST:PORT" => arguments::expected_address(),
            "NAME=VALUE" => arguments::expected_setting(),
            "CIDR" => arguments::expected_network(),
            "CIDR=N" => arguments::expected_network_limit(),
            "N" => arguments::expected_whole(),
            _ => return None,
        })
    })
}

/// The reasons that `--fail-on` takes here: a URL run has no checks, and nothing that throws.
fn reasons(flag: &str, known: &KnownFlags) -> Option<Message> {
    let is_url_run = known.has("--method");
    let reasons = if is_url_run {
        fail_on::REASONS_OF_URL_RUNS.join(", ")
    } else {
        fail_on::REASONS.join(", ")
    };
    (flag == "--fail-on").then(|| arguments::expected_reasons(reasons))
}

/// Why a URL cannot be loaded.
pub(crate) fn of_target(url: &str, error: &TargetError) -> Problem {
    match error {
        TargetError::Url { .. } => problem::url_invalid(url),
        TargetError::Scheme { .. } => problem::scheme_unknown(url),
        TargetError::Port { port, .. } => problem::url_port(url, port),
        TargetError::NoHost { .. } => problem::url_without_host(url),
    }
}

fn by_flag(flag: &str) -> Option<Message> {
    Some(match flag.trim_start_matches('-') {
        "duration" | "timeout" | "graceful-stop" => arguments::expected_duration(),
        "warmup" => arguments::expected_warm_up(),
        "slo" => arguments::expected_goal(),
        "arrivals" => arguments::expected_one_of("poisson, even"),
        "live" => arguments::expected_one_of("screen, lines"),
        "arrivals-seed" => arguments::expected_number(0, u32::MAX),
        "rate" => arguments::expected_rate(),
        "stage" => arguments::expected_stage(),
        "header" => arguments::expected_header(),
        "method" => arguments::expected_method(),
        "threads" => arguments::expected_number(1, 1024),
        "repeat" => arguments::expected_number(1, super::launch_flags::REPETITIONS_MAX),
        "vus" | "max-vus" | "iterations" => arguments::expected_number(1, u32::MAX),
        "lang" => arguments::expected_lang(),
        "public-url" => arguments::expected_origin(),
        "forwarded-header" => arguments::expected_one_of("x-forwarded-for, forwarded"),
        "drain-delay" => arguments::expected_duration(),
        "set" => arguments::expected_setting(),
        "observe" | "SOURCE" | "<SOURCE>..." => arguments::expected_source(),
        "spool-max" => arguments::expected_size(),
        "latency" => arguments::expected_latency(),
        _ => return None,
    })
}
