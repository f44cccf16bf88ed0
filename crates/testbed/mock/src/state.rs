//! What all connections share: routes, counters and measurements.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use tokio::time::Instant;

use crate::meter::Meter;
use crate::spec::{MockSpec, Route, SpecError};
use loadline_units::SharedRandom;

/// If the mock itself adds more than this many milliseconds (99th percentile), it is the
/// bottleneck.
const ADDED_LIMIT_MS: f64 = 5.0;
/// If the mock uses more than this share of its cores, it is the bottleneck.
const CPU_LIMIT: f64 = 0.9;

/// The routes, and since when they apply.
#[derive(Debug)]
pub(crate) struct RouteTable {
    pub(crate) spec: MockSpec,
    pub(crate) routes: Vec<Route>,
    pub(crate) since: Instant,
}

#[derive(Debug)]
pub(crate) struct State {
    served: RwLock<Arc<RouteTable>>,
    pub(crate) random: SharedRandom,
    pub(crate) wall_clock: fn() -> SystemTime,
    pub(crate) added: Meter,
    pub(crate) sequence: AtomicU64,
    pub(crate) answered: [AtomicU64; 6],
    pub(crate) turned_away: AtomicU64,
    pub(crate) unanswered: AtomicU64,
    pub(crate) in_flight: PeakGauge,
    pub(crate) connections: PeakGauge,
    pub(crate) refused: AtomicU64,
    /// The limit of open files, and the number of connections it allows.
    pub(crate) file_limit: u64,
    pub(crate) most_connections: usize,
    cores: f64,
    /// When counting began, and the CPU time used before.
    began: RwLock<(Instant, Duration)>,
}

/// A number that goes up and down, with its maximum.
#[derive(Debug, Default)]
pub(crate) struct PeakGauge {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl PeakGauge {
    pub(crate) fn enter(&self) -> usize {
        let now = self.now.fetch_add(1, Ordering::Relaxed) + 1;
        self.most.fetch_max(now, Ordering::Relaxed);
        now
    }

    pub(crate) fn leave(&self) {
        self.now.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> usize {
        self.now.load(Ordering::Relaxed)
    }
}

/// A mock's measurements since its start or its last reset.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Status {
    /// Their duration in seconds.
    pub seconds: f64,
    /// Number of requests.
    pub requests: u64,
    /// Requests rejected by a limit.
    pub turned_away: u64,
    /// Requests left without an answer on purpose.
    pub unanswered: u64,
    /// Answers by the first digit of the status.
    pub answers: [u64; 6],
    /// Requests in progress.
    pub in_flight: usize,
    /// Their highest number.
    pub most_in_flight: usize,
    /// Of these, requests that wait for a limit.
    pub waiting: usize,
    /// Open connections.
    pub connections: usize,
    /// Their highest number.
    pub most_connections: usize,
    /// Connections refused because file descriptors would have run out.
    pub refused_connections: u64,
    /// The limit of file descriptors.
    pub file_limit: u64,
    /// Delay from the time an answer was due to its first byte: median in ms.
    pub added_p50_ms: Option<f64>,
    /// The same: 99th percentile, ms.
    pub added_p99_ms: Option<f64>,
    /// The same: maximum in ms.
    pub added_max_ms: Option<f64>,
    /// CPU used, in cores.
    pub cpu_cores: f64,
    /// Available cores.
    pub cores: f64,
    /// Why the mock was the bottleneck; empty if it was not.
    pub limited_by: Vec<&'static str>,
}

impl State {
    pub(crate) fn new(
        spec: MockSpec,
        wall_clock: fn() -> SystemTime,
        file_limit: u64,
        most_connections: usize,
    ) -> Result<Self, SpecError> {
        let now = Instant::now();
        let random = SharedRandom::new(spec.seed);
        let routes = spec.compile(now)?;
        Ok(Self {
            served: RwLock::new(Arc::new(RouteTable {
                spec,
                routes,
                since: now,
            })),
            random,
            wall_clock,
            added: Meter::default(),
            sequence: AtomicU64::new(0),
            answered: Default::default(),
            turned_away: AtomicU64::new(0),
            unanswered: AtomicU64::new(0),
            in_flight: PeakGauge::default(),
            connections: PeakGauge::default(),
            refused: AtomicU64::new(0),
            file_limit,
            most_connections,
            cores: std::thread::available_parallelism().map_or(1.0, |n| n.get() as f64),
            began: RwLock::new((now, cpu_time())),
        })
    }

    /// The present routes.
    pub(crate) fn served(&self) -> Arc<RouteTable> {
        self.served
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Replaces the routes; requests in progress keep the old ones.
    pub(crate) fn change(&self, spec: MockSpec) -> Result<(), SpecError> {
        let now = Instant::now();
        let routes = spec.compile(now)?;
        let served = Arc::new(RouteTable {
            spec,
            routes,
            since: now,
        });
        *self.served.write().unwrap_or_else(PoisonError::into_inner) = served;
        Ok(())
    }

    /// Resets the counters; numbers that go up and down stay.
    pub(crate) fn reset(&self) {
        self.added.reset();
        self.sequence.store(0, Ordering::Relaxed);
        let answered = self.answered.iter();
        for count in answered.chain([&self.turned_away, &self.unanswered, &self.refused]) {
            count.store(0, Ordering::Relaxed);
        }
        for level in [&self.in_flight, &self.connections] {
            level.most.store(level.get(), Ordering::Relaxed);
        }
        let now = (Instant::now(), cpu_time());
        *self.began.write().unwrap_or_else(PoisonError::into_inner) = now;
    }

    pub(crate) fn status(&self) -> Status {
        let (began, cpu_before) = *self.began.read().unwrap_or_else(PoisonError::into_inner);
        let seconds = began.elapsed().as_secs_f64();
        let cpu = cpu_time().saturating_sub(cpu_before).as_secs_f64();
        let cpu_cores = cpu / seconds.max(0.001);
        let added = self.added.percentiles([0.5, 0.99]);
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let served = self.served();
        let gates = served.routes.iter().filter_map(|route| route.gate.as_ref());
        let mut limited_by = Vec::new();
        if added.is_some_and(|([_, p99], _)| p99 > ADDED_LIMIT_MS) {
            limited_by.push("added latency");
        }
        if cpu_cores > self.cores * CPU_LIMIT && seconds > 1.0 {
            limited_by.push("CPU");
        }
        if count(&self.refused) > 0 {
            limited_by.push("open files");
        }
        Status {
            seconds,
            requests: count(&self.sequence),
            turned_away: count(&self.turned_away),
            unanswered: count(&self.unanswered),
            answers: std::array::from_fn(|class| count(&self.answered[class])),
            in_flight: self.in_flight.get(),
            most_in_flight: self.in_flight.most.load(Ordering::Relaxed),
            waiting: gates.map(|(gate, _)| gate.waiting()).sum(),
            connections: self.connections.get(),
            most_connections: self.connections.most.load(Ordering::Relaxed),
            refused_connections: count(&self.refused),
            file_limit: self.file_limit,
            added_p50_ms: added.map(|([p50, _], _)| p50),
            added_p99_ms: added.map(|([_, p99], _)| p99),
            added_max_ms: added.map(|(_, max)| max),
            cpu_cores,
            cores: self.cores,
            limited_by,
        }
    }
}

/// CPU time of this process so far.
fn cpu_time() -> Duration {
    let spent = clock_gettime(ClockId::ProcessCPUTime);
    let nanos = u32::try_from(spent.tv_nsec).unwrap_or(0);
    Duration::new(u64::try_from(spent.tv_sec).unwrap_or(0), nanos)
}
