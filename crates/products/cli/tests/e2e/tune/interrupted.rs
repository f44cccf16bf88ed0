//! Studies that are killed, interrupted, or meet another study.

use std::path::Path;

use super::{Bench, Target, pool_study, started_study};
use crate::common::{free_address, signal, start, stderr, stdout, until};

/// Waits until so many trials of a study have ended.
fn wait_for_trials(bench: &Bench, count: usize) {
    until("trials", || bench.entries("trial_ended").len() >= count);
}

fn in_background(bench: &Bench) -> crate::common::Started {
    let arguments = bench.arguments(&[]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    start(&arguments)
}

#[test]
fn a_study_that_was_killed_goes_on_and_counts_no_trial_twice() {
    let port = free_address().port();
    let study = started_study(port).replace("[broken, hangs, fine]", "[good, fine]");
    let bench = Bench::new("killed", &study);
    std::fs::write(bench.path("app.properties"), "a=1\nthreads.max=2\n").unwrap();
    let mut killed = in_background(&bench);
    wait_for_trials(&bench, 2);
    // In the middle of a trial: its target runs.
    until("third trial", || bench.entries("trial_begun").len() >= 3);
    signal(&killed, "KILL");
    killed.wait().unwrap();
    let output = bench.tune(&[]);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}{}",
        stdout(&output),
        stderr(&output)
    );
    let before = stderr(&output);
    assert!(before.contains("goes on after 2 trials"), "{before}");
    let trials = bench.entries("trial_ended");
    let numbers: Vec<u64> = trials
        .iter()
        .map(|trial| trial["number"].as_u64().unwrap())
        .collect();
    let expected: Vec<u64> = (1..=numbers.len() as u64).collect();
    assert_eq!(numbers, expected);
    assert_eq!(bench.text("app.properties"), "a=1\nthreads.max=2\n");
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err());
}

/// Seen: "the study file has changed since its study began" of a journal in which a setting with other answers was tried again, as
/// an earlier version did; the file had not changed.
#[test]
fn a_killed_study_goes_on_after_a_repeated_trial_of_other_answers() {
    let bench = super::answers::bench("repeated", "mean min", "");
    let study = bench.text("study.yaml").replace("[0, 1]", "[0, 1, 2]");
    std::fs::write(bench.path("study.yaml"), study).unwrap();
    let mut killed = in_background(&bench);
    until("other answers", || {
        let ended = bench.entries("trial_ended");
        ended.iter().any(|trial| trial["other_answers"] == true)
    });
    signal(&killed, "KILL");
    killed.wait().unwrap();
    let mut repeated = bench.entries("trial_ended");
    let last = repeated
        .iter()
        .rposition(|one| one["other_answers"] == true);
    let mut again = repeated.swap_remove(last.unwrap());
    let count = bench.entries("trial_ended").len();
    again["number"] = (count + 1).into();
    let journal = bench.text("study.yaml.journal") + &format!("{again}\n");
    std::fs::write(bench.path("study.yaml.journal"), journal).unwrap();
    let output = bench.tune(&[]);
    let told = stderr(&output);
    // What it comes to is of a busy machine's noise; that it goes on is not.
    let code = output.status.code();
    assert!(
        matches!(code, Some(0 | 7)),
        "{code:?} {}{told}",
        stdout(&output)
    );
    assert!(
        told.contains(&format!("goes on after {} trials", count + 1)),
        "{told}"
    );
    let numbers = bench.entries("trial_ended").into_iter();
    let numbers: Vec<u64> = numbers
        .map(|trial| trial["number"].as_u64().unwrap())
        .collect();
    let expected: Vec<u64> = (1..=numbers.len() as u64).collect();
    assert_eq!(numbers, expected);
}

#[test]
fn what_a_killed_study_changed_comes_back_by_restore() {
    let port = free_address().port();
    let study = started_study(port).replace("[broken, hangs, fine]", "[good, fine]");
    let bench = Bench::new("restore", &study);
    let file = bench.path("app.properties");
    std::fs::write(&file, "threads.max=2\n").unwrap();
    let mut killed = in_background(&bench);
    until("changed file", || is(&file, "threads.max=1\n"));
    signal(&killed, "KILL");
    killed.wait().unwrap();
    let output = bench.tune(&["--restore"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("app.properties"),
        "{}",
        stdout(&output)
    );
    assert!(is(&file, "threads.max=2\n"));
    let diffs = bench.entries("change");
    assert!(
        diffs[0]["diff"]
            .as_str()
            .unwrap()
            .contains("+threads.max=1")
    );
    let again = bench.tune(&["--restore"]);
    assert!(
        stdout(&again).contains("nothing to restore"),
        "{}",
        stdout(&again)
    );
}

fn is(file: &Path, text: &str) -> bool {
    std::fs::read_to_string(file).is_ok_and(|found| found == text)
}

#[test]
fn an_interrupted_study_puts_back_what_it_changed_and_says_what_is_known() {
    let target = Target::with_small_pool();
    let bench = Bench::new("interrupted", &pool_study(&target.1, "throughput max", ""));
    let study = in_background(&bench);
    wait_for_trials(&bench, 2);
    signal(&study, "INT");
    let output = study.wait_with_output().unwrap();
    let said = stdout(&output);
    assert!(said.contains("run the same command to go on"), "{said}");
    assert!(said.starts_with("cannot tell"), "{said}");
    assert_eq!(bench.entries("restored").len(), 1);
    assert!(bench.entries("ended").is_empty());
}

#[test]
fn a_second_study_of_one_target_is_refused() {
    let target = Target::with_small_pool();
    let first = Bench::new("first", &pool_study(&target.1, "throughput max", ""));
    let second = Bench::new("second", &pool_study(&target.1, "p(95) min", ""));
    let study = in_background(&first);
    wait_for_trials(&first, 1);
    let refused = second.tune(&[]);
    assert_eq!(refused.status.code(), Some(2));
    let why = stderr(&refused);
    assert!(why.contains("another study works on 127.0.0.1:"), "{why}");
    let holder = format!("(process {}, user ", study.id());
    assert!(
        why.contains("tune-first/study.yaml ") && why.contains(&holder),
        "{why}"
    );
    signal(&study, "TERM");
    study.wait_with_output().unwrap();
}

/// A study whose script alone knows its target's host, in parts.
fn script_study(name: &str, port: u16, host: &str) -> Bench {
    let study = "test: test.js --vus 1 --duration 1s\ngoal: throughput max\npause: 0s\nknobs:\n  - name: threads
    values: [1, 2]\n    now: 1\n    property: {file: app.properties, key: threads.max}\n";
    let bench = Bench::new(name, study);
    let script = format!(
        "import http from 'k6/http';\nexport default function () {{ http.get('ht' + 'tp:' + '//' + {host} + ':' + {port} + '/fast'); }}\n"
    );
    std::fs::write(bench.path("test.js"), script).unwrap();
    std::fs::write(bench.path("app.properties"), "threads.max=1\n").unwrap();
    bench
}

/// Only hosts of a study's flags were locked: two scripts put load on one target at the same time.
#[test]
fn a_second_study_of_a_host_that_only_its_script_names_is_refused_before_it_connects() {
    let target = Target::start();
    let port = target.1.rsplit(':').next().unwrap().parse().unwrap();
    let first = script_study("script-first", port, "['127', '0', '0', '1'].join('.')");
    let second = script_study("script-second", port, "'local' + 'host'");
    let study = in_background(&first);
    wait_for_trials(&first, 1);
    let refused = second.tune(&[]);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    let why = stderr(&refused);
    assert!(
        why.contains("another study works on ") && why.contains(&format!(":{port}")),
        "{why}"
    );
    assert!(second.entries("trial_ended").is_empty());
    assert_eq!(second.text("app.properties"), "threads.max=1\n");
    signal(&study, "TERM");
    study.wait_with_output().unwrap();
}

#[test]
fn a_target_that_is_not_as_the_file_says_is_not_touched() {
    let target = Target::start();
    let study = pool_study(&target.1, "throughput max", "");
    let bench = Bench::new("differs", &study);
    // The built-in target begins with ten connections.
    let output = bench.tune(&[]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    let why = stderr(&output);
    assert!(
        why.contains("knob `pool` is 10 at the target, and 2"),
        "{why}"
    );
    // Where both say so, and what to write.
    for told in [
        "study.yaml:7:10",
        "/settings /pool/max says 10",
        "write `now: 10`",
    ] {
        assert!(why.contains(told), "{told}: {why}");
    }
    assert!(bench.entries("trial_begun").is_empty());
    // The file is mended, and the same command begins.
    let mended = study
        .replace("[2, 8]", "[10, 8]")
        .replace("now: 2", "now: 10");
    std::fs::write(bench.path("study.yaml"), mended + "budget: {trials: 1}\n").unwrap();
    let output = bench.tune(&[]);
    assert_eq!(output.status.code(), Some(7), "{}", stderr(&output));
}

/// The target that runs is what a person forgot to stop: trials would measure it.
#[test]
fn a_target_that_runs_already_is_not_mistaken_for_the_studys_own() {
    let target = Target::start();
    let port: u16 = target.1.rsplit(':').next().unwrap().parse().unwrap();
    let bench = Bench::new("not-free", &started_study(port));
    std::fs::write(bench.path("app.properties"), "threads.max=2\n").unwrap();
    let output = bench.tune(&[]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    let why = stderr(&output);
    assert!(
        why.contains("a target runs already: http://127.0.0.1:"),
        "{why}"
    );
    assert!(bench.entries("trial_begun").is_empty());
}
