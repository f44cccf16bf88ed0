//! As many calls as go, or as many as are planned: joins, polls, one person over and over.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::settings::Settings;
use crate::wire::{answer, quantiles, request};

/// What one connection saw.
#[derive(Default)]
struct Counts {
    latency_ms: Vec<f64>,
    bytes: usize,
}

/// When each call is to start. Latency counts from there, so that a slow answer that
/// keeps later calls waiting is seen in theirs too.
struct Plan {
    next: AtomicUsize,
    begin: Instant,
    gap: Option<Duration>,
    most: usize,
    end: Option<Instant>,
}

impl Plan {
    fn new(settings: &Settings, most: usize, end: Option<Instant>) -> Arc<Self> {
        let planned = settings.rate_per_s > 0.0;
        Arc::new(Self {
            next: AtomicUsize::new(0),
            begin: Instant::now(),
            gap: planned.then(|| Duration::from_secs_f64(1.0 / settings.rate_per_s)),
            most,
            end,
        })
    }

    /// The next call's number and start, once it is due; `None` when there are no more.
    async fn next(&self) -> Option<(usize, Instant)> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        if number >= self.most || self.end.is_some_and(|end| Instant::now() >= end) {
            return None;
        }
        let Some(gap) = self.gap else {
            return Some((number, Instant::now()));
        };
        let due = self.begin + gap.mul_f64(f64::from(u32::try_from(number).unwrap()));
        if due > Instant::now() {
            tokio::time::sleep_until(due.into()).await;
        }
        Some((number, due))
    }
}

async fn open(settings: &Settings, number: usize) -> TcpStream {
    let gate = settings.gates[number % settings.gates.len()];
    let stream = TcpStream::connect(gate).await.unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

fn join_request(settings: &Settings, user: &str) -> String {
    let path = format!("/v1/queues/{}/waiters", settings.queue);
    let body = format!("{{\"user_id\":\"{user}\"}}");
    request("POST", &path, &settings.key, "", &body)
}

fn report(what: &str, begin: Instant, seen: Vec<Counts>) {
    let took = begin.elapsed().as_secs_f64();
    let bytes: usize = seen.iter().map(|one| one.bytes).sum();
    let mut latency: Vec<f64> = seen.into_iter().flat_map(|one| one.latency_ms).collect();
    println!(
        "{what}: {:.0}/s over {took:.1} s, {}, {} bytes an answer",
        latency.len() as f64 / took,
        quantiles(&mut latency),
        bytes / latency.len().max(1)
    );
}

async fn all(tasks: Vec<tokio::task::JoinHandle<Counts>>) -> Vec<Counts> {
    let mut seen = Vec::new();
    for task in tasks {
        seen.push(task.await.unwrap());
    }
    seen
}

/// New visitors.
pub(crate) async fn joins(settings: Settings) {
    let plan = Plan::new(&settings, settings.visitors, None);
    let tasks = (0..settings.connections)
        .map(|number| tokio::spawn(join_some(settings.clone(), number, plan.clone())))
        .collect();
    let seen = all(tasks).await;
    report("joins", plan.begin, seen);
}

async fn join_some(settings: Settings, number: usize, plan: Arc<Plan>) -> Counts {
    let mut stream = open(&settings, number).await;
    let (mut seen, mut buffer) = (Counts::default(), Vec::with_capacity(4_096));
    while let Some((visitor, begin)) = plan.next().await {
        let request = join_request(&settings, &format!("{}{visitor}", settings.prefix));
        stream.write_all(request.as_bytes()).await.unwrap();
        let (status, at) = answer(&mut stream, &mut buffer).await.unwrap();
        let text = String::from_utf8_lossy(&buffer[at..]);
        assert!(matches!(status, 200 | 201), "{status} {text}");
        seen.latency_ms.push(begin.elapsed().as_secs_f64() * 1e3);
        seen.bytes += buffer.len();
    }
    seen
}

/// Some visitors ask for their places.
pub(crate) async fn polls(settings: Settings) {
    let tokens = Arc::new(tokens(&settings).await);
    let end = Instant::now() + Duration::from_secs(settings.seconds);
    let plan = Plan::new(&settings, usize::MAX, Some(end));
    let tasks = (0..settings.connections)
        .map(|number| {
            tokio::spawn(poll_some(
                settings.clone(),
                tokens.clone(),
                number,
                plan.clone(),
            ))
        })
        .collect();
    let seen = all(tasks).await;
    report("polls", plan.begin, seen);
}

async fn tokens(settings: &Settings) -> Vec<String> {
    let mut stream = open(settings, 0).await;
    let (mut tokens, mut buffer) = (Vec::new(), Vec::new());
    for visitor in 0..settings.visitors {
        let request = join_request(settings, &format!("{}{visitor}", settings.prefix));
        stream.write_all(request.as_bytes()).await.unwrap();
        let (_, at) = answer(&mut stream, &mut buffer).await.unwrap();
        let json: serde_json::Value = serde_json::from_slice(&buffer[at..]).unwrap();
        tokens.push(json["waiting_token"].as_str().unwrap().to_owned());
    }
    tokens
}

async fn poll_some(
    settings: Settings,
    tokens: Arc<Vec<String>>,
    number: usize,
    plan: Arc<Plan>,
) -> Counts {
    let mut stream = open(&settings, number).await;
    let path = format!("/q/{}/me", settings.queue);
    let (mut seen, mut buffer) = (Counts::default(), Vec::with_capacity(4_096));
    while let Some((poll, begin)) = plan.next().await {
        let token = &tokens[poll % tokens.len()];
        let request = request("GET", &path, token, "", "");
        stream.write_all(request.as_bytes()).await.unwrap();
        let (status, at) = answer(&mut stream, &mut buffer).await.unwrap();
        let text = String::from_utf8_lossy(&buffer[at..]);
        assert_eq!(status, 200, "{text}");
        seen.latency_ms.push(begin.elapsed().as_secs_f64() * 1e3);
        seen.bytes += buffer.len();
    }
    seen
}

/// One person joins over and over, on all connections and gates at once.
pub(crate) async fn same(settings: Settings) {
    let plan = Plan::new(&settings, settings.visitors, None);
    let tasks: Vec<_> = (0..settings.connections)
        .map(|number| tokio::spawn(join_as_one(settings.clone(), number, plan.clone())))
        .collect();
    let (mut calls, mut numbers) = (0, BTreeSet::new());
    for task in tasks {
        for number in task.await.unwrap() {
            calls += 1;
            numbers.insert(number);
        }
    }
    println!(
        "same: {calls} joins over {} connections and {} gates, tickets {numbers:?}",
        settings.connections,
        settings.gates.len()
    );
    assert_eq!(numbers.len(), 1, "one person holds several tickets");
}

async fn join_as_one(settings: Settings, number: usize, plan: Arc<Plan>) -> Vec<u64> {
    let mut stream = open(&settings, number).await;
    let (mut numbers, mut buffer) = (Vec::new(), Vec::new());
    while plan.next().await.is_some() {
        let request = join_request(&settings, "one-person");
        stream.write_all(request.as_bytes()).await.unwrap();
        let (_, at) = answer(&mut stream, &mut buffer).await.unwrap();
        let json: serde_json::Value = serde_json::from_slice(&buffer[at..]).unwrap();
        numbers.push(json["seq"].as_u64().unwrap());
    }
    numbers
}
