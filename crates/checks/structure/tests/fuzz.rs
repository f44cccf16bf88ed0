//! The fuzz targets are in all their lists: files, Cargo.toml, README, seeds, account. They compile with
//! a nightly compiler only, so that nothing else notices one that is left out.

#![expect(
    clippy::unwrap_used,
    reason = "a tool for tests: what cannot be read fails the test"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What the seeds of all targets may take in the repository.
const SEED_BYTES_MAX: u64 = 200_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../fuzz")
}

/// The names of a folder's files, without an ending.
fn stems(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    let stem = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.unwrap().path();
        path.file_stem().unwrap().to_str().unwrap().to_owned()
    };
    entries.map(stem).collect()
}

/// What stands between quotation marks after `key = ` in the lines of a Cargo.toml.
fn values<'t>(manifest: &'t str, key: &str) -> Vec<&'t str> {
    let value = |line: &'t str| {
        let rest = line.strip_prefix(key)?.strip_prefix(" = ")?;
        Some(rest.trim_matches(['[', ']', '"']))
    };
    manifest.lines().filter_map(value).collect()
}

/// The targets that the README's first table describes.
fn described(readme: &str) -> BTreeSet<String> {
    let first = readme.split("\nParsers without a target").next().unwrap();
    let rows = first.lines().filter_map(|line| line.strip_prefix("| `"));
    let name = |row: &str| row.split('`').next().unwrap().to_owned();
    rows.map(name).collect()
}

#[test]
fn every_fuzz_target_is_in_every_list() {
    let folder = folder();
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let files = stems(&folder.join("fuzz_targets"));
    assert!(files.len() > 30, "{files:?}");
    let declared = values(&manifest, "name");
    let bins: BTreeSet<String> = declared
        .iter()
        .filter(|name| **name != "loadline-fuzz")
        .map(ToString::to_string)
        .collect();
    assert_eq!(bins, files, "Cargo.toml");
    for path in values(&manifest, "path") {
        assert!(folder.join(path).exists(), "{path}");
    }
    let features = manifest.split("[features]").nth(1).unwrap();
    for feature in values(&manifest, "required-features") {
        assert!(features.contains(&format!("\n{feature} = [")), "{feature}");
    }
    let readme = fs::read_to_string(folder.join("README.md")).unwrap();
    assert_eq!(described(&readme), files, "README.md");
    assert_eq!(stems(&folder.join("seeds")), files, "seeds");
    if let Ok(account) = fs::read_to_string(folder.join("account.tsv")) {
        for line in account.lines().skip(1) {
            let target = line.split('\t').next().unwrap();
            assert!(files.contains(target), "account.tsv: {target}");
        }
    }
}

#[test]
fn every_fuzz_target_has_seeds_and_all_of_them_are_small() {
    let mut bytes = 0;
    for target in fs::read_dir(folder().join("seeds")).unwrap() {
        let target = target.unwrap().path();
        let seeds: Vec<u64> = fs::read_dir(&target)
            .unwrap()
            .map(|seed| seed.unwrap().metadata().unwrap().len())
            .collect();
        assert!(!seeds.is_empty(), "{}", target.display());
        bytes += seeds.iter().sum::<u64>();
    }
    assert!(bytes <= SEED_BYTES_MAX, "{bytes}");
}

/// A target that compiles single files of a crate would only be missed when it is built.
#[test]
fn files_that_targets_compile_by_themselves_are_there() {
    let targets = folder().join("fuzz_targets");
    let mut paths = 0;
    for target in fs::read_dir(&targets).unwrap() {
        let text = fs::read_to_string(target.unwrap().path()).unwrap();
        for path in text.split("#[path = \"").skip(1) {
            let path = path.split('"').next().unwrap();
            assert!(targets.join(path).exists(), "{path}");
            paths += 1;
        }
    }
    assert!(paths > 10, "{paths}");
}
