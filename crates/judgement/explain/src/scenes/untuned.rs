//! Faults of back ends that no rule was made for, as they were seen: what was reported wrongly, or not at all.

use loadline_metrics::Histogram;
use loadline_record::signals::{Entity, Label, SignalKind as Kind};
use loadline_text::{Catalog, Lang};

use super::{SCENE_SECONDS, Scene, explained, found_rules};
use crate::{
    BottleneckPart, CallerTimes, EvidenceGrade, Explanation, ExplanationAnswer, FindingRole, RuleId,
};

pub(super) fn first_words(explanation: &Explanation) -> String {
    Catalog::new(Lang::En).text(&explanation.findings[0].statement)
}

/// Twice what is carried is asked for, so each second waits half a second longer.
pub(super) fn growing(scene: &mut Scene, answered: f64) {
    for second in 0..SCENE_SECONDS {
        let seconds = f64::from(u32::try_from(second).unwrap());
        scene.callers(answered, 0.0, 400.0 + 500.0 * seconds, 0.05);
        scene.windows.truncate(usize::try_from(second).unwrap() + 1);
    }
    for window in &mut scene.windows {
        window.planned = 2.0 * answered;
    }
}

/// Seen: "serves about 71 at once, 3,716 ms each" of a target that serves one at a time, because all starts
/// that found no free user were counted as dropped in the last second.
#[test]
fn starts_that_are_given_up_at_the_end_make_no_second_the_busiest() {
    let mut scene = Scene::new(1);
    growing(&mut scene, 20.0);
    let last = scene.windows.last_mut().unwrap();
    last.planned = 300.0;
    last.dropped = 280.0;
    let explanation = explained(scene);
    assert_eq!(found_rules(&explanation), [RuleId::UnknownLimit]);
    assert!(
        explanation.window.1 - explanation.window.0 >= 35.0,
        "{:?}",
        explanation.window
    );
}

/// Seen: "failed requests 34 %" of a run without a failed request.
#[test]
fn requests_that_are_cut_when_the_load_ends_have_not_failed() {
    let mut scene = Scene::new(1);
    growing(&mut scene, 20.0);
    for window in &mut scene.windows {
        (0..10).for_each(|_| window.cut.record(9_000.0));
    }
    let explanation = explained(scene);
    let of = |name: &str| {
        let mut all = explanation.findings[0].evidence.iter();
        all.find(|one| one.name == name).map(|one| one.value)
    };
    assert_eq!(of("failed"), None);
    assert!(of("cut").is_some_and(|cut| (0.2..0.5).contains(&cut)));
}

/// Starts go on at twice the rate of five places of 400 ms; the first requests of the run took that long.
#[test]
fn the_fastest_requests_of_a_queue_that_grows_tell_how_many_are_served_at_once() {
    let alike = |first: &[f64]| {
        let mut scene = Scene::new(1);
        growing(&mut scene, 12.5);
        let mut run = scene.run();
        let mut all = Histogram::new();
        let later = (0..400_u32).map(|at| 450.0 + 25.0 * f64::from(at));
        first
            .iter()
            .copied()
            .chain(later)
            .for_each(|ms| all.record(ms));
        run.alike = Some(all);
        crate::explain(&run, &[])
    };
    let same = alike(&[400.0, 402.0, 404.0, 410.0]);
    assert_eq!(found_rules(&same), [RuleId::ServedAtOnce]);
    assert!(
        first_words(&same).contains("about 5 at once"),
        "{}",
        first_words(&same)
    );
    // Requests of many lengths say nothing.
    assert_eq!(
        found_rules(&alike(&[120.0, 160.0, 240.0, 330.0])),
        [RuleId::UnknownLimit]
    );
    // Two at once of 150 ms, which the first two took; seen: "by something that is not seen".
    let two = alike(&[150.0, 153.0, 260.0, 300.0]);
    assert!(
        first_words(&two).contains("about 2 at once"),
        "{}",
        first_words(&two)
    );
    // One at a time, of 80 ms.
    assert!(first_words(&alike(&[80.0])).contains("about 1 at once"));
    assert_eq!(found_rules(&alike(&[8.0])), [RuleId::UnknownLimit]);
}

#[test]
fn a_target_that_waits_is_told_to_wait() {
    let mut scene = Scene::new(1);
    growing(&mut scene, 20.0);
    scene.counter(Kind::ProcessCpu, &Entity::new(), 0.02, 0.05);
    scene.limit(Kind::CoresAvailable, &Entity::new(), 2.0);
    let explanation = explained(scene);
    assert_eq!(explanation.answer, ExplanationAnswer::UnknownLimit);
    assert!(first_words(&explanation).contains("mostly waits"));
}

/// Seen: "mostly waits" of a loop that a call blocks: its own page counts 50 ms, 20 times a second.
#[test]
fn what_a_target_counts_of_a_request_tells_how_many_it_serves_while_the_queue_before_it_grows() {
    let inside = |seconds: f64| {
        let mut scene = Scene::new(1);
        growing(&mut scene, 20.0);
        scene.counter(Kind::ServerRequests, &Entity::new(), 20.0, 0.05);
        scene.counter(
            Kind::ServerRequestTime,
            &Entity::new(),
            20.0 * seconds,
            0.05,
        );
        scene.counter(Kind::ProcessCpu, &Entity::new(), 0.02, 0.05);
        scene.limit(Kind::CoresAvailable, &Entity::new(), 2.0);
        explained(scene)
    };
    let one = inside(0.05);
    assert_eq!(found_rules(&one), [RuleId::ServedAtOnce]);
    let words = first_words(&one);
    assert!(words.contains("about 1 at once"), "{words}");
    // So little that it serves none most of the time: something before it limits.
    assert_eq!(found_rules(&inside(0.005)), [RuleId::UnknownLimit]);
}

/// A connection for each request: told, and as slow where connecting takes much of the time.
#[test]
fn connections_that_are_not_kept_are_told() {
    let of = |connecting: f64, opened: f64, users: f64| {
        let mut scene = Scene::new(1);
        scene.callers(40.0, 0.0, 15.0, 0.1);
        let mut run = scene.run();
        run.load.users = users;
        run.times = Some(CallerTimes {
            connecting,
            opened,
            requests: 1600.0,
            ..CallerTimes::default()
        });
        crate::explain(&run, &[])
    };
    let roles = |explanation: &Explanation| {
        let all = explanation.findings.iter();
        all.map(|one| (one.rule, one.role)).collect::<Vec<_>>()
    };
    let rule = RuleId::ConnectionsOfCallers;
    assert_eq!(roles(&of(0.1, 1600.0, 20.0)), [(rule, FindingRole::Notice)]);
    assert_eq!(roles(&of(12.0, 1600.0, 20.0)), [(rule, FindingRole::Slow)]);
    // Each user needs one or some.
    assert_eq!(roles(&of(0.1, 1600.0, 400.0)), []);
    assert_eq!(roles(&of(0.1, 100.0, 2.0)), []);
}

/// Seen: "something that is not seen" of answers that say it themselves.
#[test]
fn answers_that_say_too_many_requests_are_told() {
    let mut scene = Scene::new(1);
    scene.callers(40.0, 40.0, 15.0, 0.1);
    let mut run = scene.run();
    run.statuses = [("200", 1600.0), ("429", 1600.0)]
        .map(|(status, count)| (status.to_owned(), count))
        .into();
    let explanation = crate::explain(&run, &[]);
    assert_eq!(found_rules(&explanation), [RuleId::Refused]);
    assert_eq!(explanation.findings[0].grade, EvidenceGrade::A);
}

/// Seen: "limited at 7.81/s by something that is not seen" of a process that had run out of memory.
#[test]
fn a_target_that_ended_during_the_run_is_told_with_the_second_and_its_last_words() {
    let mut scene = Scene::new(1);
    scene.callers(30.0, 0.0, 10.0, 0.1);
    for window in scene.windows.iter_mut().skip(9) {
        window.failed = window.requests;
    }
    let line = Entity::new().with(Label::Line, "FATAL ERROR: JavaScript heap out of memory");
    for second in 0..SCENE_SECONDS {
        let count = if second >= 9 { 1.0 } else { 0.0 };
        scene
            .signals
            .push(Kind::LogLines, &line, second * 1000 + 300, count);
    }
    let explanation = explained(scene);
    let first = &explanation.findings[0];
    assert_eq!(
        (first.rule, first.part),
        (RuleId::OutOfMemory, BottleneckPart::Memory)
    );
    assert!(
        first_words(&explanation).contains("second 9"),
        "{}",
        first_words(&explanation)
    );
    assert_eq!(first.logged.len(), 1);
}

fn stalling(computes: bool) -> Scene {
    let mut scene = Scene::new(1);
    scene.callers(20.0, 0.0, 12.0, 0.1);
    let cpu = Entity::new();
    let mut used = 0.0;
    for second in 0..SCENE_SECONDS {
        scene
            .signals
            .push(Kind::ProcessCpu, &cpu, second * 1000, used);
        used += if computes && second % 10 < 2 {
            1.0
        } else {
            0.05
        };
    }
    scene.limit(Kind::CoresAvailable, &cpu, 2.0);
    for (at, window) in scene.windows.iter_mut().enumerate() {
        match at % 10 {
            0 | 1 if at > 1 => {
                window.requests = 0.0;
                window.durations = Histogram::new();
            }
            2 if at > 2 => (0..40_u32).for_each(|n| window.durations.record(50.0 * f64::from(n))),
            _ => {}
        }
    }
    // The target counts a request from when its code begins.
    scene.counter(Kind::ServerRequests, &cpu, 20.0, 0.0);
    scene.counter(Kind::ServerRequestTime, &cpu, 0.24, 0.0);
    scene
}

/// Seen: "the way to the target takes 338 ms" (grade B) of an event loop that a job stopped every 10 s.
#[test]
fn a_target_that_stops_again_and_again_is_no_long_way() {
    let words = |computes| {
        let explanation = explained(stalling(computes));
        assert_eq!(
            found_rules(&explanation),
            [RuleId::Stalls],
            "{}",
            first_words(&explanation)
        );
        let advice = &explanation.findings[0].advice[0];
        Catalog::new(Lang::En).text(&advice.action)
    };
    assert!(words(true).contains("computes"));
    assert!(words(false).contains("lock"));
}

/// A target on two cores that answers at most `rate`/s, is stopped for this share of the time, and uses `cpu` cores.
fn collecting(rate: f64, stopped: f64, cpu: f64) -> Scene {
    let mut scene = Scene::new(1);
    growing(&mut scene, rate);
    let any = Entity::new();
    scene.counter(Kind::CollectionPauseTime, &any, stopped, 0.05);
    scene.counter(Kind::ProcessCpu, &any, cpu, 0.05);
    scene.limit(Kind::CoresAvailable, &any, 2.0);
    scene
}

/// Seen: "the heap is too small" (grade B) of a Go program that did nothing, on a machine whose cores others used.
#[test]
fn pauses_without_cpu_time_are_no_small_heap() {
    let paused = |cpu: f64| found_rules(&explained(collecting(20.0, 0.128, cpu)));
    assert_eq!(paused(0.012), [RuleId::UnknownLimit]);
    assert_eq!(paused(1.2), [RuleId::HeapTooSmall]);
}

/// Seen: 8.8 % of the time, the old generation full after each collection, p95 twenty times that of a large heap.
#[test]
fn a_heap_that_is_full_after_collections_is_too_small_before_they_take_a_tenth_of_the_time() {
    let paused = |after: f64| {
        let mut scene = collecting(300.0, 0.088, 0.4);
        scene.gauge(Kind::HeapAfterCollectionShare, &Entity::new(), after, 0.001);
        found_rules(&explained(scene)).contains(&RuleId::HeapTooSmall)
    };
    assert!(paused(0.99));
    assert!(!paused(0.8));
}

/// Seen: "use 2 cores" of threads that spin on a lock, of which two do nine times as much as a hundred.
#[test]
fn fewer_threads_are_to_be_tried_before_more_cores_where_many_compete() {
    let advised = |busy: f64| {
        let mut scene = Scene::new(1);
        scene.callers(29.0, 0.0, 1000.0 * busy / 29.0, 0.1);
        scene.load.is_open = false;
        let any = Entity::new();
        scene.counter(Kind::ProcessCpu, &any, 1.0, 0.01);
        scene.limit(Kind::CoresAvailable, &any, 1.0);
        scene.gauge(Kind::WorkersBusy, &any, busy, 0.02);
        scene.limit(Kind::WorkersMax, &any, 200.0);
        let explanation = explained(scene);
        assert_eq!(explanation.findings[0].rule, RuleId::TargetCpu);
        let advice = explanation.findings[0].advice.iter();
        let words: Vec<String> = advice
            .map(|one| Catalog::new(Lang::En).text(&one.action))
            .collect();
        (
            words.iter().position(|one| one.contains("threads")),
            words.len(),
        )
    };
    assert_eq!(advised(60.0), (Some(1), 3));
    assert_eq!(advised(4.0), (None, 2));
}

/// Seen: 100 ms each over 2.7 % of the time, p95 79 ms with a mean of 10 ms, and nothing was said of the collector.
#[test]
fn pauses_that_make_the_tail_are_told_and_short_ones_are_not() {
    let paused = |each: f64, stopped: f64| {
        let mut scene = Scene::new(1);
        scene.callers(100.0, 0.0, 10.0, 0.1);
        let of = Entity::new().with(Label::Collector, "MarkSweepCompact");
        scene.counter(Kind::CollectionPauseTime, &of, stopped, 0.05);
        scene.counter(Kind::CollectionPauses, &of, stopped / each, 0.05);
        let findings = explained(scene).findings;
        findings
            .iter()
            .any(|finding| finding.rule == RuleId::LongPauses)
    };
    assert!(paused(0.1, 0.027));
    assert!(paused(0.3, 0.003), "seldom, but long");
    assert!(!paused(0.1, 0.004), "0.4 % of the requests");
    assert!(!paused(0.012, 0.027), "about as long as a request");
}

/// Seen: a pool of Go's database/sql was not reported, which counts waiting time and not who waits.
#[test]
fn waiting_time_for_a_pool_tells_how_many_wait() {
    let mut scene = Scene::new(1);
    growing(&mut scene, 16.0);
    let pool = Entity::new().with(Label::Pool, "shop");
    scene.limit(Kind::PoolActive, &pool, 5.0);
    scene.limit(Kind::PoolMax, &pool, 5.0);
    scene.counter(Kind::PoolAcquireTime, &pool, 40.0, 0.1);
    assert_eq!(found_rules(&explained(scene)), [RuleId::PoolExhausted]);
}

/// Seen: silence of what the log alone said.
#[test]
fn a_log_that_says_the_pool_is_empty_tells_the_pool() {
    let mut scene = Scene::new(1);
    scene.callers(10.0, 12.0, 1_700.0, 0.1);
    for window in scene.windows.iter_mut().take(13) {
        window.failed = 0.0;
    }
    let line = Entity::new().with(Label::Line, "ERROR timeout exceeded when trying to connect");
    for second in 0..SCENE_SECONDS {
        let count = 12.0 * f64::from(u32::try_from(second.saturating_sub(13)).unwrap());
        scene
            .signals
            .push(Kind::LogLines, &line, second * 1000 + 300, count);
    }
    let explanation = explained(scene);
    assert_eq!(found_rules(&explanation), [RuleId::PoolExhausted]);
    let first = &explanation.findings[0];
    assert_eq!((first.grade, first.logged.len()), (EvidenceGrade::B, 1));
    assert!(
        first_words(&explanation).contains("second 13"),
        "{}",
        first_words(&explanation)
    );
}

/// An asyncio target whose pool has no spans: statements before and after an outside call of 400 ms.
#[test]
fn calls_between_statements_are_told_where_no_span_shows_the_pool() {
    let mut scene = Scene::new(1);
    growing(&mut scene, 12.0);
    let any = Entity::new();
    for (kind, rate) in [
        (Kind::TracedRequests, 12.0),
        (Kind::TracedTime, 12.0 * 8.4),
        (Kind::TracedOwnTime, 12.0 * 8.0),
        (Kind::TracedDatabaseTime, 12.0 * 0.008),
        (Kind::TracedOutsideTime, 12.0 * 0.4),
        (Kind::TracedHeldTime, 12.0 * 0.4),
    ] {
        scene.counter(kind, &any, rate, 0.05);
    }
    let explanation = explained(scene);
    assert_eq!(found_rules(&explanation), [RuleId::PoolHeld]);
    assert_eq!(explanation.findings[0].grade, EvidenceGrade::C);
    assert!(
        first_words(&explanation).starts_with("About 5 "),
        "{}",
        first_words(&explanation)
    );
}

/// Seen: "the pool is too small, and the database has room" (grade A) of five sessions that shared one core,
/// because other programs used the others.
#[test]
fn a_database_whose_sessions_want_more_cpu_than_they_get_has_no_room() {
    let pooled = |waiting: f64| {
        let mut scene = Scene::new(1);
        growing(&mut scene, 73.0);
        let pool = Entity::new().with(Label::Pool, "shop");
        scene.limit(Kind::PoolActive, &pool, 5.0);
        scene.limit(Kind::PoolMax, &pool, 5.0);
        scene.limit(Kind::PoolPending, &pool, 40.0);
        let any = Entity::new();
        scene.limit(Kind::SessionsActive, &any, 5.0);
        scene.limit(Kind::SessionsWaiting, &any, waiting);
        scene.counter(Kind::DatabaseCpu, &any, 1.03, 0.05);
        scene.limit(Kind::DatabaseCores, &any, 2.0);
        explained(scene)
    };
    let starved = pooled(0.1);
    assert_eq!(found_rules(&starved), [RuleId::PoolExhausted]);
    assert_eq!(starved.findings[0].advice.len(), 1, "it is observed");
    assert_eq!(found_rules(&pooled(4.0)), [RuleId::PoolTooSmall]);
}

/// Seen: "by something that is not seen" of a log that said 355 times what it was.
#[test]
fn a_log_that_says_a_server_cannot_be_reached_tells_it() {
    let mut scene = Scene::new(1);
    scene.callers(0.0, 10.0, 7_000.0, 0.1);
    let line = Entity::new().with(
        Label::Line,
        "ERROR call failed: SocketTimeoutException: Connect timed out",
    );
    // The exception below it says the same again.
    let below = Entity::new().with(Label::Line, "SocketTimeoutException: Connect timed out");
    for second in 0..SCENE_SECONDS {
        let count = f64::from(u32::try_from(10 * second).unwrap());
        for line in [&line, &below] {
            scene
                .signals
                .push(Kind::LogLines, line, second * 1000 + 300, count);
        }
    }
    let explanation = explained(scene);
    assert_eq!(explanation.findings[0].logged.len(), 1);
    assert_eq!(found_rules(&explanation), [RuleId::OutsideUnreachable]);
    assert_eq!(explanation.findings[0].part, BottleneckPart::Outside);
}

/// Seen: "why they are held is not seen" beside the statement that took all of the time.
#[test]
fn a_pool_held_by_statements_says_so() {
    let mut scene = Scene::new(1);
    growing(&mut scene, 60.0);
    let pool = Entity::new().with(Label::Pool, "shop");
    scene.limit(Kind::PoolActive, &pool, 5.0);
    scene.limit(Kind::PoolMax, &pool, 5.0);
    scene.limit(Kind::PoolPending, &pool, 40.0);
    let statement = Entity::new().with(Label::Statement, "select count(*) from events");
    scene.counter(Kind::StatementCalls, &statement, 60.0, 0.05);
    scene.counter(Kind::StatementTime, &statement, 4.7, 0.05);
    scene.counter(Kind::DatabaseCpu, &Entity::new(), 1.03, 0.05);
    scene.limit(Kind::DatabaseCores, &Entity::new(), 2.0);
    let explanation = explained(scene);
    let first = &explanation.findings[0];
    assert_eq!(
        (first.rule, first.grade),
        (RuleId::PoolExhausted, EvidenceGrade::B)
    );
    assert!(first_words(&explanation).contains("in statements"));
}

/// Seen: "NO SIGN OF A LIMIT", and no finding, of a target that answered nobody for 1.5 s of every 5 s: no full second was
/// without an answer.
#[test]
fn stops_that_leave_no_second_without_an_answer_are_told_by_who_waited() {
    let mut scene = Scene::new(9);
    scene.callers(20.0, 0.0, 12.0, 0.1);
    for (at, window) in scene.windows.iter_mut().enumerate() {
        match at % 5 {
            // It stops in the middle of a second, and all are answered in the first tenth of the next but one.
            3 => window.requests = 6.0,
            4 => {
                window.requests = 34.0;
                (0..28_u32).for_each(|n| window.durations.record(40.0 * f64::from(n + 1)));
            }
            _ => {}
        }
    }
    assert_eq!(found_rules(&explained(scene)), [RuleId::Stalls]);
    // One request in ten that takes a second is another kind of work.
    let mut scene = Scene::new(9);
    scene.callers(20.0, 0.0, 12.0, 0.1);
    for window in &mut scene.windows {
        (0..2).for_each(|_| window.durations.record(1_100.0));
    }
    assert!(!found_rules(&explained(scene)).contains(&RuleId::Stalls));
}
