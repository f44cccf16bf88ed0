//! Load on a simulated target: its clock, its connections and the windows that a search reads.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use loadline_analysis::capacity::IterationFaults;
use loadline_analysis::capacity::Unit;
use loadline_analysis::slo::{Sample, Statistic, Term};
use loadline_metrics::Histogram;
use loadline_record::Limit;

use super::target::SimulatedTarget;
use crate::runner::{Runner, RunnerRequirements, Running};
use crate::window::{Generator, LoadWindow};

/// From the end of a window until a new level takes effect, seconds.
const LEVEL_DELAY_SECONDS: f64 = 0.05;

impl Runner for SimulatedTarget {
    type Running = Simulation;
    type Error = std::convert::Infallible;

    fn start(&mut self, plan: &RunnerRequirements) -> Result<Simulation, Self::Error> {
        Ok(Simulation::new(self.clone(), plan))
    }
}

/// Load on a simulated target.
#[derive(Debug)]
pub struct Simulation {
    target: SimulatedTarget,
    unit: Unit,
    most_users: u64,
    longest: f64,
    terms: Vec<Term>,
    now: f64,
    level: f64,
    next_start: f64,
    /// When connections are free again.
    free: BinaryHeap<Reverse<Instant>>,
    /// When users of the closed model start again.
    users: BinaryHeap<Reverse<Instant>>,
    in_flight: BinaryHeap<Reverse<Instant>>,
    looping: u64,
    served: f64,
    loaded_since: Option<f64>,
    second: (u64, f64),
    dead: bool,
    random: u64,
    /// How much slower it is at the moment: a share.
    wandered: f64,
    /// Of each second from the one that is under way on, what will be counted in it.
    windows: VecDeque<Counts>,
    first_window: u64,
    /// What ends after the load: nobody will see it.
    unseen: Counts,
    stopped: bool,
}

/// Nanoseconds, which have an order.
type Instant = u64;

#[derive(Debug, Default)]
struct Counts {
    started: f64,
    ended: f64,
    dropped: f64,
    failed: f64,
    refused: f64,
    asked: f64,
    durations: Vec<f64>,
    iterations: Vec<f64>,
}

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Good,
    Failed,
    Refused,
    Asked,
}

impl Simulation {
    fn new(target: SimulatedTarget, plan: &RunnerRequirements) -> Self {
        Self {
            free: (0..target.pool).map(|_| Reverse(0)).collect(),
            random: target.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
            unit: plan.unit,
            most_users: plan.most_users,
            longest: plan.longest,
            terms: plan.terms.clone(),
            target,
            now: 0.0,
            level: 0.0,
            next_start: f64::INFINITY,
            users: BinaryHeap::new(),
            in_flight: BinaryHeap::new(),
            looping: 0,
            served: 0.0,
            loaded_since: None,
            second: (0, 0.0),
            dead: false,
            wandered: 0.0,
            windows: VecDeque::new(),
            first_window: 0,
            unseen: Counts::default(),
            stopped: false,
        }
    }

    /// Between 0 and 1, evenly.
    fn draw(&mut self) -> f64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// From one start to the next, seconds.
    fn gap(&mut self) -> f64 {
        let chance = if self.target.random_arrivals {
            self.exponential()
        } else {
            1.0
        };
        chance / self.level
    }

    /// With a mean of 1.
    fn exponential(&mut self) -> f64 {
        -(1.0 - self.draw()).ln()
    }

    /// A second passes: what chance does to the target's speed goes on from where it was.
    fn wander(&mut self) {
        let Some((share, seconds)) = self.target.wanders else {
            return;
        };
        let keeps = (-1.0 / seconds).exp();
        let sum: f64 = (0..12).map(|_| self.draw()).sum();
        let fresh = share * (sum - 6.0);
        self.wandered = self.wandered * keeps + fresh * (1.0 - keeps * keeps).sqrt();
    }

    fn counts(&mut self, at: f64) -> &mut Counts {
        if at > self.longest + 1.0 {
            self.unseen = Counts::default();
            return &mut self.unseen;
        }
        let ahead = whole(at).saturating_sub(self.first_window);
        let place = usize::try_from(ahead).expect("seconds of a search");
        if place >= self.windows.len() {
            self.windows.resize_with(place + 1, Counts::default);
        }
        &mut self.windows[place]
    }

    /// One request at `at`; when and how its iteration ends.
    fn request(&mut self, at: f64) -> (f64, f64, Ending) {
        let second = whole(at);
        if self.second.0 != second {
            self.second = (second, 0.0);
        }
        self.second.1 += 1.0;
        if self.target.dies.is_some_and(|most| self.second.1 > most) {
            self.dead = true;
        }
        if self.target.gone.is_some_and(|from| at >= from) {
            return (f64::MAX, f64::MAX, Ending::Failed);
        }
        if self.dead {
            return (at + 0.001, at + 0.001, Ending::Refused);
        }
        if self.target.limited.is_some_and(|most| self.second.1 > most) {
            return (at + 0.002, at + 0.002, Ending::Asked);
        }
        if self
            .target
            .fails_beyond
            .is_some_and(|most| self.second.1 > most)
        {
            return (at + 0.002, at + 0.002, Ending::Failed);
        }
        if self.in_flight.is_empty() && self.level <= 0.0 {
            self.loaded_since = None;
        }
        let since = *self.loaded_since.get_or_insert(at);
        let mut hold = self.target.hold;
        if let Some((after, factor)) = self.target.slows
            && at - since > after
        {
            hold *= factor;
        }
        if let Some((until, factor)) = self.target.starved
            && at < until
        {
            hold *= factor;
        }
        if let Some((served, factor)) = self.target.cold {
            hold *= 1.0 + (factor - 1.0) * (-self.served / served).exp();
        }
        if let Some((share, factor)) = self.target.mixed
            && self.draw() < share
        {
            hold *= factor;
        }
        hold *= (1.0 + self.target.drifts * at).max(0.1);
        hold *= (1.0 + self.wandered).max(0.5);
        hold *= if self.target.random_holds {
            self.exponential()
        } else {
            1.0 + self.target.jitter * (2.0 * self.draw() - 1.0)
        };
        let Some(Reverse(free)) = self.free.peek().copied() else {
            return (at, at, Ending::Refused);
        };
        let begins = seconds(free).max(at);
        if begins - at > self.target.patience {
            let end = at + self.target.patience;
            return (end, end, Ending::Failed);
        }
        let end = self.after_pauses(begins, hold);
        if let Some(mut free) = self.free.peek_mut() {
            *free = Reverse(nanos(end));
        }
        self.served += 1.0;
        let fails = self.draw() < self.target.errors;
        let ending = if fails { Ending::Failed } else { Ending::Good };
        (end, end, ending)
    }

    /// When work that begins at `begins` and takes `work` is done.
    fn after_pauses(&self, begins: f64, work: f64) -> f64 {
        let Some((every, length)) = self.target.pause else {
            return begins + work;
        };
        // Pauses that have begun, and where in its round the work begins.
        let mut round = (begins / every).floor();
        let mut now = begins.max(round * every + length);
        let mut left = work;
        loop {
            let next = (round + 1.0) * every;
            if left <= next - now {
                return now + left;
            }
            left -= (next - now).max(0.0);
            round += 1.0;
            now = next + length;
        }
    }

    /// One iteration at `at`; when its user is free again.
    fn iterate(&mut self, at: f64) -> f64 {
        let (answered, _, ending) = self.request(at);
        let ends = answered + self.target.think;
        self.counts(at).started += 1.0;
        let counts = self.counts(answered);
        counts.durations.push((answered - at) * 1000.0);
        match ending {
            Ending::Good => {}
            Ending::Failed => counts.failed += 1.0,
            Ending::Refused => {
                counts.failed += 1.0;
                counts.refused += 1.0;
            }
            Ending::Asked => {
                counts.failed += 1.0;
                counts.asked += 1.0;
            }
        }
        let counts = self.counts(ends);
        counts.ended += 1.0;
        counts.iterations.push((ends - at) * 1000.0);
        self.in_flight.push(Reverse(nanos(ends)));
        ends
    }

    fn settle(&mut self, now: f64) {
        while self
            .in_flight
            .peek()
            .is_some_and(|Reverse(end)| seconds(*end) <= now)
        {
            self.in_flight.pop();
        }
    }

    fn run_until(&mut self, end: f64) {
        match self.unit {
            Unit::Rate => {
                while self.next_start < end {
                    let at = self.next_start;
                    self.settle(at);
                    if self.in_flight.len() as u64 >= self.most_users {
                        self.counts(at).dropped += 1.0;
                    } else {
                        self.iterate(at);
                    }
                    self.next_start = at + self.gap();
                }
            }
            Unit::Users => {
                while let Some(Reverse(at)) = self.users.peek().copied() {
                    let at = seconds(at);
                    if at >= end {
                        break;
                    }
                    self.users.pop();
                    self.settle(at);
                    if self.looping > whole(self.level) {
                        self.looping -= 1;
                        continue;
                    }
                    let again = self.iterate(at);
                    self.users.push(Reverse(nanos(again)));
                }
            }
        }
        self.settle(end);
    }

    fn generator(&self) -> Generator {
        let is_weak = self
            .target
            .generator
            .is_some_and(|most| self.unit == Unit::Rate && self.level > most);
        let is_late = is_weak || self.now < self.target.held_up;
        let lag = if is_late { 60.0 } else { 0.1 };
        Generator {
            lag: Histogram::from_values(&[lag; 5]),
            read_lag: Histogram::new(),
            cpu: Some(if is_weak { 1.0 } else { 0.1 }),
            throttled: 0.0,
            stalled: 0.0,
            lacks: None::<Limit>,
        }
    }

    fn samples(&self, counts: &Counts, durations: &Histogram) -> Vec<Sample> {
        let all = counts.durations.len() as u64;
        let sample = |term: &Term| Sample {
            durations: durations.clone(),
            bad: match term.statistic {
                Statistic::Errors => whole(counts.failed),
                _ => 0,
            },
            all,
            ..Sample::default()
        };
        self.terms.iter().map(sample).collect()
    }
}

impl Running for Simulation {
    fn set_level(&mut self, level: f64) {
        let at = self.now + LEVEL_DELAY_SECONDS;
        self.level = level;
        match self.unit {
            Unit::Rate if level > 0.0 => self.next_start = at + self.gap(),
            Unit::Rate => self.next_start = f64::INFINITY,
            Unit::Users => {
                while self.looping < whole(level) {
                    self.users.push(Reverse(nanos(at)));
                    self.looping += 1;
                }
            }
        }
    }

    fn next_window(&mut self) -> Option<LoadWindow> {
        if self.stopped || self.now >= self.longest {
            return None;
        }
        self.first_window = whole(self.now);
        self.wander();
        self.run_until(self.now + 1.0);
        self.now += 1.0;
        if self.level <= 0.0 && self.in_flight.is_empty() {
            self.loaded_since = None;
        }
        let counts = self.windows.pop_front().unwrap_or_default();
        let durations = Histogram::from_values(&counts.durations);
        // Without a pause between them iterations are as long as their requests.
        let iterations = if self.target.think > 0.0 {
            Histogram::from_values(&counts.iterations)
        } else {
            durations.clone()
        };
        Some(LoadWindow {
            faults: IterationFaults::default(),
            end: self.now,
            span: 1.0,
            started: counts.started,
            ended: counts.ended,
            dropped: counts.dropped,
            in_flight: self.in_flight.len() as f64,
            requests: counts.durations.len() as f64,
            failed: counts.failed,
            refused: counts.refused,
            asked_to_wait: counts.asked,
            samples: self.samples(&counts, &durations),
            durations,
            iterations,
            generator: self.generator(),
            target_cpu: None,
        })
    }

    fn stop(&mut self) {
        self.stopped = true;
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "seconds of a search, never negative"
)]
fn nanos(seconds: f64) -> u64 {
    (seconds * 1e9).round() as u64
}

fn seconds(nanos: u64) -> f64 {
    nanos as f64 / 1e9
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a count or a second, never negative"
)]
fn whole(value: f64) -> u64 {
    value.max(0.0).floor() as u64
}
