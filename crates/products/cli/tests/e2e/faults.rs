//! Defects, provoked on the built binary: it ends by itself, with a report of what was
//! measured and the code for a defect. `cargo test --features fault-injection`.

use std::process::Output;

use crate::common::{Server, command, script, stderr, stdout};

fn run(fault: &str, args: &[&str]) -> Output {
    command(args).env("LOADLINE_FAULT", fault).output().unwrap()
}

fn looping(server: &Server, name: &str, body: &str) -> String {
    let text = format!(
        "import http from 'k6/http';
         export const options = {{ vus: 4, duration: '60s' }};
         export default function () {{ http.get('{}'); {body} }}",
        server.base
    );
    script(name, &text).to_str().unwrap().to_owned()
}

/// What was measured, by k6's summary.
fn assert_tells_what_was_measured(output: &Output, server: &Server) {
    let said = stdout(output);
    let line = said.lines().find(|line| line.contains("http_reqs"));
    let line = line.unwrap_or_else(|| panic!("no summary: {said}{}", stderr(output)));
    let counted: u64 = line
        .split_once(':')
        .and_then(|(_, rest)| rest.split_whitespace().next()?.parse().ok())
        .unwrap_or_else(|| panic!("{line}"));
    let sent = server.requests();
    // Requests under way when it ended are cut.
    assert!(
        counted <= sent && counted + 8 >= sent,
        "{counted} of {sent}"
    );
    assert!(counted >= 40, "{counted}");
}

#[test]
fn a_panic_in_a_worker_ends_a_script_with_its_summary_and_109() {
    let server = Server::start();
    let path = looping(&server, "fault-worker.js", "");
    let output = run("worker", &["run", "-q", &path]);
    assert_eq!(output.status.code(), Some(109), "{}", stderr(&output));
    assert_tells_what_was_measured(&output, &server);
    let said = stderr(&output);
    assert!(said.contains("fault injected into a worker"), "{said}");
    assert!(
        said.contains("FAILED: a defect of loadline ended the run"),
        "{said}"
    );
}

#[test]
fn a_panic_in_a_native_function_ends_a_script_with_its_summary_and_109() {
    let server = Server::start();
    for (name, body) in [
        (
            "iteration",
            "if (__ITER === 20) { try { console.log('fault'); } finally { http.get('x'); } }",
        ),
        (
            "promise",
            "if (__ITER === 20) { Promise.resolve().then(() => console.log('fault')); }",
        ),
    ] {
        let before = server.requests();
        let path = looping(&server, &format!("fault-native-{name}.js"), body);
        let output = run("native", &["run", "-q", &path]);
        assert_eq!(output.status.code(), Some(109), "{}", stderr(&output));
        assert!(server.requests() > before + 20);
        let said = stderr(&output);
        assert!(
            said.contains("fault injected into a native function"),
            "{said}"
        );
        assert!(stdout(&output).contains("http_reqs"), "{}", stdout(&output));
    }
}

#[test]
fn a_panic_in_setup_and_teardown_is_a_defect_too() {
    for stage in ["setup", "teardown"] {
        let text = format!(
            "export const options = {{ iterations: 3 }};
             export default function () {{}}
             export function {stage}() {{ console.log('fault'); }}"
        );
        let path = script(&format!("fault-{stage}.js"), &text);
        let output = run("native", &["run", "-q", path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(109), "{}", stderr(&output));
    }
}

#[test]
fn a_panic_in_an_output_ends_a_script_with_its_summary_and_109() {
    let server = Server::start();
    let path = looping(&server, "fault-output.js", "");
    let output = run("output", &["run", "-q", &path]);
    assert_eq!(output.status.code(), Some(109), "{}", stderr(&output));
    assert_tells_what_was_measured(&output, &server);
}

#[test]
fn a_url_run_that_meets_a_defect_ends_with_109() {
    for fault in ["worker", "output"] {
        let server = Server::start();
        let output = run(fault, &["run", &server.base, "-u", "4", "-d", "60s", "-q"]);
        assert_eq!(output.status.code(), Some(109), "{}", stderr(&output));
        let said = stdout(&output);
        assert!(said.starts_with("FAILED: a defect of loadline"), "{said}");
        assert!(said.contains("fault injected"), "{said}");
        assert!(said.contains("200  "), "answers are counted: {said}");
    }
}

#[test]
fn an_artillery_run_that_meets_a_defect_ends_with_1_and_its_report() {
    let server = Server::start();
    let text = format!(
        "config:\n  target: {}\n  phases:\n    - duration: 60\n      arrivalRate: 60\n\
         scenarios:\n  - flow:\n      - get: {{ url: / }}\n",
        server.base
    );
    let path = script("fault.yml", &text);
    for fault in ["worker", "output"] {
        let output = run(fault, &["run", path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        let said = stdout(&output);
        assert!(said.contains("fault injected"), "{said}");
        assert!(said.contains("Summary report"), "{said}");
    }
}

/// The check that every test's run goes through can fail.
#[test]
fn a_request_nobody_hears_of_again_fails_the_test_that_ran_it() {
    let server = Server::start();
    let lost = std::panic::catch_unwind(|| {
        run(
            "lost-request",
            &["run", &server.base, "-i", "60", "--no-store"],
        )
    });
    let said = lost.unwrap_err();
    let said = said.downcast_ref::<String>().unwrap();
    assert!(
        said.contains("loadline lost count: 61 requests sent, 60 accounted for."),
        "{said}"
    );
}
