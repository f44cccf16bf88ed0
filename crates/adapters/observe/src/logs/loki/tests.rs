//! Against a server that answers range queries as Loki documents them, and refuses as Loki does.

use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use loadline_net::NetworkSettings;
use loadline_reactor::MonotonicClock;
use url::form_urlencoded;

use super::*;

/// Seconds as Loki dates lines: ns.
const NANOS_PER_SECOND: u64 = 1_000_000_000;
/// Some time of the fake's clock.
const NOW_NANOS: u64 = 1_700_000_000 * NANOS_PER_SECOND;

/// What the fake has: its lines, each with date and stream, and how it answers instead.
#[derive(Default)]
struct Held {
    lines: Vec<(u64, &'static str, String)>,
    instead: Option<(u16, &'static str)>,
    asked: Vec<BTreeMap<String, String>>,
    fields: Vec<String>,
}

#[derive(Clone)]
struct FakeLoki {
    held: Arc<Mutex<Held>>,
    port: u16,
}

impl FakeLoki {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let held: Arc<Mutex<Held>> = Arc::default();
        let own = held.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                answer(stream.unwrap(), &own);
            }
        });
        Self { held, port }
    }

    fn held(&self) -> std::sync::MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, at: u64, stream: &'static str, line: &str) {
        self.held().lines.push((at, stream, line.to_owned()));
    }

    fn feed(&self) -> LokiFeed {
        let setup = ObserverSetup {
            addresses: Vec::new(),
            every: Duration::from_secs(1),
            clock: MonotonicClock::start(),
            seed: 1,
            wall_clock: || std::time::SystemTime::UNIX_EPOCH,
            network: Arc::new(|_| Ok(NetworkSettings::default())),
            listener: Arc::new(|_| {}),
        };
        let url = format!(
            "http://ann:s3cret@127.0.0.1:{}/loki/api/v1/query_range",
            self.port
        );
        let url = Url::parse(&url).unwrap();
        LokiFeed::new(&url, "{app=\"shop\"}", Some("team-a"), &setup).unwrap()
    }
}

fn answer(stream: TcpStream, held: &Mutex<Held>) {
    let mut reader = BufReader::new(stream);
    let (mut length, mut fields) = (0, Vec::new());
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        let line = line.trim().to_owned();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap();
        }
        fields.push(line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let asked: BTreeMap<String, String> = form_urlencoded::parse(&body).into_owned().collect();
    let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
    held.fields = fields;
    let (status, body) = match held.instead {
        Some((status, body)) => (status, body.to_owned()),
        None => (200, streams(&held.lines, &asked)),
    };
    held.asked.push(asked);
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let _ = reader.get_mut().write_all((head + &body).as_bytes());
}

/// Lines of the asked time in the asked order, at most as many as asked for, by stream.
fn streams(lines: &[(u64, &'static str, String)], asked: &BTreeMap<String, String>) -> String {
    let number = |name: &str| asked.get(name).map(|text| text.parse::<u64>().unwrap());
    let (from, to) = (
        number("start").unwrap_or(NOW_NANOS - 3600 * NANOS_PER_SECOND),
        number("end").unwrap_or(NOW_NANOS + NANOS_PER_SECOND),
    );
    let limit = usize::try_from(number("limit").unwrap()).unwrap();
    let mut found: Vec<_> = lines
        .iter()
        .filter(|(at, ..)| (from..to).contains(at))
        .collect();
    found.sort_by_key(|(at, ..)| *at);
    if asked["direction"] == "backward" {
        found.reverse();
    }
    found.truncate(limit);
    let mut by_stream: BTreeMap<&str, Vec<serde_json::Value>> = BTreeMap::new();
    for (at, stream, line) in found {
        // Newer versions tell structured metadata of a line, too.
        let entry = serde_json::json!([at.to_string(), line, {"trace_id": "1"}]);
        by_stream.entry(stream).or_default().push(entry);
    }
    let result: Vec<_> = by_stream
        .into_iter()
        .map(|(stream, values)| serde_json::json!({"stream": {"pod": stream}, "values": values}))
        .collect();
    serde_json::json!({"status": "success", "data": {"resultType": "streams", "result": result, "stats": {}}})
        .to_string()
}

#[test]
fn lines_after_the_first_look_are_taken_once_however_late_they_arrive() {
    let loki = FakeLoki::start();
    loki.push(NOW_NANOS - 2 * NANOS_PER_SECOND, "a", "ERROR old");
    let mut feed = loki.feed();
    assert_eq!(feed.lines().unwrap(), [""; 0], "it was there before");
    loki.push(NOW_NANOS, "a", "ERROR order 7 failed");
    loki.push(NOW_NANOS, "b", "ERROR order 7 failed");
    assert_eq!(
        feed.lines().unwrap(),
        ["ERROR order 7 failed"; 2],
        "two pods"
    );
    loki.push(NOW_NANOS - NANOS_PER_SECOND, "b", "WARN late");
    assert_eq!(feed.lines().unwrap(), ["WARN late"]);
    assert_eq!(feed.lines().unwrap(), [""; 0]);
    let fields = loki.held().fields.join("\n").to_lowercase();
    assert!(fields.contains("x-scope-orgid: team-a"), "{fields}");
    assert!(fields.contains("authorization: basic "), "{fields}");
}

#[test]
fn a_host_whose_clock_is_five_minutes_off_is_followed_by_its_own_clock() {
    for off in [-300_i64, 300] {
        let loki = FakeLoki::start();
        let by = |seconds: i64| NOW_NANOS.saturating_add_signed((off + seconds) * 1_000_000_000);
        if off > 0 {
            // Loki says of its own accord nothing of what is dated after its present.
            loki.push(NOW_NANOS - 400 * NANOS_PER_SECOND, "a", "INFO an old one");
        }
        loki.push(by(-1), "a", "INFO before");
        let mut feed = loki.feed();
        feed.lines().unwrap();
        loki.push(by(1), "a", "ERROR now");
        let new = feed.lines().unwrap();
        assert!(new.contains(&"ERROR now".to_owned()), "{off} s: {new:?}");
    }
}

#[test]
fn many_lines_come_in_several_answers_and_none_twice() {
    let loki = FakeLoki::start();
    loki.push(NOW_NANOS - NANOS_PER_SECOND, "a", "INFO before");
    let mut feed = loki.feed();
    feed.lines().unwrap();
    let many = 2 * PAGE_LINES + PAGE_LINES / 2;
    for number in 0..many {
        loki.push(
            NOW_NANOS + number as u64 / 7,
            "a",
            &format!("INFO {number}"),
        );
    }
    let mut all = feed.lines().unwrap();
    assert_eq!(all.len(), many);
    all.sort();
    all.dedup();
    assert_eq!(all.len(), many);
}

#[test]
fn a_selector_that_no_stream_has_is_told_until_one_has() {
    let loki = FakeLoki::start();
    let mut feed = loki.feed();
    assert!(feed.lacks().is_empty(), "not known yet");
    feed.lines().unwrap();
    assert_eq!(feed.lacks()[0].signal, "log-lines");
    loki.push(NOW_NANOS, "a", "ERROR the first");
    assert_eq!(feed.lines().unwrap(), ["ERROR the first"]);
    assert!(feed.lacks().is_empty());
}

#[test]
fn what_is_no_answer_is_an_error_of_the_source() {
    let matrix = r#"{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,"1"]]}]}}"#;
    let cases = [
        (
            400,
            "parse error at line 1, col 5: syntax error",
            SourceError::Other("parse error at line 1, col 5: syntax error".to_owned()),
        ),
        (400, "<html>", SourceError::Status(400)),
        (401, "no org id", SourceError::Login),
        (404, "404 page not found", SourceError::Status(404)),
        (
            429,
            "too many outstanding requests",
            SourceError::Status(429),
        ),
        (200, "<!doctype html>", SourceError::Unexpected),
        (
            200,
            r#"{"status":"success","data":{"res"#,
            SourceError::CutOff,
        ),
        (200, matrix, SourceError::NoLines),
    ];
    for (status, body, error) in cases {
        let loki = FakeLoki::start();
        loki.held().instead = Some((status, body));
        assert_eq!(loki.feed().lines().err(), Some(error), "{status} {body}");
    }
}

#[test]
fn a_line_without_a_level_has_that_of_its_stream() {
    let of = |level: &'static str| BTreeMap::from([("level".into(), level.into())]);
    assert_eq!(leveled("no answer", &of("error")), "ERROR no answer");
    assert_eq!(leveled("INFO well", &of("error")), "INFO well");
    assert_eq!(
        leveled("\tat a.B.c(D.java:1)", &of("error")),
        "\tat a.B.c(D.java:1)"
    );
    assert_eq!(leveled("no answer", &of("unknown")), "no answer");
}
