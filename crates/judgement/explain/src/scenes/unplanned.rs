//! Faults of back ends written after the rules: locks, disks, retries, cores that are shared.

use loadline_metrics::Histogram;
use loadline_record::signals::{Entity, Label, SignalKind as Kind};

use super::untuned::{first_words, growing};
use super::{Scene, explained, found_rules};
use crate::{BottleneckPart, EvidenceGrade, FindingRole, RuleId};

/// Seen: "no sign of a limit up to 209/s" of a lock that lets one of 30 users in, who all began at once.
#[test]
fn users_in_loops_who_wait_for_each_other_from_the_start_on_are_seen_to() {
    let of = |first_ms: f64, later_ms: f64| {
        let mut scene = Scene::new(1);
        scene.load.is_open = false;
        scene.load.users = 30.0;
        scene.callers(210.0, 0.0, later_ms, 0.05);
        for number in 1..=30 {
            scene.windows[0]
                .durations
                .record(first_ms * f64::from(number));
        }
        for window in &mut scene.windows {
            window.planned = 0.0;
        }
        let mut run = scene.run();
        let mut alike = Histogram::default();
        for window in &run.windows {
            alike.merge(&window.durations);
        }
        run.alike = Some(alike);
        crate::explain(&run, &[])
    };
    let explanation = of(4.8, 143.0);
    assert_eq!(found_rules(&explanation), [RuleId::ServedAtOnce]);
    assert!(
        first_words(&explanation).contains("about 1 at once"),
        "{}",
        first_words(&explanation)
    );
    // Later requests are as quick as the first of all.
    assert_eq!(found_rules(&of(4.8, 12.0)), []);
}

/// Seen: "something else uses the target's cores" of a target that waits for its disk.
#[test]
fn a_target_that_waits_for_its_disk_is_told_to() {
    let of = |waiting: f64, delay: f64| {
        let mut scene = Scene::new(1);
        scene.load.is_open = false;
        scene.load.users = 20.0;
        scene.callers(396.0, 0.0, 50.4, 0.1);
        scene.counter(Kind::ProcessCpu, &Entity::new(), 0.17, 0.05);
        scene.limit(Kind::CoresAvailable, &Entity::new(), 2.0);
        scene.counter(Kind::RunDelay, &Entity::new(), delay, 0.05);
        scene.gauge(Kind::StorageWaiters, &Entity::new(), waiting, 0.05);
        explained(scene)
    };
    let explanation = of(0.9, 0.876);
    assert_eq!(found_rules(&explanation), [RuleId::StorageWait]);
    assert_eq!(explanation.findings[0].part, BottleneckPart::Storage);
    // A small part of the requests' time, and no disk.
    assert_eq!(found_rules(&of(0.05, 0.876)), []);
}

/// One wording of a log, so often a second.
fn logging(scene: &mut Scene, text: &str, rate: f64) {
    let line = Entity::new().with(Label::Line, text);
    scene.counter(Kind::LogLines, &line, rate, 0.0);
}

/// Seen: nothing but the load of the machine, of a log full of "database is locked".
#[test]
fn a_log_that_says_requests_wait_for_a_lock_in_vain_tells_it() {
    let of = |text: &str, rate: f64| {
        let mut scene = Scene::new(1);
        scene.callers(24.0, 20.0, 400.0, 0.05);
        logging(&mut scene, text, rate);
        explained(scene)
    };
    let locked = "sqlite3.OperationalError: database is locked";
    let explanation = of(locked, 20.0);
    assert_eq!(found_rules(&explanation), [RuleId::RowLock]);
    assert_eq!(explanation.findings[0].grade, EvidenceGrade::B);
    assert_eq!(explanation.findings[0].logged.len(), 1);
    // A number of its own is no cause, and is told as what it is.
    let rare = of(locked, 0.5);
    assert_eq!(
        found_rules(&rare),
        [RuleId::UnknownLimit, RuleId::LogErrors]
    );
    assert_eq!(rare.findings[1].role, FindingRole::Notice);
}

/// Seen: "the target mostly waits; what for is not seen" of a log full of "trying again".
#[test]
fn a_log_that_says_calls_are_made_again_and_again_tells_it() {
    let of = |rate: f64| {
        let mut scene = Scene::new(1);
        growing(&mut scene, 30.0);
        // Each request tries several times.
        let of = Entity::new().with(Label::Line, "WARN payment answered 429, trying again");
        let mut count = 0.0;
        for (second, window) in (0..).zip(&scene.windows) {
            scene
                .signals
                .push(Kind::LogLines, &of, second * 1000 + 300, count);
            count += window.requests * rate / 30.0;
        }
        explained(scene)
    };
    let explanation = of(600.0);
    assert_eq!(found_rules(&explanation), [RuleId::Retries]);
    let words = first_words(&explanation);
    assert!(
        words.contains("tried again") && words.contains("times a request"),
        "{words}"
    );
    // Some are made again.
    let some = of(10.0);
    assert_eq!(found_rules(&some), [RuleId::UnknownLimit, RuleId::Retries]);
    assert_eq!(some.findings[1].role, FindingRole::Notice);
}

/// Seen: "what limits is not seen" of a target that computes on all cores but for the little that others take.
#[test]
fn cores_that_are_nearly_used_up_while_threads_wait_for_the_rest_are() {
    let of = |delay: f64| {
        let mut scene = Scene::new(1);
        growing(&mut scene, 85.0);
        scene.counter(Kind::ProcessCpu, &Entity::new(), 1.73, 0.01);
        scene.limit(Kind::CoresAvailable, &Entity::new(), 2.0);
        scene.counter(Kind::RunDelay, &Entity::new(), delay, 0.02);
        found_rules(&explained(scene))
    };
    assert_eq!(of(0.23), [RuleId::TargetCpu]);
    assert_eq!(of(0.02), [RuleId::UnknownLimit]);
}

/// Seen: "all threads (2) compute while cores are free", grade A, on two cores that others used, too.
#[test]
fn cores_are_not_free_where_threads_wait_for_them() {
    let of = |used: f64, delay: f64| {
        let mut scene = Scene::new(1);
        growing(&mut scene, 80.0);
        scene.counter(Kind::ProcessCpu, &Entity::new(), used, 0.01);
        scene.limit(Kind::CoresAvailable, &Entity::new(), 2.0);
        scene.counter(Kind::RunDelay, &Entity::new(), delay, 0.02);
        scene.gauge(Kind::WorkersBusy, &Entity::new(), 2.0, 0.0);
        scene.limit(Kind::WorkersMax, &Entity::new(), 2.0);
        explained(scene)
    };
    let shared = of(1.66, 0.33);
    assert_eq!(shared.findings[0].rule, RuleId::TargetCpu);
    assert_eq!(shared.findings[0].grade, EvidenceGrade::B);
    assert!(!found_rules(&shared).contains(&RuleId::TooFewThreads));
    assert_eq!(of(1.5, 0.02).findings[0].rule, RuleId::TooFewThreads);
}

/// Seen: "NO BOTTLENECK up to 99.3 requests/s" of five seconds with 150 starts each, of which a third was answered after the
/// load, and times grew to 2.7 s.
#[test]
fn a_queue_that_grows_is_seen_in_a_short_run() {
    for seconds in [5_u32, 6, 8] {
        let window = |second: u32| {
            let mut window = loadline_analysis::compare::ComparedWindow {
                planned: 150.0,
                planned_rate: 150.0,
                requests: 100.0,
                iterations: 100.0,
                users: 50.0,
                ..Default::default()
            };
            for at in 0..100 {
                window
                    .durations
                    .record(50.0 + 5.0 * f64::from(100 * second + at));
            }
            window
        };
        let run = crate::ExplainedRun {
            windows: (0..seconds).map(window).collect(),
            load: crate::ExplainedLoad {
                is_open: true,
                users: 50.0,
                ..Default::default()
            },
            ..Default::default()
        };
        let told = crate::explain(&run, &[]);
        assert_eq!(
            told.answer,
            crate::ExplanationAnswer::UnknownLimit,
            "{seconds}"
        );
    }
}

/// Seen: "NO BOTTLENECK up to 35.8 requests/s" of users who ask for two things each, the second of which was answered in
/// batches, the last ones long after the load: what ended late in the load was quick.
#[test]
fn requests_that_end_after_the_load_are_of_the_seconds_in_which_they_began() {
    let mut windows = Vec::new();
    for second in 0..46_u32 {
        let is_load = second < 22;
        let mut window = loadline_analysis::compare::ComparedWindow {
            planned: if is_load { 28.0 } else { 0.0 },
            planned_rate: if is_load { 28.0 } else { 0.0 },
            users: 400.0,
            ..Default::default()
        };
        if is_load {
            window.requests += 28.0;
            (0..28).for_each(|_| window.durations.record(1.0));
        }
        // All that began since the last batch and were in it.
        let batch = match second {
            1 => 0..1,
            3 => 1..3,
            7 => 3..6,
            14 => 6..11,
            28 => 11..17,
            45 => 17..22,
            _ => 0..0,
        };
        for begun in batch {
            window.requests += 28.0;
            window.iterations += 28.0;
            (0..28).for_each(|_| window.durations.record(f64::from(second - begun) * 1_000.0));
        }
        windows.push(window);
    }
    let run = crate::ExplainedRun {
        windows,
        load: crate::ExplainedLoad {
            is_open: true,
            users: 400.0,
            ..Default::default()
        },
        ..Default::default()
    };
    let told = crate::explain(&run, &[]);
    assert_eq!(told.answer, crate::ExplanationAnswer::UnknownLimit);
}

/// Seen: "NO SIGN OF A LIMIT up to 70.8 requests/s" of users who send several requests in turn to a pool of five: only
/// the first of the first kind waited for nothing.
#[test]
fn users_who_send_several_kinds_in_turn_wait_where_the_first_of_one_were_quick() {
    let answer = |first_ms: f64| {
        let mut windows = vec![loadline_analysis::compare::ComparedWindow::default(); 8];
        let mut kinds = [(); 3].map(|()| Histogram::default());
        let mut of_kinds = [windows.clone(), windows.clone(), windows.clone()];
        for second in 0..8 {
            windows[second].users = 200.0;
            for at in 0..72 {
                let kind = at % 3;
                let is_first = second == 0 && kind == 0;
                let waited = f64::from(u32::try_from(at).unwrap());
                let millis = if is_first {
                    first_ms + 12.0 * waited
                } else {
                    2_800.0 + waited
                };
                kinds[kind].record(millis);
                for window in [&mut windows[second], &mut of_kinds[kind][second]] {
                    window.requests += 1.0;
                    window.iterations += 1.0 / 3.0;
                    window.durations.record(millis);
                }
            }
        }
        let names = ["GET /a", "GET /b", "GET /c"];
        let endpoints = of_kinds.into_iter().zip(kinds).zip(names);
        let run = crate::ExplainedRun {
            windows,
            load: crate::ExplainedLoad {
                users: 200.0,
                iteration_ms: 8_400.0,
                ..Default::default()
            },
            endpoints: endpoints
                .map(|((windows, all), name)| crate::ExplainedEndpoint {
                    name: name.to_owned(),
                    fastest_good_ms: all.min(),
                    all,
                    windows,
                })
                .collect(),
            ..Default::default()
        };
        crate::explain(&run, &[]).answer
    };
    assert_eq!(answer(70.0), crate::ExplanationAnswer::UnknownLimit);
    assert_eq!(answer(2_800.0), crate::ExplanationAnswer::NoSign);
}
