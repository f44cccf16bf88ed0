//! Visitors who register, hold a stream until it is their turn, come in, stay and leave.

use std::io::Write as _;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::settings::Settings;
use crate::wire::{ask, connect, now_ms, once, quantiles};

/// What all visitors together saw.
#[derive(Default)]
struct Counts {
    registered: AtomicUsize,
    open: AtomicUsize,
    ready: AtomicUsize,
    claimed: AtomicUsize,
    completed: AtomicUsize,
    dropped: AtomicUsize,
    failed: AtomicUsize,
    /// Told that the place is gone while it was not.
    told_gone: AtomicUsize,
    ended: AtomicUsize,
    bytes: AtomicU64,
    latency_ms: Mutex<Vec<f64>>,
    lines: Mutex<Vec<String>>,
}

impl Counts {
    fn log(&self, visitor: usize, what: &str, seq: u64) {
        let line = format!("{:.3} {visitor} {what} {seq}", now_ms());
        self.lines.lock().unwrap().push(line);
    }

    /// When the queue gave the turn, by its own clock: the same at all gates.
    fn decided(&self, visitor: usize, seq: u64, turn_ms: u64) {
        let line = format!("{turn_ms} {visitor} decided {seq}");
        self.lines.lock().unwrap().push(line);
    }

    fn count(&self, of: impl Fn(&Self) -> &AtomicUsize) -> usize {
        of(self).load(Ordering::Relaxed)
    }

    fn report(&self, at: Duration) {
        println!(
            "{:6.1} s: registered {}, open {}, ready {}, claimed {}, completed {}, dropped {}, failed {}, told gone {}, bytes {}",
            at.as_secs_f64(),
            self.count(|seen| &seen.registered),
            self.count(|seen| &seen.open),
            self.count(|seen| &seen.ready),
            self.count(|seen| &seen.claimed),
            self.count(|seen| &seen.completed),
            self.count(|seen| &seen.dropped),
            self.count(|seen| &seen.failed),
            self.count(|seen| &seen.told_gone),
            self.bytes.load(Ordering::Relaxed),
        );
    }
}

/// Plays all visitors; with `hold` until the seconds are over, else until all have ended.
pub(crate) async fn streams(settings: Settings, hold: bool) {
    let seen = Arc::new(Counts::default());
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
            seen.report(begin.elapsed());
        }
    }
    println!("all arrived after {:.1} s", begin.elapsed().as_secs_f64());
    for _ in 0..settings.seconds * 10 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        if seen.count(|seen| &seen.ended) >= settings.visitors && !hold {
            break;
        }
    }
    seen.report(begin.elapsed());
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

async fn admit_each_second(settings: Settings) {
    tokio::time::sleep(Duration::from_secs(settings.admit_after)).await;
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

fn refused(what: &str, status: u16, answer: &str) -> std::io::Error {
    std::io::Error::other(format!("{what}: {status} {answer}"))
}

/// One visitor's life.
async fn visit(settings: &Settings, visitor: usize, seen: &Counts) -> std::io::Result<()> {
    let path = format!("/v1/queues/{}/waiters", settings.queue);
    let body = format!("{{\"user_id\":\"{}{visitor}\"}}", settings.prefix);
    let (status, answer) = ask(settings, visitor, &path, &settings.key, &body).await?;
    if !matches!(status, 200 | 201) {
        return Err(refused("register", status, &answer));
    }
    seen.registered.fetch_add(1, Ordering::Relaxed);
    let json: serde_json::Value = serde_json::from_str(&answer).unwrap_or_default();
    let token = json["waiting_token"].as_str().unwrap_or_default();
    let seq = json["seq"].as_u64().unwrap_or(0);
    seen.log(visitor, "joined", seq);
    if visitor % 100 < settings.ghosts {
        seen.log(visitor, "left", seq);
        return Ok(());
    }
    if settings.patient {
        ask_everywhere(settings, token, seen).await;
    }
    wait(settings, visitor, token, seen).await?;
    if settings.claim {
        come_in(settings, visitor, token, seq, seen).await?;
    }
    Ok(())
}

/// Asks every gate for the place: one may know less than the gate that gave it.
async fn ask_everywhere(settings: &Settings, token: &str, seen: &Counts) {
    let path = format!("/q/{}/me", settings.queue);
    for gate in &settings.gates {
        let answer = once(*gate, "GET", &path, token, "", "").await;
        // A gate may be away, and may say so.
        if matches!(&answer, Ok((401 | 404 | 410, _))) {
            seen.told_gone.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Holds streams until one says that it is the visitor's turn.
async fn wait(
    settings: &Settings,
    visitor: usize,
    token: &str,
    seen: &Counts,
) -> std::io::Result<()> {
    for round in 0.. {
        let heard = listen(settings, visitor + round, token, seen).await;
        let heard = if settings.patient {
            heard.unwrap_or(None)
        } else {
            heard?
        };
        if let Some(turn) = heard {
            seen.ready.fetch_add(1, Ordering::Relaxed);
            seen.log(visitor, "ready", turn.0);
            seen.decided(visitor, turn.0, turn.1);
            return Ok(());
        }
        seen.dropped.fetch_add(1, Ordering::Relaxed);
        // Longer each time, as the waiting page does: else the crowd's own tries are the load.
        let doublings = u32::try_from(round.min(4)).unwrap();
        tokio::time::sleep(Duration::from_millis(200) * 2_u32.pow(doublings)).await;
    }
    Ok(())
}

/// How long a code can be exchanged, of a queue that does not say otherwise. A younger one must not be refused.
const CODE_LIFE: Duration = Duration::from_secs(60);

/// Claims the turn and returns the code.
async fn claim(settings: &Settings, visitor: usize, token: &str) -> std::io::Result<String> {
    let path = format!("/q/{}/claim", settings.queue);
    let (status, answer) = ask(settings, visitor, &path, token, "").await?;
    if status != 200 {
        return Err(refused("claim", status, &answer));
    }
    let json: serde_json::Value = serde_json::from_str(&answer).unwrap_or_default();
    Ok(json["code"].as_str().unwrap_or_default().to_owned())
}

/// Claims the turn and, if there is to be a session, shows the code, stays, and leaves.
async fn come_in(
    settings: &Settings,
    visitor: usize,
    token: &str,
    seq: u64,
    seen: &Counts,
) -> std::io::Result<()> {
    let mut asked = tokio::time::Instant::now();
    let mut code = claim(settings, visitor, token).await?;
    seen.claimed.fetch_add(1, Ordering::Relaxed);
    seen.log(visitor, "claimed", seq);
    let Some(session) = settings.session else {
        return Ok(());
    };
    loop {
        let body = format!("{{\"queue\":\"{}\",\"code\":\"{code}\"}}", settings.queue);
        // At the next gate: what one signed, all must read.
        let path = "/v1/token/exchange";
        let (status, answer) = ask(settings, visitor + 1, path, &settings.key, &body).await?;
        match status {
            200 => break,
            // An answer that was lost is asked for again, and the code was used by then.
            409 if settings.patient => break,
            // The gate was away for longer than a code lives: the place holds, and has another.
            401 if settings.patient && asked.elapsed() >= CODE_LIFE => {
                asked = tokio::time::Instant::now();
                code = claim(settings, visitor, token).await?;
            }
            _ => return Err(refused("exchange", status, &answer)),
        }
    }
    tokio::time::sleep(session).await;
    // Before the call: the gate may give the place to the next before the answer is read.
    seen.log(visitor, "completed", seq);
    let path = format!("/v1/queues/{}/sessions/complete", settings.queue);
    let body = format!("{{\"user_ids\":[\"{}{visitor}\"]}}", settings.prefix);
    let (status, answer) = ask(settings, visitor, &path, &settings.key, &body).await?;
    if status != 200 {
        return Err(refused("complete", status, &answer));
    }
    seen.completed.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

/// Reads a stream until it says ready (number and time of the turn) or ends (`None`).
async fn listen(
    settings: &Settings,
    visitor: usize,
    token: &str,
    seen: &Counts,
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
        let Ok(length @ 1..) = stream.read(&mut buffer).await else {
            break None;
        };
        let read_ms = now_ms();
        seen.bytes.fetch_add(length as u64, Ordering::Relaxed);
        text.push_str(&String::from_utf8_lossy(&buffer[..length]));
        if let Some(at) = text.find("event: ready")
            && let Some(data) = text[at..]
                .split_once("data: ")
                .and_then(|(_, rest)| rest.split_once("\n\n"))
        {
            let json: serde_json::Value = serde_json::from_str(data.0).unwrap_or_default();
            let taken = json["taken_ms"].as_f64().unwrap_or(0.0);
            seen.latency_ms.lock().unwrap().push(read_ms - taken);
            let number = |name: &str| json[name].as_u64().unwrap_or(0);
            break Some((number("seq"), number("turn_ms")));
        }
        // A refusal: its connection would stay open until the gate closes it as idle.
        if text.len() >= 12 && text.starts_with("HTTP/1.1 ") && !text.starts_with("HTTP/1.1 200") {
            break None;
        }
        if text.contains("\"state\":\"gone\"") {
            seen.told_gone.fetch_add(1, Ordering::Relaxed);
            break None;
        }
        // What was read whole is not needed again; an event may be cut in two.
        if let Some(end) = text.rfind("\n\n") {
            text.drain(..end);
            text.shrink_to(64);
        }
    };
    seen.open.fetch_sub(1, Ordering::Relaxed);
    Ok(found)
}
