//! Arrows only point down: a crate uses lower layers only.

use std::collections::BTreeMap;
use std::process::Command;

/// Layers from the bottom; crates of one layer may not use each other unless listed.
const LAYERS: [&[&str]; 9] = [
    &["units"],
    &[
        "metrics", "testplan", "wire", "proto", "record", "sizing", "analysis", "report", "text",
    ],
    &["reactor", "vu", "listen"],
    &["engine", "net", "js", "store"],
    &["bare", "k6", "artillery", "mock", "demo", "data", "outputs"],
    &["session", "experiment"],
    &["gate"],
    &["cli"],
    &["testkit", "structure"],
];

/// Arrows within a layer, each with its reason.
const WITHIN: [(&str, &str); 14] = [
    ("testplan", "metrics"), // a plan carries its thresholds' sources
    ("analysis", "metrics"), // comparisons read distributions
    ("analysis", "record"),  // a level that the generator limited is no level
    ("report", "analysis"),  // and their findings are shown
    ("record", "metrics"),   // a summary is made of totals
    ("report", "metrics"),
    ("report", "record"),
    ("report", "testplan"), // the mistakes of a plan, in words
    ("report", "text"),
    ("report", "sizing"),
    ("sizing", "metrics"),     // how long logged requests took
    ("sizing", "text"),        // figures carry names, assumptions and doubts as messages
    ("session", "experiment"), // a run is steered as a search asks
    ("vu", "reactor"),         // users reach sockets and timers through the reactor's handle
];

#[test]
fn crates_use_lower_layers_only() {
    let layer: BTreeMap<&str, usize> = (0..)
        .zip(LAYERS)
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
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 10, "the whole workspace is looked at");
    for package in packages {
        let name = bare(package["name"].as_str().unwrap());
        let own = *layer
            .get(name)
            .unwrap_or_else(|| panic!("crate `{name}` has no layer in this test"));
        for dependency in package["dependencies"].as_array().unwrap() {
            let is_normal = dependency["kind"].is_null();
            let used = dependency["name"].as_str().unwrap();
            if !is_normal || !used.starts_with("loadline-") {
                continue;
            }
            let used = bare(used);
            let down = layer[used] < own || WITHIN.contains(&(name, used));
            assert!(down, "`{name}` must not use `{used}`");
        }
    }
}

fn bare(package: &str) -> &str {
    package.strip_prefix("loadline-").unwrap_or(package)
}
