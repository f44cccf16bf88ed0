//! `rounds`: the story of an experiment, from stored runs, from a search, and from what people type.

use std::path::{Path, PathBuf};
use std::process::Output;

use crate::common::{Server, command, no_folder, stderr, stdout};

/// A folder with a store of its own.
struct Bench(PathBuf);

impl Bench {
    fn new(name: &str) -> Self {
        let folder = no_folder(&format!("rounds-{name}"));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    fn loadline(&self, args: &[&str]) -> Output {
        let mut command = command(args);
        command.env("LOADLINE_STORE", self.0.join("runs.db"));
        command.current_dir(&self.0).output().unwrap()
    }

    /// What `rounds` prints, where it is to be printed.
    fn stdout_of(&self, args: &[&str]) -> String {
        let output = self.loadline(&[&["rounds"], args].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(Path::new(&self.0).join(name)).unwrap()
    }
}

/// Case A, as its write-up has it.
const STORE: &str = "
title: First page of the store
goal: [p95<=800ms, errors<=0%]
rounds:
  - change: as it was
    rate: 100/s
    p95: 1.0s..1.7s
    errors: 0%
    figures: {DB CPU: 78 %}
  - change: one query with a projection
    commit: 1234567
    rate: 150/s
    p95: 700ms
    errors: 0%
    figures: {DB CPU: 46 %}
    costs: categories need a refresh
    rejected: [lazy loading, where id in]
  - change: materialized view
    rate: 400/s
    p95: 750ms
    errors: 0%
    limit: database CPU
    costs: a minute stale
";

#[test]
fn a_typed_story_says_where_the_goal_was_met_and_what_it_cost() {
    let bench = Bench::new("typed");
    bench.write("rounds.yaml", STORE);
    let told = bench.stdout_of(&["rounds.yaml", "--report", "page.html"]);
    assert!(
        told.starts_with("The goal p(95)<=800ms, errors<=0% is met in round 3"),
        "{told}"
    );
    for part in [
        "load 100/s to 400/s (× 4.00)",
        "1,000 ms - 1,700 ms",
        "lazy loading",
        "a minute stale",
        "1234567",
        "What limits then: database CPU",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let page = bench.text("page.html");
    assert!(page.contains("<svg") && page.contains("materialized view"));
    let korean = bench.stdout_of(&["rounds.yaml", "--lang", "ko", "--format", "markdown"]);
    assert!(korean.contains("| 라운드 | 바꾼 것 |"), "{korean}");
    let json = bench.stdout_of(&["rounds.yaml", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["end"], "met");
    assert_eq!(json["rounds"][0]["goal"], "missed");
}

#[test]
fn rounds_of_runs_have_their_figures_and_those_of_a_search_its_line() {
    let bench = Bench::new("runs");
    let server = Server::start();
    for (tag, note, pool) in [("r1", "as it was", "5"), ("r2", "", "10"), ("r2", "", "10")] {
        let (set, url) = (format!("pool={pool}"), server.base.as_str());
        let run = [
            "run", url, "--vus", "2", "-i", "40", "-q", "--tag", tag, "--set", &set,
        ];
        let note: &[&str] = if note.is_empty() {
            &[]
        } else {
            &["--note", note]
        };
        let output = bench.loadline(&[&run[..], note].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    let told = bench.stdout_of(&["r1", "r2", "--goal", "errors<1%"]);
    assert!(told.contains("is met in round r2, the last one"), "{told}");
    assert!(told.contains("as it was"), "{told}");
    assert!(told.contains("pool 5 → 10"), "{told}");
    assert!(told.contains("with round r1: "), "{told}");
    // Seen: *better: better: starts not answered*.
    for word in ["better", "worse", "no difference"] {
        assert!(!told.contains(&format!("{word}: {word}")), "{told}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&bench.stdout_of(&["r1", "r2", "--format", "json"])).unwrap();
    assert_eq!(json["rounds"][1]["runs"].as_array().unwrap().len(), 2);
    assert_eq!(json["rounds"][0]["figures"]["errors"], 0.0);
}

#[test]
fn a_table_measured_elsewhere_names_the_row_that_meets_the_goal() {
    let bench = Bench::new("table");
    let table =
        "threads,pool,TPS,p95 (ms)\n200,10,98.6,844\n20,10,133,666\n10,10,127,480\n5,5,114,721\n";
    bench.write("d.csv", table);
    let told = bench.stdout_of(&["d.csv", "--goal", "p95<500ms"]);
    assert!(
        told.contains("is met in round 3 (pool 10, threads 10)"),
        "{told}"
    );
    assert!(told.contains("Take the settings of round 3"), "{told}");
    assert!(!told.contains("VUs"), "{told}");
}

/// Case C, as its write-up has it.
#[test]
fn stress_tests_and_a_second_instance_are_judged_peak_against_peak() {
    let story = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../examples/rounds/submission-list.yaml"
    );
    let bench = Bench::new("stress");
    let told = bench.stdout_of(&[story]);
    for part in [
        "peak against peak 167/s → 347/s (× 2.08), efficiency 104 %",
        "144/s (108 - 146)  152/s  167/s",
        "Take the settings of round 3 (instances 1, threads.max 5)",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let korean = bench.stdout_of(&[story, "--lang", "ko"]);
    assert!(
        korean.contains("최고 TPS끼리 167/s → 347/s(2.08배)"),
        "{korean}"
    );
    bench.write(
        "shared.yaml",
        "rounds:\n  - {settings: {pods: 1}, peak: 100/s}\n  - {settings: {pods: 2}, peak: 130/s}\n  \
         - {settings: {pods: 4}, peak: 135/s, limit: database CPU}\n  - {settings: {pods: 8}, rate: 9/s}\n",
    );
    let told = bench.stdout_of(&["shared.yaml"]);
    assert!(
        told.contains("efficiency 65.0 %. What limits is shared by all instances: a database"),
        "{told}"
    );
    assert!(
        told.contains("What limits is shared by all instances: database CPU."),
        "{told}"
    );
    assert!(!told.contains("Instances 4 → 8"), "no peak: {told}");
}

#[test]
fn wrong_input_names_the_place_the_value_and_what_is_right() {
    let bench = Bench::new("wrong");
    for (text, parts) in [
        (
            "rounds:\n  - p95: 750\n",
            &["rounds.yaml:2:10", "p95", "`750`", "750ms"][..],
        ),
        (
            "rounds:\n  - rate: fast\n",
            &["rounds.yaml:2:11", "rate", "`fast`"],
        ),
        ("rounds:\n  - errors: 3\n", &["errors", "`3`", "0.5%"]),
        (
            "rounds:\n  - chnage: x\n",
            &["rounds.yaml:2:5", "chnage", "`change`"],
        ),
        ("rounds: []\n", &["rounds:"]),
        (
            "goal: p95>800ms\nrounds:\n  - change: x\n",
            &["rounds.yaml:1:7", "goal", "p95>800ms"],
        ),
        (
            "rounds:\n  - p95: 750\n    runes: r1\n  - rate: fast\n    colour: red\n",
            &[
                "rounds.yaml:2:10",
                "rounds.yaml:3:5",
                "`runs`",
                "rounds.yaml:4:11",
                "rounds.yaml:5:5",
                "one of: name, change",
            ],
        ),
        ("rounds:\n  - runs: nowhere\n", &["no run is stored yet"]),
        ("rounds:\n  - table: none.csv\n", &["none.csv"]),
        (
            "rounds:\n  - peak: much\n",
            &["rounds.yaml:2:11", "peak", "`much`"],
        ),
    ] {
        bench.write("rounds.yaml", text);
        let output = bench.loadline(&["rounds", "rounds.yaml"]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{text}: {said}");
        for part in parts {
            assert!(said.contains(part), "{text}: {part}: {said}");
        }
    }
    // What rounds name and what is not there is told at once, each with its place.
    bench.write(
        "rounds.yaml",
        "rounds:\n  - table: none.csv\n  - change: x\n    runs: nowhere\n",
    );
    let said = stderr(&bench.loadline(&["rounds", "rounds.yaml"]));
    for part in ["rounds.yaml:2:12", "none.csv", "rounds.yaml:4:11"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let output = bench.loadline(&["rounds", "missing.yaml"]);
    assert!(
        stderr(&output).contains("missing.yaml"),
        "{}",
        stderr(&output)
    );
    assert_eq!(output.status.code(), Some(2));
}
