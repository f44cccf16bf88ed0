//! Answer and findings agree: nothing limits now below an answer that names no limit.

use loadline_record::signals::{Entity, Label, SignalKind as Kind};

use super::Scene;
use crate::{ExplainedRun, Explanation, ExplanationAnswer, FindingRole, RuleId, explain};

const USER_COUNT: f64 = 90.0;
const REQUESTS_PER_S: f64 = 75.0;

/// Users in loops after a warm-up, so that nobody saw a request that waited for nothing; so many of them wait for
/// one of two connections, all of which are held all along.
fn waiting(waiters: f64) -> ExplainedRun {
    let mut scene = Scene::new(11);
    scene.load.is_open = false;
    scene.load.users = USER_COUNT;
    scene.callers(
        REQUESTS_PER_S,
        0.0,
        USER_COUNT * 1000.0 / REQUESTS_PER_S,
        0.05,
    );
    for window in &mut scene.windows {
        window.planned = 0.0;
    }
    let pool = Entity::new().with(Label::Pool, "connections");
    scene.limit(Kind::PoolActive, &pool, 2.0);
    scene.limit(Kind::PoolMax, &pool, 2.0);
    scene.gauge(Kind::PoolPending, &pool, waiters, 0.02);
    let any = Entity::new();
    scene.counter(Kind::ProcessCpu, &any, 0.1, 0.02);
    scene.gauge(Kind::CoresAvailable, &any, 2.0, 0.0);
    let run = scene.run();
    let warm_up_s = 4;
    ExplainedRun {
        from_ms: warm_up_s * 1000,
        windows: run.windows[4..].to_vec(),
        ..run
    }
}

fn agrees(told: &Explanation) -> bool {
    let names_none = matches!(
        told.answer,
        ExplanationAnswer::NoSign | ExplanationAnswer::NoBottleneck
    );
    let limits = |one: &crate::BottleneckFinding| one.role == FindingRole::Limit;
    !(names_none && told.findings.iter().any(limits))
}

/// Seen: "NO SIGN OF A LIMIT up to 74.7 requests/s" above "[now, grade C] All 2 connections of the pool are held", of users
/// in loops who waited for a connection for 98 % of their time.
#[test]
fn users_who_all_wait_for_a_full_pool_are_limited_by_it() {
    let told = explain(&waiting(85.0), &[]);
    assert_eq!(told.findings[0].rule, RuleId::PoolExhausted);
    assert_eq!(told.answer, ExplanationAnswer::UnknownLimit);
    assert_eq!(told.findings[0].role, FindingRole::Limit);
}

/// Seen: the same setting of a pool LIMITED in one trial of a study and NO SIGN in three, where about two thirds of the
/// users' time was waiting for a connection.
#[test]
fn users_who_wait_for_a_full_pool_for_most_of_their_time_are_limited() {
    for waiters in [50.0, 55.0, 60.0, 70.0] {
        let told = explain(&waiting(waiters), &[]);
        assert_eq!(told.answer, ExplanationAnswer::UnknownLimit, "{waiters}");
    }
}

/// Seen: "NO BOTTLENECK up to 39.5 requests/s" of users who waited 1.5 s for what took 20 ms: a third before the target, and
/// nearly half not explained.
#[test]
fn time_that_passes_before_the_target_is_not_seen() {
    let mut run = waiting(0.0);
    let any = Entity::new();
    let mut signals = run.signals.retained(|_| false);
    let mut requests = 0.0;
    for second in 0..=40 {
        let inside_s = 0.05 * USER_COUNT / REQUESTS_PER_S;
        signals.push(Kind::ServerRequests, &any, second * 1000, requests);
        signals.push(
            Kind::ServerRequestTime,
            &any,
            second * 1000,
            requests * inside_s,
        );
        requests += REQUESTS_PER_S;
    }
    run.signals = signals;
    let view = crate::view::RunView::new(&run);
    let measured = crate::measured::Measured::new(&view);
    let unseen = crate::breakdown::unseen_share(&view, &measured).unwrap();
    let unexplained = crate::breakdown::unexplained_share(&view, &measured).unwrap();
    assert!(unseen > 0.95 && unexplained < 0.1, "{unseen} {unexplained}");
}

#[test]
fn nothing_limits_now_below_no_sign_of_a_limit() {
    for waiters in [20.0, 40.0, 50.0, 60.0, 70.0, 80.0] {
        let told = explain(&waiting(waiters), &[]);
        assert!(agrees(&told), "{waiters}: {:?}", told.answer);
    }
    let told = explain(&waiting(35.0), &[]);
    assert_eq!(told.answer, ExplanationAnswer::NoSign);
    assert_eq!(told.findings[0].rule, RuleId::PoolExhausted);
    assert_eq!(told.findings[0].role, FindingRole::Notice);
}

/// Seen: "the target counts 77.6 requests/s, the callers 71.1: it serves others, too", though nobody else called: the page
/// was looked at while the load lasted, and the callers' seconds held those after it.
#[test]
fn a_page_is_compared_with_the_seconds_in_which_it_was_looked_at() {
    let doubts = |others: f64| {
        let mut run = waiting(85.0);
        let last = run.windows.len();
        for window in &mut run.windows[last - 4..] {
            window.requests *= 0.2;
        }
        // Looked at until the load was over.
        let mut signals = run.signals.retained(|_| true);
        let until_s = run.from_ms / 1000 + u64::try_from(last).unwrap() - 4;
        let mut requests = 0.0;
        for second in 4..=until_s {
            signals.push(
                Kind::ServerRequests,
                &Entity::new(),
                second * 1000,
                requests,
            );
            requests += REQUESTS_PER_S + others;
        }
        run.signals = signals;
        let told = explain(&run, &[]);
        let doubts = told.findings[0].contradictions.iter();
        doubts
            .filter(|doubt| doubt.key() == "explain-doubt-page-counts-more")
            .count()
    };
    assert_eq!(doubts(0.0), 0);
    assert_eq!(doubts(15.0), 1);
}
