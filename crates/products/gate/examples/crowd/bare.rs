//! A server that decides nothing: the ceiling of what a gate could reach on this machine.
//!
//! It answers each call with as many bytes as a gate does, and tells a turn to so many of
//! its streams each second, straight from a list.

use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::settings::Settings;
use crate::wire::{head_of, now_ms};

pub(crate) async fn bare(settings: Settings) {
    let listener = tokio::net::TcpSocket::new_v4().unwrap();
    listener.set_reuseaddr(true).unwrap();
    listener.bind(settings.gates[0]).unwrap();
    let listener: TcpListener = listener.listen(65_535).unwrap();
    println!("bare: {}", listener.local_addr().unwrap());
    let waiting: Arc<Mutex<Vec<TcpStream>>> = Arc::default();
    tokio::spawn(admit_each_second(settings.clone(), waiting.clone()));
    let answer: Arc<[u8]> = answer_of(settings.answer_bytes).into();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            continue;
        };
        stream.set_nodelay(true).unwrap();
        tokio::spawn(serve(stream, answer.clone(), waiting.clone()));
    }
}

/// An answer of so many bytes with what a crowd looks for.
fn answer_of(bytes: usize) -> Vec<u8> {
    let token = "x".repeat(76);
    let with = |pad: usize| {
        let pad = "x".repeat(pad);
        let body = format!("{{\"waiting_token\":\"{token}\",\"seq\":1,\"pad\":\"{pad}\"}}");
        let length = body.len();
        format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        )
    };
    with(bytes.saturating_sub(with(0).len())).into_bytes()
}

async fn serve(mut stream: TcpStream, answer: Arc<[u8]>, waiting: Arc<Mutex<Vec<TcpStream>>>) {
    let mut buffer = Vec::with_capacity(1_024);
    loop {
        let whole = head_of(&buffer).filter(|(body, length)| buffer.len() >= body + length);
        if let Some((body, length)) = whole {
            if buffer.windows(8).any(|part| part == b"/events ") {
                let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\nevent: state\ndata: {}\n\n";
                if stream.write_all(head.as_bytes()).await.is_ok() {
                    waiting.lock().unwrap().push(stream);
                }
                return;
            }
            buffer.drain(..body + length);
            if stream.write_all(&answer).await.is_err() {
                return;
            }
            continue;
        }
        match stream.read_buf(&mut buffer).await {
            Ok(1..) => {}
            _ => return,
        }
    }
}

async fn admit_each_second(settings: Settings, waiting: Arc<Mutex<Vec<TcpStream>>>) {
    tokio::time::sleep(Duration::from_secs(settings.admit_after)).await;
    let count = usize::try_from(settings.admit_per_s).unwrap_or(usize::MAX);
    let mut every = tokio::time::interval(Duration::from_secs(1));
    let mut told = Vec::new();
    loop {
        every.tick().await;
        let now: Vec<TcpStream> = {
            let mut waiting = waiting.lock().unwrap();
            let count = count.min(waiting.len());
            waiting.drain(..count).collect()
        };
        let taken_ms = now_ms().floor();
        for mut stream in now {
            let event = format!("event: ready\ndata: {{\"seq\":1,\"taken_ms\":{taken_ms}}}\n\n");
            // A client that left needs no word.
            let _ = stream.write_all(event.as_bytes()).await;
            told.push(stream);
        }
    }
}
