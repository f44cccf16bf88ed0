//! Log lines pushed to Grafana Loki, as k6's `--log-output=loki` does.
//!
//! Lines are kept until the next push, up to a limit; a thread of its own pushes them, so that
//! nobody who logs waits. What the receiver does not take is told and lost.

mod body;

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use loadline_k6::log::{Entry, LogLevel};
use loadline_k6_options::flags::LokiSettings;
use loadline_net::{BlockingClient, BodyMode, NetworkSettings, Request, Url};
use loadline_reactor::MonotonicClock;
use loadline_units::duration::go_string;
use loadline_units::{Clock, Time};

use crate::network;

/// How many bytes of an answer are read.
const ANSWER_BYTES_MAX: u64 = 64 * 1024;

/// Hears of pushes: what failed, and times where they are asked for.
pub type PushListener = Box<dyn Fn(Entry) + Send>;

/// Pushes log lines until [`LokiLog::finish`].
pub struct LokiLog {
    waiting: Arc<Waiting>,
    settings: LokiSettings,
    wall_clock: fn() -> SystemTime,
    pusher: Mutex<Option<JoinHandle<()>>>,
}

/// Lines between those who log and the thread that pushes.
#[derive(Default)]
struct Waiting {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Default)]
struct State {
    lines: Vec<Line>,
    dropped: u64,
    is_ended: bool,
}

/// One line as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    labels: BTreeMap<String, String>,
    message: String,
    /// Nanoseconds since 1970.
    time: i64,
}

impl Waiting {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LokiLog {
    /// Starts the thread that pushes. `environment` names proxies; `listener` hears what
    /// cannot be said in the log itself.
    ///
    /// # Errors
    /// Why the address cannot be used.
    pub fn start(
        settings: LokiSettings,
        environment: &BTreeMap<String, String>,
        wall_clock: fn() -> SystemTime,
        listener: PushListener,
    ) -> Result<Self, String> {
        let url = Url::parse(&settings.address)
            .map_err(|error| format!("loki={}: {error}", settings.address))?;
        let network =
            network::plain_to(&url, environment, false).map_err(|error| error.to_string())?;
        let waiting = Arc::<Waiting>::default();
        let pusher = Pusher {
            url,
            waiting: waiting.clone(),
            settings: settings.clone(),
            listener,
            clock: MonotonicClock::start(),
        };
        let thread = std::thread::Builder::new()
            .name("loki".to_owned())
            .spawn(move || pusher.run(network))
            .map_err(|error| error.to_string())?;
        Ok(Self {
            waiting,
            settings,
            wall_clock,
            pusher: Mutex::new(Some(thread)),
        })
    }

    /// Keeps a line for the next push, or counts it where that is full.
    pub fn push(&self, entry: Entry) {
        let (labels, message) = labelled(&self.settings, entry);
        let mut state = self.waiting.state();
        if state.lines.len() == self.settings.limit {
            state.dropped += 1;
            return;
        }
        // Read under the lock, so that lines stand in the order of their times.
        let time = (self.wall_clock)().duration_since(UNIX_EPOCH);
        let time = i64::try_from(time.unwrap_or_default().as_nanos()).unwrap_or(i64::MAX);
        state.lines.push(Line {
            labels,
            message,
            time,
        });
    }

    /// Pushes what is left, and waits for it: at most two push periods.
    pub fn finish(&self) {
        self.waiting.state().is_ended = true;
        self.waiting.ended.notify_all();
        let pusher = self
            .pusher
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(pusher) = pusher {
            // A panic there has been told by the panic hook.
            let _ = pusher.join();
        }
    }
}

/// The labels of an entry, and its text with those that may not stay labels behind it.
fn labelled(settings: &LokiSettings, entry: Entry) -> (BTreeMap<String, String>, String) {
    let fields = entry.fields.into_iter();
    let mut labels: BTreeMap<String, String> = fields
        .map(|(name, value)| (name.to_owned(), value))
        .chain(settings.labels.iter().cloned())
        .collect();
    labels.insert("level".to_owned(), entry.level.as_str().to_owned());
    let mut message = entry.message;
    if let Some(allowed) = &settings.allowed_labels {
        labels.retain(|name, value| {
            let stays = allowed.contains(name);
            if !stays {
                message.push_str(&format!(" {name}={value}"));
            }
            stays
        });
    }
    (labels, message)
}

/// The thread's side.
struct Pusher {
    url: Url,
    waiting: Arc<Waiting>,
    settings: LokiSettings,
    listener: PushListener,
    clock: MonotonicClock,
}

impl Pusher {
    fn run(&self, network: NetworkSettings) {
        let mut client = BlockingClient::new(Arc::new(network));
        let mut due = self.clock.now();
        loop {
            due += self.settings.push_period;
            let (lines, dropped, is_last) = self.next(due);
            if !lines.is_empty() {
                self.send(&mut client, lines, dropped);
            }
            if is_last {
                return;
            }
        }
    }

    /// What waits when the push is due, or at the end.
    fn next(&self, due: Time) -> (Vec<Line>, u64, bool) {
        let mut state = self.waiting.state();
        while !state.is_ended {
            let left = due.since(self.clock.now());
            if left.is_zero() {
                break;
            }
            let waited = self.waiting.ended.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let lines = std::mem::take(&mut state.lines);
        let dropped = std::mem::take(&mut state.dropped);
        (lines, dropped, state.is_ended)
    }

    fn send(&self, client: &mut BlockingClient, mut lines: Vec<Line>, dropped: u64) {
        lines.extend(self.notice(dropped, &lines));
        let count = lines.len();
        let began = self.clock.now();
        let body = body::build(lines, self.settings.message_max);
        let (written, size) = (self.clock.now().since(began), body.len());
        if let Err(reason) = self.post(client, body) {
            let entry = Entry::new(LogLevel::Error, "Error while sending logs to loki");
            (self.listener)(entry.with("error", reason));
            return;
        }
        if self.settings.profile {
            let sent = go_string(self.clock.now().since(began).saturating_sub(written));
            let written = go_string(written);
            let text =
                format!("marshalling={written} sending={sent} count={count} final_size={size}\n");
            (self.listener)(Entry::new(LogLevel::Info, text));
        }
    }

    /// The line that says how many others did not fit.
    fn notice(&self, dropped: u64, lines: &[Line]) -> Option<Line> {
        let last = lines.last().filter(|_| dropped > 0)?;
        let (limit, period) = (self.settings.limit, go_string(self.settings.push_period));
        let text = format!(
            "k6 dropped {dropped} log messages because they were above the limit of {limit} messages / {period}"
        );
        let (labels, message) = labelled(&self.settings, Entry::new(LogLevel::Warning, text));
        Some(Line {
            labels,
            message,
            time: last.time,
        })
    }

    fn post(&self, client: &mut BlockingClient, body: Vec<u8>) -> Result<(), String> {
        let mut request = Request::new("POST", self.url.clone());
        request.set_field("Content-Type", "application/json");
        loadline_net::set_basic(&mut request);
        for (name, value) in &self.settings.headers {
            request.set_field(name.clone(), value.clone());
        }
        request.set_body(Some(Bytes::from(body)));
        let kept = BodyMode::Keep {
            limit: ANSWER_BYTES_MAX,
        };
        let patience = self.settings.push_period;
        let response = client
            .exchange(request, kept, patience)
            .map_err(|failure| format!("Post \"{}\": {}", self.url.masked(), failure.text()))?;
        match response.head.status() {
            status @ 400.. => Err(format!(
                "got {status} from loki: {}",
                String::from_utf8_lossy(&response.body)
            )),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
