use std::net::Ipv4Addr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::*;

fn options() -> MockOptions {
    MockOptions {
        address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        admin: Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))),
        wall_clock: || SystemTime::UNIX_EPOCH,
    }
}

/// One request on a connection of its own; the whole answer.
async fn ask(address: SocketAddr, head: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let length = body.len();
    let text = format!(
        "{head} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(text.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn a_route_answers_with_its_body_and_others_are_not_found() {
    let text =
        "routes:\n  - method: GET\n    path: /deers/{id}\n    body: '{\"id\":{{path.id}}}'\n";
    let mock = Mock::bind(&options(), MockSpec::parse(text).unwrap()).unwrap();
    let (address, admin, status) = (mock.address(), mock.admin_address().unwrap(), mock.watch());
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let served = tokio::spawn(mock.serve(async {
        let _ = stopped.await;
    }));
    assert!(
        ask(address, "GET /deers/7", "")
            .await
            .ends_with("{\"id\":7}")
    );
    assert!(
        ask(address, "POST /deers/7", "x")
            .await
            .starts_with("HTTP/1.1 404")
    );
    let known = status();
    assert_eq!(
        (known.requests, known.answers[2], known.answers[4]),
        (2, 1, 1)
    );
    assert!(known.added_p99_ms.is_some());
    // Changed at run time.
    let changed = ask(admin, "PUT /routes", "routes:\n  - status: 503\n").await;
    assert!(changed.starts_with("HTTP/1.1 204"), "{changed}");
    assert!(
        ask(address, "GET /deers/7", "")
            .await
            .starts_with("HTTP/1.1 503")
    );
    let refused = ask(admin, "PUT /latency", "soon").await;
    assert!(refused.contains("bad_latency"), "{refused}");
    assert!(
        ask(admin, "PUT /latency", "1ms")
            .await
            .starts_with("HTTP/1.1 204")
    );
    assert!(
        ask(admin, "GET /metrics", "")
            .await
            .contains("loadline_mock_requests_total 3")
    );
    assert!(ask(admin, "GET /self", "").await.contains("\"limited_by\""));
    stop.send(()).unwrap();
    assert_eq!(served.await.unwrap().cut, 0);
}

#[tokio::test]
async fn http2_without_tls_is_served_on_the_same_port() {
    let mock = Mock::bind(&options(), MockSpec::of_route(crate::RouteSpec::default())).unwrap();
    let address = mock.address();
    tokio::spawn(mock.serve(std::future::pending()));
    let stream = TcpStream::connect(address).await.unwrap();
    let (client, connection) = h2::client::handshake(stream).await.unwrap();
    tokio::spawn(connection);
    let mut client = client.ready().await.unwrap();
    let request = http::Request::get("http://localhost/x").body(()).unwrap();
    let (answer, _) = client.send_request(request, true).unwrap();
    assert_eq!(answer.await.unwrap().status(), 200);
}

#[tokio::test]
async fn a_connection_too_many_is_told_why() {
    let mut mock = Mock::bind(&options(), MockSpec::of_route(crate::RouteSpec::default())).unwrap();
    let mut events = mock.events().unwrap();
    let state = Arc::get_mut(&mut mock.state).unwrap();
    (state.most_connections, state.file_limit) = (1, 65);
    let address = mock.address();
    tokio::spawn(mock.serve(std::future::pending()));
    let _held = TcpStream::connect(address).await.unwrap();
    let mut second = TcpStream::connect(address).await.unwrap();
    let mut answer = String::new();
    second.read_to_string(&mut answer).await.unwrap();
    assert!(answer.contains("open_files"), "{answer}");
    let event = events.recv().await.unwrap();
    assert_eq!(
        event,
        MockEvent::OpenFiles {
            connections: 2,
            limit: 65
        }
    );
}

#[tokio::test]
async fn a_slow_body_trickles_and_failing_shares_fail() {
    let text = "routes:\n  - path: /slow\n    body: abcdefghij\n    bytes_per_second: 50\n  - errors: {share: 100%, status: 500}\n";
    let mock = Mock::bind(&options(), MockSpec::parse(text).unwrap()).unwrap();
    let address = mock.address();
    tokio::spawn(mock.serve(std::future::pending()));
    let began = tokio::time::Instant::now();
    assert!(ask(address, "GET /slow", "").await.ends_with("abcdefghij"));
    assert!(
        began.elapsed() >= Duration::from_millis(95),
        "{:?}",
        began.elapsed()
    );
    assert!(
        ask(address, "GET /other", "")
            .await
            .starts_with("HTTP/1.1 500")
    );
}
