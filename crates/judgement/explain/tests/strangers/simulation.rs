//! Plays a case: every request goes its steps, waits for places, and is answered, refused, cut or
//! lost. What is counted on the way is what sources look at.

mod clockwork;
mod counters;
mod cpu;

use std::collections::VecDeque;

use crate::dice::Dice;
use crate::parts::{Bystander, STATIONS, Station};
use crate::plan::{Action, Load, Plan, Spent, Step};

pub(crate) use counters::{Look, Sums};

use counters::Counters;

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
    slow_line: f64,
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
            slow_line: 0.0,
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

    fn has_token(&mut self) -> bool {
        let rate = self.plan.gate_rate / MS_PER_S;
        let burst = (self.plan.gate_rate / 4.0).max(2.0);
        self.tokens = (self.tokens + (self.now - self.tokens_at) * rate).min(burst);
        self.tokens_at = self.now;
        let has = self.tokens >= 1.0;
        if has {
            self.tokens -= 1.0;
        }
        has
    }

    fn later(&mut self, request: usize, ms: f64) {
        let life = self.requests[request].life;
        self.clockwork
            .add(self.now + ms, Event::Done { request, life });
    }

    /// Takes a place or waits for one; whether that takes time.
    fn take(&mut self, request: usize, station: Station) -> bool {
        let places = self.plan.places_of(station);
        let queue = &mut self.queues[station as usize];
        if queue.busy < places.servers {
            queue.busy += 1;
            self.note_full(station);
            return self.serve(request, station);
        }
        if queue.waiting.len() >= places.queue_max {
            self.requests[request].status = 503;
            self.counters.refused += 1.0;
            return false;
        }
        queue.waiting.push_back(request);
        self.counters.waiting[station as usize] += 1.0;
        self.requests[request].waits_for = Some(station);
        if let Some(ms) = places.patience_ms {
            let (life, step) = (self.requests[request].life, self.requests[request].step);
            let event = Event::Patience {
                request,
                life,
                step,
            };
            self.clockwork.add(self.now + ms, event);
        }
        true
    }

    fn note_full(&mut self, station: Station) {
        let places = self.plan.places_of(station).servers;
        let queue = &mut self.queues[station as usize];
        self.counters.busy[station as usize] = queue.busy as f64;
        match (queue.busy >= places, queue.full_since) {
            (true, None) => queue.full_since = Some(self.now),
            (false, Some(since)) => {
                queue.full_since = None;
                self.add_full(station, since);
            }
            _ => {}
        }
    }

    fn add_full(&mut self, station: Station, since: f64) {
        let third = self.plan.seconds * MS_PER_S / 3.0;
        let (from, to) = (self.end() - third, self.end());
        let part = (self.now.min(to) - since.max(from)).max(0.0) / third;
        self.played.full[station as usize] += part;
    }

    /// The request has its place: whether what it does there takes time.
    fn serve(&mut self, request: usize, station: Station) -> bool {
        self.requests[request].service_began = self.now;
        let waited = self.now - self.requests[request].step_began;
        self.counters.acquired(station, waited);
        let at = self.requests[request].step;
        let step = self.steps(request)[at];
        match step.action {
            Action::Take(_) => {
                self.requests[request].held |= 1 << station as u16;
                if station == Station::Pool {
                    self.requests[request].connected = self.now;
                }
                false
            }
            Action::Work(_, ms) => {
                let ms = ms * self.factor(station);
                let ms = match station {
                    Station::Cpu | Station::Loop => self.compute(request, station, ms, waited),
                    _ => ms,
                };
                self.counters.served(station, ms);
                self.later(request, ms);
                true
            }
            Action::Block(ms) => {
                let ms = ms * self.dice.between(0.9, 1.1);
                self.counters.blocked = true;
                self.later(request, ms);
                true
            }
            _ => false,
        }
    }

    /// How much longer or shorter a service is than planned.
    fn factor(&self, station: Station) -> f64 {
        let cold = match station {
            Station::DbCpu | Station::DbDisk if self.plan.cold > 1.0 => {
                let at = (self.now - self.plan.begins_ms) / (self.plan.seconds * MS_PER_S);
                1.0 + (self.plan.cold - 1.0) * (1.0 - at * 4.0).max(0.0)
            }
            _ => 1.0,
        };
        cold * self.dice.between(0.6, 1.4)
    }

    /// How long computing takes on cores that others want, too, and that may be stopped.
    fn compute(&mut self, request: usize, station: Station, ms: f64, waited: f64) -> f64 {
        let running = self.queues[station as usize].busy as f64;
        let work = self.cpu.run(self.now, ms, running);
        self.counters.cpu += ms / MS_PER_S;
        let is_kernels = station == Station::Cpu;
        let delay = work.delay_ms + if is_kernels { waited } else { 0.0 };
        self.counters.run_delay += delay / MS_PER_S;
        self.requests[request].stops_seen = self.cpu.stopped_total();
        work.took_ms
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

    /// Charges the step's time to what it was spent on.
    fn account(&mut self, request: usize, step: Step) {
        let one = &mut self.requests[request];
        let ms = self.now - one.step_began;
        let is_entered = !one.entered.is_nan();
        match step.spent {
            Spent::Before if matches!(step.action, Action::Work(Station::Line, _)) => {
                one.line_ms += ms;
            }
            Spent::Before | Spent::Own => {}
            Spent::Pool if is_entered => one.spent[0] += ms,
            Spent::Sql(number) => {
                one.spent[1] += ms;
                self.counters.statement(number, step.calls, ms);
            }
            Spent::Outside => {
                one.spent[2] += ms;
                if one.held & (1 << Station::Pool as u16) != 0 {
                    one.held_outside += ms;
                }
                self.counters.outside_active -= 1.0;
                self.counters.outside_calls += 1.0;
                self.counters.outside_time += ms / MS_PER_S;
            }
            Spent::Message => {
                one.spent[3] += ms;
                self.counters.redis_commands += 1.0;
            }
            Spent::Pool => {}
        }
        if matches!(step.action, Action::Work(Station::DbDisk, _)) {
            self.counters.database_io += ms / MS_PER_S;
        }
    }

    fn give(&mut self, request: usize, station: Station) {
        let bit = 1 << station as u16;
        if self.requests[request].held & bit == 0 {
            return;
        }
        self.requests[request].held &= !bit;
        if station == Station::Pool {
            let held = self.now - self.requests[request].connected;
            self.counters.given(held);
        }
        self.leave_station(station);
    }

    /// A place is free: the next one has it.
    fn leave_station(&mut self, station: Station) {
        let queue = &mut self.queues[station as usize];
        queue.busy -= 1;
        self.note_full(station);
        while let Some(next) = self.queues[station as usize].waiting.pop_front() {
            self.counters.waiting[station as usize] -= 1.0;
            self.requests[next].waits_for = None;
            self.queues[station as usize].busy += 1;
            self.note_full(station);
            if !self.serve(next, station) {
                // It keeps the place, and goes on.
                let at = self.requests[next].step;
                let step = self.steps(next)[at];
                self.account(next, step);
                self.requests[next].step += 1;
                self.go(next);
            }
            let busy = self.queues[station as usize].busy;
            if busy >= self.plan.places_of(station).servers {
                return;
            }
        }
    }

    fn give_up(&mut self, request: usize, station: Station) {
        let queue = &mut self.queues[station as usize];
        queue.waiting.retain(|one| *one != request);
        self.counters.waiting[station as usize] -= 1.0;
        self.requests[request].waits_for = None;
        self.requests[request].status = 500;
        self.counters.pool_timeouts += 1.0;
        let at = self.requests[request].step;
        let step = self.steps(request)[at];
        self.account(request, step);
        self.requests[request].step += 1;
        self.go(request);
    }

    /// The target has answered.
    fn leave(&mut self, request: usize) {
        let one = &self.requests[request];
        self.counters.active -= 1.0;
        let ms = self.now - one.entered;
        let is_failed = one.status >= 500;
        match one.origin {
            Origin::Own | Origin::Other => {
                let is_tail = ms > self.slow_line;
                self.slow_line += if is_tail { 0.95 } else { -0.05 } * (0.02 * ms + 0.1);
                self.counters.left(counters::Left {
                    program: one.program,
                    ms,
                    is_failed,
                    is_tail,
                    spent: one.spent,
                    held_ms: one.held_outside,
                });
                self.counters.sent += self.plan.bytes;
                self.collect();
            }
            Origin::Health => self.counters.health += 1.0,
            Origin::Page => self.counters.scrapes += 1.0,
        }
    }

    /// What a request allocates is collected at some time, or kills.
    fn collect(&mut self) {
        let machine = self.plan.machine;
        self.counters.allocated += machine.allocated;
        self.counters.young += machine.allocated;
        self.counters.leaked += machine.leaked;
        if self.counters.young >= machine.young {
            self.counters.young = 0.0;
            self.cpu.stop(self.now, machine.pause_ms);
            self.counters.pauses += 1.0;
            self.counters.pause_time += machine.pause_ms / MS_PER_S;
            self.counters.cpu += machine.pause_ms / MS_PER_S;
        }
        if machine.heap_live + self.counters.leaked > machine.heap_max && !self.is_dead {
            self.die();
        }
    }

    fn die(&mut self) {
        self.is_dead = true;
        self.played.died_ms = Some(self.now);
        for request in 0..self.requests.len() {
            let one = &self.requests[request];
            if one.is_alive && one.origin == Origin::Own && !one.is_left {
                self.answer(request, 0, false);
            }
            self.requests[request].is_alive = false;
            self.requests[request].held = 0;
        }
        self.queues = Default::default();
        self.counters.busy = [0.0; STATIONS];
        self.counters.waiting = [0.0; STATIONS];
    }

    fn finish(&mut self, request: usize) {
        match self.requests[request].origin {
            Origin::Own if !self.requests[request].is_left => {
                let status = self.requests[request].status;
                self.answer(request, status, false);
            }
            Origin::Page => {
                self.page_out = false;
                let asked = self.page_asked;
                if self.now - asked <= PAGE_TIMEOUT_MS {
                    let look = self
                        .counters
                        .look(f64::midpoint(asked, self.now), &self.cpu);
                    self.played.pages.push(look);
                } else {
                    self.played.failed_pages.push(asked + PAGE_TIMEOUT_MS);
                }
            }
            _ => {}
        }
        self.end_request(request);
    }

    fn end_request(&mut self, request: usize) {
        if self.requests[request].is_alive {
            self.requests[request].is_alive = false;
            self.free.push(request);
        }
    }

    fn answer_refused(&mut self, request: usize) {
        self.requests[request].sent -= 0.4;
        self.answer(request, 0, false);
        if let Some(last) = self.played.outcomes.last_mut() {
            last.is_refused = true;
        }
    }

    /// The caller has its answer, or has none and goes.
    fn answer(&mut self, request: usize, status: u16, is_cut: bool) {
        let one = &mut self.requests[request];
        one.is_left = true;
        self.played.outcomes.push(Outcome {
            sent_ms: one.sent,
            took_ms: self.now - one.sent,
            status,
            is_cut,
            is_refused: false,
            receiving_ms: 0.05 + 0.9 * one.line_ms,
        });
        self.users -= 1;
        if let Load::Closed { think_ms, .. } = self.plan.load
            && !is_cut
        {
            // A user who is refused at once does not ask again at once.
            let pause =
                think_ms * self.dice.between(0.5, 1.5) + if self.is_dead { 100.0 } else { 0.0 };
            self.clockwork.add(self.now + pause, Event::User);
        }
    }

    /// The load is over: what is under way is cut.
    fn cut(&mut self) {
        for station in Station::ALL {
            if let Some(since) = self.queues[station as usize].full_since {
                self.add_full(station, since);
                self.queues[station as usize].full_since = Some(self.now);
            }
        }
        for request in 0..self.requests.len() {
            let one = &self.requests[request];
            if one.is_alive && one.origin == Origin::Own && !one.is_left {
                self.answer(request, 0, true);
            }
        }
    }

    fn look(&mut self) {
        let at = self.now;
        let look = self.counters.look(at, &self.cpu);
        self.played.looks.push(look);
        let next = (at / MS_PER_S).floor() * MS_PER_S + MS_PER_S;
        self.clockwork
            .add(next + self.dice.between(1.0, 12.0), Event::Look);
        if self.is_dead {
            self.played.failed_pages.push(at);
        } else if !self.plan.page_queues {
            self.played
                .pages
                .push(self.counters.look(at + 2.0, &self.cpu));
        } else if !self.page_out {
            self.page_out = true;
            self.page_asked = at;
            self.start(Origin::Page);
        }
    }
}
