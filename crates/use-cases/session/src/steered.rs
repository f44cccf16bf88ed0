//! Load made as an experiment asks, on any test.
//!
//! The test's scenarios are loaded in their own mix, all by one factor: what an iteration
//! does, its sleeps, set-up and teardown stay; stages and starting times are replaced. A
//! level of several scenarios counts all their iterations (or users) together. How many
//! iterations users in a loop make is only known once they run, so where a test has loops
//! and is to be loaded at a rate, the mix is worked out at the first, lowest level.

mod mix;
mod tap;
pub mod warming;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crossbeam_channel::{Receiver, never, select, unbounded};
use loadline_analysis::capacity::{IterationFaults, Unit};
use loadline_experiment::runner::{RunnerRequirements, Running};
use loadline_experiment::window::{Generator, LoadWindow};
use loadline_record::Limit;
use loadline_testplan::SteeredLoad;
use loadline_units::ScenarioId;
use loadline_vu::StopCause;

use crate::event::{Second, SessionEvent};
use crate::judge::RunNote;
use crate::outcome::RunResult;
use crate::run::{RunHandle, RunOptions, SessionError, start};
use crate::test::Test;
use mix::Mix;
use tap::{Tap, WindowSample};

/// Why a test cannot be steered.
#[derive(Debug, thiserror::Error)]
pub enum SteerError {
    /// The run cannot start.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// There is no scenario of this name.
    #[error("there is no scenario `{name}`; there are {known:?}")]
    NoScenario {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// The test has nothing to load.
    #[error("the test has no scenario that makes load")]
    Nothing,
}

/// Load under way, at no level yet.
pub struct SteeredRun {
    handle: RunHandle,
    unit: Unit,
    mix: Mix,
    seen: Receiver<WindowSample>,
    /// The level asked for before there was any load to change.
    pending: Option<f64>,
    before: Counters,
    /// Ends the waiting for the next window.
    interrupts: Receiver<()>,
    interrupted: bool,
    stopped: bool,
    began: Option<u64>,
    outcome: Option<Box<RunResult>>,
}

/// The run state's counters at the end of a window.
#[derive(Debug, Clone, Copy, Default)]
struct Counters {
    begun: u64,
    dropped: u64,
    asked_to_wait: u64,
    /// Iterations that threw, and virtual users that gave up.
    broken: u64,
    redirects: u64,
    files_lacked: u64,
    ports_lacked: u64,
}

/// Starts `test` without load, to be steered. A message over `interrupts` ends the waiting
/// for windows.
///
/// # Errors
/// [`SteerError`]; nothing was sent.
pub fn steer(
    mut test: Test,
    plan: &RunnerRequirements,
    options: &RunOptions,
    interrupts: Option<Receiver<()>>,
) -> Result<SteeredRun, SteerError> {
    let mix = Mix::new(&test.plan, plan.scenario.as_deref())?;
    let load = match plan.unit {
        Unit::Rate => SteeredLoad::Starts {
            most_users: plan.most_users,
        },
        Unit::Users => SteeredLoad::Users,
    };
    test.plan = test
        .plan
        .steered(Duration::from_secs_f64(plan.longest), load);
    test = test.without_thresholds();
    let (sender, seen) = unbounded();
    test.follower = Some(Arc::new(Tap::new(
        plan.terms.clone(),
        test.plan.scenarios.iter().map(|s| s.name.clone()).collect(),
        sender,
    )));
    let handle = start(test, options)?;
    Ok(SteeredRun {
        handle,
        unit: plan.unit,
        mix,
        seen,
        pending: None,
        before: Counters::default(),
        interrupts: interrupts.unwrap_or_else(never),
        interrupted: false,
        stopped: false,
        began: None,
        outcome: None,
    })
}

impl SteeredRun {
    /// Keeps something with the run.
    pub fn note(&self, kind: &'static str, detail: serde_json::Value) {
        // A run that is over keeps nothing more.
        let _ = self.handle.notes.send(RunNote::SessionEvent(kind, detail));
    }

    /// Keeps what the run came to, in a word.
    pub fn note_verdict(&self, word: &'static str) {
        let _ = self.handle.notes.send(RunNote::Verdict(word));
    }

    /// Whether a message over `interrupts` came.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.interrupted
    }

    /// Ends the load at once and waits for what the run came to: teardown, its record.
    /// `None` when its thread died.
    pub fn finish(mut self) -> Option<Box<RunResult>> {
        self.stop();
        while self.outcome.is_none() {
            match self.handle.events.recv() {
                Ok(event) => self.on_event(event),
                Err(_) => return None,
            };
        }
        self.outcome
    }

    fn on_event(&mut self, event: SessionEvent) -> Option<Second> {
        match event {
            SessionEvent::Second(second) => return Some(*second),
            SessionEvent::Finished(outcome) => self.outcome = Some(outcome),
            _ => {}
        }
        None
    }

    fn counters(&self) -> Counters {
        let run_state = &self.handle.run_state;
        let sum =
            |of: fn(&loadline_vu::ScenarioState) -> u64| run_state.scenarios().iter().map(of).sum();
        Counters {
            begun: sum(|s| s.begun.load(Ordering::Relaxed)),
            dropped: sum(|s| s.dropped.load(Ordering::Relaxed)),
            asked_to_wait: run_state.asked_to_wait.load(Ordering::Relaxed),
            broken: run_state.exceptions.load(Ordering::Relaxed)
                + run_state.failed_users.load(Ordering::Relaxed),
            redirects: run_state.redirects.load(Ordering::Relaxed),
            files_lacked: run_state.files_lacked.load(Ordering::Relaxed),
            ports_lacked: run_state.ports_lacked.load(Ordering::Relaxed),
        }
    }

    /// What an experiment sees of a second.
    fn window(&mut self, second: &Second) -> Option<LoadWindow> {
        // The tap saw the window before its event was sent.
        let mut seen = self.seen.try_recv().ok()?;
        while seen.window < second.window {
            seen = self.seen.try_recv().ok()?;
        }
        // Windows of set-up and of the making of users come before any load.
        self.handle.run_state.started()?;
        let Some(first) = self.began else {
            // Scenarios take levels once they are open; the first window is not whole.
            self.began = Some(second.window + 1);
            self.before = self.counters();
            if let Some(level) = self.pending.take() {
                self.set_level(level);
            }
            return None;
        };
        let now = self.counters();
        let before = std::mem::replace(&mut self.before, now);
        self.mix.learn(&seen.by_scenario);
        let running = self.handle.run_state.scenarios().iter();
        let in_flight: u64 = match self.unit {
            Unit::Rate => running.map(|s| s.running.load(Ordering::Relaxed)).sum(),
            Unit::Users => running.map(|s| s.users.load(Ordering::Relaxed)).sum(),
        };
        let started = match self.unit {
            Unit::Rate => seen.lag.count(),
            Unit::Users => now.begun - before.begun,
        };
        let lacks = if now.files_lacked > before.files_lacked {
            Some(Limit::OpenFiles)
        } else if now.ports_lacked > before.ports_lacked {
            Some(Limit::Ports)
        } else {
            None
        };
        Some(LoadWindow {
            end: (second.window + 1 - first) as f64,
            span: 1.0,
            started: started as f64,
            ended: second.iterations,
            dropped: (now.dropped - before.dropped) as f64,
            in_flight: in_flight as f64,
            requests: second.requests.max(seen.requests),
            failed: seen.failed.max(second.failed as f64),
            refused: seen.refused,
            asked_to_wait: (now.asked_to_wait - before.asked_to_wait) as f64,
            faults: IterationFaults {
                checks: seen.checks,
                failed_checks: seen.failed_checks,
                iterations: second.iterations,
                broken: (now.broken - before.broken) as f64,
                redirects: (now.redirects - before.redirects) as f64,
            },
            durations: seen.durations,
            iterations: seen.iterations,
            samples: seen.samples,
            generator: Generator {
                lag: seen.lag,
                read_lag: seen.read_lag,
                cpu: second.generator.map(|generator| generator.cpu),
                throttled: second
                    .generator
                    .map_or(0.0, |generator| generator.throttled),
                stalled: second.stalled.as_secs_f64(),
                lacks,
            },
            target_cpu: None,
        })
    }
}

impl Running for SteeredRun {
    fn set_level(&mut self, level: f64) {
        if self.began.is_none() {
            self.pending = Some(level);
            return;
        }
        if level > 0.0 {
            self.mix.settle(level);
        }
        // A run that is over keeps nothing more.
        let note = RunNote::load_changed("search", "level", Some(level));
        let _ = self.handle.notes.send(note);
        let levels = self.mix.levels(level, self.unit);
        for (index, level) in (0_u16..).zip(levels) {
            self.handle.control.set_level(ScenarioId(index), level);
        }
    }

    fn next_window(&mut self) -> Option<LoadWindow> {
        while !self.interrupted && self.outcome.is_none() {
            let event = select! {
                recv(self.handle.events) -> event => event.ok()?,
                recv(self.interrupts) -> _ => {
                    self.interrupted = true;
                    return None;
                }
            };
            let Some(second) = self.on_event(event) else {
                continue;
            };
            if let Some(window) = self.window(&second) {
                return Some(window);
            }
        }
        None
    }

    fn stop(&mut self) {
        if !self.stopped {
            self.stopped = true;
            self.handle.control.stop(StopCause::Signal);
        }
    }
}
