use loadline_analysis::bed::{
    BedPart, NotTriedReason, PartCapacity, PartMeasurement, PartRole, PartState, StandIn,
    UnhealthyRate,
};
use loadline_record::Limit;
use loadline_text::Lang;
use serde_json::Value;

use super::*;
use crate::comparison::file::tests::refused;
use crate::document::markdown;

fn measured(offered: f64, answered: f64, p95_ms: f64) -> PartMeasurement {
    PartMeasurement {
        offered,
        answered,
        failed: 0.0,
        answers: answered * 5.0,
        seconds: 5.0,
        p50_ms: Some(p95_ms),
        p95_ms: Some(p95_ms),
    }
}

/// Case B: the stand-in of the outside API answers two a second.
fn weak() -> PreflightReport {
    let mut bed = TestBed::new(20.0);
    let url = "http://127.0.0.1:9100/pay";
    bed.bytes_each = Some(162.0);
    bed.parts = vec![
        BedPart {
            capacity: PartCapacity::AtLeast(60.0),
            state: PartState::Holds,
            tries: vec![measured(20.0, 20.0, 0.8), measured(60.0, 60.0, 0.9)],
            cpu: Some(0.0037),
            unhealthy: Some(UnhealthyRate {
                rate: 60.0,
                limits: vec![Limit::StartLag],
            }),
            ..BedPart::new(PartRole::Generator, String::new(), 20.0)
        },
        BedPart {
            capacity: PartCapacity::Measured(2.0),
            state: PartState::GivesWay,
            low: Some(measured(1.0, 1.0, 2_001.0)),
            tries: vec![measured(20.0, 2.0, 5_605.0), measured(2.0, 2.0, 2_002.0)],
            ..BedPart::new(PartRole::Outside, url.to_owned(), 20.0)
        },
        BedPart {
            state: PartState::NoAnswer,
            failures: vec!["connection refused [1212] × 5".to_owned()],
            ..BedPart::new(PartRole::Outside, "http://127.0.0.1:9/".to_owned(), 5.0)
        },
        BedPart {
            connect_ms: Some(0.15),
            ..BedPart::new(PartRole::Network, String::new(), 20.0)
        },
        BedPart {
            state: PartState::NotTried(NotTriedReason::OtherIsWeak),
            ..BedPart::new(PartRole::Target, String::new(), 20.0)
        },
    ];
    bed.stand_ins = vec![StandIn {
        url: url.to_owned(),
        path: "/pay".to_owned(),
        address: "127.0.0.1:9000".to_owned(),
        latency: "lognormal 2001ms p95 2410ms".to_owned(),
        answers: 6.0,
        planned: 20.0,
        tried: Some(measured(20.0, 20.0, 2_415.0)),
        holds: Some(true),
    }];
    PreflightReport {
        test: "deers.js".to_owned(),
        bed,
        iteration: Some(IterationFacts {
            requests: 2.0,
            failed: 0.0,
            response_ms: 12.0,
            think_ms: 500.0,
        }),
        ceiling: None,
        reached_bytes: None,
        is_network_weak: false,
        sources: None,
    }
}

/// The target was tried, too, by users in a loop; the network gives way.
fn slow_network() -> PreflightReport {
    let mut report = weak();
    report.bed.stand_ins.clear();
    report.bed.parts.drain(1..3);
    report.bed.bytes_each = Some(100_000.0);
    let tries = vec![measured(5.0, 5.0, 900.0), measured(10.0, 6.0, 2_900.0)];
    report.bed.parts[1].state = PartState::GivesWay;
    report.bed.parts[1].capacity = PartCapacity::Measured(6.0);
    report.bed.parts[1].tries.clone_from(&tries);
    report.bed.parts[2].state = PartState::NotKnown;
    report.bed.parts[2].tries = tries;
    report.bed.parts.push(BedPart {
        state: PartState::GivesWay,
        capacity: PartCapacity::Measured(12.0),
        ..BedPart::new(PartRole::Users, String::new(), 20.0)
    });
    report.ceiling = Some(UsersCeiling {
        formula: "10 × 2 / 1.67 s".to_owned(),
        now: 11.98,
        at_best: 12.0,
    });
    report.is_network_weak = true;
    report.reached_bytes = Some(600_000.0);
    report.sources = Some(AnsweringSources {
        answering: 1,
        all: 2,
        lines: vec!["spring http://127.0.0.1:8080: answers".to_owned()],
    });
    report
}

#[test]
fn the_weakest_part_is_in_the_first_line() {
    let all = [weak(), slow_network()];
    for lang in [Lang::En, Lang::Ko] {
        let catalog = Catalog::new(lang);
        let texts: Vec<String> = all.iter().map(|one| text(one, &catalog)).collect();
        insta::assert_snapshot!(
            format!("preflight_{}", lang.tag()),
            texts.join("\n=====\n\n")
        );
    }
}

#[test]
fn without_a_weak_part_the_least_headroom_is_told() {
    let catalog = Catalog::new(Lang::En);
    let mut report = weak();
    report.bed.parts.truncate(1);
    let first = |report: &PreflightReport| {
        let text = text(report, &catalog);
        text.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(
        first(&report),
        "ok    every part that was tried holds the planned 20/s, and none reached its limit"
    );
    report.bed.parts[0].capacity = PartCapacity::Measured(34.6);
    assert_eq!(
        first(&report),
        "ok    every part that was tried holds the planned 20/s; least headroom: generator, 34.6/s, 1.73× the plan"
    );
    report.bed.is_interrupted = true;
    assert_eq!(
        first(&report),
        "STOPPED before every part was tried. The weakest so far: generator, 34.6/s of the planned 20/s"
    );
    report.bed.parts.clear();
    assert_eq!(first(&report), "STOPPED before anything was measured");
}

#[test]
fn the_document_says_the_same() {
    let document = document(&weak(), &Catalog::new(Lang::En));
    insta::assert_snapshot!(markdown::text(&document, &Catalog::new(Lang::En)));
}

#[test]
fn a_mock_file_has_a_route_for_each_stand_in() {
    insta::assert_snapshot!(mock_file(&weak().bed.stand_ins, &Catalog::new(Lang::En)), @r#"
    # written by loadline preflight from answers at a low rate
    routes:
      - path: "/pay" # http://127.0.0.1:9100/pay
        latency: lognormal 2001ms p95 2410ms
    "#);
}

/// The form is a promise to others.
#[test]
fn the_file_has_the_form_of_its_schema() {
    let schema: Value = serde_json::from_str(include_str!(
        "../../../../../docs/schemas/preflight.schema.json"
    ))
    .unwrap();
    for report in [weak(), slow_network()] {
        let written: Value = serde_json::from_str(&file::json(&report)).unwrap();
        assert_eq!(
            refused(&schema, &schema, &written, "$"),
            Vec::<String>::new()
        );
        let mut broken = written;
        broken["result"] = "good".into();
        broken["parts"][0]["state"] = 7.into();
        assert_eq!(refused(&schema, &schema, &broken, "$").len(), 2);
    }
}
