//! What the verdict says of answers that are fast and not what was asked for, or of none.

use crate::common::{Server, free_address, loadline, script, stderr, stdout};
use crate::verdict::{in_store, stored};

/// Seen: a goal of latency was kept by answers that are all 404, which are fast.
#[test]
fn a_goal_of_latency_alone_does_not_excuse_answers_that_are_all_404() {
    let server = Server::start();
    let url = format!("{}/missing", server.base);
    let args = ["run", &url, "-i", "20", "-q", "--slo", "p(95)<60s"];
    let (output, run) = stored("missing", &args);
    let said = stdout(&output);
    let line = "FAILED: 20 of 20 requests failed (404 none × 20)";
    let goal = "p(95)<60000ms of all requests: not reached";
    assert!(said.starts_with(&format!("FAILED: {goal}")), "{said}");
    assert!(said.contains(&format!("✗ {goal}")), "{said}");
    assert!(said.contains("404 none × 20"), "{said}");
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert_eq!(run["verdict"], "failed");

    let text = format!(
        "import http from 'k6/http';
         export const options = {{ iterations: 20, thresholds: {{ http_req_duration: ['p(95)<60000'] }} }};
         export default function () {{ http.get('{url}'); }}"
    );
    let path = script("verdict-missing.js", &text);
    let (output, run) = stored("missing-script", &["run", "-q", path.to_str().unwrap()]);
    let said = stderr(&output);
    assert!(said.contains(line), "{said}");
    assert_eq!(output.status.code(), Some(0), "as k6: {said}");
    assert_eq!(run["verdict"], "failed");
}

/// Seen: PASSED without a word, of bodies that were all empty.
#[test]
fn answers_that_are_all_empty_are_said() {
    let server = Server::start();
    for (path, is_said) in [("/empty", true), ("/", false)] {
        let url = format!("{}{path}", server.base);
        let output = loadline(&["run", &url, "-i", "40", "-q", "--no-store"]);
        let said = stdout(&output);
        let told = "the bodies of all answers with 200 (40) are empty";
        assert_eq!(said.contains(told), is_said, "{path}: {said}");
    }
}

/// Before: "DONE", exit code 0, of a page that nobody ever saw.
#[test]
fn answers_that_lead_elsewhere_fail_a_url_run_and_are_told_of_a_capacity() {
    let server = Server::answering_after(std::time::Duration::from_millis(20));
    let url = format!("{}/moved", server.base);
    let (output, run) = stored("moved", &["run", &url, "-i", "20", "-q"]);
    let said = stdout(&output);
    let line = "FAILED: 20 of 20 answers are redirects, which a URL run does not follow";
    assert!(said.starts_with(line), "{said}");
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert_eq!(run["verdict"], "failed");
    assert_eq!(run["shortfalls"][0]["kind"], "redirects", "{run}");
    let listed = stdout(&in_store("moved", &["runs"]));
    assert!(listed.contains("(redirects)"), "{listed}");

    let wanted = ["run", &url, "-i", "20", "-q", "--fail-on", "errors,load"];
    assert_eq!(loadline(&wanted).status.code(), Some(0), "asked for");

    let search = [
        "capacity",
        &url,
        "--budget",
        "30s",
        "--confirm",
        "3s",
        "--no-soak",
    ];
    let output = loadline(&[&search[..], &["--max-rate", "4/s", "--no-store"]].concat());
    let said = stdout(&output);
    // A busy generator may be the limit; what the answers were is told whatever it was.
    assert!(
        said.contains("answers are redirects, which a URL run does not follow"),
        "{said}"
    );
    assert_ne!(output.status.code(), Some(0), "{said}");
}

/// Before: "DONE ... 0 of 1 thresholds hold", of a part of the requests that does not exist.
#[test]
fn goals_of_which_none_had_a_sample_are_not_judged() {
    let server = Server::start();
    let text = format!(
        "import http from 'k6/http';
         export const options = {{ iterations: 3,
           thresholds: {{ 'http_req_duration{{name:never}}': ['p(95)<500'] }} }};
         export default function () {{ http.get('{}'); }}",
        server.base
    );
    let path = script("verdict-unjudged.js", &text);
    let path = path.to_str().unwrap();
    let (output, run) = stored("unjudged", &["run", "-q", path]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "as k6: {said}");
    let line = "loadline: NOT JUDGED: 1 of 1 threshold had no samples to be judged by";
    assert!(said.contains(line), "{said}");
    assert!(
        said.contains("nothing was judged: http_req_duration{name:never}"),
        "{said}"
    );
    assert_eq!(run["verdict"], "not-judged");
    let listed = stdout(&in_store("unjudged", &["runs"]));
    assert!(listed.contains("not judged"), "{listed}");
    let korean = stdout(&in_store("unjudged", &["runs", "--lang", "ko"]));
    assert!(korean.contains("판정 불가"), "{korean}");
}

/// Before: "DONE: 2,194 iterations ... 1 of 1 thresholds hold", of WebSockets that were all
/// answered with 404.
#[test]
fn websockets_that_never_open_fail_a_run_whose_goal_is_their_latency() {
    let server = Server::start();
    let url = server.base.replace("http:", "ws:");
    let text = format!(
        "import ws from 'k6/ws';
         export const options = {{ iterations: 4, thresholds: {{ ws_connecting: ['p(95)<60000'] }} }};
         export default function () {{
           try {{ ws.connect('{url}/missing', {{}}, (socket) => socket.close()); }} catch (error) {{}}
         }}"
    );
    let path = script("verdict-sockets.js", &text);
    let path = path.to_str().unwrap();
    let (output, run) = stored("sockets", &["run", "-q", path]);
    let said = stderr(&output);
    let line = "loadline: FAILED: 4 of 4 gRPC calls and WebSockets failed";
    assert!(said.contains(line), "{said}");
    assert_eq!(output.status.code(), Some(0), "as k6: {said}");
    assert_eq!(run["verdict"], "failed");
    assert_eq!(run["shortfalls"][0]["kind"], "calls", "{run}");
    let strict = loadline(&["run", "-q", "--no-store", "--fail-on", "errors", path]);
    assert_eq!(strict.status.code(), Some(3), "{}", stderr(&strict));
}

/// Before: "PASSED" of a page of which nobody saw more than the way to its login.
#[test]
fn redirects_that_a_script_follows_are_told_beside_a_good_verdict() {
    let server = Server::start();
    let text = format!(
        "import http from 'k6/http';
         export const options = {{ iterations: 30, thresholds: {{ http_req_failed: ['rate<0.01'] }} }};
         export default function () {{ http.get('{}/moved'); }}",
        server.base
    );
    let path = script("verdict-moved.js", &text);
    let output = loadline(&["run", "-q", "--no-store", path.to_str().unwrap()]);
    let said = stderr(&output);
    let line = "loadline: 30 of 60 answers are redirects: make sure that where they lead";
    assert!(said.contains(line), "{said}");
}

/// Before: "FAILED ... exit code 0", without a word why.
#[test]
fn artillerys_code_of_success_after_a_bad_verdict_is_said_to_be_artillerys() {
    let server = Server::start();
    let text = format!(
        "config: {{ target: '{}', phases: [{{ duration: 1, arrivalCount: 3 }}] }}\nscenarios: [{{ flow: [{{ get: {{ url: '/broken' }} }}] }}]\n",
        server.base
    );
    let path = script("verdict-broken.yml", &text);
    let output = loadline(&["run", "--no-store", path.to_str().unwrap()]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let line = "exit code 0, as Artillery ends such a run (--fail-on changes that)";
    assert!(said.contains(line), "{said}");
}

/// Requests that were refused took no time, which is not fast.
#[test]
fn a_row_without_a_sample_shows_dashes() {
    let url = format!("http://{}/", free_address());
    let (output, run) = stored("refused", &["run", &url, "-i", "5", "-q"]);
    let shown = stdout(&in_store("refused", &["show", "latest"]));
    for said in [stdout(&output), shown] {
        let row = "latency, failed ";
        let line = said.lines().find(|line| line.starts_with(row));
        let line = line.unwrap_or_else(|| panic!("{said}"));
        assert_eq!(line.matches('–').count(), 6, "{said}");
        assert!(!line.contains('0'), "{said}");
    }
    assert!(run["p95_ms"].is_null(), "{run}");
    let listed = stdout(&in_store("refused", &["runs"]));
    assert!(!listed.contains("0.000"), "{listed}");
    let page = ["report", "latest", "--format", "markdown", "-o", "-"];
    let page = stdout(&in_store("refused", &page));
    assert!(!page.contains("0.000 ms"), "{page}");
}

#[test]
fn a_script_that_is_not_there_is_told_with_the_one_that_was_meant() {
    let path = script("nearly-there.js", "export default function () {}");
    let typed = path.with_file_name("nearlythere.js");
    let typed = typed.to_str().unwrap();
    let output = loadline(&["run", typed]);
    assert_eq!(output.status.code(), Some(255), "as k6");
    let said = stderr(&output);
    let meant = format!(
        "loadline: there is no file \"{typed}\"; did you mean \"{}\"?",
        path.display()
    );
    assert!(said.contains(&meant), "{said}");
    assert!(said.contains("couldn't be found on local disk"), "{said}");
}
