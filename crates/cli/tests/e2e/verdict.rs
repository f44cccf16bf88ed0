//! The verdict of a script's run, beside k6's own summary.

use crate::common::{Server, command, loadline, script, stderr, stdout};

#[test]
fn an_exception_fails_a_run_that_is_asked_to_fail_on_one() {
    let path = script(
        "fail-on-exception.js",
        "export const options = { iterations: 3 };
         export default function () { if (__ITER === 1) throw new Error('once'); }",
    );
    let path = path.to_str().unwrap();
    let run = |flags: &[&str]| {
        command(&[&["run", "-q"], flags, &[path]].concat())
            .output()
            .unwrap()
    };
    assert_eq!(run(&[]).status.code(), Some(0), "as k6");
    let failed = run(&["--fail-on-exception"]);
    assert_eq!(failed.status.code(), Some(107), "{}", stderr(&failed));
    assert!(
        stderr(&failed).contains("1 iterations threw"),
        "{}",
        stderr(&failed)
    );
}

#[test]
fn the_verdict_is_the_first_line_of_ours_and_leaves_k6s_output_alone() {
    let server = Server::start();
    let text = format!(
        "import http from 'k6/http';
         export const options = {{ iterations: 4, thresholds: {{ http_reqs: ['count>9'] }} }};
         export default function () {{ http.get('{}'); }}",
        server.base
    );
    let path = script("verdict.js", &text);
    let output = loadline(&["run", "-q", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(99));
    assert!(
        !stdout(&output).contains("exit code"),
        "{}",
        stdout(&output)
    );
    let said = stderr(&output);
    let line = said.lines().find(|line| line.starts_with("loadline: "));
    let line = line.unwrap();
    assert!(
        line.contains("FAILED: 1 of 1 thresholds do not hold"),
        "{line}"
    );
    assert!(line.ends_with("exit code 99"), "{line}");

    let output = loadline(&["run", "-q", "--lang", "ko", path.to_str().unwrap()]);
    assert!(
        stderr(&output).contains("임계값 1개 중 1개 미충족"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_script_without_requests_is_not_called_a_failure() {
    let path = script(
        "silent.js",
        "export const options = { iterations: 3 }; export default function () {}",
    );
    let output = loadline(&["run", "-q", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0));
    let said = stderr(&output);
    assert!(said.contains("loadline: DONE: 3 iterations"), "{said}");
}

#[test]
fn under_the_name_k6_there_is_no_line_of_ours() {
    let path = script(
        "as-k6.js",
        "export const options = { iterations: 3 }; export default function () {}",
    );
    let output = command(&["run", "-q", path.to_str().unwrap()])
        .arg0("k6")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output), "");
}

#[test]
fn a_failure_of_the_script_is_what_the_verdict_says() {
    let path = script(
        "torn.js",
        "export default function () {}
         export function teardown() { throw new Error('late'); }",
    );
    let output = loadline(&["run", "-q", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(107));
    assert!(
        stderr(&output).contains("loadline: FAILED: the script threw an exception"),
        "{}",
        stderr(&output)
    );
}
