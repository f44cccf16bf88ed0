//! Settings that come before threads and pools are tuned: each told where it is so, and nothing of a target that is well set.

use loadline_record::signals::{Entity, Label, SignalKind as Kind, TargetSetting};
use loadline_text::{Catalog, Lang};

use super::backend::Backend;
use super::truths::instance;
use super::{Scene, explained};
use crate::{
    BottleneckFinding, Explanation, ExplanationAnswer, FindingRole, GivenObjective,
    ObjectiveMeasure, RuleId, explain,
};

/// Findings about settings, each with its role.
fn found_settings(explanation: &Explanation) -> Vec<(RuleId, FindingRole)> {
    let found = explanation.findings.iter();
    let found = found.filter(|one| one.rule.is_of_settings());
    found.map(|one| (one.rule, one.role)).collect()
}

fn words(explanation: &Explanation, rule: RuleId) -> String {
    let catalog = Catalog::new(Lang::En);
    let mut all = explanation.findings.iter();
    let found: &BottleneckFinding = all.find(|one| one.rule == rule).unwrap();
    let setting = found.advice[0].setting.clone().unwrap_or_default();
    let advice = catalog.text(&found.advice[0].action);
    format!("{}; {advice}: {setting}", catalog.text(&found.statement))
}

/// A target that nothing limits says so whatever is told of its settings.
fn is_free(explanation: &Explanation) -> bool {
    let is_free = explanation.answer == ExplanationAnswer::NoBottleneck;
    let limits = explanation.findings.iter();
    is_free && limits.into_iter().all(|one| one.role >= FindingRole::Next)
}

fn set(scene: &mut Scene, name: &str, value: &str, of: &Entity) {
    scene
        .signals
        .set(TargetSetting::new(name, value, of.clone()));
}

/// Two instances with a pool each, and what the database takes.
fn pools(sizes: [f64; 2], most: f64) -> Scene {
    let backend = Backend {
        pool: sizes[0],
        ..Backend::default()
    };
    let mut scene = backend.callers(3);
    backend.record_process(&mut scene);
    for (name, size) in ["10.0.0.5:9000", "10.0.0.6:9000"].into_iter().zip(sizes) {
        let of = instance(name).with(Label::Pool, "primary");
        scene.gauge(Kind::PoolActive, &of, 0.2, 0.02);
        scene.limit(Kind::PoolMax, &of, size);
        set(&mut scene, "pool.library", "HikariCP", &of);
    }
    let any = Entity::new();
    scene.gauge(Kind::SessionsActive, &any, 0.4, 0.05);
    scene.gauge(Kind::SessionsIdle, &any, 20.0, 0.0);
    scene.limit(Kind::SessionsMax, &any, most);
    set(
        &mut scene,
        "postgres.superuser_reserved_connections",
        "3",
        &any,
    );
    scene
}

#[test]
fn pools_that_together_may_open_more_than_the_database_takes_are_told() {
    let explanation = explained(pools([60.0, 60.0], 100.0));
    let all = [(RuleId::PoolsAboveSessions, FindingRole::Notice)];
    assert_eq!(found_settings(&explanation), all);
    assert!(is_free(&explanation), "{explanation:?}");
    let words = words(&explanation, RuleId::PoolsAboveSessions);
    let (said, advised) = words.split_once("; ").unwrap();
    assert_eq!(
        said,
        "The pools together may open 120 connections (2 × 60), and the database takes 97"
    );
    assert!(advised.contains("at most 48 for each pool"), "{advised}");
    assert!(advised.contains("maximum-pool-size"), "{advised}");
    // Those that fit are none to tell of.
    assert_eq!(found_settings(&explained(pools([48.0, 48.0], 100.0))), []);
}

#[test]
fn sessions_that_are_nearly_all_open_are_told_as_what_limits_next() {
    let mut scene = pools([60.0, 40.0], 100.0);
    scene.gauge(Kind::SessionsIdleInTransaction, &Entity::new(), 70.0, 0.0);
    let explanation = explained(scene);
    let all = [(RuleId::PoolsAboveSessions, FindingRole::Next)];
    assert_eq!(found_settings(&explanation), all);
    assert!(
        words(&explanation, RuleId::PoolsAboveSessions).contains("100 connections (60 + 40)"),
        "{explanation:?}"
    );
}

#[test]
fn the_limit_of_the_targets_own_role_counts() {
    let mut scene = pools([20.0, 20.0], 100.0);
    let role = Entity::new().with(Label::Client, "shop");
    scene.gauge(Kind::LimitedSessions, &role, 12.0, 0.0);
    scene.limit(Kind::LimitedSessionsMax, &role, 30.0);
    let words = words(&explained(scene), RuleId::PoolsAboveSessions);
    assert!(words.contains("takes 30 of shop"), "{words}");
}

#[test]
fn pools_behind_a_pool_of_their_own_or_of_something_else_are_not_counted() {
    let mut scene = pools([60.0, 60.0], 100.0);
    let between = Entity::new().with(Label::Pool, "shop");
    scene.limit(Kind::PoolMax, &between, 40.0);
    set(&mut scene, "pool.library", "PgBouncer", &between);
    assert_eq!(found_settings(&explained(scene)), []);
    let mut scene = pools([40.0, 40.0], 100.0);
    let calls = instance("10.0.0.5:9000").with(Label::Pool, "http-client");
    scene.limit(Kind::PoolMax, &calls, 500.0);
    assert_eq!(found_settings(&explained(scene)), []);
}

/// A pool that keeps so many connections open and opened so many others.
fn grown(least: f64, opened_each_second: f64) -> Vec<(RuleId, FindingRole)> {
    let mut scene = Backend::default().scene(4);
    let of = instance("10.0.0.5:9000").with(Label::Pool, "primary");
    scene.limit(Kind::PoolMin, &of, least);
    scene.counter(Kind::PoolOpened, &of, opened_each_second, 0.0);
    let explanation = explained(scene);
    assert!(is_free(&explanation));
    found_settings(&explanation)
}

#[test]
fn a_pool_that_grows_under_load_is_told() {
    let all = [(RuleId::PoolGrows, FindingRole::Notice)];
    assert_eq!(grown(2.0, 0.2), all);
    assert_eq!(grown(10.0, 0.2), [], "of a fixed size");
    assert_eq!(grown(2.0, 0.0), [], "it opened none");
}

/// A pool for which requests wait so long, ms, held for 0.1 s.
fn patience(millis: &str, goal_ms: f64, offered: f64) -> Explanation {
    let backend = Backend {
        statements: 0.1,
        statement_cpu: 0.1,
        offered,
        ..Backend::default()
    };
    let mut scene = backend.scene(5);
    let setting = "spring.datasource.hikari.connection-timeout";
    set(&mut scene, setting, millis, &Entity::new());
    let mut run = scene.run();
    run.objectives = vec![GivenObjective {
        text: format!("p(95)<{goal_ms}"),
        measure: ObjectiveMeasure::Percentile(0.95),
        most: goal_ms,
        endpoint: None,
        is_of_starts: false,
        verdict: None,
    }];
    explain(&run, &[])
}

#[test]
fn a_wait_for_a_connection_that_nobody_waits_for_is_told() {
    let long = patience("30000", 500.0, 70.0);
    assert_eq!(
        found_settings(&long),
        [(RuleId::PoolPatience, FindingRole::Notice)]
    );
    assert!(words(&long, RuleId::PoolPatience).contains("the goal is 500 ms"));
    let short = patience("50", 500.0, 70.0);
    assert!(words(&short, RuleId::PoolPatience).contains("longer than one is held"));
    assert_eq!(found_settings(&patience("400", 500.0, 70.0)), []);
    assert_eq!(
        found_settings(&patience("30000", 500.0, 5.0)),
        [],
        "it never fills"
    );
}

/// A server that takes so many connections.
fn connections(most: f64) -> Explanation {
    let mut scene = Backend::default().callers(6);
    let of = instance("10.0.0.5:9000").with(Label::Pool, "http-nio-8080");
    scene.gauge(Kind::WorkersBusy, &of, 2.0, 0.02);
    scene.limit(Kind::WorkersMax, &of, 200.0);
    scene.limit(Kind::ConnectionsMax, &of, most);
    explained(scene)
}

#[test]
fn fewer_connections_than_threads_are_told() {
    let is_told = |explanation: &Explanation, words_of: &str| {
        let all = [(RuleId::ConnectionLimits, FindingRole::Notice)];
        assert_eq!(found_settings(explanation), all);
        let words = words(explanation, RuleId::ConnectionLimits);
        assert!(words.contains(words_of), "{words}");
    };
    is_told(&connections(50.0), "than it may have threads (200)");
    assert_eq!(found_settings(&connections(8192.0)), []);
}

fn collecting(pauses: f64, after: f64, heap: (f64, f64), settings: &[(&str, &str)]) -> Explanation {
    let backend = Backend {
        pauses: 0.0,
        ..Backend::default()
    };
    let mut scene = backend.callers(7);
    let of = instance("10.0.0.5:9000");
    scene.counter(Kind::ProcessCpu, &of, 0.3, 0.05);
    scene.limit(Kind::CoresAvailable, &of, 2.0);
    let by = of.clone().with(Label::Collector, "Copy");
    scene.counter(Kind::CollectionPauseTime, &by, pauses, 0.1);
    // Short ones: long single pauses are told by themselves.
    scene.counter(Kind::CollectionPauses, &by, pauses * 200.0, 0.1);
    scene.gauge(Kind::HeapAfterCollectionShare, &of, after, 0.01);
    scene.limit(Kind::HeapMax, &of, heap.0 * 1_048_576.0);
    scene.limit(Kind::MemoryLimit, &of, heap.1 * 1_048_576.0);
    scene.gauge(Kind::WorkersBusy, &of, 2.0, 0.02);
    scene.limit(Kind::WorkersMax, &of, 200.0);
    for (name, value) in settings {
        set(&mut scene, name, value, &Entity::new());
    }
    let explanation = explained(scene);
    assert!(is_free(&explanation), "{explanation:?}");
    explanation
}

#[test]
fn heap_and_collector_that_nobody_set_are_told_of_a_target_that_collects() {
    let set_heap = [("jvm.flags", "-Xmx256m"), ("jvm.collector", "Copy")];
    let nothing = [("jvm.processors", "1"), ("jvm.collector", "Copy")];
    let first = |explanation: Explanation| found_settings(&explanation).first().map(|one| one.0);
    let quarter = collecting(0.04, 0.4, (256.0, 1024.0), &nothing);
    assert!(
        words(&quarter, RuleId::HeapQuarter).contains("256 MiB of 1,024 MiB"),
        "{quarter:?}"
    );
    let full = collecting(0.04, 0.8, (256.0, 1024.0), &set_heap);
    assert!(
        words(&full, RuleId::HeapNearlyFull).contains("-Xmx"),
        "{full:?}"
    );
    let serial = collecting(0.04, 0.4, (512.0, 1024.0), &nothing);
    assert_eq!(first(serial), Some(RuleId::SerialCollector));
    // Who chose it knows.
    let chosen = [("jvm.flags", "-XX:+UseSerialGC -Xmx512m")];
    assert_eq!(first(collecting(0.04, 0.4, (512.0, 1024.0), &chosen)), None);
    // Where hardly anything is collected none of it matters.
    assert_eq!(
        first(collecting(0.01, 0.8, (256.0, 1024.0), &nothing)),
        None
    );
}

#[test]
fn threads_of_which_few_were_ever_busy_are_known() {
    let spare = |busy: f64, most: f64| {
        let mut scene = Backend::default().callers(8);
        let of = instance("10.0.0.5:9000");
        scene.gauge(Kind::WorkersBusy, &of, busy, 0.0);
        scene.limit(Kind::WorkersMax, &of, most);
        explained(scene).spare_threads
    };
    let found = spare(7.0, 200.0).unwrap();
    assert!((found.busy - 7.0).abs() < 1e-9 && (found.most - 200.0).abs() < 1e-9);
    assert_eq!(spare(120.0, 200.0), None);
    assert_eq!(spare(1.0, 10.0), None, "few they are");
}
