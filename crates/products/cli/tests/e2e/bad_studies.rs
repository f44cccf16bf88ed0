//! Study files with a mistake each, and what `tune` says of them in both languages, kept to be
//! read: the snapshots are the table.

use std::fs;
use std::path::PathBuf;

use crate::bad_inputs::{answers, assert_korean};
use crate::common::no_folder;

/// The test of that study.
const TEST: &str = "http://127.0.0.1:1/ --rate 5/s --duration 1s";

/// A study without a mistake.
const WHOLE: &str = "\
test: http://127.0.0.1:1/ --rate 5/s --duration 1s
goal: throughput max
knobs:
  - {name: pool, values: [1, 2, 3], now: 2, command: [echo, '{value}']}
";

/// Names of studies, what is taken out of the whole one, what is put there.
const WRONG: [(&str, &str, &str); 37] = [
    (
        "property-file-absent",
        "command: [echo, '{value}']",
        "property: {file: app.properties, key: pool}",
    ),
    (
        "template-absent",
        "command: [echo, '{value}']",
        "template: {file: app.conf, from: app.conf.in}",
    ),
    (
        "program-absent",
        "command: [echo",
        "command: [no-such-program",
    ),
    ("script-syntax", TEST, "syntax.js"),
    ("script-throws", TEST, "throws.js"),
    ("script-import", TEST, "import.js"),
    ("script-exports-nothing", TEST, "nothing.js"),
    ("script-not-there", TEST, "absent.js"),
    ("test-is-a-folder", TEST, "folder"),
    ("artillery-syntax", TEST, "unclosed.yml"),
    (
        "whole-command",
        "http://127.0.0.1:1/",
        "loadline run http://127.0.0.1:1/",
    ),
    ("no-test", "http://127.0.0.1:1/ ", ""),
    ("misspelt-option", "--rate", "--rat"),
    ("rate-in-words", "5/s", "five"),
    ("once", "--rate 5/s", "--once"),
    ("test-is-a-map", TEST, "{url: x}"),
    ("colon-in-a-value", "--rate 5/s", "--header 'a: b'"),
    ("goal-in-words", "throughput max", "faster please"),
    ("misspelt-name", "goal:", "gaol:"),
    (
        "no-knobs",
        "  - {name: pool, values: [1, 2, 3], now: 2, command: [echo, '{value}']}",
        "",
    ),
    ("now-is-no-value", "now: 2", "now: 7"),
    ("name-with-a-space", "name: pool", "name: my pool"),
    ("says-no-value", "'{value}'", "it"),
    (
        "variable-without-start",
        "command: [echo, '{value}']",
        "env: POOL",
    ),
    (
        "person-without-read",
        "command: [echo, '{value}']",
        "manual: 'set it to {value}'",
    ),
    (
        "url-without-scheme",
        "command: [echo, '{value}']",
        "http: {url: 'localhost:80/{value}'}",
    ),
    (
        "step-of-zero",
        "values: [1, 2, 3]",
        "from: 1, to: 3, step: 0",
    ),
    ("range-downwards", "values: [1, 2, 3]", "from: 3, to: 1"),
    (
        "limit-forbids-now",
        "knobs:",
        "limits: [pool < 9, pool < 2]\nknobs:",
    ),
    (
        "limit-forbids-all",
        "knobs:",
        "limits: [pool >= 2, pool < 3]\nknobs:",
    ),
    (
        "limit-of-no-number",
        "values: [1, 2, 3]",
        "values: [1m, 2, 3]",
    ),
    ("limit-of-no-knob", "knobs:", "limits: [pol < 9]\nknobs:"),
    ("no-time", "knobs:", "budget: {time: 0s}\nknobs:"),
    ("half-a-trial", "knobs:", "budget: {trials: 1.5}\nknobs:"),
    ("time-without-unit", "knobs:", "pause: 1\nknobs:"),
    ("tab", "goal:", "\tgoal:"),
    ("name-twice", "knobs:", "goal: throughput max\nknobs:"),
];

/// Files that are no studies.
const NO_STUDIES: [(&str, &[u8]); 3] = [
    ("empty", b"# nothing yet\n"),
    ("prose", b"please make it faster\n"),
    ("not-text", b"test: \xff\xfe\x00\n"),
];

/// Tests that the studies name.
const TESTS: [(&str, &str); 5] = [
    ("syntax.js", "export default function () { let = ; }\n"),
    ("throws.js", "throw new Error('at init');\n"),
    (
        "import.js",
        "import x from './missing.js';\nexport default function () {}\n",
    ),
    ("nothing.js", "export const options = {};\n"),
    ("unclosed.yml", "config:\n  target: [\n"),
];

fn folder(name: &str) -> PathBuf {
    let folder = no_folder(name);
    fs::create_dir_all(folder.join("folder")).unwrap();
    for (file, text) in TESTS {
        fs::write(folder.join(file), text).unwrap();
    }
    for (name, taken, put) in WRONG {
        assert!(WHOLE.contains(taken), "{name}");
        let mut text = WHOLE.replace(taken, put);
        if name == "limit-of-no-number" {
            text.push_str("limits: [pool < 9]\n");
        }
        fs::write(folder.join(format!("{name}.yaml")), text).unwrap();
    }
    for (name, bytes) in NO_STUDIES {
        fs::write(folder.join(format!("{name}.yaml")), bytes).unwrap();
    }
    folder
}

fn table(lang: &str, name: &str) -> String {
    let names = WRONG.iter().map(|(name, ..)| *name);
    let names = names.chain(NO_STUDIES.iter().map(|(name, _)| *name));
    let mut rows: Vec<String> = names
        .map(|name| format!("tune {name}.yaml --dry-run"))
        .collect();
    rows.push("tune folder --dry-run".to_owned());
    answers(rows.iter().map(String::as_str), &folder(name), lang)
}

#[test]
fn a_wrong_study_is_told_with_its_place_in_english() {
    insta::assert_snapshot!("bad_studies_en", table("C", "bad-studies-en"));
}

#[test]
fn a_wrong_study_is_told_with_its_place_in_korean() {
    let table = table("ko_KR.UTF-8", "bad-studies-ko");
    assert_korean(&table);
    insta::assert_snapshot!("bad_studies_ko", table);
}
