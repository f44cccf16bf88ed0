//! Plays a case: every request goes its steps, waits for places, and is answered, refused, cut or
//! lost. What is counted on the way is what sources look at.

mod answers;
mod clockwork;
mod counters;
mod cpu;
mod service;

use std::collections::VecDeque;

use crate::dice::Dice;
use crate::parts::{Bystander, STATIONS, Station};
use crate::plan::{Action, Load, Plan, Spent, Step};

pub(crate) use counters::{Calls, Counters, Look, Sums};

use clockwork::{Clockwork, Event};
use cpu::Cpu;

/// What one request was to its caller.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    pub(crate) sent_ms: f64,
    pub(crate) took_ms: f64,
    /// 0: none.
    pub(crate) status: u16,
    /// Cut when the load ended.
    pub(crate) is_cut: bool,
    /// Nobody listened.
    pub(crate) is_refused: bool,
    pub(crate) receiving_ms: f64,
}

/// What a simulation gave.
#[derive(Debug, Default)]
pub(crate) struct Played {
    pub(crate) outcomes: Vec<Outcome>,
    /// When starts were that found no user, ms.
    pub(crate) dropped: Vec<f64>,
    /// When starts were planned, dropped ones included, ms.
    pub(crate) planned: Vec<f64>,
    /// Looks of the kernel, of databases and of traces: at the second.
    pub(crate) looks: Vec<Look>,
    /// Looks of the page, which may come late; of failed ones the time only.
    pub(crate) pages: Vec<Look>,
    pub(crate) failed_pages: Vec<f64>,
    /// When the process died, ms.
    pub(crate) died_ms: Option<f64>,
    /// Share of time in which each station was full over the last third of the load.
    pub(crate) full: [f64; STATIONS],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Own,
    Other,
    Health,
    Page,
}

#[derive(Debug, Clone)]
struct Request {
    origin: Origin,
    program: usize,
    step: usize,
    /// Grows each time its place in the table is used anew.
    life: u32,
    is_alive: bool,
    sent: f64,
    step_began: f64,
    service_began: f64,
    entered: f64,
    spent: [f64; 5],
    held_outside: f64,
    held: u16,
    status: u16,
    is_slow: bool,
    /// Its caller has gone.
    is_left: bool,
    /// Stops of the processor that its work has seen.
    stops_seen: f64,
    waits_for: Option<Station>,
    line_ms: f64,
    /// Since when it holds a connection.
    connected: f64,
}

#[derive(Debug, Default, Clone)]
struct Queue {
    busy: usize,
    waiting: VecDeque<usize>,
    full_since: Option<f64>,
}

struct Simulation<'a> {
    plan: &'a Plan,
    dice: Dice,
    now: f64,
    clockwork: Clockwork,
    requests: Vec<Request>,
    free: Vec<usize>,
    queues: [Queue; STATIONS],
    cpu: Cpu,
    counters: Counters,
    played: Played,
    users: usize,
    tokens: f64,
    tokens_at: f64,
    is_dead: bool,
    page_out: bool,
    page_asked: f64,
    recent: counters::Recent,
    scrape: Vec<Step>,
    health: Vec<Step>,
}

/// How long a page is waited for.
const PAGE_TIMEOUT_MS: f64 = 3_000.0;
/// What is still looked at after the load.
const AFTER_MS: f64 = 3_000.0;
const MS_PER_S: f64 = 1_000.0;

/// Plays a case to its end.
pub(crate) fn play(plan: &Plan) -> Played {
    let mut simulation = Simulation::new(plan);
    simulation.begin();
    let over = simulation.end() + AFTER_MS;
    while let Some((at, event)) = simulation.clockwork.next() {
        if at > over {
            break;
        }
        simulation.now = at;
        simulation.handle(event);
    }
    simulation.played
}

fn own_step(action: Action) -> Step {
    Step {
        action,
        spent: Spent::Own,
        calls: 0.0,
        slow_only: false,
    }
}

impl<'a> Simulation<'a> {
    fn new(plan: &'a Plan) -> Self {
        let place = if plan.stack.is_loop() {
            Station::Loop
        } else {
            Station::Cpu
        };
        let work = |ms| own_step(Action::Work(place, ms));
        let take = own_step(Action::Take(Station::Workers));
        let give = own_step(Action::Give(Station::Workers));
        let (enter, leave) = (own_step(Action::Enter), own_step(Action::Leave));
        Self {
            plan,
            dice: Dice::new(plan.seed ^ 0x51),
            now: 0.0,
            clockwork: Clockwork::default(),
            requests: Vec::new(),
            free: Vec::new(),
            queues: Default::default(),
            cpu: Cpu::new(plan.machine),
            counters: Counters::new(plan),
            played: Played::default(),
            users: 0,
            tokens: 1.0,
            tokens_at: 0.0,
            is_dead: false,
            page_out: false,
            page_asked: 0.0,
            recent: counters::Recent::default(),
            scrape: vec![take, work(2.5), enter, leave, give],
            health: vec![take, work(0.2), enter, work(0.3), leave, give],
        }
    }

    fn end(&self) -> f64 {
        self.plan.begins_ms + self.plan.seconds * MS_PER_S
    }

    fn begin(&mut self) {
        let plan = self.plan;
        match plan.load {
            Load::Open { .. } => self.clockwork.add(plan.begins_ms, Event::Start),
            Load::Closed { users, shape, .. } => {
                for user in 0..users {
                    let share = (user as f64 + 1.0) / users as f64;
                    let mut at = 0.0;
                    while at < 1.0 && shape.share(at) + 1e-9 < share {
                        at += 0.01;
                    }
                    let at = plan.begins_ms + at * plan.seconds * MS_PER_S;
                    self.clockwork
                        .add(at + self.dice.between(0.0, 50.0), Event::User);
                }
            }
        }
        let first = if plan.looks_early {
            20.0
        } else {
            1_000.0 * (1.0 + (plan.begins_ms / MS_PER_S).floor()) + 5.0
        };
        self.clockwork.add(first, Event::Look);
        if plan.other_rate > 0.0 {
            self.clockwork.add(0.0, Event::Other);
        }
        if plan.has(Bystander::HealthChecks) {
            self.clockwork
                .add(self.dice.between(0.0, 1_000.0), Event::Health);
        }
        if plan.machine.block_ms > 0.0 {
            self.clockwork
                .add(self.dice.between(0.0, 1_000.0), Event::Block);
        }
        self.clockwork.add(self.end(), Event::End);
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Start => self.start_planned(),
            Event::User => self.start(Origin::Own),
            Event::Other => {
                self.start(Origin::Other);
                let gap = MS_PER_S / self.plan.other_rate;
                self.clockwork
                    .add(self.now + gap * self.dice.between(0.5, 1.5), Event::Other);
            }
            Event::Health => {
                self.start(Origin::Health);
                self.clockwork.add(self.now + 1_000.0, Event::Health);
            }
            Event::Block => {
                self.cpu.stop(self.now, self.plan.machine.block_ms);
                self.counters.cpu += self.plan.machine.block_ms / MS_PER_S;
                self.clockwork.add(self.now + 1_000.0, Event::Block);
            }
            Event::Look => self.look(),
            Event::End => self.cut(),
            Event::Done { request, life } => {
                if self.is_current(request, life) {
                    self.done(request);
                }
            }
            Event::Patience {
                request,
                life,
                step,
            } => {
                let waits = self.is_current(request, life) && self.requests[request].step == step;
                if waits && let Some(station) = self.requests[request].waits_for {
                    self.give_up(request, station);
                }
            }
            Event::Timeout { request, life } => {
                if self.is_current(request, life) && !self.requests[request].is_left {
                    self.answer(request, 0, false);
                }
            }
        }
    }

    fn is_current(&self, request: usize, life: u32) -> bool {
        self.requests[request].is_alive && self.requests[request].life == life
    }

    fn start_planned(&mut self) {
        let Load::Open { shape, rate, users } = self.plan.load else {
            return;
        };
        if self.now >= self.end() {
            return;
        }
        self.played.planned.push(self.now);
        if self.users < users {
            self.start(Origin::Own);
        } else {
            self.played.dropped.push(self.now);
        }
        let at = (self.now - self.plan.begins_ms) / (self.plan.seconds * MS_PER_S);
        let gap = MS_PER_S / (rate * shape.share(at));
        self.clockwork.add(self.now + gap, Event::Start);
    }

    fn start(&mut self, origin: Origin) {
        if origin == Origin::Own {
            if self.now >= self.end() {
                return;
            }
            self.users += 1;
        }
        let programs = self.plan.programs.len();
        let first = programs == 1 || self.dice.chance(0.6);
        let fresh = Request {
            origin,
            program: usize::from(!first),
            step: 0,
            life: 0,
            is_alive: true,
            sent: self.now,
            step_began: self.now,
            service_began: self.now,
            entered: f64::NAN,
            spent: [0.0; 5],
            held_outside: 0.0,
            held: 0,
            status: 200,
            is_slow: self.dice.chance(self.plan.slow_share),
            is_left: false,
            stops_seen: 0.0,
            waits_for: None,
            line_ms: 0.0,
            connected: 0.0,
        };
        let request = match self.free.pop() {
            Some(place) => {
                let life = self.requests[place].life + 1;
                self.requests[place] = Request { life, ..fresh };
                place
            }
            None => {
                self.requests.push(fresh);
                self.requests.len() - 1
            }
        };
        let life = self.requests[request].life;
        if self.is_dead {
            // Refused at once.
            if origin == Origin::Own {
                self.answer_refused(request);
            }
            self.end_request(request);
            return;
        }
        if origin == Origin::Own {
            let timeout = self.now + self.plan.timeout_ms;
            self.clockwork
                .add(timeout, Event::Timeout { request, life });
        }
        self.go(request);
    }

    fn steps(&self, request: usize) -> &[Step] {
        match self.requests[request].origin {
            Origin::Own | Origin::Other => &self.plan.programs[self.requests[request].program],
            Origin::Health => &self.health,
            Origin::Page => &self.scrape,
        }
    }

    /// Does steps until one takes time.
    fn go(&mut self, request: usize) {
        loop {
            let at = self.requests[request].step;
            let Some(step) = self.steps(request).get(at).copied() else {
                self.finish(request);
                return;
            };
            self.requests[request].step_began = self.now;
            self.requests[request].service_began = self.now;
            let skips = step.slow_only && !self.requests[request].is_slow;
            if skips || !self.begin_step(request, step) {
                self.requests[request].step += 1;
                continue;
            }
            return;
        }
    }

    /// Whether the step takes time.
    fn begin_step(&mut self, request: usize, step: Step) -> bool {
        let is_failed = self.requests[request].status != 200;
        match step.action {
            Action::Enter => {
                self.requests[request].entered = self.now;
                self.counters.active += 1.0;
                false
            }
            Action::Leave => {
                self.leave(request);
                false
            }
            Action::Gate(status) => {
                if self.requests[request].origin == Origin::Own && !is_failed && !self.has_token() {
                    self.requests[request].status = status;
                    self.counters.refused += 1.0;
                    if status != 429 {
                        self.counters.outside_calls += 1.0;
                        self.counters.outside_errors += 1.0;
                    }
                }
                false
            }
            Action::Give(station) => {
                self.give(request, station);
                false
            }
            _ if is_failed => false,
            Action::Wait(ms) => {
                if step.spent == Spent::Outside {
                    self.counters.outside_active += 1.0;
                }
                let ms = ms * self.dice.between(0.9, 1.1);
                self.later(request, ms);
                true
            }
            Action::Block(_) => self.take(request, Station::Loop),
            Action::Take(station) | Action::Work(station, _) => {
                if step.spent == Spent::Outside {
                    self.counters.outside_active += 1.0;
                }
                self.take(request, station)
            }
        }
    }

    fn done(&mut self, request: usize) {
        let at = self.requests[request].step;
        let step = self.steps(request)[at];
        if let Action::Work(Station::Cpu | Station::Loop, _) | Action::Block(_) = step.action {
            let missed = self.cpu.stopped_total() - self.requests[request].stops_seen;
            if missed > 0.0 && !matches!(step.action, Action::Block(_)) {
                self.requests[request].stops_seen += missed;
                self.later(request, missed);
                return;
            }
        }
        match step.action {
            Action::Work(station, _) => self.leave_station(station),
            Action::Block(_) => {
                self.counters.blocked = false;
                self.leave_station(Station::Loop);
            }
            _ => {}
        }
        self.account(request, step);
        self.requests[request].step += 1;
        self.go(request);
    }
}
