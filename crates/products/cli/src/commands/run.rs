//! `run`: sends load, shows it live, judges it.
//!
//! What is run decides whose flags hold: a URL takes ours ([`url`]), an Artillery file
//! Artillery's ([`artillery`]), anything else is a k6 script and takes k6's ([`script`]).

pub(crate) mod artillery;
mod script;
mod single;
mod ui;
mod url;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};
use loadline_k6::options::flags::FlagSpec;
use loadline_text::{Dialect, Exit, Lang};

use crate::context::Context;
use crate::help;
use crate::launch::announcement::AnnounceFlags;
use crate::launch::problems;
use crate::launch::recording::RecordingFlags;
use crate::live::LiveMode;
use crate::refusal::Refusal;

use loadline_session::{RunOptions, Test};
use loadline_text::{Problem, problem};

pub(super) use single::Once;
pub(super) use url::check_writable;

/// A test that is ready to be steered, with all that was typed about it.
pub(crate) struct Steerable {
    pub(crate) test: Test,
    /// How it is run, and as what it is kept.
    pub(crate) options: RunOptions,
    pub(crate) recording: RecordingFlags,
    pub(crate) announce: AnnounceFlags,
    pub(crate) facts: SteerableFacts,
    /// Its text, and the variables it reads, in which hosts are named.
    pub(crate) text: String,
    pub(crate) variables: Vec<(String, String)>,
    pub(crate) quiet: bool,
    /// How it is shown on a terminal.
    pub(crate) live: LiveMode,
    pub(crate) lang: Option<Lang>,
    /// Users at most, unless something else is typed.
    pub(crate) usual_users: u64,
}

/// What a test is called.
#[derive(Debug, Clone)]
pub(crate) struct SteerableFacts {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) hash: String,
}

/// Makes the test that the arguments of `run` name ready to be steered.
pub(crate) fn steerable(context: &mut Context, args: &[String]) -> Result<Steerable, Refusal> {
    let flag = |arg: &String| arg.split('=').next().unwrap_or_default().to_owned();
    let of_runs = ["--once", "--repeat"];
    if let Some(flag) = args
        .iter()
        .map(flag)
        .find(|flag| of_runs.contains(&flag.as_str()))
    {
        return Err(Refusal::config(problem::option_of_runs(flag)));
    }
    if artillery::is_meant(args) {
        return artillery::steerable(context, args);
    }
    if !names_url(args) {
        return script::steerable(context, args);
    }
    let words = std::iter::once("loadline run".to_owned()).chain(args.iter().cloned());
    match UrlCommand::try_parse_from(words) {
        Ok(command) => url::steerable(&command.args.url, context),
        Err(error) => {
            let catalog = context.catalog(None);
            let problem = problems::of_command_line(&error, &catalog);
            Err(Refusal::config(
                problem.unwrap_or_else(|| problem::usage(error)),
            ))
        }
    }
}

/// Whether the test is a URL. What `--notify` and `--observe` take is a URL
/// too, and no test.
fn names_url(args: &[String]) -> bool {
    let is_url = |arg: &str| arg.starts_with("http://") || arg.starts_with("https://");
    let takes_url =
        |place: usize| place > 0 && ["--notify", "--observe"].contains(&args[place - 1].as_str());
    let mut placed = args.iter().enumerate();
    placed.any(|(place, arg)| is_url(arg) && !takes_url(place))
}

/// What is wrong with an option that a file does not have and a URL run has.
fn problem_of_url_option(error: &clap::Error) -> Option<Problem> {
    let (ErrorKind::UnknownArgument, Some(ContextValue::String(option))) =
        (error.kind(), error.get(ContextKind::InvalidArg))
    else {
        return None;
    };
    let is_meant = |arg: &clap::Arg| {
        let long = arg.get_long().map(|name| format!("--{name}"));
        let short = arg.get_short().map(|name| format!("-{name}"));
        [long, short].contains(&Some(option.clone()))
    };
    let has_it = UrlCommand::command().get_arguments().any(is_meant);
    has_it.then(|| problem::option_of_url(option))
}

/// Arguments of `run` for a URL.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    url: url::UrlArgs,
}

#[derive(Debug, Parser)]
#[command(
    name = "loadline run",
    about = "Run a k6 script or an Artillery file, or send load to a URL, live, and judge it",
    override_usage = "loadline run [OPTIONS] <URL>\n       loadline run [K6 OPTIONS] <SCRIPT.js|SCRIPT.ts|->\n       loadline run [ARTILLERY OPTIONS] <FILE.yml|FILE.yaml|FILE.json>"
)]
struct UrlCommand {
    #[command(flatten)]
    args: RunArgs,
}

const EXAMPLES: &str = "\
Examples:
  loadline run http://127.0.0.1:8080/fast --vus 64 --duration 30s
  loadline run http://127.0.0.1:8080/fast --rate 2000/s --duration 1m --warmup auto
  loadline run http://127.0.0.1:8080/deers -b '{\"userId\":1}' -H 'Content-Type: application/json' --once
  loadline run script.js --vus 10 --duration 30s -e BASE=http://127.0.0.1:8080
  loadline run script.js --once           # one iteration, every request and check printed
  loadline run script.js -o json=samples.json.gz -o influxdb=http://127.0.0.1:8086/k6
  loadline run script.js --repeat 5       # five runs, and how much they differ

  loadline run test.yml -e staging        # an Artillery file; --help after it lists its flags

For scripts all flags of `k6 run` hold (--vus, --duration, --stage, --env, --summary-export, ...)
and these of ours: --once, --repeat N, --fail-on REASONS, --warmup TIME|auto, --arrivals poisson|even, --arrivals-seed N, --plan FILE,
--force, --isolate, --k6-version 1.8, --offline, --threads N,
--lang en|ko, --set NAME=VALUE, --note TEXT, --store FILE, --no-store, --keep-env NAME,
--spool-max SIZE, --notify URL, --observe SOURCE, --live screen|lines, --yes.
--ui or --ui=HOST:PORT serves a page of the run while it goes on, whatever is run.

At a terminal a run has the whole screen, or a few lines with --live lines. These keys work: p or h pause
or go on, + and - change the load by 10 %, q stop, Q end at once, l Korean or English, ? help.
";

/// Runs what `args` name.
pub(crate) fn exec(context: &mut Context, args: &[String]) -> u8 {
    let mut args = args.to_vec();
    let Some(request) = ui::take(context, &mut args) else {
        return exec_test(context, &args);
    };
    let named = args.iter().position(|arg| arg == "--store");
    let store = named.and_then(|place| args.get(place + 1)).cloned();
    let catalog = context.catalog(None);
    match ui::RunPage::start(context, request, store.as_deref(), &catalog) {
        Ok(page) => {
            let code = exec_test(context, &args);
            page.finish(context, &catalog);
            code
        }
        Err(refusal) => {
            context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
            refusal.exit.code(Dialect::Loadline)
        }
    }
}

fn exec_test(context: &mut Context, args: &[String]) -> u8 {
    let asks_help = args.iter().any(|arg| arg == "--help" || arg == "-h");
    if artillery::is_meant(args) {
        if asks_help {
            let lang = context.catalog(None).lang();
            context.out(&help::page(artillery::command(), lang, true));
            return Exit::Success.code(Dialect::Artillery);
        }
        return artillery::exec(context, args);
    }
    if asks_help || args.is_empty() {
        let lang = context.catalog(None).lang();
        context.out(&help::page(UrlCommand::command(), lang, true));
        return Exit::Success.code(Dialect::Loadline);
    }
    if context.is_k6() || !names_url(args) {
        return script::exec(context, args);
    }
    let words = std::iter::once("loadline run".to_owned()).chain(args.iter().cloned());
    match UrlCommand::try_parse_from(words) {
        Ok(command) => command.args.exec(context),
        Err(error) => super::usage(context, &error),
    }
}

/// Arguments of a command that takes k6's flags.
#[derive(Debug, clap::Args)]
pub(crate) struct PassedOn {
    /// A k6 script, and flags of k6's
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "SCRIPT"
    )]
    pub(crate) rest: Vec<String>,
}

/// Shows what a script says and plans.
pub(crate) fn inspect(context: &mut Context, args: &[String]) -> u8 {
    if help_of(context, args, INSPECT) {
        return Exit::Success.code(Dialect::Loadline);
    }
    script::inspect(context, args)
}

/// Puts a script and all it reads into one file.
pub(crate) fn archive(context: &mut Context, args: &[String]) -> u8 {
    if help_of(context, args, ARCHIVE) {
        return Exit::Success.code(Dialect::Loadline);
    }
    script::archive(context, args)
}

fn help_of(context: &mut Context, args: &[String], text: &str) -> bool {
    let asks = args.is_empty() || args.iter().any(|arg| arg == "--help" || arg == "-h");
    if asks {
        let lang = context.catalog(None).lang();
        context.out(&format!("{}\n", help::text(text, lang).trim_end()));
    }
    asks
}

const INSPECT: &str = "\
Show what a k6 script or archive says and plans, without sending anything.

Usage: loadline inspect [FLAGS OF k6 run] <SCRIPT.js|SCRIPT.ts|ARCHIVE.tar>

      --execution-requirements  all options laid over each other, longest time and most users
      --schedule                when iterations are planned to start, in nanoseconds; with --execution-segment those of that part

Examples:
  loadline inspect script.js
  loadline inspect --schedule --execution-segment 1/4:1/2 \\
    --execution-segment-sequence 0,1/4,1/2,3/4,1 script.js
";

const ARCHIVE: &str = "\
Put a k6 script and all it reads into one file, in k6's form; run takes such a file too.

Usage: loadline archive [FLAGS OF k6 run] <SCRIPT.js|SCRIPT.ts>

  -O, --archive-out FILE  the file to write [default: archive.tar]

Examples:
  loadline archive -O checkout.tar checkout.js
  loadline run checkout.tar
";

/// Pages of help that are written as they are.
#[cfg(test)]
pub(crate) const PLAIN_PAGES: [&str; 2] = [INSPECT, ARCHIVE];

/// The commands whose flags hold for a URL and for an Artillery file.
#[cfg(test)]
pub(crate) fn own_commands() -> [clap::Command; 2] {
    [UrlCommand::command(), artillery::command()]
}

/// What is wrong with arguments of `run`, if anything is.
#[cfg(test)]
pub(crate) fn mistake_of(args: &[String]) -> Option<String> {
    let told = |error: String| error.lines().next().map(str::to_owned);
    let words = std::iter::once("loadline run".to_owned()).chain(args.iter().cloned());
    let words = words.filter(|word| word != "--ui" && !word.starts_with("--ui="));
    if artillery::is_meant(args) {
        return artillery::mistake_of(words).and_then(told);
    }
    if names_url(args) {
        let parsed = UrlCommand::try_parse_from(words);
        return parsed.err().and_then(|error| told(error.to_string()));
    }
    let words: Vec<String> = words.skip(1).collect();
    let parsed = loadline_k6::options::flags::parse_with(own_flags(), &words);
    parsed.err().and_then(|error| told(error.to_string()))
}

/// Flags of ours beside k6's.
pub(crate) fn own_flags() -> &'static [FlagSpec] {
    script::loadline_flags()
}

impl RunArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        url::exec(&self.url, context)
    }
}
