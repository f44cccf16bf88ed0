//! A hundred runs in one process leave nothing behind: no files, no threads, no memory.
//!
//! One test, as it counts what the whole process has.
#![expect(unsafe_code, reason = "asks the C library what is allocated")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::print_stdout,
    reason = "the figures are what the test is about"
)]
#![expect(
    clippy::disallowed_methods,
    reason = "a server is waited for, in real time"
)]

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use loadline_artillery::Console;
use loadline_artillery::load::{self, LoadRequest};
use loadline_bare::{BareFactory, UrlRequest};
use loadline_k6::log::{Entry, LogSink};
use loadline_k6_options::flags;
use loadline_metrics::Registry;
use loadline_net::Url;
use loadline_record::Redactor;
use loadline_report::k6::Tty;
use loadline_session::artillery::{ArtilleryRequest, prepare as prepare_artillery};
use loadline_session::k6::{K6Request, prepare as prepare_script};
use loadline_session::{RunOptions, RunResult, SessionEvent, Test, network, start};
use loadline_store::{QUEUE_BYTES_MAX, RecorderConfig, RunInfo};
use loadline_testkit::server::{Options, TestServer, TlsMaterial};
use loadline_testplan::Plan;
use loadline_testplan::draft::{ExecutorDraft, PlanDraft, ScenarioDraft};

/// Runs of each kind between two looks.
const RUNS_PER_LOOK: usize = 100;
/// A heap in pieces grows once and stays; a leak grows by as much each time.
const LOOK_COUNT: usize = 3;
/// Runs at a time, as an Artillery phase takes at least a second.
const RUNS_AT_ONCE: usize = 10;
/// Before them, runs until caches, thread arenas and the like have their size.
const SETTLING_RUNS: usize = 40;
/// How much more may be allocated after a hundred runs: less than a user of each run.
const SPARE_KIB: u64 = 512;

/// What a process holds.
#[derive(Debug, Clone, Copy)]
struct Held {
    files: usize,
    threads: usize,
    resident_kib: u64,
    /// Allocated and not freed, by Rust and C alike.
    heap_kib: u64,
}

impl Held {
    /// Whether it holds more memory than `before` by more than chance.
    fn outgrew(self, before: Self) -> bool {
        self.heap_kib > before.heap_kib + SPARE_KIB
            || self.resident_kib * 10 > before.resident_kib * 11
    }

    /// Once it does not change any more: the server closes its sides of connections in its
    /// own time.
    fn settled() -> Self {
        let mut before = Self::now();
        for _ in 0..100 {
            std::thread::sleep(Duration::from_millis(50));
            let now = Self::now();
            if (now.files, now.threads) == (before.files, before.threads) {
                return now;
            }
            before = now;
        }
        before
    }

    fn now() -> Self {
        let count = |path: &str| std::fs::read_dir(path).unwrap().count();
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let resident = line.unwrap().split_ascii_whitespace().nth(1).unwrap();
        Self {
            files: count("/proc/self/fd"),
            threads: count("/proc/self/task"),
            resident_kib: resident.parse().unwrap(),
            heap_kib: heap_kib(),
        }
    }
}

fn heap_kib() -> u64 {
    // SAFETY: takes nothing and gives plain numbers.
    let info = unsafe { libc::mallinfo2() };
    (info.uordblks + info.hblkhd) as u64 / 1024
}

/// Says nothing.
struct Silent;

impl LogSink for Silent {
    fn log(&self, _: Entry) {}
}

impl Console for Silent {
    fn print(&self, _: String) {}

    fn print_error(&self, _: String) {}
}

fn wall_clock() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_700_000_000)
}

struct Bed {
    folder: tempfile::TempDir,
    base: String,
    tls_base: String,
}

impl Bed {
    /// A file; what is there already is being read.
    fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder.path().join(name);
        let made = std::fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path);
        if let Ok(mut file) = made {
            file.write_all(text.as_bytes()).unwrap();
        }
        path.to_str().unwrap().to_owned()
    }

    fn script(&self) -> Test {
        let path = self.file(
            "script.js",
            &format!(
                "import http from 'k6/http';
                 import {{ check, sleep }} from 'k6';
                 import {{ Trend }} from 'k6/metrics';
                 const own = new Trend('own');
                 export const options = {{ vus: 4, iterations: 12, insecureSkipTLSVerify: true }};
                 export function setup() {{ return {{ at: '{0}' }}; }}
                 export default function (data) {{
                   const res = http.get(data.at + '/text', {{ tags: {{ n: String(__ITER) }} }});
                   check(res, {{ ok: (r) => r.status === 200 }});
                   http.get('{1}/text');
                   own.add(res.timings.duration);
                   sleep(0.001);
                 }}
                 export function handleSummary() {{ return {{}}; }}",
                self.base, self.tls_base
            ),
        );
        let arguments = ["--quiet", path.as_str()].map(str::to_owned);
        let parsed = flags::parse(&arguments).unwrap();
        let runtime = parsed.run.resolve(&BTreeMap::new()).unwrap();
        let request = K6Request {
            parsed,
            runtime,
            environment: BTreeMap::new(),
            config_file: None,
            script: path,
            stdin: None,
            working_dir: self.folder.path().to_owned(),
            log: Arc::new(Silent),
            wall_clock,
            tty: Tty {
                stdout: false,
                stderr: false,
            },
            once: None,
            each_function: false,
            isolate: false,
            archived_options: None,
            modules: loadline_k6::RemoteModules::none(wall_clock),
        };
        prepare_script(request).unwrap().test
    }

    fn url(&self) -> Test {
        let executor = ExecutorDraft::SharedIterations {
            vus: Some(4),
            iterations: Some(12),
            max_duration: None,
        };
        let plan = Plan::check(PlanDraft {
            scenarios: vec![ScenarioDraft::new("default", executor)],
            ..PlanDraft::default()
        });
        let target = UrlRequest {
            url: Url::parse(&format!("{}/text", self.tls_base)).unwrap(),
            method: "GET".to_owned(),
            headers: Vec::new(),
            body: None,
            timeout: Duration::from_secs(60),
            traced: None,
        };
        let settings = network::plain(&BTreeMap::new(), true).unwrap();
        let factory = BareFactory::new(target, settings, Vec::new());
        Test::new(
            plan.unwrap(),
            Arc::new(factory),
            Arc::new(Registry::new()),
            &[],
        )
        .unwrap()
    }

    fn artillery(&self) -> Test {
        let path = self.file(
            "test.yml",
            &format!(
                "config:\n  target: {}\n  phases:\n    - duration: 1\n      arrivalCount: 4\n\
                 scenarios:\n  - flow:\n      - get: {{ url: /text }}\n      - think: 0.001\n",
                self.base
            ),
        );
        let request = LoadRequest {
            environment: None,
            files: vec![path],
            config_file: None,
            working_dir: self.folder.path().to_owned(),
            target: None,
            insecure: false,
            payload: None,
            overrides: None,
            variables: None,
            solo: true,
            strict_compat: false,
            expect_length: None,
            env: BTreeMap::new(),
            memory_limit: None,
            test_id: "t".to_owned(),
            trust: Default::default(),
            inline: None,
        };
        let test = load::load(&request).test.unwrap();
        let request = ArtilleryRequest {
            test,
            only: None,
            environment: BTreeMap::new(),
            console: Arc::new(Silent),
            wall_clock,
            watch: None,
        };
        prepare_artillery(request).unwrap().test
    }
}

fn run(test: Test, store: &Path, number: usize) -> RunResult {
    let options = RunOptions {
        workers: Some(2),
        keep: Some(Box::new(RecorderConfig {
            path: store.to_owned(),
            name: format!("r{number}"),
            about: RunInfo::default(),
            redactor: Redactor::default(),
            fold_limit: 10_000,
            wall_clock,
            queue: QUEUE_BYTES_MAX,
        })),
        ..RunOptions::default()
    };
    let handle = start(test, &options).unwrap();
    // To the end of the channel: the run's thread has freed everything then.
    let mut outcome = None;
    for event in &handle.events {
        if let SessionEvent::Finished(finished) = event {
            outcome = Some(*finished);
        }
    }
    outcome.expect("a run ends with its outcome")
}

#[test]
fn a_hundred_runs_in_one_process_leave_no_files_threads_or_memory_behind() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let tls = TlsMaterial::generate(folder.path()).unwrap();
    let server = runtime.block_on(TestServer::start(&Options::default(), &tls));
    let server = server.unwrap();
    let bed = Bed {
        base: server.bases().base.clone(),
        tls_base: server.bases().tls1_base.clone(),
        folder,
    };
    let store = bed.folder.path().join("runs.db");
    type Make = fn(&Bed) -> Test;
    let kinds: [(&str, Make); 3] = [
        ("script", Bed::script),
        ("url", Bed::url),
        ("artillery", Bed::artillery),
    ];
    for (kind, make) in kinds {
        drop(make(&bed));
        let cycles = |first: usize, count: usize| {
            for first in (first..first + count).step_by(RUNS_AT_ONCE) {
                side_by_side(kind, first, |number| run(make(&bed), &store, number));
            }
        };
        cycles(0, SETTLING_RUNS);
        let mut looks = vec![Held::settled()];
        for look in 0..LOOK_COUNT {
            cycles(SETTLING_RUNS + look * RUNS_PER_LOOK, RUNS_PER_LOOK);
            let (before, after) = (looks[look], Held::settled());
            looks.push(after);
            println!("{kind}: {before:?}, after {RUNS_PER_LOOK} more runs {after:?}");
            assert!(
                after.files <= before.files && after.threads <= before.threads,
                "{kind}: {looks:?}"
            );
            if !after.outgrew(before) {
                break;
            }
            assert!(
                look + 1 < LOOK_COUNT,
                "{kind} grows with each run: {looks:?}"
            );
        }
    }
}

fn side_by_side(kind: &str, first: usize, run: impl Fn(usize) -> RunResult + Sync) {
    std::thread::scope(|scope| {
        for number in first..first + RUNS_AT_ONCE {
            let run = &run;
            scope.spawn(move || {
                let outcome = run(number);
                let iterations = outcome.summary.run.complete_iterations;
                assert!(iterations > 0, "{kind} {number}: {outcome:#?}");
            });
        }
    });
}
