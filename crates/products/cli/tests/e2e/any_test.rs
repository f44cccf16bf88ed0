//! What `run` does with any test it does with Artillery files; and what changes a run's load is
//! in its record.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::Duration;

use crate::common::{
    Server, command, free_address, loadline, no_folder, script, start, stderr, stdout, until,
};

/// A file with two scenarios, one of them picked a hundred times as often.
fn file(name: &str, server: &Server, seconds: u32) -> PathBuf {
    script(
        name,
        &format!(
            "config:\n  target: {}\n  phases:\n    - duration: {seconds}\n      arrivalRate: 10\nscenarios:\n  - name: often\n    weight: 100\n    flow:\n      - get:\n          url: /often\n  - name: seldom\n    weight: 1\n    flow:\n      - get:\n          url: /seldom\n",
            server.base
        ),
    )
}

#[test]
fn an_artillery_file_is_run_once_with_each_scenario_and_all_is_printed() {
    let server = Server::start();
    let path = file("any-once.yml", &server, 60);
    let output = loadline(&["run", "--once", path.to_str().unwrap()]);
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{said}{}", stderr(&output));
    assert_eq!(server.requests(), 2, "{said}");
    assert!(
        said.contains("/often") && said.contains("/seldom"),
        "{said}"
    );
    assert!(said.contains("< HTTP/1.1 200 OK"), "{said}");
    assert!(!said.contains("Summary report"), "{said}");
}

#[test]
fn an_expectation_that_fails_in_the_only_iteration_is_counted_and_is_not_ok() {
    let server = Server::start();
    let path = script(
        "any-once-expects.yml",
        &format!(
            "config:\n  target: {}\n  plugins: {{ expect: {{}} }}\n  phases:\n    - duration: 1\n      arrivalRate: 1\nscenarios:\n  - flow:\n      - get:\n          url: /first\n          expect:\n            - statusCode: 200\n            - statusCode: 201\n",
            server.base
        ),
    );
    let once = loadline(&["run", "--once", path.to_str().unwrap()]);
    let said = stdout(&once);
    assert_ne!(once.status.code(), Some(0), "{said}");
    let end = said.lines().last().unwrap_or_default();
    assert!(end.starts_with("NOT OK"), "{said}");
    assert!(end.contains("1 of 2 checks passed"), "{said}");
}

#[test]
fn the_end_of_an_only_iteration_comes_after_all_that_its_users_print() {
    let server = Server::start();
    let path = script(
        "any-once-prints.yml",
        &format!(
            "config:\n  target: {}\n  phases:\n    - duration: 1\n      arrivalRate: 1\nscenarios:\n  - flow:\n      - loop:\n          - log: a line of a user\n        count: 5000\n      - get:\n          url: /last\n",
            server.base
        ),
    );
    let once = loadline(&["run", "--once", path.to_str().unwrap()]);
    let said = stdout(&once);
    assert_eq!(said.matches("a line of a user").count(), 5_000, "{said}");
    let exchange = said.find("/last").unwrap();
    assert!(said.rfind("a line of a user") < Some(exchange), "{said}");
    let end = said.lines().last().unwrap_or_default();
    assert!(end.starts_with("OK"), "{said}");
}

/// Every answer is 200, and no user gets to its second request.
#[test]
fn virtual_users_of_an_artillery_file_that_give_up_are_in_the_verdict() {
    let server = Server::start();
    let path = script(
        "any-gives-up.yml",
        &format!(
            "config:\n  target: {}\n  phases:\n    - duration: 1\n      arrivalRate: 10\nscenarios:\n  - flow:\n      - get:\n          url: /first\n          capture: {{ json: $.nothing, as: id }}\n      - get:\n          url: /second\n",
            server.base
        ),
    );
    let once = loadline(&["run", "--once", path.to_str().unwrap()]);
    let said = stdout(&once);
    assert_ne!(once.status.code(), Some(0), "{said}");
    assert!(said.contains("✗ Failed capture or match × 1"), "{said}");
    let end = said.lines().last().unwrap_or_default();
    assert!(
        end.starts_with("NOT OK") && end.ends_with("1 of 1 virtual user failed"),
        "{said}"
    );
    let run = loadline(&["run", "--no-store", path.to_str().unwrap()]);
    let said = stderr(&run);
    assert!(said.contains("10 of 10 virtual users failed"), "{said}");
    // Artillery's exit code stays for its files.
    assert_eq!(run.status.code(), Some(0), "{said}");
}

#[test]
fn an_artillery_file_is_repeated_and_each_run_keeps_a_result_of_its_own() {
    let server = Server::start();
    let folder = no_folder("any-repeat");
    std::fs::create_dir_all(&folder).unwrap();
    let path = file("any-repeat.yml", &server, 1);
    let output = command(&["run", "--repeat", "2", "-q", "--no-store", "-o", "out.json"])
        .arg(&path)
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for number in 1..=2 {
        let text = std::fs::read_to_string(folder.join(format!("out-{number}.json"))).unwrap();
        let result: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(result["aggregate"]["counters"]["http.requests"], 10);
    }
    assert_eq!(server.requests(), 20);
}

#[test]
fn what_an_artillery_file_does_while_it_warms_up_is_not_counted() {
    let server = Server::start();
    let folder = no_folder("any-warm-up");
    std::fs::create_dir_all(&folder).unwrap();
    let path = file("any-warm-up.yml", &server, 4);
    let samples = folder.join("samples.json");
    let output = command(&[
        "run",
        "--warmup",
        "2s",
        "-q",
        "--no-store",
        "-o",
        "out.json",
    ])
    .arg("--out")
    .arg(format!("json={}", samples.display()))
    .arg(&path)
    .current_dir(&folder)
    .output()
    .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(server.requests(), 40);
    let text = std::fs::read_to_string(folder.join("out.json")).unwrap();
    let result: serde_json::Value = serde_json::from_str(&text).unwrap();
    let counted = result["aggregate"]["counters"]["http.requests"]
        .as_f64()
        .unwrap();
    // The window's end that is nearest to the time: half a second each way.
    assert!((10.0..=30.0).contains(&counted), "{counted}");
    // Samples are given out whole.
    let lines = std::fs::read_to_string(samples).unwrap();
    assert!(
        lines.contains("http_reqs"),
        "{}",
        &lines[..lines.len().min(400)]
    );
}

#[test]
fn a_part_of_an_artillery_file_is_refused_and_the_reason_named() {
    let server = Server::start();
    let path = file("any-segment.yml", &server, 1);
    let output = loadline(&[
        "run",
        "--execution-segment",
        "0:1/2",
        path.to_str().unwrap(),
    ]);
    let said = stderr(&output);
    assert!(!output.status.success());
    assert!(said.contains("not run in segments"), "{said}");
    assert!(said.contains("draw arrivals at random"), "{said}");
    assert_eq!(server.requests(), 0);
}

#[test]
fn a_preflight_takes_an_artillery_file_and_its_rate() {
    let server = Server::start();
    let path = file("any-preflight.yml", &server, 5);
    let output = loadline(&["preflight", path.to_str().unwrap(), "--seconds", "4"]);
    let said = stdout(&output);
    assert!(said.contains("10"), "{said}");
    assert_eq!(output.status.code(), Some(0), "{said}{}", stderr(&output));
    assert!(server.requests() >= 1, "{said}");
}

/// A part that takes its time and carries the rate all the same was called weak: its answers had
/// not come yet when they were counted.
#[test]
fn a_preflight_waits_for_the_answers_of_a_slow_part() {
    let target = Server::start();
    let slow = Server::answering_after(Duration::from_secs(2));
    let path = file("any-preflight-slow.yml", &target, 5);
    let also = format!("{}/pay@20/s", slow.base);
    let path = path.to_str().unwrap();
    let output = loadline(&["preflight", path, "--seconds", "4", "--also", &also]);
    let said = stdout(&output);
    assert!(!said.contains("WEAK"), "{said}");
    assert_eq!(output.status.code(), Some(0), "{said}{}", stderr(&output));
}

/// Sends one PATCH to the API of a run.
pub(crate) fn patch(address: &str, body: &str) -> String {
    patch_as(address, &format!("Host: {address}\r\n"), body)
}

/// The same with other heads.
fn patch_as(address: &str, heads: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(10)))
        .unwrap();
    let request = format!(
        "PATCH /v1/status HTTP/1.1\r\n{heads}Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// A browser on the same machine sends what any page asks it to.
#[test]
fn a_web_page_of_another_origin_or_with_a_name_of_its_own_cannot_steer_a_run() {
    let server = Server::start();
    let text = format!(
        "import http from 'k6/http'; import {{ sleep }} from 'k6';
         export const options = {{ vus: 1, duration: '60s' }};
         export default function () {{ http.get('{}/'); sleep(0.02); }}",
        server.base
    );
    let path = script("any-origin.js", &text);
    let address = free_address().to_string();
    let path = path.to_str().unwrap();
    let run = start(&["run", "-q", "--no-store", "--address", &address, path]);
    server.wait_for(3);
    let stop = r#"{"data":{"type":"status","attributes":{"stopped":true}}}"#;
    for heads in [
        format!("Host: {address}\r\nOrigin: https://elsewhere.example\r\n"),
        "Host: rebound.example\r\n".to_owned(),
    ] {
        let answer = patch_as(&address, &heads, stop);
        assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    }
    let before = server.requests();
    server.wait_for(before + 3);
    let answer = patch(&address, stop);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(run.wait_with_output().unwrap().status.code(), Some(103));
}

#[test]
fn what_the_api_changes_in_a_runs_load_is_in_its_record() {
    let server = Server::start();
    let store = no_folder("any-events").with_extension("db");
    let _ = std::fs::remove_file(&store);
    let store = store.to_str().unwrap();
    let path = script(
        "any-events.js",
        &format!(
            "import http from 'k6/http'; import {{ sleep }} from 'k6';
             export const options = {{ vus: 1, duration: '4s' }};
             export default function () {{ http.get('{}/'); sleep(0.05); }}",
            server.base
        ),
    );
    let address = free_address().to_string();
    let run = start(&[
        "run",
        "-q",
        "--store",
        store,
        "--address",
        &address,
        path.to_str().unwrap(),
    ]);
    until("request", || server.requests() > 3);
    for paused in [true, false] {
        let body = format!(r#"{{"data":{{"type":"status","attributes":{{"paused":{paused}}}}}}}"#);
        let answer = patch(&address, &body);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    let output = run.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let shown = stdout(&loadline(&["show", "latest", "--events", "--store", store]));
    assert!(
        shown.contains(r#"load-changed  {"by":"rest-api","change":"paused"}"#),
        "{shown}"
    );
    assert!(
        shown.contains(r#"load-changed  {"by":"rest-api","change":"resumed"}"#),
        "{shown}"
    );
}
