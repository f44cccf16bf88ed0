//! `run FILE.yml`: an Artillery file, with Artillery's flags, console and exit codes.

mod args;
mod ending;
mod findings;
mod phrases;
mod progress;
mod record;
mod steering;

pub(crate) use args::QuickArgs;
pub(super) use steering::steerable;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{CommandFactory, Parser};
use loadline_artillery::NamedExchangeCallback;
use loadline_artillery::load::{self, LoadRequest};
use loadline_net::Exchange;
use loadline_record::{ArrivalProcess, Series, Summary};
use loadline_report::arrivals;
use loadline_report::artillery::Report;
use loadline_report::{verdict, warm_up};
use loadline_session::artillery::{ArtilleryError, ArtilleryRequest, ArtilleryTest, prepare};
use loadline_session::{RunOptions, RunResult, WarmUpSetting};
use loadline_text::{Catalog, Dialect, Exit, messages, problem};

use super::follow::{self, Inputs};
use super::once::OnceWriter;
use super::out::{self, OutFlags};
use super::planned::{Planned, Sent};
use super::problems::Refusal;
use super::repeat::{self, Run};
use super::{care, keep};
use crate::context::Context;
use crate::printer::Printer;
use crate::signals::StopSignal;
use args::ArtilleryArgs;
use progress::Progress;
use record::Recorded;

/// Upstream ends with this when a worker cannot start.
const WORKER_ERROR: u8 = 11;

/// Flags, of any kind of test, whose value is a file that is no test, or a URL.
const TAKE_FILES: [&str; 16] = [
    "-b",
    "-c",
    "-k",
    "-o",
    "-p",
    "-t",
    "--body",
    "--config",
    "--dotenv",
    "--env-file",
    "--notify",
    "--output",
    "--plan",
    "--store",
    "--summary-export",
    "--target",
];

/// Whether the arguments name an Artillery file. A `.json` beside a script or a URL is
/// something else.
pub(super) fn is_meant(args: &[String]) -> bool {
    let mut is_json = false;
    for (place, arg) in args.iter().enumerate() {
        let is_value = place > 0 && TAKE_FILES.contains(&args[place - 1].as_str());
        if is_value || arg.starts_with(['-', '@']) {
            continue;
        }
        let lower = arg.to_lowercase();
        let ends = |endings: &[&str]| endings.iter().any(|ending| lower.ends_with(ending));
        if ends(&[".yml", ".yaml"]) && !lower.contains("://") {
            return true;
        }
        if ends(&[".js", ".ts"]) || lower.contains("://") {
            return false;
        }
        is_json |= ends(&[".json"]);
    }
    is_json
}

/// Runs the file that `args` name; gives the exit code.
pub(super) fn exec(context: &mut Context, args: &[String]) -> u8 {
    let words = std::iter::once("loadline run".to_owned()).chain(args.iter().cloned());
    match ArtilleryArgs::try_parse_from(words) {
        Ok(args) => run(context, &args, None),
        Err(error) => {
            super::super::usage(context, &error, super::lang_of(args));
            if error.use_stderr() { 1 } else { 0 }
        }
    }
}

/// The help for Artillery's files.
pub(super) fn help() -> String {
    ArtilleryArgs::command().render_long_help().to_string()
}

/// Runs requests to a URL without a file.
pub(crate) fn quick(context: &mut Context, quick: &QuickArgs) -> u8 {
    let Some(script) = quick.script() else {
        let catalog = context.catalog(None);
        let problem = problem::url_invalid(&quick.target, "http(s):// or ws(s)://");
        context.err(&format!("{}\n", catalog.problem(&problem)));
        return 1;
    };
    run(context, &quick.as_run(), Some(script))
}

fn run(context: &mut Context, args: &ArtilleryArgs, script: Option<String>) -> u8 {
    let catalog = context.catalog(args.lang);
    let ended = carry_out(context, args, script, &catalog);
    ended.unwrap_or_else(|stop| match stop {
        Stop::Code(code) => code,
        Stop::Refused(refusal) => {
            context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
            refusal.exit.code(Dialect::Artillery)
        }
    })
}

/// What keeps a file from running.
enum Stop {
    /// All is said.
    Code(u8),
    Refused(Refusal),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

fn carry_out(
    context: &mut Context,
    args: &ArtilleryArgs,
    script: Option<String>,
    catalog: &Catalog,
) -> Result<u8, Stop> {
    args.check(catalog)?;
    if args.repetitions() == 1 {
        return one_run(context, args, script, None, catalog).map(|ended| ended.code);
    }
    // The code of the first run that did not end well, as for any repeated test.
    let mut code = 0;
    let exit = repeat::times(context, args.repetitions(), catalog, |context, series| {
        let ended = one_run(context, args, script.clone(), Some(series), catalog)?;
        if code == 0 {
            code = ended.code;
        }
        let exit = match ended.code {
            0 => Exit::Success,
            _ if ended.is_interrupted => Exit::Interrupted,
            _ => Exit::Other,
        };
        let outcome = ended.outcome;
        Ok::<_, Stop>(Run { exit, outcome })
    })?;
    Ok(match exit {
        Exit::Interrupted if code == 0 => exit.code(Dialect::Artillery),
        _ => code,
    })
}

/// One run of a file as it ended.
struct EndedRun {
    code: u8,
    is_interrupted: bool,
    /// `None` when nothing was run, or it was given up.
    outcome: Option<Box<RunResult>>,
}

impl EndedRun {
    fn without_outcome(code: u8) -> Self {
        Self {
            code,
            is_interrupted: false,
            outcome: None,
        }
    }
}

fn one_run(
    context: &mut Context,
    args: &ArtilleryArgs,
    script: Option<String>,
    series: Option<Series>,
    catalog: &Catalog,
) -> Result<EndedRun, Stop> {
    let environment = args.environment_of(context)?;
    let output = args
        .output_path(context, catalog)?
        .map(|path| PathBuf::from(repeat::numbered(&path.to_string_lossy(), series.as_ref())));
    let test_id = format!("t{}", loadline_artillery::random::from_system().hex(16));
    let request = LoadRequest {
        test_id: test_id.clone(),
        ..request(context, args, &environment, script.clone(), catalog)?
    };
    let mut loaded = load::load(&request);
    context.err(&findings::text(&loaded, args.strict, catalog));
    if loaded.is_broken(args.strict) {
        return Err(Stop::Code(1));
    }
    let Some(test) = loaded.test.take() else {
        return Err(Stop::Code(1));
    };
    context.err(&findings::sum(&loaded, &test, catalog));
    if args.check {
        return Ok(EndedRun::without_outcome(0));
    }
    let printer = Arc::new(Printer::start());
    let is_quiet = args.quiet || args.once;
    if !is_quiet {
        printer.say(format!("Test run id: {test_id}\n"));
    }
    let planned = args.plan.as_ref().map(|path| {
        let name = args.files().into_iter().next().unwrap_or_default();
        Planned::read(context, path, &name)
    });
    let planned = planned.transpose()?;
    let kept_plan = planned.as_ref().map(Planned::kept);
    let recorded = Recorded::of(context, args, &environment, script.as_deref(), kept_plan);
    let plan = Ended::of(&test, output);
    let progress = Progress::new(&test, is_quiet, printer.clone());
    let once = args
        .once
        .then(|| Arc::new(OnceWriter::new(Catalog::new(catalog.lang()))));
    let ready = prepare(ArtilleryRequest {
        test,
        only: args.scenario_name.clone(),
        environment,
        console: printer.clone(),
        wall_clock: context.wall_clock,
        watch: once.clone().map(|writer| {
            Arc::new(move |place: &str, hop: &Exchange<'_>| writer.print(place, hop))
                as NamedExchangeCallback
        }),
    })
    .map_err(|error| refused(context, &error))?;
    let run = Followed {
        ready,
        progress,
        ended: plan,
        recorded,
        planned,
        once,
        series,
    };
    let ended = follow_run(context, args, run, &printer, catalog)?;
    let lost = printer.finish();
    if lost > 0 {
        context.err(&format!("{}\n", catalog.text(&messages::lines_lost(lost))));
    }
    Ok(ended)
}

/// What is loaded, as the arguments say.
fn request(
    context: &Context,
    args: &ArtilleryArgs,
    environment: &BTreeMap<String, String>,
    script: Option<String>,
    catalog: &Catalog,
) -> Result<LoadRequest, Stop> {
    Ok(LoadRequest {
        environment: args.environment.clone(),
        files: args.files(),
        config_file: args.config.clone(),
        working_dir: context.working_dir.clone(),
        target: args.target.clone(),
        insecure: args.insecure,
        payload: args.payload.clone(),
        overrides: args.overrides.clone(),
        variables: args.variables.clone(),
        solo: args.solo,
        strict_compat: args.strict_compat(),
        expect_length: args.expected_length(catalog)?,
        env: environment.clone(),
        test_id: String::new(),
        inline: script,
    })
}

fn refused(context: &mut Context, error: &ArtilleryError) -> Stop {
    match error {
        ArtilleryError::Factory(error) => {
            context.err(&format!("Error: {error}\n"));
            Stop::Code(WORKER_ERROR)
        }
        other => Stop::Refused(Refusal::config(problem::usage(other))),
    }
}

/// What is needed of a test after it is gone.
struct Ended {
    ensure: Option<loadline_artillery::model::Ensure>,
    apdex: bool,
    output: Option<PathBuf>,
}

impl Ended {
    fn of(test: &load::LoadedTest, output: Option<PathBuf>) -> Self {
        let config = &test.script.config;
        Self {
            ensure: config.ensure.clone(),
            apdex: config.apdex.is_some(),
            output,
        }
    }
}

/// A run that is ready, with all that follows it.
struct Followed {
    ready: ArtilleryTest,
    progress: Progress,
    ended: Ended,
    recorded: Recorded,
    planned: Option<Planned>,
    once: Option<Arc<OnceWriter>>,
    series: Option<Series>,
}

fn follow_run(
    context: &mut Context,
    args: &ArtilleryArgs,
    mut run: Followed,
    printer: &Printer,
    catalog: &Catalog,
) -> Result<EndedRun, Stop> {
    let notices = announce(context, &run, catalog)?;
    let options = options(context, args, &mut run)?;
    let inputs = Inputs::open(context, true)?;
    let Followed {
        ready,
        mut progress,
        ended,
        recorded,
        planned,
        once,
        ..
    } = run;
    let test = ready.test;
    #[cfg(feature = "fault-injection")]
    let test = crate::fault::in_test(test, context);
    let handle = loadline_session::start(test, &options)
        .map_err(|error| Refusal::session(&error, catalog))?;
    let mut sent = Sent::default();
    let followed = follow::to_end(context, &handle, &inputs, None, catalog, |event| {
        sent.hear(event);
        progress.hear(event, &ready.periods);
    });
    let exit = followed.exit_without_outcome();
    let Some(outcome) = followed.outcome else {
        return Ok(EndedRun::without_outcome(exit.code(Dialect::Artillery)));
    };
    if let Some(line) = planned.and_then(|planned| planned.after(&sent, catalog)) {
        context.err(&format!("loadline: {line}\n"));
    }
    if let Some(writer) = once {
        let (exit, text) = writer.end(&outcome.summary);
        context.out(&format!("{text}\n"));
        return Ok(EndedRun::without_outcome(exit.code(Dialect::Artillery)));
    }
    progress.end(&ready.periods);
    let suggested = ending::Suggested {
        expectation_failed: ready.factory.expectation_failed(),
        by_processor: ready.factory.suggested_exit(),
    };
    let finished = Finished {
        report: ready.periods.report(),
        ended,
        suggested,
        signal: followed.signal,
        outcome,
    };
    let end = conclude(context, args, &finished, printer)?;
    let code = end.code;
    tell(context, (&finished.outcome, end), printer, catalog);
    if let Some(notices) = notices {
        let verdict = verdict::of_requests(&finished.outcome.summary, code, catalog);
        notices.end(context, &verdict, catalog);
    }
    let kept = finished.outcome.kept.as_ref();
    keep::tell(context, &recorded.keep, kept, catalog, args.quiet);
    let summary = &finished.outcome.summary;
    say_of_ours(context, summary, (code, args.quiet), catalog);
    Ok(EndedRun {
        code,
        is_interrupted: finished.signal.is_some(),
        outcome: Some(finished.outcome),
    })
}

/// Says what is about to be run, and where; asks for shared targets.
fn announce(
    context: &mut Context,
    run: &Followed,
    catalog: &Catalog,
) -> Result<Option<care::Notices>, Stop> {
    let (recorded, plan) = (&run.recorded, &run.ready.test.plan);
    let texts: Vec<&str> = recorded.texts.iter().map(String::as_str).collect();
    let named = (plan, texts.as_slice());
    let notices = care::begin(context, &recorded.care, &recorded.name, named, catalog)?;
    if let Some(writer) = &run.once {
        context.out(&writer.title(&recorded.name));
    }
    let planned = run.planned.iter();
    for line in planned.flat_map(|planned| planned.before(plan, catalog)) {
        context.err(&format!("loadline: {line}\n"));
    }
    Ok(notices)
}

/// How the run is carried out; takes its place in a series and its record's place out of `run`.
fn options(
    context: &Context,
    args: &ArtilleryArgs,
    run: &mut Followed,
) -> Result<RunOptions, Stop> {
    let outs = OutFlags {
        outs: args.outs.clone(),
        spool_max: None,
    };
    let is_once = run.once.is_some();
    Ok(RunOptions {
        workers: if is_once { Some(1) } else { args.threads },
        drain: Duration::ZERO,
        warm_up: args.warmup.unwrap_or(WarmUpSetting::None),
        force: args.force,
        series: run.series.take(),
        keep: run.recorded.keeping.take().filter(|_| !is_once),
        arrivals: args.spacing()?,
        paused: false,
        outputs: out::request(context, &outs, None)
            .map_err(|error| Refusal::config(problem::output_invalid(error)))?,
    })
}

/// A run that is over, with all that its end is judged by.
struct Finished {
    report: Report,
    ended: Ended,
    suggested: ending::Suggested,
    signal: Option<StopSignal>,
    outcome: Box<RunResult>,
}

/// Writes Artillery's report and judges the end as Artillery does; `--fail-on` may add to it.
fn conclude(
    context: &Context,
    args: &ArtilleryArgs,
    run: &Finished,
    printer: &Printer,
) -> Result<ending::End, Stop> {
    if let Some(path) = &run.ended.output {
        write_report(path, &run.report, args.quiet, printer)?;
    }
    let mut end = ending::of(
        &run.outcome,
        run.signal,
        &run.report,
        &run.ended,
        run.suggested,
        context.env.contains_key("ARTILLERY_DISABLE_ENSURE"),
    );
    let fail_on = args.fail_on.as_ref();
    if end.code == 0
        && let Some(exit) = fail_on.and_then(|on| on.exit(&run.outcome.summary))
    {
        end.code = exit.code(Dialect::Artillery);
    }
    Ok(end)
}

/// Prints what Artillery's end says, then what became of the warm-up and of the outputs.
fn tell(
    context: &mut Context,
    (outcome, end): (&RunResult, ending::End),
    printer: &Printer,
    catalog: &Catalog,
) {
    printer.say(end.text);
    if let Some(warmed) = &outcome.warm_up {
        printer.say(format!("{}\n", warm_up::line(warmed, catalog)));
    }
    for line in out::lines(&outcome.outputs, catalog) {
        context.err(&format!("{line}\n"));
    }
}

/// What Artillery does not say: how starts were spaced, the verdict, the generator.
fn say_of_ours(
    context: &mut Context,
    summary: &Summary,
    (code, quiet): (u8, bool),
    catalog: &Catalog,
) {
    if let Some(process @ ArrivalProcess::Poisson { .. }) = summary.run.arrivals {
        context.err(&format!("loadline: {}\n", arrivals::line(process, catalog)));
    }
    if !quiet {
        let said = verdict::of_requests(summary, code, catalog);
        for line in [said].into_iter().chain(verdict::unsaid(summary, catalog)) {
            context.err(&format!("loadline: {line}\n"));
        }
    }
    let health = ending::health(summary, catalog);
    if !health.is_empty() {
        context.err(&health);
    }
}

fn write_report(path: &Path, report: &Report, quiet: bool, printer: &Printer) -> Result<(), Stop> {
    if !quiet {
        printer.say(format!("Log file: {}\n", path.display()));
    }
    std::fs::write(path, report.to_json()).map_err(|error| {
        let problem = problem::write_failed(path.display(), error);
        Stop::Refused(Refusal::other(problem))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(line: &str) -> bool {
        let args: Vec<String> = line.split(' ').map(str::to_owned).collect();
        is_meant(&args)
    }

    #[test]
    fn files_that_are_no_test_make_no_artillery_run() {
        assert!(meant("test.yml"));
        assert!(meant("-t http://127.0.0.1/ -o out.json test.YAML"));
        assert!(meant("test.json --quiet"));
        assert!(!meant("http://h/ -b @no/such.json"));
        assert!(!meant("http://h/ --plan plan.json"));
        assert!(!meant("script.js --config options.json"));
        assert!(!meant("script.js -e FILE=data.json data.json"));
        assert!(!meant("http://h/feed.yml"));
    }
}
