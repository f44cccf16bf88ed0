//! `plan`, the tests it writes, `run --plan`, `mock` and `preflight`, as a person uses them.

use std::io::{BufRead, BufReader};

use crate::common::{Server, Started, loadline, no_folder, script, signal, start, stderr, stdout};

const CASE_C: [&str; 11] = [
    "plan",
    "--dau",
    "10000",
    "--requests-per-user",
    "5",
    "--peak-factor",
    "10",
    "--response-time",
    "100ms,500ms",
    "--think-time",
    "1s",
];

#[test]
fn people_become_rates_and_users_with_their_arithmetic() {
    let output = loadline(&CASE_C);
    let text = stdout(&output);
    for line in [
        "10,000 × 5 / 86,400 s ≈ 0.579/s",
        "0.579/s × 10 ≈ 5.79/s",
        "5.79/s × (0.1 s + 1 s) ≈ 6.4",
        "5.79/s × (0.5 s + 1 s) ≈ 8.7",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn numbers_that_cannot_be_are_all_refused_with_the_reason() {
    let output = loadline(&["plan", "--dau", "-5", "--active", "300%", "--lang", "ko"]);
    let text = stderr(&output);
    assert!(
        text.contains("--dau") && text.contains("0보다 커야"),
        "{text}"
    );
    assert!(
        text.contains("--active") && text.contains("100 %를 넘습니다"),
        "{text}"
    );
    assert_eq!(output.status.code(), Some(2));
}

/// Seen: "--requests_per_usr cannot be `5`" of a file, without its name and line.
#[test]
fn what_is_wrong_in_a_file_is_told_with_its_line() {
    for (name, text, told) in [
        (
            "typo.yaml",
            "dau: 10000\nrequests_per_usr: 5\n",
            &["line 2", "`requests_per_usr`", "`requests-per-user`"][..],
        ),
        (
            "wrong.yaml",
            "dau: 10000\nrequests_per_user: -5\n",
            &["line 2", "requests-per-user cannot be `-5`"][..],
        ),
    ] {
        let path = script(name, text);
        let output = loadline(&["plan", "--from", path.to_str().unwrap()]);
        let err = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{err}");
        for part in told {
            assert!(err.contains(part), "{part}: {err}");
        }
    }
    let path = script("dashes.yaml", "dau: 10000\nrequests_per_user: 5\n");
    let output = loadline(&["plan", "--from", path.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn written_tests_run_and_say_how_they_compare_with_the_plan() {
    let server = Server::start();
    let folder = no_folder("written-tests");
    let folder = folder.to_str().unwrap();
    let feature = "page: GET /, share=100%, p95=2s";
    let written = loadline(&[
        "plan",
        "--rate",
        "20/s",
        "--feature",
        feature,
        "--write",
        "k6",
        folder,
        "--target",
        &server.base,
    ]);
    assert_eq!(written.status.code(), Some(0), "{}", stderr(&written));
    let plan = format!("{folder}/plan.json");
    let test = format!("{folder}/api-page.js");
    let run = loadline(&["run", &test, "-q", "-e", "HOLD=3s", "--plan", &plan]);
    let said = stderr(&run);
    assert!(
        said.contains("the test offers 20/s, planned 20/s"),
        "{said}"
    );
    // A test that offers something else says so before and after.
    let url = format!("{}/", server.base);
    let store = format!("{folder}/runs.db");
    let run = loadline(&[
        "run", &url, "--rate", "80/s", "-d", "3s", "-q", "--plan", &plan, "--store", &store,
    ]);
    let said = stderr(&run);
    assert!(said.contains("4.00 times the planned 20/s"), "{said}");
    assert!(said.contains("times the planned peak 20/s"), "{said}");
    // The plan is kept with the run that was made from it.
    let shown = loadline(&["show", "latest", "--store", &store]);
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("peak 20.0/s, mean"), "{shown}");
}

#[test]
fn a_log_is_read_whatever_is_in_it() {
    let mut log = String::new();
    for second in 0..60 {
        let line = |request: &str| {
            format!(
                "1.2.3.{second} - - [10/Oct/2000:13:55:{second:02} +0900] \"{request} HTTP/1.1\" 200 9 \"-\" \"a\" 0.020\n"
            )
        };
        log += &line("GET /deers/7?x=1");
        log += &line("GET /deers/8");
        log += &line("POST /deers");
    }
    log += "rubbish\n\u{1}\u{2}\n";
    let path = script("access.log", &log);
    let output = loadline(&["plan", "--log", path.to_str().unwrap(), "--growth", "10"]);
    let text = stdout(&output);
    for line in [
        "GET /deers/{id}  66.67 %",
        "180 / 60 s = 3/s",
        "3/s × 1 × 10 = 30/s",
        "access.log:181",
        "access.log:182",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert_eq!(output.status.code(), Some(0));
}

/// A mock on a free port, and its URL.
fn mock(args: &[&str]) -> (Started, String) {
    let mut words = vec!["mock", "--address", "127.0.0.1:0"];
    words.extend(args);
    let mut child = start(&words);
    let mut url = String::new();
    let out = child.stdout.as_mut().unwrap();
    BufReader::new(out).read_line(&mut url).unwrap();
    (child, url.trim().to_owned())
}

#[test]
fn a_weak_stand_in_is_named_before_the_target_gets_load() {
    let server = Server::start();
    let (mut weak, url) = mock(&["--rate", "2/s", "--latency", "1ms"]);
    let target = format!("{}/", server.base);
    let file = script("stand-in.yaml", "");
    let written = file.to_str().unwrap();
    let output = loadline(&[
        "preflight",
        &target,
        "--rate",
        "40/s",
        "--also",
        &url,
        "--seconds",
        "4",
        "--target",
        "--json",
        "--write-mock",
        written,
    ]);
    let text = stdout(&output);
    let found: serde_json::Value = serde_json::from_str(&text).expect(&text);
    let place = usize::try_from(found["weakest"].as_u64().unwrap()).unwrap();
    let weakest = &found["parts"][place];
    assert_eq!(weakest["role"], "outside", "{text}");
    let rate = weakest["carries"].as_f64().unwrap();
    // Its two a second, give or take one answer at the edge of a second.
    assert!((1.0..=3.5).contains(&rate), "{text}");
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(server.requests() <= 1, "the target got one iteration");
    let state = |role: &str| {
        let parts = found["parts"].as_array().unwrap();
        parts.iter().find(|part| part["role"] == role).unwrap()["state"].clone()
    };
    assert_eq!(state("target"), "not-tried", "{text}");
    let stand_in = &found["stand_ins"][0];
    assert_eq!(stand_in["holds"], true, "{text}");
    let file = std::fs::read_to_string(written).unwrap();
    assert!(file.contains("latency: "), "{file}");
    signal(&weak, "INT");
    weak.wait().unwrap();
    // What it proposes can be started.
    let (mut stand_in, url) = mock(&[written]);
    let output = loadline(&[
        "preflight",
        &target,
        "--rate",
        "10/s",
        "--also",
        &url,
        "--seconds",
        "4",
        "-t",
    ]);
    let text = stdout(&output);
    assert!(text.starts_with("ok "), "{text}{}", stderr(&output));
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(server.requests() > 10, "the target got load");
    signal(&stand_in, "INT");
    stand_in.wait().unwrap();
}

/// Seen: "does not answer" of a server that answered 500 to every request.
#[test]
fn a_part_that_fails_is_not_one_that_does_not_answer() {
    let server = Server::start();
    let (mut failing, url) = mock(&["--status", "500"]);
    let target = format!("{}/", server.base);
    let silent = "http://127.0.0.1:1/pay";
    let output = |also: &str| {
        loadline(&[
            "preflight",
            &target,
            "--rate",
            "5/s",
            "--seconds",
            "4",
            "--also",
            also,
        ])
    };
    let failed = output(&url);
    let text = stdout(&failed);
    assert!(
        text.starts_with(&format!(
            "WEAK  outside server {url} is the weakest part: it fails"
        )),
        "{text}"
    );
    assert!(text.contains("why requests failed: 500 "), "{text}");
    assert_eq!(failed.status.code(), Some(3), "{text}");
    let unanswered = output(silent);
    let text = stdout(&unanswered);
    let first = text.lines().next().unwrap_or_default();
    assert!(first.ends_with("it does not answer"), "{text}");
    assert!(text.contains("connection refused"), "{text}");
    assert_eq!(unanswered.status.code(), Some(5), "{text}");
    signal(&failing, "INT");
    failing.wait().unwrap();
}

#[test]
fn an_interrupted_preflight_tells_what_it_knows() {
    let server = Server::start();
    let (mut slow, url) = mock(&["--latency", "1ms"]);
    let target = format!("{}/", server.base);
    let words = ["preflight", &target, "--rate", "20/s", "--also", &url];
    let mut child = start(&words);
    let mut said = String::new();
    let mut lines = BufReader::new(child.stderr.as_mut().unwrap());
    // The generator is known, the outside server is being tried.
    while !said.contains("trying outside server") {
        assert!(lines.read_line(&mut said).unwrap() > 0, "{said}");
    }
    signal(&child, "INT");
    let status = child.wait().unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(child.stdout.as_mut().unwrap(), &mut text).unwrap();
    assert!(text.starts_with("STOPPED"), "{text}");
    assert!(text.contains("not tried"), "{text}");
    assert_eq!(status.code(), Some(130), "{text}");
    assert_eq!(server.requests(), 0, "the target got nothing");
    signal(&slow, "INT");
    slow.wait().unwrap();
}

#[test]
fn a_mock_near_the_open_file_limit_says_so_by_name() {
    let mut child = std::process::Command::new("sh")
        .arg("-c")
        .arg("ulimit -n 80 && exec \"$0\" mock --address 127.0.0.1:0")
        .arg(env!("CARGO_BIN_EXE_loadline"))
        .env("LANG", "C")
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut url = String::new();
    BufReader::new(child.stdout.as_mut().unwrap())
        .read_line(&mut url)
        .unwrap();
    let address = url.trim().trim_start_matches("http://").to_owned();
    let held: Vec<_> = (0..30)
        .map(|_| std::net::TcpStream::connect(&address).unwrap())
        .collect();
    let mut said = String::new();
    BufReader::new(child.stderr.as_mut().unwrap())
        .read_line(&mut said)
        .unwrap();
    assert!(said.contains("it may have 80 files open"), "{said}");
    drop(held);
    child.kill().unwrap();
    child.wait().unwrap();
}
