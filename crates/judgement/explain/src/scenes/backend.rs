//! A simulated back end: threads, a pool, a database, an outside server, at a given load.

use loadline_record::signals::{Entity, Label, SignalKind as Kind};

use super::Scene;

/// What a back end is made of, and what a request needs.
#[derive(Debug, Clone)]
pub(super) struct Backend {
    pub(super) offered: f64,
    pub(super) cores: f64,
    /// CPU seconds of a request.
    pub(super) cpu: f64,
    pub(super) threads: f64,
    pub(super) pool: f64,
    /// Seconds of statements in a request, and how much of it is CPU of the database.
    pub(super) statements: f64,
    pub(super) statement_cpu: f64,
    pub(super) database_cores: f64,
    /// Seconds of the outside call, and whether a connection is held meanwhile.
    pub(super) outside: f64,
    pub(super) holds_outside: bool,
    /// The share of time in collections.
    pub(super) pauses: f64,
    /// The row lock: held for so many seconds of each request.
    pub(super) lock: f64,
}

impl Default for Backend {
    /// Healthy: used to less than a third.
    fn default() -> Self {
        Self {
            offered: 40.0,
            cores: 2.0,
            cpu: 0.004,
            threads: 200.0,
            pool: 10.0,
            statements: 0.005,
            statement_cpu: 1.0,
            database_cores: 1.0,
            outside: 0.0,
            holds_outside: false,
            pauses: 0.01,
            lock: 0.0,
        }
    }
}

/// How a back end fares under its load.
pub(super) struct Steady {
    pub(super) rate: f64,
    pub(super) pool_used: f64,
    pub(super) pool_pending: f64,
    pub(super) threads_busy: f64,
    pub(super) request: f64,
}

impl Backend {
    /// Seconds a connection is held.
    fn hold(&self) -> f64 {
        let outside = if self.holds_outside {
            self.outside
        } else {
            0.0
        };
        self.statements + outside + self.lock
    }

    /// The rate it carries.
    pub(super) fn capacity(&self) -> f64 {
        let request = self.hold()
            + self.cpu
            + if self.holds_outside {
                0.0
            } else {
                self.outside
            };
        let rates = [
            (1.0 - self.pauses) * self.cores / self.cpu,
            self.pool / self.hold(),
            self.threads / request,
            self.database_cores / (self.statements * self.statement_cpu).max(1e-9),
            1.0 / self.lock.max(1e-9),
        ];
        rates.into_iter().fold(f64::INFINITY, f64::min)
    }

    pub(super) fn steady(&self) -> Steady {
        let capacity = self.capacity();
        let rate = self.offered.min(capacity);
        let is_full = self.offered > capacity;
        let apart = |limit: f64| (limit - capacity).abs() < 0.02 * capacity;
        let database_is_full = is_full
            && apart(self.database_cores / (self.statements * self.statement_cpu).max(1e-9));
        let lock_is_full = is_full && apart(1.0 / self.lock.max(1e-9));
        let pool_is_full = is_full && apart(self.pool / self.hold());
        // A request that waits inside the database holds a connection.
        let fills_pool = database_is_full || lock_is_full || pool_is_full;
        let pool_used = if fills_pool {
            self.pool
        } else {
            rate * self.hold()
        };
        // A request that waits for a connection has a thread.
        let waiting: f64 = if is_full {
            (self.threads - pool_used).clamp(1.0, 40.0)
        } else {
            0.0
        };
        let pool_pending = if fills_pool { waiting } else { 0.0 };
        let own = self.hold()
            + self.cpu
            + if self.holds_outside {
                0.0
            } else {
                self.outside
            };
        let threads_is_full = is_full && apart(self.threads / own);
        let threads_busy = if threads_is_full {
            self.threads
        } else {
            (rate * own + waiting).min(self.threads)
        };
        let request = if fills_pool {
            (pool_used + pool_pending) / rate + self.cpu
        } else {
            threads_busy / rate
        };
        Steady {
            rate,
            pool_used,
            pool_pending,
            threads_busy,
            request,
        }
    }

    /// Everything that sources would tell.
    pub(super) fn scene(&self, seed: u64) -> Scene {
        let mut scene = self.callers(seed);
        self.record_process(&mut scene);
        self.record_pool(&mut scene);
        self.record_database(&mut scene);
        scene
    }

    /// Only what callers see.
    pub(super) fn callers(&self, seed: u64) -> Scene {
        let steady = self.steady();
        let mut scene = Scene::new(seed);
        let dropped = (self.offered - steady.rate).max(0.0);
        // By Little's law as many are under way for callers as there are inside, and a few on their way.
        let on_their_way = if dropped > 0.0 { 1.2 } else { 1.0 };
        scene.callers(
            steady.rate,
            0.0,
            steady.request * 1000.0 * on_their_way,
            0.5,
        );
        for window in &mut scene.windows {
            window.planned = steady.rate + dropped;
            window.dropped = dropped;
        }
        scene
    }

    pub(super) fn record_process(&self, scene: &mut Scene) {
        let steady = self.steady();
        let of = Entity::new().with(Label::Instance, "10.0.0.5:9000");
        let computing = (steady.rate * self.cpu / self.cores).min(1.0);
        let used = self.cores * (computing + self.pauses).min(1.0);
        scene.counter(Kind::ProcessCpu, &of, used, 0.1);
        scene.limit(Kind::CoresAvailable, &of, self.cores);
        scene.counter(Kind::CollectionPauseTime, &of, self.pauses, 0.2);
        scene.counter(Kind::CollectionPauses, &of, 2.0 + self.pauses * 20.0, 0.2);
        let after = if self.pauses > 0.05 { 0.9 } else { 0.3 };
        scene.gauge(Kind::HeapAfterCollectionShare, &of, after, 0.03);
        scene.gauge(Kind::WorkersBusy, &of, steady.threads_busy, 0.02);
        scene.limit(Kind::WorkersMax, &of, self.threads);
        scene.counter(Kind::ServerRequests, &of, steady.rate, 0.1);
        scene.counter(
            Kind::ServerRequestTime,
            &of,
            steady.rate * steady.request,
            0.1,
        );
        if self.outside > 0.0 {
            let to = of.with(Label::Peer, "partner.example");
            scene.counter(Kind::OutsideCalls, &to, steady.rate, 0.1);
            scene.counter(Kind::OutsideCallTime, &to, steady.rate * self.outside, 0.1);
        }
    }

    pub(super) fn record_pool(&self, scene: &mut Scene) {
        let steady = self.steady();
        let of = Entity::new()
            .with(Label::Instance, "10.0.0.5:9000")
            .with(Label::Pool, "primary");
        scene.gauge(Kind::PoolActive, &of, steady.pool_used, 0.02);
        scene.gauge(Kind::PoolPending, &of, steady.pool_pending, 0.3);
        scene.limit(Kind::PoolMax, &of, self.pool);
        scene.counter(Kind::PoolHolds, &of, steady.rate, 0.1);
        scene.counter(Kind::PoolHoldTime, &of, steady.pool_used, 0.1);
    }

    /// What traces of a share of the requests tell.
    pub(super) fn record_traces(&self, scene: &mut Scene, traced: f64) {
        let steady = self.steady();
        let rate = steady.rate * traced;
        let wait = (steady.request - self.hold() - self.cpu).max(0.0);
        let held = if self.holds_outside {
            self.outside
        } else {
            0.0
        };
        for (band, part, slower) in [("typical", 0.95, 1.0), ("tail", 0.05, 2.0)] {
            let of = Entity::new().with(Label::Band, band);
            let rate = rate * part;
            let mut count = |kind, each: f64| scene.counter(kind, &of, rate * each, 0.05);
            count(Kind::TracedRequests, 1.0);
            count(Kind::TracedTime, steady.request + wait * (slower - 1.0));
            count(Kind::TracedPoolTime, wait * slower);
            count(Kind::TracedDatabaseTime, self.statements);
            count(Kind::TracedOutsideTime, self.outside);
            count(Kind::TracedHeldTime, held);
            count(Kind::TracedOwnTime, self.cpu);
            let sql = of.clone().with(Label::Statement, "select name from item");
            scene.counter(Kind::TracedSqlCalls, &sql, rate, 0.05);
            scene.counter(Kind::TracedSqlTime, &sql, rate * self.statements, 0.05);
            let call = of.with(Label::Peer, "partner.example:443");
            scene.counter(Kind::TracedCalls, &call, rate, 0.05);
            scene.counter(Kind::TracedCallTime, &call, rate * self.outside, 0.05);
        }
    }

    pub(super) fn record_database(&self, scene: &mut Scene) {
        let steady = self.steady();
        let any = Entity::new();
        let computing = steady.rate * self.statements * self.statement_cpu;
        scene.counter(
            Kind::DatabaseCpu,
            &any,
            computing.min(self.database_cores),
            0.1,
        );
        scene.limit(Kind::DatabaseCores, &any, self.database_cores);
        let outside = if self.holds_outside {
            self.outside
        } else {
            0.0
        };
        let idle = (steady.rate * outside).min(steady.pool_used);
        let lock_waiters = if self.lock > 0.0 {
            (steady.pool_used - 1.0).max(0.0)
        } else {
            0.0
        };
        let active = steady.pool_used - idle;
        scene.gauge(Kind::SessionsActive, &any, active, 0.05);
        scene.gauge(Kind::SessionsIdleInTransaction, &any, idle, 0.05);
        scene.gauge(Kind::SessionsWaitingForLock, &any, lock_waiters, 0.05);
        let waiting = (active - lock_waiters) * (1.0 - self.statement_cpu);
        scene.gauge(Kind::SessionsWaiting, &any, waiting.max(0.0), 0.05);
        scene.limit(Kind::SessionsMax, &any, 120.0);
        let parts = [
            (
                "select id from item group by kind order by avg(stars)",
                0.62,
            ),
            (
                "select id from item group by kind order by count(loads)",
                0.3,
            ),
            ("select name from kind", 0.08),
        ];
        for (text, part) in parts {
            let of = Entity::new().with(Label::Statement, text);
            scene.counter(Kind::StatementCalls, &of, steady.rate, 0.1);
            scene.counter(Kind::StatementTime, &of, active * part, 0.1);
            scene.counter(Kind::StatementRows, &of, steady.rate * 20.0, 0.1);
            scene.counter(Kind::StatementBlocks, &of, steady.rate * 500.0, 0.1);
        }
    }
}
