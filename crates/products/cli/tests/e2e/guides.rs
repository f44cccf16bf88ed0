//! The commands that READMEs and guides show do what they show: each is run, shortened, against
//! the built-in target. `commands::documented` sees that the others can be typed, and that Korean
//! documents have the same commands.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use loadline_testkit::documents::{commands, documents};

mod samples;

use crate::common::{command, free_address, no_folder, signal, start, stderr, stdout, until};

/// Beginnings of commands that are not run here, and why. Each must be of use.
const NOT_RUN: [(&str, &str); 13] = [
    ("matrix", "takes minutes for each row; matrix.rs runs it"),
    (
        "gate --redis",
        "needs a Redis; the gate's own tests have one",
    ),
    (
        "gate import",
        "needs a queue; the calls of its guide are run in gate.rs",
    ),
    (
        "serve --address 0.0.0.0",
        "needs a certificate; serve.rs has one",
    ),
    ("run labs/", "needs the target of the labs"),
    ("capacity labs/", "needs the target of the labs"),
    ("tune labs/", "needs the target of the labs"),
    ("run examples/gate/", "needs a queue of a gate"),
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
    ("merge", "needs the runs of two machines; compare.rs merges"),
];

/// Beginnings of commands that serve until they are ended: each is started, says something, and
/// ends in time when it is asked to.
const SERVES: [&str; 7] = [
    "demo",
    "mock",
    "gate",
    "serve",
    "observe --listen",
    "run --paused",
    "run test.js --ui",
];

/// What is added to commands that would take long, by their beginning.
const SHORTER: [(&str, &str); 5] = [
    ("capacity", "--budget 6s --confirm 1s --no-soak"),
    ("preflight", "--rate 5/s --seconds 4"),
    (
        "run examples/",
        "-e DURATION=1s -e VUS=5 -e RAMP=1s -e HOLD=1s -e FACTOR=0.1 -e TIME_FACTOR=0.02",
    ),
    ("run tests/", "-e RAMP=1s -e HOLD=1s"),
    ("demo", "--address 127.0.0.1:0"),
];

/// What a test of the reader's is here.
const SCRIPT: &str = "\
import http from 'k6/http';
export const options = { vus: 1, iterations: 2 };
export default function () { http.get((__ENV.BASE || 'BASE') + '/fast'); }
";

/// A script of nGrinder's.
const NGRINDER: &str = "\
import org.ngrinder.http.HTTPRequest
import org.junit.Test
class TestRunner {
  static HTTPRequest request = new HTTPRequest()
  @Test
  void test() { assertThat(request.GET('BASE/fast').statusCode, is(200)) }
}
";

const ARTILLERY: &str = "\
config:
  target: BASE
  phases: [{duration: 1, arrivalRate: 2}]
  environments: {staging: {phases: [{duration: 1, arrivalRate: 1}]}}
scenarios:
  - flow: [{get: {url: /fast, headers: {capture: {json: $.code, as: code}}}}]
";

/// Names that modules and options do not have.
const MISSPELT: &str = "\
import http from 'k6/http';
import { chek } from 'k6';

export const options = { vuss: 1, iterations: 1 };
export default function () { http.get('BASE/fast'); }
";

const STUDY: &str = "\
test: BASE/fast --rate 20/s --duration 1s
goal: throughput max subject to errors<50%
pause: 0s
knobs:
  - name: pool
    values: [2, 10]
    now: 10
    http: {method: PUT, url: BASE/settings, body: '{\"pool\": {\"max\": {value}}}'}
budget: {trials: 4}
";

const STUDY_TABLE: &str = "vus,tps,mean_ms\n1,10,100\n2,19,105\n4,30,133\n8,33,242\n";

/// The published table of one instance that the guide of case C judges.
const STRESS_TABLE: &str = "\
vus,tps,mean_ms
7,92.6,73.5
10,107.9,90.6
15,145.9,100.6
20,151.6,129.8
30,152.9,194.1
50,163.3,303.0
200,167.1,1195.8
300,165.0,1816.5
400,164.9,2435.3
1000,158.0,6380.3
";

/// The built-in target, and a folder with the files that guides name.
struct Stage {
    target: crate::common::Started,
    address: String,
    folder: PathBuf,
}

impl Drop for Stage {
    /// Nothing outlives the test, whether it passed or not.
    fn drop(&mut self) {
        let _ = self.target.kill();
        let _ = self.target.wait();
    }
}

impl Stage {
    /// With files in a folder of this name.
    fn set(name: &str) -> Self {
        let address = free_address().to_string();
        let target = start(&["demo", "--address", &address]);
        until("target", || std::net::TcpStream::connect(&address).is_ok());
        let folder = no_folder(name);
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
        fs::write(folder.join("login.groovy"), NGRINDER.replace("BASE", &base)).unwrap();
        fs::write(folder.join("test.yml"), ARTILLERY.replace("BASE", &base)).unwrap();
        fs::write(
            folder.join("shop.js"),
            SCRIPT.replace("BASE'", &format!("{base}'")),
        )
        .unwrap();
        fs::write(folder.join("a.js"), MISSPELT.replace("BASE", &base)).unwrap();
        fs::write(
            folder.join("outside.yaml"),
            "routes: [{path: /pay, latency: 2s}]\n",
        )
        .unwrap();
        fs::write(folder.join("stress.csv"), STRESS_TABLE).unwrap();
        for name in ["measured.csv", "old.csv"] {
            fs::write(folder.join(name), STUDY_TABLE).unwrap();
        }
        let line = "10.0.0.1 - - [10/Oct/2025:13:55:36 +0900] \"GET /fast HTTP/1.1\" 200 23\n";
        fs::write(folder.join("access.log"), line.repeat(20)).unwrap();
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples");
        std::os::unix::fs::symlink(examples, folder.join("examples")).unwrap();
        let stage = Self {
            target,
            address,
            folder,
        };
        for tags in [["base", "round-1"], ["round-3", "latest"]] {
            stage.type_in(&["run", &format!("{base}/fast"), "-i", "20"]);
            for tag in tags.iter().filter(|tag| **tag != "latest") {
                stage.type_in(&["runs", "tag", "latest", tag]);
            }
        }
        stage.results(&base);
        stage
    }

    /// Files that commands of the guides would have made before.
    fn results(&self, base: &str) {
        self.study(base);
        let study = self.type_in(&["tune", "study.yaml", "--json", "--quiet"]).1;
        let answer = &study[study.find('{').unwrap()..];
        fs::write(self.folder.join("answer.json"), answer).unwrap();
        let fast = format!("{base}/fast");
        let lines = [
            format!("plan --rate 5/s --response-time 10ms --write k6 tests --target {fast}"),
            format!(
                "capacity {fast} --slo p(95)<50ms --export capacity.json {}",
                SHORTER[0].1
            ),
            "run script.js --summary-export summary.json".to_owned(),
            "run script.js --out json=samples.json".to_owned(),
            "run script.js --out csv=samples.csv".to_owned(),
            "run test.yml -o result.json".to_owned(),
        ];
        for line in lines {
            let words: Vec<&str> = line.split_whitespace().collect();
            let (code, said) = self.type_in(&words);
            assert!(is_usual(code), "{line}: {code:?} {said}");
        }
        let copies = [
            ("capacity.json", "one.json"),
            ("capacity.json", "two.json"),
            ("tests/plan.json", "plan.json"),
        ];
        for (from, to) in copies {
            fs::copy(self.folder.join(from), self.folder.join(to)).unwrap();
        }
    }

    fn study(&self, base: &str) {
        fs::write(self.folder.join("study.yaml"), STUDY.replace("BASE", base)).unwrap();
    }

    /// Types a command that serves until it is asked to end.
    fn serve(&self, words: &[&str], locale: &str) -> (Option<i32>, String) {
        let said = self.folder.join("said.txt");
        let file = fs::File::create(&said).unwrap();
        let served = command(words)
            .current_dir(&self.folder)
            .env("LANG", locale)
            .env("LOADLINE_STORE", self.folder.join("runs.db"))
            .env("XDG_DATA_HOME", self.folder.join("data"))
            .env("LOADLINE_OBSERVE_TOKEN", "a-token-for-a-test")
            .stdout(file.try_clone().unwrap())
            .stderr(file)
            .spawn()
            .unwrap();
        let text = || fs::read_to_string(&said).unwrap();
        until("it says something", || !text().is_empty());
        signal(&served, "INT");
        let ended = served.wait_with_output().unwrap();
        (ended.status.code(), text())
    }

    /// Types a command; its exit code and what it said.
    fn type_in(&self, words: &[&str]) -> (Option<i32>, String) {
        self.type_in_locale(words, "C")
    }

    /// The same where the terminal is set to a language.
    fn type_in_locale(&self, words: &[&str], locale: &str) -> (Option<i32>, String) {
        let output = command(words)
            .current_dir(&self.folder)
            .env("LANG", locale)
            .env("LOADLINE_STORE", self.folder.join("runs.db"))
            .env("XDG_CACHE_HOME", self.folder.join("cache"))
            .env("XDG_DATA_HOME", self.folder.join("data"))
            .output()
            .unwrap();
        (
            output.status.code(),
            format!("{}{}", stderr(&output), stdout(&output)),
        )
    }

    /// Does what a guide shows, shortened; its exit code and what it said.
    fn show(&self, words: &[String], locale: &str) -> (Option<i32>, String) {
        let line = words.join(" ");
        let short = self.shortened(words);
        let short: Vec<&str> = short.iter().map(String::as_str).collect();
        if line.starts_with("tune --init") {
            drop(fs::remove_file(self.folder.join("study.yaml")));
        } else {
            self.study(&format!("http://{}", self.address));
        }
        if SERVES.into_iter().any(|begins| line.starts_with(begins)) {
            let (code, said) = self.serve(&short, locale);
            // A run that is ended before its end says so.
            return (code.filter(|code| *code != 105).or(Some(0)), said);
        }
        self.type_in_locale(&short, locale)
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
                ("--repeat", _) => "3".to_owned(),
                ("--trace-cost", _) => "3".to_owned(),
                ("--warmup", "30s" | "5s") => "auto".to_owned(),
                ("-c", _) => "2".to_owned(),
                (_, "k3f9" | "5e1a7b20") => "latest".to_owned(),
                (_, "9d3c0f11") => "base".to_owned(),
                // The shell's part.
                (_, "access.log*") => "access.log".to_owned(),
                // The target is no Spring Boot application, and servers of other hosts are absent.
                (_, word) => word
                    .replace(
                        "127.0.0.1:8080/actuator/prometheus",
                        "127.0.0.1:8080/metrics",
                    )
                    .replace("10.0.0.5:7070", "127.0.0.1:1")
                    .replace("prometheus.internal:9090", "127.0.0.1:1")
                    .replace("10.0.0.5:8000/rates", "127.0.0.1:8080/fast")
                    .replace("127.0.0.1:9000/pay", "127.0.0.1:8080/fast")
                    .replace("10.0.0.5:8080", "127.0.0.1:8080")
                    .replace("otlp:4318", &format!("otlp:{}", free_address().port()))
                    .replace("127.0.0.1:9001", "127.0.0.1:0")
                    .replace("127.0.0.1:6565", "127.0.0.1:0")
                    .replace("0.0.0.0:7070", "127.0.0.1:0")
                    .replace("127.0.0.1:8080", &self.address)
                    .replace("port:8080", &format!("port:{}", &self.address[10..])),
            };
            short.push(word);
        }
        let line = words.join(" ");
        let shorter = SHORTER
            .iter()
            .filter(|(begins, _)| line.starts_with(begins));
        let is_table = line.starts_with("capacity --table");
        // A flag is given once: the short time and the free port take the place of the guide's.
        let given_anew = [("capacity", "--budget"), ("mock", "--address")];
        for (_, flag) in given_anew
            .iter()
            .filter(|(begins, _)| line.starts_with(begins))
        {
            if let Some(at) = short.iter().position(|word| word == flag) {
                short.drain(at..at + 2);
            }
        }
        for (_, added) in shorter.filter(|_| !is_table) {
            short.extend(added.split(' ').map(str::to_owned));
        }
        match line.as_str() {
            "gate" => short
                .extend(["--public", "127.0.0.1:0", "--admin", "127.0.0.1:0"].map(str::to_owned)),
            "tune --init study.yaml --from :8080" => short[4] = format!(":{}", &self.address[10..]),
            "serve" => short.extend(["--address", "127.0.0.1:0"].map(str::to_owned)),
            _ if line.starts_with("mock") => {
                short.extend(["--address", "127.0.0.1:0"].map(str::to_owned));
            }
            _ => {}
        }
        if !line.starts_with("rounds") && words.iter().any(|word| word.starts_with("examples/")) {
            short.extend(["-e".to_owned(), format!("BASE=http://{}", self.address)]);
        }
        short
    }
}

/// Whether a command did what it is to do. Verdicts: 3 and 99 a goal missed, 4 a generator that was
/// too busy, 7 "cannot tell".
const fn is_usual(code: Option<i32>) -> bool {
    matches!(code, Some(0 | 3 | 4 | 7 | 99))
}

#[test]
fn the_commands_that_guides_show_work() {
    let stage = Stage::set("guides");
    let mut unused: BTreeSet<&str> = NOT_RUN.iter().map(|(begins, _)| *begins).collect();
    unused.extend(SERVES);
    let (mut wrong, mut typed) = (Vec::new(), BTreeSet::new());
    for (name, text) in documents() {
        if name.ends_with(".ko.md") {
            continue;
        }
        for words in commands(&text) {
            let line = words.join(" ");
            let begins = |begins: &&str| line.starts_with(begins);
            let skipped = NOT_RUN.iter().map(|(begins, _)| *begins).find(begins);
            if let Some(begins) = skipped {
                unused.remove(begins);
                continue;
            }
            // A document may name a command alone.
            if !typed.insert(line.clone()) || line == "preflight" {
                continue;
            }
            if let Some(begins) = SERVES.into_iter().find(begins) {
                unused.remove(begins);
            }
            let (code, said) = stage.show(&words, "C");
            if !is_usual(code) {
                wrong.push(format!("{name}: loadline {line} ({code:?})\n{said}"));
            }
        }
    }
    assert!(typed.len() > 60, "{} commands", typed.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(unused.is_empty(), "no guide shows these: {unused:?}");
}
