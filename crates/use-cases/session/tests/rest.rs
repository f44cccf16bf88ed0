//! The REST API over a run that waits: what it answers comes from the engine, not from whoever
//! follows the run's events. Here nobody reads them at all.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use loadline_k6::log::{Entry, LogSink};
use loadline_k6_options::flags;
use loadline_report::k6::Tty;
use loadline_session::k6::{K6Request, K6Test, prepare};
use loadline_session::rest::RestServer;
use loadline_session::{RunHandle, RunOptions, start};
use serde_json::{Value, json};

const SCRIPT: &str = "
    export const options = { scenarios: { a: {
      executor: 'constant-arrival-rate', rate: 10, duration: '60s', preAllocatedVUs: 2 } } };
    export function setup() { return { token: 'made' }; }
    export default function () {}
    export function teardown() {}
";

/// Drops what the script says.
struct NoLog;

impl LogSink for NoLog {
    fn log(&self, _: Entry) {}
}

fn wall_clock() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_700_000_000)
}

fn test(flags: &[&str]) -> K6Test {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("script.js");
    std::fs::write(&path, SCRIPT).unwrap();
    let path = path.to_str().unwrap().to_owned();
    let arguments = [flags, &["--quiet", &path]].concat();
    let arguments: Vec<String> = arguments.into_iter().map(str::to_owned).collect();
    let parsed = flags::parse(&arguments).unwrap();
    let runtime = parsed.run.resolve(&BTreeMap::new()).unwrap();
    let request = K6Request {
        parsed,
        runtime,
        environment: BTreeMap::new(),
        config_file: None,
        script: path,
        stdin: None,
        working_dir: folder.path().to_owned(),
        log: Arc::new(NoLog),
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
    prepare(request).unwrap()
}

/// A run and its API; its events stay unread.
struct Steered {
    address: SocketAddr,
    handle: RunHandle,
    _server: RestServer,
}

impl Steered {
    fn start(flags: &[&str]) -> Self {
        let test = test(flags);
        let is_paused = test.options.paused == Some(true);
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap();
        drop(free);
        let registry = test.test.registry.clone();
        let server =
            RestServer::start(&address.to_string(), test.factory, registry, is_paused).unwrap();
        let options = RunOptions {
            workers: Some(1),
            paused: is_paused,
            ..RunOptions::default()
        };
        let handle = start(test.test, &options).unwrap();
        server.attach(&handle);
        Self {
            address,
            handle,
            _server: server,
        }
    }

    /// The answer's status and body.
    fn ask(&self, request: &str, body: &str) -> (u16, Value) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let (address, length) = (self.address, body.len());
        let text = format!(
            "{request} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(body).unwrap_or(Value::Null))
    }

    fn status(&self) -> Value {
        let (_, answer) = self.ask("GET /v1/status", "");
        answer["data"]["attributes"]["status"].clone()
    }

    fn pause(&self, paused: bool) -> u16 {
        let body = json!({ "data": { "attributes": { "paused": paused } } });
        self.ask("PATCH /v1/status", &body.to_string()).0
    }
}

impl Drop for Steered {
    fn drop(&mut self) {
        self.handle.control.stop(loadline_vu::StopCause::Signal);
    }
}

/// As k6's operator does, at once and one after the other. The API used to answer the second with
/// 409 until the event that the run waits again had come to it.
#[test]
fn set_up_and_teardown_by_hand_may_follow_each_other_at_once() {
    let run = Steered::start(&["--paused", "--no-setup", "--no-teardown"]);
    for _ in 0..20 {
        let (status, made) = run.ask("POST /v1/setup", "");
        assert_eq!(status, 200, "{made}");
        assert_eq!(made["data"]["attributes"]["data"]["token"], "made");
        assert_eq!(run.status(), 4, "it waits when its answer is there");
        let (status, answer) = run.ask("POST /v1/teardown", "");
        assert_eq!(status, 200, "{answer}");
    }
}

/// Stages asked for at the same time wait for each other.
#[test]
fn stages_asked_for_at_once_run_one_after_the_other() {
    let run = Steered::start(&["--paused"]);
    std::thread::scope(|scope| {
        let asked = ["POST /v1/setup", "POST /v1/teardown"].repeat(4);
        let asked = asked.into_iter();
        let answers: Vec<_> = asked
            .map(|request| scope.spawn(|| run.ask(request, "").0))
            .collect();
        for answer in answers {
            assert_eq!(answer.join().unwrap(), 200);
        }
    });
}

#[test]
fn no_stage_runs_by_hand_once_the_run_is_let_go() {
    let run = Steered::start(&["--paused"]);
    assert_eq!(run.pause(false), 200);
    let (status, refused) = run.ask("POST /v1/setup", "");
    assert!([409, 500].contains(&status), "{status} {refused}");
    let run = Steered::start(&[]);
    for request in ["POST /v1/setup", "POST /v1/teardown"] {
        let (status, refused) = run.ask(request, "");
        assert_eq!(status, 409, "{refused}");
    }
}
