//! What a script does in its own way while it is launched: k6's log, summary and exit codes.

use std::sync::Arc;

use loadline_k6::K6Factory;
use loadline_k6::log::{Entry, LogLevel, LogSink};
use loadline_k6_options::flags::SummaryMode;
use loadline_record::Series;
use loadline_report::{k6 as report, verdict};
use loadline_session::rest::RestServer;
use loadline_session::{
    RunHandle, RunOptions, RunResult, SessionError, SessionEvent, WarmUpSetting,
};
use loadline_text::{Catalog, Dialect, Exit};
use loadline_vu::StopCause;

use super::events::log_event;
use super::output::{PlanShape, SummaryFacts};
use super::refusal::ScriptRefusal;
use super::stop::Stop;
use super::{Script, ending};
use crate::context::Context;
use crate::launch::asked_report::AskedReport;
use crate::launch::follow::Inputs;
use crate::launch::launched_test::{JudgedRun, TestHooks, print_lines};
use crate::launch::outputs;
use crate::live::LiveConfig;
use crate::refusal::Refusal;
use crate::signals::StopSignal;

/// One run of a script.
pub(super) struct ScriptHooks<'a> {
    pub(super) script: &'a Script,
    pub(super) shape: PlanShape,
    pub(super) factory: Arc<K6Factory>,
    pub(super) summary: report::SummaryOptions,
    /// The script's text.
    pub(super) source: &'a str,
    /// The process stays when the run is over.
    pub(super) linger: bool,
    pub(super) rest: Option<&'a RestServer>,
    /// Its place among repetitions.
    pub(super) series: Option<Series>,
}

impl TestHooks for ScriptHooks<'_> {
    type Stop = Stop;

    fn dialect(&self) -> Dialect {
        Dialect::K6
    }

    fn not_started(&self, error: &SessionError, catalog: &Catalog) -> Stop {
        match error {
            SessionError::Output(error) => {
                let other = Exit::Other.code(Dialect::K6);
                Stop::Logged(ScriptRefusal::new(error.to_string(), other))
            }
            error => Stop::Ours(Refusal::session(error, catalog)),
        }
    }

    fn started(&mut self, _: &mut Context, handle: &RunHandle) {
        if let Some(rest) = self.rest {
            rest.attach(handle);
        }
    }

    fn live(&self, context: &Context, options: &RunOptions) -> Option<LiveConfig> {
        let script = self.script;
        (!script.runtime.quiet && !script.flags.once).then(|| LiveConfig {
            title: script.name.clone(),
            mode: outputs::live_mode(options.outputs.as_deref(), script.flags.live),
            has_colors: context.has_colors() && !script.runtime.no_color,
            own_words: false,
            is_warming: options.warm_up != WarmUpSetting::None,
        })
    }

    fn on_event(&mut self, event: &SessionEvent) {
        log_event(&self.script.log, event, &self.script.catalog);
    }

    fn print_lost(&mut self, context: &mut Context, verdict: &str) {
        context.err(&format!("loadline: {verdict}\n"));
    }

    fn conclude(
        &mut self,
        context: &mut Context,
        outcome: &RunResult,
        signal: Option<StopSignal>,
    ) -> Result<JudgedRun, Stop> {
        let script = self.script;
        let mut end = ending::reason(outcome, signal, script.fails_on_exception());
        if end.exit == Exit::Success
            && let Some(exit) = script.flags.fail_on.exit(&outcome.summary)
        {
            end.exit = exit;
        }
        let mode = script.runtime.summary_mode;
        let has_verdict = mode != SummaryMode::Disabled && !context.is_k6();
        // k6's own output stays as it is wherever something else may read it.
        let is_first = context.stdout_is_tty || self.series.is_some();
        let verdict = script.verdict(context, outcome, end.exit, self.factory.apart());
        if has_verdict && is_first {
            context.out(&format!("{}\n", verdict.join("\n")));
        }
        self.print_summary(context, outcome);
        script.log_end(context, outcome, end.entries);
        if has_verdict && !is_first {
            print_lines(context, verdict);
        }
        let code = end.exit.code(Dialect::K6);
        Ok(JudgedRun {
            code,
            exit: end.exit,
            verdict: verdict::of_script(&outcome.summary, end.exit, code, &script.catalog),
        })
    }

    fn linger(&mut self, inputs: &Inputs, signal: Option<StopSignal>) {
        if self.linger && signal.is_none() {
            let text = "Linger set; waiting for Ctrl+C...".to_owned();
            self.script.log.log(Entry::new(LogLevel::Info, text));
            // A closed channel would mean that nobody can press it any more.
            let _ = inputs.signals.recv();
        }
    }

    fn recorded(
        &mut self,
        context: &mut Context,
        outcome: &RunResult,
        _judged: &JudgedRun,
    ) -> Result<(), Stop> {
        let asked = AskedReport {
            outcome,
            series: self.series.as_ref(),
            catalog: &self.script.catalog,
        };
        let flags = &self.script.flags.recording;
        Ok(asked.write(context, flags)?)
    }

    fn is_quiet(&self) -> bool {
        let runtime = &self.script.runtime;
        runtime.quiet || runtime.summary_mode == SummaryMode::Disabled
    }
}

impl ScriptHooks<'_> {
    /// k6's summary, of a run that came far enough for one.
    fn print_summary(&self, context: &mut Context, outcome: &RunResult) {
        let ended_early = matches!(
            outcome.cause,
            Some(StopCause::Aborted { .. } | StopCause::Signal)
        );
        if !(outcome.began || outcome.setup.is_some() || outcome.cause.is_none() || ended_early) {
            return;
        }
        if !self.factory.summary_refused() {
            let facts = SummaryFacts {
                written: self.factory.take_written(),
                left: self.factory.take_left(),
                options: &self.summary,
                source: self.source,
                series: self.series.as_ref(),
            };
            self.script.print_summary(context, outcome, facts);
        }
        if outcome.began && !self.script.runtime.quiet && self.series.is_none() {
            context.out(&self.shape.progress(outcome));
        }
    }
}
