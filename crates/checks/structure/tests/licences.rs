//! `THIRD-PARTY-LICENSES.txt` names what the binary holds today: `tools/licences.py` writes it anew.

#![expect(
    clippy::unwrap_used,
    reason = "a tool for tests: what cannot be read fails the test"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Names and versions of what `loadline` is linked from, without our own crates.
fn linked() -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--package", "loadline-cli"])
        .args(["--edges", "normal", "--prefix", "none", "--format", "{p}"])
        .args(["--target", "x86_64-unknown-linux-gnu"])
        .current_dir(root())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "cargo tree lists packages");
    text.lines().filter_map(package).collect()
}

/// `serde 1.0.229` of a line of `cargo tree`; procedural macros are not in the binary.
fn package(line: &str) -> Option<String> {
    let mut words = line.split(' ');
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
    let is_own = name.starts_with("loadline-");
    let is_macro = line.contains("(proc-macro)");
    (!is_own && !is_macro).then(|| format!("{name} {version}"))
}

/// Names and versions that the file has a licence for.
fn listed(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("  "));
    let is_version = |word: &str| word.starts_with(|first: char| first.is_ascii_digit());
    let named = lines.filter(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        matches!(words[..], [_, version] if is_version(version))
    });
    named.map(str::to_owned).collect()
}

#[test]
fn every_package_in_the_binary_has_its_licence_beside_it() {
    let text = fs::read_to_string(root().join("THIRD-PARTY-LICENSES.txt")).unwrap();
    let (linked, listed) = (linked(), listed(&text));
    assert!(linked.len() > 100, "{}", linked.len());
    let missing: Vec<&String> = linked.difference(&listed).collect();
    assert!(
        missing.is_empty(),
        "run tools/licences.py, these have no licence: {missing:?}"
    );
    for page in [
        "svelte (npm)",
        "uplot (npm)",
        "Permission is hereby granted",
    ] {
        assert!(text.contains(page), "{page}");
    }
}

#[test]
fn a_package_that_is_not_listed_is_found() {
    assert_eq!(package("serde v1.0.229").as_deref(), Some("serde 1.0.229"));
    assert_eq!(package("serde_derive v1.0.229 (proc-macro)"), None);
    assert_eq!(package("loadline-wire v0.1.0 (/w/crates)"), None);
    let text = "MIT\n\n  serde 1.0.229\n  b 0.1.0\n\nsome 1.0 text\n  and more words\n";
    let expected = ["b 0.1.0", "serde 1.0.229"].map(str::to_owned);
    assert_eq!(listed(text), BTreeSet::from(expected));
}
