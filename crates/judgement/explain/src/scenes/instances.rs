//! Two instances of which one is slow; clocks that are off; spans that found no room.

use loadline_record::signals::{Entity, Label, SignalKind as Kind};

use super::backend::Backend;
use super::truths::instance;
use super::{FindingRole, RuleId, Scene, explained, found_rules};
use crate::{BottleneckPart, Explanation};

/// Healthy, with two instances behind a load balancer that take so many ms for a request.
fn two(first_ms: f64, second_ms: f64) -> Scene {
    shared([(0.5, first_ms), (0.5, second_ms)])
}

/// The same, each with its share of the requests.
fn shared(of_each: [(f64, f64); 2]) -> Scene {
    let backend = Backend::default();
    let rate = backend.steady().rate;
    let mut scene = backend.callers(11);
    for (name, (share, ms)) in ["10.0.0.5:9000", "10.0.0.6:9000"].into_iter().zip(of_each) {
        let of = instance(name);
        scene.counter(Kind::ServerRequests, &of, rate * share, 0.05);
        scene.counter(
            Kind::ServerRequestTime,
            &of,
            rate * share * ms / 1000.0,
            0.05,
        );
        scene.counter(Kind::ProcessCpu, &of, 0.1, 0.05);
        scene.limit(Kind::CoresAvailable, &of, 2.0);
    }
    scene
}

#[test]
fn an_instance_that_is_slower_than_the_others_is_named() {
    let explanation = explained(two(42.0, 480.0));
    let slow = &explanation.findings[0];
    assert_eq!(
        (slow.rule, slow.role),
        (RuleId::SlowInstance, FindingRole::Slow)
    );
    assert_eq!(slow.part, BottleneckPart::Code);
    assert_eq!(slow.entity.get(Label::Instance), Some("10.0.0.6:9000"));
}

#[test]
fn an_instance_that_is_slow_because_it_gets_most_requests_is_told_as_uneven_load_alone() {
    let rules = found_rules(&explained(shared([(0.1, 42.0), (0.9, 480.0)])));
    assert!(rules.contains(&RuleId::UnevenLoad), "{rules:?}");
    assert!(!rules.contains(&RuleId::SlowInstance), "{rules:?}");
    // One that gets fewer requests and is slow all the same is slow by itself.
    let rules = found_rules(&explained(shared([(0.9, 42.0), (0.1, 480.0)])));
    assert!(rules.contains(&RuleId::SlowInstance), "{rules:?}");
}

#[test]
fn an_instance_whose_own_pool_is_used_up_says_so() {
    let mut scene = two(42.0, 480.0);
    let of = instance("10.0.0.6:9000").with(Label::Pool, "main");
    scene.gauge(Kind::PoolActive, &of, 4.0, 0.0);
    scene.limit(Kind::PoolMax, &of, 4.0);
    scene.gauge(Kind::PoolPending, &of, 6.0, 0.1);
    let explanation = explained(scene);
    let mut findings = explanation.findings.iter();
    let slow = findings.find(|one| one.rule == RuleId::SlowInstance);
    assert_eq!(slow.map(|one| one.part), Some(BottleneckPart::Pool));
    let first = &explanation.findings[0];
    assert_eq!(first.entity.get(Label::Instance), Some("10.0.0.6:9000"));
}

#[test]
fn instances_that_are_about_as_quick_are_no_finding() {
    assert_eq!(found_rules(&explained(two(42.0, 60.0))), []);
    assert_eq!(
        found_rules(&explained(two(2.0, 9.0))),
        [],
        "of ms nobody need hear"
    );
}

fn of_clock(first: f64, each_second: f64) -> Explanation {
    let mut scene = Backend::default().scene(12);
    for second in 0..super::SCENE_SECONDS {
        let ahead = first + each_second * f64::from(u32::try_from(second).unwrap());
        scene
            .signals
            .push(Kind::ClockAhead, &Entity::new(), second * 1000 + 200, ahead);
    }
    explained(scene)
}

#[test]
fn a_clock_that_is_off_or_drifts_is_told_and_changes_no_finding() {
    for off in [30.0, -30.0, 300.0, -300.0] {
        let explanation = of_clock(off, 0.05);
        assert_eq!(found_rules(&explanation), [RuleId::ClockOff], "{off} s");
        assert_eq!(
            explanation.answer,
            explained(Backend::default().scene(12)).answer
        );
    }
    // Batches come some seconds after they are dated.
    for off in [0.5, 0.0, -6.0] {
        assert_eq!(found_rules(&of_clock(off, 0.0)), [], "{off} s");
    }
}

#[test]
fn spans_that_found_no_room_are_told() {
    let mut scene = Backend::default().scene(13);
    scene.counter(Kind::SpansReceived, &Entity::new(), 20_000.0, 0.05);
    scene.counter(Kind::SpansLeftOut, &Entity::new(), 5_000.0, 0.05);
    let explanation = explained(scene);
    assert_eq!(found_rules(&explanation), [RuleId::SpansLeftOut]);
}
