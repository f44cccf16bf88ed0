//! What the judge names, and what it does not: losses, accounts, pages of others.

use loadline_metrics::Histogram;
use loadline_record::signals::{Entity, Label, SignalKind as Kind};

use super::backend::Backend;
use super::truths::{computing, held, instance};
use super::untuned::{first_words, growing};
use super::{Noise, Scene, explained, found_rules};
use crate::{EvidenceGrade, ExplanationAnswer, FindingRole, RuleId, explain};

/// A rate that was asked for is answered: what is nearly used up is told as what limits next.
#[test]
fn nothing_limits_where_all_starts_are_answered_well() {
    let backend = Backend {
        cpu: 0.02,
        statements: 0.000_5,
        offered: 92.0,
        ..Backend::default()
    };
    let explanation = explained(backend.scene(1));
    assert_eq!(explanation.answer, ExplanationAnswer::NoBottleneck);
    let first = &explanation.findings[0];
    assert_eq!(
        (first.rule, first.role),
        (RuleId::TargetCpu, FindingRole::Next)
    );
}

/// Seen: "263 ms of lock in a request of 83 ms", grade A, of locks that another program waited for.
#[test]
fn locks_that_more_wait_for_than_there_are_requests_are_of_another_program() {
    let mut scene = Scene::new(1);
    growing(&mut scene, 20.0);
    for window in &mut scene.windows {
        window.durations = Histogram::from_values(&[83.0; 20]);
        window.failed = 2.0;
    }
    let any = Entity::new();
    scene.gauge(Kind::SessionsActive, &any, 6.0, 0.05);
    scene.gauge(Kind::SessionsWaitingForLock, &any, 5.3, 0.05);
    let explanation = explained(scene);
    let of_lock = |rule| rule == RuleId::RowLock;
    let lock = explanation.findings.iter().find(|one| of_lock(one.rule));
    assert!(lock.is_none_or(|lock| lock.role == FindingRole::Notice));
    assert_eq!(explanation.answer, ExplanationAnswer::UnknownLimit);
}

#[test]
fn a_page_that_counts_more_than_the_callers_make_is_never_of_grade_a() {
    let mut noise = Noise::new(3);
    let backend = held(&mut noise);
    let mut scene = backend.scene(4);
    assert_eq!(
        explained(backend.scene(4)).findings[0].grade,
        EvidenceGrade::A
    );
    // As many again come from somebody else.
    let rate = backend.steady().rate;
    let other = instance("10.0.0.5:9000").with(Label::Operation, "GET /other");
    scene.counter(Kind::ServerRequests, &other, 2.0 * rate + 10.0, 0.05);
    let explanation = explained(scene);
    assert_eq!(explanation.findings[0].rule, RuleId::PoolHeld);
    assert_eq!(explanation.findings[0].grade, EvidenceGrade::B);
}

/// Seen: CPU of 10,761 cores, and "the target's memory limits it", of a page that four processes answered.
#[test]
fn a_page_that_several_processes_answer_tells_nothing_but_that() {
    let mut noise = Noise::new(3);
    let mut scene = computing(&mut noise).callers(5);
    let of = instance("10.0.0.5:9000");
    for second in 0..40_u32 {
        let at_ms = u64::from(second) * 1000 + 300;
        let count = f64::from(second) * 3.0 + f64::from(second % 4) * 9_000.0;
        for kind in [Kind::ProcessCpu, Kind::CollectionPauseTime] {
            scene.signals.push(kind, &of, at_ms, count);
        }
        scene.signals.push(Kind::CoresAvailable, &of, at_ms, 4.0);
    }
    let explanation = explained(scene);
    assert_eq!(found_rules(&explanation), [RuleId::UnknownLimit]);
    let of_page = explanation.missing.iter().any(|one| {
        let text = loadline_text::Catalog::new(loadline_text::Lang::En).text(&one.text);
        text.contains("10.0.0.5:9000") && text.contains("at least 4 processes")
    });
    assert!(of_page);
}

/// Twenty requests a second, of which `slow` take 1.5 s.
fn humps(slow: usize) -> crate::Explanation {
    let mut scene = Scene::new(1);
    scene.load.is_open = false;
    scene.callers(20.0, 0.0, 20.0, 0.2);
    for window in &mut scene.windows {
        let times = (0..100).map(|number| if number < slow { 1_500.0 } else { 20.0 });
        window.durations = Histogram::from_values(&times.collect::<Vec<_>>());
        window.planned = 0.0;
    }
    let mut run = scene.run();
    let mut alike = Histogram::default();
    for window in &run.windows {
        alike.merge(&window.durations);
    }
    run.alike = Some(alike);
    explain(&run, &[])
}

/// Seen: nothing was said of the 5 % of ids that took 1.5 s.
#[test]
fn a_part_of_the_requests_that_takes_much_longer_all_along_is_told() {
    let explanation = humps(5);
    let tail = &explanation.findings[0];
    assert_eq!(
        (tail.rule, tail.role),
        (RuleId::SlowTail, FindingRole::Slow)
    );
    assert!(
        first_words(&explanation).starts_with("5.00 %"),
        "{}",
        first_words(&explanation)
    );
    assert!(!found_rules(&humps(0)).contains(&RuleId::SlowTail));
}

#[test]
fn requests_that_get_faster_under_the_same_load_warm_something_up() {
    let mut scene = Scene::new(1);
    for mean_ms in [200.0, 120.0, 60.0, 60.0] {
        scene.callers(20.0, 0.0, mean_ms, 0.1);
    }
    let explanation = explained(scene);
    assert!(found_rules(&explanation).contains(&RuleId::Warming));
    let mut steady = Scene::new(1);
    steady.callers(20.0, 0.0, 60.0, 0.1);
    assert!(!found_rules(&explained(steady)).contains(&RuleId::Warming));
}

#[test]
fn answers_that_say_unavailable_are_told_where_others_get_through() {
    let of = |answered: f64| {
        let mut scene = Scene::new(1);
        scene.callers(answered, 20.0, 60.0, 0.1);
        let mut run = scene.run();
        run.statuses = [
            ("200".to_owned(), answered * 40.0),
            ("503".to_owned(), 800.0),
        ]
        .into();
        found_rules(&explain(&run, &[]))
    };
    assert_eq!(of(40.0), [RuleId::Refused]);
    assert_eq!(of(0.0), [RuleId::UnknownLimit]);
}

/// Seen: twice what a larger pool gives, where the page told of a second pool with nobody in it.
#[test]
fn pools_of_other_names_are_other_resources() {
    let predicted = |second: bool| {
        let backend = Backend {
            offered: 10.0,
            outside: 2.0,
            holds_outside: true,
            ..Backend::default()
        };
        let mut scene = backend.scene(7);
        if second {
            let of = instance("10.0.0.5:9000").with(Label::Pool, "reports");
            scene.limit(Kind::PoolActive, &of, 0.0);
            scene.limit(Kind::PoolMax, &of, 20.0);
        }
        let explanation = explain(&scene.run(), &["pool=30".parse().unwrap()]);
        explanation.predictions[0].rate.unwrap()
    };
    assert!((predicted(true) / predicted(false) - 1.0).abs() < 0.01);
}
