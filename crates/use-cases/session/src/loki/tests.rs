use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use crossbeam_channel::{Receiver, unbounded};
use serde_json::{Value, json};

use super::*;

fn settings() -> LokiSettings {
    LokiSettings {
        // Long enough that only `finish` pushes.
        push_period: Duration::from_secs(60),
        ..LokiSettings::default()
    }
}

/// Answers each request with `answer`; gives the address and what was sent.
fn receiver(answer: &'static str) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/loki/api/v1/push", listener.local_addr().unwrap());
    let (tell, told) = unbounded();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut text = String::new();
            while !text.ends_with("]}") {
                let mut part = [0; 4096];
                let count = stream.read(&mut part).unwrap();
                text.push_str(std::str::from_utf8(&part[..count]).unwrap());
            }
            stream.write_all(answer.as_bytes()).unwrap();
            let _ = tell.send(text);
        }
    });
    (address, told)
}

fn epoch() -> SystemTime {
    UNIX_EPOCH + Duration::from_nanos(1_700_000_000_000_000_001)
}

fn started(settings: LokiSettings) -> (LokiLog, Receiver<Entry>) {
    let (tell, told) = unbounded();
    let listener = Box::new(move |entry| {
        let _ = tell.send(entry);
    });
    let log = LokiLog::start(settings, &BTreeMap::new(), epoch, listener);
    (log.unwrap(), told)
}

fn body(request: &str) -> Value {
    let (_, body) = request.split_once("\r\n\r\n").unwrap();
    serde_json::from_str(body).unwrap()
}

const NO_CONTENT: &str = "HTTP/1.1 204 No Content\r\n\r\n";

#[test]
fn what_is_left_at_the_end_is_pushed() {
    let (address, sent) = receiver(NO_CONTENT);
    let (log, told) = started(LokiSettings {
        address,
        labels: vec![("run".into(), "7".into())],
        headers: vec![("X-Scope-OrgID".into(), "me".into())],
        ..settings()
    });
    log.push(Entry::new(LogLevel::Info, "hello").with("source", "console"));
    log.finish();
    let request = sent.recv().unwrap();
    assert!(request.starts_with("POST /loki/api/v1/push HTTP/1.1\r\n"));
    let request_lower = request.to_ascii_lowercase();
    assert!(request_lower.contains("\r\nx-scope-orgid: me\r\n"));
    assert!(request_lower.contains("\r\ncontent-type: application/json\r\n"));
    let expected = json!({ "streams": [{
        "stream": { "level": "info", "run": "7", "source": "console" },
        "values": [["1700000000000000001", "hello"]],
    }]});
    assert_eq!(body(&request), expected);
    assert!(told.try_recv().is_err());
}

#[test]
fn lines_above_the_limit_are_counted_in_a_line_of_their_own() {
    let (address, sent) = receiver(NO_CONTENT);
    let (log, _told) = started(LokiSettings {
        address,
        limit: 2,
        allowed_labels: Some(vec!["level".into()]),
        ..settings()
    });
    for number in 0..5 {
        log.push(Entry::new(LogLevel::Info, format!("line {number}")).with("source", "console"));
    }
    log.finish();
    let time = "1700000000000000001";
    let expected = json!({ "streams": [
        { "stream": { "level": "info" }, "values": [
            [time, "line 0 source=console"], [time, "line 1 source=console"],
        ]},
        { "stream": { "level": "warning" }, "values": [
            [time, "k6 dropped 3 log messages because they were above the limit of 2 messages / 1m0s"],
        ]},
    ]});
    assert_eq!(body(&sent.recv().unwrap()), expected);
}

#[test]
fn a_refused_push_is_told() {
    let (address, _sent) =
        receiver("HTTP/1.1 429 Too Many Requests\r\nContent-Length: 5\r\n\r\nslow!");
    let (log, told) = started(LokiSettings {
        address,
        ..settings()
    });
    log.push(Entry::new(LogLevel::Error, "x"));
    log.finish();
    let expected = Entry::new(LogLevel::Error, "Error while sending logs to loki")
        .with("error", "got 429 from loki: slow!");
    assert_eq!(told.try_recv(), Ok(expected));
}
