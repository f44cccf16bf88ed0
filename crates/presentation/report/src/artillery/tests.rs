#![expect(clippy::float_cmp, reason = "whole numbers are exact")]

use super::*;

fn collected() -> Collector {
    let mut collector = Collector::default();
    for second in 0..12 {
        let at = 1_700_000_000_000 + second * 1000;
        collector.add(at, "http.requests", &Gain::Counter(5.0));
        collector.add(at, "http.request_rate", &Gain::Rate(5.0));
        let times = Histogram::from_values(&[1.0, 2.0, 3.04]);
        collector.add(at, "http.response_time", &Gain::Summary(&times));
    }
    collector.add(1_700_000_011_000, "vusers.failed", &Gain::Counter(0.0));
    collector
}

#[test]
fn seconds_are_sorted_into_periods_of_ten() {
    let report = collected().report();
    assert_eq!(report.intermediate.len(), 2);
    assert_eq!(report.intermediate[0].counter("http.requests"), 50.0);
    assert_eq!(report.intermediate[1].counter("http.requests"), 10.0);
    assert_eq!(report.aggregate.counter("http.requests"), 60.0);
    assert_eq!(report.intermediate[0].rates["http.request_rate"], 5.0);
    assert_eq!(report.aggregate.summaries["http.response_time"].count, 36.0);
}

#[test]
fn what_was_written_is_read_again() {
    let report = collected().report();
    assert_eq!(Report::from_json(&report.to_json()).unwrap(), report);
}

#[test]
fn other_files_are_refused() {
    let error = |text: &str| Report::from_json(text).unwrap_err().to_string();
    assert!(error("{").starts_with("not JSON"));
    assert_eq!(
        error("{}"),
        "`aggregate` is missing: this is no result file of Artillery 2"
    );
    assert!(error("{\"aggregate\": {\"scenariosCreated\": 1}}").contains("Artillery 1"));
}

#[test]
fn the_console_is_artillerys() {
    let period = collected().report().aggregate;
    let text = console::summary(&period, "13:37:30(+0900)", &[]);
    insta::assert_snapshot!(text);
    assert_eq!(console::length(11), "11 seconds");
    assert_eq!(console::length(61), "1 minute, 1 second");
    assert_eq!(console::length(3600), "1 hour, 0 minutes, 0 seconds");
}
