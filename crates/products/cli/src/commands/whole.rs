//! All commands with all flags: those of tests, too, which depend on what is run and are told only then.

use std::collections::BTreeSet;

use clap::{Arg, ArgAction, Command, CommandFactory as _};
use loadline_k6_options::flags::{FlagKind, FlagSpec, TABLE};

use super::{Cli, capacity, matrix, run};

/// What loadline has.
pub(super) fn commands() -> Command {
    let scripts = || TABLE.iter().chain(run::loadline_flags()).map(of_flag);
    let own = run::own_commands();
    let examples = own[0].get_after_help().cloned();
    let tests: Vec<Arg> = own
        .iter()
        .flat_map(|own| own.get_arguments().filter_map(of_argument))
        .chain(scripts())
        .collect();
    let of = |command: Command| -> Vec<Arg> {
        command.get_arguments().filter_map(of_argument).collect()
    };
    let searches = of(capacity::CapacityArgs::command());
    let matrices = of(matrix::MatrixArgs::command());
    let mut program = Cli::command();
    for (name, flags) in [
        ("run", tests.clone()),
        ("capacity", [searches, tests.clone()].concat()),
        ("matrix", [matrices, tests].concat()),
        ("inspect", scripts().collect()),
        ("archive", scripts().collect()),
    ] {
        program = program.mut_subcommand(name, |plain| with_flags(&plain, flags));
    }
    program.mut_subcommand("run", |run| match examples {
        Some(examples) => run.after_help(examples),
        None => run,
    })
}

/// What k6 has under its own name.
pub(super) fn k6_commands() -> Command {
    let plain = [
        "cloud",
        "completion",
        "deps",
        "features",
        "new",
        "version",
        "x",
    ];
    let tests = ["archive", "inspect", "run"].map(|name| {
        let flags = TABLE.iter().map(of_flag).collect();
        with_flags(&Command::new(name), flags)
    });
    Command::new("k6")
        .subcommands(plain.map(Command::new))
        .subcommands(tests)
}

/// A command by the same name and words with these flags, each once, and a test.
fn with_flags(plain: &Command, flags: Vec<Arg>) -> Command {
    let mut known = BTreeSet::from(["help".to_owned()]);
    let flags = flags.into_iter();
    let each_once = flags.filter(|flag| known.insert(flag.get_id().to_string()));
    let mut command = Command::new(plain.get_name().to_owned()).args(each_once);
    if let Some(about) = plain.get_about() {
        command = command.about(about.clone());
    }
    if let Some(after) = plain.get_after_help() {
        command = command.after_help(after.clone());
    }
    command.arg(Arg::new("test").value_name("TEST").num_args(0..))
}

/// A flag of k6's table, or of ours beside it.
fn of_flag(spec: &FlagSpec) -> Arg {
    let plain = Arg::new(spec.name).long(spec.name).help(spec.help);
    if spec.kind == FlagKind::Switch {
        return plain.action(ArgAction::SetTrue);
    }
    let named = match spec.value_name {
        "" => plain,
        name => plain.value_name(name),
    };
    named.action(ArgAction::Append)
}

/// A flag with its values, without what it wants of others; `None` for what has no long name.
fn of_argument(arg: &Arg) -> Option<Arg> {
    let name = arg.get_long()?.to_owned();
    let plain = Arg::new(name.clone())
        .long(name)
        .help(arg.get_help().cloned().unwrap_or_default())
        .hide(arg.is_hide_set());
    if !arg.get_action().takes_values() {
        return Some(plain.action(ArgAction::SetTrue));
    }
    let values = arg.get_possible_values();
    let plain = plain
        .action(ArgAction::Append)
        .value_hint(arg.get_value_hint());
    let plain = match arg.get_value_names() {
        Some(names) => plain.value_names(names.iter().cloned()),
        None => plain,
    };
    Some(if values.is_empty() {
        plain
    } else {
        plain.value_parser(values)
    })
}
