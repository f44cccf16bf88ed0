//! The same figures under the names that a Spring Boot service has: those of Micrometer.
//!
//! So what reads a service's pool, threads and requests reads this target's too.

use std::borrow::Cow;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use tokio::time::Instant;

use crate::cpu::process_time;
use crate::endpoint::Endpoint;
use crate::pool::Fill;
use crate::pool_times::{PoolTimes, seconds};

/// What the server that is called is named.
const PEER: &str = "downstream";

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfRequest {
    method: String,
    uri: &'static str,
    status: u16,
}

/// Metrics under Micrometer's names.
#[derive(Debug)]
pub(crate) struct Micrometer {
    registry: Registry,
    requests: Family<OfRequest, Histogram>,
    calls: Histogram,
    connections: Gauges,
    threads: Gauges,
    cpus: Gauge,
    cpu_time: Counter,
    /// CPU time counted so far, ns.
    counted: Mutex<u64>,
    uptime: Gauge<f64, AtomicU64>,
    started: Instant,
}

/// How full a pool is.
#[derive(Debug, Clone, Default)]
struct Gauges {
    active: Gauge,
    idle: Gauge,
    waiting: Gauge,
    max: Gauge,
}

impl Gauges {
    fn set(&self, fill: Fill) {
        let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        self.active.set(count(fill.busy));
        self.idle.set(count(fill.max - fill.busy));
        self.waiting.set(count(fill.waiting));
        self.max.set(count(fill.max));
    }
}

impl Micrometer {
    /// `connections` are the times of the connection pool.
    pub(crate) fn new(connections: &PoolTimes, pool: &'static str, threads: &'static str) -> Self {
        let mut metrics = Self {
            registry: Registry::default(),
            requests: Family::new_with_constructor(seconds),
            calls: seconds(),
            connections: Gauges::default(),
            threads: Gauges::default(),
            cpus: Gauge::default(),
            cpu_time: Counter::default(),
            counted: Mutex::default(),
            uptime: Gauge::default(),
            started: Instant::now(),
        };
        metrics.register_pool(connections, pool);
        metrics.register_threads(threads);
        metrics.register_process();
        metrics
    }

    fn register_pool(&mut self, times: &PoolTimes, pool: &'static str) {
        let label = (Cow::from("pool"), Cow::from(pool));
        let r = self.registry.sub_registry_with_label(label);
        let Gauges {
            active,
            idle,
            waiting,
            max,
        } = self.connections.clone();
        r.register("hikaricp_connections_active", "Active connections", active);
        r.register("hikaricp_connections_idle", "Idle connections", idle);
        r.register("hikaricp_connections_pending", "Pending threads", waiting);
        r.register("hikaricp_connections_max", "Max connections", max);
        let (wait, hold) = (times.wait.clone(), times.hold.clone());
        let name = "hikaricp_connections_acquire";
        r.register_with_unit(name, "Connection acquire time", Unit::Seconds, wait);
        let name = "hikaricp_connections_usage";
        r.register_with_unit(name, "Connection usage time", Unit::Seconds, hold);
        let name = "hikaricp_connections_timeout";
        r.register(name, "Connection timeouts", times.timeouts.clone());
    }

    fn register_threads(&mut self, name: &'static str) {
        let label = (Cow::from("name"), Cow::from(name));
        let r = self.registry.sub_registry_with_label(label);
        let Gauges {
            active,
            waiting,
            max,
            ..
        } = self.threads.clone();
        r.register("executor_active_threads", "Threads that work", active);
        r.register("executor_queued_tasks", "Tasks that wait", waiting);
        r.register("executor_pool_max_threads", "Most threads", max);
    }

    fn register_process(&mut self) {
        let r = &mut self.registry;
        let name = "http_server_requests";
        let requests = self.requests.clone();
        r.register_with_unit(name, "Requests answered", Unit::Seconds, requests);
        let label = (Cow::from("client_name"), Cow::from(PEER));
        let name = "http_client_requests";
        let calls = self.calls.clone();
        let peers = r.sub_registry_with_label(label);
        peers.register_with_unit(name, "Calls to other servers", Unit::Seconds, calls);
        r.register("system_cpu_count", "Usable CPUs", self.cpus.clone());
        let name = "process_cpu_time_ns";
        r.register(name, "CPU time of the process", self.cpu_time.clone());
        let uptime = self.uptime.clone();
        let name = "process_uptime";
        r.register_with_unit(name, "Time since the start", Unit::Seconds, uptime);
    }

    pub(crate) fn answered(&self, endpoint: Endpoint, method: &str, status: u16, took: Duration) {
        let of = OfRequest {
            method: method.to_owned(),
            uri: endpoint.route(),
            status,
        };
        let histogram = self.requests.get_or_create(&of);
        histogram.observe(took.as_secs_f64());
    }

    /// A call to the other server ended.
    pub(crate) fn called(&self, took: Duration) {
        self.calls.observe(took.as_secs_f64());
    }

    /// The registry, with everything as it is now.
    pub(crate) fn now(&self, connections: Fill, threads: Fill) -> &Registry {
        self.connections.set(connections);
        self.threads.set(threads);
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        self.cpus.set(i64::try_from(cpus).unwrap_or(i64::MAX));
        self.uptime.set(self.started.elapsed().as_secs_f64());
        let now = u64::try_from(process_time().as_nanos()).unwrap_or(u64::MAX);
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        self.cpu_time.inc_by(now.saturating_sub(*counted));
        *counted = now;
        &self.registry
    }
}
