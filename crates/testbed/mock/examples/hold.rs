//! Holds many requests at once on few HTTP/2 connections, for measuring a mock.
//!
//! `hold ADDRESS CONNECTIONS STREAMS SECONDS PERIOD_MS`: each stream sends a request every
//! PERIOD_MS, or when its last one is answered if that is later; all of them spread evenly.
//! A period a little longer than the mock's latency keeps them spread: streams that send as
//! soon as they are answered fall into step after each hold-up, and stay in it. Prints what
//! was held at most, the rate, and this side's own CPU.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::Instant;

#[derive(Default)]
struct Counts {
    held: AtomicU64,
    most: AtomicU64,
    answered: AtomicU64,
    failed: AtomicU64,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize, default: u64| {
        args.get(index)
            .and_then(|text| text.parse().ok())
            .unwrap_or(default)
    };
    let address = args
        .first()
        .cloned()
        .unwrap_or_else(|| "127.0.0.1:9000".to_owned());
    let (connections, streams, seconds) = (number(1, 500), number(2, 104), number(3, 10));
    let period = Duration::from_millis(number(4, 2060));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime can be made");
    runtime.block_on(hold(
        address,
        connections,
        streams,
        Duration::from_secs(seconds),
        period,
    ));
}

async fn hold(address: String, connections: u64, streams: u64, length: Duration, period: Duration) {
    let counts = Arc::new(Counts::default());
    let began = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for connection in 0..connections {
        let stream = TcpStream::connect(&address)
            .await
            .expect("the mock listens");
        let _ = stream.set_nodelay(true);
        let (client, driver) = h2::client::handshake(stream)
            .await
            .expect("it speaks HTTP/2");
        tokio::spawn(async move {
            let _ = driver.await;
        });
        for number in 0..streams {
            let first = began
                + Duration::from_secs(1)
                + period.mul_f64(
                    (number * connections + connection) as f64 / (connections * streams) as f64,
                );
            let until = began + length;
            tasks.spawn(one(client.clone(), counts.clone(), first, period, until));
        }
    }
    while tasks.join_next().await.is_some() {}
    let took = began.elapsed().as_secs_f64();
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    let cpu = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks: Vec<f64> = cpu
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|text| text.parse().ok())
        .collect();
    let cpu = ticks.iter().sum::<f64>() / 100.0 / took;
    print(&format!(
        "held at most {} requests on {connections} connections; {} answered, {} failed, {:.0}/s; this side {cpu:.2} cores",
        count(&counts.most),
        count(&counts.answered),
        count(&counts.failed),
        count(&counts.answered) as f64 / took,
    ));
}

#[expect(clippy::print_stdout, reason = "what the example is for")]
fn print(text: &str) {
    println!("{text}");
}

async fn one(
    mut client: h2::client::SendRequest<bytes::Bytes>,
    counts: Arc<Counts>,
    first: Instant,
    period: Duration,
    until: Instant,
) {
    let mut next = first;
    loop {
        tokio::time::sleep_until(next).await;
        let now = Instant::now();
        if now >= until {
            return;
        }
        next = now.max(next + period);
        let request = http::Request::get("http://mock/x")
            .body(())
            .expect("the URL is one");
        let held = counts.held.fetch_add(1, Ordering::Relaxed) + 1;
        counts.most.fetch_max(held, Ordering::Relaxed);
        let answered = async {
            client = client.clone().ready().await?;
            let (answer, _) = client.send_request(request, true)?;
            let mut body = answer.await?.into_body();
            while let Some(part) = body.data().await {
                let size = part?.len();
                let _ = body.flow_control().release_capacity(size);
            }
            Ok::<_, h2::Error>(())
        };
        let counter = match answered.await {
            Ok(()) => &counts.answered,
            Err(_) => &counts.failed,
        };
        counts.held.fetch_sub(1, Ordering::Relaxed);
        counter.fetch_add(1, Ordering::Relaxed);
    }
}
