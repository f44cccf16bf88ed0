//! `tune`: studies of the built-in target's settings, end to end.

mod answers;
mod fast_errors;
mod files;
mod interrupted;
mod other_user;

use std::path::PathBuf;
use std::process::Output;

use serde_json::Value;

use crate::common::{command, free_address, no_folder, start, stderr, stdout, until};

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

/// The built-in target in the background.
struct Target(crate::common::Started, String);

impl Target {
    fn start() -> Self {
        let address = free_address().to_string();
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

/// Seen: a cheaper setting was looked for, whatever the target did already.
#[test]
fn a_goal_that_is_met_as_it_is_ends_the_study() {
    let target = Target::with_small_pool();
    let study = pool_study(&target.1, "meet tps>=1", "").replace("[2, 8]", "[1, 2]");
    let bench = Bench::new("met", &study);
    let output = bench.tune(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let told = stderr(&output);
    assert!(told.contains("the goal is met as it is"), "{told}");
    let said = stdout(&output);
    assert!(said.starts_with("the goal is met as it is, in 3"), "{said}");
    let trials = bench.entries("trial_begun");
    assert!(
        trials.iter().all(|trial| trial["setting"][0] == 1),
        "{trials:?}"
    );
}

/// Seen: "no setting that was tried meets the goal" of a test that sent 15/s, where 60/s were asked for.
#[test]
fn a_test_that_sends_less_than_the_goal_asks_for_is_told_as_that() {
    let target = Target::with_small_pool();
    let study = pool_study(&target.1, "meet tps>=60", "");
    let sends = |load: &str| study.replace("--vus 20", load);
    let bench = Bench::new("load-small", &sends("--rate 15/s"));
    for flags in [&["--dry-run"][..], &[]] {
        let output = bench.tune(flags);
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        let why = stderr(&output);
        for told in [
            "study.yaml:1:7",
            "the test sends 15.0/s at most",
            "tps>=60",
            "send more than 60.0/s",
        ] {
            assert!(why.contains(told), "{told}: {why}");
        }
    }
    assert!(bench.entries("trial_begun").is_empty());
}

/// A target that the study starts: `broken` does not start, `hangs` is never ready.
fn started_study(port: u16) -> String {
    let loadline = env!("CARGO_BIN_EXE_loadline");
    format!(
        "test: http://127.0.0.1:{port}/downstream?ms=200 --vus 2 --duration 1s
goal: meet tps>=1
when_met: cheaper
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
    let port = free_address().port();
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
when_met: cheaper
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
