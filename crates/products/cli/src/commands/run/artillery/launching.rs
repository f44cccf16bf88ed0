//! A run under way: announced, started, followed to its end.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use loadline_artillery::load;
use loadline_artillery::model::{PublishTarget, SlackTarget};
use loadline_record::{Series, Summary};
use loadline_report::artillery::Report;
use loadline_report::verdict;
use loadline_session::artillery::ArtilleryTest;
use loadline_session::{RunOptions, SessionEvent, WarmUpSetting};
use loadline_text::{Catalog, Dialect, Exit, problem};

use super::super::follow::{self, Inputs};
use super::super::once::OnceWriter;
use super::super::out::{self, OutFlags};
use super::super::planned::{Planned, Sent};
use super::super::problems::Refusal;
use super::super::{care, keep, observed};
use super::args::ArtilleryArgs;
use super::conclude::{FinishedRun, conclude, say_of_ours, tell};
use super::progress::Progress;
use super::record::Recorded;
use super::rows::{self, RowJournal};
use super::{EndedRun, Stop, ending, publishing};
use crate::context::Context;
use crate::printer::Printer;

/// What is needed of a test after it is gone.
pub(super) struct AfterTest {
    pub(super) ensure: Option<loadline_artillery::model::Ensure>,
    /// Where its results are published, and who is notified of its end.
    pub(super) publish: Vec<PublishTarget>,
    pub(super) slack: Option<SlackTarget>,
    pub(super) apdex: bool,
    pub(super) output: Option<PathBuf>,
    /// Where its files of rows are.
    pub(super) folder: PathBuf,
}

impl AfterTest {
    pub(super) fn of(test: &load::LoadedTest, output: Option<PathBuf>) -> Self {
        let config = &test.script.config;
        Self {
            ensure: config.ensure.clone(),
            publish: config.publish.clone(),
            slack: config.slack.clone(),
            apdex: config.apdex.is_some(),
            output,
            folder: test.folder.clone(),
        }
    }
}

/// A run that is ready, with all that follows it.
pub(super) struct ReadyRun {
    pub(super) ready: ArtilleryTest,
    pub(super) progress: Progress,
    pub(super) ended: AfterTest,
    pub(super) recorded: Recorded,
    pub(super) planned: Option<Planned>,
    pub(super) once: Option<Arc<OnceWriter>>,
    pub(super) series: Option<Series>,
}

pub(super) fn follow_run(
    context: &mut Context,
    args: &ArtilleryArgs,
    (mut run, rows): (ReadyRun, &mut RowJournal),
    printer: &Printer,
    catalog: &Catalog,
) -> Result<EndedRun, Stop> {
    let notices = announce(context, &run, catalog)?;
    let options = options(context, args, &mut run, catalog)?;
    let inputs = Inputs::open(context, true)?;
    let ReadyRun {
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
    let is_once = once.is_some();
    let about = (&ended, &*ready.periods, is_once);
    publishing::begin(context, &mut progress, about, catalog);
    let followed = follow::to_end(context, &handle, &inputs, None, catalog, |event| {
        sent.on_event(event);
        progress.on_event(event, &ready.periods);
        if let (SessionEvent::Second(_), false) = (event, is_once) {
            // What cannot be written is reported at the end.
            let _ = rows.note(&ended.folder, &ready.factory.row_usage(), true);
        }
    });
    let usage = ready.factory.row_usage();
    if !is_once {
        rows.close(context, &ended.folder, &usage, catalog);
    }
    let exit = followed.exit_without_outcome();
    let Some(outcome) = followed.outcome else {
        return Ok(EndedRun::without_outcome(exit.code(Dialect::Artillery)));
    };
    if let Some(line) = planned.and_then(|planned| planned.after(&sent, catalog)) {
        context.err(&format!("loadline: {line}\n"));
    }
    if let Some(writer) = once {
        let ran = (&ready.periods.report(), &outcome.summary);
        return Ok(end_of_once(printer, &writer, ran));
    }
    publishing::end(context, &mut progress, &ready.periods, catalog);
    let finished = FinishedRun {
        report: ready.periods.report(),
        ended,
        suggested: ending::Suggested::by(&ready.factory),
        signal: followed.signal,
        outcome,
        keep_env: recorded.keep.keep_env.clone(),
    };
    let mut end = conclude(context, args, &finished, printer)?;
    publishing::tell_slack(context, &finished, (end.code, &recorded.name), catalog);
    let short = rows::short(&usage, catalog);
    if end.code == 0 && !short.is_empty() {
        end.code = Exit::FellShort.code(Dialect::Artillery);
    }
    let code = end.code;
    tell(context, (&finished.outcome, end), printer, catalog);
    if let Some(notices) = notices {
        let verdict = verdict::of_artillery(&finished.outcome.summary, code, catalog);
        notices.end(context, &verdict, catalog);
    }
    tell_of_record(context, (&finished, &recorded), (code, args.quiet), catalog);
    for line in short {
        context.err(&format!("loadline: {line}\n"));
    }
    Ok(EndedRun {
        code,
        is_interrupted: finished.signal.is_some(),
        outcome: Some(finished.outcome),
    })
}

/// What was observed and kept, and what loadline says beside Artillery.
fn tell_of_record(
    context: &mut Context,
    (finished, recorded): (&FinishedRun, &Recorded),
    (code, quiet): (u8, bool),
    catalog: &Catalog,
) {
    let outcome = &finished.outcome;
    observed::tell(context, &outcome.signals, catalog, quiet);
    keep::tell(
        context,
        &recorded.keep,
        outcome.kept.as_ref(),
        catalog,
        quiet,
    );
    say_of_ours(context, &outcome.summary, (code, quiet), catalog);
}

/// Tells what went wrong in the iterations of `--once`, and what came of them, after all lines that
/// their users printed.
fn end_of_once(
    printer: &Printer,
    writer: &OnceWriter,
    (report, summary): (&Report, &Summary),
) -> EndedRun {
    for (name, count) in &report.aggregate.counters {
        if let Some(error) = name.strip_prefix("errors.") {
            printer.say(format!("✗ {error} × {count}\n"));
        }
    }
    let (exit, text) = writer.end(summary);
    printer.say(format!("{text}\n"));
    EndedRun::without_outcome(exit.code(Dialect::Artillery))
}

/// Says what is about to be run, and where; asks for shared targets.
fn announce(
    context: &mut Context,
    run: &ReadyRun,
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
    run: &mut ReadyRun,
    catalog: &Catalog,
) -> Result<RunOptions, Stop> {
    let outs = OutFlags {
        outs: args.outs.clone(),
        spool_max: None,
        variables: None,
    };
    let is_once = run.once.is_some();
    let redactor = keep::redactor(&context.env, &[], &run.recorded.keep.keep_env);
    Ok(RunOptions {
        workers: if is_once { Some(1) } else { args.threads },
        drain: Duration::ZERO,
        warm_up: args.warmup.unwrap_or(WarmUpSetting::None),
        force: args.force,
        series: run.series.take(),
        keep: run.recorded.keeping.take().filter(|_| !is_once),
        arrivals: args.spacing()?,
        paused: false,
        outputs: out::request(context, &outs, (None, redactor))
            .map_err(|error| Refusal::config(problem::output_invalid(error)))?,
        observe: observed::request(context, &run.recorded.keep.observe, catalog)?
            .filter(|_| !is_once),
    })
}
