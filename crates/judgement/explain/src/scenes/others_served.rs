//! Full resources of a target that serves others, too, or whose page tells little.

use loadline_record::signals::{Entity, Label, SignalKind as Kind};
use loadline_text::{Catalog, Lang};

use super::untuned::growing;
use super::{Scene, found_rules};
use crate::{BottleneckPart, EvidenceGrade, ExplainedRun, ExplanationAnswer, RuleId, explain};

const USER_COUNT: f64 = 20.0;
/// Seconds in which more is asked than is carried, after eight in which less is.
const SCENE_SECONDS_BUSY: usize = 32;

/// Users in loops, so many of whom are served at once, `alone_ms` each; the first found nobody before it.
fn waiting(served_at_once: f64, alone_ms: f64) -> (Scene, f64) {
    let rate = served_at_once * 1000.0 / alone_ms;
    let mut scene = Scene::new(9);
    scene.load.is_open = false;
    scene.load.users = USER_COUNT;
    scene.callers(rate, 0.0, USER_COUNT * 1000.0 / rate, 0.05);
    for window in &mut scene.windows {
        window.planned = 0.0;
    }
    (scene, rate)
}

fn run(scene: Scene, alone_ms: f64) -> ExplainedRun {
    ExplainedRun {
        alone_before_ms: Some(alone_ms),
        ..scene.run()
    }
}

fn full_pool(scene: &mut Scene, most: f64, waiters: Option<f64>) {
    let pool = Entity::new().with(Label::Pool, "db");
    scene.limit(Kind::PoolActive, &pool, most);
    scene.limit(Kind::PoolMax, &pool, most);
    if let Some(waiters) = waiters {
        scene.gauge(Kind::PoolPending, &pool, waiters, 0.02);
    }
}

/// Seen: "why they are held is not seen" of a pool of 8 that other callers used, too: held 345 ms each if all were of ours, where
/// a whole request takes 301 ms alone.
#[test]
fn a_pool_that_others_use_too_is_the_limit_where_holds_are_quick_even_if_all_were_ours() {
    let of = |served: f64| {
        let (mut scene, rate) = waiting(served, 300.0);
        full_pool(&mut scene, 8.0, Some(30.0));
        scene.counter(Kind::ServerRequests, &Entity::new(), rate + 9.0, 0.02);
        explain(&run(scene, 300.0), &[])
    };
    let told = of(7.0);
    assert_eq!(told.answer, ExplanationAnswer::Limited);
    assert_eq!(told.findings[0].part, BottleneckPart::Pool);
    assert_eq!(told.findings[0].grade, EvidenceGrade::B);
    // Half of it is held by others, nobody knows how long and why.
    assert_ne!(of(4.0).answer, ExplanationAnswer::Limited);
}

/// Seen: "about 4 at once, by something that is not seen" beside a page that showed a pool of 4 all of which were held all
/// along, and neither counted requests nor those that wait.
#[test]
fn a_pool_that_is_full_all_along_is_waited_for_where_nobody_counts_who_waits() {
    let (mut scene, rate) = waiting(4.0, 74.0);
    full_pool(&mut scene, 4.0, None);
    let peer = Entity::new().with(Label::Peer, "payments");
    // Two of five requests take a connection, and call meanwhile.
    let calls = 0.42 * rate;
    scene.counter(Kind::OutsideCalls, &peer, calls, 0.0);
    scene.counter(Kind::OutsideCallTime, &peer, calls * 0.169, 0.0);
    let told = explain(&run(scene, 74.0), &[]);
    assert_eq!(found_rules(&told), [RuleId::PoolHeld]);
    let words = Catalog::new(Lang::En).text(&told.findings[0].statement);
    assert!(words.contains("are held 176 ms each"), "{words}");
}

/// Seen: "about 1 at once, by something that is not seen" of a loop whose page showed no lag, and one request inside all along.
#[test]
fn a_loop_that_handles_one_request_after_the_other_has_no_time_left() {
    let of = |inside: f64| {
        let mut scene = Scene::new(9);
        scene.callers(20.0, 0.0, 24.0, 0.2);
        scene.windows.truncate(8);
        let quiet = scene.windows.clone();
        growing(&mut scene, 45.0);
        scene.windows.truncate(SCENE_SECONDS_BUSY);
        scene.windows.splice(0..0, quiet);
        let any = Entity::new();
        scene.gauge(Kind::EventLoopLag, &any, 0.002, 0.1);
        scene.counter(Kind::ServerRequests, &any, 45.0, 0.0);
        scene.counter(Kind::ServerRequestTime, &any, inside, 0.0);
        found_rules(&explain(&scene.run(), &[]))
    };
    assert_eq!(of(0.96), [RuleId::EventLoop]);
    // Several wait inside at once: it waits for them in its poll.
    assert!(!of(9.0).contains(&RuleId::EventLoop));
    assert!(!of(0.3).contains(&RuleId::EventLoop));
}
