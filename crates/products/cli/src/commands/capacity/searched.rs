//! A search, or loads that are held in place of one, from the first request to what is known of its run.

use crossbeam_channel::{Receiver, Sender};
use loadline_analysis::capacity::{Answer, SearchEnd};
use loadline_experiment::capacity::{Goal, Search, SearchSettings, run_search};
use loadline_record::event_kind;
use loadline_report::facts::{failed_checks, failures};
use loadline_report::{accounting, capacity as report};
use loadline_session::RunResult;
use loadline_session::steered::{self, SteerError};
use loadline_text::{Catalog, problem};
use loadline_vu::StopCause;

use super::kept::{keep_answer, test_in_file};
use super::limit::KnownTarget;
use super::progress::{self, Progress};
use super::{URL, args, arrivals_word};
use crate::commands::run::{self, Steerable};
use crate::context::Context;
use crate::launch::{observation, recording};
use crate::live::SearchScreen;
use crate::refusal::Refusal;
use crate::signals;
use crate::terminal::keys::Keyboard;

/// Messages that ask to stop, the first and any further one.
#[derive(Clone)]
pub(in crate::commands) struct SearchInterrupts {
    pub(in crate::commands) sender: Sender<()>,
    pub(in crate::commands) receiver: Receiver<()>,
}

/// What is searched for, and how it is shown.
pub(in crate::commands) struct Asked {
    pub(in crate::commands) settings: SearchSettings,
    /// The load that is to be carried.
    pub(in crate::commands) goal: Option<Goal>,
    pub(in crate::commands) interrupts: SearchInterrupts,
    /// The whole screen, if it is shown on one.
    pub(in crate::commands) screen: Option<(SearchScreen, Keyboard)>,
    /// It is a part of something that tells by itself where it is kept.
    pub(in crate::commands) is_part: bool,
}

/// An answer, and what is known of its run.
pub(in crate::commands) struct Found {
    pub(in crate::commands) answer: Answer,
    /// The load that was asked for, in the unit of the search.
    pub(in crate::commands) goal: Option<f64>,
    pub(in crate::commands) facts: run::SteerableFacts,
    pub(in crate::commands) scenario: Option<String>,
    pub(in crate::commands) run: Option<String>,
    pub(in crate::commands) started_ms: i64,
    pub(in crate::commands) target: KnownTarget,
    /// Kinds of failed requests with their counts, over all levels.
    pub(in crate::commands) failures: Vec<String>,
    /// Checks that failed over all levels, and all checks.
    pub(in crate::commands) failed_checks: Option<(u64, u64)>,
}

impl Asked {
    /// Makes the load, and waits for the answer.
    ///
    /// # Errors
    /// The load cannot begin, or the test ended it.
    pub(in crate::commands) fn run(
        self,
        context: &mut Context,
        test: Steerable,
        catalog: &Catalog,
    ) -> Result<Found, Refusal> {
        let Self { settings, goal, .. } = self;
        let started_ms = crate::stored::now_ms(context);
        let scenario = settings.scenario.clone();
        let is_search = settings.held.is_none();
        let mut search = Search::new(settings.clone());
        let plan = search.plan();
        let interrupts = self.interrupts.receiver;
        let mut steered = steered::steer(test.test, &plan, &test.options, Some(interrupts))
            .map_err(|error| refused(&error, catalog))?;
        let is_url = test.facts.kind == URL;
        let is_tty = context.stderr_is_tty;
        let mut shown = Progress::new(&settings, is_url, catalog, is_tty, test.quiet);
        if self.is_part {
            shown.without_forecast();
        }
        shown.on_screen(self.screen, self.interrupts.sender);
        let answer = run_search(&mut steered, &mut search, |event| {
            let said = shown.on_event(event);
            let over = said.strip_prefix(progress::ERASE_LINE);
            if over.is_some() {
                context.draw(progress::ERASE_LINE.as_bytes());
            }
            Context::print_err(over.unwrap_or(&said));
            shown.draw();
        });
        // The terminal has its own settings and its own screen back.
        drop(shown);
        context.leave_screen(catalog);
        for step in &answer.steps {
            steered.note(
                event_kind::CAPACITY_LEVEL,
                report::file::step_json(step, &answer.terms),
            );
        }
        let arrivals = arrivals_word(answer.unit, test.options.arrivals);
        let goal = goal.map(|goal| args::goal_of(goal, &answer));
        let kept = report::file::TestInFile {
            arrivals,
            ..test_in_file(&test.facts)
        };
        if is_search {
            keep_answer(&steered, &answer, kept, goal);
        }
        let is_wanted = answer.end != SearchEnd::Interrupted || steered.is_interrupted();
        let outcome = steered.finish();
        let is_quiet = test.quiet || self.is_part;
        if let Some(outcome) = &outcome {
            let kept = outcome.kept.as_ref();
            observation::print_sources(context, &outcome.signals, catalog, is_quiet);
            recording::print_place(context, &test.recording, kept, catalog, is_quiet);
            if let Some(text) = accounting::gaps(&outcome.gaps, catalog) {
                context.err(&format!("{text}\n"));
            }
            recording::tag(context, &test.recording, kept)?;
        }
        if !is_wanted {
            // The load ended by itself: set-up failed, or the test ended the run.
            let reason = outcome.as_deref().and_then(broken);
            let problem = problem::start_failed(&test.facts.name, reason.unwrap_or_default());
            return Err(Refusal::other(problem));
        }
        let failures = outcome.as_deref().map(|outcome| failures(&outcome.summary));
        let failed_checks = outcome
            .as_deref()
            .and_then(|outcome| failed_checks(&outcome.summary));
        let run = outcome.and_then(|outcome| Some(outcome.kept?.name));
        let explained = run.as_ref().filter(|_| is_search);
        let target = explained.map(|run| KnownTarget::read(context, &test.recording, run, catalog));
        Ok(Found {
            answer,
            goal,
            facts: test.facts,
            scenario,
            run,
            started_ms,
            target: target.unwrap_or_default(),
            failures: failures.unwrap_or_default(),
            failed_checks,
        })
    }
}

/// Why a run ended that nobody ended.
pub(in crate::commands) fn broken(outcome: &RunResult) -> Option<String> {
    let fault = outcome.setup.as_ref().map(|fault| fault.message.clone());
    fault.or_else(|| match outcome.cause.as_ref()? {
        StopCause::Failed(fault) => Some(fault.message.clone()),
        StopCause::Aborted { message } => Some(message.clone()),
        _ => None,
    })
}

impl SearchInterrupts {
    /// Those of signals.
    ///
    /// # Errors
    /// The kernel's, when handlers cannot be installed.
    pub(in crate::commands) fn watch() -> Result<Self, Refusal> {
        let failed = |error: std::io::Error| {
            Refusal::other(problem::start_failed("signals", error.to_string()))
        };
        let signals = signals::watch().map_err(failed)?;
        let (sender, receiver) = crossbeam_channel::unbounded();
        let of_signals = sender.clone();
        std::thread::Builder::new()
            .name("interrupts".to_owned())
            .spawn(move || {
                for _ in signals {
                    if of_signals.send(()).is_err() {
                        return;
                    }
                }
            })
            .map_err(failed)?;
        Ok(Self { sender, receiver })
    }
}

pub(super) fn refused(error: &SteerError, catalog: &Catalog) -> Refusal {
    match error {
        SteerError::Session(error) => Refusal::session(error, catalog),
        SteerError::NoScenario { name, known } => {
            let known = loadline_text::arguments::expected_one_of(known.join(", "));
            Refusal::flag("--scenario", name, &known, catalog)
        }
        SteerError::Nothing => Refusal::config(problem::usage(error)),
    }
}
