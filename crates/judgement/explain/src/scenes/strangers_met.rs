//! What was seen of a town of strangers and not known: calls that another server refuses, threads that only the kernel
//! shows, a heap that grows until the end, requests that callers gave up.

use loadline_record::signals::{Entity, Label, LineLevel, SignalKind as Kind, TargetSetting};
use loadline_text::{Catalog, Lang};

use super::{RuleId, SCENE_SECONDS, Scene};
use crate::{BottleneckPart, EvidenceGrade, ExplainedRun, Explanation, ExplanationAnswer, explain};

fn first(told: &Explanation) -> (ExplanationAnswer, RuleId, EvidenceGrade) {
    let first = &told.findings[0];
    (told.answer, first.rule, first.grade)
}

/// So many calls a second are made and refused by another server, while so many requests are answered and fail.
struct Refusing {
    calls: f64,
    refused: f64,
    answered: f64,
    failed: f64,
    peer: &'static str,
}

impl Refusing {
    fn explained(&self) -> Explanation {
        let mut scene = Scene::new(3);
        scene.callers(self.answered, self.failed, 60.0, 0.2);
        let of = Entity::new().with(Label::Peer, self.peer);
        scene.counter(Kind::OutsideCalls, &of, self.calls, 0.02);
        scene.counter(Kind::OutsideRefused, &of, self.refused, 0.02);
        explain(&scene.run(), &[])
    }
}

/// Seen: "27.5 % of the requests fail, most with status 502; why is not seen" beside a page that counted each call
/// that payments answered 429.
#[test]
fn calls_that_another_server_refuses_are_its_limit() {
    let siblings = [
        // One attempt a request.
        Refusing {
            calls: 40.0,
            refused: 15.0,
            answered: 25.0,
            failed: 15.0,
            peer: "payments",
        },
        // Each request tries three times before it fails.
        Refusing {
            calls: 70.0,
            refused: 45.0,
            answered: 25.0,
            failed: 15.0,
            peer: "10.0.0.9",
        },
        // Nearly all are refused.
        Refusing {
            calls: 90.0,
            refused: 80.0,
            answered: 10.0,
            failed: 80.0,
            peer: "pay.example",
        },
    ];
    for refusing in siblings {
        let told = refusing.explained();
        let expected = (
            ExplanationAnswer::Limited,
            RuleId::OutsideRefused,
            EvidenceGrade::A,
        );
        assert_eq!(first(&told), expected, "{}", refusing.peer);
        assert_eq!(told.findings[0].part, BottleneckPart::Outside);
    }
}

/// Seen: 85 % of the calls refused of a server whose counter of 429 began in the middle of the run.
#[test]
fn a_status_that_nobody_answered_before_was_answered_to_none() {
    let mut scene = Scene::new(3);
    scene.callers(40.0, 0.0, 60.0, 0.2);
    for window in &mut scene.windows[20..] {
        window.failed = window.requests * 0.75;
    }
    let of = Entity::new().with(Label::Peer, "payments");
    scene.counter(Kind::OutsideCalls, &of, 40.0, 0.02);
    for second in 20..SCENE_SECONDS {
        let since = f64::from(u32::try_from(second - 20).unwrap());
        let at = second * 1000 + 300;
        scene
            .signals
            .push(Kind::OutsideRefused, &of, at, 30.0 * since);
    }
    let told = explain(&scene.run(), &[]);
    assert_eq!(told.findings[0].rule, RuleId::OutsideRefused);
    assert_eq!(told.findings[0].grade, EvidenceGrade::A);
}

#[test]
fn a_few_refused_calls_are_no_reason_for_many_failures() {
    let few = Refusing {
        calls: 40.0,
        refused: 2.0,
        answered: 25.0,
        failed: 15.0,
        peer: "payments",
    };
    assert_ne!(few.explained().findings[0].rule, RuleId::OutsideRefused);
}

#[test]
fn refused_calls_are_not_sure_where_requests_are_answered_without_them() {
    // As many calls are answered well as before, and twice as many requests.
    let beside = Refusing {
        calls: 40.0,
        refused: 15.0,
        answered: 60.0,
        failed: 15.0,
        peer: "payments",
    };
    let told = beside.explained();
    assert_eq!(first(&told).2, EvidenceGrade::B);
}

#[test]
fn a_target_that_answers_all_loses_nothing_by_refused_calls() {
    let kept = Refusing {
        calls: 40.0,
        refused: 15.0,
        answered: 25.0,
        failed: 0.0,
        peer: "payments",
    };
    let told = kept.explained();
    assert_ne!(told.answer, ExplanationAnswer::Limited);
}

/// Users in loops at a server that forks: its processes accept by themselves.
struct Forking {
    processes: f64,
    users: f64,
    call_ms: f64,
    /// Looks at which the number of threads is one more.
    is_changing: bool,
}

impl Forking {
    fn run(&self) -> ExplainedRun {
        let mut scene = Scene::new(5);
        let workers = self.processes - 1.0;
        let rate = workers * 1000.0 / self.call_ms;
        scene.load.is_open = false;
        scene.load.users = self.users;
        scene.callers(rate, 0.0, self.users * 1000.0 / rate, 0.03);
        for window in &mut scene.windows {
            window.planned = 0.0;
        }
        let any = Entity::new();
        if self.is_changing {
            for second in 0..SCENE_SECONDS {
                let odd = f64::from(u32::try_from(second % 2).unwrap());
                let at = second * 1000 + 300;
                scene
                    .signals
                    .push(Kind::Threads, &any, at, self.processes + 3.0 * odd);
            }
        } else {
            scene.limit(Kind::Threads, &any, self.processes);
        }
        scene.gauge(Kind::AcceptQueue, &any, self.users - workers, 0.05);
        scene.counter(Kind::ProcessCpu, &any, 0.08, 0.05);
        scene.limit(Kind::CoresAvailable, &any, 2.0);
        let mut run = scene.run();
        let mut alike = loadline_metrics::Histogram::default();
        alike.record(self.call_ms);
        run.windows
            .iter()
            .for_each(|window| alike.merge(&window.durations));
        run.alike = Some(alike);
        run
    }
}

/// Seen: "the target serves about 13 at once; what limits it to 13 is not seen" of a server with 15 processes whose
/// kernel counted 29 connections that waited to be accepted.
#[test]
fn processes_that_are_all_taken_are_told_by_the_kernel() {
    for (processes, users) in [(16.0, 39.0), (5.0, 12.0), (33.0, 64.0), (12.0, 20.0)] {
        let forking = Forking {
            processes,
            users,
            call_ms: 440.0,
            is_changing: false,
        };
        let told = explain(&forking.run(), &[]);
        let expected = (
            ExplanationAnswer::Limited,
            RuleId::TooFewThreads,
            EvidenceGrade::A,
        );
        assert_eq!(first(&told), expected, "{processes} processes");
    }
}

/// Seen: "NO BOTTLENECK" of users in loops whose connections waited all along to be accepted by processes that waited for
/// another server.
#[test]
fn a_queue_at_the_door_that_is_never_empty_is_no_sign_of_room() {
    let slower = Forking {
        processes: 9.0,
        users: 14.0,
        call_ms: 300.0,
        is_changing: true,
    };
    let mut run = slower.run();
    let jobs = Entity::new().with(Label::Pool, "jobs");
    for second in 0..SCENE_SECONDS {
        run.signals
            .push(Kind::WorkersBusy, &jobs, second * 1000 + 300, 2.0);
        run.signals
            .push(Kind::WorkersMax, &jobs, second * 1000 + 300, 100.0);
    }
    assert_ne!(explain(&run, &[]).answer, ExplanationAnswer::NoBottleneck);
}

#[test]
fn threads_that_come_and_go_are_not_those_that_serve() {
    let other = Forking {
        processes: 16.0,
        users: 39.0,
        call_ms: 440.0,
        is_changing: true,
    };
    let told = explain(&other.run(), &[]);
    assert_ne!(told.findings[0].rule, RuleId::TooFewThreads);
}

/// A target that refuses all connections from second 20 on, with what its page said before.
fn dying(heap: impl Fn(f64) -> f64, collections: f64) -> Explanation {
    const BYTES_PER_MEBIBYTE: f64 = 1024.0 * 1024.0;
    let mut scene = Scene::new(7);
    scene.callers(20.0, 0.0, 15.0, 0.2);
    for window in &mut scene.windows[20..] {
        window.failed = window.requests;
        window.refused = window.requests;
    }
    let any = Entity::new();
    for second in 0..20_u32 {
        let at = u64::from(second) * 1000 + 300;
        let since = f64::from(second);
        scene
            .signals
            .push(Kind::HeapUsed, &any, at, heap(since) * BYTES_PER_MEBIBYTE);
        scene
            .signals
            .push(Kind::HeapMax, &any, at, 160.0 * BYTES_PER_MEBIBYTE);
        scene
            .signals
            .push(Kind::CollectionPauses, &any, at, collections * since);
    }
    explain(&scene.run(), &[])
}

/// Seen: "a target that stopped answering" of a JVM whose heap grew by 20 MB a second through ten collections a second.
#[test]
fn a_heap_that_grew_through_collections_until_the_end_ended_it() {
    let told = dying(|second| 4.0 + 7.8 * second, 10.0);
    assert_eq!(told.findings[0].rule, RuleId::OutOfMemory);
    assert_eq!(told.findings[0].grade, EvidenceGrade::B);
}

#[test]
fn a_heap_that_only_was_not_collected_yet_ends_nothing() {
    let uncollected = dying(|second| 4.0 + 7.8 * second, 0.0);
    assert_eq!(uncollected.findings[0].rule, RuleId::Down);
    let far_from_full = dying(|second| 4.0 + 2.0 * second, 10.0);
    assert_eq!(far_from_full.findings[0].rule, RuleId::Down);
}

/// Half of the requests are given up by their callers after 5 s; the target serves them, too.
#[test]
fn a_prediction_counts_what_callers_gave_up() {
    let mut scene = Scene::new(9);
    scene.callers(8.0, 7.0, 4_900.0, 0.02);
    let of = Entity::new().with(Label::Pool, "db");
    scene.limit(Kind::PoolActive, &of, 2.0);
    scene.limit(Kind::PoolMax, &of, 2.0);
    scene.gauge(Kind::PoolPending, &of, 60.0, 0.1);
    scene.counter(Kind::ServerRequests, &Entity::new(), 15.0, 0.02);
    let mut run = scene.run();
    run.statuses = [("200".to_owned(), 320.0), ("0".to_owned(), 280.0)].into();
    let told = explain(&run, &["pool=3".parse().unwrap()]);
    let predicted = told.predictions[0].rate.unwrap();
    assert!((predicted - 22.5).abs() < 1.5, "{predicted}");
}

/// Seen: "while the CPU is not used up" of a page without its process.
#[test]
fn a_late_loop_whose_cpu_is_not_seen_may_compute() {
    let mut scene = Scene::new(2);
    super::untuned::growing(&mut scene, 20.0);
    scene.gauge(Kind::EventLoopLag, &Entity::new(), 0.4, 0.05);
    let told = explain(&scene.run(), &[]);
    let words = Catalog::new(Lang::En).text(&told.findings[0].statement);
    assert_eq!(told.findings[0].rule, RuleId::EventLoop);
    assert!(words.contains("is not seen"), "{words}");
}

/// A log that says that another server refuses calls, for each request that fails.
#[test]
fn a_log_tells_of_refused_calls_in_the_words_of_each_stack() {
    let lines = [
        "error: GET /orders/{id} 502: payments answered 503",
        "ERROR c.shop.Pay - org.springframework.web.client.HttpClientErrorException$TooManyRequests: 429 Too Many Requests",
        "ERROR:app:requests.exceptions.HTTPError: 429 Client Error: Too Many Requests for url: https://pay.example/v1",
        "level=ERROR msg=\"pay failed\" err=\"unexpected status: 429 Too Many Requests\"",
    ];
    let cases = lines.map(|line| (line, LineLevel::Error, 1.0, EvidenceGrade::A));
    let retried = (lines[0], LineLevel::Warn, 1.0, EvidenceGrade::B);
    let some = (lines[0], LineLevel::Error, 0.7, EvidenceGrade::B);
    for (line, level, of_failed, grade) in cases.into_iter().chain([retried, some]) {
        let mut scene = Scene::new(3);
        scene.callers(25.0, 15.0, 60.0, 0.2);
        // They begin in the middle of the run.
        for window in &mut scene.windows[..15] {
            window.failed = 0.0;
        }
        let of = Entity::new()
            .with(Label::Line, line)
            .with(Label::Level, level.name());
        scene
            .signals
            .set(TargetSetting::new("log.sample", line, of.clone()));
        let mut count = 0.0;
        for (second, window) in (0..).zip(scene.windows.clone()) {
            scene
                .signals
                .push(Kind::LogLines, &of, second * 1000 + 300, count);
            count += of_failed * window.failed;
        }
        let told = explain(&scene.run(), &[]);
        let first = &told.findings[0];
        assert_eq!(
            (first.rule, first.grade),
            (RuleId::OutsideRefused, grade),
            "{line}"
        );
    }
}

/// Seen: "the target serves about 4 at once" of a target that answered all, beside others who took the cores from it and
/// from the generator for seconds.
#[test]
fn times_that_grow_are_no_sign_where_the_generator_had_to_wait_and_all_was_answered() {
    let told = |limits: Vec<loadline_record::Limit>| {
        let mut scene = Scene::new(4);
        for second in 0..SCENE_SECONDS {
            let late = if second < 14 { 1.0 } else { 12.0 };
            scene.callers(20.0, 0.0, 60.0 * late, 0.1);
            scene.windows.truncate(usize::try_from(second).unwrap() + 1);
        }
        for window in &mut scene.windows {
            window.planned = window.requests;
            window.iterations = window.requests;
        }
        let mut run = scene.run();
        run.generator_limits = limits;
        explain(&run, &[])
    };
    assert_eq!(told(Vec::new()).answer, ExplanationAnswer::UnknownLimit);
    let beside = told(vec![loadline_record::Limit::ReadLag]);
    assert_ne!(beside.answer, ExplanationAnswer::UnknownLimit);
}

/// Seen: grade A of a pool whose connections waited for a row, 163 ms each, where a request alone took as long with a call
/// beside its hold. Under a load that was too much from its first second nobody sees that they are held longer.
#[test]
fn connections_are_surely_the_limit_where_they_are_held_as_long_as_under_little_load() {
    const LITTLE_SECONDS: u64 = 12;
    let told = |hold_at_first: f64, asked_at_first: f64| {
        let mut scene = Scene::new(6);
        scene.callers(60.0, 0.0, 700.0, 0.05);
        let little = usize::try_from(LITTLE_SECONDS).unwrap();
        for window in &mut scene.windows {
            window.planned = 90.0;
            window.dropped = 30.0;
        }
        if asked_at_first < 60.0 {
            for window in scene.windows.iter_mut().take(little) {
                window.planned = asked_at_first;
                window.dropped = 0.0;
                window.requests = asked_at_first;
                window.iterations = asked_at_first;
                window.durations = loadline_metrics::Histogram::default();
                (0..10).for_each(|_| window.durations.record(140.0));
            }
        }
        let of = Entity::new().with(Label::Pool, "db");
        scene.limit(Kind::PoolActive, &of, 10.0);
        scene.limit(Kind::PoolMax, &of, 10.0);
        scene.gauge(Kind::PoolPending, &of, 32.0, 0.05);
        let (mut holds, mut time) = (0.0, 0.0);
        for second in 0..SCENE_SECONDS {
            let at = second * 1000 + 300;
            scene.signals.push(Kind::PoolHolds, &of, at, holds);
            scene.signals.push(Kind::PoolHoldTime, &of, at, time);
            let (lent, hold) = match second {
                0..LITTLE_SECONDS => (asked_at_first, hold_at_first),
                _ => (60.0, 0.163),
            };
            holds += lent;
            time += lent * hold;
        }
        let mut run = scene.run();
        let mut alike = loadline_metrics::Histogram::default();
        alike.record(140.0);
        run.windows
            .iter()
            .for_each(|window| alike.merge(&window.durations));
        run.alike = Some(alike);
        let first = explain(&run, &[]).findings.swap_remove(0);
        let said = loadline_text::Catalog::new(loadline_text::Lang::En).text(&first.statement);
        let is_sure = first.grade == EvidenceGrade::A;
        assert_eq!(
            said.contains("A request takes as long when nothing waits"),
            is_sure,
            "{said}"
        );
        (first.rule, first.grade)
    };
    assert_eq!(told(0.163, 10.0), (RuleId::PoolExhausted, EvidenceGrade::A));
    assert_eq!(told(0.163, 60.0), (RuleId::PoolExhausted, EvidenceGrade::B));
    assert_ne!(told(0.03, 10.0).1, EvidenceGrade::A);
    assert_ne!(told(0.03, 60.0).1, EvidenceGrade::A);
}
