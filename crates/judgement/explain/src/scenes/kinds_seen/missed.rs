//! Row 12: what was not told at all.

use loadline_metrics::Histogram;
use loadline_record::signals::{Entity, Label, SignalKind as Kind};

use super::super::logs::{Often, log};
use super::super::{RuleId, Scene};
use super::{Row, Says, Sibling, healthy, overloaded, page};

/// Requests of each second, by how long each takes, ms, for its moment of the second and its number.
fn timed(seed: u64, rate: u32, ms: impl Fn(f64, u32, u32) -> f64) -> Scene {
    let mut scene = Scene::new(seed);
    scene.callers(f64::from(rate), 0.0, 5.0, 0.2);
    let mut windows = std::mem::take(&mut scene.windows);
    for (second, window) in (0_u32..).zip(&mut windows) {
        window.requests = f64::from(rate);
        window.durations = Histogram::default();
        for number in 0..rate {
            let moment = 1000.0 * scene.noise.even();
            window.durations.record(ms(moment, number, second));
        }
    }
    scene.windows = windows;
    scene
}

fn alike(name: &'static str, scene: Scene, says: impl Into<Vec<Says>>) -> Sibling {
    let mut case = Sibling::new(name, scene, says);
    let mut all = Histogram::default();
    case.run
        .windows
        .iter()
        .for_each(|window| all.merge(&window.durations));
    case.run.alike = Some(all);
    case
}

pub(super) fn what_was_missed() -> Row {
    let tail = timed(
        121,
        40,
        |_, number, _| {
            if number % 20 == 0 { 1_500.0 } else { 5.0 }
        },
    );
    let stops = timed(122, 100, |moment, number, _| {
        2.0 + 0.01 * f64::from(number % 10) + (80.0 - moment).max(0.0)
    });
    let warming = timed(123, 40, |_, _, second| {
        15.0 + 200.0 * (-f64::from(second) / 8.0).exp()
    });
    Row::new(
        12,
        [
            alike(
                "a slow tail, 5 % of ids at 1.5 s",
                tail,
                [Says::Told(RuleId::SlowTail)],
            ),
            alike(
                "a loop blocked 80 ms each second",
                stops,
                [Says::Told(RuleId::PeriodicStops)],
            ),
            alike("a cache that warms", warming, [Says::Told(RuleId::Warming)]),
            refusing("429 of its own", 124, "429"),
            bounded_queue(),
            nginx_limit(),
            growing_heap(),
            pool_by_words(),
        ],
    )
}

fn refusing(name: &'static str, seed: u64, status: &str) -> Sibling {
    let mut scene = Scene::new(seed);
    scene.callers(30.0, 15.0, 8.0, 0.2);
    let mut case = Sibling::new(name, scene, [Says::First(RuleId::Refused)]);
    case.run.statuses = [("200".to_owned(), 1_200.0), (status.to_owned(), 600.0)].into();
    case
}

fn bounded_queue() -> Sibling {
    let mut scene = Scene::new(125);
    scene.callers(20.0, 12.0, 400.0, 0.2);
    let jobs = Entity::new().with(Label::Pool, "jobs");
    scene.limit(Kind::WorkersBusy, &jobs, 4.0);
    scene.limit(Kind::WorkersMax, &jobs, 4.0);
    scene.gauge(Kind::WorkersQueue, &jobs, 7.8, 0.02);
    scene.limit(Kind::WorkersQueueMax, &jobs, 8.0);
    scene.counter(Kind::WorkersRefused, &jobs, 12.0, 0.05);
    page(&mut scene, 32.0, 0.4, 0.1);
    let mut case = Sibling::new(
        "a bounded queue that is full, Java",
        scene,
        [Says::First(RuleId::TooFewThreads)],
    );
    case.run.statuses = [("200".to_owned(), 800.0), ("503".to_owned(), 480.0)].into();
    case
}

fn nginx_limit() -> Sibling {
    let mut scene = Scene::new(126);
    scene.callers(30.0, 15.0, 8.0, 0.2);
    for window in &mut scene.windows[..12] {
        window.failed = 0.0;
    }
    log(
        &mut scene,
        "2026/11/24 00:00:01 [error] 12#12: *1 limiting requests, excess: 5.1 by zone \"one\"",
        Often::ForEachFailure(1.0),
    );
    let mut case = Sibling::new(
        "a limit of nginx, 503 and its log",
        scene,
        [Says::Told(RuleId::Refused)],
    );
    case.run.statuses = [("200".to_owned(), 1_200.0), ("503".to_owned(), 600.0)].into();
    case
}

fn growing_heap() -> Sibling {
    let mut scene = healthy(127, "jvm.version");
    for window in &mut scene.windows[25..] {
        window.failed = window.requests;
        window.refused = window.requests;
    }
    for second in 0..25_u32 {
        let (at, since) = (u64::from(second) * 1000 + 300, f64::from(second));
        let any = Entity::new();
        scene
            .signals
            .push(Kind::HeapUsed, &any, at, 1e7 + 6e6 * since);
        scene.signals.push(Kind::HeapMax, &any, at, 1.6e8);
        scene
            .signals
            .push(Kind::CollectionPauses, &any, at, 8.0 * since);
    }
    Sibling::new(
        "memory that grows until death",
        scene,
        [Says::First(RuleId::OutOfMemory)],
    )
}

fn pool_by_words() -> Sibling {
    let mut scene = Scene::new(128);
    scene.callers(25.0, 0.0, 1_500.0, 0.1);
    overloaded(&mut scene, 2.0);
    let pool = Entity::new().with(Label::Pool, "pg_pool");
    scene.limit(Kind::PoolActive, &pool, 5.0);
    scene.limit(Kind::PoolMax, &pool, 5.0);
    scene.gauge(Kind::PoolPending, &pool, 31.0, 0.05);
    page(&mut scene, 25.0, 1.4, 0.1);
    Sibling::new(
        "pg-pool's gauges",
        scene,
        [Says::Told(RuleId::PoolExhausted)],
    )
}
