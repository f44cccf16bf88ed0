//! Targets that are stopped, or started anew, while the load goes on.

use loadline_record::Limit;
use loadline_text::{Catalog, Lang};

use super::backend::Backend;
use crate::{ExplainedRun, Explanation, ExplanationAnswer, FindingRole, RuleId, explain};

/// A pool that is held across an outside call, and users who come again at once when they are refused.
fn starved() -> ExplainedRun {
    let backend = Backend {
        offered: 10.0,
        outside: 2.0,
        holds_outside: true,
        statements: 0.02,
        ..Backend::default()
    };
    let mut scene = backend.scene(3);
    backend.record_traces(&mut scene, 1.0);
    scene.load.is_open = false;
    let mut run = scene.run();
    for window in &mut run.windows {
        window.planned = 0.0;
    }
    run
}

fn refuse(run: &mut ExplainedRun, seconds: std::ops::Range<usize>) {
    for (at, window) in run.windows[seconds.clone()].iter_mut().enumerate() {
        // The second in which it stops, and that in which it is back, have good answers, too.
        let is_edge = at == 0 || at + 1 == seconds.len();
        let answered = if is_edge {
            window.requests - window.failed
        } else {
            0.0
        };
        window.refused = 1_500.0;
        window.requests = 1_500.0 + answered;
        window.failed = 1_500.0;
        (0..1_500).for_each(|_| window.durations.record(0.0));
    }
}

fn down(explanation: &Explanation) -> Option<FindingRole> {
    let mut findings = explanation.findings.iter();
    Some(findings.find(|finding| finding.rule == RuleId::Down)?.role)
}

/// Seen: a JVM killed and started again in the middle: "limited by an outside server", which 1,688 calls a second asked.
#[test]
fn a_target_that_is_started_anew_is_judged_by_the_rest_of_the_run() {
    let mut run = starved();
    refuse(&mut run, 22..35);
    let explanation = explain(&run, &[]);
    let first = &explanation.findings[0];
    assert_eq!(first.rule, RuleId::PoolHeld, "{:?}", explanation.findings);
    assert_eq!(down(&explanation), Some(FindingRole::Notice));
    assert!(explanation.window.1 <= 22.0, "{:?}", explanation.window);
    assert!((explanation.rate - 5.0).abs() < 1.0, "{}", explanation.rate);
    // Seen: "refused all connections from second 5 to second 10", of which the first and the last had good answers.
    let told = explanation
        .findings
        .iter()
        .find(|one| one.rule == RuleId::Down);
    let text = Catalog::new(Lang::En).text(&told.unwrap().statement);
    assert!(text.contains("from second 23 to second 34"), "{text}");

    let mut run = starved();
    refuse(&mut run, 5..15);
    let explanation = explain(&run, &[]);
    assert_eq!(explanation.findings[0].rule, RuleId::PoolHeld);
    assert!(explanation.window.0 >= 15.0, "the longer part");
}

#[test]
fn a_target_that_stays_down_is_what_limits() {
    let mut run = starved();
    refuse(&mut run, 22..40);
    let last = run.windows.last_mut().unwrap();
    last.failed = last.requests;
    let explanation = explain(&run, &[]);
    assert_eq!(explanation.findings[0].rule, RuleId::Down);
    assert_eq!(down(&explanation), Some(FindingRole::Limit));
    assert_eq!(explanation.answer, ExplanationAnswer::Limited);

    let mut run = starved();
    refuse(&mut run, 3..40);
    assert_eq!(explain(&run, &[]).answer, ExplanationAnswer::Limited);
}

#[test]
fn connections_refused_beside_good_answers_are_no_outage() {
    let mut run = starved();
    for window in &mut run.windows {
        window.refused = 1.0;
        window.failed += 1.0;
        window.requests += 1.0;
    }
    assert_eq!(down(&explain(&run, &[])), None);
    let mut run = starved();
    refuse(&mut run, 10..11);
    assert_eq!(down(&explain(&run, &[])), None);
}

/// Of two instances behind a name one is gone: at one request a second, some are refused several times in a row.
#[test]
fn an_instance_that_is_gone_is_no_outage_of_all() {
    let mut run = starved();
    for (second, window) in run.windows.iter_mut().enumerate() {
        let is_refused = second % 7 < 4;
        window.requests = 1.0;
        window.failed = if is_refused { 1.0 } else { 0.0 };
        window.refused = window.failed;
    }
    assert_eq!(down(&explain(&run, &[])), None);
}

#[test]
fn two_outages_are_told_as_two() {
    let mut run = starved();
    refuse(&mut run, 5..10);
    refuse(&mut run, 28..33);
    let explanation = explain(&run, &[]);
    assert_eq!(down(&explanation), Some(FindingRole::Notice));
    assert!(explanation.window.0 >= 10.0 && explanation.window.1 <= 28.0);
    let told = explanation
        .findings
        .iter()
        .find(|finding| finding.rule == RuleId::Down);
    assert!(format!("{:?}", told.unwrap().statement).contains("again"));
}

#[test]
fn a_target_that_never_was_there_is_explained_all_the_same() {
    let mut run = starved();
    for window in &mut run.windows {
        window.failed = window.requests;
        window.refused = window.requests;
    }
    // Seen: "the load generator is the limit", for the users came again at once.
    run.generator_limits = vec![Limit::Cpu];
    let explanation = explain(&run, &[]);
    assert!(explanation.is_not_valid, "what is told first");
    assert_eq!(down(&explanation), Some(FindingRole::Limit));
    assert_eq!(explanation.findings[0].rule, RuleId::Down);
    let told = format!("{:?}", explanation.findings[0].statement);
    assert!(told.contains("never"), "{told}");
}
