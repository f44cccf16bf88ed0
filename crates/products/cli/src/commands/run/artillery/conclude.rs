//! The end of a run: Artillery's report, its judgement, and what loadline adds.

use std::path::Path;

use loadline_record::{ArrivalProcess, Summary};
use loadline_report::artillery::Report;
use loadline_report::{arrivals, verdict, warm_up};
use loadline_session::RunResult;
use loadline_text::{Catalog, Dialect, problem};

use super::after_test::AfterTest;
use super::args::ArtilleryArgs;
use super::{Stop, ending};
use crate::context::Context;
use crate::launch::fail_on::FailOn;
use crate::launch::launched_test::print_lines;
use crate::launch::{outputs, recording};
use crate::printer::Printer;
use crate::refusal::Refusal;
use crate::signals::StopSignal;

/// A run that is over, with all that its end is judged by.
pub(super) struct FinishedRun<'a> {
    pub(super) report: Report,
    pub(super) after: &'a AfterTest,
    pub(super) suggested: ending::SuggestedExit,
    pub(super) signal: Option<StopSignal>,
    pub(super) outcome: &'a RunResult,
    /// Variables whose values are no secrets.
    pub(super) keep_env: &'a [String],
}

/// Writes Artillery's report and judges the end as Artillery does; `--fail-on` may add to it.
pub(super) fn conclude(
    context: &Context,
    args: &ArtilleryArgs,
    run: &FinishedRun<'_>,
    printer: &Printer,
) -> Result<ending::End, Stop> {
    if let Some(path) = &run.after.output {
        let redactor = recording::redactor(&context.env, &[], run.keep_env);
        let text = redactor.document(&run.report.to_json());
        write_report(path, &text, args.quiet, printer)?;
    }
    let mut end = ending::judge_end(
        run.outcome,
        run.signal,
        &run.report,
        run.after,
        run.suggested,
        context.env.contains_key("ARTILLERY_DISABLE_ENSURE"),
    );
    let fail_on = args.fail_on.clone().unwrap_or_else(FailOn::nothing);
    if end.code == 0
        && let Some(exit) = fail_on.exit(&run.outcome.summary)
    {
        end.code = exit.code(Dialect::Artillery);
    }
    Ok(end)
}

/// Prints what Artillery's end says, then what became of the warm-up and of the outputs.
pub(super) fn print_end(
    context: &mut Context,
    outcome: &RunResult,
    end: ending::End,
    printer: &Printer,
    catalog: &Catalog,
) {
    printer.print_own(end.text);
    if let Some(warmed) = &outcome.warm_up {
        printer.print_own(format!("{}\n", warm_up::line(warmed, catalog)));
    }
    for line in outputs::loss_lines(&outcome.outputs, catalog) {
        context.err(&format!("{line}\n"));
    }
}

/// Prints what Artillery does not: how starts were spaced, the verdict where it is wanted, the
/// generator.
pub(super) fn print_ours(
    context: &mut Context,
    summary: &Summary,
    verdict: Option<&str>,
    catalog: &Catalog,
) {
    if let Some(process @ ArrivalProcess::Poisson { .. }) = summary.run.arrivals {
        context.err(&format!("loadline: {}\n", arrivals::line(process, catalog)));
    }
    if let Some(verdict) = verdict {
        let unsaid = verdict::unsaid(summary, catalog);
        print_lines(context, [verdict.to_owned()].into_iter().chain(unsaid));
    }
    let health = ending::health(summary, catalog);
    if !health.is_empty() {
        context.err(&health);
    }
}

fn write_report(path: &Path, text: &str, quiet: bool, printer: &Printer) -> Result<(), Stop> {
    if !quiet {
        printer.print_own(format!("Log file: {}\n", path.display()));
    }
    std::fs::write(path, text).map_err(|error| {
        let problem = problem::write_failed(path.display(), error);
        Stop::Refused(Refusal::other(problem))
    })
}
