//! Arrows only point down: a crate uses crates of the levels below its own only.
//!
//! Roles stand in the order of ARCHITECTURE.md, and each is a folder of `crates`. A role that needs more than one level has
//! them in order; crates of one level do not use each other. There are no exceptions.

use std::collections::BTreeMap;

use super::packages::packages;

/// A role and its levels, the lowest first.
type Role = (&'static str, &'static [&'static [&'static str]]);

pub(crate) const ROLES: [Role; 10] = [
    (
        "values",
        &[
            &["units"],
            &["metrics", "wire", "html", "proto", "otlp", "text"],
            &["testplan", "record"],
        ],
    ),
    ("judgement", &[&["sizing", "analysis"], &["explain"]]),
    ("presentation", &[&["report", "terminal"]]),
    ("platform", &[&["reactor", "listen"], &["vu"]]),
    (
        "adapters",
        &[
            &["engine", "net", "js", "store"],
            &["observe", "outputs", "knobs"],
        ],
    ),
    (
        "users",
        &[&["k6-options", "ngrinder"], &["bare", "k6", "artillery"]],
    ),
    ("testbed", &[&["mock", "demo", "data"]]),
    ("use-cases", &[&["experiment"], &["session"]]),
    ("products", &[&["gate", "web"], &["cli"]]),
    ("checks", &[&["testkit", "structure"], &["readmes"]]),
];

#[test]
fn crates_use_lower_layers_only() {
    let levels = ROLES.iter().flat_map(|(_, levels)| levels.iter());
    let level_of: BTreeMap<&str, usize> = (0..)
        .zip(levels)
        .flat_map(|(level, crates)| crates.iter().map(move |name| (*name, level)))
        .collect();
    for (name, used) in uses_of_crates() {
        let name = name.as_str();
        let own = *level_of
            .get(name)
            .unwrap_or_else(|| panic!("crate `{name}` has no level in this test"));
        for used in &used {
            assert!(
                level_of[used.as_str()] < own,
                "`{name}` must not use `{used}`"
            );
        }
    }
}

/// Each crate, and the crates of ours that it uses outside of its tests.
pub(crate) fn uses_of_crates() -> BTreeMap<String, Vec<String>> {
    packages().iter().map(uses_of).collect()
}

fn uses_of(package: &serde_json::Value) -> (String, Vec<String>) {
    let name = bare(package["name"].as_str().unwrap());
    let manifest = package["manifest_path"].as_str().unwrap();
    let folder = format!("/crates/{}/{name}/Cargo.toml", role_of(name));
    assert!(manifest.ends_with(&folder), "{manifest} is not {folder}");
    let dependencies = package["dependencies"].as_array().unwrap().iter();
    let used = dependencies
        .filter(|one| one["kind"].is_null())
        .filter_map(|one| one["name"].as_str()?.strip_prefix("loadline-"));
    (name.to_owned(), used.map(str::to_owned).collect())
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
