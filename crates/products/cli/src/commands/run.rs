//! `run`: sends load, shows it live, judges it.
//!
//! What is run decides whose flags hold: a URL takes ours ([`url`]), an Artillery file
//! Artillery's ([`artillery`]), anything else is a k6 script and takes k6's ([`script`]). Which it
//! is, [`crate::launch::test_kind`] reads; what all go through is in `launch`, too.

pub(crate) mod artillery;
mod dialects;
mod script;
mod single;
mod ui;
mod url;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};
use loadline_k6_options::flags::FlagSpec;
use loadline_text::{Dialect, Exit, Lang};

use crate::context::Context;
use crate::help;
use crate::launch::announcement::AnnounceFlags;
use crate::launch::flags_elsewhere::KnownFlags;
use crate::launch::problems;
use crate::launch::recording::RecordingFlags;
use crate::launch::test_kind::{Place, TestKind, TestLine};
use crate::live::LiveMode;
use crate::refusal::Refusal;

use loadline_session::{RunOptions, Test};
use loadline_text::{Problem, problem};

pub(crate) use dialects::dialects;
pub(super) use single::{Measured, Once};
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
    /// A script that plans no scenarios: each of its functions is one, as was asked for.
    pub(crate) is_each_function: bool,
}

/// What a test is called.
#[derive(Debug, Clone)]
pub(crate) struct SteerableFacts {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) hash: String,
}

/// Flags of `run` that say how often, how or with what end a test runs: what steers it decides that.
const OF_RUNS: [&str; 8] = [
    "once",
    "repeat",
    "trace-cost",
    "fail-on",
    "warmup",
    "out",
    "save-answers",
    "same-answers-as",
];

/// What of a script is there to be loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SteeredParts {
    /// The scenarios that it plans.
    Planned,
    /// Each of its functions as a scenario, where it plans none.
    Functions,
}

/// Makes the test that the arguments of `run` name ready to be steered; `known` are the flags of the
/// command that steers it.
pub(crate) fn steerable(
    context: &mut Context,
    args: &[String],
    known: &KnownFlags,
) -> Result<Steerable, Refusal> {
    steerable_parts(context, args, known, SteeredParts::Planned)
}

/// The same, with what of a script there is to be loaded.
pub(crate) fn steerable_parts(
    context: &mut Context,
    args: &[String],
    known: &KnownFlags,
    parts: SteeredParts,
) -> Result<Steerable, Refusal> {
    let line = read_line(context, args);
    if let Some(name) = OF_RUNS.into_iter().find(|name| line.has(name)) {
        return Err(Refusal::config(problem::option_of_runs(format!(
            "--{name}"
        ))));
    }
    match line.kind {
        TestKind::Artillery => artillery::steerable(context, args),
        TestKind::Script | TestKind::Archive => script::steerable(context, args, &line, parts),
        TestKind::Url => match steered_url(args)? {
            Ok(command) => url::steerable(&command.args.url, context),
            Err(error) => {
                let catalog = context.catalog(None);
                let problem = problems::of_command_line(&error, known, &catalog);
                Err(Refusal::config(
                    problem.unwrap_or_else(|| problem::usage(error)),
                ))
            }
        },
    }
}

/// What a URL run's arguments say.
fn steered_url(args: &[String]) -> Result<Result<UrlCommand, clap::Error>, Refusal> {
    match problems::of_one_dash(args, &UrlCommand::command()) {
        Some(problem) => Err(Refusal::config(problem)),
        None => Ok(UrlCommand::try_parse_from(words_of_run(args))),
    }
}

/// The flags of a URL run.
pub(crate) fn url_flags() -> KnownFlags {
    KnownFlags::new(&UrlCommand::command())
}

/// Which kind of test the arguments of `run` name.
fn read_line(context: &Context, args: &[String]) -> TestLine {
    let place = Place {
        folder: &context.working_dir,
        is_k6: context.is_k6(),
    };
    dialects().read(args, place)
}

/// The arguments as the command line's library wants them, with the program's name.
fn words_of_run(args: &[String]) -> impl Iterator<Item = String> {
    let words = std::iter::once("loadline run".to_owned()).chain(args.iter().cloned());
    problems::with_negative_values(words).into_iter()
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
  loadline run http://127.0.0.1:8080/fast --stage 30s:50 --stage 1m:50 --tag base --report base.html
  loadline run http://127.0.0.1:8080/deers -b '{\"userId\":1}' -H 'Content-Type: application/json' --once
  loadline run script.js --vus 10 --duration 30s -e BASE=http://127.0.0.1:8080
  loadline run script.js --once           # one iteration, every request and check printed
  loadline run script.js -o json=samples.json.gz -o influxdb=http://127.0.0.1:8086/k6
  loadline run script.js --repeat 5       # five runs, and how much they differ

  loadline run test.yml -e staging        # an Artillery file; --help after it lists its flags

For scripts all flags of `k6 run` hold (--vus, --duration, --stage, --env, --summary-export, ...)
and these of ours: --once, --repeat N, --fail-on REASONS, --warmup TIME|auto, --arrivals poisson|even, --arrivals-seed N, --plan FILE,
--force, --isolate, --k6-version 1.8, --offline, --threads N,
--lang en|ko, --set NAME=VALUE, --note TEXT, --report FILE, --store FILE, --no-store, --keep-env NAME,
--spool-max SIZE, --notify URL, --observe SOURCE, --no-observe-after, --save-answers, --same-answers-as RUN,
--live screen|lines, --yes.
Of a script --tag is k6's NAME=VALUE, on every sample; loadline runs tag gives its run a name.
--ui or --ui=HOST:PORT serves a page of the run while it goes on, whatever is run.

At a terminal a run has the whole screen, or a few lines with --live lines. These keys work: p or h pause
or go on, + and - change the load by 10 %, q stop, Q end at once, l Korean or English, ? help.
";

/// Runs what `args` name.
pub(crate) fn exec(context: &mut Context, args: &[String]) -> u8 {
    let mut args = args.to_vec();
    let request = ui::take(context, &mut args);
    let line = read_line(context, &args);
    let Some(request) = request else {
        return exec_test(context, &line, &args);
    };
    let catalog = context.catalog(None);
    match ui::RunPage::start(context, request, line.last("store"), &catalog) {
        Ok(page) => {
            let code = exec_test(context, &line, &args);
            page.finish(context, &catalog);
            code
        }
        Err(refusal) => {
            context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
            refusal.exit.code(Dialect::Loadline)
        }
    }
}

fn exec_test(context: &mut Context, line: &TestLine, args: &[String]) -> u8 {
    if line.kind == TestKind::Url
        && let Some(problem) = problems::of_one_dash(args, &UrlCommand::command())
    {
        let text = context.catalog(None).problem(&problem);
        context.err(&format!("{text}\n"));
        return Exit::InvalidConfig.code(Dialect::Loadline);
    }
    if line.test.as_deref() == Some("") && !context.is_k6() {
        let problem = problem::argument_missing("TEST");
        let text = context.catalog(None).problem(&problem);
        context.err(&format!("{text}\n"));
        return Exit::InvalidConfig.code(Dialect::Loadline);
    }
    if line.asks_help || args.is_empty() {
        let lang = context.catalog(None).lang();
        let (command, dialect) = match line.kind {
            TestKind::Artillery => (artillery::command(), Dialect::Artillery),
            _ => (UrlCommand::command(), Dialect::Loadline),
        };
        context.out(&help::page(command, lang, true));
        return Exit::Success.code(dialect);
    }
    match line.kind {
        TestKind::Artillery => artillery::exec(context, args),
        TestKind::Script | TestKind::Archive => script::exec(context, args),
        TestKind::Url => match UrlCommand::try_parse_from(words_of_run(args)) {
            Ok(command) => command.args.exec(context),
            Err(error) => super::usage(context, &error, &url_flags()),
        },
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
pub(crate) fn own_commands() -> [clap::Command; 2] {
    [UrlCommand::command(), artillery::command()]
}

/// What is wrong with arguments of `run`, if anything is.
#[cfg(test)]
pub(crate) fn mistake_of(args: &[String]) -> Option<String> {
    let first_line = |error: String| error.lines().next().map(str::to_owned);
    let is_page = |word: &String| word == "--ui" || word.starts_with("--ui=");
    let args: Vec<String> = args.iter().filter(|word| !is_page(word)).cloned().collect();
    let place = Place {
        folder: std::path::Path::new("."),
        is_k6: false,
    };
    match dialects().read(&args, place).kind {
        TestKind::Artillery => artillery::mistake_of(words_of_run(&args)).and_then(first_line),
        TestKind::Url => {
            let parsed = UrlCommand::try_parse_from(words_of_run(&args));
            parsed.err().and_then(|error| first_line(error.to_string()))
        }
        TestKind::Script | TestKind::Archive => {
            let parsed = loadline_k6_options::flags::parse_with(loadline_flags(), &args);
            parsed.err().and_then(|error| first_line(error.to_string()))
        }
    }
}

/// Flags of ours beside k6's.
pub(crate) fn loadline_flags() -> &'static [FlagSpec] {
    script::loadline_flags()
}

impl RunArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        url::exec(&self.url, context)
    }
}
