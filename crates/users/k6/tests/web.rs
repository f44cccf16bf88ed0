//! Globals of the web: what a script prints with them is what Node.js 20 printed for the same
//! (`node`, with `print` for `console.log`).
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::UNIX_EPOCH;

use loadline_k6::log::{Entry, LogSink};
use loadline_k6::{ScriptSettings, load};
use loadline_metrics::Registry;

#[derive(Default)]
struct Lines(Mutex<Vec<String>>);

impl LogSink for Lines {
    fn log(&self, entry: Entry) {
        self.0.lock().unwrap().push(entry.message);
    }
}

#[test]
fn urls_texts_and_clones_are_those_of_node() {
    let script = format!(
        "const print = (text) => console.log(text);\n{}\nexport default function () {{}}",
        include_str!("web/globals.js")
    );
    let lines = Arc::new(Lines::default());
    let loaded = load(ScriptSettings {
        script: "-".to_owned(),
        working_dir: std::env::temp_dir(),
        stdin: Some(script),
        env: BTreeMap::new(),
        log: lines.clone(),
        registry: Arc::new(Registry::new()),
        isolate: false,
        wall_clock: || UNIX_EPOCH,
        freezes_env: false,
        version: loadline_k6_options::K6Version::default(),
        memory_limit: None,
        modules: loadline_k6::RemoteModules::none(|| UNIX_EPOCH),
    });
    let loaded = loaded.map_err(|error| error.to_string());
    assert_eq!(loaded.as_ref().err(), None);
    let printed = lines.0.lock().unwrap();
    let expected: Vec<&str> = include_str!("web/globals.txt").lines().collect();
    for (number, (ours, nodes)) in printed.iter().zip(&expected).enumerate() {
        assert_eq!(ours, nodes, "line {}", number + 1);
    }
    assert_eq!(printed.len(), expected.len());
    // To name them takes nothing away from users that share a runtime.
    assert!(loaded.is_ok_and(|loaded| loaded.apart().is_none()));
}
