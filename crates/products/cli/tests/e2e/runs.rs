//! URL runs and scripts that end by themselves.

use crate::common::{Server, loadline, script, stderr, stdout};

#[test]
fn a_url_run_sends_exactly_the_iterations_asked_for() {
    let server = Server::start();
    let output = loadline(&[
        "run",
        &server.base,
        "--iterations",
        "137",
        "--vus",
        "5",
        "--quiet",
    ]);
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 4)), "{}", stdout(&output));
    assert_eq!(server.requests(), 137);
    assert!(stdout(&output).contains("137"), "{}", stdout(&output));
}

#[test]
fn an_open_model_run_sends_every_planned_start() {
    let server = Server::start();
    let args = [
        "run",
        &server.base,
        "--rate",
        "50/s",
        "--arrivals",
        "even",
        "--vus",
        "101",
        "--duration",
        "2s",
        "--quiet",
    ];
    let output = loadline(&args);
    // 4: on a busy machine the starts were late, and the run says so.
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 4)), "{}", stdout(&output));
    assert_eq!(
        server.requests(),
        101,
        "both ends count: {}",
        stdout(&output)
    );
}

#[test]
fn the_summary_speaks_korean_when_asked() {
    let server = Server::start();
    let output = loadline(&["run", &server.base, "-i", "3", "--quiet", "--lang", "ko"]);
    assert!(stdout(&output).contains("요청"), "{}", stdout(&output));
}

#[test]
fn a_wrong_url_is_refused_by_name_before_anything_is_sent() {
    let output = loadline(&["run", "http://", "-i", "1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("http://"), "{}", stderr(&output));
}

#[test]
fn checks_groups_and_exceptions_of_a_script_are_counted_and_logged() {
    let path = script(
        "checks.js",
        "import { check, group, fail } from 'k6';
         export const options = { vus: 2, iterations: 6 };
         export default function () {
           console.log(`iteration ${__ITER}`);
           group('outer', () => check(5, { 'is five': (v) => v === 5, 'is six': 6 === 5 }));
           if (__ITER === 0) fail('on purpose');
         }",
    );
    let output = loadline(&["run", "--quiet", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("checks_total"),
        "{}",
        stdout(&output)
    );
    assert!(
        stdout(&output).contains("50.00% 6 out of 12"),
        "{}",
        stdout(&output)
    );
    assert!(stderr(&output).contains("on purpose"));
    assert_eq!(stderr(&output).matches("msg=\"iteration ").count(), 6);
}

#[test]
fn a_crossed_threshold_ends_with_99_and_a_thrown_init_with_107() {
    let crossed = script(
        "crossed.js",
        "import { check } from 'k6';
         export const options = { thresholds: { checks: ['rate>0.9'] } };
         export default function () { check(1, { one: (v) => v === 2 }); }",
    );
    let output = loadline(&["run", "--quiet", crossed.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(99));
    assert!(stderr(&output).contains("have been crossed"));

    let thrown = script(
        "thrown.js",
        "throw new Error('early');\nexport default function () {}",
    );
    let output = loadline(&["run", "--quiet", thrown.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(107));
    assert!(stderr(&output).contains("early"), "{}", stderr(&output));
}

#[test]
fn a_syntax_error_names_file_line_and_column() {
    let path = script(
        "syntax.js",
        "export default function () {\n  const a = ;\n}\n",
    );
    let output = loadline(&["run", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(107), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("syntax.js:2:13"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn an_endless_loop_is_interrupted_when_its_grace_is_over() {
    let path = script(
        "endless.js",
        "export const options = { scenarios: { a: {
           executor: 'constant-vus', vus: 1, duration: '1s', gracefulStop: '200ms' } } };
         export default function () { try { while (true) {} } finally { while (true) {} } }",
    );
    let output = loadline(&["run", "--quiet", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("No script iterations fully finished"));
}

#[test]
fn a_script_that_changes_built_ins_on_its_way_is_named_whatever_runs_after() {
    // No text shows it, and no iteration follows in which another user could notice.
    let path = script(
        "changes_on_its_way.js",
        "export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 2, iterations: 1 } } };
export default function () {
  const all = [Math];
  if (__VU === 1) all[0].mine = 1;
}",
    );
    let output = loadline(&["run", "--quiet", path.to_str().unwrap()]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("stopped sharing"), "{said}");
    assert!(said.contains("changes_on_its_way.js:4:"), "{said}");
}
