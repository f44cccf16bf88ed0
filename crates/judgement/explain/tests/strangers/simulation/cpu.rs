//! The processor: cores that others want too, a quota that stops, and pauses that stop all.

use crate::plan::Machine;

/// The kernel's period of quotas.
const PERIOD_MS: f64 = 100.0;

pub(crate) struct Cpu {
    machine: Machine,
    stopped_until: f64,
    stopped_total: f64,
    period: f64,
    used_ms: f64,
    throttled_period: f64,
    pub(crate) throttled_s: f64,
    pub(crate) throttled_periods: f64,
    pub(crate) quota_periods: f64,
}

/// How a piece of work went.
pub(super) struct Ran {
    pub(super) took_ms: f64,
    pub(super) delay_ms: f64,
}

impl Cpu {
    pub(super) fn new(machine: Machine) -> Self {
        Self {
            machine,
            stopped_until: 0.0,
            stopped_total: 0.0,
            period: 0.0,
            used_ms: 0.0,
            throttled_period: -1.0,
            throttled_s: 0.0,
            throttled_periods: 0.0,
            quota_periods: 0.0,
        }
    }

    pub(super) fn stopped_total(&self) -> f64 {
        self.stopped_total
    }

    /// Stops all work for a time; work under way learns of it when it would end.
    pub(super) fn stop(&mut self, now: f64, ms: f64) {
        self.stopped_until = self.stopped_until.max(now) + ms;
        self.stopped_total += ms;
    }

    /// Work of so many ms among so many that run.
    pub(super) fn run(&mut self, now: f64, ms: f64, running: f64) -> Ran {
        let wanted = running + self.machine.neighbours;
        let speed = (self.machine.cores / wanted).min(1.0);
        let begins = self.begins(now.max(self.stopped_until), ms);
        Ran {
            took_ms: begins - now + ms / speed,
            delay_ms: ms / speed - ms,
        }
    }

    /// When the quota lets it begin. What it uses beyond a period is taken from the next.
    fn begins(&mut self, at: f64, ms: f64) -> f64 {
        let Some(quota) = self.machine.quota else {
            return at;
        };
        let allowed = quota * PERIOD_MS;
        let period = (at / PERIOD_MS).floor();
        if period > self.period {
            self.used_ms = (self.used_ms - allowed * (period - self.period)).max(0.0);
            self.period = period;
            self.quota_periods += 1.0;
        }
        let over = (self.used_ms / allowed).floor();
        self.used_ms += ms;
        if over < 1.0 {
            return at;
        }
        let begins = (period + over) * PERIOD_MS;
        let last = period + over - 1.0;
        if last > self.throttled_period {
            let first = self.throttled_period.max(period - 1.0) + 1.0;
            self.throttled_periods += last - first + 1.0;
            self.throttled_s += (begins - at.max(first * PERIOD_MS)) / 1_000.0;
            self.throttled_period = last;
        }
        begins
    }
}
