//! What a crowd is told on the command line.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::Duration;

#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) gates: Vec<SocketAddr>,
    pub(crate) patient: bool,
    pub(crate) ghosts: usize,
    pub(crate) queue: String,
    pub(crate) key: String,
    pub(crate) visitors: usize,
    pub(crate) arrive_per_s: f64,
    pub(crate) admit_per_s: u64,
    /// Seconds before anybody is admitted.
    pub(crate) admit_after: u64,
    /// Calls per second that are planned; 0 for as many as go.
    pub(crate) rate_per_s: f64,
    pub(crate) seconds: u64,
    pub(crate) connections: usize,
    pub(crate) threads: usize,
    pub(crate) prefix: String,
    pub(crate) log: Option<String>,
    pub(crate) claim: bool,
    /// Shows the code, stays so long, and says that the session is over.
    pub(crate) session: Option<Duration>,
    /// Bytes of an answer of the bare server.
    pub(crate) answer_bytes: usize,
}

impl Settings {
    /// The mode, and everything else.
    pub(crate) fn read() -> (String, Self) {
        let args: Vec<String> = std::env::args().skip(1).collect();
        let mode = args.first().cloned().unwrap_or_default();
        let flags: HashMap<String, String> = args
            .get(1..)
            .unwrap_or_default()
            .chunks(2)
            .map(|pair| {
                let name = pair[0].trim_start_matches("--").to_owned();
                (name, pair.get(1).cloned().unwrap_or_default())
            })
            .collect();
        let text = |name: &str, usual: &str| {
            let given = flags.get(name).cloned();
            given.unwrap_or_else(|| usual.to_owned())
        };
        let session = flags.get("session").map(|ms| ms.parse().unwrap());
        let settings = Self {
            gates: text("gate", "127.0.0.1:8090")
                .split(',')
                .map(|gate| gate.parse().unwrap())
                .collect(),
            patient: text("patient", "no") == "yes",
            ghosts: text("ghosts", "0").parse().unwrap(),
            queue: text("queue", "q"),
            key: text("key", ""),
            visitors: text("visitors", "1000").parse().unwrap(),
            arrive_per_s: text("arrive", "300").parse().unwrap(),
            admit_per_s: text("admit", "0").parse().unwrap(),
            admit_after: text("admit-after", "0").parse().unwrap(),
            rate_per_s: text("rate", "0").parse().unwrap(),
            seconds: text("seconds", "30").parse().unwrap(),
            connections: text("connections", "64").parse().unwrap(),
            threads: text("threads", "1").parse().unwrap(),
            prefix: text("prefix", "v"),
            log: flags.get("log").cloned(),
            claim: text("claim", "no") == "yes",
            session: session.map(Duration::from_millis),
            answer_bytes: text("answer-bytes", "320").parse().unwrap(),
        };
        (mode, settings)
    }
}
