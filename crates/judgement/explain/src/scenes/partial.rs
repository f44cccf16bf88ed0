//! What can be concluded when only some sources answer.

use loadline_record::signals::{Entity, Label, SignalKind, TargetSetting};

use super::backend::Backend;
use super::{SCENE_SECONDS, Scene, explained, found_rules};
use crate::{EvidenceGrade, ExplanationAnswer, RuleId, TimePart};

/// A pool of 10 held for 2 s across an outside call, offered twice what it carries.
fn starved() -> Backend {
    Backend {
        offered: 10.0,
        outside: 2.0,
        holds_outside: true,
        ..Backend::default()
    }
}

/// A ramp, and then twice of what ten places of 200 ms each carry.
#[test]
fn callers_alone_tell_how_many_requests_are_served_at_once_when_the_load_began_low() {
    for seed in 0..20 {
        let mut scene = Scene::new(seed);
        scene.callers(8.0, 0.0, 200.0, 0.2);
        scene.callers(50.0, 0.0, 1_500.0, 0.2);
        let explanation = explained(scene);
        assert_eq!(explanation.answer, ExplanationAnswer::UnknownLimit);
        let said = explanation.findings[0].statement.clone();
        let text = loadline_text::Catalog::new(loadline_text::Lang::En).text(&said);
        let count = text
            .split_once("about ")
            .and_then(|(_, rest)| rest.split(' ').next());
        let count: Option<f64> = count.and_then(|count| count.parse().ok());
        assert!(
            count.is_some_and(|count| (count - 10.0).abs() <= 1.0),
            "seed {seed}: {text}"
        );
    }
}

/// Forty users in loops from the first second on, of whom ten are served at once, 2 s each.
#[test]
fn callers_alone_tell_what_is_served_at_once_of_users_who_all_began_at_once() {
    for seed in 0..20 {
        let mut scene = Scene::new(seed);
        scene.load.is_open = false;
        scene.callers(10.0, 0.0, 2_000.0, 0.02);
        scene.windows.truncate(1);
        scene.callers(5.0, 0.0, 7_500.0, 0.05);
        for window in &mut scene.windows {
            window.planned = 0.0;
        }
        let explanation = explained(scene);
        assert_eq!(
            found_rules(&explanation),
            [RuleId::ServedAtOnce],
            "seed {seed}"
        );
        let said = loadline_text::Catalog::new(loadline_text::Lang::En)
            .text(&explanation.findings[0].statement);
        assert!(said.contains("about 10 at once"), "seed {seed}: {said}");
    }
}

/// Seen: "no bottleneck up to 5.12/s" of users in loops who waited 7.5 s each, as the CPU was idle.
#[test]
fn an_idle_processor_alone_does_not_say_that_nothing_limits_users_in_loops() {
    let answer = |is_open| {
        let mut scene = Backend::default().callers(1);
        scene.load.is_open = is_open;
        let any = Entity::new();
        scene.counter(SignalKind::ProcessCpu, &any, 0.2, 0.05);
        scene.limit(SignalKind::CoresAvailable, &any, 2.0);
        explained(scene).answer
    };
    assert_eq!(answer(false), ExplanationAnswer::NoSign);
    assert_eq!(answer(true), ExplanationAnswer::NoBottleneck);
}

/// Guards against a target that gets slower and slower looking like a queue.
#[test]
fn a_target_that_slows_down_all_the_time_is_not_told_by_its_first_answers() {
    let mut scene = Scene::new(1);
    scene.load.is_open = false;
    for mean_ms in [100.0, 200.0, 400.0, 800.0] {
        scene.callers(10.0, 0.0, mean_ms, 0.1);
    }
    for window in &mut scene.windows {
        window.planned = 0.0;
    }
    assert_ne!(found_rules(&explained(scene)), [RuleId::ServedAtOnce]);
}

#[test]
fn the_database_alone_shows_connections_that_are_held_for_something_else() {
    let mut scene = starved().callers(3);
    starved().record_database(&mut scene);
    let explanation = explained(scene);
    assert_eq!(found_rules(&explanation), [RuleId::PoolHeld]);
    assert_eq!(explanation.findings[0].grade, EvidenceGrade::C);
    let healthy = Backend::default();
    let mut scene = healthy.callers(3);
    healthy.record_database(&mut scene);
    assert_eq!(found_rules(&explained(scene)), []);
}

/// Seen: a pool reported as a lossy line, for what other programs of the machine lost.
#[test]
fn losses_that_explain_little_of_the_requests_time_are_not_told() {
    let lossy = |rate: f64, mean_ms: f64| {
        let mut scene = Scene::new(1);
        scene.callers(rate, 0.0, mean_ms, 0.1);
        for window in &mut scene.windows {
            for _ in 0..4 {
                window.durations.record(mean_ms + 240.0);
            }
        }
        let any = Entity::new();
        scene.counter(SignalKind::SegmentsSent, &any, 200.0, 0.05);
        scene.counter(SignalKind::SegmentsResent, &any, 4.0, 0.05);
        found_rules(&explained(scene))
    };
    assert_eq!(lossy(5.0, 7_500.0), []);
    assert_eq!(lossy(50.0, 60.0), [RuleId::NetworkLoss]);
}

/// As slow under load as without.
#[test]
fn a_target_that_is_always_as_slow_does_not_make_requests_wait() {
    let mut scene = Scene::new(1);
    scene.callers(8.0, 0.0, 600.0, 0.2);
    scene.callers(50.0, 0.0, 640.0, 0.2);
    assert_eq!(explained(scene).answer, ExplanationAnswer::NoSign);
}

#[test]
fn callers_alone_see_a_limit_and_say_what_would_tell_more() {
    let explanation = explained(starved().callers(1));
    assert_eq!(explanation.answer, ExplanationAnswer::UnknownLimit);
    assert_eq!(found_rules(&explanation), [RuleId::UnknownLimit]);
    assert_eq!(explanation.findings[0].grade, EvidenceGrade::C);
    assert!(explanation.missing.len() >= 6);
    let ceiling = explanation.findings[0].ceiling.unwrap();
    assert!((ceiling / 5.0 - 1.0).abs() < 0.1, "{ceiling}");
}

#[test]
fn callers_alone_that_see_no_limit_claim_none() {
    let explanation = explained(Backend::default().callers(1));
    assert_eq!(explanation.answer, ExplanationAnswer::NoSign);
    assert_eq!(found_rules(&explanation), []);
}

#[test]
fn a_pool_alone_is_told_as_exhausted_without_a_cause() {
    let mut scene = starved().callers(2);
    starved().record_pool(&mut scene);
    let explanation = explained(scene);
    assert_eq!(found_rules(&explanation), [RuleId::PoolExhausted]);
    assert_eq!(explanation.findings[0].grade, EvidenceGrade::C);
    assert!(!explanation.findings[0].contradictions.is_empty());
}

#[test]
fn the_targets_own_metrics_infer_the_held_connection() {
    let mut scene = starved().callers(3);
    starved().record_pool(&mut scene);
    starved().record_process(&mut scene);
    let explanation = explained(scene);
    assert_eq!(found_rules(&explanation), [RuleId::PoolHeld]);
    assert_eq!(explanation.findings[0].grade, EvidenceGrade::B);
}

#[test]
fn requests_that_wait_are_told_as_waiting_also_where_no_time_of_it_is_measured() {
    let mut scene = starved().callers(3);
    starved().record_pool(&mut scene);
    starved().record_process(&mut scene);
    let time = explained(scene).time.unwrap();
    let part = |wanted| time.parts.iter().find(|one| one.part == wanted);
    let (wait, call) = (part(TimePart::PoolWait), part(TimePart::Outside));
    let (wait, call) = (wait.unwrap().mean_ms, call.unwrap().mean_ms);
    assert!(wait > 3.0 * call, "{:?}", time.parts);
    assert_eq!(part(TimePart::Unexplained), None, "{:?}", time.parts);
}

#[test]
fn the_database_shows_the_held_connection_directly() {
    let explanation = explained(starved().scene(4));
    assert_eq!(found_rules(&explanation), [RuleId::PoolHeld]);
    assert_eq!(explanation.findings[0].grade, EvidenceGrade::A);
    assert!(explanation.missing.is_empty(), "{:?}", explanation.missing);
}

#[test]
fn a_database_whose_cpu_is_not_seen_is_told_as_time_at_a_low_grade() {
    let backend = Backend {
        offered: 30.0,
        statements: 0.05,
        ..Backend::default()
    };
    let mut scene = backend.callers(5);
    backend.record_database(&mut scene);
    let kept: Vec<_> = scene.signals.series().to_vec();
    scene.signals = loadline_record::signals::Signals::default();
    for series in kept
        .iter()
        .filter(|s| !s.kind.name().starts_with("database-"))
    {
        scene.signals.add(series);
    }
    let explanation = explained(scene);
    assert_eq!(found_rules(&explanation)[0], RuleId::DatabaseTime);
    assert_eq!(explanation.findings[0].grade, EvidenceGrade::C);
}

#[test]
fn a_run_of_a_few_requests_is_too_little() {
    let mut scene = Backend::default().callers(6);
    scene.windows.truncate(3);
    assert_eq!(explained(scene).answer, ExplanationAnswer::TooLittle);
}

#[test]
fn traces_alone_show_that_a_connection_is_kept_during_a_call() {
    let backend = Backend {
        pool: 40.0,
        offered: 40.0,
        ..starved()
    };
    let mut scene = backend.callers(5);
    // One request of two is traced: shares stay.
    backend.record_traces(&mut scene, 0.5);
    let explanation = explained(scene);
    assert_eq!(found_rules(&explanation), [RuleId::PoolHeld]);
    assert_eq!(explanation.findings[0].grade, EvidenceGrade::B);
    let time = explanation.time.unwrap();
    let part = |wanted| {
        let found = time.parts.iter().find(|one| one.part == wanted);
        found.copied().unwrap()
    };
    let outside = part(TimePart::Outside);
    assert!((outside.mean_ms - 2000.0).abs() < 200.0, "{outside:?}");
    let wait = part(TimePart::PoolWait);
    assert!(wait.slowest_ms.unwrap() > 1.5 * wait.mean_ms, "{wait:?}");
}

/// Seen: "an outside call of 361 ms" of one of 2 s, where most requests got no connection and called nobody.
#[test]
fn a_call_is_as_long_as_those_say_that_made_it() {
    let backend = Backend {
        pool: 40.0,
        offered: 40.0,
        ..starved()
    };
    let mut scene = backend.callers(5);
    backend.record_traces(&mut scene, 1.0);
    let in_vain = Entity::new()
        .with(Label::Band, "typical")
        .with(Label::Instance, "b");
    for (kind, each) in [
        (SignalKind::TracedRequests, 1.0),
        (SignalKind::TracedTime, 5.0),
        (SignalKind::TracedPoolTime, 5.0),
    ] {
        scene.counter(kind, &in_vain, 60.0 * each, 0.05);
    }
    let first = &explained(scene).findings[0];
    assert_eq!(first.rule, RuleId::PoolHeld);
    let call = first.evidence.iter().find(|one| one.name == "outside");
    let call = call.unwrap().value;
    assert!((call - 2000.0).abs() < 200.0, "{call}");
}

#[test]
fn traces_of_a_pool_that_nobody_waits_for_are_no_finding() {
    let backend = Backend {
        outside: 0.02,
        holds_outside: true,
        ..Backend::default()
    };
    let mut scene = backend.callers(6);
    backend.record_process(&mut scene);
    backend.record_traces(&mut scene, 1.0);
    assert_eq!(found_rules(&explained(scene)), []);
}

#[test]
fn without_traces_the_time_is_told_from_metrics() {
    let explanation = explained(starved().scene(7));
    let time = explanation.time.unwrap();
    assert!(time.traced.abs() < f64::EPSILON);
    let largest = time.parts[0];
    assert!(largest.slowest_ms.is_none(), "{largest:?}");
    let whole: f64 = time.parts.iter().map(|part| part.mean_ms).sum();
    let close = whole / explanation.mean_ms;
    assert!(
        (0.9..=1.1).contains(&close),
        "{whole} of {}",
        explanation.mean_ms
    );
}

#[test]
fn the_pools_line_is_quoted_with_the_second_it_began() {
    let mut scene = starved().scene(8);
    let pool = "Pool is exhausted: timed out waiting for a connection";
    for (wording, from) in [("INFO request served", 0), ("ERROR Pool is exhausted", 12)] {
        let of = Entity::new().with(Label::Line, wording);
        for second in 0..30_u32 {
            let count = f64::from(second.saturating_sub(from));
            let at_ms = u64::from(second) * 1000 + 40;
            scene.signals.push(SignalKind::LogLines, &of, at_ms, count);
            if wording.starts_with("ERROR") {
                scene.signals.push(SignalKind::LogErrors, &of, at_ms, count);
            }
        }
    }
    let of = Entity::new().with(Label::Line, "ERROR Pool is exhausted");
    let sample = TargetSetting::new("log.sample", pool, of);
    scene.signals.set(sample);
    let explanation = explained(scene);
    assert_eq!(
        found_rules(&explanation),
        [RuleId::PoolHeld, RuleId::LogErrors]
    );
    let logged = &explanation.findings[0].logged;
    assert_eq!(logged.len(), 1);
    assert_eq!(logged[0].text, pool);
    let times = (logged[0].count, logged[0].from_s, logged[0].to_s);
    assert_eq!(times, (17.0, 12.0, 28.0));
}

#[test]
fn statements_that_are_counted_together_are_no_statement_that_is_repeated() {
    let backend = Backend {
        offered: 30.0,
        ..starved()
    };
    let mut scene = backend.callers(8);
    backend.record_pool(&mut scene);
    backend.record_process(&mut scene);
    let rate = backend.steady().rate;
    scene.counter(SignalKind::StatementCalls, &Entity::new(), 12.0 * rate, 0.1);
    scene.counter(SignalKind::StatementTime, &Entity::new(), 0.03 * rate, 0.1);
    assert_eq!(found_rules(&explained(scene)), [RuleId::PoolHeld]);
}

/// Seen: waiting for a connection 2,169 ms of requests that took 2,134 ms, 1,856 ms in the evidence beside it, and a hold of
/// 251 ms in no row.
#[test]
fn no_part_of_a_request_is_longer_than_the_request_and_a_hold_has_its_row() {
    let mut scene = Scene::new(4);
    scene.load.is_open = false;
    let (rate, mean_s, wait_s, hold_s) = (40.0, 2.1, 1.8, 0.25);
    scene.callers(rate, 0.0, mean_s * 1000.0, 0.02);
    for window in &mut scene.windows {
        window.planned = 0.0;
    }
    let (any, pool) = (Entity::new(), Entity::new().with(Label::Pool, "db"));
    scene.counter(SignalKind::ServerRequests, &any, rate, 0.0);
    // The page counts other seconds than the callers.
    scene.counter(
        SignalKind::ServerRequestTime,
        &any,
        1.05 * rate * mean_s,
        0.0,
    );
    scene.limit(SignalKind::PoolActive, &pool, 10.0);
    scene.limit(SignalKind::PoolMax, &pool, 10.0);
    scene.gauge(SignalKind::PoolPending, &pool, 1.2 * rate * wait_s, 0.0);
    scene.counter(SignalKind::PoolAcquires, &pool, rate, 0.0);
    scene.counter(SignalKind::PoolAcquireTime, &pool, rate * wait_s, 0.0);
    scene.counter(SignalKind::PoolHolds, &pool, rate, 0.0);
    scene.counter(SignalKind::PoolHoldTime, &pool, rate * hold_s, 0.0);
    let told = explained(scene);
    let time = told.time.clone().unwrap();
    let whole: f64 = time.parts.iter().map(|part| part.mean_ms).sum();
    assert!(whole <= 1.01 * told.mean_ms, "{whole} of {}", told.mean_ms);
    let part = |of| {
        let found = time.parts.iter().find(|part| part.part == of);
        found.map_or(0.0, |part| part.mean_ms)
    };
    let pool_evidence = told.findings.iter().flat_map(|one| &one.evidence);
    let acquire = pool_evidence
        .clone()
        .find(|one| one.name == "acquire")
        .unwrap();
    assert!(
        (part(TimePart::PoolWait) - acquire.value).abs() < 20.0,
        "{time:?}"
    );
    assert!(
        (part(TimePart::Held) - 1000.0 * hold_s).abs() < 20.0,
        "{time:?}"
    );
}

/// Seen: "connections held 0" of 28 requests a second that hold one for 10 ms each: no look at the gauge saw one.
#[test]
fn holds_too_short_for_a_look_are_used_connections_as_they_are_counted() {
    let mut scene = Scene::new(4);
    let (rate, hold_s) = (28.0, 0.01);
    scene.callers(rate, 0.0, 15.0, 0.02);
    let pool = Entity::new().with(Label::Pool, "db");
    scene.limit(SignalKind::PoolActive, &pool, 0.0);
    scene.limit(SignalKind::PoolMax, &pool, 10.0);
    scene.counter(SignalKind::PoolHolds, &pool, rate, 0.0);
    scene.counter(SignalKind::PoolHoldTime, &pool, rate * hold_s, 0.0);
    let used = crate::usage::usage(&scene.run());
    let held = used.iter().find(|one| one.name == "active").unwrap();
    assert!((held.value - rate * hold_s).abs() < 0.01, "{held:?}");
}

/// Seen: "used up at the connection pool: 54.0 requests/s" of a pool that carries 40, by 19 looks at a gauge of 0 to 4.
#[test]
fn a_ceiling_is_not_reckoned_from_looks_that_are_too_few() {
    let ceilings = |looks: [f64; 4], is_counted: bool| {
        let mut scene = Scene::new(4);
        scene.callers(12.0, 0.0, 105.0, 0.02);
        let pool = Entity::new().with(Label::Pool, "db");
        for second in 0..SCENE_SECONDS {
            let seen = looks[usize::try_from(second % 4).unwrap()];
            let at_ms = second * 1000 + 300;
            scene
                .signals
                .push(SignalKind::PoolActive, &pool, at_ms, seen);
        }
        scene.limit(SignalKind::PoolMax, &pool, 4.0);
        if is_counted {
            scene.counter(SignalKind::PoolHolds, &pool, 12.0, 0.0);
            scene.counter(SignalKind::PoolHoldTime, &pool, 1.2, 0.0);
        }
        explained(scene).ceilings
    };
    assert_eq!(ceilings([0.0, 0.0, 4.0, 0.0], false).len(), 0);
    let counted = ceilings([0.0, 0.0, 4.0, 0.0], true);
    assert!((counted[0].rate - 40.0).abs() < 1.0, "{counted:?}");
    let seen = ceilings([1.0, 1.0, 2.0, 1.0], false);
    assert!((seen[0].rate - 38.4).abs() < 2.0, "{seen:?}");
}
