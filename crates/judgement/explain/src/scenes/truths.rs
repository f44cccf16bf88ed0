//! Targets with one fault each, in many sizes.

use loadline_record::DropCounts;
use loadline_record::signals::{Entity, Label, SignalKind as Kind, Signals};

use super::backend::Backend;
use super::{Noise, Scene};

pub(super) fn instance(name: &str) -> Entity {
    Entity::new().with(Label::Instance, name)
}

/// The load is so many times what it carries.
pub(super) fn overloaded(mut backend: Backend, by: f64) -> Backend {
    backend.offered = backend.capacity() * by;
    backend
}

pub(super) fn held(noise: &mut Noise) -> Backend {
    let backend = Backend {
        outside: noise.between(0.2, 3.0),
        holds_outside: true,
        pool: noise.between(4.0, 40.0).round(),
        ..Backend::default()
    };
    overloaded(backend, 2.0)
}

pub(super) fn database(noise: &mut Noise) -> Backend {
    let backend = Backend {
        statements: noise.between(0.02, 0.2),
        ..Backend::default()
    };
    overloaded(backend, 1.5)
}

pub(super) fn small(noise: &mut Noise) -> Backend {
    let backend = Backend {
        statements: noise.between(0.05, 0.3),
        statement_cpu: 0.02,
        pool: noise.between(2.0, 8.0).round(),
        ..Backend::default()
    };
    overloaded(backend, 2.0)
}

pub(super) fn computing(noise: &mut Noise) -> Backend {
    let backend = Backend {
        cpu: noise.between(0.005, 0.05),
        statements: 0.000_5,
        ..Backend::default()
    };
    overloaded(backend, 1.5)
}

pub(super) fn few_threads(noise: &mut Noise) -> Backend {
    let backend = Backend {
        threads: noise.between(5.0, 40.0).round(),
        outside: noise.between(0.2, 2.0),
        ..Backend::default()
    };
    overloaded(backend, 2.0)
}

pub(super) fn quota(noise: &mut Noise, seed: u64) -> Scene {
    let backend = Backend {
        cores: noise.between(0.3, 1.0),
        cpu: 0.02,
        statements: 0.000_5,
        ..Backend::default()
    };
    let mut scene = overloaded(backend, 1.5).scene(seed);
    let of = instance("10.0.0.5:9000");
    scene.counter(Kind::QuotaPeriods, &of, 10.0, 0.0);
    scene.counter(Kind::ThrottledPeriods, &of, noise.between(5.0, 10.0), 0.1);
    scene.counter(Kind::ThrottledTime, &of, 0.5, 0.2);
    scene
}

pub(super) fn neighbour(noise: &mut Noise, seed: u64) -> Scene {
    let mut backend = overloaded(
        Backend {
            cpu: noise.between(0.005, 0.03),
            statements: 0.000_5,
            ..Backend::default()
        },
        1.5,
    );
    // Half of the cores go to somebody else.
    backend.cores = 1.0;
    let mut scene = backend.callers(seed);
    backend.record_process(&mut scene);
    let of = instance("10.0.0.5:9000");
    let mut fresh = Scene::new(seed + 1000);
    std::mem::swap(&mut fresh.signals, &mut scene.signals);
    let kept = fresh.signals.series().to_vec();
    for series in kept.iter().filter(|s| s.kind != Kind::CoresAvailable) {
        scene.signals.add(series);
    }
    scene.limit(Kind::CoresAvailable, &of, 2.0);
    let delay = backend.steady().threads_busy * noise.between(0.3, 0.9);
    scene.counter(Kind::RunDelay, &of, delay, 0.2);
    scene
}

pub(super) fn heap(noise: &mut Noise, seed: u64) -> Scene {
    let backend = Backend {
        pauses: noise.between(0.15, 0.5),
        cpu: 0.01,
        statements: 0.000_5,
        ..Backend::default()
    };
    overloaded(backend, 1.3).scene(seed)
}

pub(super) fn lock(noise: &mut Noise, seed: u64) -> Scene {
    let backend = Backend {
        lock: noise.between(0.05, 0.5),
        ..Backend::default()
    };
    overloaded(backend, 2.0).scene(seed)
}

pub(super) fn closed_slow_outside(noise: &mut Noise, seed: u64) -> Scene {
    let mut backend = Backend {
        outside: noise.between(0.3, 2.0),
        ..Backend::default()
    };
    backend.offered = 50.0 / backend.outside;
    let mut scene = backend.scene(seed);
    scene.load.is_open = false;
    scene
}

pub(super) fn pausing_users(noise: &mut Noise, seed: u64) -> Scene {
    let pause = noise.between(1.0, 3.0);
    let backend = Backend {
        offered: 20.0,
        ..Backend::default()
    };
    let mut scene = backend.scene(seed);
    scene.load.is_open = false;
    for window in &mut scene.windows {
        window.iterations = window.requests;
    }
    scene.load.iteration_ms = pause * 1000.0 + backend.steady().request * 1000.0;
    scene.load.users = 20.0 * (pause + backend.steady().request);
    scene
}

pub(super) fn weak_generator(_: &mut Noise, seed: u64) -> Scene {
    let mut scene = Backend::default().scene(seed);
    for window in &mut scene.windows {
        window.planned = 200.0;
        window.dropped = 160.0;
    }
    scene.load.drops = DropCounts {
        late: 6400,
        ..DropCounts::default()
    };
    scene
}

pub(super) fn one_row_at_a_time(noise: &mut Noise, seed: u64) -> Scene {
    let rows = noise.between(20.0, 200.0).round();
    let backend = overloaded(
        Backend {
            cpu: rows * 0.000_2,
            statements: rows * 0.000_15,
            ..Backend::default()
        },
        1.5,
    );
    let mut scene = backend.scene(seed);
    let rate = backend.steady().rate;
    let of = Entity::new().with(Label::Statement, "select name from person where id = $1");
    scene.counter(Kind::StatementCalls, &of, rate * rows, 0.1);
    // Each waits for the database's core with the others of the pool.
    let waiting = backend.steady().pool_used;
    scene.counter(
        Kind::StatementTime,
        &of,
        rate * rows * 0.000_15 * waiting,
        0.1,
    );
    scene
}

pub(super) fn no_index(noise: &mut Noise, seed: u64) -> Scene {
    let backend = database(noise);
    let mut scene = backend.callers(seed);
    backend.record_process(&mut scene);
    backend.record_pool(&mut scene);
    let any = Entity::new();
    let rate = backend.steady().rate;
    scene.counter(Kind::DatabaseCpu, &any, 0.97, 0.03);
    scene.limit(Kind::DatabaseCores, &any, 1.0);
    let of = Entity::new().with(
        Label::Statement,
        "select place from favourite where member = $1",
    );
    scene.counter(Kind::StatementCalls, &of, rate, 0.1);
    scene.counter(Kind::StatementTime, &of, 8.0, 0.1);
    scene.counter(Kind::StatementRows, &of, rate * 15.0, 0.1);
    scene.counter(
        Kind::StatementBlocks,
        &of,
        rate * noise.between(800.0, 4000.0),
        0.1,
    );
    scene
}

/// The same with a database that counts rows and no blocks.
pub(super) fn no_index_by_rows(noise: &mut Noise, seed: u64) -> Scene {
    let mut scene = no_index(noise, seed);
    let mut signals = Signals::default();
    for series in scene.signals.series() {
        let kind = match series.kind {
            Kind::StatementBlocks => Kind::StatementExamined,
            kind => kind,
        };
        for point in series.points() {
            // A page holds many rows.
            let value = match kind {
                Kind::StatementExamined => 50.0 * point.value,
                _ => point.value,
            };
            signals.push(kind, &series.entity, point.at_ms, value);
        }
    }
    scene.signals = signals;
    scene
}

pub(super) fn full_queue(noise: &mut Noise, seed: u64) -> Scene {
    let mut scene = Backend::default().scene(seed);
    let of = instance("10.0.0.5:9000");
    scene.gauge(Kind::Connections, &of, 20.0, 0.0);
    scene.limit(Kind::ConnectionsMax, &of, 20.0);
    scene.counter(
        Kind::AcceptQueueOverflows,
        &of,
        noise.between(1.0, 20.0),
        0.3,
    );
    for window in &mut scene.windows {
        window.failed = window.requests * 0.3;
    }
    scene
}

pub(super) fn full_files(noise: &mut Noise, seed: u64) -> Scene {
    let mut scene = Backend::default().scene(seed);
    let of = instance("10.0.0.5:9000");
    let most = noise.between(60.0, 1_024.0).round();
    scene.limit(Kind::OpenFiles, &of, most);
    scene.limit(Kind::OpenFilesMax, &of, most);
    for window in &mut scene.windows {
        window.failed = window.requests * 0.3;
    }
    scene
}

pub(super) fn blocked_loop(noise: &mut Noise, seed: u64) -> Scene {
    let mut scene = Scene::new(seed);
    scene.callers(40.0, 40.0, 900.0, 0.5);
    let of = instance("10.0.0.5:9000");
    scene.counter(Kind::ProcessCpu, &of, 0.1, 0.1);
    scene.limit(Kind::CoresAvailable, &of, 2.0);
    scene.gauge(Kind::EventLoopLag, &of, noise.between(0.04, 0.3), 0.4);
    scene
}

/// Everybody waits for the loops to take their request; the target's own times know nothing of it.
pub(super) fn loop_that_sleeps(noise: &mut Noise, seed: u64) -> Scene {
    let mut scene = Scene::new(seed);
    scene.callers(40.0, 0.0, 900.0, 0.1);
    scene.load.is_open = false;
    let of = instance("10.0.0.5:9000");
    scene.counter(Kind::ProcessCpu, &of, 0.1, 0.1);
    scene.limit(Kind::CoresAvailable, &of, 2.0);
    scene.counter(Kind::ServerRequests, &of, 40.0, 0.1);
    scene.counter(Kind::ServerRequestTime, &of, 40.0 * 0.06, 0.1);
    scene.gauge(Kind::EventLoopBlocked, &of, noise.between(0.75, 0.98), 0.02);
    scene
}

/// Requests wait in the target's own code, such as for a lock, beside much smaller work.
pub(super) fn waiting_code(noise: &mut Noise, seed: u64) -> Scene {
    let users = noise.between(20.0, 120.0).round();
    let wait = noise.between(0.1, 1.0);
    let mut backend = Backend {
        offered: users / wait,
        cpu: 0.000_5,
        statements: 0.002,
        ..Backend::default()
    };
    backend.offered = backend.offered.min(0.5 * backend.capacity());
    let rate = backend.offered;
    let mut scene = Scene::new(seed);
    scene.callers(rate, 0.0, wait * 1000.0, 0.1);
    scene.load.is_open = false;
    let of = instance("10.0.0.5:9000");
    scene.counter(Kind::ProcessCpu, &of, rate * backend.cpu, 0.1);
    scene.limit(Kind::CoresAvailable, &of, 2.0);
    scene.counter(Kind::ServerRequests, &of, rate, 0.1);
    scene.counter(Kind::ServerRequestTime, &of, rate * wait * 0.98, 0.1);
    scene.gauge(Kind::WorkersBusy, &of, rate * wait, 0.02);
    scene.limit(Kind::WorkersMax, &of, 400.0);
    backend.record_pool(&mut scene);
    backend.record_database(&mut scene);
    scene
}

pub(super) fn full_redis(noise: &mut Noise, seed: u64) -> Scene {
    let mut scene = Backend::default().scene(seed);
    let used = noise.between(0.92, 0.99);
    scene.counter(Kind::RedisMainThreadCpu, &Entity::new(), used, 0.03);
    scene.counter(Kind::RedisCommands, &Entity::new(), 50_000.0, 0.1);
    scene
}

pub(super) fn uneven(noise: &mut Noise, seed: u64) -> Scene {
    let backend = small(noise);
    let mut scene = backend.callers(seed);
    let steady = backend.steady();
    for (name, part, used, pending) in [
        ("10.0.0.5:9000", 0.9, backend.pool, 30.0),
        ("10.0.0.6:9000", 0.1, backend.pool * 0.1, 0.0),
    ] {
        let of = instance(name).with(Label::Pool, "primary");
        scene.counter(
            Kind::ServerRequests,
            &instance(name),
            steady.rate * part,
            0.1,
        );
        scene.gauge(Kind::PoolActive, &of, used, 0.02);
        scene.gauge(Kind::PoolPending, &of, pending, 0.2);
        scene.limit(Kind::PoolMax, &of, backend.pool);
    }
    scene.gauge(
        Kind::SessionsActive,
        &Entity::new(),
        backend.pool * 1.1,
        0.05,
    );
    scene
}

pub(super) fn far_away(noise: &mut Noise, seed: u64) -> Scene {
    let backend = Backend::default();
    let mut scene = Scene::new(seed);
    scene.callers(40.0, 0.0, noise.between(100.0, 300.0), 0.1);
    scene.load.is_open = false;
    backend.record_process(&mut scene);
    scene
}
