//! `--repeat`: runs one after another, told as one.

use crate::common::{Server, loadline, script, signal, start, stderr, stdout};

#[test]
fn each_run_has_its_verdict_and_all_have_a_table() {
    let server = Server::start();
    let args = ["run", &server.base, "-i", "10", "-q", "--repeat", "3"];
    let output = loadline(&args);
    let said = stdout(&output);
    assert_eq!(server.requests(), 30);
    assert!(said.contains("run 3 of 3"), "{said}");
    assert_eq!(said.matches("exit code").count(), 3, "{said}");
    assert!(said.contains("3 runs of the same test (series "), "{said}");
    for row in ["\nmedian", "\nmin..max", "\n3 "] {
        assert!(said.contains(row), "{row}: {said}");
    }
}

#[test]
fn a_series_of_scripts_keeps_a_summary_of_each_and_ends_as_the_first_that_failed() {
    let server = Server::start();
    let text = format!(
        "import http from 'k6/http';
         export const options = {{ iterations: 4, thresholds: {{ http_reqs: ['count>9'] }} }};
         export default function () {{ http.get('{}'); }}",
        server.base
    );
    let path = script("repeat.js", &text);
    let export = path.with_file_name("repeat-out.json");
    let args = [
        "run",
        "-q",
        "--repeat",
        "2",
        "--lang",
        "ko",
        "--summary-export",
    ];
    let files = [export.to_str().unwrap(), path.to_str().unwrap()];
    let output = loadline(&[&args[..], &files].concat());
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(99), "{said}{}", stderr(&output));
    assert_eq!(server.requests(), 8);
    assert!(said.contains("같은 테스트 2회 실행"), "{said}");
    for number in [1, 2] {
        let kept = path.with_file_name(format!("repeat-out-{number}.json"));
        assert!(std::fs::read_to_string(kept).unwrap().contains("http_reqs"));
    }
}

#[test]
fn an_interrupt_ends_the_whole_series_with_what_was_measured() {
    let server = Server::start();
    let args = ["run", &server.base, "-d", "30s", "-q", "--repeat", "5"];
    let child = start(&args);
    server.wait_for(3);
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("1 of 5 runs of the same test"), "{said}");
    assert!(!said.contains("run 2 of 5"), "{said}");
}
