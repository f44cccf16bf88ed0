//! `tune`: studies of the built-in target's settings, end to end.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use crate::common::{command, no_folder, signal, start, stderr, stdout, until};

/// A folder of its own with a study file in it.
struct Bench {
    folder: PathBuf,
}

impl Bench {
    fn new(name: &str, study: &str) -> Self {
        let folder = no_folder(&format!("tune-{name}"));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("study.yaml"), study).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    fn arguments<'a>(&self, flags: &[&'a str]) -> Vec<String> {
        let mut all = vec![
            "tune".to_owned(),
            self.path("study.yaml").display().to_string(),
        ];
        let flags: Vec<&'a str> = flags.to_vec();
        all.extend(flags.into_iter().map(str::to_owned));
        let store = self.path("runs.db").display().to_string();
        all.extend([
            "--store".to_owned(),
            store,
            "--seed".to_owned(),
            "1".to_owned(),
        ]);
        all
    }

    fn tune(&self, flags: &[&str]) -> Output {
        let arguments = self.arguments(flags);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        command(&arguments).output().unwrap()
    }

    fn answer(&self) -> Value {
        let output = self.tune(&["--json"]);
        serde_json::from_str(&stdout(&output)).unwrap_or_else(|error| {
            panic!("{error}: {}{}", stdout(&output), stderr(&output));
        })
    }

    /// The entries of a kind in the journal.
    fn entries(&self, kind: &str) -> Vec<Value> {
        let text = self.text("study.yaml.journal");
        let entries = text
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok());
        entries.filter(|entry| entry["entry"] == kind).collect()
    }
}

/// A port that nobody uses.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

/// The built-in target in the background.
struct Target(crate::common::Started, String);

impl Target {
    fn start() -> Self {
        let port = free_port();
        let address = format!("127.0.0.1:{port}");
        let child = start(&["demo", "--address", &address]);
        until("target", || std::net::TcpStream::connect(&address).is_ok());
        Self(child, format!("http://{address}"))
    }

    /// With a pool of two, whose connections are held for 100 ms.
    fn with_small_pool() -> Self {
        let target = Self::start();
        let settings = r#"{"pool":{"max":2},"pooled":{"downstream_ms":90}}"#;
        let url = format!("{}/settings", target.1);
        let request = [
            "run",
            &url,
            "-m",
            "PUT",
            "-b",
            settings,
            "--once",
            "--no-store",
        ];
        let output = command(&request).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        target
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A target whose pool sets the throughput: 20 users, 100 ms a connection.
fn pool_study(base: &str, goal: &str, more: &str) -> String {
    format!(
        "test: {base}/pooled --vus 20 --duration 1s
goal: {goal}
pause: 0s
knobs:
  - name: pool
    values: [2, 8]
    now: 2
    http: {{method: PUT, url: '{base}/settings', body: '{{\"pool\":{{\"max\":{{value}}}}}}'}}
    read: {{url: '{base}/settings', json: /pool/max}}
{more}"
    )
}

#[test]
fn a_better_setting_is_found_told_with_its_range_and_put_back() {
    let target = Target::with_small_pool();
    let bench = Bench::new("better", &pool_study(&target.1, "throughput max", ""));
    let answer = bench.answer();
    assert_eq!(answer["outcome"]["kind"], "better", "{answer:#}");
    assert_eq!(answer["winner"]["pool"], "8");
    // Four times the pool is four times the throughput.
    let low = answer["outcome"]["change"]["low"].as_f64().unwrap();
    assert!(low > 1.0, "{low}");
    assert_eq!(answer["effects"][0]["finding"], "matters");
    let settings = stdout(
        &command(&[
            "run",
            &format!("{}/settings", target.1),
            "--once",
            "--no-store",
        ])
        .output()
        .unwrap(),
    );
    assert!(settings.contains("\"max\": 2"), "{settings}");
    let runs = stdout(
        &command(&[
            "runs",
            "--table",
            "--store",
            bench.path("runs.db").to_str().unwrap(),
        ])
        .output()
        .unwrap(),
    );
    assert!(runs.contains("pool") && runs.contains("study #1"), "{runs}");
}

#[test]
fn a_budget_too_small_to_tell_is_said_and_what_would_do() {
    let target = Target::with_small_pool();
    let study = pool_study(&target.1, "throughput max", "budget: {trials: 5}\n");
    let bench = Bench::new("budget", &study);
    let output = bench.tune(&[]);
    assert_eq!(output.status.code(), Some(7), "{}", stderr(&output));
    let said = stdout(&output);
    assert!(said.starts_with("cannot tell; 8 more trials"), "{said}");
    assert!(said.contains("the budget was spent"), "{said}");
    assert_eq!(bench.entries("trial_ended").len(), 5);
}

/// Case B at ten times the rate: no pool of these carries it.
#[test]
fn a_goal_that_no_setting_meets_is_missed_and_told_in_korean_too() {
    let target = Target::with_small_pool();
    let study = pool_study(&target.1, "meet tps>=5000", "");
    let bench = Bench::new("missed", &study);
    let output = bench.tune(&["--lang", "ko"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let said = stdout(&output);
    assert!(
        said.starts_with("시도한 설정 중 목표를 충족하는 것이 없습니다"),
        "{said}"
    );
}

/// A target that the study starts: `broken` does not start, `hangs` is never ready.
fn started_study(port: u16) -> String {
    let loadline = env!("CARGO_BIN_EXE_loadline");
    format!(
        "test: http://127.0.0.1:{port}/downstream?ms=200 --vus 2 --duration 1s
goal: meet tps>=1
pause: 0s
target:
  start: [sh, -c, 'case $MODE in broken) printf \"no heap \\033[2J\\033]0;x\\007\" >&2; exit 7;; hangs) exec sleep 1000;; esac; exec {loadline} demo --address 127.0.0.1:{port}']
  ready: http://127.0.0.1:{port}/healthz
  start_timeout: 10s
knobs:
  - name: mode
    values: [broken, hangs, fine]
    now: fine
    env: MODE
  - name: threads
    values: [1, 2]
    now: 2
    property: {{file: app.properties, key: threads.max}}
"
    )
}

#[test]
fn settings_under_which_the_target_does_not_start_or_hangs_are_results() {
    let port = free_port();
    let study = started_study(port).replace("start_timeout: 10s", "start_timeout: 4s");
    let bench = Bench::new("starts", &study);
    std::fs::write(bench.path("app.properties"), "threads.max=2\n").unwrap();
    let answer = bench.answer();
    assert_eq!(answer["outcome"]["kind"], "goal-met", "{answer:#}");
    assert_eq!(answer["winner"]["mode"], "fine");
    let reasons = answer["trials"].to_string();
    assert!(reasons.contains("no heap"), "{reasons}");
    // What a target prints does not reach the terminal as it is.
    assert!(!reasons.contains("\\u001b"), "{reasons}");
    assert!(reasons.contains("was not ready after 4s"), "{reasons}");
    assert_eq!(bench.text("app.properties"), "threads.max=2\n");
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err());
}

#[test]
fn a_hook_that_hangs_is_ended_and_the_study_goes_on() {
    let target = Target::with_small_pool();
    let study = format!(
        "test: {}/downstream?ms=200 --vus 2 --duration 1s
goal: meet tps>=1
pause: 0s
target: {{hook_timeout: 1s}}
knobs:
  - name: size
    values: [1, 2]
    now: 2
    command: [sh, -c, 'test {{value}} = 2 || sleep 1000']
",
        target.1
    );
    let bench = Bench::new("hook", &study);
    let answer = bench.answer();
    assert_eq!(answer["outcome"]["kind"], "goal-met", "{answer:#}");
    assert_eq!(answer["failed"][0]["size"], "1");
    let reasons = answer["trials"].to_string();
    assert!(reasons.contains("did not end within 1s"), "{reasons}");
}

/// The study would measure that other program.
#[test]
fn what_answers_before_the_target_is_started_is_told_and_left_alone() {
    let target = Target::with_small_pool();
    let port = target.1.rsplit(':').next().unwrap().parse().unwrap();
    let bench = Bench::new("occupied", &started_study(port));
    std::fs::write(bench.path("app.properties"), "threads.max=2\n").unwrap();
    let output = bench.tune(&[]);
    let said = stderr(&output);
    assert!(!output.status.success(), "{said}");
    let expected = format!("a target runs already: http://127.0.0.1:{port}/healthz answers");
    assert!(said.contains(&expected), "{said}");
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
}

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
    let port = free_port();
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

#[test]
fn what_a_killed_study_changed_comes_back_by_restore() {
    let port = free_port();
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
    assert!(why.contains("tune-first/study.yaml (process "), "{why}");
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
        why.contains("study.yaml:2:7: `throughput upwards` is no goal"),
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
        said.contains("settings  3, of which 1 are forbidden"),
        "{said}"
    );
    assert!(!bench.path("study.yaml.journal").exists());
}
