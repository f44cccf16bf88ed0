//! What callers may ask of a gate, and what becomes of those who ask more.

use super::super::{PendingGate, limits, visitors};
use super::Site;
use super::sockets::until;
use crate::gate::{EdgeLimits, GateOptions};
use crate::storage::memory::{Memory, MemoryStore};
use axum::http::StatusCode;
use loadline_listen::Listener;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

fn without_limits() -> EdgeLimits {
    EdgeLimits {
        joins_per_address: 0,
        polls_ahead: 0,
        ..EdgeLimits::default()
    }
}

/// A gate on a socket, whose store is in memory, so that time may be paused.
struct Door {
    site: Site,
    queue: String,
    address: std::net::SocketAddr,
}

impl Door {
    async fn open(allowed: EdgeLimits) -> Self {
        let store = Arc::new(MemoryStore::new(&Arc::new(Memory::default())));
        let connections = allowed.connections;
        let site = Site::with_limits(store, 1, allowed).await;
        Self::serve(site, connections).await
    }

    /// A gate behind a proxy of this machine.
    async fn behind_proxy(allowed: EdgeLimits) -> Self {
        let store = Arc::new(MemoryStore::new(&Arc::new(Memory::default())));
        let connections = allowed.connections;
        let options = GateOptions {
            trusted_proxies: vec!["127.0.0.0/8".parse().unwrap()],
            ..Site::options(allowed)
        };
        let site = Site::with_options(store, 1, options).await;
        Self::serve(site, connections).await
    }

    async fn serve(site: Site, connections: usize) -> Self {
        let queue = site.one_queue(json!({ "mode": "hold" })).await;
        let bounds = limits(connections);
        let listener = Listener::bind("127.0.0.1:0".parse().unwrap(), bounds).unwrap();
        let address = listener.address();
        let pending = PendingGate::default();
        pending.open(site.gate.clone());
        tokio::spawn(async move {
            let serving = visitors(&pending);
            listener
                .serve_connections(serving, std::future::pending())
                .await
        });
        Self {
            site,
            queue,
            address,
        }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// Sends bytes on a connection of their own, and reads to its end.
    async fn answer_to(&self, bytes: &str) -> String {
        let mut socket = self.connect().await;
        socket.write_all(bytes.as_bytes()).await.unwrap();
        let mut said = String::new();
        socket.read_to_string(&mut said).await.unwrap();
        said
    }
}

/// A site with one gate and these limits.
async fn limited(limits: EdgeLimits) -> Site {
    let store = Arc::new(MemoryStore::new(&Arc::new(Memory::default())));
    Site::with_limits(store, 1, limits).await
}

#[tokio::test(start_paused = true)]
async fn polls_much_sooner_than_told_are_refused_and_those_in_time_are_not() {
    let allowed = EdgeLimits {
        polls_ahead: 5,
        ..without_limits()
    };
    let site = limited(allowed).await;
    let queue = site.one_queue(json!({ "mode": "hold" })).await;
    let token = site.join(&queue).await;
    let me = format!("/q/{queue}/me");
    let mut refused = 0;
    for _ in 0..20 {
        let answer = site.as_visitor(&token, "GET", &me, Value::Null).await;
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            assert_eq!(answer.code(), "too_fast");
            assert!(answer.header("retry-after").parse::<u64>().unwrap() > 0);
            refused += 1;
        }
    }
    assert_eq!(refused, 14);
    let other = site.join(&queue).await;
    for _ in 0..20 {
        let answer = site.as_visitor(&other, "GET", &me, Value::Null).await;
        let told = answer.json()["poll_after_ms"].as_u64().unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(told)).await;
    }
    for n in 0..20 {
        let join = format!("/q/{queue}/join");
        let again = site.as_visitor(&other, "POST", &join, Value::Null).await;
        let expected = if n < 6 { 200 } else { 429 };
        assert_eq!(again.status.as_u16(), expected, "{n}: {}", again.text);
    }
}

#[tokio::test(start_paused = true)]
async fn joins_claims_and_leaves_without_a_pause_are_refused() {
    let allowed = EdgeLimits {
        polls_ahead: 5,
        ..without_limits()
    };
    let site = limited(allowed).await;
    let queue = site.one_queue(json!({ "mode": "hold" })).await;
    for call in ["join", "claim", "leave"] {
        let token = site.join(&queue).await;
        let uri = format!("/q/{queue}/{call}");
        for n in 0..20 {
            let again = site.as_visitor(&token, "POST", &uri, Value::Null).await;
            let is_refused = again.status == StatusCode::TOO_MANY_REQUESTS;
            assert_eq!(is_refused, n >= 6, "{call} {n}: {}", again.text);
            let told = again.header("retry-after").parse::<u64>();
            assert!(!is_refused || told.unwrap() > 0, "{call}");
        }
        tokio::time::sleep(Duration::from_secs(5)).await;
        let later = site.as_visitor(&token, "POST", &uri, Value::Null).await;
        assert_ne!(later.status, StatusCode::TOO_MANY_REQUESTS, "{call}");
    }
}

/// What the proxy says of the visitor counts, with a port or without: its share of joins, and
/// whether its network is served. The proxy's own connections are not limited.
#[tokio::test]
async fn behind_a_trusted_proxy_shares_and_refusals_are_the_visitors() {
    let door = Door::behind_proxy(EdgeLimits {
        joins_per_address: 2,
        connections_per_address: Some(1),
        ..without_limits()
    })
    .await;
    let _of_proxy = door.connect().await;
    for (visitor, status, code) in [
        ("192.0.2.1:4711", 201, "\"waiting\""),
        ("203.0.113.9, 192.0.2.1", 201, "\"waiting\""),
        ("192.0.2.1:4712", 429, "\"join_limit\""),
        ("192.0.2.2", 201, "\"waiting\""),
        ("198.51.100.7:80", 403, "\"network_refused\""),
    ] {
        let join = format!(
            "POST /q/{}/join HTTP/1.1\r\nHost: gate\r\nX-Forwarded-For: {visitor}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            door.queue
        );
        let said = door.answer_to(&join).await;
        assert!(
            said.starts_with(&format!("HTTP/1.1 {status} ")),
            "{visitor}: {said}"
        );
        assert!(said.contains(code), "{visitor}: {said}");
    }
}

/// Of a poll, which is answered without the router, and of another call.
#[tokio::test(start_paused = true)]
async fn an_answer_that_is_left_unread_is_not_waited_for() {
    let door = Door::open(without_limits()).await;
    let token = door.site.join(&door.queue).await;
    for call in ["me", "status"] {
        let ask = format!(
            "GET /q/{}/{call} HTTP/1.1\r\nHost: gate\r\nAuthorization: Bearer {token}\r\n\r\n",
            door.queue
        );
        // Time stands still while a blocking task goes on: the kernel takes some to bring bytes.
        let (done, is_done) = std::sync::mpsc::channel::<()>();
        let still = tokio::task::spawn_blocking(move || is_done.recv());
        let socket = door.connect().await.into_std().unwrap();
        let (socket, error) = written_until_it_fails(socket, ask.repeat(1_000)).await;
        assert!(
            is_full(&error),
            "{call}: read no further, and held: {error}"
        );
        tokio::time::advance(Duration::from_secs(29)).await;
        let (socket, error) = written_until_it_fails(socket, ask.clone()).await;
        assert!(is_full(&error), "{call}: held for 29 s: {error}");
        tokio::time::advance(Duration::from_secs(2)).await;
        let mut ended = (socket, error);
        for _ in 0..20 {
            if !is_full(&ended.1) {
                break;
            }
            ended = written_until_it_fails(ended.0, ask.clone()).await;
        }
        assert!(!is_full(&ended.1), "{call}: hung up after 30 s");
        drop(done);
        let _ = still.await.unwrap();
    }
}

fn is_full(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::WouldBlock
}

/// Writes `many` again and again until there is no room for half a second, or the other end hung up.
async fn written_until_it_fails(
    mut socket: std::net::TcpStream,
    many: String,
) -> (std::net::TcpStream, std::io::Error) {
    let writing = tokio::task::spawn_blocking(move || {
        socket.set_nonblocking(false).unwrap();
        let patience = Duration::from_millis(500);
        socket.set_write_timeout(Some(patience)).unwrap();
        loop {
            if let Err(error) = std::io::Write::write_all(&mut socket, many.as_bytes()) {
                return (socket, error);
            }
        }
    });
    writing.await.unwrap()
}

/// Else one client's calls, which the kernel would take by the megabyte, cost seconds of all.
#[tokio::test]
async fn few_calls_are_answered_of_a_client_that_reads_no_answers() {
    let door = Door::open(without_limits()).await;
    let token = door.site.join(&door.queue).await;
    for call in ["me", "status"] {
        let ask = format!(
            "GET /q/{}/{call} HTTP/1.1\r\nHost: gate\r\nAuthorization: Bearer {token}\r\n\r\n",
            door.queue
        );
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.set_send_buffer_size(16 * 1024).unwrap();
        let mut socket = socket.connect(door.address).await.unwrap();
        let many = ask.repeat(20_000);
        let (mut sent, patience) = (0, Duration::from_millis(500));
        while let Ok(Ok(more @ 1..)) =
            tokio::time::timeout(patience, socket.write(&many.as_bytes()[sent..])).await
        {
            sent += more;
        }
        let calls = sent / ask.len();
        assert!(calls < 3_000, "{call}: {calls} were taken");
    }
}

/// Else whoever waits on a stream hears of the turn only after all of them.
#[tokio::test]
async fn who_sends_many_calls_at_once_takes_turns_with_the_others() {
    let door = Door::open(without_limits()).await;
    let token = door.site.join(&door.queue).await;
    for call in ["me", "status"] {
        let ask = format!(
            "GET /q/{}/{call} HTTP/1.1\r\nHost: gate\r\nAuthorization: Bearer {token}\r\n\r\n",
            door.queue
        );
        // Less than the gate reads ahead.
        let mut many = door.connect().await;
        many.write_all(ask.repeat(60).as_bytes()).await.unwrap();
        let mut other = door.connect().await;
        let health = "GET /healthz HTTP/1.1\r\nHost: gate\r\nConnection: close\r\n\r\n";
        other.write_all(health.as_bytes()).await.unwrap();
        let mut said = String::new();
        until(&mut other, &mut said, "ok\n").await;

        let mut answered = [0; 60_000];
        let length = many.try_read(&mut answered).unwrap_or(0);
        let answered = String::from_utf8_lossy(&answered[..length]);
        let count = answered.matches("HTTP/1.1 200 OK").count();
        assert!(count < 60, "{call}: all {count} came first");
    }
}

#[tokio::test]
async fn nothing_is_read_for_a_queue_that_is_not_there_and_no_long_body_for_any() {
    let door = Door::open(without_limits()).await;
    let post = |queue: &str, length: usize, body: &str| {
        format!(
            "POST /q/{queue}/join HTTP/1.1\r\nHost: gate\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
    };
    // The body never comes.
    let nowhere = door
        .answer_to(&post("q_0123456789abcdef", 4_000_000, ""))
        .await;
    assert!(nowhere.starts_with("HTTP/1.1 404 "), "{nowhere}");
    let long = "x".repeat(5_000);
    let long = door.answer_to(&post(&door.queue, long.len(), &long)).await;
    assert!(long.starts_with("HTTP/1.1 413 "), "{long}");
}

#[tokio::test(start_paused = true)]
async fn heads_and_bodies_that_do_not_come_are_not_waited_for() {
    let door = Door::open(without_limits()).await;
    let begun = tokio::time::Instant::now();
    let half_a_body = format!(
        "POST /q/{}/join HTTP/1.1\r\nHost: gate\r\nContent-Length: 100\r\n\r\n{{",
        door.queue
    );
    let said = door.answer_to(&half_a_body).await;
    assert!(said.starts_with("HTTP/1.1 408 "), "{said}");
    assert!(begun.elapsed().as_secs() < 20);
    let begun = tokio::time::Instant::now();
    assert_eq!(door.answer_to("GET /q/").await, "");
    assert!(begun.elapsed().as_secs() < 12);
}

#[tokio::test]
async fn streams_go_first_when_connections_run_short_and_nobody_is_left_hanging() {
    let allowed = EdgeLimits {
        connections: 40,
        ..without_limits()
    };
    let door = Door::open(allowed).await;
    let mut streams = Vec::new();
    for _ in 0..5 {
        let token = door.site.join(&door.queue).await;
        let mut socket = door.connect().await;
        let open = format!(
            "GET /q/{}/events HTTP/1.1\r\nHost: gate\r\nAuthorization: Bearer {token}\r\n\r\n",
            door.queue
        );
        socket.write_all(open.as_bytes()).await.unwrap();
        let mut said = String::new();
        until(&mut socket, &mut said, "event: state").await;
        streams.push((socket, said));
    }
    // 33 of 40 are more than four fifths.
    let mut idle = Vec::new();
    for _ in 0..28 {
        idle.push(door.connect().await);
    }
    for (socket, said) in &mut streams {
        until(socket, said, "event: bye").await;
    }
    let token = door.site.join(&door.queue).await;
    let request = |call: &str| {
        format!(
            "GET /q/{}/{call} HTTP/1.1\r\nHost: gate\r\nAuthorization: Bearer {token}\r\n\r\n",
            door.queue
        )
    };
    drop(streams);
    while idle.len() < 33 {
        idle.push(door.connect().await);
    }
    let poll = door.answer_to(&request("me")).await;
    assert!(poll.starts_with("HTTP/1.1 200 "), "{poll}");
    assert!(poll.contains("connection: close"), "{poll}");
    let stream = door.answer_to(&request("events")).await;
    assert!(stream.contains("\"streams_full\""), "{stream}");
    while idle.len() < 36 {
        idle.push(door.connect().await);
    }
    let refused = door.answer_to(&request("me")).await;
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    assert!(refused.contains("retry-after: 5\r\n"), "{refused}");
    assert!(refused.contains("\"busy\""), "{refused}");
}

#[tokio::test]
async fn an_address_has_its_share_of_connections() {
    let allowed = EdgeLimits {
        connections_per_address: Some(2),
        ..without_limits()
    };
    let door = Door::open(allowed).await;
    let first = door.connect().await;
    let _second = door.connect().await;
    let poll = format!(
        "GET /q/{}/status HTTP/1.1\r\nHost: gate\r\nConnection: close\r\n\r\n",
        door.queue
    );
    let refused = door.answer_to(&poll).await;
    assert!(refused.starts_with("HTTP/1.1 429 "), "{refused}");
    drop(first);
    // Its end is seen a moment later.
    while !door.answer_to(&poll).await.starts_with("HTTP/1.1 200 ") {}
}

#[tokio::test]
async fn a_network_that_is_refused_gets_no_place() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({ "mode": "hold" })).await;
    let edge = super::Edge::new(site.gate.clone());
    assert!(edge.refuses("198.51.100.7".parse().unwrap()));
    assert!(!edge.refuses("192.0.2.7".parse().unwrap()));
    let refused = edge.take_connection("198.51.100.7".parse().unwrap());
    assert_eq!(refused.err().unwrap().kind().1, "network_refused");
    site.join(&queue).await;
}

#[tokio::test]
async fn everybody_together_joins_so_often_a_second() {
    let allowed = EdgeLimits {
        joins_per_s: 3,
        ..without_limits()
    };
    let site = limited(allowed).await;
    let queue = site.one_queue(json!({ "mode": "hold" })).await;
    let join = format!("/q/{queue}/join");
    let mut codes = Vec::new();
    for _ in 0..10 {
        let answer = site.public("POST", &join, &[], Value::Null).await;
        codes.push(answer.status.as_u16());
    }
    assert!(codes.contains(&201) && codes.contains(&429), "{codes:?}");
}

/// A proxy may have read another host than the gate would.
#[tokio::test]
async fn a_request_names_one_host() {
    let door = Door::open(without_limits()).await;
    let token = door.site.join(&door.queue).await;
    let shown = format!("Authorization: Bearer {token}\r\nConnection: close\r\n");
    let queue = &door.queue;
    for (line, hosts, status) in [
        ("me HTTP/1.1", "", 400),
        ("status HTTP/1.1", "", 400),
        ("me HTTP/1.1", "Host: gate\r\nHost: other\r\n", 400),
        ("status HTTP/1.1", "Host: gate\r\nHost: other\r\n", 400),
        ("me HTTP/1.1", "Host: gate\r\n", 200),
        ("me HTTP/1.0", "", 200),
    ] {
        let said = door
            .answer_to(&format!("GET /q/{queue}/{line}\r\n{hosts}{shown}\r\n"))
            .await;
        assert_eq!(said[9..12], status.to_string(), "{line} {hosts}: {said}");
        assert_eq!(said.contains("bad_request"), status == 400, "{said}");
    }
}

/// Of bodies and addresses that cannot be read, too: programs read the code.
#[tokio::test]
async fn what_cannot_be_read_is_an_error_of_the_api() {
    let door = Door::open(without_limits()).await;
    let post = format!(
        "POST /q/{}/join HTTP/1.1\r\nHost: gate\r\nConnection: close\r\n",
        door.queue
    );
    let pieces = "1\r\na\r\n".repeat(5_000);
    for (request, code) in [
        (
            format!("{post}Transfer-Encoding: chunked\r\n\r\n{pieces}0\r\n\r\n"),
            "too_long",
        ),
        (
            format!("{post}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF0\r\n{{}}"),
            "bad_request",
        ),
        (
            "GET /q/%ff%fe/status HTTP/1.1\r\nHost: gate\r\nConnection: close\r\n\r\n".to_owned(),
            "bad_request",
        ),
    ] {
        let said = door.answer_to(&request).await;
        assert!(
            said.contains(&format!("\"code\":\"{code}\"")),
            "{code}: {said}"
        );
        assert!(said.contains("application/json"), "{code}: {said}");
    }
}
