use loadline_text::{Catalog, Lang};

use super::*;

const WHOLE: &str = r#"
name: pool
test: http://127.0.0.1:8080/pooled --rate 30/s --duration 5s
goal: meet tps>=29, p(95)<=600ms
warm_up: 2s
target:
  start: [sh, -c, "exec app {heap}"]
  ready: http://127.0.0.1:8080/healthz
  start_timeout: 20s
knobs:
  - name: heap
    values: [96m, 128m]
    now: 96m
    argument: -Xmx{value}
  - name: pool
    from: 5
    to: 40
    factor: 2
    now: 10
    http: {url: "http://127.0.0.1:8080/settings", body: '{"pool":{"max":{value}}}'}
    read: {url: "http://127.0.0.1:8080/settings", json: /pool/max}
limits: [pool * 2 <= 60]
guesses: [{pool: 20}]
budget: {trials: 40, time: 10m}
"#;

fn mistakes_in(text: &str) -> Vec<String> {
    let catalog = Catalog::new(Lang::En);
    let mistakes = read(text, "study", Path::new("/tmp")).unwrap_err();
    let tell = |mistake: &StudyMistake| {
        format!(
            "{}:{}: {}",
            mistake.line,
            mistake.column,
            catalog.text(&mistake.what)
        )
    };
    mistakes.iter().map(tell).collect()
}

#[test]
fn a_whole_study_is_read() {
    let study = read(WHOLE, "study", Path::new("/tmp")).unwrap();
    assert_eq!(study.name, "pool");
    assert_eq!(study.test.len(), 5);
    assert_eq!(study.knobs[1].values, ["5", "10", "20", "40"]);
    assert_eq!(study.start(), [0, 1]);
    assert_eq!(study.guesses, [vec![0, 2]]);
    assert!(study.knobs[0].restart && !study.knobs[1].restart);
    assert!(study.allows(&[1, 2]) && !study.allows(&[1, 3]));
    assert_eq!(study.label(&[1, 2]), "heap=128m pool=20");
    assert_eq!(
        (study.most_trials, study.most_time),
        (40, Duration::from_secs(600))
    );
}

#[test]
fn a_warm_up_is_a_time_with_its_unit_or_auto() {
    let with = |warm_up: &str| WHOLE.replace("warm_up: 2s", &format!("warm_up: {warm_up}"));
    let read = |warm_up: &str| {
        read(&with(warm_up), "study", Path::new("/tmp"))
            .unwrap()
            .warm_up
    };
    assert_eq!(read("auto").as_deref(), Some("auto"));
    assert_eq!(read("1m").as_deref(), Some("60000ms"));
    assert_eq!(
        mistakes_in(&with("5")),
        ["5:10: `warm_up: 5` is not a time such as 30s or 2m"]
    );
}

#[test]
fn json_is_read_as_well() {
    let text = r#"{"test": "http://a/", "goal": "throughput max",
        "knobs": [{"name": "a", "values": [1, 2], "now": 1, "command": ["set", "{value}"]}]}"#;
    let study = read(text, "a", Path::new("/")).unwrap();
    assert_eq!(study.knobs[0].values, ["1", "2"]);
}

#[test]
fn all_mistakes_are_told_at_once_with_their_lines() {
    let text = WHOLE
        .replace("goal: meet tps>=29", "goal: quickly tps>=29")
        .replace("start_timeout: 20s", "strat_timeout: 20s")
        .replace("now: 10", "now: 11")
        .replace("time: 10m", "time: 10");
    assert_mistakes(
        &mistakes_in(&text),
        &[
            "4:7: `quickly tps>=29, p(95)<=600ms` is not a goal; write `throughput max subject to p(95)<500ms` or `meet tps>=100, p(95)<=500ms`",
            "9:3: unknown name `strat_timeout`; did you mean `start_timeout`?",
            "19:10: `now: 11` is none of: 5, 10, 20, 40",
            "24:28: `time: 10` is not a time such as 30s or 2m",
        ],
    );
}

/// Seen: what was wrong below a misspelt name came out on the next run only.
#[test]
fn mistakes_below_a_misspelt_name_are_told_with_it() {
    let text = "test: http://a/\ngoal: meet tps>=60, errors<1\nknbos:\n  - {name: pool, values: [1, 2], now: 3, htpp: {method: PUT, ulr: x}}\n";
    let told = mistakes_in(text).join("\n");
    for part in [
        "2:7: `1` is not a share",
        "3:1: unknown name `knbos`; did you mean `knobs`?",
        "`now: 3` is none of",
        "unknown name `htpp`; did you mean `http`?",
        "unknown name `ulr`; did you mean `url`?",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(!told.contains("is missing"), "{told}");
    // The right name is there, too: it counts.
    let text = command("") + "knbos: 5\n";
    assert_mistakes(
        &mistakes_in(&text),
        &["8:1: unknown name `knbos`; did you mean `knobs`?"],
    );
}

/// Compares line by line; the told ones may say more.
fn assert_mistakes(told: &[String], expected: &[&str]) {
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    for (told, expected) in told.iter().zip(expected) {
        let place = expected.split(": ").next().unwrap_or_default();
        assert!(told.starts_with(place), "{told}\n{expected}");
    }
}

#[test]
fn limits_and_guesses_name_knobs() {
    let text = WHOLE
        .replace("pool * 2", "pol * 2")
        .replace("{pool: 20}", "{heap: 5}");
    assert_mistakes(
        &mistakes_in(&text),
        &[
            "22:10: unknown name `pol`; did you mean `pool`?",
            "23:18: `heap: 5`",
        ],
    );
}

/// A study with one knob, `a`, and these lines at its end.
fn knob(lines: &str) -> String {
    format!(
        "test: http://a/\ngoal: throughput max\nknobs:\n  - name: a\n    values: [1, 2]\n    now: 1\n{lines}"
    )
}

/// The same, whose knob is set by a command.
fn command(more: &str) -> String {
    knob(&format!("    command: [set, '{{value}}']\n{more}"))
}

fn values(values: &str) -> String {
    command("").replace("values: [1, 2]", values)
}

/// Each text is refused with words that hold its word.
fn assert_refused<const N: usize>(rows: [(String, &str); N]) {
    let mut lacking = Vec::new();
    for (text, word) in rows {
        let told = mistakes_in(&text).join("\n");
        if !told.contains(word) {
            lacking.push(format!("{word}: {told}"));
        }
    }
    assert!(lacking.is_empty(), "{lacking:#?}");
}

#[test]
fn methods_and_limits_that_cannot_work_are_refused() {
    assert_refused([
        (knob(""), "exactly one"),
        (knob("    env: A\n"), "target: start"),
        (knob("    env: A\n    command: x\n"), "exactly one"),
        (command("    restart: true\n"), "restart"),
        (knob("    manual: set it to {value}\n"), "read"),
        (
            knob("    command: x\n"),
            "7:14: `command` does not hold `{value}`",
        ),
        (
            knob("    http: {url: 'http://a/{value}', method: P UT}\n"),
            "7:45: `method: P UT` is not an HTTP method",
        ),
        (
            command("limits: [a < 9, a > 1]\n"),
            "8:17: the limit `a > 1` forbids the setting the target has now: a=1",
        ),
        (
            command("limits: [a < 2]\n"),
            "8:9: the limits forbid every setting except the current one",
        ),
    ]);
}

#[test]
fn numbers_that_cannot_work_are_refused() {
    assert_refused([
        (
            values("values: [1, 2m]").replace("{value}']\n", "{value}']\nlimits: [a < 9]\n"),
            "8:10: the limit `a < 9` needs numbers, and `a` has the value 2m",
        ),
        (
            command("budget: {time: 0s}\n"),
            "8:16: `time: 0s` must be more than 0s",
        ),
        (
            command("budget: {trials: 1.5}\n"),
            "8:18: `trials: 1.5` is not a whole number",
        ),
        (
            command("budget: {trials: 0}\n"),
            "8:18: `trials: 0` is not a whole number",
        ),
        (
            values("from: 1\n    to: 9\n    step: 0"),
            "7:11: `step: 0` must be more than 0",
        ),
        (
            values("from: 1\n    to: 9\n    factor: 1"),
            "7:13: `factor: 1` must be more than 1",
        ),
        (
            values("from: 9\n    to: 1"),
            "6:9: `to: 1` must be more than 9",
        ),
        (
            values("from: 1\n    to: 9\n    step: 2\n    factor: 2"),
            "8:13: `step` and `factor` cannot stand together",
        ),
    ]);
}

#[test]
fn names_tests_and_files_that_cannot_be_read_are_refused() {
    assert_refused([
        (
            command("").replace("name: a", "name: a b"),
            "4:11: `name: a b` cannot be used",
        ),
        (
            command("").replace("http://a/", "run http://a/"),
            "1:7: `test` begins with what stands after",
        ),
        (
            command("").replace("http://a/", "{a: b}"),
            "1:7: `test` must be what stands after",
        ),
        (
            command("").replace("http://a/", "http://a/ -H 'a: b'"),
            "1:22: not YAML: a colon",
        ),
        (
            command("goal: throughput max\n"),
            "8:1: `goal` is here twice",
        ),
        (command("pause: &x 1s\nwarm_up: *x\n"), "9:10: aliases"),
        ("test: x".to_owned(), "missing"),
        ("a: [".to_owned(), "YAML"),
        ("- 1".to_owned(), "map"),
        ("# nothing\n".to_owned(), "1:1: the file is empty"),
        (
            "test: x\n---\ntest: y\n".to_owned(),
            "a second YAML document",
        ),
    ]);
}

/// Seen: a second name, and a knob that needs `start`, were told only after the other mistakes of the knob were mended.
#[test]
fn mistakes_of_a_knob_do_not_hide_others_of_it() {
    let text = "test: http://127.0.0.1:1/
goal: throughput max
knobs:
  - {name: pool, values: [1, 2], now: 1, http: {url: 'http://127.0.0.1:1/s', body: '{value}'}}
  - {name: pool, values: [a], now: a, env: POOL}
";
    let told = mistakes_in(text).join("\n");
    for part in [
        "a second knob `pool`",
        "2 to 100 different values",
        "target: start",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

/// Seen: an unknown knob in `limits` was told only after the mistakes of the knobs were mended.
#[test]
fn limits_of_unknown_knobs_are_told_beside_mistakes_of_knobs() {
    let text = "test: http://127.0.0.1:1/
goal: throughput max
knobs:
  - {name: pool, values: [a], now: a, env: POOL}
  - {name: threads, from: 1, now: 1, env: THREADS}
limits: [pol * 2 <= 60, threads <= 8]
";
    let told = mistakes_in(text).join("\n");
    assert!(
        told.contains("6:10") && told.contains("`pol`") && told.contains("`pool`"),
        "{told}"
    );
    assert!(!told.contains("unknown name `threads`"), "{told}");
}
