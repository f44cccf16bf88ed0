//! The end of a run: Artillery's report, its judgement, and what loadline adds.

use std::path::Path;

use loadline_record::{ArrivalProcess, Summary};
use loadline_report::artillery::Report;
use loadline_report::{arrivals, verdict, warm_up};
use loadline_session::RunResult;
use loadline_text::{Catalog, Dialect, problem};

use super::super::problems::Refusal;
use super::super::{keep, out};
use super::args::ArtilleryArgs;
use super::follow::AfterTest;
use super::{Stop, ending};
use crate::context::Context;
use crate::printer::Printer;
use crate::signals::StopSignal;

/// A run that is over, with all that its end is judged by.
pub(super) struct FinishedRun {
    pub(super) report: Report,
    pub(super) ended: AfterTest,
    pub(super) suggested: ending::Suggested,
    pub(super) signal: Option<StopSignal>,
    pub(super) outcome: Box<RunResult>,
    /// Variables whose values are no secrets.
    pub(super) keep_env: Vec<String>,
}

/// Writes Artillery's report and judges the end as Artillery does; `--fail-on` may add to it.
pub(super) fn conclude(
    context: &Context,
    args: &ArtilleryArgs,
    run: &FinishedRun,
    printer: &Printer,
) -> Result<ending::End, Stop> {
    if let Some(path) = &run.ended.output {
        let redactor = keep::redactor(&context.env, &[], &run.keep_env);
        let text = redactor.document(&run.report.to_json());
        write_report(path, &text, args.quiet, printer)?;
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
pub(super) fn tell(
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
pub(super) fn say_of_ours(
    context: &mut Context,
    summary: &Summary,
    (code, quiet): (u8, bool),
    catalog: &Catalog,
) {
    if let Some(process @ ArrivalProcess::Poisson { .. }) = summary.run.arrivals {
        context.err(&format!("loadline: {}\n", arrivals::line(process, catalog)));
    }
    if !quiet {
        let said = verdict::of_artillery(summary, code, catalog);
        for line in [said].into_iter().chain(verdict::unsaid(summary, catalog)) {
            context.err(&format!("loadline: {line}\n"));
        }
    }
    let health = ending::health(summary, catalog);
    if !health.is_empty() {
        context.err(&health);
    }
}

fn write_report(path: &Path, text: &str, quiet: bool, printer: &Printer) -> Result<(), Stop> {
    if !quiet {
        printer.say(format!("Log file: {}\n", path.display()));
    }
    std::fs::write(path, text).map_err(|error| {
        let problem = problem::write_failed(path.display(), error);
        Stop::Refused(Refusal::other(problem))
    })
}
