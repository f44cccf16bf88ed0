//! HTTP/1.1 exchanges in a simulated network: connections, times, failures.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "not every test binary uses all of the bed")]
mod common;

#[path = "http1/deadlines.rs"]
mod deadlines;
#[path = "http1/reuse.rs"]
mod reuse;

use std::time::Duration;

use bytes::Bytes;
use common::{Bed, ONE_WAY, Say, get, now};
use loadline_net::{BodyMode, Protocol, Request, Url};
use loadline_units::{Clock, RequestCounts};

const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const URL: &str = "http://10.0.0.1/";

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Holds the client's counts (sent, answered, failed, cut, sent again) against the server's.
fn assert_all_accounted_for(bed: &Bed, expected: [u64; 5]) {
    let counts = bed.client.take_requests();
    let [sent, answered, failed, cut, resent] = expected;
    let all = RequestCounts {
        sent,
        answered,
        failed,
        cut,
        resent,
        ..RequestCounts::default()
    };
    assert_eq!(counts, all);
    assert!(counts.is_complete());
    let at_the_server = bed.seen.borrow().requests.len() as u64;
    assert_eq!(counts.sent + counts.resent, at_the_server);
}

#[test]
fn each_phase_has_its_time_and_the_bytes_are_counted() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| {
        vec![
            Say::After(ms(30), OK[..20].to_vec()),
            Say::After(ms(50), OK[20..].to_vec()),
        ]
    });

    let (response, outcome) = bed.exchange(&get(URL));

    assert_eq!(outcome, Ok(()));
    assert_eq!(response.head.status(), 200);
    assert_eq!(response.body, b"ok");
    assert_eq!(response.protocol, Protocol::Http11);
    assert_eq!(response.remote, Some("10.0.0.1:80".parse().unwrap()));
    assert!(!response.reused);
    let timing = response.timing;
    assert_eq!(timing.blocked(), ONE_WAY * 2);
    assert_eq!(timing.connecting(), ONE_WAY * 2);
    assert_eq!(timing.sending(), Duration::ZERO);
    assert_eq!(timing.waiting(), ms(30) + ONE_WAY * 2);
    assert_eq!(timing.receiving(), ms(20));
    let request = bed.seen.borrow().requests[0].clone();
    assert_eq!(request, "GET / HTTP/1.1\r\nHost: 10.0.0.1\r\n\r\n");
    assert_eq!(response.bytes_sent, request.len() as u64);
    assert_eq!(response.bytes_received, OK.len() as u64);
    assert_eq!(
        bed.client.take_traffic(),
        (request.len() as u64, OK.len() as u64)
    );
    assert_eq!(bed.client.take_traffic(), (0, 0));
}

#[test]
fn a_refused_connection_has_no_times() {
    let mut bed = Bed::new();
    let (response, outcome) = bed.exchange(&get(URL));
    let failure = outcome.unwrap_err();
    assert_eq!(failure.code(), 1212);
    assert_eq!(failure.text(), "dial: connection refused");
    assert_eq!(response.timing.blocked(), Duration::ZERO);
    assert_eq!(response.timing.duration(), Duration::ZERO);
}

#[test]
fn bodies_are_kept_up_to_a_limit_or_discarded_in_constant_memory() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| {
        let mut answer = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
        for _ in 0..100 {
            answer.extend_from_slice(b"3e8\r\n");
            answer.extend_from_slice(&[b'x'; 1000]);
            answer.extend_from_slice(b"\r\n");
        }
        answer.extend_from_slice(b"0\r\n\r\n");
        vec![now(&answer)]
    });

    let (response, outcome) = bed.exchange_with(&get(URL), BodyMode::Keep { limit: 100_000 });
    assert_eq!(outcome, Ok(()));
    assert_eq!(response.body.len(), 100_000);

    let (response, outcome) = bed.exchange_with(&get(URL), BodyMode::Keep { limit: 99_999 });
    let failure = outcome.unwrap_err();
    assert_eq!(failure.code(), 1702);
    assert_eq!(
        failure.text(),
        "response body exceeds the limit of 99999 bytes"
    );
    assert_eq!(response.head.status(), 200);

    let (response, outcome) = bed.exchange_with(&get(URL), BodyMode::Discard);
    assert_eq!(outcome, Ok(()));
    assert_eq!(response.body.capacity(), 0);
    assert!(response.bytes_received > 100_000);
}

#[test]
fn a_declared_length_is_not_trusted_with_memory() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| {
        vec![
            now(b"HTTP/1.1 200 OK\r\nContent-Length: 60000000\r\n\r\nx"),
            Say::Close(Duration::ZERO),
        ]
    });
    let (response, outcome) = bed.exchange(&get(URL));
    assert_eq!(outcome.unwrap_err().text(), "unexpected EOF");
    assert!(response.body.capacity() <= 1024 * 1024);
}

#[test]
fn head_requests_and_empty_statuses_have_no_body() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, request| {
        if request.starts_with("HEAD") {
            vec![now(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")]
        } else {
            vec![now(b"HTTP/1.1 204 No Content\r\n\r\n")]
        }
    });
    let head = Request::new("HEAD", Url::parse(URL).unwrap());
    assert_eq!(bed.exchange(&head).1, Ok(()));
    let (response, _) = bed.exchange(&get(URL));
    assert_eq!((response.head.status(), response.reused), (204, true));
    assert!(bed.exchange(&get(URL)).0.reused);
}

#[test]
fn a_body_follows_its_head_and_large_ones_go_in_pieces() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| vec![now(OK)]);
    let mut post = Request::new("POST", Url::parse(URL).unwrap());
    post.set_body(Some(Bytes::from_static(b"hello")));
    bed.exchange(&post).1.unwrap();
    assert_eq!(bed.seen.borrow().pieces, 1);
    post.set_body(Some(Bytes::from(vec![b'z'; 100_000])));
    bed.exchange(&post).1.unwrap();

    let seen = bed.seen.borrow();
    assert!(seen.requests[0].ends_with("\r\n\r\nhello"));
    assert!(seen.requests[1].ends_with("zzz"));
    assert_eq!(seen.connections, 1);
}

#[test]
fn what_cannot_be_asked_for_fails_before_anything_is_sent() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| vec![now(OK)]);
    let mut bad_name = get(URL);
    bad_name.add_field("a b", "c");
    let mut bad_value = get(URL);
    bad_value.add_field("a", "c\nd");
    let bad_method = Request::new("B AD", Url::parse(URL).unwrap());
    for (request, code, text) in [
        (
            get("ftp://10.0.0.1/"),
            1000,
            "unsupported protocol scheme \"ftp\"",
        ),
        (get("not a url"), 1000, "unsupported protocol scheme \"\""),
        (get("http:///x"), 1000, "http: no Host in request URL"),
        (
            get("http://10.0.0.1:99999/"),
            1210,
            "dial tcp: address 99999: invalid port",
        ),
        (
            bad_name,
            1000,
            "net/http: invalid header field name \"a b\"",
        ),
        (
            bad_value,
            1000,
            "net/http: invalid header field value for \"A\"",
        ),
        (bad_method, 1000, "net/http: invalid method \"B AD\""),
    ] {
        let failure = bed.exchange(&request).1.unwrap_err();
        assert_eq!((failure.code(), failure.text().as_str()), (code, text));
    }
    assert_eq!(bed.seen.borrow().connections, 0);
}

/// What k6 shows for a server that sends these bytes and closes; the corpus holds
/// the same servers.
#[test]
fn malformed_responses_fail_with_k6s_texts() {
    for (answer, text) in [
        ("garbage\r\n\r\n", "malformed HTTP response \"garbage\""),
        ("garbage", "malformed HTTP response \"garbage\""),
        (
            "HTTP/1.1 200 OK\r\nContent-Le",
            "malformed MIME header: missing colon: \"Content-Le\"",
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\nhello",
            "bad Content-Length \"5, 5\"",
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
            "unsupported transfer encoding: \"gzip\"",
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "invalid byte in chunk length",
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello",
            "unexpected EOF",
        ),
        ("", "EOF"),
    ] {
        let mut bed = Bed::new();
        bed.serve(80, move |_, _, _| {
            vec![now(answer.as_bytes()), Say::Close(ms(5))]
        });
        let (_, outcome) = bed.exchange(&get(URL));
        let failure = outcome.unwrap_err();
        assert_eq!(
            (failure.code(), failure.text().as_str()),
            (1000, text),
            "{answer:?}"
        );
    }
}

#[test]
fn too_large_heads_have_a_code_of_their_own() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| {
        vec![now(format!(
            "HTTP/1.1 200 OK\r\nA: {}\r\n\r\n",
            "a".repeat(300_000)
        )
        .as_bytes())]
    });
    let failure = bed.exchange(&get(URL)).1.unwrap_err();
    assert_eq!(failure.code(), 1703);
    assert_eq!(failure.text(), "response headers exceeded 262144 bytes");
}

#[test]
fn a_broken_connection_in_the_body_keeps_what_came() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| {
        vec![
            now(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart"),
            Say::Reset(ms(3)),
        ]
    });
    let (response, outcome) = bed.exchange(&get(URL));
    let failure = outcome.unwrap_err();
    assert_eq!(failure.code(), 1220);
    assert_eq!(
        failure.log("GET", URL),
        "read tcp 10.255.0.1:40000->10.0.0.1:80: read: connection reset by peer"
    );
    assert_eq!(response.body, b"part");
    assert_eq!(response.head.status(), 200);
}

#[test]
fn dropping_an_exchange_closes_its_connection() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| vec![Say::After(ms(100), OK.to_vec())]);
    let client = bed.client.clone();
    let handle = bed.network.handle().clone();
    bed.run(async move {
        let request = get(URL);
        let options = loadline_net::ExchangeOptions {
            started: handle.now(),
            deadline: handle.now() + ms(1000),
            body: BodyMode::default(),
        };
        let mut response = loadline_net::Response::new();
        {
            let mut exchange = std::pin::pin!(client.exchange(&request, &options, &mut response));
            let mut sleep = std::pin::pin!(handle.sleep_until(handle.now() + ms(10)));
            std::future::poll_fn(|cx| {
                assert!(exchange.as_mut().poll(cx).is_pending());
                sleep.as_mut().poll(cx)
            })
            .await;
        }
        handle.sleep_until(handle.now() + ms(1)).await;
    });
    assert_eq!(bed.seen.borrow().closed, 1);
    let cut = bed.client.take_cut();
    assert_eq!(cut.len(), 1, "and is told with its beginning");
    assert!(cut[0].started < bed.world.now());
    assert!(bed.client.take_cut().is_empty(), "once");
    assert_all_accounted_for(&bed, [1, 0, 0, 1, 0]);
    assert_eq!(bed.exchange(&get(URL)).1, Ok(()));
}
