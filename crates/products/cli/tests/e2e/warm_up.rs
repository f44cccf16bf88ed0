//! `--warmup`: measured, shown, not counted.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::common::{
    Server, command, loadline, no_folder, script, signal, stderr, stdout, until_within,
};

/// The requests a summary counts.
fn counted(summary: &str) -> u64 {
    let row = summary.lines().find(|line| line.starts_with("requests"));
    row.unwrap()
        .split_whitespace()
        .nth(1)
        .unwrap()
        .parse()
        .unwrap()
}

#[test]
fn what_a_warm_up_measured_is_shown_and_left_out_of_the_totals() {
    let server = Server::start();
    let args = [
        "run",
        &server.base,
        "--rate",
        "50/s",
        "--arrivals",
        "even",
        "-u",
        "210",
        "-d",
        "4s",
        "-q",
        "--warmup",
        "2s",
    ];
    let output = loadline(&args);
    let said = stdout(&output);
    assert!(said.contains("after a warm-up of 2"), "{said}");
    assert_eq!(server.requests(), 201);
    let counted = counted(&said);
    // A hundred planned; more where starts came late, which the run says of itself.
    let was_late = output.status.code() == Some(4);
    assert!(
        (20..=if was_late { 200 } else { 110 }).contains(&counted),
        "{said}"
    );
}

#[test]
fn thresholds_of_a_script_do_not_see_the_warm_up() {
    let text = "import { sleep } from 'k6';
         import { Rate } from 'k6/metrics';
         const cold = new Rate('cold');
         const began = Date.now();
         export const options = { vus: 1, duration: '5s', thresholds: { cold: ['rate==0'] } };
         export default function () { cold.add(Date.now() - began < 1000); sleep(0.1); }";
    let path = script("warm.js", text);
    let output = loadline(&["run", "-q", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(99), "{}", stderr(&output));
    let output = loadline(&["run", "-q", "--warmup", "3s", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("after a warm-up of 3"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn an_automatic_warm_up_that_finds_no_end_says_so_and_counts_everything() {
    let server = Server::start();
    let args = [
        "run",
        &server.base,
        "--rate",
        "50/s",
        "--arrivals",
        "even",
        "-u",
        "210",
        "-d",
        "3s",
        "-q",
        "--warmup",
        "auto",
    ];
    let output = loadline(&args);
    let said = stdout(&output);
    assert!(said.contains("the warm-up was not over"), "{said}");
    assert_eq!(counted(&said), 151, "{said}");
    let korean = loadline(&[&args[..], &["--lang", "ko"]].concat());
    assert!(
        stdout(&korean).contains("워밍업이 끝나지 않아"),
        "{}",
        stdout(&korean)
    );
}

#[test]
fn an_automatic_warm_up_ends_once_there_is_no_trend() {
    let server = Server::start();
    let log = script("warm-auto.log", "");
    let args = [
        "run",
        &server.base,
        "--rate",
        "50/s",
        "--arrivals",
        "even",
        "-u",
        "500",
        "-d",
        "60s",
    ];
    let mut command = command(&[&args[..], &["--warmup", "auto"]].concat());
    let child = command
        .stdout(Stdio::piped())
        .stderr(std::fs::File::create(&log).unwrap())
        .spawn()
        .unwrap();
    let said = || std::fs::read_to_string(&log).unwrap();
    until_within(Duration::from_secs(55), "end of the warm-up", || {
        said().contains("measuring from here")
    });
    signal(&child, "INT");
    let summary = stdout(&child.wait_with_output().unwrap());
    assert!(summary.contains("after a warm-up of"), "{summary}");
    assert!(summary.contains("had no trend any more"), "{summary}");
    // Ten windows are looked at.
    assert!(server.requests() >= 500, "{}", server.requests());
    assert!(said().contains("not counted yet"), "{}", said());
}

/// The base URL of a server whose requests take 250 ms at first and 10 ms after some 150 of them.
fn cold_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let answered = Arc::new(AtomicU32::new(0));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answered = Arc::clone(&answered);
            std::thread::spawn(move || answer_ever_faster(&stream, &answered));
        }
    });
    base
}

fn answer_ever_faster(stream: &TcpStream, answered: &AtomicU32) {
    let mut writer = stream;
    for line in BufReader::new(stream).lines().map_while(Result::ok) {
        if !line.is_empty() {
            continue;
        }
        let before = answered.fetch_add(1, Ordering::Relaxed);
        let ms = 10.0 + 240.0 * (1.0 - f64::from(before) / 150.0).max(0.0);
        std::thread::sleep(Duration::from_secs_f64(ms / 1000.0));
        let sent = writer.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
        if sent.is_err() {
            return;
        }
    }
}

#[test]
fn a_run_of_a_cold_target_says_so_and_gives_probes() {
    let url = format!("{}/first-page?kind=1", cold_server());
    let folder = no_folder("cold");
    std::fs::create_dir_all(&folder).unwrap();
    let loadline = |args: &[&str]| {
        let mut command = command(args);
        command.env("LOADLINE_STORE", folder.join("runs.db"));
        command.output().unwrap()
    };
    let load = [
        "run",
        &url,
        "--rate",
        "16/s",
        "--arrivals",
        "even",
        "-d",
        "18s",
    ];
    let said = stderr(&loadline(&load));
    assert!(
        said.contains("the target was cold: requests took"),
        "{said}"
    );
    let probes = stdout(&loadline(&["explain", "latest", "--readiness-probe"]));
    assert!(probes.contains("startupProbe:"), "{probes}");
    assert!(probes.contains("/first-page'"), "{probes}");
    // It is warm now.
    let said = stderr(&loadline(&load));
    assert!(!said.contains("was cold"), "{said}");
    let probes = stdout(&loadline(&["explain", "latest", "--readiness-probe"]));
    assert!(!probes.contains("startupProbe:"), "{probes}");
}

#[test]
fn a_search_warms_its_target_up_before_it_judges_anything() {
    let url = cold_server();
    let search = |warm_up: &str| {
        loadline(&[
            "capacity",
            &url,
            "--slo",
            "p(95)<200ms",
            "--budget",
            "4s",
            "--no-soak",
            "--warmup",
            warm_up,
        ])
    };
    let said = stderr(&search("4s"));
    assert!(said.contains("warming up, users in a loop: 2"), "{said}");
    assert!(said.contains("warm after 4"), "{said}");
    let refused = search("soon");
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("`soon`"), "{}", stderr(&refused));
}
