//! Levels of a search: what it knows of lower ones, and what the target says of itself.

use loadline_analysis::compare::ComparedWindow;
use loadline_metrics::Histogram;

use crate::{
    ExplainedLoad, ExplainedRun, Explanation, ExplanationAnswer, RuleId, SearchedLevel, explain,
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
