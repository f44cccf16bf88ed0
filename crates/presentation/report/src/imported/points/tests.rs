use loadline_text::Lang;

use super::*;
use crate::document::{DocumentBlock, StatementClass};

/// A line of k6 2.2.
fn point(metric: &str, second: f64, value: f64, tags: &str) -> String {
    let (whole, nanos) = (second.floor(), (second.fract() * 1e9).round());
    let (minute, second) = (whole / 60.0, whole % 60.0);
    format!(
        "{{\"metric\":\"{metric}\",\"type\":\"Point\",\"data\":{{\"time\":\"2026-11-25T10:{:02}:{second:02}.{nanos:09}+09:00\",\"value\":{value},\"tags\":{{{tags}}}}}}}",
        minute.floor()
    )
}

fn metric(name: &str, kind: &str, contains: &str, thresholds: &str) -> String {
    format!(
        "{{\"type\":\"Metric\",\"data\":{{\"name\":\"{name}\",\"type\":\"{kind}\",\"contains\":\"{contains}\",\"thresholds\":[{thresholds}],\"submetrics\":null}},\"metric\":\"{name}\"}}"
    )
}

fn read(lines: &[String]) -> K6Points {
    let mut points = K6Points::default();
    for line in lines {
        points.line(line).unwrap();
    }
    points
}

/// Ten seconds of ten requests a second, of which each twentieth fails.
fn run() -> Vec<String> {
    let mut lines = vec![
        metric("http_reqs", "counter", "default", ""),
        metric(
            "http_req_duration",
            "trend",
            "time",
            "\"p(95)<150\",\"avg<10\"",
        ),
        metric("http_req_failed", "rate", "default", "\"rate<0.01\""),
        metric("checks", "rate", "default", ""),
        metric("vus", "gauge", "default", ""),
    ];
    for number in 0..=100 {
        let at = f64::from(number) / 10.0;
        let fails = f64::from(u8::from(number % 20 == 19));
        let name = if number % 2 == 0 { "/a" } else { "/b" };
        let tags = format!("\"name\":\"{name}\",\"status\":\"200\"");
        lines.push(point("http_reqs", at, 1.0, &tags));
        lines.push(point(
            "http_req_duration",
            at,
            f64::from(number) + 1.0,
            &tags,
        ));
        lines.push(point("http_req_failed", at, fails, &tags));
        lines.push(point("checks", at, 1.0 - fails, "\"check\":\"is ok\""));
        lines.push(point("vus", at, 4.0, ""));
    }
    lines
}

#[test]
fn samples_become_totals_goals_endpoints_and_charts() {
    let points = read(&run());
    let (document, numbers, seconds) = points.document("samples.json", &Catalog::new(Lang::En));
    assert!((seconds - 10.0).abs() < 1e-9);
    let goals = document.goals.iter();
    let goals: Vec<_> = goals.map(|g| (g.goal.as_str(), g.met)).collect();
    assert_eq!(
        goals,
        [
            ("http_req_duration avg<10", Some(false)),
            ("http_req_failed rate<0.01", Some(false)),
            ("http_req_duration p(95)<150", Some(true)),
        ]
    );
    assert_eq!(document.verdict.class, StatementClass::Bad);
    let ids: Vec<_> = document.sections.iter().map(|section| section.id).collect();
    assert_eq!(ids, ["time", "endpoints", "latency", "checks", "metrics"]);
    let charts = document.sections[0].blocks.iter();
    let charts = charts.filter(|block| matches!(block, DocumentBlock::Chart(_)));
    assert_eq!(charts.count(), 3);
    let numbers: Value = serde_json::from_str(&numbers).unwrap();
    assert_eq!(numbers["metrics"]["http_reqs"]["values"]["count"], 101.0);
    assert_eq!(numbers["root_group"]["checks"][0]["fails"], 5);
    let markdown = crate::document::markdown::text(&document, &Catalog::new(Lang::En));
    assert!(markdown.contains("| /a | 51 |"), "{markdown}");
}

/// Seen: 61 rows of one request, POST and GET of one path in one, and one time of both.
#[test]
fn endpoints_of_samples_are_methods_and_routes_with_failed_ones_apart() {
    let mut lines = vec![
        metric("http_reqs", "counter", "default", ""),
        metric("http_req_duration", "trend", "time", ""),
    ];
    for number in 0..61 {
        let method = if number < 60 { "GET" } else { "POST" };
        let expected = if number % 2 == 0 { "true" } else { "false" };
        let tags = format!(
            "\"name\":\"http://h/orders/{number}\",\"method\":\"{method}\",\"expected_response\":\"{expected}\""
        );
        let took = if number % 2 == 0 { 900.0 } else { 10.0 };
        lines.push(point("http_reqs", 1.0, 1.0, &tags));
        lines.push(point("http_req_duration", 1.0, took, &tags));
    }
    let (document, ..) = read(&lines).document("samples.json", &Catalog::new(Lang::En));
    let markdown = crate::document::markdown::text(&document, &Catalog::new(Lang::En));
    let row = |name: &str| {
        let line = markdown
            .lines()
            .find(|line| line.starts_with(&format!("| {name} |")));
        line.unwrap_or_else(|| panic!("{name}: {markdown}"))
            .to_owned()
    };
    let get = row("GET http://h/orders/{id}");
    assert!(
        get.contains("| 60 |") && get.contains("900 ms") && get.contains("10.0 ms"),
        "{get}"
    );
    assert!(row("POST http://h/orders/{id}").contains("| 1 |"));
}

/// Hours of samples of ever new names: each list ends, and what is beyond it is counted and told.
#[test]
fn what_is_kept_does_not_grow_with_the_file() {
    let mut points = read(&[metric("http_reqs", "counter", "default", "")]);
    for number in 0..3000_u32 {
        let tags = format!("\"name\":\"/{number}\"");
        let line = point("http_reqs", f64::from(number), 1.0, &tags);
        points.line(&line).unwrap();
    }
    assert_eq!(points.endpoints.len(), ENDPOINTS_MAX);
    assert_eq!(points.left_out, 2500);
    let (document, numbers, _) = points.document("samples.json", &Catalog::new(Lang::Ko));
    let numbers: Value = serde_json::from_str(&numbers).unwrap();
    assert_eq!(numbers["metrics"]["http_reqs"]["values"]["count"], 3000.0);
    let details = document.verdict.details.join("\n");
    assert!(details.contains("2,500"), "{details}");
}

#[test]
fn a_line_that_is_not_k6s_is_named_and_a_cut_file_says_so() {
    let mut points = read(&run()[..20]);
    assert!(points.line("").is_ok());
    for foreign in [
        "{",
        "{\"type\":\"Point\"}",
        "[1]",
        "{\"metric\":\"a\",\"type\":\"Point\",\"data\":{\"time\":\"now\",\"value\":1}}",
    ] {
        assert!(!K6Points::begins_with(foreign), "{foreign}");
        assert!(points.line(foreign).is_err(), "{foreign}");
    }
    assert_eq!(points.line("no").unwrap_err().number, 26);
    points.cut();
    let (document, ..) = points.document("a", &Catalog::new(Lang::En));
    assert!(
        document
            .verdict
            .details
            .iter()
            .any(|line| line.contains("middle of a line"))
    );
}

/// k6 writes which sub-metrics there are, not what they must hold.
#[test]
fn thresholds_of_sub_metrics_are_told_to_be_missing() {
    let submetrics = |suffix: &str| {
        let line = metric("http_req_duration", "trend", "time", "");
        let own = format!("\"submetrics\":[{{\"name\":\"a\",\"suffix\":\"{suffix}\"}}]");
        read(&[line.replace("\"submetrics\":null", &own)])
    };
    let told = |suffix: &str| {
        let (document, ..) = submetrics(suffix).document("a", &Catalog::new(Lang::En));
        document.verdict.details.join("\n").contains("sub-metrics")
    };
    assert!(told("name:pay") && !told("expected_response:true"));
}
