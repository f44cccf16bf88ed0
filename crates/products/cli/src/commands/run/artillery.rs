//! `run FILE.yml`: an Artillery file, with Artillery's flags, console and exit codes.

mod after_test;
mod args;
mod conclude;
mod dotenv;
mod ending;
mod findings;
mod launching;
mod phrases;
mod progress;
mod publishing;
mod record;
mod record_args;
mod rows;
mod steering;

pub(crate) use args::QuickArgs;
pub(in crate::commands) use steering::scenarios;
pub(super) use steering::steerable;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{CommandFactory, Parser};
use loadline_artillery::NamedExchangeCallback;
use loadline_artillery::load::{self, LoadRequest, LoadResult, LoadedTest};
use loadline_net::Exchange;
use loadline_record::Series;
use loadline_session::RunOptions;
use loadline_session::artillery::{ArtilleryError, ArtilleryRequest, ArtilleryTest, prepare};
use loadline_text::{Catalog, Dialect, Exit, messages, problem};

use crate::code_trust::code_trust;
use crate::context::Context;
use crate::launch::flags_elsewhere::KnownFlags;
use crate::launch::follow::Inputs;
use crate::launch::launched_test::LaunchedTest;
use crate::launch::once::OnceWriter;
use crate::launch::plan_comparison::PlanComparison;
use crate::launch::recording;
use crate::launch::repeat::{self, EndedRun};
use crate::printer::Printer;
use crate::refusal::Refusal;
use after_test::AfterTest;
use args::ArtilleryArgs;
use launching::FileHooks;
use progress::Progress;
use record::RecordedTest;
use rows::RowJournal;

/// Upstream ends with this when a worker cannot start.
const WORKER_ERROR: u8 = 11;

/// Runs the file that `args` name; gives the exit code.
pub(super) fn exec(context: &mut Context, args: &[String]) -> u8 {
    let words = std::iter::once("loadline run".to_owned()).chain(args.iter().cloned());
    match ArtilleryArgs::try_parse_from(words) {
        Ok(args) => run(context, &args, None),
        Err(error) => {
            match super::problem_of_url_option(&error) {
                Some(problem) => {
                    let catalog = context.catalog(None);
                    context.err(&format!("{}\n", catalog.problem(&problem)));
                }
                None => {
                    let known = KnownFlags::new(&command());
                    super::super::usage(context, &error, &known);
                }
            }
            if error.use_stderr() { 1 } else { 0 }
        }
    }
}

/// The help for Artillery's files.
pub(super) fn command() -> clap::Command {
    ArtilleryArgs::command()
}

/// What is wrong with a command line for a file, if anything is.
#[cfg(test)]
pub(super) fn mistake_of(words: impl Iterator<Item = String>) -> Option<String> {
    let parsed = ArtilleryArgs::try_parse_from(words);
    parsed.err().map(|error| error.to_string())
}

/// Runs requests to a URL without a file.
pub(crate) fn quick(context: &mut Context, quick: &QuickArgs) -> u8 {
    let Some(script) = quick.script() else {
        let catalog = context.catalog(None);
        let problem = problem::url_invalid(&quick.target);
        context.err(&format!("{}\n", catalog.problem(&problem)));
        return 1;
    };
    run(context, &quick.as_run(), Some(script))
}

fn run(context: &mut Context, args: &ArtilleryArgs, script: Option<String>) -> u8 {
    let catalog = context.catalog(args.lang);
    let ended = run_all(context, args, script, &catalog);
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

fn run_all(
    context: &mut Context,
    args: &ArtilleryArgs,
    script: Option<String>,
    catalog: &Catalog,
) -> Result<u8, Stop> {
    args.check(catalog)?;
    let mut rows = RowJournal::open(context, args.kept.store.as_deref(), args.kept.no_store);
    if args.repetitions() == 1 {
        return one_run(context, args, script, &mut rows, None, catalog).map(|ended| ended.code);
    }
    // The code of the first run that did not end well, as for any repeated test.
    let mut code = 0;
    let exit = repeat::times(context, args.repetitions(), catalog, |context, series| {
        let ended = one_run(
            context,
            args,
            script.clone(),
            &mut rows,
            Some(series),
            catalog,
        )?;
        if code == 0 {
            code = ended.code;
        }
        Ok::<_, Stop>(ended)
    })?;
    Ok(match exit {
        Exit::Interrupted if code == 0 => exit.code(Dialect::Artillery),
        _ => code,
    })
}

/// The end of a file that was only looked at.
const fn checked() -> EndedRun {
    EndedRun {
        code: 0,
        exit: Exit::Success,
        outcome: None,
    }
}

fn one_run(
    context: &mut Context,
    args: &ArtilleryArgs,
    script: Option<String>,
    rows: &mut RowJournal,
    series: Option<Series>,
    catalog: &Catalog,
) -> Result<EndedRun, Stop> {
    let environment = args.environment_of(context)?;
    let output = args
        .output_path(context, catalog)?
        .map(|path| PathBuf::from(repeat::numbered(&path.to_string_lossy(), series.as_ref())));
    let test_id = loadline_artillery::random::test_id(&loadline_artillery::random::from_system());
    let request = LoadRequest {
        test_id: test_id.clone(),
        ..request(context, args, &environment, script.clone(), catalog)?
    };
    let (loaded, test) = load_test(context, args, &request, catalog)?;
    // Repetitions are one test: none uses rows of another.
    if args.kept.goes_on || series.as_ref().is_some_and(|series| series.number > 1) {
        for line in rows.go_on(&test, catalog)? {
            context.err(&format!("loadline: {line}\n"));
        }
    }
    let printer = Arc::new(Printer::start(context));
    if args.check {
        // The processor is loaded, so that missing packages and functions are reported now.
        let ready = ready(context, args, test, &environment, &printer, None)?;
        context.err(&findings::processor(&loaded, &ready.factory, catalog));
        printer.finish();
        return Ok(checked());
    }
    let is_quiet = args.quiet || args.once;
    if !is_quiet {
        printer.print_own(format!("Test run id: {test_id}\n"));
    }
    let planned = args.plan.as_ref().map(|path| {
        let name = args.files().into_iter().next().unwrap_or_default();
        PlanComparison::read(context, path, &name)
    });
    let planned = planned.transpose()?;
    let kept_plan = planned.as_ref().map(PlanComparison::kept);
    let mut recorded =
        RecordedTest::new(context, args, &environment, script.as_deref(), kept_plan)?;
    let after = AfterTest::new(&test, output);
    let redactor = recording::redactor(&context.env, &[], &recorded.flags.keep_env);
    let progress = Progress::new(&test, is_quiet, printer.clone(), redactor);
    let once = args
        .once
        .then(|| Arc::new(OnceWriter::new(Catalog::new(catalog.lang()))));
    let ready = ready(context, args, test, &environment, &printer, once.as_ref())?;
    context.err(&findings::processor(&loaded, &ready.factory, catalog));
    let options = RunOptions {
        series,
        ..launching::options(context, args, &mut recorded, catalog)?
    };
    let inputs = Inputs::open(context, true)?;
    let texts: Vec<&str> = recorded.texts.iter().map(String::as_str).collect();
    let launched = LaunchedTest {
        name: &recorded.name,
        texts: &texts,
        options: &options,
        announce: &recorded.announce,
        recording: &recorded.flags,
        plan: planned.as_ref(),
        inputs: &inputs,
        catalog,
    };
    let mut hooks = FileHooks {
        args,
        catalog,
        printer: &printer,
        rows,
        recorded: &recorded,
        progress,
        after,
        periods: ready.periods,
        factory: ready.factory,
        once,
        series: options.series.clone(),
    };
    let ended = launched.run(context, ready.test, &mut hooks)?;
    let lost = printer.finish();
    if lost > 0 {
        context.err(&format!("{}\n", catalog.text(&messages::lines_lost(lost))));
    }
    Ok(ended)
}

/// Loads the file and prints what was found in it.
fn load_test(
    context: &mut Context,
    args: &ArtilleryArgs,
    request: &LoadRequest,
    catalog: &Catalog,
) -> Result<(LoadResult, LoadedTest), Stop> {
    let mut loaded = load::load(request);
    context.out(&loaded.printed);
    context.err(&findings::text(&loaded, args.strict, catalog));
    if loaded.is_broken(args.strict) {
        let code = if loaded.lacks_engine() {
            WORKER_ERROR
        } else {
            1
        };
        return Err(Stop::Code(code));
    }
    let Some(test) = loaded.test.take() else {
        return Err(Stop::Code(1));
    };
    context.err(&findings::sum(&loaded, &test, catalog));
    Ok((loaded, test))
}

/// A loaded file, ready to run.
fn ready(
    context: &mut Context,
    args: &ArtilleryArgs,
    test: LoadedTest,
    environment: &BTreeMap<String, String>,
    printer: &Arc<Printer>,
    once: Option<&Arc<OnceWriter>>,
) -> Result<ArtilleryTest, Stop> {
    let watch = once.cloned().map(|writer| {
        // Through the printer, so that exchanges stand between the lines that their users print.
        let printer = printer.clone();
        let watch =
            move |place: &str, hop: &Exchange<'_>| printer.print_own(writer.shown(place, hop));
        Arc::new(watch) as NamedExchangeCallback
    });
    let request = ArtilleryRequest {
        test,
        only: args.scenario_name.clone(),
        environment: environment.clone(),
        console: printer.clone(),
        wall_clock: context.wall_clock,
        watch,
    };
    prepare(request).map_err(|error| refused(context, &error))
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
        memory_limit: loadline_session::script_memory(),
        inline: script,
        trust: code_trust(context, catalog),
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
