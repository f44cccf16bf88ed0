//! Outputs: what they hold is what the run counted, whatever their receivers do.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

use crate::common::{Server, command, free_address, no_folder, script, stderr, stdout};

const SCRIPT: &str = "import http from 'k6/http';
import { check } from 'k6';
import { Trend } from 'k6/metrics';
const own = new Trend('own');
export const options = { scenarios: { a: { executor: 'shared-iterations', vus: 2, iterations: 300 } },
  thresholds: { 'http_req_duration{status:200}': ['p(95)<5000'], http_reqs: ['count>0'] } };
export default function () {
  const res = http.get(`${__ENV.BASE}/`, { tags: { kind: 'a \"b\", c' } });
  check(res, { ok: (r) => r.status === 200 });
  own.add(1.5);
}
";

fn folder(name: &str) -> PathBuf {
    let folder = no_folder(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Lines of a JSON output: metrics told, and points.
fn json_lines(path: &Path) -> (Vec<Value>, Vec<Value>) {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.partition(|line| line["type"] == "Metric")
}

#[test]
fn files_hold_every_sample_in_k6s_form() {
    let server = Server::start();
    let folder = folder("outputs-files");
    let path = script("outputs-files.js", SCRIPT);
    let (json, csv) = (folder.join("o.json"), folder.join("o.csv"));
    let output = command(&["run", "-q", "--no-store", path.to_str().unwrap()])
        .args(["-o", &format!("json={}", json.display())])
        .args(["-o", &format!("csv={}", csv.display())])
        .args(["-e", &format!("BASE={}", server.base)])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));

    let (metrics, points) = json_lines(&json);
    let count = |name: &str| points.iter().filter(|p| p["metric"] == name).count();
    assert_eq!(count("http_reqs"), 300);
    assert_eq!(count("http_req_duration"), 300);
    assert_eq!(count("checks"), 300);
    assert_eq!(count("own"), 300);
    assert_eq!(count("start_lag"), 0, "k6 does not have it");
    let duration = metrics.iter().find(|m| m["metric"] == "http_req_duration");
    let submetrics = &duration.unwrap()["data"]["submetrics"];
    let suffixes = [&submetrics[0]["suffix"], &submetrics[1]["suffix"]];
    assert_eq!(suffixes, ["expected_response:true", "status:200"]);
    let requests = metrics.iter().find(|m| m["metric"] == "http_reqs").unwrap();
    assert_eq!(requests["data"]["thresholds"][0], "count>0");
    let point = points.iter().find(|p| p["metric"] == "http_reqs").unwrap();
    assert_eq!(point["data"]["tags"]["kind"], "a \"b\", c");
    assert_eq!(point["data"]["tags"]["scenario"], "a");

    let text = std::fs::read_to_string(&csv).unwrap();
    let head = "metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,name,proto,scenario,service,status,subproto,tls_version,url,extra_tags,metadata";
    assert_eq!(text.lines().next(), Some(head));
    let rows = text.lines().filter(|line| line.starts_with("http_reqs,"));
    assert_eq!(rows.clone().count(), 300);
    assert!(
        rows.clone()
            .all(|row| row.ends_with(",\"kind=a \"\"b\"\", c\","))
    );
    assert_eq!(text.lines().count(), points.len() + 1);
}

#[test]
fn an_output_that_cannot_be_ends_the_run_before_load() {
    let server = Server::start();
    let path = script("outputs-wrong.js", SCRIPT);
    for (out, words) in [
        ("nope", "invalid output type 'nope'"),
        (
            "csv=timeFormat=zz",
            "zz does not belong to TimeFormat values",
        ),
        (
            "json=/no/such/folder/x",
            "open /no/such/folder/x: no such file or directory",
        ),
        (
            "influxdb=http://127.0.0.1:1/?nope=1",
            "unknown query parameter: nope",
        ),
        ("kafka", "the 'kafka' output is not supported"),
    ] {
        let output = command(&["run", "-q", "--no-store", "-o", out, path.to_str().unwrap()])
            .args(["-e", &format!("BASE={}", server.base)])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(255), "{out}");
        assert!(
            stderr(&output).contains(words),
            "{out}: {}",
            stderr(&output)
        );
    }
    let url = command(&["run", &server.base, "-o", "nope", "-q"])
        .output()
        .unwrap();
    assert_eq!(url.status.code(), Some(2), "{}", stderr(&url));
    assert_eq!(server.requests(), 0);
}

/// A receiver of InfluxDB's line protocol that can be closed.
struct Receiver {
    port: u16,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Receiver {
    /// Takes everything but the first so many writes, which it cuts off.
    fn refusing(mut first: u32) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let lines = Arc::new(Mutex::new(Vec::new()));
        let taken = lines.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let refuse = first > 0;
                first = first.saturating_sub(1);
                if !refuse {
                    let taken = taken.clone();
                    std::thread::spawn(move || take(stream, &taken));
                }
            }
        });
        Self { port, lines }
    }
}

fn take(mut stream: TcpStream, lines: &Mutex<Vec<String>>) {
    let (mut seen, mut buffer) = (Vec::new(), vec![0_u8; 65_536]);
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        seen.extend_from_slice(&buffer[..count]);
        while let Some(end) = seen.windows(4).position(|w| w == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&seen[..end]).to_lowercase();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            let length: usize = length.unwrap_or(0);
            if seen.len() < end + 4 + length {
                break;
            }
            let body = seen[end + 4..end + 4 + length].to_vec();
            seen.drain(..end + 4 + length);
            let body = String::from_utf8(body).unwrap();
            lines
                .lock()
                .unwrap()
                .extend(body.lines().map(str::to_owned));
            let answer = b"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n";
            if stream.write_all(answer).is_err() {
                return;
            }
        }
    }
}

#[test]
fn what_a_receiver_did_not_take_is_sent_again_and_no_two_points_coincide() {
    let server = Server::start();
    let receiver = Receiver::refusing(4);
    let path = script("outputs-influx.js", SCRIPT);
    let output = command(&["run", "-q", "--no-store", path.to_str().unwrap()])
        .args([
            "-o",
            &format!("influxdb=http://127.0.0.1:{}/db", receiver.port),
        ])
        .args(["-e", &format!("BASE={}", server.base)])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("it is tried again"),
        "{}",
        stderr(&output)
    );
    let lines = receiver.lines.lock().unwrap();
    let requests = lines.iter().filter(|line| line.starts_with("http_reqs,"));
    let mut keys: Vec<(String, String)> = requests
        .map(|line| {
            let (rest, time) = line.rsplit_once(' ').unwrap();
            let series = rest.split_once(" url=").unwrap().0;
            (series.to_owned(), time.to_owned())
        })
        .collect();
    assert_eq!(keys.len(), 300);
    keys.sort();
    keys.dedup();
    assert_eq!(
        keys.len(),
        300,
        "InfluxDB would forget points that coincide"
    );
}

#[test]
fn a_receiver_that_never_comes_back_costs_no_count_that_is_not_stated() {
    let server = Server::start();
    let folder = folder("outputs-full");
    let free = free_address();
    let (store, json) = (folder.join("runs.db"), folder.join("o.json"));
    let text = "import http from 'k6/http';
export const options = { vus: 4, duration: '4s' };
export default function () { http.get(`${__ENV.BASE}/`); }";
    let path = script("outputs-full.js", text);
    let child = command(&["run", path.to_str().unwrap(), "--spool-max", "64KiB"])
        .args(["--store", store.to_str().unwrap()])
        .args(["-o", &format!("influxdb=http://{free}/db")])
        .args(["-o", &format!("json={}", json.display())])
        .args(["-e", &format!("BASE={}", server.base)])
        .stderr(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // The receiver comes when the run is over.
    crate::common::until_within(Duration::from_secs(60), "end of load", || {
        std::fs::read_to_string(&json).is_ok_and(|text| text.contains("\"vus_max\""))
    });
    std::thread::sleep(Duration::from_secs(5));
    let listener = TcpListener::bind(free).unwrap();
    let lines = Arc::new(Mutex::new(Vec::new()));
    let taken = lines.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let taken = taken.clone();
            std::thread::spawn(move || take(stream, &taken));
        }
    });
    let ended = child.wait_with_output().unwrap();
    let output = format!("{}{}", stderr(&ended), stdout(&ended));
    assert!(ended.status.success(), "{output}");
    assert!(
        output.contains("take the place of single samples"),
        "{output}"
    );
    assert!(output.contains("were replaced by windows"), "{output}");

    let value = |line: &str| {
        let field = line.split("value=").nth(1).unwrap();
        let end = field.find([',', ' ']).unwrap();
        field[..end].parse::<f64>().unwrap()
    };
    let lines = lines.lock().unwrap();
    let requests = lines.iter().filter(|line| line.starts_with("http_reqs,"));
    let sum: f64 = requests.map(|line| value(line)).sum();
    let (_, points) = json_lines(&json);
    // The file has as little room, so a point there may stand for many, too.
    let points = points.iter().filter(|p| p["metric"] == "http_reqs");
    let values = points.map(|p| p["data"]["value"].as_f64().unwrap());
    let sent = server.requests();
    for counted in [sum, values.sum::<f64>()] {
        assert_eq!(
            counted.to_bits(),
            (sent as f64).to_bits(),
            "every request counts"
        );
    }
    let durations = lines
        .iter()
        .filter(|line| line.starts_with("http_req_duration,"));
    let stand_for: u64 = durations
        .map(|line| {
            let count = line.split("count=").nth(1).map(|rest| {
                let end = rest.find('i').unwrap();
                rest[..end].parse::<u64>().unwrap()
            });
            count.unwrap_or(1)
        })
        .sum();
    assert_eq!(stand_for, sent);
}

#[test]
fn an_archive_runs_as_its_script_did() {
    let server = Server::start();
    let folder = folder("archive");
    std::fs::create_dir_all(folder.join("lib")).unwrap();
    std::fs::write(folder.join("lib/paths.js"), "export const path = '/';").unwrap();
    std::fs::write(folder.join("ids.txt"), "1\n2\n3").unwrap();
    std::fs::write(
        folder.join("test.js"),
        "import http from 'k6/http';
import { path } from './lib/paths.js';
const ids = open('./ids.txt').split('\\n');
export const options = { iterations: 3 };
export default function () { http.get(__ENV.BASE + path + '?id=' + ids[__ITER]); }",
    )
    .unwrap();
    let made = command(&[
        "archive", "-O", "t.tar", "test.js", "-e", "BASE=x", "-i", "7",
    ])
    .current_dir(&folder)
    .output()
    .unwrap();
    assert!(made.status.success(), "{}", stderr(&made));
    let described = std::process::Command::new("tar")
        .args(["xOf", "t.tar", "metadata.json"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let described: Value = serde_json::from_slice(&described.stdout).unwrap();
    assert_eq!(described["dependencies"], serde_json::json!({ "k6": "*" }));
    std::fs::remove_file(folder.join("test.js")).unwrap();
    std::fs::remove_file(folder.join("ids.txt")).unwrap();
    let run = command(&["run", "-q", "--no-store", "t.tar"])
        .args(["-e", &format!("BASE={}", server.base)])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", stderr(&run));
    assert_eq!(server.requests(), 7, "{}", stdout(&run));
}

#[test]
fn new_writes_a_script_that_can_be_inspected_and_overwrites_none() {
    let folder = folder("new");
    let new = |args: &[&str]| command(args).current_dir(&folder).output().unwrap();
    assert!(new(&["new"]).status.success());
    assert!(!new(&["new"]).status.success(), "it is there");
    assert!(
        new(&["new", "-f", "--template", "protocol"])
            .status
            .success()
    );
    let shown = new(&["inspect", "--execution-requirements", "script.js"]);
    let options: Value = serde_json::from_str(&stdout(&shown)).unwrap();
    assert_eq!(options["maxVUs"], 200);
    assert_eq!(options["totalDuration"], "2m0s");
}

#[test]
fn a_paused_run_waits_for_the_rest_api_and_parts_plan_the_whole() {
    let server = Server::start();
    let path = script(
        "paused.js",
        "import http from 'k6/http';
export const options = { scenarios: { a: { executor: 'constant-arrival-rate', rate: 50, timeUnit: '1s', duration: '60s', preAllocatedVUs: 150 } } };
export default function () { http.get(`${__ENV.BASE}/`); }",
    );
    let path = path.to_str().unwrap();
    let schedule = |flags: &[&str]| -> Vec<u64> {
        let mut args = vec!["inspect", "--schedule", path];
        args.extend_from_slice(flags);
        let shown: Value =
            serde_json::from_str(&stdout(&command(&args).output().unwrap())).unwrap();
        let starts = shown["scenarios"][0]["startOffsetsNs"].as_array().unwrap();
        starts.iter().map(|at| at.as_u64().unwrap()).collect()
    };
    let whole = schedule(&[]);
    let sequence = "--execution-segment-sequence=0,1/4,1/2,3/4,1";
    let mut parts: Vec<u64> = ["0:1/4", "1/4:1/2", "1/2:3/4", "3/4:1"]
        .iter()
        .flat_map(|part| schedule(&[&format!("--execution-segment={part}"), sequence]))
        .collect();
    parts.sort_unstable();
    assert_eq!(parts, whole);

    let address = free_address().to_string();
    let child = command(&[
        "run",
        "-q",
        "--no-store",
        "--paused",
        "--address",
        &address,
        path,
    ])
    .args(["-e", &format!("BASE={}", server.base)])
    .stdout(std::process::Stdio::piped())
    .stderr(std::process::Stdio::piped())
    .spawn()
    .unwrap();
    let ask = |request: &str, body: &str| ask_rest(&address, request, body);
    let status = |answer: Option<Value>| answer.map(|a| a["data"]["attributes"].clone());
    crate::common::until("a paused run", || {
        status(ask("GET /v1/status", "")).is_some_and(|s| s["status"] == 4)
    });
    assert_eq!(server.requests(), 0);
    let go = r#"{"data":{"type":"status","id":"default","attributes":{"paused":false}}}"#;
    let told = status(ask("PATCH /v1/status", go)).unwrap();
    assert_eq!(told["paused"], false);
    server.wait_for(60);
    // What was sent is counted when its window is merged.
    crate::common::until("requests are counted", || {
        ask("GET /v1/metrics/http_reqs", "")
            .is_some_and(|metrics| metrics["data"]["attributes"]["type"] == "counter")
    });
    let stop = r#"{"data":{"type":"status","id":"default","attributes":{"stopped":true}}}"#;
    assert_eq!(
        status(ask("PATCH /v1/status", stop)).unwrap()["stopped"],
        true
    );
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(103), "{}", stderr(&output));
}

/// As who starts many generators does: set-up on one, its data to each, none of their own.
#[test]
fn set_up_runs_by_hand_while_a_run_waits_and_its_data_can_be_given() {
    let script = "export function setup() { return { token: 'made' }; }
        export const options = { iterations: 1 };
        export default function (data) { console.log('data', JSON.stringify(data)); }
        export function teardown() { console.log('torn down'); }";
    let path = folder("setup_by_hand").join("test.js");
    std::fs::write(&path, script).unwrap();
    let path = path.to_str().unwrap();
    let address = free_address().to_string();
    let child = command(&[
        "run",
        "-q",
        "--no-store",
        "--no-setup",
        "--no-teardown",
        "--paused",
        "--address",
        &address,
        path,
    ])
    .stdout(std::process::Stdio::piped())
    .stderr(std::process::Stdio::piped())
    .spawn()
    .unwrap();
    let ask = |request: &str, body: &str| ask_rest(&address, request, body);
    crate::common::until("a paused run", || {
        let status = ask("GET /v1/status", "");
        status.is_some_and(|answer| answer["data"]["attributes"]["status"] == 4)
    });
    let data = |answer: Option<Value>| answer.unwrap()["data"]["attributes"].clone();
    assert_eq!(data(ask("GET /v1/setup", "")), serde_json::json!({}));
    let made = data(ask("POST /v1/setup", ""));
    assert_eq!(made["data"]["token"], "made");
    let given = data(ask("PUT /v1/setup", r#"{"token":"given"}"#));
    assert_eq!(given["data"]["token"], "given");
    // Its answer has no body.
    assert_eq!(ask("POST /v1/teardown", ""), None);
    let go = r#"{"data":{"type":"status","id":"default","attributes":{"paused":false}}}"#;
    ask("PATCH /v1/status", go).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stderr(&output);
    assert!(text.contains(r#"data {\"token\":\"given\"}"#), "{text}");
    // By hand although it is switched off, and not again at the end.
    assert_eq!(text.matches("torn down").count(), 1, "{text}");
}

/// What the REST API answers.
fn ask_rest(address: &str, request: &str, body: &str) -> Option<Value> {
    let mut stream = TcpStream::connect(address).ok()?;
    let length = body.len();
    let text = format!(
        "{request} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(text.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    serde_json::from_str(answer.split_once("\r\n\r\n")?.1).ok()
}
