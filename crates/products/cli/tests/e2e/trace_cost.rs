//! `--trace-cost`: what traces cost a target, by pairs of runs.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::common::{Server, Started, command, loadline, script, signal, stderr, stdout};

/// The built-in target, whose `/cpu` takes 4 ms of CPU and a trace so many more.
struct Traced {
    process: Started,
    url: String,
}

impl Traced {
    fn start(trace_ms: u64) -> Self {
        let mut command = command(&["demo", "--address", "127.0.0.1:0"]);
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let out = process.stdout.as_mut().unwrap();
        BufReader::new(out).read_line(&mut line).unwrap();
        let url = line.trim().to_owned();
        let settings = format!(r#"{{"cpu":{{"work_ms":4}},"tracing":{{"cpu_ms":{trace_ms}}}}}"#);
        let target = format!("{url}/settings");
        let change = [
            "run", &target, "-m", "PUT", "-b", &settings, "-i", "1", "-q",
        ];
        let output = loadline(&[&change[..], &["--no-store"]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
        Self { process, url }
    }

    /// What three pairs of runs say. One user at a time: a busy machine makes it slower, and a request costs no more CPU.
    fn cost(&self, lang: &str) -> String {
        let url = format!("{}/cpu", self.url);
        let source = format!("pid:{}", self.process.id());
        let store = script("trace-cost.txt", "").with_file_name("runs.db");
        let load = ["-u", "1", "-d", "5s", "--fail-on", "none", "-q"];
        let observe = ["--observe", &source, "--no-observe-after"];
        let pairs = ["--trace-cost", "3", "--lang", lang, "--store"];
        let args = [&["run", &url][..], &load, &observe, &pairs];
        let output = loadline(&[&args.concat()[..], &[store.to_str().unwrap()]].concat());
        stdout(&output) + &stderr(&output)
    }
}

impl Drop for Traced {
    fn drop(&mut self) {
        signal(&self.process, "INT");
    }
}

/// CPU time of a request without and with traces, ms.
fn cpu_row(shown: &str, name: &str) -> [f64; 2] {
    let row = shown
        .lines()
        .find(|line| line.starts_with(name))
        .unwrap_or_else(|| panic!("{shown}"));
    let mut numbers = row[name.len()..]
        .split_whitespace()
        .filter_map(|word| word.parse().ok());
    let mut next = || numbers.next().unwrap_or_else(|| panic!("{shown}"));
    [next(), next()]
}

#[test]
fn what_traces_truly_cost_is_told_in_cpu_of_a_request() {
    let target = Traced::start(4);
    let shown = target.cost("en");
    let [none, all] = cpu_row(&shown, "CPU time of a request");
    // 4 ms of work and 4 of a trace, and what answering takes.
    assert!((3.5..8.0).contains(&none), "{shown}");
    assert!((3.0..6.0).contains(&(all - none)), "{shown}");
    assert!(shown.contains("TRACING COSTS "), "{shown}");
    assert!(shown.contains(" of CPU time of a request (+"), "{shown}");
    assert!(!shown.contains("was not observed"), "{shown}");
    let kinds = [
        "run 1 of 6\nno request asks",
        "run 2 of 6\nevery request asks",
        "run 3 of 6\nevery",
        "run 4 of 6\nno",
    ];
    assert!(kinds.iter().all(|kind| shown.contains(kind)), "{shown}");
}

#[test]
fn traces_that_cost_nothing_do_not_move_the_cpu_of_a_request() {
    let target = Traced::start(0);
    let shown = target.cost("ko");
    let [none, all] = cpu_row(&shown, "요청당 CPU 시간");
    assert!((all - none).abs() < 0.25 * none, "{shown}");
    assert!(
        shown.contains("트레이스의 비용: 전부 트레이스한 실행과"),
        "{shown}"
    );
}

/// A target that waits two seconds, whatever it is asked: a busy machine moves that by far less
/// than the twentieth that counts as no difference.
#[test]
fn a_latency_that_traces_do_not_move_is_no_difference_and_stands_in_a_file() {
    let target = Traced::start(0);
    let settings = format!("{}/settings", target.url);
    let slow = r#"{"pool":{"max":100},"pooled":{"downstream_ms":2000}}"#;
    let change = ["run", &settings, "-m", "PUT", "-b", slow, "-i", "1", "-q"];
    let output = loadline(&[&change[..], &["--no-store"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));

    let url = format!("{}/pooled", target.url);
    let folder = script("trace-same.txt", "").parent().unwrap().to_owned();
    let [store, file] = ["same.db", "same.json"].map(|name| folder.join(name));
    let [store, file] = [&store, &file].map(|path| path.to_str().unwrap());
    let run = ["run", &url, "-u", "10", "-i", "20", "-q", "--store", store];
    let pairs = ["--trace-cost", "4", "--fail-on", "none", "--export", file];
    let output = loadline(&[&run[..], &pairs].concat());
    let shown = stdout(&output) + &stderr(&output);
    let verdict = shown.lines().find(|line| line.starts_with("NO DIFFERENCE"));
    let verdict = verdict.unwrap_or_else(|| panic!("{shown}"));
    assert!(
        verdict.contains("mean latency") && verdict.contains("p95"),
        "{shown}"
    );

    let text = std::fs::read_to_string(file).unwrap();
    let written: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(written["loadline_tracing_cost"], 1);
    assert_eq!(
        (&written["pairs"], &written["is_observed"]),
        (&4.into(), &false.into())
    );
    let measures = written["measures"].as_array().unwrap();
    let names: Vec<&str> = measures
        .iter()
        .map(|one| one["measure"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["mean", "p95"]);
    for one in measures {
        assert_eq!(one["finding"], "no-difference", "{written}");
        assert!(one["within"].as_f64().unwrap() <= 0.05, "{written}");
        assert!(
            (1_990.0..2_300.0).contains(&one["none_ms"].as_f64().unwrap()),
            "{written}"
        );
    }
    assert!(
        shown.contains(written["series"].as_str().unwrap()),
        "{shown}"
    );
}

#[test]
fn without_a_source_it_says_that_the_cpu_was_not_observed() {
    let server = Server::start();
    let store = script("trace-blind.txt", "").with_file_name("runs.db");
    let pairs = [
        "run",
        &server.base,
        "-i",
        "40",
        "-q",
        "--trace-cost",
        "3",
        "--store",
    ];
    let output = loadline(&[&pairs[..], &[store.to_str().unwrap()]].concat());
    let shown = stdout(&output);
    assert_eq!(server.requests(), 240, "{shown}");
    assert!(shown.contains("3 pairs of runs"), "{shown}");
    assert!(
        shown.contains("The target's CPU was not observed"),
        "{shown}"
    );
    assert!(!shown.contains("CPU time of a request"), "{shown}");
}

#[test]
fn pairs_of_runs_are_no_repetitions_and_are_of_urls() {
    let file = script("trace.js", "export default function () {}");
    let file = file.to_str().unwrap();
    for (args, expected) in [
        (
            vec![
                "run",
                "http://127.0.0.1:9/",
                "--trace-cost",
                "3",
                "--repeat",
                "2",
            ],
            "--repeat",
        ),
        (
            vec![
                "run",
                "http://127.0.0.1:9/",
                "--trace-cost",
                "3",
                "--no-store",
            ],
            "--no-store",
        ),
        (
            vec!["run", "http://127.0.0.1:9/", "--trace-cost", "1"],
            "3 to 100",
        ),
        (
            vec!["run", "http://127.0.0.1:9/", "--export", "x.json"],
            "--trace-cost",
        ),
        (
            vec!["run", file, "--trace-cost", "3"],
            "unknown flag: --trace-cost",
        ),
    ] {
        let output = loadline(&args);
        assert_ne!(output.status.code(), Some(0), "{args:?}");
        assert!(
            stderr(&output).contains(expected),
            "{args:?}: {}",
            stderr(&output)
        );
    }
}
