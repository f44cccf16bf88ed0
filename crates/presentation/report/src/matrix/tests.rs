use loadline_text::{Catalog, Lang};

use super::*;
use crate::capacity::file::StepInFile;

fn level(load: f64, times: f64, outcome: &str, p95: f64) -> HeldLevel {
    HeldLevel {
        times,
        level: StepInFile {
            load,
            why: "confirm".to_owned(),
            outcome: outcome.to_owned(),
            began_s: 12.0,
            held_s: 15.0,
            throughput: load,
            requests_per_second: load,
            mean_ms: Some(p95 / 2.0),
            p50_ms: Some(p95 / 2.0),
            p95_ms: Some(p95),
            p99_ms: Some(p95),
            errors: Some(0.0),
            in_flight: 1.0,
            target_cpu: None,
            doubt: None,
        },
        missed: (outcome == "misses").then(|| MissedTerm {
            term: "p(95)<500ms".to_owned(),
            value: Some(p95),
            is_share: false,
        }),
    }
}

fn held(levels: Vec<HeldLevel>, of_capacity: bool) -> HeldCell {
    HeldCell {
        levels,
        of_capacity,
        ..HeldCell::default()
    }
}

fn ok() -> SmokeCell {
    SmokeCell {
        requests: 1,
        checks: 2,
        ..SmokeCell::default()
    }
}

fn found(middle: f64) -> CapacityCell {
    CapacityCell {
        end: "found".to_owned(),
        line: Some(CapacityRange {
            middle,
            low: 0.95 * middle,
            high: Some(1.05 * middle),
            sure: true,
        }),
        knee: Some(KneePoint {
            load: 1.02 * middle,
            low: Some(0.96 * middle),
        }),
        soak: Some(SoakCell {
            load: 0.85 * middle,
            held_s: 60.0,
            holds: Some(true),
            outcome: "holds".to_owned(),
        }),
        ..CapacityCell::default()
    }
}

/// An API with much room, one that breaks first, a flow without a plan, one that does not work.
fn report() -> MatrixReport {
    let list = MatrixRow {
        smoke: Some(ok()),
        load: Some(held(vec![level(60.0, 1.0, "holds", 20.0)], false)),
        stress: Some(held(
            vec![
                level(90.0, 1.5, "holds", 22.0),
                level(120.0, 2.0, "holds", 30.0),
            ],
            false,
        )),
        capacity: Some(found(480.0)),
        ..MatrixRow::new("GET /list", RowKind::Api, Some(60.0))
    };
    let order = MatrixRow {
        smoke: Some(ok()),
        load: Some(held(vec![level(60.0, 1.0, "holds", 120.0)], false)),
        stress: Some(held(vec![level(90.0, 1.5, "misses", 2_100.0)], false)),
        capacity: Some(CapacityCell {
            soak: None,
            ..found(84.0)
        }),
        ..MatrixRow::new("POST /orders", RowKind::Api, Some(60.0))
    };
    let flow = MatrixRow {
        smoke: Some(ok()),
        load: Some(held(vec![level(8.0, 1.0, "holds", 90.0)], true)),
        stress: Some(held(vec![level(12.0, 1.5, "overloaded", 900.0)], true)),
        capacity: Some(found(10.0)),
        ..MatrixRow::new("mix", RowKind::Flow, None)
    };
    let broken = MatrixRow {
        smoke: Some(SmokeCell {
            requests: 1,
            failed: 1,
            failures: vec!["503 Service Unavailable × 1".to_owned()],
            ..SmokeCell::default()
        }),
        ..MatrixRow::new("GET /gone", RowKind::Api, Some(5.0))
    };
    MatrixReport {
        loadline_matrix: MATRIX_VERSION,
        id: "matrix-0123abcd-1".to_owned(),
        test: "shop.js".to_owned(),
        objective: vec!["p(95)<500ms".to_owned()],
        quick: false,
        complete: true,
        rows: vec![list, flow, order, broken],
    }
}

fn without(name: &str) -> MatrixReport {
    let mut report = report();
    report.rows.retain(|row| row.name != name);
    report.sorted()
}

#[test]
fn what_is_broken_comes_first_then_the_smallest_headroom_then_what_has_no_plan() {
    let names = |report: &MatrixReport| -> Vec<String> {
        report.rows.iter().map(|row| row.name.clone()).collect()
    };
    let sorted = report().sorted();
    assert_eq!(
        names(&sorted),
        ["GET /gone", "POST /orders", "GET /list", "mix"]
    );
}

#[test]
fn the_first_line_says_the_one_thing_first() {
    let said = |report: &MatrixReport| report.headline(&Catalog::new(Lang::En));
    assert_eq!(
        said(&without("GET /gone")),
        "POST /orders breaks first: 84.0/s, 1.4 times the planned 60.0/s."
    );
    assert_eq!(
        said(&report().sorted()),
        "GET /gone does not work: 1 of 1 request failed (503 Service Unavailable × 1)."
    );
    let mut bound = without("GET /gone");
    for row in &mut bound.rows {
        let line = row.capacity.as_mut().and_then(|cell| cell.line.as_mut());
        line.unwrap().high = None;
    }
    assert_eq!(
        said(&bound),
        "Nothing is known to break: POST /orders has the least headroom, ≥ ×1.4 (at least 79.8/s)."
    );
}

/// Seen: the row that was tested behind the one in which the target died was said not to work.
#[test]
fn the_row_in_which_the_target_went_down_stands_first() {
    let mut report = report();
    let row = report.rows.iter_mut().find(|row| row.name == "GET /list");
    let cell = row.and_then(|row| row.capacity.as_mut()).unwrap();
    cell.end = "no-answer".to_owned();
    let report = report.sorted();
    assert_eq!(
        report.headline(&Catalog::new(Lang::En)),
        "The target stopped answering during the tests of GET /list."
    );
}

/// Seen: "at least 1.08/s, ×0.27" and exit code 3 of a row whose stress test held twice the planned rate, if for three seconds.
#[test]
fn what_was_seen_to_hold_is_the_least_where_no_load_was_too_much() {
    let mut row = report().rows.remove(0);
    let line = row.capacity.as_mut().and_then(|cell| cell.line.as_mut());
    *line.unwrap() = CapacityRange {
        middle: 1.08,
        low: 1.08,
        high: None,
        sure: false,
    };
    for cell in row.load.iter_mut().chain(&mut row.stress) {
        for level in &mut cell.levels {
            level.level.outcome = "likely".to_owned();
        }
    }
    assert_eq!(row.carried(), Some(120.0));
    let mut report = without("GET /gone");
    report.rows = vec![row.clone()];
    assert_eq!(report.exit_code(), 0);
    let said = text(&report, &Catalog::new(Lang::En));
    assert!(said.contains("≥ ×2"), "{said}");
    assert!(said.contains("at least 120/s"), "{said}");
    // Of a load that was missed nothing higher counts, and a bound below the plan tells nothing.
    row.stress.as_mut().unwrap().levels[0].level.outcome = "misses".to_owned();
    row.planned = Some(70.0);
    assert_eq!(row.carried(), Some(60.0));
    report.rows = vec![row];
    assert_eq!(report.exit_code(), 7);
}

/// Seen: "about 1.11/s" of a row whose load test held 40/s: the search, short and beside other work, saw hardly more hold.
#[test]
fn what_surely_held_is_the_least_of_a_search_that_is_not_sure() {
    let mut row = report().rows.remove(0);
    let line = row.capacity.as_mut().and_then(|cell| cell.line.as_mut());
    *line.unwrap() = CapacityRange {
        middle: 1.11,
        low: 0.478,
        high: Some(70.2),
        sure: false,
    };
    assert_eq!(row.carried(), Some(120.0));
    assert!((row.headroom().unwrap() - 2.0).abs() < 1e-9);
    let mut report = without("GET /gone");
    report.rows = vec![row];
    let said = text(&report, &Catalog::new(Lang::En));
    assert!(
        said.starts_with("GET /list breaks first: about 120/s, 2 times the planned 60.0/s."),
        "{said}"
    );
    assert!(said.contains("the search alone: about 1.11/s"), "{said}");
}

/// Seen beside builds: "no load holds the objective" of a row whose load test had held 2/s for two minutes.
#[test]
fn a_search_that_saw_nothing_hold_does_not_contradict_a_test_that_held() {
    let mut row = report().rows.remove(0);
    let cell = row.capacity.as_mut().unwrap();
    cell.line = None;
    cell.end = "missed-at-any-load".to_owned();
    cell.exit_code = Exit::ThresholdsFailed.code(Dialect::Loadline);
    let mut report = without("GET /gone");
    report.rows = vec![row.clone()];
    let said = text(&report, &Catalog::new(Lang::En));
    assert!(!said.contains("no load holds the objective"), "{said}");
    assert!(said.contains("at least 120/s"), "{said}");
    assert!(said.contains("the search alone: none holds"), "{said}");
    assert_eq!(report.exit(), Exit::CannotJudge);
    // Where no other test held anything either, it stands.
    row.load = None;
    row.stress = None;
    report.rows = vec![row];
    let said = text(&report, &Catalog::new(Lang::En));
    assert!(said.contains("no load holds the objective"), "{said}");
}

#[test]
fn it_ends_with_what_is_worst_of_all_rows() {
    assert_eq!(report().exit(), Exit::FellShort);
    assert_eq!(without("GET /gone").exit(), Exit::Success);
    let mut missed = without("GET /gone");
    missed.rows[0].planned = Some(100.0);
    assert_eq!(missed.exit(), Exit::ThresholdsFailed);
    missed.complete = false;
    assert_eq!(missed.exit(), Exit::Interrupted);
    let mut silent = report();
    for row in &mut silent.rows {
        row.smoke = Some(SmokeCell {
            requests: 1,
            failed: 1,
            unanswered: 1,
            ..SmokeCell::default()
        });
    }
    assert_eq!(silent.exit(), Exit::NoAnswer);
}

#[test]
fn both_languages_show_the_table_and_why_a_cell_is_not_known() {
    for lang in Lang::ALL {
        let shown = text(&report().sorted(), &Catalog::new(lang));
        insta::assert_snapshot!(format!("text_{}", lang.tag()), shown);
    }
}

#[test]
fn a_matrix_that_was_interrupted_says_what_is_left() {
    let mut part = report();
    part.complete = false;
    part.quick = true;
    part.rows[0].stress = None;
    part.rows[0].capacity = None;
    part.rows[1] = MatrixRow::new("mix", RowKind::Flow, None);
    insta::assert_snapshot!(text(&part.sorted(), &Catalog::new(Lang::En)));
}

#[test]
fn the_file_is_as_its_schema_says() {
    let schema = include_str!("../../../../../docs/schemas/matrix.schema.json");
    let schema: serde_json::Value = serde_json::from_str(schema).unwrap();
    let value: serde_json::Value = serde_json::from_str(&report().to_json()).unwrap();
    let wrong = crate::comparison::file::tests::refused(&schema, &schema, &value, "$");
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn pages_and_programs_have_the_same_rows() {
    let report = report().sorted();
    let document = document::document(&report, &Catalog::new(Lang::En));
    insta::assert_snapshot!(crate::document::markdown::text(
        &document,
        &Catalog::new(Lang::En)
    ));
    insta::assert_snapshot!(report.to_json());
}
