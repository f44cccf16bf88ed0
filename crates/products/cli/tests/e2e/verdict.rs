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
        stderr(&failed).contains("1 iteration threw"),
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
        line.contains("FAILED: 1 of 1 threshold does not hold"),
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
fn a_script_without_requests_failed_and_ends_as_k6_ends_it() {
    let path = script(
        "silent.js",
        "export const options = { iterations: 3 }; export default function () {}",
    );
    let output = loadline(&["run", "-q", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0));
    let said = stderr(&output);
    assert!(
        said.contains("loadline: FAILED: no request was sent in 3 iterations"),
        "{said}"
    );
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

/// Runs with a store of its own; the output, and the stored run as `runs --json` has it.
pub(crate) fn stored(name: &str, args: &[&str]) -> (std::process::Output, serde_json::Value) {
    let folder = crate::common::no_folder(&format!("verdict-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    let store = folder.join("runs.db");
    let store = ["--store", store.to_str().unwrap()];
    let output = loadline(&[args, &store].concat());
    let runs = loadline(&[&["runs", "--json"][..], &store].concat());
    let run = serde_json::from_slice(&runs.stdout);
    let run = run.unwrap_or_else(|_| panic!("{}{}", stdout(&output), stderr(&output)));
    let shown = loadline(&[&["show", "latest"][..], &store].concat());
    assert!(shown.status.success(), "{}", stderr(&shown));
    (output, run)
}

/// A command on the store of a run made by [`stored`].
pub(crate) fn in_store(name: &str, args: &[&str]) -> std::process::Output {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let store = folder.join(format!("verdict-{name}")).join("runs.db");
    loadline(&[args, &["--store", store.to_str().unwrap()]].concat())
}

#[test]
fn a_url_run_of_failures_fails_and_says_what_they_were() {
    let server = Server::start();
    let url = format!("{}/broken", server.base);
    let (output, run) = stored("broken", &["run", &url, "-i", "20", "-q"]);
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    let line = "FAILED: 20 of 20 requests failed (500 oops × 20)";
    assert!(said.starts_with(line), "{said}");
    assert_eq!(run["verdict"], "failed");

    let allowed = loadline(&["run", &url, "-i", "20", "-q", "--fail-on", "none"]);
    assert_eq!(allowed.status.code(), Some(0), "asked for");
    assert!(stdout(&allowed).starts_with(line), "{}", stdout(&allowed));
    let korean = loadline(&["run", &url, "-i", "20", "-q", "--lang", "ko"]);
    let said = stdout(&korean);
    assert!(
        said.contains("요청 20건 중 20건 실패 (500 oops × 20)"),
        "{said}"
    );
    let wrong = loadline(&["run", &url, "--fail-on", "bugs"]);
    assert_eq!(wrong.status.code(), Some(2), "{}", stderr(&wrong));
}

#[test]
fn a_load_that_was_not_reached_fails_and_says_how_much_of_it_was() {
    let server = Server::answering_after(std::time::Duration::from_millis(400));
    let args = [
        "run",
        &server.base,
        "--rate",
        "50/s",
        "-u",
        "1",
        "--max-vus",
        "1",
    ];
    let flags = ["-d", "2s", "-q", "--arrivals", "even"];
    let (output, run) = stored("dropped", &[&args[..], &flags].concat());
    let said = stdout(&output);
    // 4: on a busy machine the starts were late, and the run says that first.
    if output.status.code() != Some(4) {
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains("FAILED: load not reached: "), "{said}");
        assert!(
            said.contains("of 101 planned starts, no free virtual user for "),
            "{said}"
        );
        assert_eq!(run["verdict"], "failed");
    }
    // Whatever the word is, the reason stands beside it.
    assert_eq!(run["shortfalls"][0]["kind"], "load");
    assert_eq!(run["shortfalls"][0]["planned"], 101);
    assert!(run["drops"]["no_free_user"].as_u64() > Some(50), "{run}");
    let listed = stdout(&in_store("dropped", &["runs"]));
    assert!(listed.contains("(load)"), "{listed}");
    let korean = stdout(&in_store("dropped", &["runs", "--lang", "ko"]));
    assert!(korean.contains("(부하)"), "{korean}");
}

#[test]
fn iterations_that_time_ran_out_for_are_not_blamed_on_busy_users() {
    let server = Server::answering_after(std::time::Duration::from_millis(100));
    let text = format!(
        "import http from 'k6/http';
         export const options = {{ scenarios: {{ all: {{ executor: 'shared-iterations', vus: 2,
           iterations: 1000, maxDuration: '1s', gracefulStop: '1s' }} }} }};
         export default function () {{ http.get('{}'); }}",
        server.base
    );
    let path = script("verdict-time-over.js", &text);
    let (output, run) = stored("time-over", &["run", "-q", path.to_str().unwrap()]);
    let said = stderr(&output);
    assert!(
        said.contains("of 1,000 planned starts, the load had ended for 9"),
        "{said}"
    );
    assert!(!said.contains("no free virtual user"), "{said}");
    let drops = &run["drops"];
    assert!(drops["time_over"].as_u64() > Some(900), "{drops}");
    assert_eq!(drops["no_free_user"], 0);
}

#[test]
fn a_limit_of_users_in_the_test_is_named_as_what_kept_starts_back() {
    let server = Server::answering_after(std::time::Duration::from_millis(600));
    let text = format!(
        "config: {{target: '{}', phases: [{{duration: 2, arrivalRate: 20, maxVusers: 2}}]}}
scenarios: [{{flow: [{{get: {{url: '/'}}}}]}}]
",
        server.base
    );
    let path = script("verdict-max-vusers.yml", &text);
    let (output, run) = stored("max-vusers", &["run", path.to_str().unwrap()]);
    let said = stderr(&output);
    assert!(said.contains("the test's user limit prevented "), "{said}");
    let drops = &run["drops"];
    assert!(drops["user_limit"].as_u64() > Some(10), "{drops}");
}

#[test]
fn requests_that_all_hang_are_not_called_unsent() {
    let server = Server::hanging_after(0);
    let flags = ["-u", "3", "-d", "1s", "-q", "--graceful-stop", "100ms"];
    let (output, run) = stored("all-hang", &[&["run", &*server.base], &flags[..]].concat());
    let said = stdout(&output);
    assert!(
        said.starts_with("FAILED: none of 3 requests got a complete answer"),
        "{said}"
    );
    assert_eq!(output.status.code(), Some(5));
    assert_eq!(run["verdict"], "no-answer");
}

#[test]
fn requests_that_were_cut_make_the_listed_times_lower_bounds() {
    let server = Server::hanging_after(20);
    let flags = ["-u", "2", "-d", "1s", "-q", "--graceful-stop", "300ms"];
    let (_, run) = stored("cut", &[&["run", &*server.base], &flags[..]].concat());
    assert_eq!(run["p95_at_least"], true, "{run}");
    let shortfalls = run["shortfalls"].as_array().unwrap();
    assert!(
        shortfalls
            .iter()
            .any(|one| one["kind"] == "cut" && one["cut"] == 2),
        "{run}"
    );
    let listed = stdout(&in_store("cut", &["runs"]));
    assert!(listed.contains("≥ "), "{listed}");
    assert!(listed.contains("cut off"), "{listed}");
}

#[test]
fn without_goals_nothing_has_passed() {
    let server = Server::start();
    let (output, run) = stored("no-goals", &["run", &server.base, "-i", "3", "-q"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let said = stdout(&output);
    let first = said.lines().next().unwrap();
    assert!(first.ends_with("; no goals set; exit code 0"), "{first}");
    assert_eq!(run["verdict"], "no-goals");

    let (output, run) = stored(
        "goals",
        &["run", &server.base, "-i", "3", "-q", "--slo", "errors<1%"],
    );
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert!(stdout(&output).starts_with("PASSED"), "{}", stdout(&output));
    assert_eq!(run["verdict"], "passed");

    // Missed by far more than this machine's own delays may be.
    let slow = Server::answering_after(std::time::Duration::from_millis(200));
    let strict = ["run", &slow.base, "-i", "3", "-q", "--slo", "p(95)<1us"];
    let (output, run) = stored("goal-missed", &strict);
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
    let said = stdout(&output);
    let missed = "FAILED: p(95)<0.001ms of all requests: ";
    assert!(said.starts_with(missed), "{said}");
    assert_eq!(run["verdict"], "failed");
    let scoped = loadline(&["run", &server.base, "--slo", "p(95){endpoint:/}<1s"]);
    assert_eq!(scoped.status.code(), Some(2), "one request has no parts");
}

#[test]
fn a_script_whose_checks_or_iterations_fail_has_not_passed_though_k6_ends_with_0() {
    let server = Server::start();
    for (name, body, reason) in [
        (
            "unchecked",
            "check(http.get(BASE), { 'is 201': (r) => r.status === 201 });",
            "FAILED: 3 of 3 checks failed",
        ),
        (
            "thrown",
            "http.get(BASE); throw new Error('no');",
            "FAILED: 3 of 3 iterations threw an exception",
        ),
        (
            "broken-script",
            "http.get(BASE + '/broken');",
            "FAILED: 3 of 3 requests failed (500 oops × 3)",
        ),
    ] {
        let text = format!(
            "import http from 'k6/http'; import {{ check }} from 'k6';
             const BASE = '{}';
             export const options = {{ iterations: 3, thresholds: {{ http_reqs: ['count>0'] }} }};
             export default function () {{ {body} }}",
            server.base
        );
        let path = script(&format!("verdict-{name}.js"), &text);
        let path = path.to_str().unwrap();
        let (output, run) = stored(name, &["run", "-q", path]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(0), "as k6: {said}");
        assert!(said.contains(reason), "{said}");
        assert_eq!(run["verdict"], "failed", "{name}");
        let asked = ["run", "-q", "--fail-on", "errors,checks,exceptions", path];
        let output = loadline(&asked);
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    }
}

#[test]
fn a_script_that_asks_for_it_fails_when_the_generator_was_the_bottleneck() {
    let server = Server::start();
    let text = format!(
        "import http from 'k6/http';
         export const options = {{ scenarios: {{ a: {{ executor: 'per-vu-iterations', vus: 60,
           iterations: 1 }} }},
           thresholds: {{ http_req_failed: ['rate<0.5'] }} }};
         export default function () {{ http.get('{}'); }}",
        server.base
    );
    let path = script("verdict-invalid.js", &text);
    let path = path.to_str().unwrap();
    let run = |flags: &[&str]| {
        let args = [&["run", "-q", "--force", "--no-store"], flags, &[path]].concat();
        crate::common::with_open_files(40, &args)
    };
    let usual = run(&[]);
    let said = stderr(&usual);
    assert!(said.contains("NOT VALID"), "{said}");
    assert_eq!(usual.status.code(), Some(99), "as k6");
    // What else went wrong is not hidden by that.
    assert!(said.contains("1 of 1 threshold does not hold"), "{said}");
    assert!(said.contains("of 60 requests failed"), "{said}");
    let strict = run(&["--fail-on", "invalid", "--no-thresholds"]);
    assert_eq!(strict.status.code(), Some(4), "{}", stderr(&strict));
}

#[test]
fn show_tells_what_the_generator_of_a_script_ran_short_of() {
    let server = Server::start();
    let text = format!(
        "import http from 'k6/http';
         export const options = {{ vus: 90, iterations: 90 }};
         export default function () {{ http.get('{}'); }}",
        server.base
    );
    let path = script("short-of-files.js", &text);
    let folder = crate::common::no_folder("verdict-short-of-files");
    std::fs::create_dir_all(&folder).unwrap();
    let store = folder.join("runs.db").to_str().unwrap().to_owned();
    let args = ["run", "-q", "--force", "--store", &store];
    let args = [&args[..], &[path.to_str().unwrap()]].concat();
    let run = crate::common::with_open_files(80, &args);
    assert!(stderr(&run).contains("NOT VALID"), "{}", stderr(&run));

    let shown = stdout(&in_store("short-of-files", &["show"]));
    assert!(shown.contains("NOT VALID"), "{shown}");
    assert!(shown.contains("open files 80 of 80"), "{shown}");
    let shown = stdout(&in_store("short-of-files", &["show", "--lang", "ko"]));
    assert!(shown.contains("80개 중 80개"), "{shown}");
}

#[test]
fn what_artillery_failed_is_not_stored_as_passed() {
    let server = Server::start();
    // On a busy machine the starts were late, and the run says that first.
    let is_failed = |run: &serde_json::Value| {
        let word = run["verdict"].as_str().unwrap();
        assert!(["failed", "not-valid"].contains(&word), "{word}");
    };
    let file = |name: &str, more: &str, path: &str| {
        let text = format!(
            "config: {{target: '{}', phases: [{{duration: 1, arrivalCount: 5}}]{more}}}
scenarios: [{{flow: [{{get: {{url: '{path}'}}}}]}}]
",
            server.base
        );
        script(name, &text).to_str().unwrap().to_owned()
    };
    let ensured = ", plugins: {ensure: {conditions: [{expression: 'vusers.completed > 99'}]}}";
    let path = file("verdict-ensure.yml", ensured, "/");
    let (output, run) = stored("ensure", &["run", &path]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    is_failed(&run);

    let path = file("verdict-plain.yml", "", "/");
    let (output, run) = stored("plain", &["run", &path]);
    assert_eq!(output.status.code(), Some(0));
    let said = stderr(&output);
    if run["verdict"] != "not-valid" {
        assert!(said.contains("no goals set; exit code 0"), "{said}");
        assert_eq!(run["verdict"], "no-goals");
    }

    let expecting = script(
        "verdict-expect.yml",
        &format!(
            "config: {{target: '{}', phases: [{{duration: 1, arrivalCount: 5}}], plugins: {{expect: {{}}}}}}
scenarios: [{{flow: [{{get: {{url: '/', expect: [{{statusCode: 200}}]}}}}]}}]
",
            server.base
        ),
    );
    let (output, run) = stored("expect", &["run", expecting.to_str().unwrap()]);
    let said = stderr(&output);
    if run["verdict"] != "not-valid" {
        assert!(said.contains("loadline: PASSED"), "{said}");
        assert!(!said.contains("no goals set"), "{said}");
        assert_eq!(run["verdict"], "passed");
    }
    assert_eq!(run["goals"]["met"], 1, "{run}");

    let path = file("verdict-broken.yml", "", "/broken");
    let (output, run) = stored("artillery-broken", &["run", &path]);
    assert_eq!(output.status.code(), Some(0), "as Artillery");
    let said = stderr(&output);
    assert!(
        said.contains("5 of 5 requests failed (500 oops × 5)"),
        "{said}"
    );
    is_failed(&run);
}

/// Guards against a log that is not there, and nobody knows.
#[test]
fn lines_of_a_log_that_a_full_disk_did_not_take_are_counted() {
    let path = script(
        "logs-to-a-full-disk.js",
        "export const options = { iterations: 3 };
         export default function () { console.log('here'); }",
    );
    for flag in [
        ["--log-output", "file=/dev/full"],
        ["--console-output", "/dev/full"],
    ] {
        let said = |lang| {
            let args = ["run", path.to_str().unwrap(), "--no-store", "--lang", lang];
            stderr(&loadline(&[&args[..], &flag].concat()))
        };
        let (english, korean) = (said("en"), said("ko"));
        assert!(
            english.contains(" lines of the log could not be written: No space left"),
            "{english}"
        );
        assert!(
            korean.contains("줄을 쓰지 못했습니다: 디스크 공간 부족"),
            "{korean}"
        );
    }
}
