//! Mistakes on the command line as problems for the user.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use loadline_record::Redactor;
use loadline_text::{Catalog, Message, Problem, messages, problem};

pub(crate) use crate::refusal::Refusal;

/// What is wrong with a command line; `None` for what is no mistake (help, version).
pub(crate) fn of_command_line(error: &clap::Error, catalog: &Catalog) -> Option<Problem> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => texts.first().cloned(),
        _ => None,
    };
    let argument = || text(ContextKind::InvalidArg).unwrap_or_default();
    // `--vus <N>` is the flag and what it takes.
    let flag = |argument: &str| argument.split(' ').next().unwrap_or_default().to_owned();
    let problem = match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => return None,
        ErrorKind::UnknownArgument => problem::option_unknown(argument()),
        ErrorKind::ArgumentConflict => {
            let other = text(ContextKind::PriorArg).unwrap_or_default();
            problem::option_conflict(flag(&argument()), flag(&other))
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let flag = flag(&argument());
            match text(ContextKind::InvalidValue).filter(|value| !value.is_empty()) {
                None => problem::option_without_value(flag),
                Some(value) => match expected(&flag) {
                    Some(expected) => {
                        // An address that cannot be read may hold a password.
                        let value = Redactor::default().text(&value);
                        problem::option_invalid(flag, value, catalog.text(&expected))
                    }
                    None => problem::usage(first_line(error)),
                },
            }
        }
        _ => problem::usage(first_line(error)),
    };
    Some(problem)
}

fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    line.trim_start_matches("error: ").to_owned()
}

/// What a flag takes.
fn expected(flag: &str) -> Option<Message> {
    Some(match flag.trim_start_matches('-') {
        "duration" | "timeout" | "graceful-stop" => messages::expected_duration(),
        "warmup" => messages::expected_warm_up(),
        "fail-on" => messages::expected_reasons(super::fail_on::REASONS.join(", ")),
        "slo" => messages::expected_slo(),
        "arrivals" => messages::expected_one_of("poisson, even"),
        "arrivals-seed" => messages::expected_number(0, u32::MAX),
        "rate" => messages::expected_rate(),
        "header" => messages::expected_header(),
        "method" => messages::expected_method(),
        "threads" => messages::expected_number(1, 1024),
        "repeat" => messages::expected_number(1, super::own::MOST_REPETITIONS),
        "vus" | "max-vus" | "iterations" => messages::expected_number(1, u32::MAX),
        "lang" => messages::expected_lang(),
        "set" => messages::expected_setting(),
        "observe" | "SOURCE" | "<SOURCE>..." => messages::expected_source(),
        "spool-max" => messages::expected_size(),
        _ => return None,
    })
}
