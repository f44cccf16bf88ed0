//! `--once`: one iteration, everything printed, nothing judged.

use crate::common::{Server, loadline, script, stderr, stdout};

fn test(server: &Server, name: &str, body: &str) -> std::path::PathBuf {
    let text = format!(
        "import http from 'k6/http';
         import {{ check }} from 'k6';
         import {{ Counter }} from 'k6/metrics';
         const BASE = '{}';
         const orders = new Counter('orders');
         export const options = {{
           thresholds: {{ http_reqs: ['count>1000'] }},
           scenarios: {{
             buy: {{ executor: 'constant-vus', vus: 50, duration: '1h', exec: 'buy' }},
             look: {{ executor: 'constant-arrival-rate', rate: 1, duration: '1h',
                      preAllocatedVUs: 9, startTime: '1h', exec: 'look' }} }} }};
         export function setup() {{ http.post(BASE + '/set-up', 'payload'); return 7; }}
         export function teardown() {{ http.get(BASE + '/torn-down'); }}
         export function look() {{ http.get(BASE + '/look'); }}
         export function buy(data) {{ {body} }}",
        server.base
    );
    script(name, &text)
}

#[test]
fn every_exchange_check_and_sample_of_each_scenario_is_printed() {
    let server = Server::start();
    let path = test(
        &server,
        "once.js",
        "const answer = http.get(BASE + '/moved');
         check(answer, { 'is plain': (r) => r.headers['X-Kind'] === 'plain' });
         orders.add(data);
         console.log('said');",
    );
    let output = loadline(&["run", "--once", path.to_str().unwrap()]);
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{said}{}", stderr(&output));
    assert_eq!(
        server.requests(),
        5,
        "setup, redirect, its target, look, teardown"
    );
    for line in [
        "[setup] POST",
        "  > payload",
        "[buy] GET",
        "/moved\n",
        "  < HTTP/1.1 302 Found",
        "  < Location: /",
        "  < HTTP/1.1 200 OK",
        "  < X-Kind: plain",
        "  < ok",
        "[buy] ✓ is plain",
        "[buy] orders = 7",
        "[look] GET",
        "[teardown] GET",
        "waiting",
        "OK: 5 requests, 0 failed; 1 of 1 check passed; 0 exceptions",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert!(stderr(&output).contains("msg=said"), "{}", stderr(&output));
}

#[test]
fn a_failed_check_request_or_exception_ends_with_99() {
    let server = Server::start();
    for (name, body, says) in [
        (
            "check",
            "check(1, { 'is two': (v) => v === 2 });",
            "0 of 1 check passed",
        ),
        ("request", "http.get(BASE + '/broken');", "1 failed"),
        ("exception", "throw new Error('on purpose');", "1 exception"),
    ] {
        let path = test(&server, &format!("once-{name}.js"), body);
        let output = loadline(&["run", "--once", path.to_str().unwrap()]);
        let said = stdout(&output);
        assert_eq!(output.status.code(), Some(99), "{name}: {said}");
        assert!(said.contains("NOT OK"), "{said}");
        assert!(said.contains(says), "{name}: {said}");
    }
}

#[test]
fn a_url_is_asked_once_with_all_about_it_in_korean_too() {
    let server = Server::start();
    let args = [
        "run",
        &server.base,
        "--once",
        "-u",
        "50",
        "-H",
        "A: b",
        "-b",
        "x=1",
    ];
    let output = loadline(&[&args[..], &["--lang", "ko"]].concat());
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!(server.requests(), 1);
    for part in [
        "POST",
        "  > A: b",
        "  > x=1",
        "  < ok",
        "대기",
        "정상: 요청 1건",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn a_url_that_answers_with_an_error_ends_with_3() {
    let server = Server::start();
    let url = format!("{}/broken", server.base);
    let output = loadline(&["run", &url, "--once"]);
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
    assert!(stdout(&output).contains("  < oops"), "{}", stdout(&output));
}

/// Before: `OK` and 0, where the same address without `--once` is FAILED.
#[test]
fn a_url_that_points_elsewhere_is_no_more_ok_once_than_in_a_run() {
    let server = Server::start();
    let url = format!("{}/moved", server.base);
    for (lang, word, why) in [
        ("en", "NOT OK", "1 of 1 answer is a redirect"),
        (
            "ko",
            "문제 있음",
            "응답 1건 중 1건이 다른 주소로의 리다이렉트",
        ),
    ] {
        let once = loadline(&["run", &url, "--once", "--lang", lang]);
        assert_eq!(once.status.code(), Some(3), "{}", stdout(&once));
        let said = stdout(&once);
        assert!(said.contains("302 Found"), "{said}");
        let end = said.lines().last().unwrap();
        assert!(end.contains(word) && end.contains(why), "{end}");
    }
    let run = loadline(&["run", &url, "-i", "3", "--no-store"]);
    assert_eq!(run.status.code(), Some(3), "{}", stdout(&run));
    // Before: not told where they lead.
    let said = stdout(&run);
    assert!(said.contains("the first of them leads to /"), "{said}");
}

/// Seen: "OK: 0 requests", exit code 0, of a server that never answers: the run ended when the request timed out.
#[test]
fn a_url_that_never_answers_is_not_ok() {
    let server = Server::answering_after(std::time::Duration::from_secs(60));
    for _ in 0..3 {
        let output = loadline(&["run", &server.base, "--once", "--timeout", "300ms"]);
        let said = stdout(&output);
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains("NOT OK: 1 request, 1 failed"), "{said}");
    }
}
