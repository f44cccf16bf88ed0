//! The confusion table: which rule comes first for which truth, over many seeds and sizes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use loadline_analysis::compare::ComparedWindow;
use loadline_record::Limit;
use loadline_record::signals::{Entity, SignalKind as Kind};

use super::backend::Backend;
use super::truths::{
    blocked_loop, closed_slow_outside, computing, database, far_away, few_threads, full_files,
    full_queue, full_redis, heap, held, instance, lock, loop_that_sleeps, neighbour, no_index,
    no_index_by_rows, one_row_at_a_time, pausing_users, quota, small, uneven, waiting_code,
    weak_generator,
};
use super::{Noise, Scene, explained, found_rules};
use crate::{
    BottleneckPart, CallerTimes, EvidenceGrade, ExplanationAnswer, GivenObjective,
    ObjectiveMeasure, RuleId, explain,
};

/// Seeds of each truth.
const SEEDS_PER_TRUTH: u64 = 20;

type Made = fn(&mut Noise, u64) -> Scene;

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
    (RuleId::MissingIndex, no_index_by_rows),
    (RuleId::AcceptQueue, full_queue),
    (RuleId::OpenFiles, full_files),
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
        for seed in 0..SEEDS_PER_TRUTH {
            let mut noise = Noise::new(seed.wrapping_mul(77) + 5);
            let explanation = explained(made(&mut noise, seed));
            let first = explanation.findings.first();
            let name = first.map_or("nothing", |finding| finding.rule.name());
            *table.entry((*truth, name)).or_default() += 1;
            if first.is_none_or(|finding| finding.rule != *truth) {
                writeln!(
                    wrong,
                    "{truth:?} seed {seed}: {:?}",
                    found_rules(&explanation)
                )
                .unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}\n{table:?}");
}

/// What cannot open one file more answers 503: that is no limit of its own.
#[test]
fn answers_of_a_target_without_files_left_are_its_files() {
    let mut noise = Noise::new(6);
    let mut run = full_files(&mut noise, 6).run();
    run.statuses = [("200", 0.7), ("503", 0.3)]
        .map(|(status, share)| (status.to_owned(), 1_000.0 * share))
        .into();
    let told = explain(&run, &[]);
    let rules: Vec<RuleId> = told.findings.iter().map(|one| one.rule).collect();
    assert_eq!(rules, [RuleId::OpenFiles]);
}

#[test]
fn a_healthy_target_has_no_finding_and_says_up_to_which_rate() {
    for seed in 0..SEEDS_PER_TRUTH {
        let mut noise = Noise::new(seed);
        let backend = Backend {
            offered: noise.between(20.0, 90.0),
            pool: noise.between(8.0, 30.0).round(),
            ..Backend::default()
        };
        let explanation = explained(backend.scene(seed));
        assert_eq!(found_rules(&explanation), [], "seed {seed}");
        assert_eq!(explanation.answer, ExplanationAnswer::NoBottleneck);
        assert!((explanation.rate / backend.offered - 1.0).abs() < 0.1);
    }
}

/// Seen: "NO BOTTLENECK up to 35.8 requests/s" of starts of which most ended long after the load.
#[test]
fn where_fewer_end_than_begin_room_is_not_seen() {
    let mut scene = Backend::default().scene(3);
    for window in &mut scene.windows {
        window.iterations = 0.9 * window.planned;
    }
    assert_eq!(explained(scene).answer, ExplanationAnswer::NoSign);
}

#[test]
fn two_faults_are_both_named_in_the_order_in_which_they_limit() {
    for seed in 0..SEEDS_PER_TRUTH {
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
fn threads_that_all_wait_for_the_pool_are_told_as_the_next_limit() {
    for seed in 0..SEEDS_PER_TRUTH {
        let mut noise = Noise::new(seed + 150);
        // The pool limits first; at 1.3 to 2 times its rate the threads would.
        let mut backend = Backend {
            pool: noise.between(4.0, 25.0).round(),
            outside: noise.between(0.3, 2.0),
            holds_outside: true,
            ..Backend::default()
        };
        backend.threads = (backend.pool * noise.between(1.3, 2.0)).round() + 1.0;
        let hold = backend.outside + backend.statements;
        backend.cpu = 0.001;
        backend.offered = 2.0 * backend.pool / hold;
        let explanation = explained(backend.scene(seed));
        let rules: Vec<RuleId> = explanation.findings.iter().map(|f| f.rule).collect();
        assert_eq!(rules, [RuleId::PoolHeld, RuleId::NextLimit], "seed {seed}");
        let next = &explanation.findings[1];
        assert_eq!(next.part, BottleneckPart::Threads);
        let law = backend.threads / hold;
        assert!((next.ceiling.unwrap() / law - 1.0).abs() < 0.2, "{next:?}");
    }
}

#[test]
fn a_neighbour_who_takes_a_fifth_of_the_time_does_not_hide_where_the_rest_goes() {
    for seed in 0..SEEDS_PER_TRUTH {
        let mut noise = Noise::new(seed + 170);
        let mut scene = waiting_code(&mut noise, seed);
        let busy = scene.signals.of_kind(Kind::WorkersBusy).next();
        let (of, busy) = busy
            .map(|series| (series.entity.clone(), series.points()[0].value))
            .unwrap();
        scene.counter(Kind::RunDelay, &of, 0.2 * busy, 0.1);
        let explanation = explained(scene);
        assert_eq!(
            found_rules(&explanation)[0],
            RuleId::WaitsInside,
            "seed {seed}"
        );
    }
}

/// Of two iterations each the ends are half of what was seen.
#[test]
fn a_run_of_few_iterations_says_nothing_of_pauses() {
    let is_told = |seconds: usize| {
        let mut scene = pausing_users(&mut Noise::new(3), 3);
        scene.load.iteration_ms = 4400.0;
        scene.windows.truncate(seconds);
        found_rules(&explained(scene)).contains(&RuleId::ScriptCeiling)
    };
    assert!(is_told(40));
    assert!(!is_told(9));
}

/// Seen: "users that pause 140 ms each time" of users that pause 100 ms, whose generator was stopped for 2 s.
#[test]
fn a_stop_of_the_generator_is_no_pause_of_its_users() {
    let pause = |stops: bool| {
        let mut scene = pausing_users(&mut Noise::new(3), 3);
        let users = scene.load.users;
        scene
            .windows
            .iter_mut()
            .for_each(|window| window.users = users);
        if stops {
            for second in [4, 14, 24] {
                let stood_still = ComparedWindow {
                    users,
                    ..ComparedWindow::default()
                };
                scene.windows[second + 1] = stood_still.clone();
                scene.windows[second] = ComparedWindow {
                    own_delay_ms: 2_000.0,
                    ..stood_still
                };
            }
            scene.load.iteration_ms *= 40.0 / 34.0;
        }
        let told = explained(scene);
        let mut findings = told.findings.iter();
        let ceiling = findings.find(|one| one.rule == RuleId::ScriptCeiling);
        let evidence = &ceiling.expect("the users' own rate").evidence;
        let pause = evidence.iter().find(|one| one.name == "pause");
        pause.expect("the pause").value
    };
    let (stopped, free) = (pause(true), pause(false));
    assert!((stopped / free - 1.0).abs() < 0.05, "{stopped} {free}");
}

#[test]
fn overflows_of_a_machine_are_not_those_of_a_target_whose_queue_is_empty() {
    let mut scene = Backend::default().scene(9);
    scene.counter(Kind::AcceptQueueOverflows, &Entity::new(), 3.0, 0.3);
    scene.gauge(Kind::AcceptQueue, &Entity::new(), 0.0, 0.0);
    assert_eq!(found_rules(&explained(scene)), []);
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
    let backend = Backend {
        offered: 25.0,
        ..Backend::default()
    };
    backend.record_process(&mut scene);
    let mut run = scene.run();
    for window in &mut run.windows {
        window.bytes = 2_500_000.0;
    }
    run.times = Some(CallerTimes {
        connecting: 0.0,
        waiting: 120.0,
        receiving: 180.0,
        ..CallerTimes::default()
    });
    let explanation = explain(&run, &[]);
    assert_eq!(found_rules(&explanation), [RuleId::NetworkBandwidth]);
}

#[test]
fn wrong_answers_are_a_note_even_when_nothing_limits() {
    let mut scene = Backend::default().scene(1);
    for window in &mut scene.windows {
        window.checks = 40.0;
        window.checks_failed = 8.0;
    }
    let explanation = explained(scene);
    assert_eq!(found_rules(&explanation), [RuleId::WrongAnswers]);
    assert_eq!(explanation.answer, ExplanationAnswer::NoBottleneck);
}

/// Seen: "LIMITED, by something that is not seen" of a target with 12 % of its CPU used, as a threshold on checks was missed.
#[test]
fn a_goal_of_checks_that_wrong_answers_miss_is_no_limit() {
    let told = |failed_of_40: [f64; 2]| {
        let mut scene = Backend::default().scene(1);
        let half = scene.windows.len() / 2;
        for (at, window) in scene.windows.iter_mut().enumerate() {
            window.checks = 40.0;
            window.checks_failed = failed_of_40[usize::from(at >= half)];
        }
        let mut run = scene.run();
        run.objectives.push(GivenObjective {
            text: "checks rate>=1".to_owned(),
            measure: ObjectiveMeasure::ChecksFailed,
            most: 0.0,
            endpoint: None,
            is_of_starts: false,
            verdict: None,
        });
        explain(&run, &[])
    };
    let explanation = told([8.0, 8.0]);
    assert_eq!(found_rules(&explanation), [RuleId::WrongAnswers]);
    assert_eq!(explanation.answer, ExplanationAnswer::Failing);
    assert_ne!(told([0.0, 0.0]).answer, ExplanationAnswer::Failing);
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
        found_rules(&explanation),
        [RuleId::WrongAnswers, RuleId::Generator]
    );
    assert_eq!(explanation.answer, ExplanationAnswer::NotValid);
}

#[test]
fn threads_that_wait_for_a_core_do_not_hide_the_database_that_limits() {
    for seed in 0..SEEDS_PER_TRUTH {
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
    for seed in 0..SEEDS_PER_TRUTH {
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
        assert_eq!(found_rules(&explanation), [RuleId::PoolHeld], "seed {seed}");
        let mut scene = waiting_code(&mut noise, seed);
        scene.counter(Kind::RunDelay, &of, 1.3, 0.1);
        let explanation = explained(scene);
        assert_eq!(
            found_rules(&explanation),
            [RuleId::WaitsInside],
            "seed {seed}"
        );
    }
}

#[test]
fn callers_who_are_not_let_in_send_again_which_is_no_loss_of_the_line() {
    let mut noise = Noise::new(4);
    let mut scene = full_queue(&mut noise, 4);
    scene.counter(Kind::SegmentsSent, &Entity::new(), 3000.0, 0.1);
    scene.counter(Kind::SegmentsResent, &Entity::new(), 60.0, 0.1);
    let explanation = explained(scene);
    assert_eq!(found_rules(&explanation), [RuleId::AcceptQueue]);
}

#[test]
fn what_a_request_does_too_often_is_told_before_those_who_share_its_cores() {
    for seed in 0..SEEDS_PER_TRUTH {
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

/// Seen: a pool said to be held for nothing, grade A, because what its sessions were sent waited for a core of the
/// database.
#[test]
fn sessions_of_a_busy_database_are_no_idle_ones() {
    let backend = Backend {
        offered: 400.0,
        statements: 0.004,
        ..Backend::default()
    };
    let mut scene = backend.scene(3);
    scene.gauge(Kind::SessionsIdleInTransaction, &Entity::new(), 9.0, 0.02);
    let rules = found_rules(&explained(scene));
    assert_eq!(rules.first(), Some(&RuleId::DatabaseCpu));
    assert!(!rules.contains(&RuleId::PoolHeld), "{rules:?}");
}

/// Seen: "the test allows only 50 users, while the target had room" beside a heap that was too small.
#[test]
fn users_are_not_too_few_where_the_target_limits() {
    let scene = |pauses: f64| {
        let mut scene = Scene::new(2);
        scene.callers(240.0, 0.0, 100.0, 0.1);
        scene.load.users = 50.0;
        scene.load.drops.no_free_user = 60 * 40;
        for window in &mut scene.windows {
            window.planned = 300.0;
            window.dropped = 60.0;
        }
        scene.counter(Kind::ProcessCpu, &Entity::new(), 0.5, 0.05);
        scene.limit(Kind::CoresAvailable, &Entity::new(), 2.0);
        scene.gauge(Kind::WorkersBusy, &Entity::new(), 20.0, 0.05);
        scene.limit(Kind::WorkersMax, &Entity::new(), 200.0);
        scene.counter(Kind::CollectionPauseTime, &Entity::new(), pauses, 0.05);
        scene.gauge(Kind::HeapAfterCollectionShare, &Entity::new(), 0.98, 0.01);
        found_rules(&explained(scene))
    };
    assert_eq!(scene(0.28), [RuleId::HeapTooSmall]);
    assert_eq!(scene(0.01), [RuleId::UserLimit]);
}
