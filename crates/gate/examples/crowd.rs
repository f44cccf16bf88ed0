//! Plays visitors against a running gate: registers, holds streams, polls, comes in.
//!
//! One thread of tokio tasks, one connection a visitor, nothing but HTTP/1.1. What each
//! visitor was told is written to a log that `check` reads. Times are those of this
//! machine's clock, which is the store's too when both run here.
//!
//! ```text
//! crowd streams --gate 127.0.0.1:8090 --queue q_.. --key wrk_.. --visitors 7000 --arrive 300 --admit 100
//! crowd hold    --gate ... --visitors 15000 --arrive 500 --seconds 300
//! crowd joins   --gate ... --visitors 200000 --connections 64
//! crowd polls   --gate ... --visitors 1000 --connections 64 --seconds 30
//! ```
//!
//! `--gate` takes several addresses after commas: visitors are spread over them, and go on
//! to the next when one does not answer. `--patient yes` asks again until an answer comes,
//! as browsers do; `--ghosts 40` lets 40 of 100 register and never come back.
#![expect(clippy::print_stdout, reason = "a program for the terminal")]
#![expect(clippy::disallowed_methods, reason = "it measures real time")]
#![expect(clippy::unwrap_used, reason = "a test program ends by panicking")]

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

#[derive(Clone)]
struct Settings {
    gates: Vec<std::net::SocketAddr>,
    patient: bool,
    ghosts: usize,
    queue: String,
    key: String,
    visitors: usize,
    arrive_per_s: f64,
    admit_per_s: u64,
    seconds: u64,
    connections: usize,
    prefix: String,
    log: Option<String>,
    claim: bool,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mode = args.first().cloned().unwrap_or_default();
    let flags: HashMap<String, String> = args[1..]
        .chunks(2)
        .map(|pair| {
            (
                pair[0].trim_start_matches("--").to_owned(),
                pair.get(1).cloned().unwrap_or_default(),
            )
        })
        .collect();
    let text =
        |name: &str, usual: &str| flags.get(name).cloned().unwrap_or_else(|| usual.to_owned());
    let settings = Settings {
        gates: text("gate", "127.0.0.1:8090")
            .split(',')
            .map(|gate| gate.parse().unwrap())
            .collect(),
        patient: text("patient", "no") == "yes",
        ghosts: text("ghosts", "0").parse().unwrap(),
        queue: text("queue", ""),
        key: text("key", ""),
        visitors: text("visitors", "1000").parse().unwrap(),
        arrive_per_s: text("arrive", "300").parse().unwrap(),
        admit_per_s: text("admit", "0").parse().unwrap(),
        seconds: text("seconds", "30").parse().unwrap(),
        connections: text("connections", "64").parse().unwrap(),
        prefix: text("prefix", "v"),
        log: flags.get("log").cloned(),
        claim: text("claim", "no") == "yes",
    };
    let threads = text("threads", "1").parse().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async move {
        match mode.as_str() {
            "streams" | "hold" => streams(settings, mode == "hold").await,
            "joins" => joins(settings).await,
            "polls" => polls(settings).await,
            other => println!("unknown mode {other}: streams, hold, joins, polls"),
        }
    });
}

fn now_ms() -> f64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs_f64()
        * 1e3
}

/// What all visitors together saw.
#[derive(Default)]
struct Seen {
    registered: AtomicUsize,
    open: AtomicUsize,
    ready: AtomicUsize,
    claimed: AtomicUsize,
    dropped: AtomicUsize,
    failed: AtomicUsize,
    ended: AtomicUsize,
    bytes: AtomicU64,
    latency_ms: Mutex<Vec<f64>>,
    lines: Mutex<Vec<String>>,
}

impl Seen {
    fn log(&self, visitor: usize, what: &str, seq: u64) {
        let line = format!("{:.3} {visitor} {what} {seq}", now_ms());
        self.lines.lock().unwrap().push(line);
    }

    /// When the queue gave the turn, by its own clock: the same at all gates.
    fn decided(&self, visitor: usize, (seq, turn_ms): (u64, u64)) {
        let line = format!("{turn_ms} {visitor} decided {seq}");
        self.lines.lock().unwrap().push(line);
    }
}

async fn streams(settings: Settings, hold: bool) {
    let seen = Arc::new(Seen::default());
    let gap = Duration::from_secs_f64(1.0 / settings.arrive_per_s);
    let begin = tokio::time::Instant::now();
    if settings.admit_per_s > 0 {
        tokio::spawn(admit_each_second(settings.clone()));
    }
    for visitor in 0..settings.visitors {
        tokio::time::sleep_until(begin + gap * u32::try_from(visitor).unwrap()).await;
        let (own, seer) = (settings.clone(), seen.clone());
        tokio::spawn(async move {
            if let Err(error) = visit(&own, visitor, &seer).await
                && seer.failed.fetch_add(1, Ordering::Relaxed) < 5
            {
                println!("visitor {visitor}: {error}");
            }
            seer.ended.fetch_add(1, Ordering::Relaxed);
        });
        if visitor % 2_000 == 0 {
            report(&seen, begin.elapsed());
        }
    }
    println!("all arrived after {:.1} s", begin.elapsed().as_secs_f64());
    for _ in 0..settings.seconds {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let done = seen.ended.load(Ordering::Relaxed) >= settings.visitors;
        if done && !hold {
            break;
        }
    }
    report(&seen, begin.elapsed());
    let mut latency = seen.latency_ms.lock().unwrap();
    println!(
        "admission, from the store's decision to the event read: {}",
        quantiles(&mut latency)
    );
    if let Some(path) = &settings.log {
        let mut file = std::fs::File::create(path).unwrap();
        for line in seen.lines.lock().unwrap().iter() {
            writeln!(file, "{line}").unwrap();
        }
    }
}

fn report(seen: &Seen, at: Duration) {
    let n = |count: &AtomicUsize| count.load(Ordering::Relaxed);
    println!(
        "{:6.1} s: registered {}, open {}, ready {}, claimed {}, dropped {}, failed {}, bytes {}",
        at.as_secs_f64(),
        n(&seen.registered),
        n(&seen.open),
        n(&seen.ready),
        n(&seen.claimed),
        n(&seen.dropped),
        n(&seen.failed),
        seen.bytes.load(Ordering::Relaxed),
    );
}

fn quantiles(values: &mut [f64]) -> String {
    values.sort_by(f64::total_cmp);
    let at = |thousandths: usize| {
        let last = values.len().saturating_sub(1);
        values
            .get((values.len() * thousandths / 1000).min(last))
            .copied()
            .unwrap_or(f64::NAN)
    };
    format!(
        "n {}, p50 {:.2} ms, p95 {:.2} ms, p99 {:.2} ms, max {:.2} ms",
        values.len(),
        at(500),
        at(950),
        at(990),
        at(1000)
    )
}

async fn admit_each_second(settings: Settings) {
    let mut every = tokio::time::interval(Duration::from_secs(1));
    for round in 0.. {
        every.tick().await;
        let body = format!("{{\"count\":{}}}", settings.admit_per_s);
        let head = format!("Idempotency-Key: {}-{round}\r\n", settings.prefix);
        let path = format!("/v1/queues/{}/admit", settings.queue);
        for try_ in 0..50 {
            let gate = settings.gates[(round + try_) % settings.gates.len()];
            let answer = once(gate, "POST", &path, &settings.key, &head, &body).await;
            if matches!(&answer, Ok((200, _))) {
                break;
            }
            if !settings.patient {
                println!("admit: {answer:?}");
                break;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }
}

/// Registers, opens a stream, reads it until the turn comes.
async fn visit(settings: &Settings, visitor: usize, seen: &Seen) -> std::io::Result<()> {
    let path = format!("/v1/queues/{}/waiters", settings.queue);
    let body = format!("{{\"user_id\":\"{}{visitor}\"}}", settings.prefix);
    let (status, answer) = ask(settings, visitor, &path, &settings.key, &body).await?;
    if !matches!(status, 200 | 201) {
        return Err(std::io::Error::other(format!(
            "register: {status} {answer}"
        )));
    }
    seen.registered.fetch_add(1, Ordering::Relaxed);
    let json: serde_json::Value = serde_json::from_str(&answer).unwrap_or_default();
    let token = json["waiting_token"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    let seq = json["seq"].as_u64().unwrap_or(0);
    seen.log(visitor, "joined", seq);
    if visitor % 100 < settings.ghosts {
        seen.log(visitor, "left", seq);
        return Ok(());
    }
    for round in 0.. {
        let heard = listen(settings, visitor + round, &token, seen).await;
        match if settings.patient {
            heard.unwrap_or(None)
        } else {
            heard?
        } {
            Some(seq) => {
                seen.ready.fetch_add(1, Ordering::Relaxed);
                seen.log(visitor, "ready", seq.0);
                seen.decided(visitor, seq);
                break;
            }
            None => {
                seen.dropped.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        }
    }
    if settings.claim {
        let path = format!("/q/{}/claim", settings.queue);
        let (status, answer) = ask(settings, visitor, &path, &token, "").await?;
        if status == 200 {
            seen.claimed.fetch_add(1, Ordering::Relaxed);
            seen.log(visitor, "claimed", seq);
        } else {
            println!("claim: {status} {answer}");
        }
    }
    Ok(())
}

/// A call that can be sent again: until it is answered, if the visitor is patient.
async fn ask(
    settings: &Settings,
    visitor: usize,
    path: &str,
    bearer: &str,
    body: &str,
) -> std::io::Result<(u16, String)> {
    for round in 0.. {
        let gate = settings.gates[(visitor + round) % settings.gates.len()];
        let answer = tokio::time::timeout(
            Duration::from_secs(10),
            once(gate, "POST", path, bearer, "", body),
        )
        .await;
        match answer {
            Ok(Ok((status, answer))) if !(settings.patient && matches!(status, 0 | 500..)) => {
                return Ok((status, answer));
            }
            Ok(Err(error)) if !settings.patient => return Err(error),
            _ => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
    unreachable!("visitors are patient without end")
}

/// Reads a stream until it says ready (the number) or ends (`None`).
async fn listen(
    settings: &Settings,
    visitor: usize,
    token: &str,
    seen: &Seen,
) -> std::io::Result<Option<(u64, u64)>> {
    let mut stream = connect(settings, visitor).await?;
    let request = format!(
        "GET /q/{}/events HTTP/1.1\r\nHost: gate\r\nAuthorization: Bearer {token}\r\n\r\n",
        settings.queue
    );
    stream.write_all(request.as_bytes()).await?;
    seen.open.fetch_add(1, Ordering::Relaxed);
    let mut text = String::new();
    let mut buffer = [0; 1024];
    let found = loop {
        let Ok(length) = stream.read(&mut buffer).await else {
            break None;
        };
        if length == 0 {
            break None;
        }
        seen.bytes.fetch_add(length as u64, Ordering::Relaxed);
        text.push_str(&String::from_utf8_lossy(&buffer[..length]));
        if let Some(at) = text.find("event: ready")
            && let Some(data) = text[at..]
                .split_once("data: ")
                .and_then(|(_, rest)| rest.split_once("\n\n"))
        {
            let json: serde_json::Value = serde_json::from_str(data.0).unwrap_or_default();
            let taken = json["taken_ms"].as_f64().unwrap_or(0.0);
            seen.latency_ms.lock().unwrap().push(now_ms() - taken);
            let number = |name: &str| json[name].as_u64().unwrap_or(0);
            break Some((number("seq"), number("turn_ms")));
        }
        if text.len() > 4_096 {
            text.drain(..text.len() - 1_024);
        }
    };
    seen.open.fetch_sub(1, Ordering::Relaxed);
    Ok(found)
}

/// From an address of its own for each 20,000: ports of one run out.
async fn connect(settings: &Settings, visitor: usize) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    let host = u8::try_from(2 + visitor / 20_000).unwrap_or(2);
    socket.bind(std::net::SocketAddr::from(([127, 0, 0, host], 0)))?;
    let stream = socket
        .connect(settings.gates[visitor % settings.gates.len()])
        .await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

async fn once(
    gate: std::net::SocketAddr,
    method: &str,
    path: &str,
    bearer: &str,
    head: &str,
    body: &str,
) -> std::io::Result<(u16, String)> {
    let mut stream = TcpStream::connect(gate).await?;
    let request = request(
        method,
        path,
        bearer,
        &format!("{head}Connection: close\r\n"),
        body,
    );
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let status = answer
        .get(9..12)
        .and_then(|text| text.parse().ok())
        .unwrap_or(0);
    let body = answer
        .split_once("\r\n\r\n")
        .map(|(_, body)| body.to_owned())
        .unwrap_or_default();
    Ok((status, body))
}

fn request(method: &str, path: &str, bearer: &str, head: &str, body: &str) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nHost: gate\r\nAuthorization: Bearer {bearer}\r\n{head}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Reads one answer with a Content-Length into `buffer`; its status and body.
async fn answer(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> std::io::Result<(u16, usize)> {
    buffer.clear();
    loop {
        if let Some(end) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&buffer[..end]).to_ascii_lowercase();
            let length = head
                .split("content-length: ")
                .nth(1)
                .and_then(|rest| rest.lines().next());
            let length: usize = length
                .and_then(|text| text.trim().parse().ok())
                .unwrap_or(0);
            if buffer.len() >= end + 4 + length {
                return Ok((
                    head.get(9..12)
                        .and_then(|text| text.parse().ok())
                        .unwrap_or(0),
                    end + 4,
                ));
            }
        }
        if stream.read_buf(buffer).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    }
}

/// Every visitor joins once, as fast as the connections go.
async fn joins(settings: Settings) {
    let next = Arc::new(AtomicUsize::new(0));
    let begin = Instant::now();
    let tasks: Vec<_> = (0..settings.connections)
        .map(|_| tokio::spawn(join_some(settings.clone(), next.clone())))
        .collect();
    let mut latency = Vec::new();
    for task in tasks {
        latency.extend(task.await.unwrap());
    }
    let took = begin.elapsed().as_secs_f64();
    println!(
        "joins: {:.0}/s over {took:.1} s, {}",
        latency.len() as f64 / took,
        quantiles(&mut latency)
    );
}

async fn join_some(settings: Settings, next: Arc<AtomicUsize>) -> Vec<f64> {
    let mut stream = TcpStream::connect(settings.gates[0]).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let path = format!("/v1/queues/{}/waiters", settings.queue);
    let (mut latency, mut buffer) = (Vec::new(), Vec::new());
    loop {
        let visitor = next.fetch_add(1, Ordering::Relaxed);
        if visitor >= settings.visitors {
            return latency;
        }
        let body = format!("{{\"user_id\":\"{}{visitor}\"}}", settings.prefix);
        let begin = Instant::now();
        stream
            .write_all(request("POST", &path, &settings.key, "", &body).as_bytes())
            .await
            .unwrap();
        let (status, at) = answer(&mut stream, &mut buffer).await.unwrap();
        assert_eq!(status, 201, "{}", String::from_utf8_lossy(&buffer[at..]));
        latency.push(begin.elapsed().as_secs_f64() * 1e3);
    }
}

/// Some visitors ask for their places, as fast as the connections go.
async fn polls(settings: Settings) {
    let mut tokens = Vec::new();
    for visitor in 0..settings.visitors {
        let path = format!("/v1/queues/{}/waiters", settings.queue);
        let body = format!("{{\"user_id\":\"{}{visitor}\"}}", settings.prefix);
        let (_, answer) = once(settings.gates[0], "POST", &path, &settings.key, "", &body)
            .await
            .unwrap();
        let json: serde_json::Value = serde_json::from_str(&answer).unwrap_or_default();
        tokens.push(json["waiting_token"].as_str().unwrap().to_owned());
    }
    let tokens = Arc::new(tokens);
    let begin = Instant::now();
    let end = begin + Duration::from_secs(settings.seconds);
    let tasks: Vec<_> = (0..settings.connections)
        .map(|first| tokio::spawn(poll_some(settings.clone(), tokens.clone(), first, end)))
        .collect();
    let mut latency = Vec::new();
    for task in tasks {
        latency.extend(task.await.unwrap());
    }
    let took = begin.elapsed().as_secs_f64();
    println!(
        "polls: {:.0}/s over {took:.1} s, {}",
        latency.len() as f64 / took,
        quantiles(&mut latency)
    );
}

async fn poll_some(
    settings: Settings,
    tokens: Arc<Vec<String>>,
    first: usize,
    end: Instant,
) -> Vec<f64> {
    let mut stream = TcpStream::connect(settings.gates[0]).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let path = format!("/q/{}/me", settings.queue);
    let (mut latency, mut buffer) = (Vec::new(), Vec::new());
    for token in tokens.iter().cycle().skip(first * 7) {
        let begin = Instant::now();
        if begin >= end {
            break;
        }
        stream
            .write_all(request("GET", &path, token, "", "").as_bytes())
            .await
            .unwrap();
        let (status, at) = answer(&mut stream, &mut buffer).await.unwrap();
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(&buffer[at..]));
        latency.push(begin.elapsed().as_secs_f64() * 1e3);
    }
    latency
}
