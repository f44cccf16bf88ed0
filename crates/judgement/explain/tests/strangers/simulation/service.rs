//! Places: who takes one, waits for one, and what happens there.

use crate::parts::Station;
use crate::plan::Action;

use super::clockwork::Event;
use super::{MS_PER_S, Simulation};

impl Simulation<'_> {
    pub(super) fn has_token(&mut self) -> bool {
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

    pub(super) fn later(&mut self, request: usize, ms: f64) {
        let life = self.requests[request].life;
        self.clockwork
            .add(self.now + ms, Event::Done { request, life });
    }

    /// Takes a place or waits for one; whether that takes time.
    pub(super) fn take(&mut self, request: usize, station: Station) -> bool {
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

    pub(super) fn note_full(&mut self, station: Station) {
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

    pub(super) fn add_full(&mut self, station: Station, since: f64) {
        let third = self.plan.seconds * MS_PER_S / 3.0;
        let (from, to) = (self.end() - third, self.end());
        let part = (self.now.min(to) - since.max(from)).max(0.0) / third;
        self.played.full[station as usize] += part;
    }

    /// The request has its place: whether what it does there takes time.
    pub(super) fn serve(&mut self, request: usize, station: Station) -> bool {
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
    pub(super) fn factor(&self, station: Station) -> f64 {
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
    pub(super) fn compute(
        &mut self,
        request: usize,
        station: Station,
        ms: f64,
        waited: f64,
    ) -> f64 {
        let running = self.queues[station as usize].busy as f64;
        let work = self.cpu.run(self.now, ms, running);
        self.counters.cpu += ms / MS_PER_S;
        let is_kernels = station == Station::Cpu;
        let delay = work.delay_ms + if is_kernels { waited } else { 0.0 };
        self.counters.run_delay += delay / MS_PER_S;
        self.requests[request].stops_seen = self.cpu.stopped_total();
        work.took_ms
    }

    pub(super) fn give(&mut self, request: usize, station: Station) {
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
    pub(super) fn leave_station(&mut self, station: Station) {
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

    pub(super) fn give_up(&mut self, request: usize, station: Station) {
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
}
