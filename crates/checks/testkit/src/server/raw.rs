//! Answers that break the rules; the path chooses how. Bytes are written by hand, because no HTTP library would.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::state::State;

pub(super) fn spawn(listener: TcpListener, state: Arc<State>) -> JoinHandle<()> {
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            state.count_connection();
            let state = Arc::clone(&state);
            tokio::spawn(async move {
                // A client that gives up ends its connection; that is what is being tested.
                let _gone = serve(socket, &state).await;
            });
        }
    })
}

async fn serve(mut socket: TcpStream, state: &State) -> io::Result<()> {
    let _best_effort = socket.set_nodelay(true);
    let mut pending = Vec::new();
    loop {
        let Some(head) = read_head(&mut socket, &mut pending).await? else {
            return Ok(());
        };
        let target = head.split(' ').nth(1).unwrap_or("/").to_owned();
        let path = match target.strip_prefix("http://") {
            Some(absolute) => format!("/proxied/{absolute}"),
            // The target of CONNECT holds a port of this run.
            None if head.starts_with("CONNECT ") => "/connect".to_owned(),
            None => target,
        };
        state.count_request(format!(
            "RAW {}",
            path.split('?').next().unwrap_or_default()
        ));
        if let Some(target) = head.strip_prefix("CONNECT ") {
            let address = target.split(' ').next().unwrap_or_default();
            return tunnel(socket, address).await;
        }
        if !misbehave(&mut socket, &path, &head).await? {
            return Ok(());
        }
    }
}

/// One request head including its blank line; None at the end of the stream.
async fn read_head(socket: &mut TcpStream, pending: &mut Vec<u8>) -> io::Result<Option<String>> {
    let mut block = [0_u8; 4096];
    loop {
        if let Some(end) = pending.windows(4).position(|four| four == b"\r\n\r\n") {
            let head: Vec<u8> = pending.drain(..end + 4).collect();
            return Ok(Some(String::from_utf8_lossy(&head).into_owned()));
        }
        let count = socket.read(&mut block).await?;
        if count == 0 {
            return Ok(None);
        }
        pending.extend_from_slice(&block[..count]);
    }
}

/// True when the connection is still in order and may be used again.
async fn misbehave(socket: &mut TcpStream, path: &str, head: &str) -> io::Result<bool> {
    let name = path
        .trim_start_matches('/')
        .split(['/', '?'])
        .next()
        .unwrap_or_default();
    let fixed: Option<(&[u8], bool)> = fixed(name);
    if let Some((bytes, keep)) = fixed {
        socket.write_all(bytes).await?;
        return Ok(keep);
    }
    match name {
        "echo" | "proxied" => ok(socket, head).await?,
        "reset" => {
            reset(socket)?;
            return Ok(false);
        }
        "reset-mid-body" => {
            socket
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
                .await?;
            tokio::time::sleep(Duration::from_millis(50)).await;
            reset(socket)?;
            return Ok(false);
        }
        "huge-headers" => {
            let line = format!("X-Fill: {}\r\n", "f".repeat(1000));
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n{}\r\nok",
                line.repeat(400)
            );
            socket.write_all(head.as_bytes()).await?;
        }
        "never" => tokio::time::sleep(Duration::from_secs(30)).await,
        "slow-body" => {
            socket
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
                .await?;
            for _ in 0..10 {
                tokio::time::sleep(Duration::from_millis(200)).await;
                socket.write_all(b"x").await?;
            }
        }
        "stall" => {
            tokio::time::sleep(Duration::from_secs(2)).await;
            ok(socket, "late").await?;
        }
        "endless" => {
            socket.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await?;
            let block = [b'x'; 4096];
            for _ in 0..2_000 {
                socket.write_all(&block).await?;
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            return Ok(false);
        }
        _ => ok(socket, "raw").await?,
    }
    Ok(true)
}

/// Bytes that never change, and whether the connection may be used again afterwards.
fn fixed(name: &str) -> Option<(&'static [u8], bool)> {
    Some(match name {
        "close-mid-body" => (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf a body", false),
        "close-mid-chunk" => (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nhalf", false),
        "close" => (b"", false),
        "garbage" => (b"\x00\x01\x02this is not HTTP at all\r\n\r\n", false),
        "truncated-headers" => (b"HTTP/1.1 200 OK\r\nContent-Le", false),
        "bad-status" => (b"HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n", false),
        "bad-chunk" => (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhi\r\n0\r\n\r\n", false),
        "bad-header" => (b"HTTP/1.1 200 OK\r\nthis line has no colon\r\nContent-Length: 2\r\n\r\nok", false),
        "bad-length" => (b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nok", false),
        "two-lengths" => (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok", false),
        "negative-length" => (b"HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok", false),
        "http10" => (b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nold style", false),
        "http10-length" => (b"HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\nold style", false),
        "no-length" => (b"HTTP/1.1 200 OK\r\n\r\nuntil the end", false),
        "lf-only" => (b"HTTP/1.1 200 OK\nContent-Length: 2\n\nok", true),
        "no-reason" => (b"HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", true),
        "odd-reason" => (b"HTTP/1.1 299 Quite Fine Thanks\r\nContent-Length: 2\r\n\r\nok", true),
        "lower-case" => (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nx-lower-case: yes\r\n\r\nok", true),
        "continue" => (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", true),
        "early-hints" => {
            (b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", true)
        }
        "surplus" => (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and then some", false),
        "chunked" => {
            (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;ext=1\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", true)
        }
        "body-in-204" => (b"HTTP/1.1 204 No Content\r\nX-Seen: yes\r\n\r\n", true),
        "switching" => (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: nothing\r\nConnection: Upgrade\r\n\r\n", false),
        "empty-location" => (b"HTTP/1.1 302 Found\r\nLocation: \r\nContent-Length: 0\r\n\r\n", true),
        "no-location" => (b"HTTP/1.1 302 Found\r\nContent-Length: 4\r\n\r\nlost", true),
        "bad-location" => (b"HTTP/1.1 302 Found\r\nLocation: http://[::1:bad/\r\nContent-Length: 0\r\n\r\n", true),
        "bad-cookie" => (b"HTTP/1.1 200 OK\r\nSet-Cookie: =;;;\r\nSet-Cookie: ok=1\r\nContent-Length: 2\r\n\r\nok", true),
        _ => return None,
    })
}

async fn ok(socket: &mut TcpStream, body: &str) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    socket.write_all(format!("{head}{body}").as_bytes()).await
}

/// Makes the close that follows send RST instead of FIN.
fn reset(socket: &TcpStream) -> io::Result<()> {
    socket.set_zero_linger()
}

/// Carries bytes both ways: the proxy of `HTTPS_PROXY`.
async fn tunnel(mut socket: TcpStream, address: &str) -> io::Result<()> {
    // Names of the tests lead to this machine, whatever they are called.
    let port = address.rsplit(':').next().unwrap_or_default();
    let mut target = TcpStream::connect(format!("127.0.0.1:{port}")).await?;
    socket
        .write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")
        .await?;
    tokio::io::copy_bidirectional(&mut socket, &mut target)
        .await
        .map(|_| ())
}
