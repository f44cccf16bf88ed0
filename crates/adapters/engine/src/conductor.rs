//! The conductor gives users slots in scenarios and opens and closes scenarios on time.
//!
//! It runs on the first worker and knows all users by reference; workers carry out its
//! commands. One scenario's part is in [`scenario`]; the pool of free users and what
//! concerns all scenarios is here.

mod pool;
mod scenario;
mod slots;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use loadline_metrics::{Shard, TagSetId, builtin};
use loadline_units::{ScenarioId, Time};
use loadline_vu::DropReason;

use crate::command::{Command, Report};
use crate::shared::Shared;
use pool::Pool;
use scenario::ScenarioConductor;

/// Decides which users a scenario gets and which scenarios are open.
pub(crate) struct Conductor {
    shared: Arc<Shared>,
    scenarios: Vec<ScenarioConductor>,
    pool: Pool,
    begun: bool,
    over: bool,
    /// Held by hand. Also before the run begins, which then begins held.
    is_held: bool,
    /// Set when the run stops: iterations still running then are interrupted.
    cut_at: Option<Time>,
}

impl Conductor {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self {
            shared,
            scenarios: Vec::new(),
            pool: Pool::default(),
            begun: false,
            over: false,
            is_held: false,
            cut_at: None,
        }
    }

    /// Carries out a command addressed to the conductor.
    pub(crate) fn handle(&mut self, command: Command, now: Time) {
        match command {
            Command::Begin { at } => self.begin(at),
            Command::UserReady { user } => self.pool.free.push_back(user),
            Command::StartsEnded { scenario } => {
                self.scenarios[scenario.index()].starts_ended(&self.shared);
            }
            Command::ExtraAssigned { scenario } => {
                self.scenarios[scenario.index()].extra_assigned()
            }
            Command::Returned {
                user,
                scenario,
                slot,
            } => {
                self.pool.free.push_back(user);
                self.scenarios[scenario.index()].returned(slot);
            }
            Command::SetLevel { scenario, level } => {
                if let Some(conduct) = self.scenarios.get_mut(scenario.index()) {
                    conduct.set_level(level, now, &mut self.pool, &self.shared);
                }
            }
            Command::Hold => {
                self.is_held = true;
                self.shared.send_all(|| Command::Park);
                for conduct in &mut self.scenarios {
                    conduct.hold(now, &self.shared);
                }
            }
            Command::Resume => {
                self.is_held = false;
                self.shared.send_all(|| Command::Unpark);
                for conduct in &mut self.scenarios {
                    conduct.resume(now, &self.shared);
                }
            }
            _ => {} // addressed to the worker
        }
    }

    fn begin(&mut self, at: Time) {
        self.shared.run_state.start(at);
        self.begun = true;
        self.scenarios = (0_u16..)
            .zip(&self.shared.plan.scenarios)
            .map(|(index, scenario)| ScenarioConductor::new(ScenarioId(index), scenario, at))
            .collect();
        if self.is_held {
            for conduct in &mut self.scenarios {
                conduct.hold(at, &self.shared);
            }
        }
        if let Some(cut_at) = self.cut_at {
            self.stop(cut_at); // the stop came first
        }
        self.publish_end();
    }

    /// Tells the watchdog when the last iteration is interrupted at the latest.
    fn publish_end(&self) {
        let ends = self.scenarios.iter().map(ScenarioConductor::cut_at);
        self.shared.must_end_by(ends.max().unwrap_or(Time::MAX));
    }

    /// Carries out what is due at `now`.
    pub(crate) fn act(&mut self, now: Time, shard: &mut Shard) {
        if !self.begun || self.over {
            return;
        }
        for conduct in &mut self.scenarios {
            conduct.act(now, &mut self.pool, &self.shared);
            if let Some(never_begun) = conduct.take_never_begun(&self.shared) {
                let tags = scenario_tags(&self.shared, shard, conduct.id());
                shard.record(builtin::DROPPED_ITERATIONS, tags, never_begun as f64);
                let state = self.shared.run_state.scenario(conduct.id());
                state.drop_starts(DropReason::TimeOver, never_begun);
            }
        }
        if self.scenarios.iter().all(ScenarioConductor::is_over) {
            self.over = true;
            self.shared.report(Report::ScenariosOver);
        }
    }

    /// Stops the run: no iteration begins, and those running at `cut_at` are interrupted.
    pub(crate) fn stop(&mut self, cut_at: Time) {
        self.cut_at = Some(cut_at);
        for conduct in &mut self.scenarios {
            conduct.stop(cut_at);
        }
        if self.begun {
            self.publish_end();
        }
    }

    /// When [`Conductor::act`] has something to do next.
    pub(crate) fn next_due(&self) -> Option<Time> {
        if self.over {
            return None;
        }
        self.scenarios
            .iter()
            .filter_map(ScenarioConductor::next_due)
            .min()
    }

    /// Records how many users exist and how many are active, once a window; not while the
    /// first of them are still being made.
    pub(crate) fn sample_users(&self, shard: &mut Shard) {
        if !self.begun {
            return;
        }
        let run_state = &self.shared.run_state;
        let tags = run_tags(&self.shared, shard);
        let active = run_state.users_active.load(Ordering::Relaxed);
        let all = run_state.users.load(Ordering::Relaxed);
        shard.record(builtin::VUS, tags, active as f64);
        shard.record(builtin::VUS_MAX, tags, all as f64);
    }
}

/// The tags of every sample.
pub(crate) fn run_tags(shared: &Shared, shard: &mut Shard) -> TagSetId {
    shard.tags.extend(TagSetId::EMPTY, &shared.options.tags())
}

/// The tags of what the engine records of a scenario.
pub(crate) fn scenario_tags(shared: &Shared, shard: &mut Shard, id: ScenarioId) -> TagSetId {
    let base = run_tags(shared, shard);
    let scenario = shared.plan.scenario(id);
    let mut tags: Vec<(&str, &str)> = vec![("scenario", &scenario.name)];
    tags.extend(scenario.tags.iter().map(|(k, v)| (k.as_str(), v.as_str())));
    shard.tags.extend(base, &tags)
}
