//! docs/compatibility/artillery.toml says what the code has.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::path::Path;

use loadline_artillery::keys::{KEYS, KeyScope, KeySupport};

fn support_text(support: KeySupport) -> String {
    match support {
        KeySupport::Supported => "supported".to_owned(),
        KeySupport::Ignored(reason) => format!("ignored: {reason}"),
        KeySupport::Missing(reason) => format!("missing: {reason}"),
    }
}

fn table() -> toml::Value {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/compatibility/artillery.toml");
    toml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn every_key_is_listed_with_what_becomes_of_it() {
    let table = table();
    let mut listed = BTreeMap::new();
    for (place, keys) in table["keys"].as_table().unwrap() {
        for (name, support_text) in keys.as_table().unwrap() {
            listed.insert(
                (place.clone(), name.clone()),
                support_text.as_str().unwrap().to_owned(),
            );
        }
    }
    let known: BTreeMap<(String, String), String> = KEYS
        .iter()
        .map(|key| {
            (
                (key.place.name().to_owned(), key.name.to_owned()),
                support_text(key.support),
            )
        })
        .collect();
    assert_eq!(listed, known);
    assert!(
        KeyScope::ALL
            .iter()
            .all(|place| table["keys"].get(place.name()).is_some())
    );
}

#[test]
fn every_fake_function_is_listed() {
    let table = table();
    let listed: Vec<&str> = table["fake-data"]["functions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap())
        .collect();
    let known: Vec<&str> = loadline_artillery::fake_names().collect();
    assert_eq!(listed, known);
}
