//! What an Artillery file does in its own way while it is launched: Artillery's console, its rows,
//! its plugins and its exit codes.

use std::sync::Arc;
use std::time::Duration;

use loadline_artillery::ArtilleryFactory;
use loadline_record::{Series, Summary, Verdict};
use loadline_report::artillery::Report;
use loadline_report::verdict;
use loadline_session::answers::AnswerOptions;
use loadline_session::artillery::Periods;
use loadline_session::{RunHandle, RunOptions, RunResult, SessionEvent, WarmUpSetting};
use loadline_text::{Catalog, Dialect, Exit, problem};

use super::after_test::AfterTest;
use super::args::ArtilleryArgs;
use super::conclude::{FinishedRun, conclude, print_end, print_ours};
use super::progress::Progress;
use super::record::RecordedTest;
use super::rows::{self, RowJournal};
use super::{Stop, ending, publishing};
use crate::context::Context;
use crate::launch::asked_report::AskedReport;
use crate::launch::launched_test::{JudgedRun, TestHooks, print_lines};
use crate::launch::once::OnceWriter;
use crate::launch::outputs::{self, OutputFlags};
use crate::launch::{observation, recording};
use crate::printer::Printer;
use crate::refusal::Refusal;
use crate::signals::StopSignal;

/// One run of a file.
pub(super) struct FileHooks<'a> {
    pub(super) args: &'a ArtilleryArgs,
    pub(super) catalog: &'a Catalog,
    pub(super) printer: &'a Printer,
    pub(super) rows: &'a mut RowJournal,
    pub(super) recorded: &'a RecordedTest,
    pub(super) progress: Progress,
    pub(super) after: AfterTest,
    pub(super) periods: Arc<Periods>,
    pub(super) factory: Arc<ArtilleryFactory>,
    /// Prints what `--once` shows.
    pub(super) once: Option<Arc<OnceWriter>>,
    /// Its place among repetitions.
    pub(super) series: Option<Series>,
}

impl TestHooks for FileHooks<'_> {
    type Stop = Stop;

    fn dialect(&self) -> Dialect {
        Dialect::Artillery
    }

    fn announced(&mut self, context: &mut Context) {
        if let Some(writer) = &self.once {
            context.out(&writer.title(&self.recorded.name));
        }
    }

    fn started(&mut self, context: &mut Context, _: &RunHandle) {
        if self.once.is_none() {
            let (progress, catalog) = (&mut self.progress, self.catalog);
            publishing::begin(context, progress, &self.after, &self.periods, catalog);
        }
    }

    fn on_event(&mut self, event: &SessionEvent) {
        self.progress.on_event(event, &self.periods);
        if matches!(event, SessionEvent::Second(_)) && self.once.is_none() {
            // What cannot be written is reported at the end.
            let usage = self.factory.row_usage();
            let _ = self.rows.note(&self.after.folder, &usage, true);
        }
    }

    fn followed(&mut self, context: &mut Context) {
        if self.once.is_none() {
            let usage = self.factory.row_usage();
            self.rows
                .close(context, &self.after.folder, &usage, self.catalog);
        }
    }

    fn print_lost(&mut self, context: &mut Context, verdict: &str) {
        if !self.args.quiet {
            context.err(&format!("loadline: {verdict}\n"));
        }
    }

    fn conclude(
        &mut self,
        context: &mut Context,
        outcome: &RunResult,
        signal: Option<StopSignal>,
    ) -> Result<JudgedRun, Stop> {
        let summary = &outcome.summary;
        let code = match self.once.clone() {
            Some(writer) => self.print_end_of_once(&writer, summary),
            None => self.print_end(context, outcome, signal)?,
        };
        let exit = match code {
            0 => Exit::Success,
            _ if signal.is_some() => Exit::Interrupted,
            _ => Exit::Other,
        };
        Ok(JudgedRun {
            code,
            exit,
            verdict: verdict::of_artillery(summary, code, self.catalog),
        })
    }

    fn is_quiet(&self) -> bool {
        self.args.quiet
    }

    fn recorded(
        &mut self,
        context: &mut Context,
        outcome: &RunResult,
        judged: &JudgedRun,
    ) -> Result<(), Stop> {
        if self.once.is_none() {
            // A run that sent nothing ends with Artillery's code of success: that is said always.
            let is_said = !self.args.quiet || outcome.summary.verdict() == Verdict::NothingSent;
            let verdict = is_said.then_some(judged.verdict.as_str());
            print_ours(context, &outcome.summary, verdict, self.catalog);
            print_lines(context, self.lines_on_short_rows());
            if !self.args.quiet && self.args.repetitions() == 1 {
                let usage = self.factory.row_usage();
                print_lines(context, self.rows.lines_on_unused(&usage, self.catalog));
            }
            let asked = AskedReport {
                outcome,
                series: self.series.as_ref(),
                catalog: self.catalog,
            };
            asked.write(context, &self.recorded.flags)?;
        }
        Ok(())
    }
}

impl FileHooks<'_> {
    /// Shows the last period, writes the report, judges the run and prints its end; gives the
    /// exit code.
    fn print_end(
        &mut self,
        context: &mut Context,
        outcome: &RunResult,
        signal: Option<StopSignal>,
    ) -> Result<u8, Stop> {
        publishing::end(context, &mut self.progress, &self.periods, self.catalog);
        let finished = FinishedRun {
            report: self.periods.report(),
            after: &self.after,
            suggested: ending::SuggestedExit::new(&self.factory),
            signal,
            outcome,
            keep_env: &self.recorded.flags.keep_env,
        };
        let mut end = conclude(context, self.args, &finished, self.printer)?;
        let name = &self.recorded.name;
        publishing::notify_slack(context, &finished, end.code, name, self.catalog);
        if end.code == 0 && !self.lines_on_short_rows().is_empty() {
            end.code = Exit::FellShort.code(Dialect::Artillery);
        }
        let code = end.code;
        print_end(context, outcome, end, self.printer, self.catalog);
        Ok(code)
    }

    /// Prints what went wrong in the iterations of `--once`, and what came of them, after all
    /// lines that their users printed; gives the exit code.
    fn print_end_of_once(&self, writer: &OnceWriter, summary: &Summary) -> u8 {
        let report: Report = self.periods.report();
        for (name, count) in &report.aggregate.counters {
            if let Some(error) = name.strip_prefix("errors.") {
                self.printer.print_own(format!("✗ {error} × {count}\n"));
            }
        }
        let (exit, text) = writer.end(summary);
        self.printer.print_own(format!("{text}\n"));
        exit.code(Dialect::Artillery)
    }

    /// Files of rows that had fewer than were needed.
    fn lines_on_short_rows(&self) -> Vec<String> {
        rows::short(&self.factory.row_usage(), self.catalog)
    }
}

/// How the run is carried out; takes its record's place out of `recorded`.
pub(super) fn options(
    context: &Context,
    args: &ArtilleryArgs,
    recorded: &mut RecordedTest,
    catalog: &Catalog,
) -> Result<RunOptions, Stop> {
    let flags = OutputFlags {
        outs: args.outs.clone(),
        spool_max: None,
        variables: None,
    };
    let keep = recorded.config.take().filter(|_| !args.once);
    let redactor = recording::redactor(&context.env, &[], &recorded.flags.keep_env);
    Ok(RunOptions {
        workers: if args.once { Some(1) } else { args.threads },
        drain: Duration::ZERO,
        warm_up: args.warmup.unwrap_or(WarmUpSetting::None),
        force: args.force,
        series: None,
        keep,
        arrivals: args.spacing()?,
        paused: false,
        outputs: outputs::request(context, &flags, None, redactor)
            .map_err(|error| Refusal::config(problem::output_invalid(error)))?,
        observe: observation::of_run(context, &recorded.flags, catalog)?.filter(|_| !args.once),
        answers: if args.once {
            AnswerOptions::default()
        } else {
            recorded.flags.answer_options(context)?
        },
    })
}
