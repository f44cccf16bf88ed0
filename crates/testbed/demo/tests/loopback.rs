//! The target on a real socket: what only a socket shows.
#![expect(
    clippy::unwrap_used,
    reason = "a helper of tests may panic as a test may"
)]

use loadline_demo::{Demo, DemoError, DemoOptions, DemoSettings, DrainResult};
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

fn any_port() -> DemoOptions {
    DemoOptions {
        address: SocketAddr::from(([127, 0, 0, 1], 0)),
        ..DemoOptions::default()
    }
}

async fn exchange(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

fn closing(method: &str, path: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

#[tokio::test]
async fn the_target_serves_on_the_port_it_names_and_drains() {
    let demo = Demo::bind(any_port()).unwrap();
    let address = demo.address();
    let (stop, stopped) = oneshot::channel::<()>();
    let ended = tokio::spawn(demo.serve(async {
        let _ = stopped.await;
    }));

    let answer = exchange(address, &closing("GET", "/fast", "")).await;

    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(
        answer.ends_with(r#"{"code":"success","message":"fast"}"#),
        "{answer}"
    );
    stop.send(()).unwrap();
    assert_eq!(ended.await.unwrap(), DrainResult { cut: 0 });
}

/// The client must see a whole announced and half of it delivered.
#[tokio::test]
async fn a_closed_body_announces_more_than_it_delivers() {
    let demo = Demo::bind(any_port()).unwrap();
    let address = demo.address();
    tokio::spawn(demo.serve(std::future::pending()));
    let change = r#"{"faults": {"break_body": {"after": 0, "how": "close"}}}"#;
    exchange(address, &closing("PUT", "/settings", change)).await;

    let answer = exchange(address, "GET /fast HTTP/1.1\r\nhost: localhost\r\n\r\n").await;

    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.contains("content-length: 35"), "{head}");
    assert_eq!(body, r#"{"code":"success""#);
}

#[tokio::test]
async fn settings_outside_their_range_do_not_start() {
    let mut settings = DemoSettings::default();
    settings.pool.max = 0;

    let error = Demo::bind(DemoOptions {
        settings,
        ..any_port()
    })
    .unwrap_err();

    assert!(matches!(error, DemoError::Settings(_)));
    assert_eq!(
        error.to_string(),
        "settings: pool.max: 0 is outside 1 to 10000"
    );
}
