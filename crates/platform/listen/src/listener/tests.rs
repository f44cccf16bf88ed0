use super::{DrainResult, ListenError, Listener};
use crate::Limits;
use axum::Router;
use axum::routing::{get, post};
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;

const ANY_PORT: &str = "127.0.0.1:0";
const GET_ROOT: &[u8] = b"GET / HTTP/1.1\r\nhost: t\r\n\r\n";

struct Server {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<DrainResult>,
}

fn started(router: Router, limits: Limits) -> Server {
    started_at(ANY_PORT, router, limits)
}

fn started_at(address: &str, router: Router, limits: Limits) -> Server {
    let listener = Listener::bind(address.parse().unwrap(), limits).unwrap();
    let address = listener.address();
    let (stop, stopped) = oneshot::channel::<()>();
    let ended = tokio::spawn(listener.serve(router, async {
        let _ = stopped.await;
    }));
    Server {
        address,
        stop,
        ended,
    }
}

async fn answer_to(stream: &mut TcpStream, request: &[u8]) -> String {
    stream.write_all(request).await.unwrap();
    let mut buffer = vec![0; 4096];
    let n = stream.read(&mut buffer).await.unwrap();
    String::from_utf8_lossy(&buffer[..n]).into_owned()
}

/// Whether somebody who comes now gets an answer: a socket that the system still holds for a moment gives none.
async fn is_served(address: SocketAddr) -> bool {
    let Ok(mut stream) = TcpStream::connect(address).await else {
        return false;
    };
    let mut answer = String::new();
    let _ = stream.write_all(GET_ROOT).await;
    let _ = stream.read_to_string(&mut answer).await;
    answer.starts_with("HTTP/1.1 200")
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("closed")
}

#[tokio::test]
async fn one_connection_carries_many_requests() {
    let server = started(
        Router::new().route("/", get(|| async { "hi" })),
        Limits::default(),
    );
    let mut stream = TcpStream::connect(server.address).await.unwrap();

    for _ in 0..3 {
        assert!(answer_to(&mut stream, GET_ROOT).await.ends_with("hi"));
    }
}

#[tokio::test]
async fn a_port_in_use_is_named() {
    let first = Listener::bind(ANY_PORT.parse().unwrap(), Limits::default()).unwrap();

    let second = Listener::bind(first.address(), Limits::default());

    let error = second.map(|_| ()).unwrap_err();
    assert!(matches!(error, ListenError::InUse { .. }));
    assert!(error.to_string().contains(&first.address().to_string()));
}

#[tokio::test]
async fn an_address_of_another_machine_is_named() {
    // 192.0.2.0/24 is reserved for documentation: no interface has it.
    let error = Listener::bind("192.0.2.1:0".parse().unwrap(), Limits::default()).unwrap_err();

    assert_eq!(
        error.to_string(),
        "cannot listen on 192.0.2.1:0: no network interface of this machine has that address"
    );
}

#[tokio::test]
async fn a_request_in_flight_finishes_and_idle_connections_end_at_shutdown() {
    let (entered, leave) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let slow = {
        let (entered, leave) = (entered.clone(), leave.clone());
        move || async move {
            entered.notify_one();
            leave.notified().await;
            "done"
        }
    };
    let router = Router::new()
        .route("/", get(|| async { "hi" }))
        .route("/slow", get(slow));
    // An address of its own: the port that becomes free must not be given to a server of another test.
    let server = started_at("127.0.0.91:0", router, Limits::default());
    let mut idle = TcpStream::connect(server.address).await.unwrap();
    answer_to(&mut idle, GET_ROOT).await;
    let mut busy = TcpStream::connect(server.address).await.unwrap();
    busy.write_all(b"GET /slow HTTP/1.1\r\nhost: t\r\n\r\n")
        .await
        .unwrap();
    entered.notified().await;

    server.stop.send(()).unwrap();

    assert_eq!(
        idle.read(&mut [0; 1]).await.unwrap(),
        0,
        "the idle one is closed at once"
    );
    assert!(!is_served(server.address).await, "nobody new gets in");
    leave.notify_one();
    let mut answer = String::new();
    busy.read_to_string(&mut answer).await.unwrap();
    assert!(answer.ends_with("done"));
    assert_eq!(server.ended.await.unwrap(), DrainResult { cut: 0 });
}

#[tokio::test(start_paused = true)]
async fn a_request_that_outlasts_the_drain_is_cut_and_counted() {
    let entered = Arc::new(Notify::new());
    let never = {
        let entered = entered.clone();
        move || async move {
            entered.notify_one();
            std::future::pending::<()>().await;
        }
    };
    let server = started(Router::new().route("/", get(never)), Limits::default());
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(GET_ROOT).await.unwrap();
    entered.notified().await;

    server.stop.send(()).unwrap();

    assert_eq!(server.ended.await.unwrap(), DrainResult { cut: 1 });
}

#[tokio::test]
async fn a_connection_over_the_limit_waits_until_another_ends() {
    let limits = Limits {
        connections: 1,
        ..Limits::default()
    };
    let server = started(Router::new().route("/", get(|| async { "hi" })), limits);
    let mut first = TcpStream::connect(server.address).await.unwrap();
    answer_to(&mut first, GET_ROOT).await;
    let mut second = TcpStream::connect(server.address).await.unwrap();
    second.write_all(GET_ROOT).await.unwrap();
    // Long enough for the runtime to look at its sockets many times, without a clock.
    for _ in 0..2_000 {
        tokio::task::yield_now().await;
    }
    let early = second.try_read(&mut [0; 1]).map_err(|e| e.kind());
    assert_eq!(
        early,
        Err(ErrorKind::WouldBlock),
        "the second one is not served yet"
    );

    drop(first);

    assert_eq!(status(&answer_to(&mut second, b"").await), "200");
}

#[tokio::test]
async fn a_head_or_body_over_its_limit_is_refused() {
    let limits = Limits {
        head_bytes: 8192,
        body_bytes: 10,
        ..Limits::default()
    };
    let router = Router::new().route("/", post(|body: String| async { body }));
    let server = started(router, limits);
    let long_head = format!(
        "GET / HTTP/1.1\r\nhost: t\r\nx: {}\r\n\r\n",
        "x".repeat(9000)
    );
    let long_body = b"POST / HTTP/1.1\r\nhost: t\r\ncontent-length: 11\r\n\r\n12345678901";

    let mut stream = TcpStream::connect(server.address).await.unwrap();
    assert_eq!(
        status(&answer_to(&mut stream, long_head.as_bytes()).await),
        "431"
    );
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    assert_eq!(status(&answer_to(&mut stream, long_body).await), "413");
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_sends_nothing_is_closed() {
    let server = started(Router::new(), Limits::default());
    let mut stream = TcpStream::connect(server.address).await.unwrap();

    let read = stream.read(&mut [0; 1]).await.unwrap();

    assert_eq!(read, 0, "closed after the idle limit");
}

/// A call for idle connections to go concerns those that are open, not those that come later.
/// A server whose connections echo a byte, or go when they are told to; and what says that one was.
fn echoing(limits: Limits) -> (std::net::SocketAddr, Arc<Notify>) {
    let listener = Listener::bind(ANY_PORT.parse().unwrap(), limits).unwrap();
    let address = listener.address();
    let told = Arc::new(Notify::new());
    let tell = told.clone();
    let converse = move |mut stream: TcpStream, mut closing: crate::ShutdownSignal| {
        let tell = tell.clone();
        async move {
            tokio::select! {
                reason = closing.next() => {
                    assert_eq!(reason, crate::CloseReason::Shed);
                    tell.notify_one();
                }
                byte = stream.read_u8() => stream.write_u8(byte.unwrap()).await.unwrap(),
            }
        }
    };
    tokio::spawn(listener.serve_connections(converse, std::future::pending()));
    (address, told)
}

#[tokio::test]
async fn a_connection_that_comes_after_others_were_told_to_go_is_served() {
    let limits = Limits {
        shed_at: 1,
        ..Limits::default()
    };
    let (address, told) = echoing(limits);
    let mut first = TcpStream::connect(address).await.unwrap();
    let mut second = TcpStream::connect(address).await.unwrap();
    told.notified().await;
    assert_eq!(first.read(&mut [0; 1]).await.unwrap(), 0, "it was idle");
    second.write_u8(7).await.unwrap();
    assert_eq!(second.read_u8().await.unwrap(), 7);
}

/// Nobody can be taken who would have others told to go.
#[tokio::test]
async fn where_no_place_is_left_idle_ones_go_for_who_waits() {
    let limits = Limits {
        connections: 1,
        shed_at: 1,
        ..Limits::default()
    };
    let (address, told) = echoing(limits);
    let mut first = TcpStream::connect(address).await.unwrap();
    let mut second = TcpStream::connect(address).await.unwrap();
    second.write_u8(7).await.unwrap();
    assert_eq!(second.read_u8().await.unwrap(), 7);
    told.notified().await;
    assert_eq!(first.read(&mut [0; 1]).await.unwrap(), 0, "it was idle");
}
