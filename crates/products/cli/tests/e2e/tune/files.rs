//! Study files: written, checked, and reported from.

use serde_json::Value;

use super::{Bench, Target, pool_study};
use crate::common::{command, stderr, stdout};

#[test]
fn a_file_is_written_for_what_listens_on_a_port() {
    let target = Target::start();
    let port = target.1.rsplit(':').next().unwrap().to_owned();
    let bench = Bench::new("init", "");
    let file = bench.path("new.yaml").display().to_string();
    let init = |from: &str| {
        command(&["tune", "--init", &file, "--from", from])
            .output()
            .unwrap()
    };
    let absent = init(":1");
    assert_eq!(absent.status.code(), Some(2));
    assert!(
        stderr(&absent).contains("no target was found at :1"),
        "{}",
        stderr(&absent)
    );
    let output = init(&format!(":{port}"));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = bench.text("new.yaml");
    assert!(
        text.contains(&format!("ready: http://127.0.0.1:{port}/healthz")),
        "{text}"
    );
    assert!(
        text.contains(&format!("--observe http://127.0.0.1:{port}/metrics")),
        "{text}"
    );
    assert!(text.contains("demo, '--address'"), "{text}");
    let plan = command(&["tune", &file, "--dry-run"]).output().unwrap();
    assert_eq!(plan.status.code(), Some(0), "{}", stderr(&plan));
}

#[test]
fn a_study_is_reported_from_its_journal_and_from_its_answer() {
    let target = Target::with_small_pool();
    let bench = Bench::new(
        "reported",
        &pool_study(&target.1, "throughput max", "budget: {trials: 5}\n"),
    );
    let output = bench.tune(&["--json"]);
    let answer = bench.path("answer.json");
    std::fs::write(&answer, stdout(&output)).unwrap();
    let store = bench.path("runs.db").display().to_string();
    let report = |of: &str, format: &str, lang: &str| {
        let of = bench.path(of).display().to_string();
        let arguments = [
            "report", &of, "--format", format, "--lang", lang, "-o", "-", "--store", &store,
        ];
        let output = command(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    for of in ["study.yaml", "study.yaml.journal", "answer.json"] {
        let text = report(of, "markdown", "ko");
        assert!(text.contains("**판단 불가**"), "{of}: {text}");
        assert!(text.contains("| pool=2 | 현재 |"), "{of}: {text}");
    }
    let told: Value = serde_json::from_str(&report("study.yaml", "json", "en")).unwrap();
    let answer: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(told["trials"], answer["trials"]);
    assert_eq!(told["outcome"], answer["outcome"]);
    // The page of the study stands in the store.
    let kept = loadline_store::Store::open(&bench.path("runs.db")).unwrap();
    let kept = kept.studies(0).unwrap();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].state, loadline_store::StoredRunState::Finished);
    let of_page: Value = serde_json::from_str(&kept[0].answer).unwrap();
    assert_eq!(of_page["trials"], answer["trials"]);
    let page = report("study.yaml", "html", "en");
    assert!(page.contains("Settings that were tried") && !page.contains("<script src"));
}

#[test]
fn all_mistakes_of_a_file_are_told_with_their_lines() {
    let study = pool_study(
        "http://127.0.0.1:1",
        "throughput upwards",
        "bugdet: {trials: 5}\n",
    );
    let bench = Bench::new("mistakes", &study);
    let output = bench.tune(&[]);
    assert_eq!(output.status.code(), Some(2));
    let why = stderr(&output);
    assert!(
        why.contains("study.yaml:2:7: `throughput upwards` is not a goal"),
        "{why}"
    );
    assert!(
        why.contains("unknown name `bugdet`; did you mean `budget`?"),
        "{why}"
    );
}

/// A plan that could not be carried out is no plan.
#[test]
fn mistakes_of_the_test_are_told_by_a_dry_run_too() {
    let study = pool_study("http://127.0.0.1:1", "throughput max", "");
    let bench = Bench::new("dry-run", &study.replace("--vus", "--vsu"));
    let output = bench.tune(&["--dry-run"]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    let why = stderr(&output);
    assert!(why.contains("there is no option --vsu"), "{why}");
    assert!(
        why.contains("study.yaml:1:7: the test cannot begin"),
        "{why}"
    );
    let missing = study.replace("http://127.0.0.1:1/pooled", "gone.js");
    assert_ne!(missing, study);
    let bench = Bench::new("dry-run-missing", &missing);
    let why = stderr(&bench.tune(&["--dry-run"]));
    assert!(why.contains("there is no file `gone.js`"), "{why}");
    assert!(why.contains("read from the study's folder"), "{why}");
}

#[test]
fn a_plan_is_told_without_touching_anything() {
    let study = pool_study(
        "http://127.0.0.1:1",
        "throughput max",
        "limits: [pool * 2 <= 10]\n",
    );
    let study = study.replace("values: [2, 8]", "values: [2, 5, 8]");
    let bench = Bench::new("plan", &study);
    let output = bench.tune(&["--dry-run"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = stdout(&output);
    assert!(said.contains("pool: 2, 5, 8 (now 2)"), "{said}");
    assert!(
        said.contains("settings  3, of which 1 is forbidden"),
        "{said}"
    );
    assert!(!bench.path("study.yaml.journal").exists());
}
