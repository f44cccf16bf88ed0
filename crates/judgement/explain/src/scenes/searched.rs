//! Levels of a search: what it knows of lower ones, and what the target says of itself.

use loadline_analysis::compare::ComparedWindow;
use loadline_metrics::Histogram;
use loadline_record::signals::{Entity, Label, SignalKind};

use super::{SCENE_SECONDS, Scene};
use crate::{
    BottleneckPart, ExplainedLoad, ExplainedRun, Explanation, ExplanationAnswer, FindingRole,
    RuleId, SearchedLevel, explain,
};

/// So many seconds with so many starts each, of which some fail, all answered in so many ms.
fn level(seconds: usize, rate: f64, failed: f64, millis: f64) -> ExplainedRun {
    let window = ComparedWindow {
        requests: rate,
        planned: rate,
        failed,
        durations: Histogram::from_values(&[millis; 20]),
        ..ComparedWindow::default()
    };
    ExplainedRun {
        // A search begins its levels long after its run.
        from_ms: 60_000,
        windows: vec![window; seconds],
        load: ExplainedLoad {
            is_open: true,
            users: 50.0,
            ..ExplainedLoad::default()
        },
        ..ExplainedRun::default()
    }
}

fn answered(mut run: ExplainedRun, status: &str) -> Explanation {
    let of = |count: fn(&ComparedWindow) -> f64| run.windows.iter().map(count).sum::<f64>();
    let failed = of(|window| window.failed);
    let good = of(|window| window.requests) - failed;
    run.statuses = [("200", good), (status, failed)]
        .map(|(status, count)| (status.to_owned(), count))
        .into();
    explain(&run, &[])
}

/// Seen: "by something that is not seen" of four places of 40 ms, which a search had seen at its lower levels.
#[test]
fn how_long_a_request_took_at_a_lower_level_tells_how_many_are_served_at_once() {
    let mut run = level(30, 92.0, 0.0, 165.0);
    run.alone_before_ms = Some(43.0);
    let told = explain(&run, &[]);
    assert_eq!(told.findings[0].rule, RuleId::ServedAtOnce);
    let words = format!("{:?}", told.findings[0].statement);
    assert!(
        words.contains("explain-unknown-at-once") && words.contains("\"4\""),
        "{words}"
    );
}

/// Seen: "4 users: not carried" of a level that held, and "0.840/s: 3.76 requests/s answered" of levels of 1, 2, 4, 8, 16
/// and 20/s.
#[test]
fn the_levels_of_a_search_and_what_became_of_them_are_its_own() {
    let one = |load: f64, mean_ms: f64, is_carried: Option<bool>| SearchedLevel {
        load,
        window: (0.0, 0.0),
        answered: load.min(39.0),
        failed: 0.0,
        mean_ms,
        p95_ms: 2.0 * mean_ms,
        is_carried,
    };
    let mut run = level(30, 41.0, 0.0, 250.0);
    run.searched = vec![
        one(10.0, 25.0, Some(true)),
        one(30.0, 102.0, Some(true)),
        one(40.0, 200.0, None),
        one(30.0, 103.0, Some(true)),
        one(50.0, 206.0, Some(false)),
    ];
    let told = explain(&run, &[]);
    let levels: Vec<_> = told
        .levels
        .iter()
        .map(|one| (one.load, one.mean_ms, one.is_carried))
        .collect();
    let searched = [
        (10.0, 25.0, true),
        (30.0, 103.0, true),
        (50.0, 206.0, false),
    ];
    assert_eq!(levels, searched);
    assert_eq!((told.rate, told.mean_ms, told.p95_ms), (39.0, 206.0, 412.0));
    let evidence = told.findings.iter().flat_map(|one| &one.evidence);
    for shown in evidence.filter(|one| one.name == "rate") {
        assert!((shown.value - 39.0).abs() < f64::EPSILON);
    }
}

/// Seen: "LIMITED BY the target's own code (grade A)" at a level at which nothing failed, for the one that the target ended
/// with 429 was short.
#[test]
fn what_the_target_says_of_itself_needs_no_long_level() {
    let told = answered(level(3, 64.0, 8.0, 12.0), "429");
    assert_eq!(told.answer, ExplanationAnswer::Limited);
    assert_eq!(
        told.findings[0].statement.key(),
        "explain-refused-on-purpose"
    );
    let told = answered(level(3, 64.0, 8.0, 12.0), "503");
    assert_eq!(told.answer, ExplanationAnswer::TooLittle);
}

/// Seen: "LIMITED BY the target's own code: raise the limit that answers 503" at one start a second, of which four of 43
/// failed by chance.
#[test]
fn what_fails_with_hardly_any_load_is_no_limit() {
    let mut run = level(30, 1.4, 0.13, 36.0);
    let limited = answered(run.clone(), "503");
    assert_eq!(limited.answer, ExplanationAnswer::Limited);
    run.is_no_matter_of_load = true;
    for status in ["503", "429", "0"] {
        let told = answered(run.clone(), status);
        assert_eq!(told.answer, ExplanationAnswer::Failing, "{status}");
        let rules: Vec<RuleId> = told.findings.iter().map(|one| one.rule).collect();
        assert_eq!(rules, [RuleId::FailingAtAnyLoad], "{status}");
    }
}

/// Seen: "unanswered when the load ended 4.23 %" of a run that cut 36 of 352 requests: most were sent after the seconds that
/// were looked at.
#[test]
fn requests_that_were_cut_are_a_share_of_all_of_the_run() {
    let mut run = level(30, 30.0, 0.0, 500.0);
    for (second, window) in run.windows.iter_mut().enumerate() {
        window.requests = 18.0;
        let millis = 100.0 + 100.0 * f64::from(u32::try_from(second).unwrap());
        window.durations = Histogram::from_values(&[millis; 18]);
    }
    run.cut_of_run = 0.102;
    let told = explain(&run, &[]);
    let cut = told.findings[0]
        .evidence
        .iter()
        .find(|one| one.name == "cut");
    assert_eq!(cut.map(|one| one.value), Some(0.102));
}

/// Seen: "LIMITED BY the connection pool (grade A): All 2 connections are held" of the highest level of a search, which held: p95
/// 194 ms of 500, twice the users of the level before and twice its answers.
#[test]
fn what_a_level_that_held_waits_for_is_no_limit() {
    let told_of = |is_carried: bool, answered_before: f64, is_all_held: bool| {
        let mut scene = Scene::new(3);
        scene.callers(50.0, 0.0, 110.0, 0.2);
        for window in &mut scene.windows {
            window.planned = 0.0;
            window.users = 64.0;
            window.iterations = 25.0;
        }
        scene.load = ExplainedLoad {
            is_open: false,
            users: 64.0,
            iteration_ms: 2_778.0,
            ..ExplainedLoad::default()
        };
        let of = Entity::new().with(Label::Pool, "db");
        for second in 0..SCENE_SECONDS {
            let held = if is_all_held || second % 3 > 0 {
                2.0
            } else {
                0.0
            };
            let at_ms = second * 1000 + 300;
            scene.signals.push(SignalKind::PoolActive, &of, at_ms, held);
        }
        scene.gauge(SignalKind::PoolPending, &of, 3.1, 0.1);
        scene.limit(SignalKind::PoolMax, &of, 2.0);
        let one = |load: f64, answered: f64, mean_ms: f64, is_carried: bool| SearchedLevel {
            load,
            window: (0.0, 40.0),
            answered,
            failed: 0.0,
            mean_ms,
            p95_ms: 1.7 * mean_ms,
            is_carried: Some(is_carried),
        };
        let mut run = scene.run();
        run.searched = vec![
            one(32.0, answered_before, 40.0, true),
            one(64.0, 50.0, 110.0, is_carried),
        ];
        explain(&run, &[])
    };
    let told = |is_carried, before| told_of(is_carried, before, true);
    let held = told(true, 25.0);
    assert_eq!(held.answer, ExplanationAnswer::NoBottleneck);
    let limits = |told: &Explanation| {
        let mut findings = told.findings.iter();
        findings.any(|one| one.part == BottleneckPart::Pool && one.role == FindingRole::Limit)
    };
    assert!(!limits(&held));
    // "All 2 connections are held" was said of 1.36.
    let at_times = told_of(true, 25.0, false);
    let is_of_pool = |one: &crate::BottleneckFinding| one.part == BottleneckPart::Pool;
    assert!(held.findings.iter().any(is_of_pool));
    assert!(!at_times.findings.iter().any(is_of_pool));
    assert!(limits(&told(false, 25.0)));
    // More users who get no more answers are limited, whatever is asked of times.
    assert!(limits(&told(true, 49.0)));
}

/// Seen: "mean 49.0 ms" of a level above endpoints of 134 and 90.7 ms: those of the seconds before it had settled, too.
#[test]
fn the_seconds_that_are_looked_at_are_those_of_which_the_search_tells_its_figures() {
    let mut run = level(24, 50.0, 0.0, 800.0);
    for window in &mut run.windows[4..] {
        window.durations = Histogram::from_values(&[40.0; 20]);
    }
    run.busy = Some(4..24);
    let told = explain(&run, &[]);
    assert!((told.mean_ms - 40.0).abs() < 1.0, "{}", told.mean_ms);
}
