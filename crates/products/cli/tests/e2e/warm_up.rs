//! `--warmup`: measured, shown, not counted.

use std::process::Stdio;
use std::time::Duration;

use crate::common::{Server, command, loadline, script, signal, stderr, stdout, until_within};

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
