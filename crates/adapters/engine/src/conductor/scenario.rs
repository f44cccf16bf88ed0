//! The conductor's part of one scenario: when it opens, how many users it has, when it ends.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use loadline_testplan::{Arrivals, Scenario, VuStep};
use loadline_units::{Rate, ScenarioId, Time};

use super::pool::Pool;
use super::slots::{SlotChange, Slots};
use crate::command::{Command, Level, SlotNumber};
use crate::drive;
use crate::shared::Shared;

/// Open-model lanes are opened this long before their first start, so that no start
/// waits for the command that opens the lane.
const LANE_LEAD_TIME: Duration = Duration::from_millis(20);
/// Other workers' reports about users made for arrivals may come this long after the end.
const LATE_REPORTS_TIMEOUT: Duration = Duration::from_millis(100);
/// A new rate takes effect this long after the request, so that every worker has it
/// before then.
const RATE_CHANGE_DELAY: Duration = Duration::from_millis(20);

/// The scenario's phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Waiting,
    Running,
    /// No iteration begins.
    Ending {
        cut: bool,
    },
    Over,
}

pub(super) struct ScenarioConductor {
    id: ScenarioId,
    phase: Phase,
    open_model: bool,
    from: Time,
    /// When its last iteration may begin (its regular end).
    until: Time,
    /// When iterations still running are interrupted.
    cut_at: Time,
    /// The scenario does not end before this: users may still be on the way to their slots.
    settled_at: Time,
    /// Targets still to come, earliest first.
    steps: VecDeque<(Time, u64)>,
    /// The highest number of users that may still run an iteration, and from when.
    limits: VecDeque<(Time, u64)>,
    slots: Slots,
    /// Workers that may still hand over starts after the end.
    starting: usize,
    /// The plan's fixed number of iterations, if it has one.
    promised: Option<u64>,
    stopped: bool,
    held: bool,
    /// The level set by hand, absolute or as a multiple of the plan's.
    level: Option<Level>,
    /// The target of the plan's last step.
    planned: u64,
    /// A slot within the target is empty: look at the pool again.
    has_empty_slot: bool,
}

impl ScenarioConductor {
    pub(super) fn new(id: ScenarioId, scenario: &Scenario, began: Time) -> Self {
        let from = began + scenario.start_time;
        let until = from + scenario.executor.duration();
        let on_the_clock = |steps: Vec<VuStep>| {
            let steps = steps.into_iter();
            steps.map(|step| (from + step.at, step.vus)).collect()
        };
        Self {
            id,
            phase: Phase::Waiting,
            open_model: drive::is_open_model(&scenario.executor),
            from,
            until,
            cut_at: until + scenario.graceful_stop,
            settled_at: if drive::makes_users_as_they_come(&scenario.executor) {
                until + LATE_REPORTS_TIMEOUT
            } else {
                Time::ZERO
            },
            steps: on_the_clock(drive::targets(&scenario.executor)),
            limits: on_the_clock(drive::limits(&scenario.executor, scenario.graceful_stop)),
            slots: Slots::default(),
            starting: 0,
            promised: drive::promised_iterations(&scenario.executor),
            stopped: false,
            held: false,
            level: None,
            planned: 0,
            has_empty_slot: false,
        }
    }

    pub(super) fn id(&self) -> ScenarioId {
        self.id
    }

    /// When its iterations are interrupted at the latest.
    pub(super) fn cut_at(&self) -> Time {
        self.cut_at
    }

    pub(super) fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    pub(super) fn extra_assigned(&mut self) {
        self.slots.extra_assigned();
    }

    pub(super) fn returned(&mut self, slot: SlotNumber) {
        if self.slots.returned(slot) && self.phase == Phase::Running {
            // It gave its slot back before it was told to keep it; the slot must be filled.
            self.has_empty_slot = true;
        }
    }

    pub(super) fn act(&mut self, now: Time, pool: &mut Pool, shared: &Shared) {
        if self.phase == Phase::Waiting && now >= self.opens_at() {
            self.open(shared);
        }
        if self.phase == Phase::Running {
            self.follow_steps(now, pool, shared);
            self.keep_limits(now, shared);
            if now >= self.until || self.is_exhausted() {
                self.end(shared);
            }
        }
        if let Phase::Ending { cut } = self.phase {
            self.keep_limits(now, shared);
            if !cut && now >= self.cut_at {
                self.phase = Phase::Ending { cut: true };
                let scenario = self.id;
                shared.send_all(|| Command::CutLane { scenario });
            }
            if self.settling().is_some_and(|at| now >= at) {
                self.phase = Phase::Over;
                shared.run_state.scenario(self.id).finish();
            }
        }
    }

    /// Lets no further iteration begin. In an open model, starts end first on every worker;
    /// idle users return to the pool after that, because a start planned for the very end
    /// may need a user of another worker.
    fn end(&mut self, shared: &Shared) {
        self.phase = Phase::Ending { cut: false };
        let scenario = self.id;
        if self.open_model {
            self.starting = shared.options.workers;
            shared.send_all(|| Command::EndStarts { scenario });
        } else {
            shared.send_all(|| Command::CloseLane { scenario });
        }
    }

    /// Notes that one more worker hands over no further starts.
    pub(super) fn starts_ended(&mut self, shared: &Shared) {
        self.starting = self.starting.saturating_sub(1);
        if self.starting == 0 {
            let scenario = self.id;
            shared.send_all(|| Command::CloseLane { scenario });
        }
    }

    fn opens_at(&self) -> Time {
        if self.open_model {
            self.from - LANE_LEAD_TIME
        } else {
            self.from
        }
    }

    fn open(&mut self, shared: &Shared) {
        self.phase = Phase::Running;
        shared.run_state.scenario(self.id).start(self.from);
        let (scenario, from, until) = (self.id, self.from, self.until);
        shared.send_all(|| Command::OpenLane {
            scenario,
            from,
            until,
        });
        if self.held || self.level.is_some() {
            // Set by hand before there was a lane to reshape.
            self.reshape(self.from - RATE_CHANGE_DELAY, shared);
        }
    }

    /// Scenarios with a fixed number of iterations end when all their users have returned.
    fn is_exhausted(&self) -> bool {
        self.promised.is_some() && self.slots.target() > 0 && self.slots.assigned() == 0
    }

    fn follow_steps(&mut self, now: Time, pool: &mut Pool, shared: &Shared) {
        while let Some(&(at, planned)) = self.steps.front() {
            let due = if self.open_model { self.opens_at() } else { at };
            if due > now {
                return;
            }
            self.steps.pop_front();
            self.planned = planned;
            self.set_target(self.target_at_level(planned), pool, shared);
        }
        if self.has_empty_slot && !pool.free.is_empty() {
            self.set_target(self.slots.target(), pool, shared);
        }
    }

    /// The plan's target, changed by a level set by hand.
    fn target_at_level(&self, planned: u64) -> u64 {
        match self.level {
            None => planned,
            Some(Level::Absolute(users)) => whole(users),
            Some(Level::Scaled(factor)) => whole(planned as f64 * factor),
        }
    }

    fn set_target(&mut self, target: u64, pool: &mut Pool, shared: &Shared) {
        for step in self.slots.set_target(target, pool.free.len()) {
            match step {
                SlotChange::Assign(slot) => self.fill(slot, pool, shared),
                SlotChange::Keep(user) => {
                    shared.send(user.worker, Command::KeepSlot { index: user.index })
                }
                SlotChange::Release(user) => {
                    shared.send(user.worker, Command::ReleaseSlot { index: user.index });
                }
            }
        }
        // The next user that returns or is made gets a slot that none was free for.
        self.has_empty_slot = self.slots.has_empty();
    }

    /// Assigns a free user to a slot.
    fn fill(&mut self, slot: SlotNumber, pool: &mut Pool, shared: &Shared) {
        let Some(user) = pool.take() else {
            return; // no more slots are to be filled than users are free
        };
        self.slots.fill(slot, user);
        let scenario = self.id;
        shared.send(
            user.worker,
            Command::AssignSlot {
                index: user.index,
                scenario,
                slot,
            },
        );
    }

    /// Interrupts users whose time to finish is over.
    fn keep_limits(&mut self, now: Time, shared: &Shared) {
        while let Some(&(at, limit)) = self.limits.front() {
            if at > now {
                return;
            }
            self.limits.pop_front();
            for user in self.slots.releasing_from(limit) {
                shared.send(user.worker, Command::Cut { index: user.index });
            }
        }
    }

    /// Stops the scenario: no iteration begins, and those running at `cut_at` are interrupted.
    pub(super) fn stop(&mut self, cut_at: Time) {
        self.stopped = true;
        self.cut_at = self.cut_at.min(cut_at);
        self.settled_at = self.settled_at.min(cut_at + LATE_REPORTS_TIMEOUT);
        match self.phase {
            Phase::Waiting => self.phase = Phase::Over,
            Phase::Running => self.phase = Phase::Ending { cut: false },
            Phase::Ending { .. } | Phase::Over => {}
        }
    }

    /// How many planned iterations never began; returned once, when the scenario ended
    /// by itself.
    pub(super) fn take_never_begun(&mut self, shared: &Shared) -> Option<u64> {
        if self.phase != Phase::Over || self.stopped {
            return None;
        }
        let promised = self.promised.take()?;
        let begun = shared
            .run_state
            .scenario(self.id)
            .begun
            .load(Ordering::Acquire);
        promised.checked_sub(begun).filter(|missing| *missing > 0)
    }

    /// Sets the level by hand and makes the users that the plan does not have.
    pub(super) fn set_level(&mut self, level: Level, now: Time, pool: &mut Pool, shared: &Shared) {
        self.level = Some(level);
        if self.open_model {
            self.reshape(now, shared);
        } else {
            let target = self.target_at_level(self.planned);
            let there = self.slots.assigned() + pool.free.len() as u64;
            for _ in there..target {
                let (id, worker) = shared.number_user();
                shared.send(worker, Command::MakeUsers { ids: vec![id] });
            }
            self.set_target(target, pool, shared);
        }
    }

    /// Begins nothing until resumed.
    pub(super) fn hold(&mut self, now: Time, shared: &Shared) {
        self.held = true;
        self.reshape(now, shared);
    }

    /// Continues with the plan at the point it would have reached without the hold.
    pub(super) fn resume(&mut self, now: Time, shared: &Shared) {
        self.held = false;
        self.reshape(now, shared);
    }

    /// When the scenario may end at the earliest, once it has no users. A worker reports the
    /// users it made before it reports its last start.
    fn settling(&self) -> Option<Time> {
        (self.starting == 0 && self.slots.assigned() == 0).then_some(self.settled_at)
    }

    /// Sends all workers the starts that apply from now on, for open-model scenarios.
    fn reshape(&self, now: Time, shared: &Shared) {
        let Some(planned) = shared.plan.scenario(self.id).executor.arrivals() else {
            return;
        };
        let at = (now + RATE_CHANGE_DELAY).since(self.from);
        let Some(left) = self.until.since(self.from).checked_sub(at) else {
            return; // the scenario ends before the change could take effect
        };
        let (shape, shape_from) = match self.level {
            _ if self.held => (Ok(Arrivals::pause(left)), Duration::ZERO),
            None => (Ok(planned.clone()), at),
            Some(Level::Scaled(factor)) => {
                let (milli, whole) = thousandths(factor);
                (planned.scaled(milli, whole), at)
            }
            Some(Level::Absolute(per_second)) => {
                let (milli, per) = thousandths(per_second);
                let rate = Rate::new(milli, Duration::from_secs(per));
                let rate = rate.expect("the time unit is 1,000 s");
                (Arrivals::constant(rate, left), Duration::ZERO)
            }
        };
        let Ok(shape) = shape else {
            return; // more than 10^15 starts a second
        };
        let (scenario, shape) = (self.id, Arc::new(shape));
        shared.send_all(|| Command::Reshape {
            scenario,
            at,
            shape: shape.clone(),
            shape_from,
        });
    }

    pub(super) fn next_due(&self) -> Option<Time> {
        let cut = self.limits.front().map(|(at, _)| *at);
        match self.phase {
            Phase::Waiting => Some(self.opens_at()),
            Phase::Running => {
                let step = self.steps.front().map(|(at, _)| *at);
                [Some(self.until), step, cut].into_iter().flatten().min()
            }
            Phase::Ending { cut: false } => [Some(self.cut_at), cut, self.settling()]
                .into_iter()
                .flatten()
                .min(),
            Phase::Ending { cut: true } => self.settling(),
            Phase::Over => None,
        }
    }
}

/// A level as a fraction over 1,000.
fn thousandths(level: f64) -> (u64, u64) {
    (whole(level * 1000.0), 1000)
}

/// A whole number from a level: rounded, never negative.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the range before"
)]
fn whole(users: f64) -> u64 {
    users.round().clamp(0.0, 1e15) as u64
}
