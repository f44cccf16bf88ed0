//! What is counted while a case is played, and how it stood when it was looked at.

use crate::parts::{STATIONS, Station};
use crate::plan::Plan;

use super::cpu::Cpu;

/// Sums of one operation in traces and on the page.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sums {
    pub(crate) requests: f64,
    pub(crate) errors: f64,
    pub(crate) seconds: f64,
    /// Pool, statements, outside, messages.
    pub(crate) spent: [f64; 4],
    pub(crate) held: f64,
}

/// Of a statement.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Calls {
    pub(crate) calls: f64,
    pub(crate) seconds: f64,
}

/// All that is counted.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counters {
    pub(crate) cpu: f64,
    pub(crate) run_delay: f64,
    pub(crate) allocated: f64,
    pub(crate) young: f64,
    pub(crate) leaked: f64,
    pub(crate) pauses: f64,
    pub(crate) pause_time: f64,
    pub(crate) active: f64,
    pub(crate) refused: f64,
    pub(crate) blocked: bool,
    pub(crate) sent: f64,
    pub(crate) health: f64,
    pub(crate) scrapes: f64,
    pub(crate) outside_calls: f64,
    pub(crate) outside_time: f64,
    pub(crate) outside_active: f64,
    pub(crate) outside_errors: f64,
    pub(crate) redis_commands: f64,
    pub(crate) redis_cpu: f64,
    pub(crate) database_cpu: f64,
    pub(crate) database_io: f64,
    pub(crate) pool_timeouts: f64,
    pub(crate) busy: [f64; STATIONS],
    pub(crate) waiting: [f64; STATIONS],
    pub(crate) acquires: [f64; STATIONS],
    pub(crate) acquire_time: [f64; STATIONS],
    /// Connections that were given back, and how long they were held.
    pub(crate) holds: f64,
    pub(crate) hold_time: f64,
    /// By operation; typical and tail.
    pub(crate) sums: Vec<[Sums; 2]>,
    pub(crate) statements: Vec<Calls>,
}

/// One look.
#[derive(Debug, Clone)]
pub(crate) struct Look {
    pub(crate) at_ms: f64,
    pub(crate) counters: Counters,
    pub(crate) throttled_s: f64,
    pub(crate) throttled_periods: f64,
    pub(crate) quota_periods: f64,
}

/// A request that was answered.
pub(super) struct Left {
    pub(super) program: usize,
    pub(super) ms: f64,
    pub(super) is_failed: bool,
    pub(super) is_tail: bool,
    pub(super) spent: [f64; 5],
    pub(super) held_ms: f64,
}

impl Counters {
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            sums: vec![Default::default(); plan.programs.len()],
            statements: vec![Calls::default(); plan.statements.len()],
            ..Self::default()
        }
    }

    pub(super) fn acquired(&mut self, station: Station, waited_ms: f64) {
        self.acquires[station as usize] += 1.0;
        self.acquire_time[station as usize] += waited_ms / 1_000.0;
    }

    pub(super) fn given(&mut self, held_ms: f64) {
        self.holds += 1.0;
        self.hold_time += held_ms / 1_000.0;
    }

    pub(super) fn served(&mut self, station: Station, ms: f64) {
        let seconds = ms / 1_000.0;
        match station {
            Station::DbCpu => self.database_cpu += seconds,
            Station::Redis => self.redis_cpu += seconds,
            _ => {}
        }
    }

    pub(super) fn statement(&mut self, number: usize, calls: f64, ms: f64) {
        self.statements[number].calls += calls;
        self.statements[number].seconds += ms / 1_000.0;
    }

    pub(super) fn left(&mut self, left: Left) {
        let sums = &mut self.sums[left.program][usize::from(left.is_tail)];
        sums.requests += 1.0;
        sums.errors += f64::from(u8::from(left.is_failed));
        sums.seconds += left.ms / 1_000.0;
        for (sum, ms) in sums.spent.iter_mut().zip(left.spent) {
            *sum += ms / 1_000.0;
        }
        sums.held += left.held_ms / 1_000.0;
    }

    pub(super) fn look(&self, at_ms: f64, cpu: &Cpu) -> Look {
        Look {
            at_ms,
            counters: self.clone(),
            throttled_s: cpu.throttled_s,
            throttled_periods: cpu.throttled_periods,
            quota_periods: cpu.quota_periods,
        }
    }
}

/// Durations by which the slowest are told, as the receiver of traces does.
const RECENT_MAX: usize = 200;
const SLOW_SAMPLES_MIN: usize = 40;
const SLOW_QUANTILE: f64 = 0.95;

/// The last durations.
#[derive(Debug, Default)]
pub(super) struct Recent {
    durations: Vec<f64>,
    next: usize,
}

impl Recent {
    /// Whether a request is among the slowest of those before it.
    pub(super) fn is_slow(&mut self, ms: f64) -> bool {
        let known = self.durations.len();
        let faster = self.durations.iter().filter(|one| **one < ms).count();
        let is_slow = known >= SLOW_SAMPLES_MIN && faster as f64 >= SLOW_QUANTILE * known as f64;
        if known < RECENT_MAX {
            self.durations.push(ms);
        } else {
            self.durations[self.next] = ms;
            self.next = (self.next + 1) % RECENT_MAX;
        }
        is_slow
    }
}
