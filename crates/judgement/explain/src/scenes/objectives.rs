//! What a run is judged by: given, it decides whether anything is lost.

use loadline_analysis::compare::ComparedWindow;
use loadline_metrics::Histogram;

use crate::{
    EvidenceGrade, ExplainedEndpoint, ExplainedLoad, ExplainedRun, Explanation, ExplanationAnswer,
    GivenObjective, GoalVerdict, ObjectiveMeasure, RuleId, explain,
};

fn p95_below(most: f64) -> GivenObjective {
    GivenObjective {
        text: format!("p(95)<{most}"),
        measure: ObjectiveMeasure::Percentile(0.95),
        most,
        endpoint: None,
        is_of_starts: true,
        verdict: None,
    }
}

/// Starts at 20/s that take `quiet_ms`, then at 100/s that take `busy_ms`; all are answered.
fn stages(quiet_ms: f64, busy_ms: f64) -> ExplainedRun {
    let second = |rate: f64, millis: f64| ComparedWindow {
        requests: rate,
        planned: rate,
        durations: Histogram::from_values(&[millis; 20]),
        ..ComparedWindow::default()
    };
    let mut windows = vec![second(20.0, quiet_ms); 20];
    windows.extend(vec![second(100.0, busy_ms); 20]);
    ExplainedRun {
        windows,
        load: ExplainedLoad {
            is_open: true,
            users: 50.0,
            ..ExplainedLoad::default()
        },
        ..ExplainedRun::default()
    }
}

fn judged_by(mut run: ExplainedRun, objective: GivenObjective) -> Explanation {
    run.objectives.push(objective);
    explain(&run, &[])
}

/// A search holds each level apart: of one that begins too high even the fastest wait, and lower ones show that they need not.
#[test]
fn what_was_kept_under_less_load_is_not_missed_by_the_work_alone() {
    let mut run = stages(500.0, 500.0);
    run.windows.drain(..20);
    let told = |run: &ExplainedRun| judged_by(run.clone(), p95_below(400.0));
    assert!(told(&run).objectives[0].is_missed_by_itself);
    run.is_kept_below = true;
    let explanation = told(&run);
    assert!(!explanation.objectives[0].is_missed_by_itself);
    assert_eq!(explanation.answer, ExplanationAnswer::UnknownLimit);
}

#[test]
fn requests_that_wait_lose_nothing_where_all_are_as_fast_as_is_asked_for() {
    let run = stages(30.0, 120.0);
    assert_eq!(explain(&run, &[]).answer, ExplanationAnswer::UnknownLimit);
    let explanation = judged_by(run, p95_below(500.0));
    assert_eq!(explanation.answer, ExplanationAnswer::NoSign);
    assert!(!explanation.objectives[0].is_missed);
    assert!(
        (explanation.carried - 100.0).abs() < 1.0,
        "{}",
        explanation.carried
    );
}

#[test]
fn an_objective_that_is_missed_under_load_alone_is_a_limit() {
    let explanation = judged_by(stages(100.0, 180.0), p95_below(150.0));
    assert_eq!(explanation.answer, ExplanationAnswer::UnknownLimit);
    let objective = &explanation.objectives[0];
    assert!(objective.is_missed && !objective.is_missed_by_itself);
    assert_eq!(objective.unloaded.map(f64::round), Some(100.0));
    let carried: Vec<bool> = explanation
        .levels
        .iter()
        .map(|one| one.is_carried)
        .collect();
    assert_eq!(carried, [true, false]);
    assert!(
        (explanation.carried - 20.0).abs() < 1.0,
        "{}",
        explanation.carried
    );
}

#[test]
fn an_objective_that_is_missed_without_load_is_the_work_itself() {
    let explanation = judged_by(stages(180.0, 190.0), p95_below(150.0));
    assert_eq!(explanation.answer, ExplanationAnswer::Slow);
    let first = &explanation.findings[0];
    assert_eq!(
        (first.rule, first.grade),
        (RuleId::ObjectiveMissed, EvidenceGrade::A)
    );
}

#[test]
fn the_fastest_that_miss_it_tell_as_much_of_a_load_that_never_was_low() {
    let mut run = stages(180.0, 190.0);
    run.windows.drain(..20);
    let explanation = judged_by(run, p95_below(150.0));
    assert_eq!(explanation.answer, ExplanationAnswer::Slow);
    assert_eq!(explanation.findings[0].grade, EvidenceGrade::B);
}

#[test]
fn an_objective_of_one_endpoint_is_judged_by_that_one() {
    let mut run = stages(30.0, 40.0);
    let slow = stages(30.0, 400.0);
    for (name, of) in [("GET /quick", &run.windows), ("POST /slow", &slow.windows)] {
        let mut all = Histogram::new();
        of.iter().for_each(|window| all.merge(&window.durations));
        run.endpoints.push(ExplainedEndpoint {
            name: name.to_owned(),
            fastest_good_ms: all.min(),
            all,
            windows: of.clone(),
        });
    }
    let of = |endpoint: &str| GivenObjective {
        endpoint: Some(endpoint.to_owned()),
        ..p95_below(100.0)
    };
    let explanation = judged_by(run.clone(), of("/slow"));
    assert_eq!(explanation.answer, ExplanationAnswer::UnknownLimit);
    assert_eq!(explanation.endpoints[0].name, "POST /slow");
    let quick = judged_by(run, of("/quick"));
    assert!(!quick.objectives[0].is_missed);
}

/// Seen live: "no bottleneck up to 67/s" of a load that fell, after 300/s were carried.
#[test]
fn what_was_carried_before_counts() {
    let mut run = stages(30.0, 32.0);
    run.carried_before = 300.0;
    assert!((explain(&run, &[]).carried - 300.0).abs() < f64::EPSILON);
}

/// Seen: a target that fails at once kept a goal of latency, and nothing was lost by it.
#[test]
fn a_goal_of_planned_starts_is_missed_by_those_that_failed_however_fast() {
    let mut run = stages(30.0, 40.0);
    for window in &mut run.windows[20..] {
        window.failed = 46.0;
        window.failed_durations = Histogram::from_values(&[1.0; 9]);
        let mut all = window.failed_durations.clone();
        all.merge(&Histogram::from_values(&[40.0; 11]));
        window.durations = all;
    }
    let explanation = judged_by(run.clone(), p95_below(500.0));
    let objective = &explanation.objectives[0];
    assert!(objective.is_missed && !objective.is_missed_by_itself);
    assert!(objective.value.is_infinite(), "{}", objective.value);
    assert!(!explanation.levels.last().unwrap().is_carried);
    // Times that are told are those of good answers.
    assert!(
        (explanation.p95_ms - 40.0).abs() < 1.0,
        "{}",
        explanation.p95_ms
    );

    // k6 and Artillery ask it of all answers.
    let of_k6 = GivenObjective {
        is_of_starts: false,
        verdict: None,
        ..p95_below(500.0)
    };
    assert!(!judged_by(run, of_k6).objectives[0].is_missed);
}

/// Seen: "p(90)<500ms: missed, not reached" below "met ... 60.1 ms (9.97 % failed)" of one run: in the seconds that were looked at
/// 10.4 % failed.
#[test]
fn what_an_even_load_kept_as_a_whole_is_not_missed_in_a_part_of_it() {
    let told = |is_missed: bool, quiet: usize| {
        let mut run = stages(300.0, 550.0);
        run.windows.drain(..20 - quiet);
        let objective = GivenObjective {
            verdict: Some(GoalVerdict {
                value: 480.0,
                is_missed,
            }),
            ..p95_below(500.0)
        };
        judged_by(run, objective)
    };
    let kept = told(false, 0);
    let judged = &kept.objectives[0];
    assert!(!judged.verdict().is_missed && judged.is_otherwise_while_busy());
    assert!((judged.verdict().value - 480.0).abs() < 1e-9);
    assert_eq!(kept.answer, ExplanationAnswer::NoSign);
    let missed = told(true, 0);
    assert!(!missed.objectives[0].is_otherwise_while_busy());
    assert_ne!(missed.answer, ExplanationAnswer::NoSign);
    // Of a load that grew its highest level counts.
    let grown = told(false, 20);
    assert_eq!(grown.answer, ExplanationAnswer::UnknownLimit);
}
