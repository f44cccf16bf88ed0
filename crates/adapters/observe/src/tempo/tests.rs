//! A Tempo that answers as its documentation says.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Mutex;

use loadline_net::NetworkSettings;
use loadline_otlp::{ResourceSpans, ScopeSpans, Span};
use loadline_record::signals::SignalKind;

use super::*;

/// What was asked for, in order.
type Asked = Arc<Mutex<Vec<String>>>;

/// A trace of one request that took 100 ms.
fn trace() -> Vec<u8> {
    let span = Span {
        trace_id: vec![7; 16],
        span_id: vec![1; 8],
        name: "GET /orders".to_owned(),
        kind: 2,
        start_time_unix_nano: 1_000_000_000,
        end_time_unix_nano: 1_100_000_000,
        ..Span::default()
    };
    let of_scope = ScopeSpans { spans: vec![span] };
    let resource = ResourceSpans {
        scope_spans: vec![of_scope],
        ..ResourceSpans::default()
    };
    ExportTraceServiceRequest {
        resource_spans: vec![resource],
    }
    .encode_to_vec()
}

/// A server that finds one trace and one that is gone, or refuses the query.
fn tempo(is_refusing: bool) -> (String, Asked) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let asked = Asked::default();
    let log = asked.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = vec![0; 8192];
            let length = stream.read(&mut request).unwrap();
            let request = String::from_utf8_lossy(&request[..length]).into_owned();
            let path = request.split(' ').nth(1).unwrap().to_owned();
            let search = br#"{"traces":[{"traceID":"707"},{"traceID":"909"},{"traceID":"../x"}],"metrics":{}}"#;
            let (status, body) = match path.as_str() {
                _ if is_refusing => ("400 Bad Request", b"invalid TraceQL query\n".to_vec()),
                path if path.starts_with("/t/api/search?") => ("200 OK", search.to_vec()),
                "/t/api/traces/707" => ("200 OK", trace()),
                _ => ("404 Not Found", Vec::new()),
            };
            log.lock().unwrap().push(request);
            let head = format!(
                "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all(head.as_bytes());
            let _ = stream.write_all(&body);
        }
    });
    (format!("http://ann:s3cret@{address}/t/"), asked)
}

fn source(url: &str) -> TempoSource {
    let setup = ObserverSetup {
        addresses: Vec::new(),
        every: Duration::from_secs(1),
        clock: MonotonicClock::start(),
        seed: 1,
        wall_clock: || SystemTime::UNIX_EPOCH + Duration::from_secs(1_000),
        network: Arc::new(|_| Ok(NetworkSettings::default())),
        listener: Arc::new(|_| ()),
    };
    let url = Url::parse(url).unwrap();
    TempoSource::new(
        &url,
        "{resource.service.name=\"shop\"}",
        Some("team"),
        &setup,
    )
    .unwrap()
}

#[test]
fn traces_are_found_and_fetched_once_and_one_that_is_gone_is_no_failure() {
    let (url, asked) = tempo(false);
    let mut source = source(&url);
    for _ in 0..=LOOKS_APART {
        source.read(&mut Reading::default()).unwrap();
    }
    source.received.settle_all();
    let mut reading = Reading::default();
    source.received.give(&mut reading).unwrap();
    let time = |kind| {
        let mut values = reading.values.iter();
        values.find(|one| one.0 == kind).map(|one| one.2)
    };
    assert_eq!(time(SignalKind::TracedRequests), Some(1.0));
    assert!((time(SignalKind::TracedTime).unwrap() - 0.1).abs() < 1e-9);
    assert!(
        time(SignalKind::ClockAhead).is_none(),
        "it was kept, not sent"
    );
    let asked = asked.lock().unwrap();
    let of = |word: &str| asked.iter().filter(|one| one.contains(word)).count();
    assert_eq!(of("/api/search?"), 2);
    assert_eq!(of("/api/traces/"), 2, "{asked:?}");
    assert!(
        asked[0].contains("q=%7Bresource.service.name%3D%22shop%22%7D&start=996&end=997"),
        "{}",
        asked[0]
    );
    assert!(
        asked[0].to_lowercase().contains("x-scope-orgid: team"),
        "{}",
        asked[0]
    );
    assert!(
        asked[0].to_lowercase().contains("authorization: basic "),
        "{}",
        asked[0]
    );
    assert!(
        asked[1]
            .to_lowercase()
            .contains("accept: application/protobuf")
    );
}

#[test]
fn a_query_that_is_refused_is_told_in_tempos_words() {
    let (url, _) = tempo(true);
    let told = source(&url).read(&mut Reading::default());
    assert_eq!(
        told,
        Err(SourceError::Other("invalid TraceQL query".to_owned()))
    );
}

#[test]
fn what_is_no_answer_is_an_error() {
    assert_eq!(found(b"<html>"), Err(SourceError::Unexpected));
    assert!(spans(b"{\"batches\":[]}").is_err());
    assert_eq!(read_traces(b"{\"traces\":[{\"traceID\":\"ab\"}]}"), 1);
}
