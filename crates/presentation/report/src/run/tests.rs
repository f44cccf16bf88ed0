use std::time::Duration;

use loadline_explain::{
    BottleneckFinding, BottleneckPart, EvidenceGrade, ExplanationAnswer, FindingRole, RuleId,
};
use loadline_record::signals::Entity;
use loadline_record::{ArrivalProcess, GeneratorHealth, Group, Run, StartLag};
use loadline_text::{Catalog, Lang, explain};

use super::*;
use crate::document::{DocumentVerdict, StatementClass};

/// A run that goes on, of whose load 11 seconds are over.
fn run() -> ReportedRun {
    let scenario = |ends| TestedScenario {
        ends: Some(ends),
        ..TestedScenario::default()
    };
    let window = |at| TimelineWindow {
        at,
        covered: 1.0,
        ..TimelineWindow::default()
    };
    ReportedRun {
        tested: TestedRun {
            scenarios: vec![scenario(30.0), scenario(60.0)],
            ..TestedRun::default()
        },
        summary: Summary {
            metrics: Vec::new(),
            checks: Vec::new(),
            root: Group::default(),
            groups: Vec::new(),
            scenarios: Vec::new(),
            statuses: Vec::new(),
            sent_outside_iterations: 0,
            failed: 0,
            failed_statuses: Vec::new(),
            failed_latency: None,
            failed_first_byte: Histogram::new(),
            answers: Vec::new(),
            sizes: Vec::new(),
            errors: Vec::new(),
            run: Run::finished(Duration::from_secs(11)),
        },
        warm_up: None,
        target: None,
        progress: RunProgress::Running,
        endpoints: Vec::new(),
        groups: Vec::new(),
        timeline: Timeline {
            step: 1,
            windows: vec![window(9.0), window(10.0)],
        },
        failures: Vec::new(),
        events: Vec::new(),
        explanation: None,
        limit: None,
    }
}

fn happened(kind: &str) -> TimelineEvent {
    TimelineEvent {
        kind: kind.to_owned(),
        ..TimelineEvent::default()
    }
}

fn verdict_of(run: &ReportedRun) -> DocumentVerdict {
    document(run, &VerdictFacts::default(), &Catalog::new(Lang::En)).verdict
}

#[test]
fn a_run_warms_up_from_one_event_to_the_next_while_it_goes_on() {
    let mut run = run();
    assert!(!run.is_warming(), "no warm-up was asked for");
    run.events.push(happened("warming"));
    assert!(run.is_warming());
    assert_eq!(verdict_of(&run).word, "warming up");
    run.events.push(happened("warmed-up"));
    assert!(!run.is_warming());
    assert_ne!(verdict_of(&run).word, "warming up");
    run.events.pop();
    for progress in [RunProgress::Ended, RunProgress::CutOff] {
        run.progress = progress;
        assert!(!run.is_warming(), "one that is over warms nothing up");
    }
}

#[test]
fn how_far_load_is_ends_with_the_last_scenario() {
    let mut run = run();
    assert_eq!(run.load_so_far(), Some((11.0, 60.0)));
    run.timeline.windows[1].at = 75.0;
    assert_eq!(
        run.load_so_far(),
        Some((60.0, 60.0)),
        "no time beyond the plan"
    );
    run.tested.scenarios[0].ends = None;
    assert_eq!(run.load_so_far(), None, "iterations decide its end");
    run.tested.scenarios.remove(0);
    run.timeline.windows.clear();
    assert_eq!(run.load_so_far(), None, "nothing was measured yet");
}

#[test]
fn a_run_that_goes_on_says_when_its_generator_limits_it() {
    let mut run = run();
    assert_eq!(verdict_of(&run).class, StatementClass::Neutral);
    let lag = StartLag {
        p50_ms: 800.0,
        p99_ms: 5000.0,
        max_ms: 9000.0,
        p95_ms: Some(3000.0),
    };
    run.summary.run.generator = GeneratorHealth {
        start_lag: Some(lag),
        planned_starts: 100,
        ..GeneratorHealth::default()
    };
    let verdict = verdict_of(&run);
    assert_eq!(verdict.class, StatementClass::Doubtful);
    let begins = "The generator is the bottleneck";
    assert!(verdict.details[0].starts_with(begins), "{verdict:?}");
    run.progress = RunProgress::Ended;
    let repeats = verdict_of(&run)
        .details
        .iter()
        .any(|line| line.starts_with(begins));
    assert!(!repeats, "the verdict itself says it then");
}

#[test]
fn the_bottleneck_of_now_is_told_where_it_limits() {
    let mut run = run();
    let finding = |role| BottleneckFinding {
        rule: RuleId::PoolTooSmall,
        part: BottleneckPart::Pool,
        grade: EvidenceGrade::B,
        role,
        entity: Entity::default(),
        // What a target says of itself may hide.
        statement: explain::limit_is("pool", "B", "\u{202e}all held\u{1b}[2J"),
        evidence: Vec::new(),
        contradictions: Vec::new(),
        logged: Vec::new(),
        statements: Vec::new(),
        advice: Vec::new(),
        ceiling: None,
    };
    let explained = |answer, role| {
        let explanation = Explanation {
            answer,
            is_not_valid: false,
            spare_threads: None,
            findings: vec![finding(role)],
            ceilings: Vec::new(),
            statements: Vec::new(),
            time: None,
            missing: Vec::new(),
            predictions: Vec::new(),
            rate: 10.0,
            mean_ms: 20.0,
            p95_ms: 40.0,
            window: (0.0, 11.0),
            objectives: Vec::new(),
            levels: Vec::new(),
            endpoints: Vec::new(),
            carried: 10.0,
        };
        Some((explanation, Vec::new()))
    };
    run.explanation = explained(ExplanationAnswer::Limited, FindingRole::Limit);
    let verdict = verdict_of(&run);
    let [line] = &verdict.details[..] else {
        panic!("{verdict:?}");
    };
    assert!(line.starts_with("LIMITED BY ") && line.contains("all held"));
    assert!(!line.contains(['\u{202e}', '\u{1b}']), "{line:?}");
    run.explanation = explained(ExplanationAnswer::NoBottleneck, FindingRole::Notice);
    assert!(verdict_of(&run).details.is_empty());
    // Seen: a run that is NOT VALID was "SLOW BECAUSE OF an outside server (grade B)" where it is explained.
    let mut doubted = explained(ExplanationAnswer::Limited, FindingRole::Limit);
    if let Some((explanation, _)) = &mut doubted {
        explanation.is_not_valid = true;
    }
    run.explanation = doubted;
    let line = verdict_of(&run).details.join("");
    assert!(line.starts_with("NOT VALID: "), "{line}");
    assert!(line.contains("LIMITED BY "), "{line}");
}

#[test]
fn a_run_that_goes_on_counts_starts_where_it_counts_requests() {
    let mut run = run();
    for window in &mut run.timeline.windows {
        (window.planned, window.dropped) = (20.0, 1.0);
    }
    // As it was some seconds ago.
    run.summary.run.generator.planned_starts = 12;
    assert_eq!(run.starts(), (40.0, 2.0));
    let warmed_up = TimelineEvent {
        at: 9.5,
        ..happened("warmed-up")
    };
    run.events.push(warmed_up);
    assert_eq!(run.starts(), (20.0, 1.0));
    run.progress = RunProgress::Ended;
    assert_eq!(run.starts(), (0.0, 0.0), "users in a loop");
    run.summary.run.arrivals = Some(ArrivalProcess::Even);
    assert_eq!(run.starts(), (12.0, 0.0));
}
