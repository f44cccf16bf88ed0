//! An example in a crate's documentation is run as a test: a crate that leaves such tests out, which
//! spares their build, has no example.

#![expect(
    clippy::unwrap_used,
    reason = "a tool for tests: what cannot be read fails the test"
)]

use std::fs;
use std::path::{Path, PathBuf};

/// Languages of blocks that are no examples.
const NO_RUST: [&str; 6] = ["text", "json", "toml", "yaml", "sh", "http"];

#[test]
fn every_example_is_run() {
    let crates = folders(&folders(&[
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    ]));
    let mut left_out = Vec::new();
    let mut looked_at = 0;
    for folder in crates {
        let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) else {
            continue;
        };
        looked_at += 1;
        if manifest.contains("doctest = false") {
            examples_in(&folder.join("src"), &mut left_out);
        }
    }
    assert!(looked_at > 30, "the whole workspace is looked at");
    assert!(left_out.is_empty(), "never run:\n{}", left_out.join("\n"));
}

#[test]
fn a_planted_example_is_found_and_other_blocks_are_not() {
    let rust = "/// Adds.\n/// ```\n/// add(1, 2);\n/// ```\nfn add() {}\n";
    assert_eq!(examples_of(rust), [2]);
    let table = "//! ```text\n//! a b\n//! ```\n\n//! ```rust,no_run\n//! f()\n//! ```\n";
    assert_eq!(examples_of(table), [5]);
}

/// The folders in each of these.
fn folders(of: &[PathBuf]) -> Vec<PathBuf> {
    let inner = |folder: &PathBuf| {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        entries
            .map(|entry| entry.path())
            .filter(|path| path.is_dir())
    };
    of.iter().flat_map(inner).collect()
}

fn examples_in(path: &Path, found: &mut Vec<String>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            examples_in(&entry.unwrap().path(), found);
        }
    } else if path.extension().is_some_and(|ending| ending == "rs") {
        let lines = examples_of(&fs::read_to_string(path).unwrap());
        found.extend(
            lines
                .iter()
                .map(|line| format!("{}:{line}", path.display())),
        );
    }
}

/// The lines where examples begin.
fn examples_of(source: &str) -> Vec<usize> {
    let mut is_inside = false;
    let mut begins = Vec::new();
    for (number, line) in (1..).zip(source.lines()) {
        let line = line.trim_start();
        let text = line.strip_prefix("///").or(line.strip_prefix("//!"));
        let Some(fence) = text.and_then(|text| text.trim_start().strip_prefix("```")) else {
            continue;
        };
        if !is_inside && !NO_RUST.contains(&fence.trim()) {
            begins.push(number);
        }
        is_inside = !is_inside;
    }
    begins
}
