//! What the target says about itself, in the Prometheus (OpenMetrics) text format.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::endpoint::Endpoint;
use crate::micrometer::Micrometer;
use crate::pool::Fill;
use crate::pool_times::{PoolTimes, seconds};

/// Media type of [`Metrics::text`].
pub(crate) const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    endpoint: &'static str,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfPool {
    pool: &'static str,
}

/// All metrics of one target.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Answered, Counter>,
    in_flight: Gauge,
    pool_max: Family<OfPool, Gauge>,
    pool_busy: Family<OfPool, Gauge>,
    pool_waiting: Family<OfPool, Gauge>,
    pool_wait: Family<OfPool, Histogram>,
    pool_hold: Family<OfPool, Histogram>,
    pool_timeouts: Family<OfPool, Counter>,
    deers: Gauge,
    micrometer: Micrometer,
}

impl Metrics {
    /// Of a pool of connections and one of threads, by their names.
    pub(crate) fn new(connections: &'static str, threads: &'static str) -> Self {
        let pool_wait = Family::new_with_constructor(seconds as fn() -> Histogram);
        let pool_hold = Family::new_with_constructor(seconds as fn() -> Histogram);
        let pool_timeouts: Family<OfPool, Counter> = Family::default();
        let of = OfPool { pool: connections };
        let times = PoolTimes {
            wait: pool_wait.get_or_create_owned(&of),
            hold: pool_hold.get_or_create_owned(&of),
            timeouts: pool_timeouts.get_or_create_owned(&of),
        };
        let mut metrics = Self {
            registry: Registry::with_prefix("demo"),
            requests: Family::default(),
            in_flight: Gauge::default(),
            pool_max: Family::default(),
            pool_busy: Family::default(),
            pool_waiting: Family::default(),
            pool_wait,
            pool_hold,
            pool_timeouts,
            deers: Gauge::default(),
            micrometer: Micrometer::new(&times, connections, threads),
        };
        metrics.register();
        metrics
    }

    fn register(&mut self) {
        let r = &mut self.registry;
        r.register("requests", "Requests answered", self.requests.clone());
        r.register(
            "in_flight",
            "Requests not answered yet",
            self.in_flight.clone(),
        );
        r.register("pool_max", "Permits of the pool", self.pool_max.clone());
        r.register("pool_busy", "Permits held", self.pool_busy.clone());
        r.register(
            "pool_waiting",
            "Requests that wait for a permit",
            self.pool_waiting.clone(),
        );
        let (wait, hold) = (self.pool_wait.clone(), self.pool_hold.clone());
        r.register_with_unit(
            "pool_wait",
            "Time from asking for a permit to having it",
            Unit::Seconds,
            wait,
        );
        r.register_with_unit("pool_hold", "Time a permit was held", Unit::Seconds, hold);
        r.register(
            "pool_timeouts",
            "Requests that got no permit in time",
            self.pool_timeouts.clone(),
        );
        r.register("deers", "Deers kept in memory", self.deers.clone());
    }

    /// Where the pool named `pool` records its times.
    pub(crate) fn pool_times(&self, pool: &'static str) -> PoolTimes {
        let of = OfPool { pool };
        PoolTimes {
            wait: self.pool_wait.get_or_create_owned(&of),
            hold: self.pool_hold.get_or_create_owned(&of),
            timeouts: self.pool_timeouts.get_or_create_owned(&of),
        }
    }

    /// Counts one request in flight until the value returned is dropped.
    pub(crate) fn enter(&self) -> InFlight {
        self.in_flight.inc();
        InFlight(self.in_flight.clone())
    }

    pub(crate) fn answered(&self, endpoint: Endpoint, method: &str, status: u16, took: Duration) {
        let labels = Answered {
            endpoint: endpoint.route(),
            status,
        };
        self.requests.get_or_create(&labels).inc();
        self.micrometer.answered(endpoint, method, status, took);
    }

    /// A call to the other server ended.
    pub(crate) fn called(&self, took: Duration) {
        self.micrometer.called(took);
    }

    /// The text, with the gauges as they are now.
    pub(crate) fn text(&self, pools: &[(&'static str, Fill); 2], deers: usize) -> String {
        for (pool, fill) in pools {
            let of = OfPool { pool };
            self.pool_max.get_or_create(&of).set(gauge(fill.max));
            self.pool_busy.get_or_create(&of).set(gauge(fill.busy));
            self.pool_waiting
                .get_or_create(&of)
                .set(gauge(fill.waiting));
        }
        self.deers.set(gauge(deers));
        let [(_, connections), (_, threads)] = pools;
        let micrometer = self.micrometer.now(*connections, *threads);
        let mut text = String::new();
        encode_registry(&mut text, &self.registry)
            .and_then(|()| encode_registry(&mut text, micrometer))
            .and_then(|()| encode_eof(&mut text))
            .expect("writing to a String cannot fail");
        text
    }
}

fn gauge(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A request in flight; also ends when the client breaks off.
pub(crate) struct InFlight(Gauge);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.dec();
    }
}
