//! One test of a row, from its first request to what it came to.

use std::time::Duration;

use crossbeam_channel::select;
use loadline_analysis::capacity::{Answer, Purpose, SearchEnd, Unit};
use loadline_analysis::slo::Term;
use loadline_experiment::capacity::{Goal, HeldLoads, IdleTimes, SearchSettings};
use loadline_experiment::matrix::{CellKind, CellTimes};
use loadline_report::capacity::file::{CapacityFile, TestInFile};
use loadline_report::capacity::{self as report, CapacityFacts};
use loadline_report::matrix::{CapacityCell, HeldCell, HeldLevel, MatrixRow, SmokeCell};
use loadline_session::{RunResult, SessionEvent, WarmUpSetting};
use loadline_testplan::ArrivalSpacing;
use loadline_text::Catalog;
use loadline_vu::StopCause;

use super::journal::StoredCell;
use super::rows::RowSource;
use crate::commands::capacity::{Asked, Found, SearchInterrupts, Warming, broken, warm_up};
use crate::commands::run::Steerable;
use crate::context::Context;
use crate::launch::flags_elsewhere::KnownFlags;
use crate::launch::recording;
use crate::refusal::Refusal;

/// How long one iteration may take.
const SMOKE_TIMEOUT: Duration = Duration::from_secs(60);

/// Makes the tests of a matrix.
pub(super) struct CellRunner<'a> {
    pub(super) catalog: &'a Catalog,
    pub(super) known: &'a KnownFlags,
    pub(super) terms: &'a [Term],
    pub(super) interrupts: SearchInterrupts,
    pub(super) spacing: ArrivalSpacing,
    pub(super) warmup: Option<WarmUpSetting>,
    /// The highest rate of a search, if one was said.
    pub(super) highest: Option<f64>,
    /// Virtual users at most, if that was said.
    pub(super) most_users: Option<u64>,
    /// The tag of the runs.
    pub(super) id: &'a str,
}

/// A test that is to be made.
pub(super) struct AskedCell<'a> {
    pub(super) source: &'a RowSource,
    pub(super) row: &'a MatrixRow,
    pub(super) kind: CellKind,
    pub(super) loads: &'a [f64],
    pub(super) times: CellTimes,
    /// The rate that loads are multiples of.
    pub(super) base: Option<f64>,
}

impl CellRunner<'_> {
    /// What the test came to; `None` when it was interrupted.
    ///
    /// # Errors
    /// What it came to cannot be kept.
    pub(super) fn run(
        &self,
        context: &mut Context,
        asked: &AskedCell<'_>,
    ) -> Result<Option<StoredCell>, Refusal> {
        let made = self
            .prepare(context, asked)
            .and_then(|test| match asked.kind {
                CellKind::Smoke => self.smoke(context, asked, test),
                CellKind::Load | CellKind::Stress => self.held(context, asked, test),
                CellKind::Capacity => self.capacity(context, asked, test),
            });
        // What is wrong with one row is told of it; others go on.
        Ok(made.unwrap_or_else(|refusal| Some(self.faulty(asked.kind, &refusal))))
    }

    fn faulty(&self, kind: CellKind, refusal: &Refusal) -> StoredCell {
        let fault = self.catalog.what(&refusal.problem);
        let held = || HeldCell {
            fault: fault.clone(),
            ..HeldCell::default()
        };
        match kind {
            CellKind::Smoke => StoredCell::Smoke(SmokeCell {
                fault,
                ..SmokeCell::default()
            }),
            CellKind::Load => StoredCell::Load(held()),
            CellKind::Stress => StoredCell::Stress(held()),
            CellKind::Capacity => StoredCell::Capacity(Box::new(CapacityCell {
                fault,
                exit_code: 1,
                ..CapacityCell::default()
            })),
        }
    }

    /// Warms the target up with a row's test, where that was asked for; whether nobody interrupted it.
    ///
    /// # Errors
    /// The test cannot begin, or it ended the load.
    pub(super) fn warm_up(
        &self,
        context: &mut Context,
        source: &RowSource,
    ) -> Result<bool, Refusal> {
        let Some(setting) = self.warmup else {
            return Ok(true);
        };
        let test = source.prepare(context, self.known)?;
        let asked = Warming {
            setting,
            scenario: source.scenario.clone(),
            interrupts: self.interrupts.clone(),
        };
        warm_up(context, test, asked)
    }

    /// The test made ready: its run has the matrix's tag, and a note that says what it is.
    fn prepare(&self, context: &mut Context, asked: &AskedCell<'_>) -> Result<Steerable, Refusal> {
        let mut test = asked.source.prepare(context, self.known)?;
        test.options.arrivals = Some(self.spacing);
        if !test.recording.off {
            test.recording.tags.push(self.id.to_owned());
        }
        if let Some(keep) = &mut test.options.keep
            && keep.about.note.is_empty()
        {
            let kind = match asked.kind {
                CellKind::Smoke => "smoke",
                CellKind::Load => "load",
                CellKind::Stress => "stress",
                CellKind::Capacity => "capacity",
            };
            keep.about.note = format!("{}: {kind}", asked.row.name);
        }
        Ok(test)
    }

    fn smoke(
        &self,
        context: &mut Context,
        asked: &AskedCell<'_>,
        ready: Steerable,
    ) -> Result<Option<StoredCell>, Refusal> {
        let mut test = ready.test.without_thresholds();
        test.plan = match &asked.source.scenario {
            Some(name) => test.plan.once_alone(name, SMOKE_TIMEOUT),
            None => test.plan.once(SMOKE_TIMEOUT),
        };
        let handle = loadline_session::start(test, &ready.options)
            .map_err(|error| Refusal::session(&error, self.catalog))?;
        let mut is_interrupted = false;
        let outcome = loop {
            select! {
                recv(handle.events) -> event => match event {
                    Ok(SessionEvent::Finished(outcome)) => break Some(outcome),
                    Ok(_) => {}
                    Err(_) => break None,
                },
                recv(self.interrupts.receiver) -> _ => {
                    is_interrupted = true;
                    handle.control.stop(StopCause::Signal);
                }
            }
        };
        if is_interrupted {
            return Ok(None);
        }
        let Some(outcome) = outcome else {
            // Its panic is on stderr.
            return Ok(Some(StoredCell::Smoke(SmokeCell::default())));
        };
        recording::tag(context, &ready.recording, outcome.kept.as_ref())?;
        Ok(Some(StoredCell::Smoke(smoke_of(&outcome))))
    }

    fn settings(&self, asked: &AskedCell<'_>, test: &Steerable) -> SearchSettings {
        SearchSettings {
            most_users: self.most_users.unwrap_or(test.usual_users),
            scenario: asked.source.scenario.clone(),
            own_ceiling: test.test.plan.max_requests_per_second.map(|rps| rps as f64),
            ..SearchSettings::new(self.terms.to_vec())
        }
    }

    fn searched(
        &self,
        context: &mut Context,
        test: Steerable,
        settings: SearchSettings,
        goal: Option<Goal>,
    ) -> Result<Found, Refusal> {
        let asked = Asked {
            settings,
            goal,
            interrupts: self.interrupts.clone(),
            screen: None,
            is_part: true,
        };
        asked.run(context, test, self.catalog)
    }

    fn held(
        &self,
        context: &mut Context,
        asked: &AskedCell<'_>,
        test: Steerable,
    ) -> Result<Option<StoredCell>, Refusal> {
        let is_load = asked.kind == CellKind::Load;
        let known = asked.row.load.as_ref().and_then(|load| {
            Some(IdleTimes {
                iteration_ms: load.idle_iteration_ms?,
                request_ms: load.idle_request_ms?,
            })
        });
        let settings = self.settings(asked, &test).holding(HeldLoads {
            loads: asked.loads.to_vec(),
            seconds: if is_load {
                asked.times.load
            } else {
                asked.times.stress
            },
            idle: known,
        });
        let found = self.searched(context, test, settings, None)?;
        let answer = &found.answer;
        if answer.end == SearchEnd::Interrupted {
            return Ok(None);
        }
        let base = asked.base.unwrap_or(1.0);
        let levels = answer.steps.iter();
        let levels = levels.filter(|step| step.purpose == Purpose::Confirm);
        let is_seen = answer.baseline.request_ms > 0.0;
        let cell = HeldCell {
            levels: levels
                .map(|step| HeldLevel::new(step, base, self.terms))
                .collect(),
            of_capacity: asked.row.planned.is_none(),
            idle_iteration_ms: is_seen.then_some(answer.baseline.iteration_ms),
            idle_request_ms: is_seen.then_some(answer.baseline.request_ms),
            fault: self.why_nothing(answer),
            run: found.run,
        };
        Ok(Some(if is_load {
            StoredCell::Load(cell)
        } else {
            StoredCell::Stress(cell)
        }))
    }

    /// Why no load was held.
    fn why_nothing(&self, answer: &Answer) -> String {
        if answer.steps.iter().any(|s| s.purpose == Purpose::Confirm) {
            return String::new();
        }
        report::verdict(answer, self.catalog)
    }

    fn capacity(
        &self,
        context: &mut Context,
        asked: &AskedCell<'_>,
        test: Steerable,
    ) -> Result<Option<StoredCell>, Refusal> {
        let usual = self.settings(asked, &test);
        let highest = self.highest.unwrap_or(usual.highest);
        let settings = SearchSettings {
            unit: Unit::Rate,
            start_at: asked.loads.first().map(|load| load.min(highest)),
            highest,
            budget: asked.times.search,
            confirm: asked.times.confirm,
            soak: asked.times.soak,
            ..usual
        };
        let goal = asked.row.planned.map(Goal::Load);
        let found = self.searched(context, test, settings, goal)?;
        if found.answer.end == SearchEnd::Interrupted {
            return Ok(None);
        }
        let facts = CapacityFacts {
            goal: found.goal,
            limit: found.target.limit.clone(),
            target: found.target.setup.clone(),
        };
        let exit = report::exit(&found.answer, &facts);
        let none = serde_json::Value::Null;
        let file = CapacityFile::new(&found.answer, TestInFile::default(), none);
        let cell = CapacityCell {
            run: found.run,
            limit: found.target.limit,
            ..CapacityCell::new(&file, exit)
        };
        Ok(Some(StoredCell::Capacity(Box::new(cell))))
    }
}

fn smoke_of(outcome: &RunResult) -> SmokeCell {
    SmokeCell {
        fault: broken(outcome).unwrap_or_default(),
        run: outcome.kept.as_ref().map(|kept| kept.name.clone()),
        ..SmokeCell::new(&outcome.summary)
    }
}
