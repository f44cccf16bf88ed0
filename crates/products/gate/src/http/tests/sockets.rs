//! Visitors' connections as they come over a socket.

use super::super::{PendingGate, limits, visitors};
use super::Site;
use loadline_listen::{DrainResult, Listener};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

/// A gate on a socket.
struct Served {
    site: Site,
    queue: String,
    address: std::net::SocketAddr,
    stop: oneshot::Sender<()>,
    served: tokio::task::JoinHandle<DrainResult>,
}

impl Served {
    async fn start() -> Self {
        let site = Site::open().await;
        let queue = site.one_queue(json!({ "mode": "hold" })).await;
        let listener = Listener::bind("127.0.0.1:0".parse().unwrap(), limits(100)).unwrap();
        let address = listener.address();
        let (stop, stopped) = oneshot::channel();
        let gate = site.gate.clone();
        let pending = PendingGate::default();
        pending.open(gate.clone());
        let served = tokio::spawn(async move {
            let stop = async move {
                let _ = stopped.await;
                gate.close_streams();
            };
            listener.serve_connections(visitors(&pending), stop).await
        });
        Self {
            site,
            queue,
            address,
            stop,
            served,
        }
    }

    fn request(&self, call: &str, token: &str) -> String {
        format!(
            "GET /q/{}/{call} HTTP/1.1\r\nHost: gate\r\nAuthorization: Bearer {token}\r\n\r\n",
            self.queue
        )
    }
}

/// Reads until a text was seen.
pub(super) async fn until(socket: &mut TcpStream, said: &mut String, text: &str) {
    let mut buffer = [0; 4_096];
    while !said.contains(text) {
        let length = socket.read(&mut buffer).await.unwrap();
        assert!(length > 0, "ended before `{text}`: {said}");
        said.push_str(std::str::from_utf8(&buffer[..length]).unwrap());
    }
}

/// Polls and streams are answered without the router.
#[tokio::test]
async fn polls_and_streams_of_a_listed_origin_say_who_may_read_them() {
    let served = Served::start().await;
    let origin = "https://app.shop.example";
    let uri = format!("/v1/queues/{}", served.queue);
    let listed = json!({ "cors_origins": [origin] });
    let listed = served
        .site
        .with_key(&served.site.root, "PATCH", &uri, listed)
        .await;
    assert_eq!(listed.json()["cors_origins"], json!([origin]));
    let token = served.site.join(&served.queue).await;
    for (call, from, shared) in [
        ("me", origin, true),
        ("me", "https://evil.example", false),
        ("events", origin, true),
        ("events", "https://evil.example", false),
    ] {
        let mut socket = TcpStream::connect(served.address).await.unwrap();
        let ask = served.request(call, &token);
        let ask = ask.replacen("\r\n", &format!("\r\nOrigin: {from}\r\n"), 1);
        socket.write_all(ask.as_bytes()).await.unwrap();
        let mut said = String::new();
        until(&mut socket, &mut said, "\"version\"").await;
        let head = said.split("\r\n\r\n").next().unwrap();
        assert!(head.starts_with("HTTP/1.1 200 OK"), "{head}");
        let line = format!("\r\naccess-control-allow-origin: {origin}\r\n");
        assert_eq!(head.contains(&line), shared, "{call} from {from}: {head}");
        assert!(!head.contains("credentials"), "{head}");
    }
}

#[tokio::test]
async fn polls_sent_in_pieces_or_together_and_other_requests_share_a_connection() {
    let served = Served::start().await;
    let token = served.site.join(&served.queue).await;
    let mut socket = TcpStream::connect(served.address).await.unwrap();
    let poll = served.request("me", &token);
    for piece in poll.as_bytes().chunks(50) {
        socket.write_all(piece).await.unwrap();
        tokio::task::yield_now().await;
    }
    let mut said = String::new();
    until(&mut socket, &mut said, "\"version\"").await;
    assert!(said.starts_with("HTTP/1.1 200 OK\r\n"), "{said}");
    let (head, body) = said.split_once("\r\n\r\n").unwrap();
    let length = head.split("content-length: ").nth(1).unwrap();
    assert!(length.starts_with(&body.len().to_string()) && head.contains("GMT"));
    let json: Value = serde_json::from_str(body).unwrap();
    assert_eq!(
        (&json["state"], &json["ahead"]),
        (&json!("waiting"), &json!(0))
    );
    // Two polls and one call for the router, all at once.
    let status = "GET /healthz HTTP/1.1\r\nHost: gate\r\n\r\n";
    let all = format!("{poll}{poll}{status}{}", served.request("me", "nobody's"));
    socket.write_all(all.as_bytes()).await.unwrap();
    let mut said = String::new();
    until(&mut socket, &mut said, "no_ticket").await;
    assert_eq!(said.matches("\"waiting\"").count(), 2, "{said}");
    assert!(said.contains("ok\n") && said.contains("401"), "{said}");
}

#[tokio::test]
async fn a_stream_tells_the_state_and_the_turn_and_ends_with_a_word() {
    let served = Served::start().await;
    let token = served.site.join(&served.queue).await;
    let mut socket = TcpStream::connect(served.address).await.unwrap();
    let request = served.request("events", &token);
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut said = String::new();
    until(&mut socket, &mut said, "\n\n").await;
    assert!(
        said.contains("text/event-stream") && said.contains("event: state"),
        "{said}"
    );
    let admit = format!("/v1/queues/{}/admit", served.queue);
    let root = served.site.root.clone();
    served
        .site
        .with_key(&root, "POST", &admit, json!({ "count": 1 }))
        .await;
    until(&mut socket, &mut said, "event: ready").await;
    served.stop.send(()).unwrap();
    until(&mut socket, &mut said, "event: bye").await;
    assert_eq!(served.served.await.unwrap().cut, 0, "nothing was cut");
    assert_eq!(served.site.gate.streams(), 0);
}

#[tokio::test]
async fn a_client_that_goes_gives_its_stream_back() {
    let served = Served::start().await;
    let token = served.site.join(&served.queue).await;
    let mut socket = TcpStream::connect(served.address).await.unwrap();
    socket
        .write_all(served.request("events", &token).as_bytes())
        .await
        .unwrap();
    until(&mut socket, &mut String::new(), "event: state").await;
    assert_eq!(served.site.gate.streams(), 1);
    drop(socket);
    while served.site.gate.streams() > 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// A proxy before the gate may read these otherwise than the gate would.
#[tokio::test]
async fn what_two_readers_could_read_differently_is_refused_or_ends_the_connection() {
    let served = Served::start().await;
    let join = |more: &str, body: &str| {
        let queue = &served.queue;
        format!("POST /q/{queue}/join HTTP/1.1\r\n{more}\r\n{body}")
    };
    let chunked = "2\r\n{}\r\n0\r\n\r\n";
    for (more, body, status) in [
        ("Content-Length: 2\r\n", "{}", "400"),
        ("Host: a\r\nHost: b\r\nContent-Length: 2\r\n", "{}", "400"),
        (
            "Host: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n",
            "{}",
            "400",
        ),
        (
            "Host: a\r\nTransfer-Encoding: gzip, chunked\r\n",
            chunked,
            "501",
        ),
        (
            "Host: a\r\nTransfer-Encoding: chunked, identity\r\n",
            chunked,
            "400",
        ),
        ("Host: a\r\nTransfer-Encoding: Chunked\r\n", chunked, "201"),
    ] {
        let mut socket = TcpStream::connect(served.address).await.unwrap();
        socket.write_all(join(more, body).as_bytes()).await.unwrap();
        let mut said = String::new();
        until(&mut socket, &mut said, "\r\n\r\n").await;
        assert!(
            said.starts_with(&format!("HTTP/1.1 {status}")),
            "{more}: {said}"
        );
    }
    // A length and chunks: the chunks count, and whatever follows is not read as a request.
    let both = "Host: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n";
    let behind = format!("{chunked}GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    let mut socket = TcpStream::connect(served.address).await.unwrap();
    socket
        .write_all(join(both, &behind).as_bytes())
        .await
        .unwrap();
    let mut said = String::new();
    socket.read_to_string(&mut said).await.unwrap();
    assert_eq!(said.matches("HTTP/1.1 ").count(), 1, "{said}");
}
