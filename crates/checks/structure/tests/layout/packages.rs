//! The crates of the workspace, as cargo knows them.

use std::process::Command;

use serde_json::Value;

/// What `cargo metadata` says of each crate.
pub(crate) fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap().clone();
    assert!(packages.len() > 10, "the whole workspace is looked at");
    packages
}
