//! What limits, as `explain` says it: in searches, studies, comparisons, JUnit files.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use serde_json::Value;

use crate::common::{
    Started, command, free_address, loadline, start, stderr, stdout, until, until_within,
};
use crate::launch::Hook;
use crate::terminal::Terminal;

/// The built-in target, whose pool is held during an outside call.
struct Pooled {
    process: Started,
    url: String,
    folder: tempfile::TempDir,
}

impl Pooled {
    fn start(pool: u32, call_ms: u32) -> Self {
        let address = free_address().to_string();
        let process = start(&["demo", "--address", &address]);
        until("target", || TcpStream::connect(&address).is_ok());
        let target = Self {
            process,
            url: format!("http://{address}"),
            folder: tempfile::tempdir().unwrap(),
        };
        target.set(&format!(
            r#"{{"pool":{{"max":{pool}}},"pooled":{{"downstream_ms":{call_ms}}}}}"#
        ));
        target
    }

    fn set(&self, settings: &str) {
        let url = format!("{}/settings", self.url);
        let args = [
            "run",
            &url,
            "-m",
            "PUT",
            "-b",
            settings,
            "--once",
            "--no-store",
        ];
        let output = command(&args).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// With this target's store.
    fn with(&self, args: &[&str]) -> Output {
        let store = self.path("runs.db");
        loadline(&[args, &["--store", &store]].concat())
    }

    fn output_of(&self, args: &[&str]) -> String {
        stdout(&self.with(args))
    }

    /// What the run says beside its result.
    fn load(&self, rate: &str, more: &[&str]) -> String {
        let (url, page) = (
            format!("{}/pooled", self.url),
            format!("{}/metrics", self.url),
        );
        let args = ["run", &url, "--rate", rate, "--duration", "10s"];
        let judged = ["--slo", "p(95)<300ms", "--observe", &page];
        stderr(&self.with(&[&args[..], &judged, more].concat()))
    }
}

impl Drop for Pooled {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Whatever its grade: a level near the limit may leave some of what callers wait for open.
const POOL: &str = "LIMITED BY the connection pool (grade ";

/// The whole search was explained at once: the levels below the limit, and what the target did while it drained.
#[test]
fn a_search_says_what_limits_the_level_that_was_too_much_everywhere_the_same() {
    let target = Pooled::start(3, 190);
    let (url, page) = (
        format!("{}/pooled", target.url),
        format!("{}/metrics", target.url),
    );
    let export = target.path("capacity.json");
    let search = ["capacity", &url, "--observe", &page, "--slo", "p(95)<400ms"];
    let short = ["--start-at", "10/s", "--budget", "80s", "--confirm", "5s"];
    let more = ["--no-soak", "--max-rate", "80/s", "--export", &export];
    let output = target.with(&[&search[..], &short, &more].concat());
    let said = stdout(&output);
    let row = said.lines().find(|line| line.starts_with("what limits"));
    let row = row.unwrap_or_else(|| panic!("{said}{}", stderr(&output)));
    assert!(row.contains(POOL), "{said}");
    assert!(said.contains("try: "), "{said}");
    let file = parsed(&std::fs::read_to_string(&export).unwrap());
    let limit = &file["limit"];
    assert_eq!(limit["part"], "pool", "{limit}");
    assert_eq!(file["limited_by"], limit["rule"]);
    // It is that of the first level that was too much, not of those around it.
    let steps = file["steps"].as_array().unwrap();
    let is_too_much = |step: &&Value| {
        let outcome = step["outcome"].as_str().unwrap_or_default();
        ["misses", "overloaded", "aborted"].contains(&outcome)
    };
    let loads = steps.iter().filter(is_too_much);
    let loads: Vec<f64> = loads.filter_map(|step| step["load"].as_f64()).collect();
    let at = limit["load"].as_f64().unwrap();
    assert!(loads.contains(&at), "{at} of {loads:?}");
    // What is asked of the record later says the same.
    let explained = parsed(&target.output_of(&["explain", "--json"]));
    assert_eq!(explained["answer"], "limited");
    assert_eq!(explained["findings"][0]["rule"], file["limited_by"]);
    assert_eq!(explained["window_s"], limit["window_s"]);
    assert_eq!(
        explained["objectives"][0]["text"], "p(95)<400ms",
        "{explained}"
    );
    let stored = parsed(&target.output_of(&["report", "--format", "json", "-o", "-"]));
    assert_eq!(stored["limit"], *limit);
    let shown = target.output_of(&["show", "--lang", "ko"]);
    assert!(shown.contains("제한 요인: 커넥션 풀 (등급 "), "{shown}");
}

#[test]
fn two_runs_say_what_limited_each_and_whether_it_moved_and_junit_says_why() {
    let target = Pooled::start(4, 190);
    let hook = Hook::start();
    let said = target.load("30/s", &["--notify", &hook.base]);
    let limit = format!("what limits (explain): {POOL}");
    // The summary said nothing of it.
    assert!(said.contains(&format!("loadline: {limit}")), "{said}");
    let bodies = hook.bodies();
    let notice = bodies.last().unwrap();
    assert!(
        notice.contains(&format!("What limits (explain): {POOL}")),
        "{notice}"
    );
    target.set(r#"{"pool":{"max":20}}"#);
    let said = target.load("30/s", &[]);
    assert!(!said.contains("what limits"), "{said}");
    let sides = ["compare", "latest~1", "latest"];
    let said = target.output_of(&sides);
    let (_, limits) = said
        .split_once("what limits (explain)\n")
        .unwrap_or_else(|| panic!("{said}"));
    let mut lines = limits.lines();
    let before = lines.next().unwrap();
    assert!(before.starts_with(&format!("  A  {POOL}")), "{said}");
    let after = lines.next().unwrap();
    assert!(after.starts_with("  B  NO BOTTLENECK up to"), "{said}");
    assert_eq!(lines.next(), Some("  the connection pool no longer limits"));
    let file = parsed(&target.output_of(&[&sides[..], &["--json"]].concat()));
    assert_eq!(file["limits"]["before"][0]["part"], "pool", "{file}");
    assert_eq!(file["limits"]["after"][0]["answer"], "no-bottleneck");
    let korean = target.output_of(&[&sides[..], &["--lang", "ko"]].concat());
    assert!(korean.contains("더는 제한하지 않음: 커넥션 풀"), "{korean}");
    let page = target.output_of(&[
        "report",
        "latest",
        "--against",
        "latest~1",
        "--format",
        "markdown",
    ]);
    assert!(
        page.contains("the connection pool no longer limits"),
        "{page}"
    );

    let xml = target.output_of(&["report", "latest~1", "--format", "junit"]);
    let (_, failure) = xml
        .split_once("<failure message=")
        .unwrap_or_else(|| panic!("{xml}"));
    let (failure, _) = failure.split_once("</failure>").unwrap();
    assert!(
        failure.contains(POOL) && failure.contains("make the outside call"),
        "{xml}"
    );
    let property = r#"<property name="loadline.explain.part" value="pool"/>"#;
    assert!(xml.contains(property), "{xml}");
    let xml = target.output_of(&["report", "latest", "--format", "junit"]);
    let property = r#"<property name="loadline.explain.answer" value="no-bottleneck"/>"#;
    assert!(xml.contains(property), "{xml}");
}

/// An explanation of the first seconds, every few of them.
const LIVE_PATIENCE: Duration = Duration::from_secs(90);

#[test]
fn a_run_that_goes_on_says_on_its_live_line_what_limits() {
    let target = Pooled::start(3, 190);
    let (url, page) = (
        format!("{}/pooled", target.url),
        format!("{}/metrics", target.url),
    );
    let load = ["run", &url, "--vus", "20", "--duration", "10m"];
    let shown = ["--observe", &page, "--live", "lines", "--no-store"];
    let mut terminal = Terminal::with(&[&load[..], &shown].concat(), 24, 160, &[]);
    until_within(LIVE_PATIENCE, "what limits", || {
        terminal
            .seen()
            .contains("so far: the connection pool (grade ")
    });
    terminal.press("l");
    terminal.wait_to_see("지금까지: 커넥션 풀 (등급 ");
    terminal.press("q");
    assert_eq!(terminal.end(), Some(130), "{}", terminal.screen());
}

/// A target with so many connections, each held so long; who waits too long for one fails, which a log says as HikariCP does.
struct LoggedPool {
    url: String,
    log: PathBuf,
}

/// Its connections: how many there are, and how many are held.
struct Connections {
    most: u32,
    active: Mutex<u32>,
    freed: Condvar,
}

const CONNECTION_HOLD: Duration = Duration::from_millis(100);
const CONNECTION_WAIT: Duration = Duration::from_millis(300);

impl LoggedPool {
    fn start(folder: &Path, most: u32) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let target = Self {
            url: format!("http://{}", listener.local_addr().unwrap()),
            log: folder.join("app.log"),
        };
        std::fs::write(&target.log, "").unwrap();
        let log = target.log.clone();
        let connections = Arc::new(Connections {
            most,
            active: Mutex::new(0),
            freed: Condvar::new(),
        });
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, connections) = (log.clone(), connections.clone());
                std::thread::spawn(move || connections.serve(stream, &log));
            }
        });
        target
    }
}

impl Connections {
    fn serve(&self, mut stream: TcpStream, log: &Path) {
        let mut asked = [0; 4096];
        while stream.read(&mut asked).is_ok_and(|read| read > 0) {
            let status = if self.take() {
                std::thread::sleep(CONNECTION_HOLD);
                *self.active.lock().unwrap() -= 1;
                self.freed.notify_one();
                "200 OK"
            } else {
                let line = format!(
                    "2026-11-28 10:00:00.000 ERROR 1 --- [nio-8080-exec-9] o.h.engine.jdbc.spi.SqlExceptionHelper : \
                     HikariPool-1 - Connection is not available, request timed out after 300ms \
                     (total={0}, active={0}, idle=0, waiting=9)\n",
                    self.most
                );
                let mut file = std::fs::OpenOptions::new().append(true).open(log).unwrap();
                file.write_all(line.as_bytes()).unwrap();
                "500 Internal Server Error"
            };
            let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 2\r\n\r\nok");
            if stream.write_all(answer.as_bytes()).is_err() {
                return;
            }
        }
    }

    /// Whether a connection was free in time.
    fn take(&self) -> bool {
        let active = self.active.lock().unwrap();
        let is_full = |active: &mut u32| *active >= self.most;
        let (mut active, waited) = self
            .freed
            .wait_timeout_while(active, CONNECTION_WAIT, is_full)
            .unwrap();
        if waited.timed_out() {
            return false;
        }
        *active += 1;
        true
    }
}

/// Of five teams one pasted 40 where the log had said all along that all connections are held.
#[test]
fn a_study_says_at_its_first_trial_that_the_log_shows_a_pool_all_of_which_is_held() {
    let folder = tempfile::tempdir().unwrap();
    let target = LoggedPool::start(folder.path(), 2);
    let (url, log) = (&target.url, target.log.display());
    let study = format!(
        "test: {url}/ --rate 40/s --duration 12s --observe log:{log}\n\
         goal: throughput max\npause: 0s\nbudget: {{trials: 2}}\nknobs:\n  \
         - {{name: pool, values: [2, 5, 40], now: 2, command: [echo, '{{value}}']}}\n"
    );
    let path = folder.path().join("study.yaml");
    std::fs::write(&path, study).unwrap();
    let store = folder.path().join("runs.db");
    let args = [
        "tune",
        path.to_str().unwrap(),
        "--store",
        store.to_str().unwrap(),
    ];
    let output = loadline(&args);
    let said = stderr(&output);
    let first = said.find("as the target is (explain):");
    let first = first.unwrap_or_else(|| panic!("{said}{}", stdout(&output)));
    assert!(first < said.find("trial 2").unwrap(), "{said}");
    let told = said[first..].lines().next().unwrap();
    assert!(
        told.contains("connection") && told.contains("log"),
        "{said}"
    );
    assert!(
        said.contains("tried first, since explain names what it changes: pool=5"),
        "{said}"
    );
}

#[test]
fn a_study_tells_what_limits_the_target_as_it_is_before_it_tries_and_with_what_to_paste() {
    let target = Pooled::start(2, 90);
    let url = &target.url;
    let study = format!(
        "test: {url}/pooled --vus 20 --duration 11s --observe {url}/metrics\n\
         goal: throughput max\npause: 0s\nbudget: {{trials: 2}}\nknobs:\n  \
         - name: pool\n    values: [2, 5, 40]\n    now: 2\n    \
         http: {{method: PUT, url: '{url}/settings', body: '{{\"pool\":{{\"max\":{{value}}}}}}'}}\n    \
         read: {{url: '{url}/settings', json: /pool/max}}\n"
    );
    std::fs::write(target.path("study.yaml"), study).unwrap();
    let path = target.path("study.yaml");
    let output = target.with(&["tune", &path]);
    let (said, answer) = (stderr(&output), stdout(&output));
    let before = said.find(&format!("as the target is (explain): {POOL}"));
    let before = before.unwrap_or_else(|| panic!("{said}"));
    assert!(before < said.find("trial 2").unwrap(), "{said}");
    let advice = "before any of these settings, try: make the outside call before";
    assert!(said.contains(advice), "{said}");
    assert!(
        said.contains("tried first, since explain names what it changes: pool=5"),
        "{said}"
    );
    assert!(answer.contains("the connection pool ("), "{answer}");
    let journal = std::fs::read_to_string(target.path("study.yaml.journal")).unwrap();
    assert!(journal.contains(r#""guess":[1]"#), "{journal}");
    let report = parsed(&target.output_of(&["report", &path, "--format", "json", "-o", "-"]));
    assert_eq!(report["limited_by"], "pool-held-across-call", "{report}");
    assert_eq!(report["limited_by_setting"], true);
    assert_eq!(report["trials"][0]["limit"]["part"], "pool");
    let xml = target.output_of(&["report", &path, "--format", "junit", "--lang", "ko"]);
    assert!(xml.contains("제한 요인: 커넥션 풀 (등급 "), "{xml}");
}
