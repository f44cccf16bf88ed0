//! Nothing vanishes where a run is made of parts: the levels of a search, the segments of a test.

use std::time::Duration;

use crate::accounting::{Kept, count, requests};
use crate::common::{Server, loadline, script, stderr, stdout};

/// A search stops its load at once and again: what was under way then is counted as cut.
#[test]
fn the_levels_of_a_search_account_for_all_the_server_got() {
    let server = Server::answering_after(Duration::from_millis(700));
    let kept = Kept::new("accounting-levels");
    let search = ["capacity", &server.base, "--slo", "p(95)<3s"];
    let short = ["--budget", "70s", "--confirm", "3s", "--no-soak"];
    let limits = ["--max-rate", "6/s", "--store", &kept.0];
    let output = loadline(&[&search[..], &short, &limits].concat());
    let said = format!("{}{}", stdout(&output), stderr(&output));

    let accounting = kept.accounting();
    let [sent, answered, failed, cut] = requests(&accounting, &server);
    assert!(sent > 20, "{said}");
    assert_eq!(sent, answered + failed + cut, "{accounting}");
    let [started, complete, interrupted] =
        ["started", "complete", "interrupted"].map(|what| count(&accounting, "iterations", what));
    assert_eq!(started, complete + interrupted, "{accounting}");
    let [planned, began, dropped] =
        ["planned", "started", "dropped"].map(|what| count(&accounting, "starts", what));
    assert_eq!(planned, began + dropped, "{accounting}");
}

/// Three generators share a test: together they plan what one would, and each accounts for its share.
#[test]
fn the_segments_of_a_test_plan_it_together_and_lose_nothing() {
    let text = |base: &str| {
        format!(
            "import http from 'k6/http';
             export const options = {{ scenarios: {{ rate: {{ executor: 'constant-arrival-rate',
               rate: 50, duration: '2s', preAllocatedVUs: 3, gracefulStop: '100ms' }} }} }};
             export default function () {{ http.get('{base}'); }}"
        )
    };
    let account = |name: &str, flags: &[&str]| {
        let server = Server::answering_after(Duration::from_millis(150));
        let kept = Kept::new(name);
        let path = script(&format!("{name}.js"), &text(&server.base));
        let args = ["run", "-q", "--store", &kept.0, path.to_str().unwrap()];
        let said = stderr(&loadline(&[&args[..], flags].concat()));
        let accounting = kept.accounting();
        let [sent, answered, failed, cut] = requests(&accounting, &server);
        assert_eq!(sent, answered + failed + cut, "{said}");
        let starts =
            ["planned", "started", "dropped"].map(|what| count(&accounting, "starts", what));
        assert_eq!(starts[0], starts[1] + starts[2], "{accounting}");
        assert_eq!(sent, starts[1], "{accounting}");
        assert!(starts[2] > 0, "three users cannot send 50/s: {accounting}");
        starts[0]
    };
    let whole = account("accounting-whole", &[]);
    let sequence = "--execution-segment-sequence=0,1/3,2/3,1";
    let parts = ["0:1/3", "1/3:2/3", "2/3:1"]
        .iter()
        .enumerate()
        .map(|(number, part)| {
            let segment = format!("--execution-segment={part}");
            account(
                &format!("accounting-segment-{number}"),
                &[&segment, sequence],
            )
        });
    assert_eq!(parts.sum::<u64>(), whole);
}

/// Before: "intended_latency med=0.1ms" of a script that dropped four of five starts, and no word
/// that the dropped ones, which waited for nothing, are among the values.
#[test]
fn what_of_a_scripts_intended_latency_is_a_lower_bound_is_told() {
    let server = Server::answering_after(Duration::from_millis(200));
    let text = format!(
        "import http from 'k6/http';
         export const options = {{ scenarios: {{ rate: {{ executor: 'constant-arrival-rate',
           rate: 20, duration: '2s', preAllocatedVUs: 1, maxVUs: 1 }} }},
           thresholds: {{ intended_latency: ['p(50)<100'] }} }};
         export default function () {{ http.get('{}'); }}",
        server.base
    );
    let path = script("intended-lower-bounds.js", &text);
    let run = |lang| {
        loadline(&[
            "run",
            "-q",
            "--no-store",
            "--lang",
            lang,
            path.to_str().unwrap(),
        ])
    };
    let output = run("en");
    let said = stderr(&output);
    assert_eq!(
        output.status.code(),
        Some(99),
        "a bound proves nothing: {said}"
    );
    let told = "of 41 values are lower bounds (dropped starts, interrupted iterations)";
    assert!(said.contains(told), "{said}");
    assert!(stderr(&run("ko")).contains("하한값입니다"));
}
