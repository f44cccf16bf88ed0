//! docs/compatibility/k6.toml says what the code has.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use loadline_k6::log::{Entry, LogSink};
use loadline_k6::{LoadError, ScriptSettings, load};
use loadline_k6_options::flags::{FlagStatus, TABLE};
use loadline_metrics::Registry;

/// Names and what is said of them, of one section.
type Section = BTreeMap<String, String>;

fn section(path: &[&str]) -> Section {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/compatibility/k6.toml");
    let table: toml::Value = toml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let found = path.iter().fold(&table, |table, key| &table[*key]);
    let rows = found.as_table().unwrap().iter();
    rows.map(|(name, said)| (name.clone(), said.as_str().unwrap_or_default().to_owned()))
        .collect()
}

fn is_there(said: &str) -> bool {
    !said.starts_with("missing")
}

struct Silent;

impl LogSink for Silent {
    fn log(&self, _: Entry) {}
}

/// The value of an expression in init code after `head`.
fn evaluated(head: &str, expression: &str) -> Result<serde_json::Value, LoadError> {
    let script = format!(
        "{head}\nexport const options = {{ value: {expression} }};\nexport default function () {{}}"
    );
    let loaded = load(ScriptSettings {
        script: "-".to_owned(),
        working_dir: "/".into(),
        stdin: Some(script),
        env: BTreeMap::new(),
        log: Arc::new(Silent),
        registry: Arc::new(Registry::new()),
        isolate: false,
        wall_clock: || UNIX_EPOCH + Duration::from_secs(1_700_000_000),
        freezes_env: false,
        version: loadline_k6_options::K6Version::default(),
        memory_limit: None,
        modules: loadline_k6::RemoteModules::none(|| {
            UNIX_EPOCH + Duration::from_secs(1_700_000_000)
        }),
    })?;
    Ok(loaded.options["value"].clone())
}

fn names(value: &serde_json::Value) -> BTreeSet<String> {
    let names = value.as_array().unwrap().iter();
    names
        .map(|name| name.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn modules_export_what_the_table_says() {
    let modules = section(&["module"]);
    assert!(modules.len() > 10);
    for module in modules.keys() {
        let rows = section(&["module", module]);
        let head = format!("import * as m from '{module}';");
        let exported = match evaluated(&head, "Object.keys(m)") {
            Ok(value) => names(&value),
            Err(error) => {
                let there: Vec<_> = rows.iter().filter(|(_, said)| is_there(said)).collect();
                assert!(there.is_empty(), "{module}: {error}, but {there:?}");
                continue;
            }
        };
        for (name, said) in rows.iter().filter(|(name, _)| !name.contains('.')) {
            assert_eq!(
                exported.contains(name),
                is_there(said),
                "{module} {name}: {said}"
            );
        }
        for name in exported.iter().filter(|name| *name != "default") {
            assert!(
                rows.contains_key(name),
                "{module} {name} is not in the table"
            );
        }
    }
}

#[test]
fn globals_are_what_the_table_says() {
    for (name, said) in section(&["globals"]) {
        // Syntax, and what only an iteration has; the comparison scripts use both.
        if name.starts_with("import") || name == "__ITER" {
            continue;
        }
        let path: Vec<String> = name
            .split('.')
            .map(|part| format!("?.['{part}']"))
            .collect();
        let expression = format!("typeof globalThis{} !== 'undefined'", path.concat());
        let there = evaluated("", &expression).unwrap();
        assert_eq!(there, is_there(&said), "{name}: {said}");
    }
}

#[test]
fn libraries_behind_jslib_export_what_the_table_says() {
    const LIBRARIES: [(&str, &str); 2] = [
        ("k6-utils", "https://jslib.k6.io/k6-utils/1.6.0/index.js"),
        (
            "k6-summary",
            "https://jslib.k6.io/k6-summary/0.1.0/index.js",
        ),
    ];
    let rows = section(&["jslib"]);
    for (library, url) in LIBRARIES {
        let head = format!("import * as m from '{url}';");
        let exported = names(&evaluated(&head, "Object.keys(m)").unwrap());
        let told = rows.iter().filter(|(_, said)| is_there(said));
        let told = told.filter_map(|(name, _)| name.strip_prefix(&format!("{library}.")));
        let told: BTreeSet<String> = told.map(str::to_owned).collect();
        assert_eq!(exported, told, "{library}");
    }
}

#[test]
fn flags_do_what_the_table_says() {
    let rows = section(&["flags"]);
    for flag in &TABLE {
        let name = format!("--{}", flag.name);
        let said = rows
            .get(&name)
            .unwrap_or_else(|| panic!("{name} is not in the table"));
        let status = said.split(':').next().unwrap();
        let fitting: &[&str] = match flag.status {
            FlagStatus::Supported => &["supported", "differs"],
            FlagStatus::NoEffect { .. } => &["differs"],
        };
        assert!(
            fitting.contains(&status),
            "{name}: {said}, but {:?}",
            flag.status
        );
    }
    for name in rows.keys() {
        assert!(
            TABLE.iter().any(|flag| name[2..] == *flag.name),
            "{name} is no flag"
        );
    }
}

#[test]
fn every_change_of_version_2_is_looked_at_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let read = |path: &str| std::fs::read_to_string(root.join(path));
    let table: toml::Value = toml::from_str(&read("tests/k6/version2.toml").unwrap()).unwrap();
    let rows = table["change"].as_array().unwrap();
    assert!(rows.len() > 40, "{}", rows.len());
    for row in rows {
        let what = row["what"].as_str().unwrap();
        let listed = |key: &str| {
            let names = row.get(key).and_then(toml::Value::as_array);
            let names = names.into_iter().flatten();
            names
                .map(|name| name.as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        let (scripts, tests) = (listed("scripts"), listed("tests"));
        let is_beyond = row.get("beyond").is_some();
        assert!(
            is_beyond == (scripts.is_empty() && tests.is_empty()),
            "{what}"
        );
        for script in scripts {
            let is_there = ["js", "ts"].iter().any(|extension| {
                let path = format!("tests/k6/scripts/{script}.{extension}");
                root.join(path).exists()
            });
            assert!(is_there, "{what}: {script}");
            assert!(
                root.join(format!("tests/k6/recorded/{script}.json"))
                    .exists(),
                "{what}: {script} is not recorded"
            );
        }
        for test in tests {
            let (file, function) = test.split_once("::").unwrap();
            let text = read(file).unwrap();
            assert!(text.contains(&format!("fn {function}()")), "{what}: {test}");
        }
    }
}
