//! One run of a test: announced, started, followed to its end, judged, its result printed, others
//! notified, its record named. All kinds of test go this way.
//!
//! What differs between URLs, scripts and Artillery files is in [`TestHooks`]: words, judgement
//! and exit codes. They are called in the order in which they are declared.

use loadline_session::{RunHandle, RunOptions, RunResult, SessionError, SessionEvent, Test};
use loadline_text::{Catalog, Dialect, Exit, records};

use super::announcement::{self, AnnounceFlags, AnnouncedTest};
use super::answers;
use super::follow::{self, Followed, Inputs};
use super::observation;
use super::plan_comparison::{PlanComparison, SentRate};
use super::recording::{self, RecordingFlags};
use super::repeat::EndedRun;
use crate::context::Context;
use crate::live::{Live, LiveConfig};
use crate::refusal::Refusal;
use crate::signals::StopSignal;

/// What a kind of test does in its own way while it is launched.
pub(crate) trait TestHooks {
    /// What keeps such a test from running, or from being judged.
    type Stop: From<Refusal>;

    /// Whose exit codes hold.
    fn dialect(&self) -> Dialect;

    /// The test is announced and not started yet.
    fn announced(&mut self, _context: &mut Context) {}

    /// Why the session did not start.
    fn not_started(&self, error: &SessionError, catalog: &Catalog) -> Self::Stop {
        Refusal::session(error, catalog).into()
    }

    /// The run has started.
    fn started(&mut self, _context: &mut Context, _handle: &RunHandle) {}

    /// How it is shown while it goes on; `None`: not at all.
    fn live(&self, _context: &Context, _options: &RunOptions) -> Option<LiveConfig> {
        None
    }

    /// Something happened in the run.
    fn on_event(&mut self, _event: &SessionEvent) {}

    /// The run is over, with or without a result.
    fn followed(&mut self, _context: &mut Context) {}

    /// Prints the verdict on a run that has no result.
    fn print_lost(&mut self, context: &mut Context, verdict: &str);

    /// Judges the run and prints what came of it.
    ///
    /// # Errors
    /// The result cannot be written where it was asked for.
    fn conclude(
        &mut self,
        context: &mut Context,
        outcome: &RunResult,
        signal: Option<StopSignal>,
    ) -> Result<JudgedRun, Self::Stop>;

    /// Stays until a person ends it, where that was asked for.
    fn linger(&mut self, _inputs: &Inputs, _signal: Option<StopSignal>) {}

    /// Whether where the run is recorded and what was observed is left out.
    fn is_quiet(&self) -> bool;

    /// All is printed that is of every kind of test.
    ///
    /// # Errors
    /// The result cannot be written where it was asked for.
    fn recorded(
        &mut self,
        _context: &mut Context,
        _outcome: &RunResult,
        _judged: &JudgedRun,
    ) -> Result<(), Self::Stop> {
        Ok(())
    }
}

/// How a run was judged.
#[derive(Debug)]
pub(crate) struct JudgedRun {
    /// How the program ends.
    pub(crate) code: u8,
    /// The same, for the repetitions of a test.
    pub(crate) exit: Exit,
    /// For those who are notified.
    pub(crate) verdict: String,
}

/// A test that is ready, with all that is typed about its run.
pub(crate) struct LaunchedTest<'a> {
    /// What others are told it is called.
    pub(crate) name: &'a str,
    /// Those in which a shared target may be named.
    pub(crate) texts: &'a [&'a str],
    pub(crate) options: &'a RunOptions,
    pub(crate) announce: &'a AnnounceFlags,
    pub(crate) recording: &'a RecordingFlags,
    pub(crate) plan: Option<&'a PlanComparison>,
    pub(crate) inputs: &'a Inputs,
    pub(crate) catalog: &'a Catalog,
}

impl LaunchedTest<'_> {
    /// Runs `test` from its announcement to its record.
    ///
    /// # Errors
    /// Load is not to be, the session does not start, or the result cannot be written.
    pub(crate) fn run<H: TestHooks>(
        &self,
        context: &mut Context,
        test: Test,
        hooks: &mut H,
    ) -> Result<EndedRun, H::Stop> {
        let announced = AnnouncedTest {
            name: self.name,
            plan: &test.plan,
            texts: self.texts,
        };
        let notices = announcement::begin(context, self.announce, &announced, self.catalog)?;
        let followed = self.follow(context, test, hooks)?;
        let dialect = hooks.dialect();
        let exit = followed.exit_without_outcome();
        let lost = followed.verdict_without_outcome(dialect, self.catalog);
        let Some(outcome) = followed.outcome else {
            hooks.print_lost(context, &lost);
            if let Some(notices) = notices {
                notices.end(context, &lost, self.catalog);
            }
            return Ok(EndedRun {
                code: exit.code(dialect),
                exit,
                outcome: None,
            });
        };
        let judged = hooks.conclude(context, &outcome, followed.signal)?;
        let is_quiet = hooks.is_quiet();
        let found = (notices.is_some() || !is_quiet)
            .then(|| observation::explained(context, self.recording, &outcome, self.catalog))
            .flatten();
        // Of a run without sources only its callers are known: they name no limit.
        let is_observed = !outcome.signals.sources.is_empty();
        let limit = found.as_ref().filter(|_| is_observed);
        let limit = limit.and_then(|found| observation::limit_sentence(&found.limit, self.catalog));
        if let Some(notices) = notices {
            notices.end_limited(context, &judged.verdict, limit.as_deref(), self.catalog);
        }
        hooks.linger(self.inputs, followed.signal);
        let flags = &self.recording.answers;
        print_lines(
            context,
            answers::lines(flags, &outcome, is_quiet, self.catalog),
        );
        self.print_record(context, &outcome, is_quiet);
        recording::tag(context, self.recording, outcome.kept.as_ref())?;
        if let Some(limit) = limit.filter(|_| !is_quiet) {
            let said = self.catalog.text(&records::limit_explained(limit));
            print_lines(context, [said]);
        }
        if let Some(found) = found.filter(|_| !is_quiet) {
            let settings = observation::settings_sentences(&found.limit, self.catalog);
            print_lines(context, settings);
            let cold = observation::cold_sentence(self.recording, &outcome, &found, self.catalog);
            print_lines(context, cold.filter(|_| self.options.series.is_none()));
        }
        hooks.recorded(context, &outcome, &judged)?;
        if !is_quiet && self.options.series.is_none() {
            let next = recording::next_commands(context, self.recording, outcome.kept.as_ref());
            print_lines(context, next.map(|next| self.catalog.text(&next)));
        }
        Ok(EndedRun {
            code: judged.code,
            exit: judged.exit,
            outcome: Some(outcome),
        })
    }

    /// Starts `test` and follows it to its end; nobody is notified.
    ///
    /// # Errors
    /// The session does not start.
    pub(crate) fn follow<H: TestHooks>(
        &self,
        context: &mut Context,
        test: Test,
        hooks: &mut H,
    ) -> Result<Followed, H::Stop> {
        hooks.announced(context);
        let before = self.plan.map(|plan| plan.before(&test.plan, self.catalog));
        print_lines(context, before.into_iter().flatten());
        #[cfg(feature = "fault-injection")]
        let test = crate::fault::in_test(test, context);
        let handle = loadline_session::start(test, self.options)
            .map_err(|error| hooks.not_started(&error, self.catalog))?;
        hooks.started(context, &handle);
        let live = hooks.live(context, self.options).map(|config| {
            let catalog = Catalog::new(self.catalog.lang());
            Live::new(
                context,
                &handle,
                catalog,
                config,
                self.inputs.keyboard.is_held,
            )
        });
        let mut sent = SentRate::default();
        let heard = |event: &SessionEvent| {
            sent.on_event(event);
            hooks.on_event(event);
        };
        let followed = follow::to_end(context, &handle, self.inputs, live, self.catalog, heard);
        hooks.followed(context);
        let after = self.plan.and_then(|plan| plan.after(&sent, self.catalog));
        print_lines(context, after);
        Ok(followed)
    }

    /// Which sources of signals answered, and where the run is.
    fn print_record(&self, context: &mut Context, outcome: &RunResult, is_quiet: bool) {
        observation::print_sources(context, &outcome.signals, self.catalog, is_quiet);
        let recorded = outcome.kept.as_ref();
        recording::print_place(context, self.recording, recorded, self.catalog, is_quiet);
    }
}

/// Lines of ours on standard error.
pub(crate) fn print_lines(context: &mut Context, lines: impl IntoIterator<Item = String>) {
    for line in lines {
        context.err(&format!("loadline: {line}\n"));
    }
}
