//! The commands that READMEs and guides show do what they show: each is run, shortened, against
//! the built-in target. `commands::documented` sees that the others can be typed, and that Korean
//! documents have the same commands.

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use loadline_testkit::documents::{commands, documents};

use crate::common::{command, no_folder, start, stderr, stdout, until};

/// Beginnings of commands that are not run here, and why. Each must be of use.
const NOT_RUN: [(&str, &str); 36] = [
    ("demo", "serves until it is ended; it is the target here"),
    ("mock", "serves until it is ended; has tests of its own"),
    (
        "gate",
        "serves until it is ended; the calls of its guide are run in gate.rs",
    ),
    ("serve", "serves until it is ended; has tests of its own"),
    (
        "observe --listen",
        "serves until it is ended; has tests of its own",
    ),
    ("run test.js --ui", "its page stays open"),
    ("run --paused", "waits for somebody to begin it"),
    ("run labs/", "needs the target of the labs"),
    ("capacity labs/", "needs the target of the labs"),
    ("tune labs/", "needs the target of the labs"),
    (
        "tune study.yaml",
        "starts a target of the reader's; tune.rs runs studies",
    ),
    (
        "tune --init study.yaml --from",
        "reads a target of the reader's",
    ),
    (
        "tune --init study.yaml",
        "tune.rs begins and reads such a file",
    ),
    (
        "run examples/pool.js",
        "as long as its scenario; the demo's guide is walked by make demo",
    ),
    ("run examples/waiting-room.js", "as long as its scenario"),
    ("run tests/load.js", "as long as its plan says"),
    ("run examples/gate/", "needs a queue of a gate"),
    (
        "run script.js --observe prometheus://",
        "needs a Prometheus",
    ),
    (
        "run script.js --observe remote://",
        "needs an observer on another host",
    ),
    (
        "run script.js --observe otlp",
        "listens on a port of its own",
    ),
    (
        "run script.js --observe http",
        "observes a Spring Boot target and PostgreSQL",
    ),
    ("observe --check", "observes a Spring Boot target"),
    (
        "run script.js -o influxdb",
        "needs an InfluxDB; bench/outputs.py proves it",
    ),
    (
        "run script.js -o experimental-prometheus-rw",
        "needs a Prometheus; bench/outputs.py proves it",
    ),
    (
        "run script.js -o opentelemetry",
        "needs a collector; bench/outputs.py proves it",
    ),
    (
        "run script.js --log-output",
        "needs a Loki; log_output.rs runs it",
    ),
    ("report study.yaml", "needs the journal of a study"),
    ("report answer.json", "needs the answer of a study"),
    ("report summary.json", "needs a result of k6"),
    ("report result.json", "needs a result of Artillery"),
    ("report capacity.json", "needs a search that was exported"),
    ("report plan.json", "needs a plan that was written"),
    (
        "compare --capacity",
        "needs two searches that were exported",
    ),
    ("merge", "needs the runs of two machines; compare.rs merges"),
    ("preflight", "asks servers on other hosts"),
    ("capacity", "a search takes minutes; capacity.rs runs some"),
];

/// What a test of the reader's is here.
const SCRIPT: &str = "\
import http from 'k6/http';
export const options = { vus: 1, iterations: 2 };
export default function () { http.get((__ENV.BASE || 'BASE') + '/fast'); }
";

const ARTILLERY: &str = "\
config:
  target: BASE
  phases: [{duration: 1, arrivalRate: 2}]
  environments: {staging: {phases: [{duration: 1, arrivalRate: 1}]}}
scenarios:
  - flow: [{get: {url: /fast}}]
";

const STUDY_TABLE: &str = "vus,tps,mean_ms\n1,10,100\n2,19,105\n4,30,133\n8,33,242\n";

/// The built-in target, and a folder with the files that guides name.
struct Stage {
    _target: crate::common::Started,
    address: String,
    folder: PathBuf,
}

impl Stage {
    fn set() -> Self {
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let address = format!("127.0.0.1:{port}");
        let target = start(&["demo", "--address", &address]);
        until("target", || std::net::TcpStream::connect(&address).is_ok());
        let folder = no_folder("guides");
        fs::create_dir_all(folder.join("tests")).unwrap();
        let base = format!("http://{address}");
        for name in [
            "script.js",
            "script.ts",
            "test.js",
            "list.js",
            "t.js",
            "places.js",
        ] {
            fs::write(
                folder.join(name),
                SCRIPT.replace("BASE'", &format!("{base}'")),
            )
            .unwrap();
        }
        fs::write(folder.join("test.yml"), ARTILLERY.replace("BASE", &base)).unwrap();
        for name in ["measured.csv", "stress.csv", "old.csv"] {
            fs::write(folder.join(name), STUDY_TABLE).unwrap();
        }
        let line = "10.0.0.1 - - [10/Oct/2025:13:55:36 +0900] \"GET /fast HTTP/1.1\" 200 23\n";
        fs::write(folder.join("access.log"), line.repeat(20)).unwrap();
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples");
        std::os::unix::fs::symlink(examples, folder.join("examples")).unwrap();
        let stage = Self {
            _target: target,
            address,
            folder,
        };
        for tags in [["base", "round-1"], ["round-3", "latest"]] {
            stage.type_in(&["run", &format!("{base}/fast"), "-i", "20"]);
            for tag in tags.iter().filter(|tag| **tag != "latest") {
                stage.type_in(&["runs", "tag", "latest", tag]);
            }
        }
        stage
    }

    /// Types a command; its exit code and what it said.
    fn type_in(&self, words: &[&str]) -> (Option<i32>, String) {
        let output = command(words)
            .current_dir(&self.folder)
            .env("LOADLINE_STORE", self.folder.join("runs.db"))
            .env("XDG_CACHE_HOME", self.folder.join("cache"))
            .output()
            .unwrap();
        (
            output.status.code(),
            format!("{}{}", stderr(&output), stdout(&output)),
        )
    }

    /// A command as it is typed here: against the target here, and short.
    fn shortened(&self, words: &[String]) -> Vec<String> {
        let mut short: Vec<String> = Vec::new();
        for word in words {
            let after = short.last().map_or("", String::as_str);
            let word = match (after, word.as_str()) {
                ("--duration" | "-d", _) => "1s".to_owned(),
                ("--rate", rate) if rate.len() > 4 => "50/s".to_owned(),
                ("--vus", _) if words[0] == "run" => "2".to_owned(),
                ("--repeat", _) => "2".to_owned(),
                ("--warmup", "30s") => "auto".to_owned(),
                ("-c", _) => "2".to_owned(),
                (_, "k3f9" | "5e1a7b20") => "latest".to_owned(),
                (_, "9d3c0f11") => "base".to_owned(),
                // The shell's part.
                (_, "access.log*") => "access.log".to_owned(),
                (_, word) => word
                    .replace("127.0.0.1:8080", &self.address)
                    .replace("port:8080", &format!("port:{}", &self.address[10..])),
            };
            short.push(word);
        }
        if words.iter().any(|word| word.starts_with("examples/")) {
            short.extend(["-e".to_owned(), format!("BASE=http://{}", self.address)]);
        }
        short
    }
}

#[test]
fn the_commands_that_guides_show_work() {
    let stage = Stage::set();
    let mut unused: BTreeSet<&str> = NOT_RUN.iter().map(|(begins, _)| *begins).collect();
    let (mut wrong, mut typed) = (Vec::new(), BTreeSet::new());
    for (name, text) in documents() {
        if name.ends_with(".ko.md") {
            continue;
        }
        for words in commands(&text) {
            let line = words.join(" ");
            let skipped = NOT_RUN.iter().find(|(begins, _)| line.starts_with(begins));
            let is_table = line.starts_with("capacity --table");
            if let Some((begins, _)) = skipped.filter(|_| !is_table) {
                unused.remove(begins);
                continue;
            }
            let short = stage.shortened(&words);
            if !typed.insert(short.clone()) {
                continue;
            }
            let short: Vec<&str> = short.iter().map(String::as_str).collect();
            let (code, said) = stage.type_in(&short);
            // Verdicts: 3 a goal missed, 4 a generator that was too busy, 7 "cannot tell".
            if !matches!(code, Some(0 | 3 | 4 | 7)) {
                wrong.push(format!("{name}: loadline {line} ({code:?})\n{said}"));
            }
        }
    }
    assert!(typed.len() > 30, "{} commands", typed.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(unused.is_empty(), "no guide shows these: {unused:?}");
}
