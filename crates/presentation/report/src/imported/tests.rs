use loadline_text::Lang;

use super::*;
use crate::document::DocumentBlock;

const EXPORT: &str = r#"{"root_group":{"name":"","path":"","groups":{},"checks":{"is ok":{"name":"is ok","path":"::is ok","passes":98,"fails":2}}},
"metrics":{"http_reqs":{"count":100,"rate":10},"http_req_duration":{"avg":12.5,"min":1,"med":11,"max":90,"p(90)":30,"p(95)":41.5,"thresholds":{"p(95)<40":true,"avg<40":false}},
"http_req_failed":{"passes":2,"fails":98,"value":0.02},"checks":{"passes":98,"fails":2,"value":0.98}}}"#;

const HANDLED: &str = r#"{"root_group":{"name":"","groups":[],"checks":[]},"state":{"testRunDurationMs":10000},
"metrics":{"http_reqs":{"type":"counter","contains":"default","values":{"count":100,"rate":10}},"http_req_duration":{"type":"trend","contains":"time","values":{"avg":12.5,"p(95)":41.5},"thresholds":{"p(95)<50":{"ok":true}}}}}"#;

const ARTILLERY: &str = r#"{"aggregate":{"counters":{"http.requests":40,"http.codes.200":38,"http.codes.503":2},"rates":{"http.request_rate":4},"firstCounterAt":1000,"lastCounterAt":11000,"summaries":{"http.response_time":{"min":1,"max":9,"count":38,"mean":4,"p50":4,"p75":5,"p90":7,"p95":8,"p99":9,"p999":9}}},
"intermediate":[{"period":"0","counters":{"http.requests":20},"summaries":{"http.response_time":{"p50":4,"p95":8,"p99":9}}},{"period":"10000","counters":{"http.requests":20},"summaries":{}}]}"#;

fn read(text: &str, lang: Lang) -> (ReportDocument, f64) {
    document(text, "result.json", &Catalog::new(lang)).unwrap()
}

/// In an export `true` says that a threshold was crossed, in `handleSummary` data `ok` that it held.
#[test]
fn thresholds_of_both_files_of_k6_are_read_as_k6_means_them() {
    let (document, seconds) = read(EXPORT, Lang::En);
    let goals: Vec<_> = document
        .goals
        .iter()
        .map(|g| (g.goal.as_str(), g.met))
        .collect();
    assert_eq!(
        goals,
        [
            ("http_req_duration p(95)<40", Some(false)),
            ("http_req_duration avg<40", Some(true))
        ]
    );
    assert_eq!(document.verdict.class, StatementClass::Bad);
    assert!((seconds - 10.0).abs() < 1e-9);
    let (document, _) = read(HANDLED, Lang::En);
    assert_eq!(document.goals[0].met, Some(true));
    assert_eq!(document.verdict.class, StatementClass::Good);
}

/// An export calls the share of a rate `value`, `handleSummary` calls it `rate`.
#[test]
fn the_share_that_a_threshold_judges_is_shown() {
    let export = EXPORT.replace(
        r#""value":0.02}"#,
        r#""value":0.02,"thresholds":{"rate<0.05":false}}"#,
    );
    let (document, _) = read(&export, Lang::En);
    let goals = document.goals.iter();
    let mut of_rate = goals.filter(|goal| goal.goal.contains("rate"));
    assert_eq!(of_rate.next().unwrap().observed, "2.00 %");
}

#[test]
fn each_file_reads_well_in_both_languages() {
    let mut all = String::new();
    for (text, lang) in [(EXPORT, Lang::En), (ARTILLERY, Lang::Ko)] {
        let catalog = Catalog::new(lang);
        all.push_str(&crate::document::markdown::text(
            &read(text, lang).0,
            &catalog,
        ));
        all.push_str("\n----\n\n");
    }
    insta::assert_snapshot!(all);
}

/// Requests of the first second of a period are not spread over ten.
#[test]
fn a_period_that_the_run_covers_in_part_shows_the_rate_of_that_part() {
    let (document, _) = read(ARTILLERY, Lang::En);
    let blocks = document.sections.iter().flat_map(|s| &s.blocks);
    let charts = blocks.filter_map(|block| match block {
        DocumentBlock::Chart(chart) => Some(chart),
        _ => None,
    });
    let rate = charts.into_iter().find(|chart| chart.id == "rate").unwrap();
    let [whole, begun] = rate.series[0].points[..] else {
        panic!("{:?}", rate.series[0].points);
    };
    // The run goes from second 1 to second 11.
    assert_eq!((whole.1, begun.1), (Some(20.0 / 9.0), Some(20.0)));
}

#[test]
fn what_is_neither_is_refused() {
    let catalog = Catalog::new(Lang::En);
    assert!(matches!(
        document("{}", "a", &catalog),
        Err(ImportError::Unknown)
    ));
    assert!(matches!(
        document("{", "a", &catalog),
        Err(ImportError::Json(_))
    ));
    let old = r#"{"aggregate":{"scenariosCreated":1}}"#;
    assert!(matches!(
        document(old, "a", &catalog),
        Err(ImportError::Artillery(_))
    ));
}

/// A test need not send requests; then nothing may be told of them.
#[test]
fn a_test_without_requests_tells_its_iterations() {
    let text = r#"{"root_group":{"name":"","groups":[],"checks":[]},"metrics":{"iterations":{"count":12,"rate":4}}}"#;
    let (document, seconds) = read(text, Lang::En);
    assert_eq!(document.verdict.text, "12 iterations");
    assert_eq!(document.figures[0].value, "4.00");
    assert!((seconds - 3.0).abs() < 1e-9);
    assert!(
        document
            .sections
            .iter()
            .all(|section| section.id != "latency")
    );
}
