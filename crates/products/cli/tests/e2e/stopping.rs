//! SIGINT and SIGTERM: the first in good order, the second at once.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{Server, Stopwatch, command, script, signal, start, stderr, stdout, until};

fn looping(server: &Server, name: &str) -> std::path::PathBuf {
    let text = format!(
        "import http from 'k6/http';
         import {{ sleep }} from 'k6';
         export const options = {{ vus: 2, duration: '60s' }};
         export default function () {{ http.get('{0}'); sleep(30); }}
         export function teardown() {{ http.get('{0}/torn-down'); console.log('torn down'); }}",
        server.base
    );
    script(name, &text)
}

#[test]
fn a_script_is_interrupted_torn_down_summed_up_and_ends_with_105() {
    for (name, word) in [("INT", "interrupt"), ("TERM", "terminated")] {
        let server = Server::start();
        let path = looping(&server, &format!("signal-{name}.js"));
        let child = start(&["run", "-q", path.to_str().unwrap()]);
        server.wait_for(2);
        let asked = Stopwatch::start();
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(105), "{}", stderr(&output));
        // Its sleeps were cut.
        asked.assert_within(Duration::from_secs(5));
        assert_eq!(server.requests(), 3, "teardown ran");
        assert!(stdout(&output).contains("http_reqs"), "{}", stdout(&output));
        let said = stderr(&output);
        assert!(
            said.contains(&format!("received a '{word}' signal")),
            "{said}"
        );
    }
}

#[test]
fn a_url_run_lets_running_requests_end_within_the_grace() {
    let server = Server::answering_after(Duration::from_millis(700));
    let child = start(&["run", &server.base, "-u", "3", "-d", "60s", "-q"]);
    server.wait_for(3);
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("STOPPED"), "{said}");
    assert!(said.contains("200  "), "answers came: {said}");
    assert!(!said.contains("errors  "), "no request was cut: {said}");
}

#[test]
fn the_grace_of_a_url_run_ends_when_it_is_over() {
    let server = Server::answering_after(Duration::from_secs(60));
    let args = [
        "run",
        &server.base,
        "-d",
        "60s",
        "-q",
        "--graceful-stop",
        "300ms",
    ];
    let child = start(&args);
    server.wait_for(1);
    let asked = Instant::now();
    let stopwatch = Stopwatch::start();
    signal(&child, "TERM");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let took = asked.elapsed();
    assert!(took >= Duration::from_millis(300), "{took:?}");
    stopwatch.assert_within(Duration::from_secs(5));
}

#[test]
fn a_second_signal_ends_at_once() {
    let server = Server::answering_after(Duration::from_secs(60));
    let path = script(
        "stubborn.js",
        &format!(
            "import http from 'k6/http';
             export const options = {{ vus: 1, duration: '60s' }};
             export default function () {{ http.get('{0}'); }}
             export function teardown() {{ http.get('{0}'); }}",
            server.base
        ),
    );
    let script = path.to_str().unwrap().to_owned();
    for (args, code) in [
        (vec!["run", "-q", &script], 105),
        (
            vec![
                "run",
                &server.base,
                "-q",
                "-d",
                "60s",
                "--graceful-stop",
                "60s",
            ],
            130,
        ),
    ] {
        let before = server.requests();
        let mut child = start(&args);
        server.wait_for(before + 1);
        signal(&child, "INT");
        // Long enough for the first to be heard, short of any grace.
        std::thread::sleep(Duration::from_millis(400));
        assert!(child.try_wait().unwrap().is_none(), "it waits: {args:?}");
        let asked = Stopwatch::start();
        // A machine that stands still may make one signal of two.
        until("end", || {
            signal(&child, "INT");
            std::thread::sleep(Duration::from_millis(100));
            child.try_wait().unwrap().is_some()
        });
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        // 200 ms are promised; the rest is for a busy machine.
        asked.assert_within(Duration::from_millis(800));
        let said = stdout(&output) + &stderr(&output);
        assert!(said.contains("ABORTED"), "{said}");
    }
}

/// Guards against a signal that comes before a server waits for it and ends it without a word.
#[test]
fn a_server_asked_to_end_as_soon_as_it_told_its_address_ends_in_order() {
    let home = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("ends-at-once");
    std::fs::create_dir_all(&home).unwrap();
    let servers: [&[&str]; 3] = [
        &["gate", "--public", "127.0.0.1:0", "--admin", "127.0.0.1:0"],
        &["demo", "--address", "127.0.0.1:0"],
        &["mock", "--address", "127.0.0.1:0"],
    ];
    for server in servers {
        for name in ["INT", "TERM"] {
            let mut child = command(server)
                .current_dir(&home)
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let mut out = BufReader::new(child.stdout.take().unwrap());
            let mut address = String::new();
            out.read_line(&mut address).unwrap();
            signal(&child, name);
            let mut rest = String::new();
            out.read_to_string(&mut rest).unwrap();
            let ended = child.wait().unwrap();
            assert_eq!(ended.code(), Some(0), "{server:?} {name}: {address}{rest}");
        }
    }
}
