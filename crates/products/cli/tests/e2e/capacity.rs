//! `capacity`: a search end to end, its end by hand, and tables measured elsewhere.

use std::io::{BufRead, BufReader};
use std::time::Duration;

use crate::common::{
    Server, Stopwatch, loadline, no_folder, script, signal, start, stderr, stdout,
};

/// A search that takes seconds: a little load, an answer that is only a lower bound.
const SHORT: [&str; 8] = [
    "--budget",
    "70s",
    "--confirm",
    "3s",
    "--no-soak",
    "--no-store",
    "--max-rate",
    "8/s",
];

fn arguments<'a>(test: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec!["capacity"];
    all.extend(test);
    all.extend(SHORT);
    all
}

/// A target so slow that what a busy machine adds to its answers is a small share of them:
/// the generator cannot be taken for the limit.
fn slow_target() -> Server {
    Server::answering_after(Duration::from_millis(400))
}

#[test]
fn a_search_says_who_will_be_hit_and_ends_at_what_was_allowed() {
    let server = slow_target();
    let folder = no_folder("capacity-answer");
    std::fs::create_dir(&folder).unwrap();
    let path = folder.join("answer.json");
    let file = path.to_str().unwrap();
    let mut args = arguments(&[&server.base, "--slo", "p(95)<3s", "--goal", "4/s"]);
    let store = path.with_extension("db");
    args.retain(|arg| *arg != "--no-store");
    args.extend(["--export", file, "--store", store.to_str().unwrap()]);
    let output = loadline(&args);
    let (said, before) = (stdout(&output), stderr(&output));
    let host = server.base.trim_start_matches("http://");
    assert!(
        before.contains(host) && before.contains("p(95)<3000ms"),
        "{before}"
    );
    assert_eq!(output.status.code(), Some(0), "{said}{before}");
    assert!(said.contains("CAPACITY AT LEAST 8.00/s"), "{said}");
    assert!(said.contains("this was the highest load allowed"), "{said}");
    assert!(said.contains("met with at least 100 % headroom"), "{said}");
    let text = std::fs::read_to_string(&path).unwrap();
    let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(answer["end"], "at-least-highest");
    assert_eq!(answer["line"]["load"], 8.0);
    assert_eq!(answer["test"]["hosts"][0], host);
    // What the search does to the load is in the run's record.
    let events = [
        "show",
        "latest",
        "--events",
        "--store",
        store.to_str().unwrap(),
    ];
    let events = stdout(&loadline(&events));
    let level = r#"{"by":"search","change":"level","to":8.0}"#;
    assert!(events.contains(level), "{events}");
    // The next search looks beside it first, by the file as by the run.
    for near in ["latest", file] {
        let mut args = arguments(&["http://127.0.0.1:9/", "--near", near]);
        args.retain(|arg| *arg != "--no-store");
        args.extend(["--store", store.to_str().unwrap()]);
        let before = stderr(&loadline(&args));
        assert!(before.contains("near         8.00/s"), "{before}");
    }
    let other_unit = ["--unit", "vus", "--near", file, "--no-store"];
    let mut args = vec!["capacity", &server.base];
    args.extend(other_unit);
    let refused = loadline(&args);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("the other unit"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_search_that_stops_at_its_goal_ends_when_the_goal_is_confirmed() {
    let server = slow_target();
    let search = |flags: &[&str]| {
        let mut args = vec!["capacity", &server.base, "--slo", "p(95)<3s", "--no-store"];
        args.extend(flags);
        loadline(&args)
    };
    let goal = [
        "--stop-at-goal",
        "--goal",
        "8/s",
        "--start-at",
        "4/s",
        "--confirm",
        "25s",
    ];
    let output = search(&goal);
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{said}{}", stderr(&output));
    assert!(
        said.contains("CAPACITY AT LEAST 8.00/s") && said.contains("--stop-at-goal"),
        "{said}"
    );
    // Random arrivals decide whether one look tells it or the second one, twice as late.
    let is_confirmed = said.contains("held 25 s") || said.contains("held 50 s");
    assert!(is_confirmed, "{said}");
    assert!(!said.contains("soak"), "{said}");
    let too_high = search(&["--start-at", "500/s", "--max-rate", "120/s"]);
    assert_eq!(too_high.status.code(), Some(2), "{}", stdout(&too_high));
    let why = stderr(&too_high);
    assert!(
        why.contains("--start-at cannot be `500/s`") && why.contains("lies above --max-rate 120/s"),
        "{why}"
    );
    let without = search(&["--stop-at-goal"]);
    assert_eq!(without.status.code(), Some(2), "{}", stdout(&without));
    let why = stderr(&without);
    assert!(why.contains("--stop-at-goal needs --goal"), "{why}");
}

#[test]
fn a_script_is_set_up_once_and_keeps_its_mix() {
    let server = slow_target();
    let text = format!(
        "import http from 'k6/http';
         export const options = {{ scenarios: {{
           a: {{ executor: 'constant-arrival-rate', rate: 3, duration: '1m', preAllocatedVUs: 4, exec: 'a' }},
           b: {{ executor: 'constant-arrival-rate', rate: 1, duration: '1m', preAllocatedVUs: 4, exec: 'b' }},
         }} }};
         export function setup() {{ console.log('set up'); }}
         export function a() {{ http.get('{0}/a'); }}
         export function b() {{ http.get('{0}/b'); }}
         export function teardown() {{ console.log('torn down'); }}",
        server.base
    );
    let path = script("capacity.js", &text);
    let args = arguments(&[path.to_str().unwrap(), "--slo", "p(95){scenario:b}<3s"]);
    let output = loadline(&args);
    let (said, log) = (stdout(&output), stderr(&output));
    assert_eq!(log.matches("set up").count(), 1, "{log}");
    assert_eq!(log.matches("torn down").count(), 1, "{log}");
    assert_eq!(output.status.code(), Some(0), "{said}{log}");
    assert!(said.contains("CAPACITY AT LEAST 8.00/s"), "{said}");
}

#[test]
fn an_interrupt_ends_the_load_within_a_second_and_what_was_found_is_told() {
    let server = Server::answering_after(Duration::from_millis(20));
    let folder = no_folder("capacity-interrupted");
    std::fs::create_dir(&folder).unwrap();
    let store = folder.join("runs.db");
    let store = store.to_str().unwrap();
    let args = [
        "capacity",
        &server.base,
        "--store",
        store,
        "--slo",
        "p(95)<1s",
        "--tag",
        "round-1",
    ];
    let mut child = start(&args);
    // A level is told once it is judged; on a busy machine the first is held more than once.
    let progress = BufReader::new(child.stderr.take().unwrap());
    let mut lines = progress.lines().map_while(Result::ok);
    assert!(lines.any(|line| line.contains("  holds")));
    signal(&child, "INT");
    let asked = Stopwatch::start();
    let output = child.wait_with_output().unwrap();
    asked.assert_within(Duration::from_secs(2));
    let sent = server.requests();
    assert_eq!(output.status.code(), Some(130), "{}", stdout(&output));
    assert!(
        stdout(&output).contains("STOPPED: at least"),
        "{}",
        stdout(&output)
    );
    assert!(
        stdout(&output).contains("the same command with --near "),
        "{}",
        stdout(&output)
    );
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(server.requests(), sent, "nothing is sent any more");
    // Seen: `--tag` was taken and had no effect.
    let tagged = loadline(&["runs", "--tag", "round-1", "--json", "--store", store]);
    assert_eq!(stdout(&tagged).lines().count(), 1, "{}", stdout(&tagged));
    std::fs::remove_dir_all(folder).unwrap();
}

/// Seen: `--out`, `--fail-on`, `--warmup` and `--trace-cost` were taken and had no effect.
#[test]
fn what_says_how_a_run_runs_or_ends_is_refused_by_what_steers_it() {
    for flags in [
        &["--out", "json=x.json"][..],
        &["--fail-on", "none"],
        &["--trace-cost", "3"],
        &["--once"],
        &["--repeat", "2"],
    ] {
        let args = [
            &["capacity", "http://127.0.0.1:9/", "--slo", "p(95)<1s"],
            flags,
        ]
        .concat();
        let output = loadline(&args);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        let said = stderr(&output);
        let told = format!("{} cannot be used here", flags[0]);
        assert!(said.contains(&told), "{said}");
    }
}

#[test]
fn a_search_counts_failed_requests_and_expectations_and_prints_none_of_them() {
    let server = slow_target();
    // Fewer than the share of errors that ends a level at once, however few requests it has.
    server.fail_every(8);
    let text = format!(
        "config: {{ target: '{}', plugins: {{ expect: {{}} }}, phases: [{{ duration: 5, arrivalRate: 2 }}] }}\n\
         scenarios: [{{ flow: [{{ get: {{ url: /, expect: [{{ statusCode: 404 }}] }} }}] }}]\n",
        server.base
    );
    let path = script("capacity-expect.yml", &text);
    // An eighth fails: never half of the few requests of a level.
    let mut args = arguments(&[path.to_str().unwrap(), "--slo", "p(50)<3s"]);
    let budget = args.iter_mut().find(|arg| **arg == "70s");
    *budget.unwrap() = "25s";
    let output = loadline(&args);
    let (said, log) = (stdout(&output), stderr(&output));
    // The objective says nothing of expectations, and none was met: no capacity to rely on.
    assert_eq!(output.status.code(), Some(3), "{said}{log}");
    assert!(
        !said.contains("not ok") && !log.contains("not ok"),
        "{said}{log}"
    );
    let failed = said
        .lines()
        .find(|line| line.starts_with("failed requests"));
    assert!(failed.is_some_and(|line| line.contains("500")), "{said}");
    let checks = said
        .lines()
        .find(|line| line.starts_with("failed checks"))
        .unwrap();
    let counts = checks
        .split(": ")
        .nth(1)
        .unwrap()
        .split(';')
        .next()
        .unwrap();
    let (failed, all) = counts.split_once(" of ").unwrap();
    assert_eq!(failed, all, "no answer is a 404: {checks}");
}

#[test]
fn a_target_that_is_not_there_is_told_at_once() {
    let began = Stopwatch::start();
    let output = loadline(&arguments(&["http://127.0.0.1:9/"]));
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("does not answer"),
        "{}",
        stdout(&output)
    );
    began.assert_within(Duration::from_secs(8));
}

#[test]
fn a_table_measured_elsewhere_is_judged_by_its_mean() {
    let table = "VU,TPS,mean\n7,92.6,73.5\n10,107.9,90.6\n15,145.9,100.6\n20,151.6,129.8\n\
                 30,152.9,194.1\n50,163.3,303.0\n200,167.1,1195.8\n300,165.0,1816.5\n\
                 400,164.9,2435.3\n1000,158.0,6380.3\n";
    let path = script("capacity-table.csv", table);
    let file = path.to_str().unwrap();
    let output = loadline(&["capacity", "--table", file, "--slo", "mean<=100ms"]);
    let said = stdout(&output);
    for words in [
        "judged: mean<=100ms",
        "about 14.7 VUs (144/s), interpolated between the last level that passes and the first that fails",
        "last level that passes: 10 VUs (108/s, 90.6 ms)",
        "first that fails: 15 VUs (146/s, 101 ms), by less than 1 %",
        "20 VUs (152/s, 91 % of the peak)",
        "200 VUs (167/s)",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let missing = loadline(&["capacity", "--table", file, "--slo", "p(95)<100ms"]);
    assert_eq!(missing.status.code(), Some(2), "{}", stderr(&missing));
    assert!(
        stderr(&missing).contains("needs a column"),
        "{}",
        stderr(&missing)
    );
    // Before: exit code 0 where not even the lowest level passes.
    let none = loadline(&["capacity", "--table", file, "--slo", "mean<=50ms"]);
    assert_eq!(none.status.code(), Some(3), "{}", stdout(&none));
    assert!(stdout(&none).contains("no level passes mean<=50ms"));
    // The table has rates, too.
    let goal = ["--slo", "mean<=100ms", "--goal", "120/s"];
    let met = loadline(&[&["capacity", "--table", file][..], &goal].concat());
    assert_eq!(met.status.code(), Some(0), "{}", stderr(&met));
    assert!(stdout(&met).contains("120/s"), "{}", stdout(&met));
}

/// Before: "CAPACITY 1.00/s (0.000 requests/s)" after the whole budget, or "STOPPED before any
/// level was held".
#[test]
fn a_script_that_sends_nothing_is_told_what_it_is() {
    for (name, body, line, code) in [
        ("silent", "", "NOTHING TO JUDGE: ", 2),
        ("throwing", "throw new Error('no');", "FAILED: ", 3),
    ] {
        let text = format!("export default function () {{ {body} }}");
        let path = script(&format!("capacity-{name}.js"), &text);
        let output = loadline(&arguments(&[path.to_str().unwrap(), "--slo", "p(95)<1s"]));
        let said = stdout(&output);
        assert!(said.starts_with(line), "{said}");
        let reason = match code {
            2 => "iterations sent no HTTP request",
            _ => "iterations failed, and none sent an HTTP request",
        };
        assert!(said.contains(reason), "{said}");
        assert_eq!(output.status.code(), Some(code), "{said}");
    }
}
