//! One scenario as the conductor sees it: when it opens, who sits, when it ends.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use loadline_testplan::{Arrivals, Scenario, VuStep};
use loadline_units::{Rate, ScenarioId, Time};

use super::Pool;
use super::seats::{Move, Seats};
use crate::command::{Command, Level, SeatNumber};
use crate::drive;
use crate::shared::Shared;

/// Open-model lanes are opened this long before their first start, so that no start
/// waits for a letter.
const HEAD_START: Duration = Duration::from_millis(20);
/// Users made by other workers as they come are known of this long after the end.
const SETTLING: Duration = Duration::from_millis(100);
/// A change of rate takes effect this long after it was asked for, so that every
/// worker knows of it before.
const NOTICE: Duration = Duration::from_millis(20);

/// Where a scenario stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Waiting,
    Running,
    /// No iteration begins any more.
    Ending {
        cut: bool,
    },
    Over,
}

pub(super) struct Conduct {
    id: ScenarioId,
    phase: Phase,
    open_model: bool,
    from: Time,
    /// When its last iteration may begin (its regular end).
    until: Time,
    /// When what still runs is cut.
    cut_at: Time,
    /// No end before this: until then somebody may still be on the way to its seat.
    settled_at: Time,
    /// Targets to come, earliest first.
    steps: VecDeque<(Time, u64)>,
    /// Most users that may still be running an iteration, from when on.
    limits: VecDeque<(Time, u64)>,
    seats: Seats,
    /// Workers that may still hand over starts although the end has come.
    starting: usize,
    /// Iterations the plan promises, where it promises a number.
    promised: Option<u64>,
    stopped: bool,
    held: bool,
    /// The plan's level times this, or this level, once set by hand.
    level: Option<Level>,
    /// What the plan's last step asked for.
    planned: u64,
    /// A seat of the target is empty: look at the pool again.
    short: bool,
}

impl Conduct {
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
                until + SETTLING
            } else {
                Time::ZERO
            },
            steps: on_the_clock(drive::targets(&scenario.executor)),
            limits: on_the_clock(drive::limits(&scenario.executor, scenario.graceful_stop)),
            seats: Seats::default(),
            starting: 0,
            promised: drive::promised_iterations(&scenario.executor),
            stopped: false,
            held: false,
            level: None,
            planned: 0,
            short: false,
        }
    }

    pub(super) fn id(&self) -> ScenarioId {
        self.id
    }

    pub(super) fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    pub(super) fn extra_seated(&mut self) {
        self.seats.extra_seated();
    }

    pub(super) fn returned(&mut self, seat: SeatNumber) {
        if self.seats.returned(seat) && self.phase == Phase::Running {
            // It left although it was told to stay: the target stands.
            self.short = true;
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
                shared.board.scenario(self.id).finish();
            }
        }
    }

    /// Lets no iteration begin any more. Of an open model the starts end first, on every
    /// worker, and only then do the idle users come back: a start planned for the very end
    /// may need one of another worker.
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

    /// One more worker hands over no start any more.
    pub(super) fn starts_ended(&mut self, shared: &Shared) {
        self.starting = self.starting.saturating_sub(1);
        if self.starting == 0 {
            let scenario = self.id;
            shared.send_all(|| Command::CloseLane { scenario });
        }
    }

    fn opens_at(&self) -> Time {
        if self.open_model {
            self.from - HEAD_START
        } else {
            self.from
        }
    }

    fn open(&mut self, shared: &Shared) {
        self.phase = Phase::Running;
        shared.board.scenario(self.id).start(self.from);
        let (scenario, from, until) = (self.id, self.from, self.until);
        shared.send_all(|| Command::OpenLane {
            scenario,
            from,
            until,
        });
    }

    /// Iteration-bound scenarios end when all their users are back.
    fn is_exhausted(&self) -> bool {
        self.promised.is_some() && self.seats.target() > 0 && self.seats.seated() == 0
    }

    fn follow_steps(&mut self, now: Time, pool: &mut Pool, shared: &Shared) {
        while let Some(&(at, planned)) = self.steps.front() {
            let due = if self.open_model { self.opens_at() } else { at };
            if due > now {
                return;
            }
            self.steps.pop_front();
            self.planned = planned;
            self.aim(self.leveled(planned), pool, shared);
        }
        if self.short && !pool.free.is_empty() {
            self.aim(self.seats.target(), pool, shared);
        }
    }

    /// What the plan's target becomes under a level set by hand.
    fn leveled(&self, planned: u64) -> u64 {
        match self.level {
            None => planned,
            Some(Level::Absolute(users)) => whole(users),
            Some(Level::Scaled(factor)) => whole(planned as f64 * factor),
        }
    }

    fn aim(&mut self, target: u64, pool: &mut Pool, shared: &Shared) {
        self.short = false;
        for step in self.seats.aim(target) {
            match step {
                Move::Fill(seat) => self.fill(seat, pool, shared),
                Move::Keep(user) => shared.send(user.worker, Command::Keep { slot: user.slot }),
                Move::Unseat(user) => {
                    shared.send(user.worker, Command::Unseat { slot: user.slot });
                }
            }
        }
    }

    /// Seats a free user. Without one, a user still on its way back, or one being made,
    /// fills the seat as soon as it is there.
    fn fill(&mut self, seat: SeatNumber, pool: &mut Pool, shared: &Shared) {
        let Some(user) = pool.take() else {
            self.short = true;
            return;
        };
        self.seats.fill(seat, user);
        let scenario = self.id;
        shared.send(
            user.worker,
            Command::Seat {
                slot: user.slot,
                scenario,
                seat,
            },
        );
    }

    /// Cuts users that had their time to leave.
    fn keep_limits(&mut self, now: Time, shared: &Shared) {
        while let Some(&(at, limit)) = self.limits.front() {
            if at > now {
                return;
            }
            self.limits.pop_front();
            for user in self.seats.leaving_from(limit) {
                shared.send(user.worker, Command::Cut { slot: user.slot });
            }
        }
    }

    /// No iteration begins any more; what still runs at `cut_at` is cut.
    pub(super) fn stop(&mut self, cut_at: Time) {
        self.stopped = true;
        self.cut_at = self.cut_at.min(cut_at);
        self.settled_at = self.settled_at.min(cut_at + SETTLING);
        match self.phase {
            Phase::Waiting => self.phase = Phase::Over,
            Phase::Running => self.phase = Phase::Ending { cut: false },
            Phase::Ending { .. } | Phase::Over => {}
        }
    }

    /// Iterations the plan promised and never began, told once, when the scenario ended
    /// by itself.
    pub(super) fn take_never_begun(&mut self, shared: &Shared) -> Option<u64> {
        if self.phase != Phase::Over || self.stopped {
            return None;
        }
        let promised = self.promised.take()?;
        let begun = shared.board.scenario(self.id).begun.load(Ordering::Acquire);
        promised.checked_sub(begun).filter(|missing| *missing > 0)
    }

    /// Sets the level by hand, making users the plan did not foresee.
    pub(super) fn set_level(&mut self, level: Level, now: Time, pool: &mut Pool, shared: &Shared) {
        self.level = Some(level);
        if self.open_model {
            self.reshape(now, shared);
        } else {
            let target = self.leveled(self.planned);
            let there = self.seats.seated() + pool.free.len() as u64;
            for _ in there..target {
                let (id, worker) = shared.number_user();
                shared.send(worker, Command::MakeUsers { ids: vec![id] });
            }
            self.aim(target, pool, shared);
        }
    }

    /// Starts nothing until resumed.
    pub(super) fn hold(&mut self, now: Time, shared: &Shared) {
        self.held = true;
        self.reshape(now, shared);
    }

    /// Goes on with the plan where it would stand without the hold.
    pub(super) fn resume(&mut self, now: Time, shared: &Shared) {
        self.held = false;
        self.reshape(now, shared);
    }

    /// When the scenario may be over at the earliest, while nobody is seated. A worker tells
    /// of the users it made before it tells of its last start.
    fn settling(&self) -> Option<Time> {
        (self.starting == 0 && self.seats.seated() == 0).then_some(self.settled_at)
    }

    /// Tells all workers the starts that hold from now on, for open-model scenarios.
    fn reshape(&self, now: Time, shared: &Shared) {
        let Some(planned) = shared.plan.scenario(self.id).executor.arrivals() else {
            return;
        };
        let at = (now + NOTICE).since(self.from);
        let Some(left) = self.until.since(self.from).checked_sub(at) else {
            return; // it ends before the change could take effect
        };
        let (shape, shape_from) = match self.level {
            _ if self.held => (Ok(Arrivals::pause(left)), Duration::ZERO),
            None => (Ok(planned.clone()), at),
            Some(Level::Scaled(factor)) => (planned.scaled(thousandths(factor)), at),
            Some(Level::Absolute(per_second)) => {
                let (milli, per) = thousandths(per_second);
                let rate = Rate::new(milli, Duration::from_secs(per));
                let rate = rate.expect("the time unit is 1,000 s");
                (Arrivals::constant(rate, left), Duration::ZERO)
            }
        };
        let Ok(shape) = shape else {
            return; // a rate beyond 10^15 a second: nobody means it
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
