//! A study from its first trial, or the one after its journal, to its answer.

use std::time::Duration;

use crossbeam_channel::Receiver;
use loadline_analysis::tuning::answer::StudyEnd;
use loadline_experiment::tuning::{PlannedTrial, Study, TrialPurpose};
use loadline_knobs::apply::{HookError, RestoredPart, TargetControl};
use loadline_knobs::journal::{JournalEntry, StudyJournal, TrialEntry};
use loadline_knobs::lock::StudyLock;
use loadline_knobs::study::StudyFile;
use loadline_reactor::MonotonicClock;
use loadline_report::tuning::{self as report, CurrentTrial};
use loadline_store::StoredRunState;
use loadline_text::{Catalog, Exit, Location, problem, tune};
use loadline_units::Clock;

use super::answers::{AnswerCheck, HeldStudy};
use super::control::{self, end, hook_refusal, setter};
use super::interrupts::{Stopper, watch};
use super::page::StudyPage;
use super::reached::ReachedPeers;
use super::study_report::{self, StudyFacts, result_of};
use super::told_limits::ToldLimits;
use super::trial::{Measurement, TrialRunner};
use super::trial_entry::{entry, name_of};
use super::{StudySource, TuneArgs, journal_refusal, limit, load, plan, print, restored_text};
use crate::context::Context;
use crate::launch::announcement::{self, AnnouncedTest, Notices};
use crate::live::{LiveMode, StudyBudget, StudyScreen};
use crate::refusal::Refusal;
use crate::stored::now_ms;

/// Begins a journal.
pub(super) fn begin(
    context: &Context,
    source: &StudySource,
    journal: &mut StudyJournal,
    seed: u64,
) -> Result<(), Refusal> {
    let path = journal.path().to_owned();
    let entry = JournalEntry::Begun {
        study: source.study.name.clone(),
        hash: loadline_knobs::journal::hash(&source.text),
        seed,
        at_ms: now_ms(context),
    };
    journal
        .append(entry)
        .map_err(|error| journal_refusal(&path, &error))
}

/// A study that may run: its journal is open, what it names is locked.
pub(super) struct BegunStudy {
    pub(super) file: StudyFile,
    pub(super) journal: StudyJournal,
    pub(super) peers: ReachedPeers,
}

/// A study under way.
pub(super) struct StudyRun<'a> {
    args: &'a TuneArgs,
    catalog: &'a Catalog,
    file: StudyFile,
    study: Study,
    setter: TargetControl,
    trials: Vec<TrialEntry>,
    clock: MonotonicClock,
    interrupts: Receiver<()>,
    runner: TrialRunner<'a>,
    /// How long the target may still work at what the last trial left.
    left_behind: Duration,
    told: ToldLimits,
    answers: AnswerCheck,
    notices: Option<Notices>,
    page: StudyPage,
    stopper: Stopper,
    screen: Option<StudyScreen>,
}

impl<'a> StudyRun<'a> {
    pub(super) fn new(
        context: &mut Context,
        begun: BegunStudy,
        args: &'a TuneArgs,
        catalog: &'a Catalog,
    ) -> Result<Self, Refusal> {
        let BegunStudy {
            file,
            journal,
            peers,
        } = begun;
        let (to_hooks, interrupts, stopper) = watch()?;
        let seed = journal.state().seed;
        let trials = journal.state().trials.clone();
        let page = StudyPage::new(context, args, &journal);
        let runner = TrialRunner {
            args: &args.store,
            catalog,
            named: &args.file,
            peers,
            seed,
        };
        let notices = announce(context, &file, &runner, catalog)?;
        let setter = setter(context, file.clone(), journal, to_hooks, catalog)?;
        Ok(Self {
            args,
            catalog,
            study: study_report::study(&file, seed),
            file,
            setter,
            trials,
            clock: MonotonicClock::start(),
            interrupts,
            runner,
            left_behind: Duration::ZERO,
            told: ToldLimits::default(),
            answers: AnswerCheck::new(),
            notices,
            page,
            stopper,
            screen: None,
        })
    }

    pub(super) fn run_to_end(mut self, context: &mut Context) -> Result<Exit, Refusal> {
        match self.run_trials(context) {
            Ok(()) => self.conclude(context),
            Err(refusal) => {
                self.put_back(context);
                Err(refusal)
            }
        }
    }

    /// Puts everything back after an error, and tells how that went: the error does not.
    fn put_back(&mut self, context: &mut Context) {
        self.screen = None;
        context.leave_screen(self.catalog);
        if !self.setter.is_restored() {
            control::put_back(context, &mut self.setter, self.catalog);
        }
    }

    fn run_trials(&mut self, context: &mut Context) -> Result<(), Refusal> {
        let is_quiet = self.args.quiet;
        if !is_quiet {
            let each = study_report::trial_seconds(&self.trials);
            context.err(&plan::text(&self.file, each, self.catalog));
        }
        // A study that was killed left its last setting behind.
        if self.setter.journal().state().is_changed() {
            let done = self.restored()?;
            print(context, is_quiet, &restored_text(&done, self.catalog));
        }
        self.replay(context)?;
        if let Some(found) = self
            .setter
            .mismatch()
            .map_err(|error| hook_refusal(&error, self.catalog))?
        {
            let problem = problem::study_differs(found.knob, found.file, found.seen, found.source);
            let (line, column) = found.place;
            let place = Location::file(&self.args.file).line(line, column);
            return Err(Refusal::config(problem.at(place)));
        }
        self.setter
            .is_free()
            .map_err(|error| hook_refusal(&error, self.catalog))?;
        self.begin_screen(context);
        while let Some(planned) = self.next_planned() {
            self.show(context, Some(&planned), StoredRunState::Running);
            if !self.one_trial(context, &planned)? {
                self.study.interrupt();
                break;
            }
        }
        self.show(context, None, StoredRunState::Running);
        let done = self.restored()?;
        self.screen = None;
        context.leave_screen(self.catalog);
        print(context, is_quiet, &restored_text(&done, self.catalog));
        Ok(())
    }

    /// Takes the whole screen, where a person sits at a terminal and did not ask for lines.
    fn begin_screen(&mut self, context: &Context) {
        let is_wanted = self.args.live == LiveMode::Screen && !self.args.quiet;
        if !is_wanted || !context.is_interactive() {
            return;
        }
        let budget = StudyBudget {
            most_trials: self.file.most_trials,
            most_time: self.file.most_time,
        };
        let stopper = self.stopper.clone();
        self.screen = StudyScreen::begin(
            self.report(None),
            budget,
            context.has_colors(),
            self.catalog,
            move || stopper.stop(),
        );
    }

    /// Keeps what the study's page shows.
    fn show(
        &mut self,
        context: &mut Context,
        planned: Option<&PlannedTrial>,
        state: StoredRunState,
    ) {
        let now = planned.map(|planned| CurrentTrial {
            number: planned.number,
            purpose: name_of(planned.purpose).to_owned(),
            setting: planned.setting.clone(),
        });
        let told = self.report(now);
        if let Some(screen) = &self.screen {
            let spent = self.trials.iter().map(|trial| trial.seconds).sum::<f64>();
            screen.study(told.clone(), Duration::from_secs_f64(spent.clamp(0.0, 1e8)));
        }
        if let Err(reason) = self.page.keep(context, &told, state) {
            let told = self.catalog.text(&tune::page_lost(reason));
            print(context, self.args.quiet, &told);
        }
    }

    fn report(&self, now: Option<CurrentTrial>) -> loadline_report::tuning::StudyReport {
        let told = StudyFacts {
            file: &self.file,
            trials: &self.trials,
            now,
        };
        told.report(self.study.answer())
    }

    fn next_planned(&mut self) -> Option<PlannedTrial> {
        if self.interrupts.try_recv().is_ok() {
            self.study.interrupt();
            return None;
        }
        self.study.next_trial()
    }

    fn restored(&mut self) -> Result<Vec<RestoredPart>, Refusal> {
        self.setter
            .restore()
            .map_err(|error| hook_refusal(&error, self.catalog))
    }

    /// Gives the study what its journal knows.
    fn replay(&mut self, context: &mut Context) -> Result<(), Refusal> {
        if self.trials.is_empty() {
            return Ok(());
        }
        if !study_report::replay(&mut self.study, &self.file, &self.trials) {
            let path = self.setter.journal().path().display().to_string();
            return Err(Refusal::config(problem::study_changed(path)));
        }
        let count = self.trials.len();
        print(
            context,
            self.args.quiet,
            &self.catalog.text(&tune::resumed(count)),
        );
        Ok(())
    }

    /// Runs one trial; whether the study goes on.
    fn one_trial(
        &mut self,
        context: &mut Context,
        planned: &PlannedTrial,
    ) -> Result<bool, Refusal> {
        let is_quiet = self.args.quiet;
        let purpose = name_of(planned.purpose);
        if self.is_met_as_it_is(planned) {
            let said = self.catalog.text(&tune::met_as_it_is());
            print(context, is_quiet, &said);
        }
        let title = tune::trial_begins(
            planned.number,
            self.catalog.text(&report::purpose(purpose)),
            self.file.label(&planned.setting),
        );
        print(context, is_quiet, &self.catalog.text(&title));
        let begun = self.clock.now();
        let at_ms = now_ms(context);
        self.write(JournalEntry::TrialBegun {
            number: planned.number,
            setting: planned.setting.clone(),
        })?;
        let measurement = self.measure(context, planned)?;
        let seconds = self.clock.now().since(begun).as_secs_f64();
        if matches!(measurement, Measurement::Interrupted) {
            return Ok(false);
        }
        let mut entry = entry(planned, purpose, measurement, seconds, at_ms, self.catalog);
        let held = HeldStudy {
            file: &self.file,
            trials: &self.trials,
            store: self.args.store.store.as_deref(),
            catalog: self.catalog,
        };
        if let Some(unknown) = self.answers.hold(context, &held, &mut entry) {
            print(context, is_quiet, &self.catalog.text(&unknown));
        }
        self.explain(context, &mut entry);
        let told = match (&entry.measured, &entry.reason) {
            (Some(of), _) => report::measured(of.rate, of.p95_ms, of.errors),
            (None, reason) => {
                let reason = reason.clone().unwrap_or_default();
                self.catalog.text(&if entry.failed {
                    tune::trial_failed(reason)
                } else if entry.other_answers {
                    tune::trial_other_answers(reason)
                } else {
                    tune::trial_invalid(reason)
                })
            }
        };
        print(context, is_quiet, &format!("  {told}"));
        self.print_limit(context, &entry);
        self.write(JournalEntry::TrialEnded(Box::new(entry.clone())))?;
        self.study.record(result_of(&entry), seconds);
        if let Some(guess) = &entry.guess {
            self.study.guess(guess.clone());
        }
        self.trials.push(entry);
        Ok(true)
    }

    /// The first of the trials that confirm the start setting, of a study that tried no other one.
    fn is_met_as_it_is(&self, planned: &PlannedTrial) -> bool {
        let start = self.file.start();
        let confirms = name_of(TrialPurpose::Confirm);
        planned.purpose == TrialPurpose::Confirm
            && planned.setting == start
            && (self.trials.iter()).all(|trial| trial.setting == start && trial.purpose != confirms)
    }

    fn measure(
        &mut self,
        context: &mut Context,
        planned: &PlannedTrial,
    ) -> Result<Measurement, Refusal> {
        match self.setter.set(&planned.setting) {
            Ok(()) => {}
            Err(HookError::Interrupted) => return Ok(Measurement::Interrupted),
            Err(HookError::Journal(error)) => {
                let path = self.setter.journal().path().to_owned();
                return Err(journal_refusal(&path, &error));
            }
            Err(error) => {
                return Ok(Measurement::Failed(error.message(), None));
            }
        }
        let rest = self.file.pause.max(std::mem::take(&mut self.left_behind));
        if self.interrupts.recv_timeout(rest).is_ok() {
            return Ok(Measurement::Interrupted);
        }
        let (interrupts, screen) = (&self.interrupts, self.screen.as_ref());
        let ended = self
            .runner
            .run(context, &self.file, planned, interrupts, screen)?;
        self.left_behind = ended.left_behind;
        let measured = ended.measurement;
        if matches!(measured, Measurement::Measured(..)) && !self.setter.is_alive(&planned.setting)
        {
            return Ok(Measurement::Failed(tune::reason_gone(), measured.run()));
        }
        Ok(measured)
    }

    fn write(&mut self, entry: JournalEntry) -> Result<(), Refusal> {
        let path = self.setter.journal().path().to_owned();
        let written = self.setter.journal().append(entry);
        written.map_err(|error| journal_refusal(&path, &error))
    }

    /// Asks `explain` what limited a trial; of the target as it is, also which setting is to be tried first.
    fn explain(&self, context: &Context, entry: &mut TrialEntry) {
        let store = self.args.store.store.as_deref();
        let run = entry.run.as_deref();
        entry.limit = run.and_then(|run| limit::found(context, store, run));
        let is_guessed = self.trials.iter().any(|trial| trial.guess.is_some());
        let is_noise = entry.purpose == name_of(TrialPurpose::Noise);
        if let Some(found) = entry.limit.as_ref().filter(|_| is_noise && !is_guessed) {
            entry.guess = limit::guess(&self.file, found);
        }
    }

    fn print_limit(&mut self, context: &mut Context, entry: &TrialEntry) {
        for line in self.told.lines(entry, &self.file, self.catalog) {
            print(context, self.args.quiet, &self.catalog.text(&line));
        }
    }

    fn conclude(mut self, context: &mut Context) -> Result<Exit, Refusal> {
        let report = self.report(None);
        let is_open = report.answer.end == StudyEnd::Interrupted;
        if !is_open {
            end(&mut self.setter)?;
        }
        let state = if is_open {
            StoredRunState::Interrupted
        } else {
            StoredRunState::Finished
        };
        self.show(context, None, state);
        let text = if self.args.json {
            report::file::TuningFile::new(&report).to_json()
        } else {
            report.text(self.catalog)
        };
        context.out(&text);
        if let Some(notices) = self.notices.take() {
            notices.end(context, &report.verdict(self.catalog), self.catalog);
        }
        Ok(report.exit())
    }
}

/// Sees that the study's test can be made ready; its own mistakes are told as `run` tells them.
pub(super) fn check_test(
    context: &mut Context,
    file: &StudyFile,
    args: &TuneArgs,
    catalog: &Catalog,
) -> Result<(), Refusal> {
    let runner = TrialRunner {
        args: &args.store,
        catalog,
        named: &args.file,
        peers: ReachedPeers::new(StudyLock::default()),
        seed: 0,
    };
    let test = runner.prepare(context, file, &file.start(), "")?;
    load::check(file, &args.file, &test)
}

/// Tells those who use the target, once for all trials, and asks where it is shared.
fn announce(
    context: &mut Context,
    file: &StudyFile,
    runner: &TrialRunner<'_>,
    catalog: &Catalog,
) -> Result<Option<Notices>, Refusal> {
    let test = runner.prepare(context, file, &file.start(), "")?;
    load::check(file, runner.named, &test)?;
    let texts: Vec<&str> = std::iter::once(test.text.as_str())
        .chain(test.variables.iter().map(|(_, value)| value.as_str()))
        .collect();
    let announced = AnnouncedTest {
        name: &file.name,
        plan: &test.test.plan,
        texts: &texts,
    };
    announcement::begin(context, &test.announce, &announced, catalog)
}
