//! What decisions count is what the code has.

#![expect(
    clippy::unwrap_used,
    reason = "a tool for tests: what cannot be read fails the test"
)]

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

#[test]
fn the_patches_of_quickjs_are_as_many_as_the_decision_says() {
    let patches = |path: &str| read(path).matches(" why: \"").count();
    let internals = patches("crates/adapters/js/build.rs");
    let words = patches("crates/adapters/js/build/words.rs");
    let counted = format!(
        "There are {}: {internals} for internals, {words} for the words of errors.",
        internals + words
    );
    let decision = read("docs/decisions/js-build.md");
    assert!(
        decision.contains(&counted),
        "docs/decisions/js-build.md: {counted}"
    );
}

/// The targets in the last column of the tables of readers: names in backquotes.
fn named_targets(decision: &str) -> Vec<&str> {
    let rows = decision.lines().filter(|line| line.starts_with("| "));
    let last = rows.filter_map(|row| row.trim_end_matches([' ', '|']).rsplit(" | ").next());
    let cells = last.filter(|cell| !cell.starts_with("none"));
    let names = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    names.filter(|name| !name.contains('/')).collect()
}

#[test]
fn readers_of_our_own_name_fuzz_targets_that_are_there() {
    let decision = read("docs/decisions/readers-of-our-own.md");
    let missing: Vec<&str> = named_targets(&decision)
        .into_iter()
        .filter(|name| !["js", "gate"].contains(name))
        .filter(|name| {
            !root()
                .join(format!("fuzz/fuzz_targets/{name}.rs"))
                .is_file()
        })
        .collect();
    assert!(named_targets(&decision).len() > 30);
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_target_that_is_not_there_is_seen() {
    let row = "| packets | `a-crate` | why | `nosuch`, `html` |\n";
    assert_eq!(named_targets(row), ["nosuch", "html"]);
}
