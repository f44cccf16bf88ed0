//! Which subcommand was meant.

mod access;
mod capacity;
mod compare;
mod completion;
mod data;
mod demo;
#[cfg(test)]
mod documented;
mod explain;
mod gate;
mod k6;
mod man;
mod matrix;
mod merge;
mod mock;
mod new;
mod observe;
mod plan;
mod preflight;
mod preview;
mod report;
mod rounds;
pub(crate) mod run;
mod runs;
mod serve;
mod show;
mod store_args;
mod trust;
mod tune;
mod vendor;
mod whole;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser, Subcommand};
use loadline_k6_options::flags::TABLE;
use loadline_text::{Dialect, Exit, Problem, problem};

use crate::context::Context;
use crate::launch::flags_elsewhere::KnownFlags;
use crate::launch::problems;
use crate::{help, language, zone};

/// Finds the load a back end can safely carry, says why the limit lies there, and holds
/// real traffic at it.
#[derive(Debug, Parser)]
#[command(name = "loadline", version, disable_help_subcommand = true)]
struct Cli {
    /// Language: en or ko [default: that of the locale]
    #[arg(long, value_parser = crate::language::parse, value_name = "LANG")]
    lang: Option<loadline_text::Lang>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show what a k6 script says and plans: --execution-requirements, --schedule
    Inspect(run::PassedOn),
    /// Put a k6 script and all it reads into one file, which run takes too
    Archive(run::PassedOn),
    /// Run a k6 script or an Artillery file, or send load to a URL, live, and judge it
    Run(Box<run::RunArgs>),
    Demo(demo::DemoArgs),
    Capacity(Box<capacity::CapacityArgs>),
    Matrix(Box<matrix::MatrixArgs>),
    Gate(Box<gate::GateArgs>),
    Compare(compare::CompareArgs),
    Explain(explain::ExplainArgs),
    Merge(merge::MergeArgs),
    Report(report::ReportArgs),
    Rounds(rounds::RoundsArgs),
    Runs(runs::RunsArgs),
    Serve(serve::ServeArgs),
    Access(access::AccessArgs),
    Show(show::ShowArgs),
    Trust(trust::TrustArgs),
    Tune(tune::TuneArgs),
    Plan(Box<plan::PlanArgs>),
    Mock(mock::MockArgs),
    New(new::NewArgs),
    Preflight(preflight::PreflightArgs),
    Data(data::DataArgs),
    Observe(observe::ObserveArgs),
    Vendor(vendor::VendorArgs),
    /// List what a k6 script imports and which extensions it needs: --json
    Deps(run::PassedOn),
    /// List the features of k6 that --features switches on: --json
    Features(run::PassedOn),
    /// Print the load that a test plans as JSON, for the web pages
    #[command(hide = true)]
    Preview(run::PassedOn),
    /// Print a script that completes commands and flags: bash, zsh, fish, powershell
    Completion(run::PassedOn),
    Quick(run::artillery::QuickArgs),
    Man(man::ManArgs),
    /// Print the help of a command: loadline help run
    Help(run::PassedOn),
    /// Print the version
    Version,
}

impl Command {
    fn exec(self, context: &mut Context) -> u8 {
        match self {
            Self::Run(args) => args.exec(context),
            Self::Inspect(args) => run::inspect(context, &args.rest),
            Self::Archive(args) => run::archive(context, &args.rest),
            Self::Demo(args) => args.exec(context),
            Self::Capacity(args) => args.exec(context),
            Self::Matrix(args) => args.exec(context),
            Self::Gate(args) => args.exec(context),
            Self::Compare(args) => args.exec(context),
            Self::Explain(args) => args.exec(context),
            Self::Merge(args) => args.exec(context),
            Self::Report(args) => args.exec(context),
            Self::Rounds(args) => args.exec(context),
            Self::Runs(args) => args.exec(context),
            Self::Serve(args) => args.exec(context),
            Self::Access(args) => args.exec(context),
            Self::Show(args) => args.exec(context),
            Self::Trust(args) => args.exec(context),
            Self::Tune(args) => args.exec(context),
            Self::Observe(args) => args.exec(context),
            Self::Vendor(args) => args.exec(context),
            Self::Deps(args) => k6::own(context, k6::deps, &args),
            Self::Features(args) => k6::own(context, k6::features, &args),
            Self::Preview(args) => preview::exec(context, &args.rest),
            Self::Completion(args) => k6::own(context, completion::exec, &args),
            Self::Man(args) => args.exec(context),
            Self::Help(args) => typed_instead(context, args.rest, "--help"),
            Self::Version => typed_instead(context, Vec::new(), "--version"),
            Self::Plan(args) => args.exec(context),
            Self::Mock(args) => args.exec(context),
            Self::New(args) => args.exec(context),
            Self::Preflight(args) => args.exec(context),
            Self::Data(args) => args.exec(context),
            Self::Quick(args) => run::artillery::quick(context, &args),
        }
    }
}

/// What `help run` and `version` mean: `run --help`, `--version`.
fn typed_instead(context: &mut Context, mut args: Vec<String>, flag: &str) -> u8 {
    args.push(flag.to_owned());
    context.args = args;
    dispatch(context)
}

/// Runs what was typed; gives the process's exit code.
pub(crate) fn dispatch(context: &mut Context) -> u8 {
    if let Some(code) = completion::answered(context) {
        return code;
    }
    if context.is_k6()
        && let Some(code) = k6::dispatch(context)
    {
        return code;
    }
    context.lang = language::take_leading(&mut context.args);
    context.command = named(&context.args);
    if let Err(problem) = zone::check(context) {
        let catalog = context.catalog(None);
        context.err(&format!("{}\n", catalog.problem(&problem)));
        return Exit::InvalidConfig.code(Dialect::Loadline);
    }
    // The flags of `run` depend on what is run: k6's for its scripts, ours for URLs.
    if context.args.first().is_some_and(|first| first == "run") {
        let args = context.args[1..].to_vec();
        return run::exec(context, &args);
    }
    for (name, exec) in [
        ("inspect", run::inspect as fn(&mut Context, &[String]) -> u8),
        ("archive", run::archive),
        ("capacity", capacity::exec),
        ("matrix", matrix::exec),
    ] {
        if context.args.first().is_some_and(|first| first == name) {
            let args = context.args[1..].to_vec();
            return exec(context, &args);
        }
    }
    if let Some(problem) = problems::of_one_dash(&context.args, &typed(&context.command)) {
        let text = context.catalog(None).problem(&problem);
        context.err(&format!("{text}\n"));
        return Exit::InvalidConfig.code(Dialect::Loadline);
    }
    let args = std::iter::once("loadline".to_owned()).chain(context.args.clone());
    match Cli::try_parse_from(problems::with_negative_values(args)) {
        Ok(cli) => cli.command.exec(context),
        Err(error) => {
            let known = KnownFlags::new(&typed(&context.command));
            usage(context, &error, &known)
        }
    }
}

/// The command at the beginning of `args`, with the program's name.
fn named(args: &[String]) -> String {
    let mut names = vec!["loadline".to_owned()];
    let mut command = Cli::command();
    for arg in args {
        let Some(inner) = command.find_subcommand(arg) else {
            break;
        };
        names.push(inner.get_name().to_owned());
        command = inner.clone();
    }
    names.join(" ")
}

/// Help goes to standard output and is no error; a wrong command line is.
///
/// `known` are the flags of the command that was typed.
fn usage(context: &mut Context, error: &clap::Error, known: &KnownFlags) -> u8 {
    let catalog = context.catalog(None);
    if let Some(problem) = problems::of_command_line(error, known, &catalog) {
        let typed = problems::unknown_option(&problem);
        let others = typed.and_then(|typed| of_others(typed, &context.command));
        let problem = others.unwrap_or(problem);
        context.err(&format!("{}\n", catalog.problem(&problem)));
        return Exit::InvalidConfig.code(Dialect::Loadline);
    }
    let text = if error.kind() == ErrorKind::DisplayVersion || context.is_k6() {
        error.render().to_string()
    } else {
        let is_long = context.args.iter().any(|arg| arg == "--help");
        help::page(typed(&context.command), catalog.lang(), is_long)
    };
    context.out(&text);
    Exit::Success.code(Dialect::Loadline)
}

/// An option that this command does not have, and others of ours do: most people type what they saw elsewhere.
///
/// `own` is the command that was typed, with the program's name.
fn of_others(typed: &str, own: &str) -> Option<Problem> {
    let long = typed.strip_prefix("--")?.split('=').next()?;
    let has = |command: &&clap::Command| {
        let mut flags = command.get_arguments();
        !command.is_hide_set() && flags.any(|flag| flag.get_long() == Some(long))
    };
    let all = whole::commands();
    let names = all.get_subcommands().filter(has);
    let mut names: Vec<String> = names
        .map(|command| format!("loadline {}", command.get_name()))
        .filter(|name| name != own)
        .collect();
    // Others take what `run` takes, for the test that they load.
    if names.iter().any(|name| name == RUN) {
        names = vec![RUN.to_owned()];
    }
    names.truncate(COMMANDS_NAMED_MAX);
    // The same command takes it for another kind of test.
    if own == RUN && TABLE.iter().any(|spec| spec.name == long) {
        names = vec![RUN_SCRIPT.to_owned()];
    }
    (!names.is_empty()).then(|| problem::option_of_others(typed, names.join(", ")))
}

/// Has every flag of a test.
const RUN: &str = "loadline run";
/// Has every flag of k6.
const RUN_SCRIPT: &str = "loadline run SCRIPT.js (k6 scripts)";
/// Commands that are named for an option that is theirs.
const COMMANDS_NAMED_MAX: usize = 3;

/// The command of `loadline runs set`, with its whole name.
fn typed(names: &str) -> clap::Command {
    let mut command = Cli::command();
    for name in names.split(' ').skip(1) {
        if let Some(inner) = command.find_subcommand(name) {
            command = inner.clone();
        }
    }
    command.bin_name(names)
}

/// Every command that has a page of help.
#[cfg(test)]
pub(crate) fn all_commands() -> Vec<clap::Command> {
    let [url, file] = run::own_commands();
    vec![Cli::command(), url, file]
}

/// Pages of help that no command is declared for.
#[cfg(test)]
pub(crate) fn plain_pages() -> [&'static str; 2] {
    run::PLAIN_PAGES
}
