//! Changed answers, which come before any difference in speed.

use super::*;

fn answering(status: &[(&str, f64)], bytes: f64) -> Vec<ComparedRun> {
    let statuses = status.iter().map(|(s, n)| ((*s).to_owned(), *n));
    let window = ComparedWindow {
        sized: 100.0,
        bytes: 100.0 * bytes,
        ..ComparedWindow::default()
    };
    vec![ComparedRun {
        windows: vec![window; 10],
        answers: Answers {
            statuses: statuses.collect(),
        },
        shortfalls: Vec::new(),
        is_planned: false,
        ..ComparedRun::default()
    }]
}

#[test]
fn changed_answers_are_told() {
    let before = answering(&[("200", 1000.0)], 500.0);
    let same = answering(&[("200", 998.0), ("500", 2.0)], 505.0);
    assert_eq!(answers::changes(&before, &same, false), []);

    let broken = answering(&[("200", 900.0), ("500", 100.0)], 60.0);
    let changes = answers::changes(&before, &broken, false);
    assert!(matches!(&changes[0], AnswerChange::Status { status, .. } if status == "200"));
    assert!(matches!(&changes[1], AnswerChange::Status { status, .. } if status == "500"));
    assert!(matches!(&changes[2], AnswerChange::Size { .. }));
}

/// Sizes are of good answers: that errors go says nothing of them.
#[test]
fn a_size_is_told_beside_errors_that_go_where_good_answers_changed() {
    let failing = answering(&[("200", 800.0), ("503", 200.0)], 500.0);
    let are_mended = |after: f64| {
        let good = answering(&[("200", 1000.0)], after);
        let changes = answers::changes(&failing, &good, false);
        changes.iter().all(AnswerChange::is_mended)
    };
    assert!(are_mended(500.0));
    assert!(!are_mended(900.0) && !are_mended(300.0));
}

/// Seen: 0 of 243 requests failed, then 15 of 283, and nothing said that answers changed.
#[test]
fn statuses_by_which_more_fail_for_certain_are_changed_answers() {
    let before = answering(&[("200", 272.0)], 500.0);
    let after = answering(&[("200", 268.0), ("503", 15.0)], 500.0);
    assert_eq!(answers::changes(&before, &after, false), []);
    let told = answers::changes(&before, &after, true);
    let statuses = told.iter().map(|change| match change {
        AnswerChange::Status { status, .. } => status.as_str(),
        AnswerChange::Size { .. } => "size",
        AnswerChange::Body(_) => "body",
    });
    assert_eq!(statuses.collect::<Vec<_>>(), ["200", "503"]);
    let few = answering(&[("200", 281.0), ("503", 2.0)], 500.0);
    assert_eq!(answers::changes(&before, &few, true), []);
}

/// Runs whose answers are of sizes between none and twice the mean.
fn sized(noise: &mut Noise, runs: usize, seconds: usize, mean: f64) -> Vec<ComparedRun> {
    let mut window = || ComparedWindow {
        sized: 20.0,
        bytes: (0..20).map(|_| 2.0 * mean * noise.next()).sum(),
        ..ComparedWindow::default()
    };
    let runs = (0..runs).map(|_| ComparedRun {
        windows: (0..seconds).map(|_| window()).collect(),
        answers: Answers::default(),
        shortfalls: Vec::new(),
        is_planned: false,
        ..ComparedRun::default()
    });
    runs.collect()
}

#[test]
fn sizes_that_vary_by_chance_are_no_changed_answers_and_a_fifth_less_is() {
    for shape in [(1, 3), (1, 30), (2, 10), (5, 30)] {
        let mut noise = Noise(20_261_123);
        let called = (0..300).filter(|_| {
            let (a, b) = (
                sized(&mut noise, shape.0, shape.1, 4000.0),
                sized(&mut noise, shape.0, shape.1, 4000.0),
            );
            !answers::changes(&a, &b, false).is_empty()
        });
        assert_eq!(called.count(), 0, "{shape:?}");
    }
    let mut noise = Noise(20_261_124);
    let a = sized(&mut noise, 1, 60, 4000.0);
    let b = sized(&mut noise, 1, 60, 3200.0);
    let changes = answers::changes(&a, &b, false);
    assert!(
        matches!(&changes[..], [AnswerChange::Size { before, after }] if before > after),
        "{changes:?}"
    );
}

/// Seen: the 9,834 empty answers of a trial of 2 s counted as good, as a single second does not show how sizes vary.
#[test]
fn answers_that_are_all_empty_need_no_second_to_tell() {
    let mut noise = Noise(20_261_129);
    let before = sized(&mut noise, 4, 2, 4000.0);
    let mut empty = sized(&mut noise, 1, 1, 0.0);
    empty[0].windows[0].sized = 9834.0;
    assert!(matches!(
        answers::changes(&before, &empty, false)[..],
        [AnswerChange::Size { after: 0.0, .. }]
    ));
    assert_eq!(answers::changes(&empty, &empty, false), []);
    let few = sized(&mut noise, 1, 1, 0.0);
    assert_eq!(answers::changes(&before, &few, false), []);
}

#[test]
fn answers_of_endpoints_beyond_the_busiest_are_compared_too() {
    let named = |bytes: f64| -> Vec<(String, Vec<ComparedRun>)> {
        let ok = |bytes| answering(&[("200", 1000.0)], bytes);
        let busy = (0..30).map(|i| {
            let mut runs = ok(500.0);
            runs[0].windows[0].requests = 900.0;
            (format!("/busy/{i}"), runs)
        });
        busy.chain([("/rare".to_owned(), ok(bytes))]).collect()
    };
    let side = |bytes| Side {
        whole: answering(&[("200", 1000.0)], 500.0),
        endpoints: named(bytes),
    };
    let comparison = compare(&side(500.0), &side(250.0), &ComparisonSettings::default());
    assert_eq!(comparison.endpoints[0].name, "/rare");
    assert!(comparison.endpoints[0].differences.is_empty());
    let size = AnswerChange::Size {
        before: 500.0,
        after: 250.0,
    };
    assert_eq!(comparison.endpoints[0].changed, [size]);
    assert_eq!(comparison.left_out, 11);
}

#[test]
fn endpoints_with_changed_answers_come_first() {
    let endpoint = |name: &str, runs: Vec<ComparedRun>| (name.to_owned(), runs);
    let ok = || answering(&[("200", 1000.0)], 500.0);
    let before = Side {
        whole: ok(),
        endpoints: vec![
            endpoint("/a", ok()),
            endpoint("/b", ok()),
            endpoint("/old", ok()),
        ],
    };
    let after = Side {
        whole: ok(),
        endpoints: vec![
            endpoint("/a", ok()),
            endpoint("/b", answering(&[("404", 1000.0)], 500.0)),
            endpoint("/new", ok()),
        ],
    };
    let comparison = compare(&before, &after, &ComparisonSettings::default());
    let names: Vec<&str> = comparison
        .endpoints
        .iter()
        .map(|e| e.name.as_str())
        .collect();
    assert_eq!(names, ["/b", "/a"]);
    assert_eq!(comparison.only_before, ["/old"]);
    assert_eq!(comparison.only_after, ["/new"]);
}

fn side(status: &[(&str, f64)], bytes: f64) -> Side {
    let runs = answering(status, bytes);
    Side {
        whole: runs.clone(),
        endpoints: vec![("/places".to_owned(), runs)],
    }
}

#[test]
fn emptied_bodies_and_other_statuses_are_other_answers_and_what_is_mended_is_not() {
    let good = side(&[("200", 1000.0)], 83.0);
    let named = |after: &Side| {
        let found = other_answers(&good, after, true);
        found
            .into_iter()
            .map(|one| one.endpoint)
            .collect::<Vec<_>>()
    };
    assert_eq!(named(&side(&[("200", 1000.0)], 83.5)), [""; 0]);
    assert_eq!(named(&side(&[("200", 1000.0)], 2.0)), ["/places"]);
    assert_eq!(named(&side(&[("204", 1000.0)], 83.0)), ["/places"]);
    assert_eq!(
        named(&side(&[("302", 400.0), ("200", 600.0)], 83.0)),
        ["/places"]
    );
    let failing = side(&[("200", 700.0), ("503", 300.0)], 60.0);
    assert_eq!(other_answers(&failing, &good, false), []);
}

#[test]
fn failures_are_left_to_a_goal_that_judges_them() {
    let good = side(&[("200", 1000.0)], 83.0);
    let failing = side(&[("200", 960.0), ("503", 40.0)], 81.0);
    assert_eq!(other_answers(&good, &failing, true), []);
    assert_eq!(other_answers(&good, &failing, false).len(), 1);
}

#[test]
fn checks_that_fail_more_often_are_other_answers() {
    let checked = |failed: f64| {
        let mut runs = answering(&[("200", 1000.0)], 83.0);
        for window in &mut runs[0].windows {
            (window.checks, window.checks_failed) = (100.0, failed);
        }
        Side {
            whole: runs,
            endpoints: Vec::new(),
        }
    };
    let found = other_answers(&checked(1.0), &checked(30.0), true);
    assert_eq!(found[0].failed_checks, Some((0.01, 0.3)));
    assert_eq!(other_answers(&checked(30.0), &checked(1.0), true), []);
}
