//! Arrows only point down: a crate uses crates of the levels below its own only.
//!
//! Roles stand in the order of ARCHITECTURE.md, and each is a folder of `crates`. A role that needs more than one level has
//! them in order; crates of one level do not use each other. There are no exceptions.

use std::collections::BTreeMap;
use std::process::Command;

/// A role and its levels, the lowest first.
type Role = (&'static str, &'static [&'static [&'static str]]);

const ROLES: [Role; 10] = [
    (
        "values",
        &[
            &["units"],
            &["metrics", "wire", "proto", "text"],
            &["testplan", "record"],
        ],
    ),
    ("judgement", &[&["sizing", "analysis"]]),
    ("presentation", &[&["report", "terminal"]]),
    ("platform", &[&["reactor", "listen"], &["vu"]]),
    (
        "adapters",
        &[
            &["engine", "net", "js", "store"],
            &["observe", "outputs", "knobs"],
        ],
    ),
    ("users", &[&["bare", "k6", "artillery"]]),
    ("testbed", &[&["mock", "demo", "data"]]),
    ("use-cases", &[&["experiment"], &["session"]]),
    ("products", &[&["gate", "web"], &["cli"]]),
    ("checks", &[&["testkit", "structure"]]),
];

#[test]
fn crates_use_lower_layers_only() {
    let levels = ROLES.iter().flat_map(|(_, levels)| levels.iter());
    let level_of: BTreeMap<&str, usize> = (0..)
        .zip(levels)
        .flat_map(|(level, crates)| crates.iter().map(move |name| (*name, level)))
        .collect();
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.."))
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 10, "the whole workspace is looked at");
    for package in packages {
        let name = bare(package["name"].as_str().unwrap());
        let manifest = package["manifest_path"].as_str().unwrap();
        let folder = format!("/crates/{}/{name}/Cargo.toml", role_of(name));
        assert!(manifest.ends_with(&folder), "{manifest} is not {folder}");
        let own = *level_of
            .get(name)
            .unwrap_or_else(|| panic!("crate `{name}` has no level in this test"));
        for dependency in package["dependencies"].as_array().unwrap() {
            let is_normal = dependency["kind"].is_null();
            let used = dependency["name"].as_str().unwrap();
            if !is_normal || !used.starts_with("loadline-") {
                continue;
            }
            let used = bare(used);
            assert!(level_of[used] < own, "`{name}` must not use `{used}`");
        }
    }
}

/// The role that a crate stands in.
fn role_of(name: &str) -> &'static str {
    let of_role = |(_, levels): &&Role| levels.iter().any(|level| level.contains(&name));
    let role = ROLES.iter().find(of_role);
    role.unwrap_or_else(|| panic!("crate `{name}` has no level in this test"))
        .0
}

fn bare(package: &str) -> &str {
    package.strip_prefix("loadline-").unwrap_or(package)
}
