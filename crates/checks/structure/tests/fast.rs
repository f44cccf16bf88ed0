//! What `make fast` leaves out is a rule about folders: one that is renamed would be run whole.

#![expect(
    clippy::unwrap_used,
    reason = "a tool for tests: what cannot be read fails the test"
)]

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// The folders that the script leaves out.
fn left_out(script: &str) -> Vec<&str> {
    let list = script.split("\nWHOLES = (").nth(1).unwrap();
    let list = list.split(')').next().unwrap();
    list.split(", ")
        .map(|name| name.trim_matches('"'))
        .collect()
}

/// Whether a crate of this folder has files of tests.
fn has_tests(folder: &str) -> bool {
    let entries = fs::read_dir(root().join("crates").join(folder)).unwrap();
    entries
        .flatten()
        .any(|crate_folder| crate_folder.path().join("tests").is_dir())
}

#[test]
fn each_folder_that_make_fast_leaves_out_is_there_and_has_tests() {
    let script = fs::read_to_string(root().join("tools/fast.py")).unwrap();
    let folders = left_out(&script);
    assert!(folders.len() > 1, "{folders:?}");
    for folder in folders {
        assert!(has_tests(folder), "crates/{folder}");
    }
}

#[test]
fn a_folder_that_the_script_names_is_seen() {
    assert_eq!(left_out("\nWHOLES = (\"a\", \"b\")\n"), ["a", "b"]);
}
