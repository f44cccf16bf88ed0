//! Which scripts' users share a runtime.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use loadline_k6::log::{Entry, LogSink};
use loadline_k6::{IsolationReason, LoadError, ScriptSettings, load};
use loadline_metrics::Registry;

struct Silent;

impl LogSink for Silent {
    fn log(&self, _: Entry) {}
}

fn settings(script: &str, stdin: Option<&str>) -> ScriptSettings {
    ScriptSettings {
        script: script.to_owned(),
        working_dir: "/".into(),
        stdin: stdin.map(str::to_owned),
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
    }
}

fn apart(script: &str) -> Option<IsolationReason> {
    let loaded: Result<_, LoadError> = load(settings("-", Some(script)));
    loaded.unwrap().apart().cloned()
}

/// All scripts below a directory.
fn scripts_in(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            scripts_in(&path, found);
        } else if path.extension().is_some_and(|e| e == "js" || e == "ts") {
            found.push(path);
        }
    }
}

#[test]
fn users_of_nearly_all_of_a_thousand_scripts_share_a_runtime() {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/k6/scripts");
    let mut found = Vec::new();
    scripts_in(&scripts, &mut found);
    let mut alone = Vec::new();
    let mut loaded = 0;
    for path in found {
        // Helper modules and scripts made to fail do not load.
        let Ok(script) = load(settings(path.to_str().unwrap(), None)) else {
            continue;
        };
        loaded += 1;
        if let Some(why) = script.apart() {
            alone.push(format!("{}: {why:?}", path.display()));
        }
    }
    assert!(loaded >= 400, "{loaded}");
    let together = (loaded - alone.len()) * 100 / loaded;
    assert!(together >= 80, "{together} %:\n{}", alone.join("\n"));
}

#[test]
fn init_code_that_changes_built_in_objects_keeps_users_apart() {
    let why = apart("Array.prototype.last = 1; export default function () {}");
    let Some(IsolationReason::InitCode { place }) = why else {
        panic!("{why:?}");
    };
    assert!(place.contains("-:1:"), "{place}");
}

#[test]
fn functions_that_visibly_change_them_keep_users_apart() {
    let why = apart("export default function () {\n  globalThis.x = 1;\n}");
    let Some(IsolationReason::Source { place }) = why else {
        panic!("{why:?}");
    };
    assert!(place.ends_with(":2:3"), "{place}");
}

#[test]
fn ordinary_scripts_share() {
    let why = apart(
        "import http from 'k6/http'; import { Counter } from 'k6/metrics'; const c = new Counter('count_of'); let n = 0;
         export const options = {}; export default function () { n++; c.add(1); __ENV.X = 'y'; }",
    );
    assert_eq!(why, None);
}

#[test]
fn scripts_with_streams_and_sockets_share() {
    let why = apart(
        "import sse from 'k6/x/sse'; import ws from 'k6/ws'; import { WebSocket } from 'k6/websockets';
         const seen = [];
         export default function () {
             sse.open('http://h/', (client) => { client.on('event', (e) => { seen.push(e.data); client.close(); }); });
             ws.connect('ws://h/', (socket) => { socket.on('message', (m) => seen.push(m)); });
             const web = new WebSocket('ws://h/'); web.binaryType = 'arraybuffer';
             web.onmessage = (e) => { seen.push(e.data); web.close(); };
         }",
    );
    assert_eq!(why, None);
}
