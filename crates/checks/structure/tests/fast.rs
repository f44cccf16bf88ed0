//! What `make fast` leaves out is a rule about folders, not a list that somebody keeps.

#![expect(
    clippy::unwrap_used,
    reason = "a tool for tests: what cannot be read fails the test"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of crates whose files of `tests/` run whole programs, simulate by the thousand,
/// read whole reports or every source file.
const FOLDERS_OF_WHOLES: [&str; 4] = ["products", "use-cases", "presentation", "checks"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// The packages in a folder of crates.
fn packages(folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(root().join("crates").join(folder)).unwrap();
    let name = |entry: std::io::Result<fs::DirEntry>| {
        let crate_name = entry.unwrap().file_name();
        format!("loadline-{}", crate_name.to_str().unwrap())
    };
    entries.map(name).collect()
}

/// The packages that a filter names.
fn named(filter: &str) -> BTreeSet<String> {
    let after = filter.split("package(").skip(1);
    let name = |rest: &str| rest.split(')').next().unwrap().to_owned();
    after.map(name).collect()
}

#[test]
fn the_fast_profile_leaves_out_the_tests_of_whole_programs() {
    let configuration = fs::read_to_string(root().join(".config/nextest.toml")).unwrap();
    let of_wholes: BTreeSet<String> = FOLDERS_OF_WHOLES.into_iter().flat_map(packages).collect();
    assert!(of_wholes.len() >= FOLDERS_OF_WHOLES.len());
    assert_eq!(named(&configuration), of_wholes, ".config/nextest.toml");
}

#[test]
fn a_package_that_a_filter_names_is_seen() {
    let filter = "not (package(loadline-cli) | package(loadline-web))";
    let expected = ["loadline-cli", "loadline-web"].map(str::to_owned);
    assert_eq!(named(filter), BTreeSet::from(expected));
}
