//! Bodies that are read as they come, in a simulated network.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "other tests use the rest of it")]
mod common;

use std::time::{Duration, UNIX_EPOCH};

use common::{Bed, Say, get, now};
use loadline_net::{
    Agent, AgentContext, BodyStream, ExchangeOptions, OpenOptions, Request, Response,
};
use loadline_units::{Clock, Time};

const URL: &str = "http://10.0.0.1/";
const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

fn after(millis: u64, bytes: &[u8]) -> Say {
    Say::After(Duration::from_millis(millis), bytes.to_vec())
}

/// What a stream came to: each piece with the millisecond it came at, and the end.
type Read = (Vec<(u64, String)>, Result<(), String>);

async fn read_all(mut body: BodyStream, response: &mut Response, now: impl Fn() -> Time) -> Read {
    let mut pieces = Vec::new();
    loop {
        let mut piece = Vec::new();
        match body.next(response, &mut piece).await {
            Ok(true) => {
                let millis = now().as_nanos() / 1_000_000;
                pieces.push((millis, String::from_utf8(piece).unwrap()));
            }
            Ok(false) => return (pieces, Ok(())),
            Err(failure) => return (pieces, Err(failure.text())),
        }
    }
}

fn stream(bed: &mut Bed, timeout: Duration) -> Read {
    let client = bed.client.clone();
    let handle = bed.network.handle().clone();
    let started = bed.world.now();
    let options = ExchangeOptions {
        started,
        deadline: started + timeout,
        body: loadline_net::BodyMode::Discard,
    };
    bed.run(async move {
        let mut response = Response::new();
        let request = get(URL);
        match client.open(&request, &options, &mut response).await {
            Ok(body) => read_all(body, &mut response, || handle.now()).await,
            Err(failure) => (Vec::new(), Err(failure.text())),
        }
    })
}

#[test]
fn pieces_are_handed_on_when_they_come_and_the_connection_serves_again() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| {
        vec![
            now(HEAD),
            after(10, b"1\r\na\r\n"),
            after(20, b"1\r\nb\r\n1\r\nc\r\n"),
            after(30, b"0\r\n\r\n"),
        ]
    });
    let (pieces, end) = stream(&mut bed, Duration::from_secs(1));
    assert_eq!(end, Ok(()));
    assert_eq!(pieces, [(10, "a".to_owned()), (20, "bc".to_owned())]);
    assert_eq!(bed.client.idle_connections(), 1);
    let (pieces, _) = stream(&mut bed, Duration::from_secs(1));
    assert_eq!(pieces.len(), 2);
    assert_eq!(bed.seen.borrow().connections, 1);
}

#[test]
fn what_came_with_the_head_is_not_lost() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| {
        vec![
            now(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab"),
            after(5, b"cd"),
        ]
    });
    let (pieces, end) = stream(&mut bed, Duration::from_secs(1));
    assert_eq!(
        (pieces[0].1.as_str(), pieces[1].1.as_str(), end),
        ("ab", "cd", Ok(()))
    );
}

#[test]
fn an_empty_body_ends_at_once() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| {
        vec![now(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")]
    });
    assert_eq!(
        stream(&mut bed, Duration::from_secs(1)),
        (Vec::new(), Ok(()))
    );
}

#[test]
fn a_stream_that_breaks_says_so_after_what_came() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| {
        vec![
            now(HEAD),
            after(1, b"1\r\na\r\n"),
            Say::Close(Duration::from_millis(2)),
        ]
    });
    let (pieces, end) = stream(&mut bed, Duration::from_secs(1));
    assert_eq!(pieces.len(), 1);
    assert_eq!(end, Err("unexpected EOF".to_owned()));
    assert_eq!(bed.client.idle_connections(), 0);
}

#[test]
fn the_deadline_holds_for_the_body_too() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| {
        vec![now(HEAD), after(1, b"1\r\na\r\n"), after(900, b"0\r\n\r\n")]
    });
    let (pieces, end) = stream(&mut bed, Duration::from_millis(100));
    assert_eq!(pieces.len(), 1);
    assert_eq!(end, Err("request timeout".to_owned()));
    assert_eq!(bed.world.now().as_nanos() / 1_000_000, 100);
}

#[test]
fn a_stream_given_up_closes_its_connection() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| vec![now(HEAD), after(1, b"1\r\na\r\n")]);
    let client = bed.client.clone();
    let started = bed.world.now();
    let options = ExchangeOptions {
        started,
        deadline: Time::MAX,
        body: loadline_net::BodyMode::Discard,
    };
    bed.run(async move {
        let mut response = Response::new();
        let mut body = client
            .open(&get(URL), &options, &mut response)
            .await
            .unwrap();
        let mut piece = Vec::new();
        assert_eq!(body.next(&mut response, &mut piece).await, Ok(true));
    });
    bed.wait(Duration::from_millis(1));
    assert_eq!(bed.seen.borrow().closed, 1);
    assert_eq!(bed.client.idle_connections(), 0);
}

#[test]
fn an_idle_connection_that_died_is_replaced() {
    let mut bed = Bed::new();
    bed.serve(80, |connection, request, _| match (connection, request) {
        (0, 1) => vec![Say::Close(Duration::ZERO)],
        _ => vec![now(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")],
    });
    for _ in 0..2 {
        assert_eq!(stream(&mut bed, Duration::from_secs(1)).1, Ok(()));
    }
    assert_eq!(bed.seen.borrow().connections, 2);
}

fn agent_opens(bed: &mut Bed, request: Request) -> Result<Read, String> {
    let shared = AgentContext::new(&bed.network, UNIX_EPOCH, |bytes| bytes.fill(0));
    let agent = Agent::new(bed.client.clone(), shared);
    let handle = bed.network.handle().clone();
    bed.run(async move {
        let mut response = Response::new();
        let options = OpenOptions {
            deadline: Time::MAX,
            jar: None,
        };
        let opened = agent.open(&request, &options, &mut response).await;
        match opened {
            Ok(body) => Ok(read_all(body, &mut response, || handle.now()).await),
            Err(error) => Err(error.text),
        }
    })
}

#[test]
fn redirects_are_followed_to_the_stream_and_not_for_ever() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, request| {
        let to = |place: &str| {
            let head =
                format!("HTTP/1.1 302 Found\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n");
            vec![now(head.as_bytes())]
        };
        if request.starts_with("GET /loop") {
            to("/loop")
        } else if request.starts_with("GET / ") {
            to("/there")
        } else {
            vec![now(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")]
        }
    });
    let (pieces, end) = agent_opens(&mut bed, get(URL)).unwrap();
    assert_eq!((pieces[0].1.as_str(), end), ("ok", Ok(())));
    let error = agent_opens(&mut bed, get("http://10.0.0.1/loop")).unwrap_err();
    assert_eq!(
        error,
        "Get \"http://10.0.0.1/loop\": stopped after 10 redirects"
    );
    let loops = bed
        .seen
        .borrow()
        .requests
        .iter()
        .filter(|r| r.starts_with("GET /loop"))
        .count();
    assert_eq!(loops, 10);
}
