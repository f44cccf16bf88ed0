//! Documents name the k6 that scripts are compared with by one constant: [`K6Version`]. Measurements name the program
//! that was measured, and are not looked at.

#![expect(
    clippy::unwrap_used,
    reason = "a tool for tests: what cannot be read fails the test"
)]

use std::fs;
use std::path::{Path, PathBuf};

use loadline_k6_options::K6Version;

/// Where documents stand that say which k6 it is.
const FOLDERS: [&str; 6] = [
    "docs/guide",
    "docs/decisions",
    "docs/compatibility",
    "examples",
    "tests/k6",
    "",
];

fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let crates = fs::read_dir(root.join("crates")).unwrap();
    let members = crates.flat_map(|role| fs::read_dir(role.unwrap().path()).unwrap());
    let readmes = members.map(|member| member.unwrap().path().join("README.md"));
    let files = FOLDERS.iter().flat_map(|folder| {
        let entries = fs::read_dir(root.join(folder)).unwrap();
        entries.map(|entry| entry.unwrap().path())
    });
    let is_document = |path: &PathBuf| {
        path.is_file()
            && path.extension().is_some_and(|ext| ext == "md")
            && !path.ends_with("CHANGELOG.md")
    };
    files.chain(readmes).filter(is_document).collect()
}

/// The versions of k6 that a text names: what follows `k6 ` and looks like one.
fn versions(text: &str) -> Vec<&str> {
    let after = text
        .match_indices("k6 ")
        .map(|(at, name)| &text[at + name.len()..]);
    let numbers = after.filter_map(|rest| {
        let number = rest.strip_prefix('v').unwrap_or(rest);
        let end = number.find(|c: char| !c.is_ascii_digit() && c != '.');
        let number = number[..end.unwrap_or(number.len())].trim_end_matches('.');
        number.contains('.').then_some(number)
    });
    numbers.collect()
}

/// Whether it is one of the two releases whose rules are known here, in full or by its line.
fn is_known(version: &str) -> bool {
    [K6Version::V1, K6Version::V2].iter().any(|known| {
        let rest = known.number().strip_prefix(version);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

#[test]
fn documents_name_the_k6_that_the_constant_names() {
    let (mut wrong, mut named) = (Vec::new(), 0);
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        let found = versions(&text);
        named += found.len();
        let strange = found.iter().filter(|version| !is_known(version));
        wrong.extend(strange.map(|version| format!("{}: k6 {version}", path.display())));
    }
    assert!(named > 10, "only {named} were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn another_version_is_found() {
    let text = "as k6 v2.1 does, and k6 1.8.1; `k6 run` is no version, nor is k6 v2.2.0.";
    let strange: Vec<&str> = versions(text)
        .into_iter()
        .filter(|v| !is_known(v))
        .collect();
    assert_eq!(versions(text), ["2.1", "1.8.1", "2.2.0"]);
    assert_eq!(strange, ["2.1"]);
}
