//! The confusion table: which rule comes first for which truth, over many seeds and sizes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use loadline_record::signals::{Entity, Label, SignalKind as Kind};
use loadline_record::{DropCounts, Limit};

use super::backend::Backend;
use super::{Noise, Scene, explained, told};
use crate::explain::{CallerTimes, EvidenceGrade, ExplanationAnswer, RuleId, explain};

/// Seeds of each truth.
const SEEDS: u64 = 20;

type Made = fn(&mut Noise, u64) -> Scene;

fn instance(name: &str) -> Entity {
    Entity::new().with(Label::Instance, name)
}

/// The load is so many times what it carries.
fn overloaded(mut backend: Backend, by: f64) -> Backend {
    backend.offered = backend.capacity() * by;
    backend
}

fn held(noise: &mut Noise) -> Backend {
    let backend = Backend {
        outside: noise.between(0.2, 3.0),
        holds_outside: true,
        pool: noise.between(4.0, 40.0).round(),
        ..Backend::default()
    };
    overloaded(backend, 2.0)
}

fn database(noise: &mut Noise) -> Backend {
    let backend = Backend {
        statements: noise.between(0.02, 0.2),
        ..Backend::default()
    };
    overloaded(backend, 1.5)
}

fn small(noise: &mut Noise) -> Backend {
    let backend = Backend {
        statements: noise.between(0.05, 0.3),
        statement_cpu: 0.02,
        pool: noise.between(2.0, 8.0).round(),
        ..Backend::default()
    };
    overloaded(backend, 2.0)
}

fn computing(noise: &mut Noise) -> Backend {
    let backend = Backend {
        cpu: noise.between(0.005, 0.05),
        statements: 0.000_5,
        ..Backend::default()
    };
    overloaded(backend, 1.5)
}

fn few_threads(noise: &mut Noise) -> Backend {
    let backend = Backend {
        threads: noise.between(5.0, 40.0).round(),
        outside: noise.between(0.2, 2.0),
        ..Backend::default()
    };
    overloaded(backend, 2.0)
}

fn quota(noise: &mut Noise, seed: u64) -> Scene {
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

fn neighbour(noise: &mut Noise, seed: u64) -> Scene {
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
    backend.tell_process(&mut scene);
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

fn heap(noise: &mut Noise, seed: u64) -> Scene {
    let backend = Backend {
        pauses: noise.between(0.15, 0.5),
        cpu: 0.01,
        statements: 0.000_5,
        ..Backend::default()
    };
    overloaded(backend, 1.3).scene(seed)
}

fn lock(noise: &mut Noise, seed: u64) -> Scene {
    let backend = Backend {
        lock: noise.between(0.05, 0.5),
        ..Backend::default()
    };
    overloaded(backend, 2.0).scene(seed)
}

fn closed_slow_outside(noise: &mut Noise, seed: u64) -> Scene {
    let mut backend = Backend {
        outside: noise.between(0.3, 2.0),
        ..Backend::default()
    };
    backend.offered = 50.0 / backend.outside;
    let mut scene = backend.scene(seed);
    scene.load.is_open = false;
    scene
}

fn pausing_users(noise: &mut Noise, seed: u64) -> Scene {
    let pause = noise.between(1.0, 3.0);
    let backend = Backend {
        offered: 20.0,
        ..Backend::default()
    };
    let mut scene = backend.scene(seed);
    scene.load.is_open = false;
    scene.load.iterations = 20.0;
    scene.load.iteration_ms = pause * 1000.0 + backend.steady().request * 1000.0;
    scene.load.users = 20.0 * (pause + backend.steady().request);
    scene
}

fn weak_generator(_: &mut Noise, seed: u64) -> Scene {
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

fn one_row_at_a_time(noise: &mut Noise, seed: u64) -> Scene {
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
    scene.counter(Kind::StatementTime, &of, rate * rows * 0.000_15, 0.1);
    scene
}

fn no_index(noise: &mut Noise, seed: u64) -> Scene {
    let backend = database(noise);
    let mut scene = backend.callers(seed);
    backend.tell_process(&mut scene);
    backend.tell_pool(&mut scene);
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

fn full_queue(noise: &mut Noise, seed: u64) -> Scene {
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

fn blocked_loop(noise: &mut Noise, seed: u64) -> Scene {
    let mut scene = Scene::new(seed);
    scene.callers(40.0, 40.0, 900.0, 0.5);
    let of = instance("10.0.0.5:9000");
    scene.counter(Kind::ProcessCpu, &of, 0.1, 0.1);
    scene.limit(Kind::CoresAvailable, &of, 2.0);
    scene.gauge(Kind::EventLoopLag, &of, noise.between(0.04, 0.3), 0.4);
    scene
}

/// Everybody waits for the loops to take their request; the target's own times know nothing of it.
fn loop_that_sleeps(noise: &mut Noise, seed: u64) -> Scene {
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
fn waiting_code(noise: &mut Noise, seed: u64) -> Scene {
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
    backend.tell_pool(&mut scene);
    backend.tell_database(&mut scene);
    scene
}

fn full_redis(noise: &mut Noise, seed: u64) -> Scene {
    let mut scene = Backend::default().scene(seed);
    let used = noise.between(0.92, 0.99);
    scene.counter(Kind::RedisMainThreadCpu, &Entity::new(), used, 0.03);
    scene.counter(Kind::RedisCommands, &Entity::new(), 50_000.0, 0.1);
    scene
}

fn uneven(noise: &mut Noise, seed: u64) -> Scene {
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

fn far_away(noise: &mut Noise, seed: u64) -> Scene {
    let backend = Backend::default();
    let mut scene = Scene::new(seed);
    scene.callers(40.0, 0.0, noise.between(100.0, 300.0), 0.1);
    scene.load.is_open = false;
    backend.tell_process(&mut scene);
    scene
}

const TRUTHS: &[(RuleId, Made)] = &[
    (RuleId::PoolHeld, |n, s| held(n).scene(s)),
    (RuleId::DatabaseCpu, |n, s| database(n).scene(s)),
    (RuleId::PoolTooSmall, |n, s| small(n).scene(s)),
    (RuleId::TargetCpu, |n, s| computing(n).scene(s)),
    (RuleId::TooFewThreads, |n, s| few_threads(n).scene(s)),
    (RuleId::CpuQuota, quota),
    (RuleId::NoisyNeighbour, neighbour),
    (RuleId::HeapTooSmall, heap),
    (RuleId::RowLock, lock),
    (RuleId::SlowOutside, closed_slow_outside),
    (RuleId::ScriptCeiling, pausing_users),
    (RuleId::Generator, weak_generator),
    (RuleId::ManyStatements, one_row_at_a_time),
    (RuleId::MissingIndex, no_index),
    (RuleId::AcceptQueue, full_queue),
    (RuleId::EventLoop, blocked_loop),
    (RuleId::EventLoop, loop_that_sleeps),
    (RuleId::WaitsInside, waiting_code),
    (RuleId::RedisCpu, full_redis),
    (RuleId::UnevenLoad, uneven),
    (RuleId::NetworkDelay, far_away),
];

#[test]
fn each_truth_is_told_first() {
    let mut table: BTreeMap<(RuleId, &str), u64> = BTreeMap::new();
    let mut wrong = String::new();
    for (truth, made) in TRUTHS {
        for seed in 0..SEEDS {
            let mut noise = Noise::new(seed.wrapping_mul(77) + 5);
            let explanation = explained(made(&mut noise, seed));
            let first = explanation.findings.first();
            let name = first.map_or("nothing", |finding| finding.rule.name());
            *table.entry((*truth, name)).or_default() += 1;
            if first.is_none_or(|finding| finding.rule != *truth) {
                writeln!(wrong, "{truth:?} seed {seed}: {:?}", told(&explanation)).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}\n{table:?}");
}

#[test]
fn a_healthy_target_has_no_finding_and_says_up_to_which_rate() {
    for seed in 0..SEEDS {
        let mut noise = Noise::new(seed);
        let backend = Backend {
            offered: noise.between(20.0, 90.0),
            pool: noise.between(8.0, 30.0).round(),
            ..Backend::default()
        };
        let explanation = explained(backend.scene(seed));
        assert_eq!(told(&explanation), [], "seed {seed}");
        assert_eq!(explanation.answer, ExplanationAnswer::NoBottleneck);
        assert!((explanation.rate / backend.offered - 1.0).abs() < 0.1);
    }
}

#[test]
fn two_faults_are_both_named_in_the_order_in_which_they_limit() {
    for seed in 0..SEEDS {
        let mut noise = Noise::new(seed + 50);
        // The pool limits first; at twice its rate the target's own CPU would.
        let mut backend = Backend {
            outside: noise.between(0.3, 2.0),
            holds_outside: true,
            ..Backend::default()
        };
        let pool = backend.pool / (backend.outside + backend.statements);
        backend.cpu = backend.cores / (2.0 * pool);
        backend.offered = 1.8 * pool;
        let explanation = explained(backend.scene(seed));
        let rules: Vec<RuleId> = explanation.findings.iter().map(|f| f.rule).collect();
        assert_eq!(rules, [RuleId::PoolHeld, RuleId::NextLimit], "seed {seed}");
        let next = explanation.findings[1].ceiling.unwrap();
        assert!(
            (next / (2.0 * pool) - 1.0).abs() < 0.2,
            "{next} of {}",
            2.0 * pool
        );
    }
}

#[test]
fn what_is_seen_directly_has_grade_a() {
    let mut noise = Noise::new(3);
    for made in [held, database, small, computing] {
        let explanation = explained(made(&mut noise).scene(9));
        assert_eq!(explanation.findings[0].grade, EvidenceGrade::A);
    }
}

#[test]
fn a_full_line_is_told_when_large_answers_arrive_slowly_at_an_even_rate_of_bytes() {
    let mut scene = Scene::new(4);
    scene.callers(25.0, 0.0, 300.0, 0.3);
    scene.load.is_open = false;
    Backend::default().tell_process(&mut scene);
    let mut run = scene.run();
    for window in &mut run.windows {
        window.bytes = 2_500_000.0;
    }
    run.times = Some(CallerTimes {
        connecting: 0.0,
        waiting: 120.0,
        receiving: 180.0,
    });
    let explanation = explain(&run, &[]);
    assert_eq!(told(&explanation), [RuleId::NetworkBandwidth]);
}

#[test]
fn wrong_answers_are_a_note_even_when_nothing_limits() {
    let mut scene = Backend::default().scene(1);
    for window in &mut scene.windows {
        window.checks = 40.0;
        window.checks_failed = 8.0;
    }
    let explanation = explained(scene);
    assert_eq!(told(&explanation), [RuleId::WrongAnswers]);
    assert_eq!(explanation.answer, ExplanationAnswer::NoBottleneck);
}

#[test]
fn wrong_answers_are_told_before_a_generator_that_was_only_not_quiet() {
    let mut scene = Backend::default().scene(1);
    for window in &mut scene.windows {
        window.checks = 40.0;
        window.checks_failed = 8.0;
    }
    let mut run = scene.run();
    run.generator_limits = vec![Limit::Stalls];
    let explanation = explain(&run, &[]);
    assert_eq!(
        told(&explanation),
        [RuleId::WrongAnswers, RuleId::Generator]
    );
}

#[test]
fn threads_that_wait_for_a_core_do_not_hide_the_database_that_limits() {
    for seed in 0..SEEDS {
        let mut noise = Noise::new(seed + 70);
        let backend = database(&mut noise);
        let mut scene = backend.scene(seed);
        let of = instance("10.0.0.5:9000");
        // A fifth of the time that requests are inside.
        let delay = 0.2 * backend.steady().threads_busy;
        scene.counter(Kind::RunDelay, &of, delay, 0.1);
        let explanation = explained(scene);
        let rules: Vec<RuleId> = explanation.findings.iter().map(|f| f.rule).collect();
        assert_eq!(rules[0], RuleId::DatabaseCpu, "seed {seed}: {rules:?}");
        assert!(rules.contains(&RuleId::NoisyNeighbour), "seed {seed}");
    }
}

#[test]
fn a_busy_machine_is_no_finding_where_requests_hardly_wait_for_a_core() {
    for seed in 0..SEEDS {
        let mut noise = Noise::new(seed + 90);
        // Up to a tenth of what requests wait for elsewhere.
        let delay = |noise: &mut Noise, backend: &Backend| {
            backend.steady().threads_busy * noise.between(0.01, 0.1)
        };
        let backend = held(&mut noise);
        let mut scene = backend.scene(seed);
        let of = instance("10.0.0.5:9000");
        scene.counter(Kind::RunDelay, &of, delay(&mut noise, &backend), 0.1);
        let explanation = explained(scene);
        assert_eq!(told(&explanation), [RuleId::PoolHeld], "seed {seed}");
        let mut scene = waiting_code(&mut noise, seed);
        scene.counter(Kind::RunDelay, &of, 1.3, 0.1);
        let explanation = explained(scene);
        assert_eq!(told(&explanation), [RuleId::WaitsInside], "seed {seed}");
    }
}

#[test]
fn callers_who_are_not_let_in_send_again_which_is_no_loss_of_the_line() {
    let mut noise = Noise::new(4);
    let mut scene = full_queue(&mut noise, 4);
    scene.counter(Kind::SegmentsSent, &Entity::new(), 3000.0, 0.1);
    scene.counter(Kind::SegmentsResent, &Entity::new(), 60.0, 0.1);
    let explanation = explained(scene);
    assert_eq!(told(&explanation), [RuleId::AcceptQueue]);
}

#[test]
fn what_a_request_does_too_often_is_told_before_those_who_share_its_cores() {
    for seed in 0..SEEDS {
        let mut noise = Noise::new(seed + 110);
        let mut scene = one_row_at_a_time(&mut noise, seed);
        let of = instance("10.0.0.5:9000");
        let kept = std::mem::take(&mut scene.signals);
        for series in kept.series() {
            // The target gets six tenths of its cores.
            if series.kind != Kind::ProcessCpu {
                scene.signals.add(series);
            }
        }
        scene.counter(Kind::ProcessCpu, &of, 1.2, 0.05);
        scene.counter(Kind::RunDelay, &of, 30.0, 0.1);
        let explanation = explained(scene);
        let rules: Vec<RuleId> = explanation.findings.iter().map(|f| f.rule).collect();
        assert_eq!(rules[0], RuleId::ManyStatements, "seed {seed}: {rules:?}");
    }
}
