//! The web pages: of stored runs, of one that goes on, and what they steer and start.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Stdio;

use loadline_testkit::server::TlsMaterial;

use crate::access::{link, token};
use crate::common::{Server, Started, command, loadline, signal, stderr, stdout, until};

/// A server of pages, by its address and the token of its owner.
pub(crate) struct Pages {
    process: Started,
    pub(crate) address: String,
    pub(crate) token: String,
    /// The path that was printed: it opens once.
    pub(crate) link: String,
}

impl Pages {
    pub(crate) fn serve(store: &str) -> Self {
        Self::serve_at("127.0.0.1:0", store, Path::new(env!("CARGO_TARGET_TMPDIR")))
    }

    /// With a data folder of its own, so that what is done to the secret there concerns no other test.
    pub(crate) fn serve_at(address: &str, store: &str, data: &Path) -> Self {
        let mut process = command(&["serve", "--address", address, "--store", store])
            .env("XDG_DATA_HOME", data)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(process.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let (address, link) = link(&line).unwrap();
        Self {
            process,
            address,
            token: token("own", store, data),
            link,
        }
    }

    pub(crate) fn end(self) {
        signal(&self.process, "INT");
        let output = self.process.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
    }
}

/// Status and body of a call.
pub(crate) fn call(
    address: &str,
    token: &str,
    method: &str,
    path: &str,
    body: &str,
) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    let body = answer.split_once("\r\n\r\n").unwrap().1;
    (status, body.to_owned())
}

#[test]
fn a_run_is_steered_from_its_page_and_keeps_what_was_done() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db").to_str().unwrap().to_owned();
    let args = [
        "run",
        &server.base,
        "--rate",
        "20/s",
        "--duration",
        "10m",
        "--ui=127.0.0.1:0",
        "--store",
        &store,
    ];
    let mut run = command(&args)
        .env("XDG_RUNTIME_DIR", folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(run.stderr.take().unwrap());
    let (address, _) = loop {
        let mut line = String::new();
        assert!(said.read_line(&mut line).unwrap() > 0, "no page was served");
        if let Some(found) = link(&line) {
            break found;
        }
    };
    let rest = std::thread::spawn(move || {
        let mut text = String::new();
        let _ = said.read_to_string(&mut text);
        text
    });
    server.wait_for(20);
    let token = token("run", &store, Path::new(env!("CARGO_TARGET_TMPDIR")));
    let steer = |command: &str| {
        let path = "/api/runs/latest/control";
        until("the run can be steered", || {
            call(&address, &token, "POST", path, command).0 == 204
        });
    };
    steer(r#"{"action":"annotate","text":"cache off"}"#);
    steer(r#"{"action":"hold"}"#);
    steer(r#"{"action":"resume"}"#);
    steer(r#"{"action":"more"}"#);
    let (refused, _) = call(
        &address,
        "wrong",
        "POST",
        "/api/runs/latest/control",
        r#"{"action":"stop"}"#,
    );
    assert_eq!(refused, 401);
    steer(r#"{"action":"stop"}"#);
    let code = run.wait_with_output().unwrap().status.code();
    let said = rest.join().unwrap();
    assert_eq!(code, Some(130), "{said}");
    let shown = loadline(&["show", "latest", "--events", "--store", &store]);
    let shown = stdout(&shown);
    for (kind, detail) in [
        ("annotation", r#"{"by":"page","text":"cache off"}"#),
        ("load-changed", r#"{"by":"page","change":"paused"}"#),
        ("load-changed", r#"{"by":"page","change":"resumed"}"#),
        (
            "load-changed",
            r#"{"by":"page","change":"scaled","to":1.1}"#,
        ),
        ("stop", r#"{"by":"page"}"#),
    ] {
        assert!(
            shown.contains(&format!("{kind}  {detail}")),
            "{kind}: {shown}"
        );
    }
}

#[test]
fn a_test_is_started_from_a_page_and_its_report_has_the_summarys_numbers() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db").to_str().unwrap().to_owned();
    let pages = Pages::serve(&store);
    let ask = |method: &str, path: &str, body: &str| {
        let (status, body) = call(&pages.address, &pages.token, method, path, body);
        assert!(status < 300, "{path}: {status} {body}");
        serde_json::from_str::<serde_json::Value>(&body).unwrap_or_default()
    };
    let request = serde_json::json!({ "test": server.base, "options": ["-i", "40", "--note", "from a page"] });
    let started = ask("POST", "/api/tests", &request.to_string());
    let path = format!("/api/tests/{}", started["started"].as_str().unwrap());
    let mut last = serde_json::Value::Null;
    until("the test ends", || {
        last = ask("GET", &path, "");
        last["running"] == false
    });
    assert!(matches!(last["code"].as_i64(), Some(0 | 4)), "{last}");
    let run = last["run"].as_str().unwrap();
    let listed = ask("GET", "/api/runs?lang=ko", "");
    assert_eq!(listed["runs"][0]["note"], "from a page");
    let page = ask("GET", &format!("/api/runs/{run}?lang=ko"), "");
    assert_eq!(page["document"]["lang"], "ko");
    assert_eq!(page["row"]["requests"], 40.0);
    ask(
        "POST",
        &format!("/api/runs/{run}/tags"),
        r#"{"add":["base"]}"#,
    );
    ask("DELETE", "/api/runs/base", "");
    assert_eq!(ask("GET", "/api/runs", "")["runs"], serde_json::json!([]));
    pages.end();
}

/// One waits for its time and is taken back; another starts when its time has come.
#[test]
fn a_test_waits_for_its_time_and_can_be_taken_back() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db").to_str().unwrap().to_owned();
    let pages = Pages::serve(&store);
    let ask = |method: &str, path: &str, body: &str| {
        let (status, body) = call(&pages.address, &pages.token, method, path, body);
        assert!(status < 300, "{path}: {status} {body}");
        serde_json::from_str::<serde_json::Value>(&body).unwrap_or_default()
    };
    let now = std::time::SystemTime::now();
    let now = now.duration_since(std::time::UNIX_EPOCH).unwrap();
    let at = |seconds: u64| (now.as_secs() + seconds) * 1000;
    let start = |seconds: u64| {
        let request = serde_json::json!({
            "test": server.base, "options": ["-i", "4"], "at_ms": at(seconds),
        });
        let started = ask("POST", "/api/tests", &request.to_string());
        format!("/api/tests/{}", started["started"].as_str().unwrap())
    };
    let (soon, late) = (start(2), start(3600));
    assert_eq!(ask("GET", &late, "")["waits_until_ms"], at(3600));
    let (status, _) = call(&pages.address, "wrong", "DELETE", &late, "");
    assert_eq!(status, 401);
    ask("DELETE", &late, "");
    until("the test ends", || {
        ask("GET", &soon, "")["running"] == false
    });
    assert_eq!(
        ask("GET", "/api/tests", "")["scheduled"],
        serde_json::json!([])
    );
    let listed = ask("GET", "/api/runs", "");
    assert_eq!(listed["runs"].as_array().unwrap().len(), 1, "{listed}");
    pages.end();
}

/// k6's users have it in their pipelines; it used to end the run before any load.
#[test]
fn the_dashboard_of_k6_is_the_page_and_exports_a_report() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db");
    let export = folder.path().join("report.html");
    let text = format!(
        "import http from 'k6/http'; export const options = {{ iterations: 3 }}; export default () => {{ http.get('{}') }}",
        server.base
    );
    let path = folder.path().join("test.js");
    std::fs::write(&path, text).unwrap();
    let output = command(&[
        "run",
        path.to_str().unwrap(),
        "-o",
        "web-dashboard",
        "--quiet",
    ])
    .env("LOADLINE_STORE", &store)
    .env("XDG_RUNTIME_DIR", folder.path())
    .env("K6_WEB_DASHBOARD_PORT", "0")
    .env("K6_WEB_DASHBOARD_EXPORT", &export)
    .output()
    .unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        crate::common::stderr(&output)
    );
    let page = std::fs::read_to_string(&export).unwrap();
    assert!(page.contains("<svg class=\"plot\""), "{page}");
    // Started as k6 nothing stays but the report.
    std::fs::remove_file(&export).unwrap();
    let output = command(&["run", path.to_str().unwrap(), "--quiet"])
        .arg0("k6")
        .env("XDG_RUNTIME_DIR", folder.path())
        .env("K6_WEB_DASHBOARD", "true")
        .env("K6_WEB_DASHBOARD_PORT", "0")
        .env("K6_WEB_DASHBOARD_EXPORT", &export)
        .output()
        .unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        crate::common::stderr(&output)
    );
    assert!(export.exists());
    // Its store is in no place where anybody would look for it.
    let said = stderr(&output);
    let (_, again) = said
        .split_once("loadline access --address http://127.0.0.1:")
        .unwrap();
    let folder_name = folder.path().to_str().unwrap();
    assert!(again.contains(&format!("--store {folder_name}")), "{said}");
    let left = std::fs::read_dir(folder.path().join("loadline")).unwrap();
    assert_eq!(left.count(), 0, "neither store nor socket");
}

#[test]
fn pages_are_not_served_to_others_unless_asked() {
    let output = loadline(&["serve", "--address", "0.0.0.0:0"]);
    assert_eq!(output.status.code(), Some(2));
    let said = crate::common::stderr(&output);
    assert!(said.contains("--insecure"), "{said}");
}

/// Pages for others need encryption: with certificate and key they are served to HTTPS alone.
#[test]
fn pages_are_served_over_tls_with_a_certificate_and_its_key() {
    let folder = tempfile::tempdir().unwrap();
    let material = TlsMaterial::generate(folder.path()).unwrap();
    let path = |path: &Path| path.to_str().unwrap().to_owned();
    let (chain, key) = (
        path(&material.client_certificate),
        path(&material.client_key),
    );
    let store = path(&folder.path().join("runs.db"));
    let args = ["serve", "--address", "0.0.0.0:0", "--store", &store];
    let tls = ["--tls-cert", &chain, "--tls-key", &key];
    let mut process = command(&[&args[..], &tls].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(process.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    let (_, rest) = line.split_once("https://0.0.0.0:").unwrap();
    let port = rest.split('/').next().unwrap();
    let page = format!("https://127.0.0.1:{port}/api/runs");
    let data = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let bearer = format!("Authorization: Bearer {}", token("read", &store, data));
    let asked = loadline(&["run", &page, "--once", "--insecure", "--header", &bearer]);
    assert_eq!(asked.status.code(), Some(0), "{}", stdout(&asked));
    let plain = format!("http://127.0.0.1:{port}/api/runs");
    let asked = loadline(&["run", &plain, "--once", "--header", &bearer]);
    assert_ne!(asked.status.code(), Some(0), "{}", stdout(&asked));
    signal(&process, "INT");
    assert_eq!(process.wait_with_output().unwrap().status.code(), Some(0));

    let open = loadline(&args);
    assert!(stderr(&open).contains("--tls-cert"), "{}", stderr(&open));
    let other = path(&material.authority);
    for (tls, said) in [
        (
            ["--tls-cert", &key, "--tls-key", &key],
            "holds no certificate",
        ),
        (
            ["--tls-cert", &chain, "--tls-key", &chain],
            "holds no private key",
        ),
        (["--tls-cert", &other, "--tls-key", &key], "does not fit"),
    ] {
        let refused = loadline(&[&args[..], &tls].concat());
        assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
        assert!(stderr(&refused).contains(said), "{}", stderr(&refused));
    }
}

/// The load that files plan, before anything is sent.
#[test]
fn the_load_of_a_file_is_shown_before_it_is_run() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db").to_str().unwrap().to_owned();
    let pages = Pages::serve(&store);
    let ask = |token: &str, test: &str, source: &str| {
        let body = serde_json::json!({ "test": test, "source": source, "options": [] });
        let path = "/api/preview?lang=ko";
        call(&pages.address, token, "POST", path, &body.to_string())
    };
    let script = format!(
        "import http from 'k6/http';
         export const options = {{ scenarios: {{
           browse: {{ executor: 'ramping-vus', stages: [{{ duration: '10s', target: 6 }}] }},
           pay: {{ executor: 'constant-arrival-rate', rate: 20, duration: '8s', preAllocatedVUs: 9 }},
         }} }};
         export default function () {{ http.get('{}'); }}",
        server.base
    );
    let file = format!(
        "config: {{target: '{}', phases: [{{duration: 30, arrivalRate: 1, rampTo: 9}}]}}\n\
         scenarios: [{{flow: [{{get: {{url: '/'}}}}]}}]\n",
        server.base
    );
    assert_eq!(ask("wrong", "test.js", &script).0, 401);
    for (name, source, charts) in [
        ("test.js", &script, &["planned-starts", "planned-users"][..]),
        ("test.yml", &file, &["planned-starts"]),
    ] {
        let (status, body) = ask(&pages.token, name, source);
        assert_eq!(status, 200, "{body}");
        let load: serde_json::Value = serde_json::from_str(&body).unwrap();
        let shown = load["charts"].as_array().unwrap();
        let shown: Vec<&str> = shown.iter().map(|of| of["id"].as_str().unwrap()).collect();
        assert_eq!(shown, charts);
        assert!(
            load["facts"][0].as_str().unwrap().contains("부하 시간"),
            "{load}"
        );
    }
    let (status, body) = ask(&pages.token, "test.js", "export default function () {");
    assert_eq!(status, 400);
    assert!(body.contains("test.js"), "{body}");
    assert_eq!(server.requests(), 0, "nothing is sent");
    pages.end();
}

/// Pages run behind the threads of a load: those of `run --ui` behind its own, and those of a server behind
/// the processes that it starts.
#[test]
fn pages_run_behind_the_load_that_they_show() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db").to_str().unwrap().to_owned();
    let pages = Pages::serve(&store);
    let own = pages.process.id();
    let first = niceness(&format!("/proc/{own}/stat")).unwrap();
    let behind = (first + 5).min(19);
    let are_behind = |process: u32| {
        let served = threads(process, "pages");
        !served.is_empty() && served.iter().all(|nice| *nice == behind)
    };
    until("the server's pages are behind", || are_behind(own));
    let options = ["--vus", "1", "--duration", "10m", "--ui=127.0.0.1:0"];
    let request = serde_json::json!({ "test": server.base, "options": options });
    let (status, body) = call(
        &pages.address,
        &pages.token,
        "POST",
        "/api/tests",
        &request.to_string(),
    );
    assert!(status < 300, "{status} {body}");
    let mut test = 0;
    until("the test's pages are behind its load", || {
        test = child(own).unwrap_or_default();
        are_behind(test) && !threads(test, "worker-0").is_empty()
    });
    assert_eq!(threads(test, "worker-0"), [first]);
    let stopped = std::process::Command::new("kill")
        .arg("-INT")
        .arg(test.to_string())
        .status();
    assert!(stopped.unwrap().success());
    until("the test is over", || threads(test, "worker-0").is_empty());
    pages.end();
}

/// How nice the process or thread is that a `stat` file tells of.
fn niceness(stat: &str) -> Option<i32> {
    let text = std::fs::read_to_string(stat).ok()?;
    let (_, after_name) = text.rsplit_once(") ")?;
    after_name.split(' ').nth(16)?.parse().ok()
}

/// How nice the threads of a process are that have this name.
fn threads(process: u32, name: &str) -> Vec<i32> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task"));
    let tasks = tasks.into_iter().flatten().flatten();
    let of = tasks.filter_map(|task| {
        let task = task.path();
        let own = std::fs::read_to_string(task.join("comm")).ok()?;
        let stat = task.join("stat");
        (own.trim() == name).then(|| niceness(stat.to_str()?))?
    });
    of.collect()
}

/// A process that this one started.
fn child(parent: u32) -> Option<u32> {
    let all = std::fs::read_dir("/proc").ok()?.flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_child = |number: &u32| {
        let text = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        let after_name = text.rsplit_once(") ").map(|(_, after)| after.to_owned());
        let of = after_name.and_then(|after| after.split(' ').nth(1)?.parse::<u32>().ok());
        of == Some(parent)
    };
    { numbers }.find(is_child)
}
