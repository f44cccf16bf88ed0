//! Each defect that `docs/gate-defects.md` lists names tests that are there.

#![expect(
    clippy::unwrap_used,
    reason = "a tool for tests: what cannot be read fails the test"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_default()
}

/// The names of all tests below a folder: of functions that an attribute `#[...test...]` stands before.
fn collect_tests(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect_tests(&path, names);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            names.extend(tests_of(&fs::read_to_string(&path).unwrap()));
        }
    }
}

fn tests_of(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut is_test = false;
    for line in text.lines().map(str::trim) {
        is_test |= line.starts_with("#[test]") || line.starts_with("#[tokio::test");
        let declared = line.strip_prefix("async ").unwrap_or(line);
        let name = declared
            .strip_prefix("fn ")
            .and_then(|rest| rest.split('(').next());
        if let Some(name) = name {
            if is_test {
                names.push(name.to_owned());
            }
            is_test = false;
        }
    }
    names
}

/// A row of a table: what it is called, and the names that stand in its last column.
fn rows(table: &str) -> Vec<(String, Vec<String>)> {
    let cells = table
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"))
        .filter(|line| !line.starts_with("| ")); // the head has no first cell
    let rows = cells.filter_map(|line| {
        let (what, tests) = line.rsplit_once(" | ")?;
        let tests = tests.split('`').skip(1).step_by(2).map(str::to_owned);
        Some((what.to_owned(), tests.collect()))
    });
    rows.collect()
}

/// What is named and not there.
fn missing(rows: &[(String, Vec<String>)], tests: &BTreeSet<String>, faults: &str) -> Vec<String> {
    let is_there = |name: &str| match name.split_once(' ') {
        Some((file, words)) => read(file).contains(words),
        None => tests.contains(name) || faults.contains(&format!("({name}, \"")),
    };
    let mut missing = Vec::new();
    for (what, names) in rows {
        if names.is_empty() {
            missing.push(format!("{what}: no test"));
        }
        let gone = names.iter().filter(|name| !is_there(name));
        missing.extend(gone.map(|name| format!("{what}: {name}")));
    }
    missing
}

fn tests_of_the_gate() -> BTreeSet<String> {
    let mut tests = BTreeSet::new();
    for folder in [
        "crates/products/gate",
        "crates/products/cli/tests",
        "crates/platform/listen",
    ] {
        collect_tests(&root().join(folder), &mut tests);
    }
    tests
}

#[test]
fn each_defect_of_the_gate_names_tests_that_are_there() {
    let rows = rows(&read("docs/gate-defects.md"));
    for (letter, last) in [("C", 15), ("S", 8), ("F", 7), ("", 12)] {
        for n in 1..=last {
            let begin = format!("{letter}{n} | ");
            let is_listed = rows.iter().any(|(what, _)| what.starts_with(&begin));
            assert!(is_listed, "no row {begin}");
        }
    }
    let faults = read("bench/gate/faults.py");
    let missing = missing(&rows, &tests_of_the_gate(), &faults);
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn a_test_that_is_gone_and_a_row_without_one_are_found() {
    let table = "| | defect | kept out by |\n|---|---|---|\n| X1 | one | `there`, `not_there` |\n| X2 | two | nothing |\n\
        | X3 | three | `kills` |\n| X4 | four | `tools/page/proxy.mjs no such words` |";
    let rows = rows(table);
    let tests = ["there".to_owned()].into();
    let missing = missing(&rows, &tests, "CASES = [(kills, \"redis\")]");
    assert_eq!(
        missing,
        [
            "X1 | one: not_there",
            "X2 | two: no test",
            "X4 | four: tools/page/proxy.mjs no such words"
        ]
    );
    assert_eq!(
        tests_of("fn helper() {}\n#[test]\nfn it_holds() {}\nfn other() {}"),
        ["it_holds"]
    );
}
