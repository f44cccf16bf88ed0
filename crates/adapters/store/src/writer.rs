//! Writes a run to the store while it is going on.
//!
//! A [`Recorder`] lives on the run's thread. It encodes each window and sends the bytes to the
//! store's thread, which alone touches the file. Both share a count of the bytes in between.
//! Beyond [`QUEUE_BYTES_MAX`] bytes the recorder merges further windows into one until the store's thread
//! has caught up, and marks it as merged. The run never waits.
//!
//! When the store cannot be written, data is lost and [`RecordingResult`] says which; the run
//! goes on and is judged.

mod listed;
mod ops;
mod redacted;
mod thread;

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use loadline_metrics::{LatePart, Merger, MetricValue, Registry, Window};
use loadline_record::saved_answers::SavedAnswers;
use loadline_record::signals::Signals;
use loadline_record::{FailedAnswer, GeneratorHealth, Redactor};

use crate::about::{RunEnd, RunEvent, RunInfo};
use crate::blob::StorageRules;
use crate::dictionary::SeriesDef;
use crate::full_disk;
use crate::gains::{self, Detail};
pub(crate) use ops::Level;
use thread::Thread;

/// Windows per minute. After each minute the totals are written again.
pub(crate) const WINDOWS_PER_MINUTE: u64 = 60;
/// Typical size of one series' total in bytes; sets the first capacity for totals.
const TYPICAL_TOTAL_BYTES: usize = 500;
/// How many bytes of windows may wait for the disk.
pub const QUEUE_BYTES_MAX: usize = 64 << 20;
/// How often a store that is locked or full is tried again.
pub(crate) const RETRY_INTERVAL: Duration = Duration::from_millis(250);

/// Where and how a run is stored.
#[derive(Debug, Clone)]
pub struct RecorderConfig {
    /// The store's file.
    pub path: PathBuf,
    /// The run's name: letters and digits.
    pub name: String,
    /// What is known of the run.
    pub about: RunInfo,
    /// Removes secrets.
    pub redactor: Redactor,
    /// Series beyond this number are folded; the blobs' headers say so.
    pub fold_limit: u32,
    /// Reads the time of day.
    pub wall_clock: fn() -> SystemTime,
    /// Bytes of windows that may wait: [`QUEUE_BYTES_MAX`], or less in tests.
    pub queue: usize,
}

/// Whether a run was stored, and what is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordingResult {
    /// The run's name.
    pub name: String,
    /// How many windows were merged because the disk was too slow.
    pub coarse: u64,
    /// What was lost, if anything.
    pub loss: Option<DataLoss>,
}

/// What is missing in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataLoss {
    /// Why.
    pub cause: LossCause,
    /// The reason, in the system's words.
    pub reason: String,
    /// Whether nothing of the run was stored.
    pub everything: bool,
}

/// Why the store could not be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossCause {
    /// No space is left.
    Full,
    /// The file is read-only.
    ReadOnly,
    /// Another process held it until the end.
    Locked,
    /// A newer program made it.
    Newer,
    /// A defect of loadline: the store's thread panicked.
    Defect,
    /// Something else.
    Other,
}

/// What the run's thread sends to the store's thread.
enum Item {
    Series(Vec<SeriesDef>),
    Gains(WindowGains),
    /// The totals of all gains sent so far.
    Totals(Vec<u8>),
    CountedFrom(u64),
    Event(RunEvent),
    /// What is known of the target.
    Signals(Box<Signals>),
    /// The generator's health so far.
    Generator(Box<GeneratorHealth>),
    Answers(Vec<FailedAnswer>),
    SavedAnswers(Box<SavedAnswers>),
    Finish(Box<RunEnd>, Vec<u8>),
}

/// Gains of one window, of several merged ones, or of a late part.
struct WindowGains {
    /// The first window.
    first: u64,
    /// How many windows.
    span: u64,
    late: bool,
    missing: usize,
    bytes: Vec<u8>,
}

/// State that both threads see.
#[derive(Debug, Default)]
struct Shared {
    /// Bytes sent but not written yet.
    queued: AtomicUsize,
    /// The recorder no longer waits: give up what cannot be written at once.
    hurry: AtomicBool,
    /// The last failure, and which rows of the run exist.
    trouble: Mutex<WriteFailure>,
}

#[derive(Debug, Default, Clone)]
struct WriteFailure {
    /// Why writing fails at present.
    now: Option<(LossCause, String)>,
    /// The run's first row is written.
    exists: bool,
    /// The run's last row is written.
    complete: bool,
}

impl Shared {
    /// Records that nothing more will be written.
    fn give_up(&self, cause: LossCause, reason: String) {
        let trouble = self.trouble.lock();
        trouble.unwrap_or_else(PoisonError::into_inner).now = Some((cause, reason));
    }

    fn trouble(&self) -> WriteFailure {
        let trouble = self.trouble.lock();
        trouble.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The run's side of the writer.
pub struct Recorder {
    items: Sender<Item>,
    ended: Receiver<()>,
    shared: Arc<Shared>,
    path: PathBuf,
    name: String,
    redactor: Redactor,
    wall_clock: fn() -> SystemTime,
    limit: usize,
    /// How many series were sent so far; ids are assigned in order.
    defined: usize,
    coarse: Option<CoarseWindow>,
    coarsened: u64,
}

/// Windows merged because the store's thread is behind.
struct CoarseWindow {
    first: u64,
    last: u64,
    missing: usize,
    gains: BTreeMap<u32, MetricValue>,
}

impl Recorder {
    /// Starts to store a run. The store's thread opens the file.
    #[must_use]
    pub fn start(config: RecorderConfig) -> Self {
        let mut config = config;
        config.about = redacted(&config.about, &config.redactor);
        let (items, queue) = unbounded();
        let (ended_in, ended) = bounded::<()>(1);
        let shared = Arc::new(Shared::default());
        let rules = StorageRules {
            fold_limit: config.fold_limit,
            redaction: Redactor::RULES_VERSION,
        };
        let recorder = Self {
            items,
            ended,
            shared: shared.clone(),
            path: config.path.clone(),
            name: config.name.clone(),
            redactor: config.redactor.clone(),
            wall_clock: config.wall_clock,
            limit: config.queue,
            defined: 0,
            coarse: None,
            coarsened: 0,
        };
        let thread = Thread::new(config, rules, queue, shared.clone());
        let spawned = std::thread::Builder::new().name("store".to_owned()).spawn({
            let shared = shared.clone();
            move || {
                let ran = catch_unwind(AssertUnwindSafe(|| thread.run()));
                if let Err(panic) = ran {
                    shared.give_up(LossCause::Defect, panic_text(panic.as_ref()));
                }
                // Dropping the sender signals the end.
                drop(ended_in);
            }
        });
        if let Err(error) = spawned {
            shared.give_up(LossCause::Other, error.to_string());
        }
        recorder
    }

    /// The message of the store thread's panic, if it panicked.
    #[must_use]
    pub fn defect(&self) -> Option<String> {
        match self.shared.trouble().now? {
            (LossCause::Defect, reason) => Some(reason),
            _ => None,
        }
    }

    /// Stores a window that the merger completed.
    pub fn window(&mut self, window: &Window, merger: &Merger, registry: &Registry) {
        self.define(merger, registry);
        for late in &window.late {
            self.late(late);
        }
        let is_behind = self.shared.queued.load(Ordering::Relaxed) >= self.limit;
        if is_behind || self.coarse.is_some() {
            self.coarsen(window);
        }
        if self.coarse.is_none() {
            let gained = WindowGains {
                first: window.index,
                span: 1,
                late: false,
                missing: window.missing.len(),
                bytes: encode(window.series.iter().map(|s| (s.series.index(), &s.value))),
            };
            self.send_gains(gained);
            self.total(window, merger);
        } else if self.shared.queued.load(Ordering::Relaxed) < self.limit / 2 {
            self.flush_coarse();
        }
    }

    /// Sends the totals at the end of a minute. A reader of an interrupted run then needs to add
    /// up less than a minute of windows.
    fn total(&self, window: &Window, merger: &Merger) {
        // When the merger completes several windows at once, only after the last do the totals
        // match.
        let is_last = merger.next_window() == window.index + 1;
        if is_last && merger.next_window().is_multiple_of(WINDOWS_PER_MINUTE) {
            let bytes = totals(merger, Detail::Buckets);
            self.shared.queued.fetch_add(bytes.len(), Ordering::Relaxed);
            self.send(Item::Totals(bytes));
        }
    }

    /// Marks the end of the warm-up: windows before `first` do not count.
    pub fn counted_from(&mut self, first: u64) {
        self.flush_coarse();
        self.send(Item::CountedFrom(first));
    }

    /// Stores an event that happened at `at_nanos` on the run's clock.
    pub fn event(&mut self, at_nanos: u64, kind: &str, detail: serde_json::Value) {
        let wall_ms = wall_ms((self.wall_clock)());
        self.send(Item::Event(RunEvent {
            at_nanos,
            wall_ms,
            kind: kind.to_owned(),
            detail: self.redactor.json(detail),
        }));
    }

    /// Stores what is known of the target so far, in place of what was stored before.
    pub fn signals(&mut self, signals: Signals) {
        let redactor = &self.redactor;
        let signals = signals.redacted(|text| redactor.text(text));
        self.send(Item::Signals(Box::new(signals)));
    }

    /// Stores the generator's health so far, in place of what was stored before.
    pub fn generator(&mut self, health: GeneratorHealth) {
        self.send(Item::Generator(Box::new(health)));
    }

    /// Stores what failed requests were answered so far, in place of what was stored before.
    pub fn answers(&mut self, mut answers: Vec<FailedAnswer>) {
        redacted::answers(&self.redactor, &mut answers);
        self.send(Item::Answers(answers));
    }

    /// Stores the answers that later runs are held to; they hold no secrets.
    pub fn saved_answers(&mut self, answers: SavedAnswers) {
        self.send(Item::SavedAnswers(Box::new(answers)));
    }

    /// Sends the end of the run, and waits up to `patience` until everything is written.
    #[must_use]
    pub fn finish(mut self, end: RunEnd, merger: &Merger, patience: Duration) -> RecordingResult {
        self.flush_coarse();
        let end = Box::new(redacted::end(&self.redactor, end));
        self.send(Item::Finish(end, totals(merger, Detail::Values)));
        drop(self.items);
        if let Err(RecvTimeoutError::Timeout) = self.ended.recv_timeout(patience) {
            self.shared.hurry.store(true, Ordering::Relaxed);
            // One last attempt, without waiting for another process.
            let _ = self.ended.recv_timeout(RETRY_INTERVAL * 3);
        }
        let trouble = self.shared.trouble();
        let lost = !trouble.complete;
        let loss = lost.then(|| {
            let slow = || (LossCause::Other, "the disk is too slow".to_owned());
            let (cause, reason) = trouble.now.unwrap_or_else(slow);
            DataLoss {
                cause,
                reason,
                everything: !trouble.exists,
            }
        });
        if trouble.exists
            && loss
                .as_ref()
                .is_some_and(|loss| loss.cause == LossCause::Full)
        {
            full_disk::mark(&self.path, &self.name);
        }
        RecordingResult {
            name: self.name,
            coarse: self.coarsened,
            loss,
        }
    }

    /// Sends definitions of series that are new since the last call.
    fn define(&mut self, merger: &Merger, registry: &Registry) {
        if merger.series_count() == self.defined {
            return;
        }
        let new = merger.series_from(self.defined);
        let definitions = new.map(|(_, info)| {
            let metric = registry.get(info.metric);
            let tags = merger.tags().tags(info.tags);
            SeriesDef {
                metric: metric.name.to_string(),
                kind: metric.kind,
                contains: metric.contains,
                origin: metric.origin,
                since: info.since,
                tags: tags
                    .map(|(key, value)| (key.to_owned(), self.redactor.tag(key, value)))
                    .collect(),
            }
        });
        let definitions = definitions.collect();
        self.defined = merger.series_count();
        self.send(Item::Series(definitions));
    }

    fn late(&mut self, late: &LatePart) {
        let gained = WindowGains {
            first: late.window,
            span: 1,
            late: true,
            missing: 0,
            bytes: encode(late.series.iter().map(|s| (s.series.index(), &s.value))),
        };
        self.send_gains(gained);
    }

    fn coarsen(&mut self, window: &Window) {
        let coarse = self.coarse.get_or_insert_with(|| CoarseWindow {
            first: window.index,
            last: window.index,
            missing: 0,
            gains: BTreeMap::new(),
        });
        coarse.last = window.index;
        coarse.missing += window.missing.len();
        self.coarsened += 1;
        for gain in &window.series {
            let total = coarse.gains.entry(small(gain.series.index()));
            total
                .or_insert_with(|| MetricValue::empty(gain.value.kind()))
                .merge(&gain.value);
        }
    }

    fn flush_coarse(&mut self) {
        let Some(coarse) = self.coarse.take() else {
            return;
        };
        let span = coarse.last - coarse.first + 1;
        let detail = serde_json::json!({ "first": coarse.first, "windows": span });
        self.event(0, "coarse", detail);
        let gains = coarse.gains.iter().map(|(id, value)| (*id as usize, value));
        self.send_gains(WindowGains {
            first: coarse.first,
            span,
            late: false,
            missing: coarse.missing,
            bytes: encode(gains),
        });
    }

    fn send_gains(&self, gains: WindowGains) {
        let size = gains.bytes.len();
        self.shared.queued.fetch_add(size, Ordering::Relaxed);
        self.send(Item::Gains(gains));
    }

    fn send(&self, item: Item) {
        // A thread that ended has recorded why.
        let _ = self.items.send(item);
    }
}

/// Removes secrets from what is known of a run. Variables that the user asked to store stay.
fn redacted(about: &RunInfo, redactor: &Redactor) -> RunInfo {
    let plain = serde_json::to_value(about).expect("strings and numbers only");
    let masked = serde_json::from_value::<RunInfo>(redactor.json(plain));
    let mut masked = masked.expect("masks are strings in the place of strings");
    masked.environment.kept = about.environment.kept.clone();
    masked.hash.clone_from(&about.hash);
    masked
}

fn encode<'a>(gains: impl Iterator<Item = (usize, &'a MetricValue)>) -> Vec<u8> {
    let mut writer = gains::Writer::new(Detail::Buckets, 0);
    for (id, value) in gains {
        writer.put(small(id), value);
    }
    writer.into_bytes()
}

/// The totals of all series, encoded.
fn totals(merger: &Merger, detail: Detail) -> Vec<u8> {
    let series = merger.series_count();
    let mut writer = gains::Writer::new(detail, series * TYPICAL_TOTAL_BYTES);
    for (id, _) in merger.series_from(0) {
        if let Some(value) = merger.totals().series(id) {
            writer.put(small(id.index()), value);
        }
    }
    writer.into_bytes()
}

fn small(series: usize) -> u32 {
    u32::try_from(series).expect("fewer than 2^32 series")
}

/// The message of a panic.
fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic without a message".to_owned())
}

/// Milliseconds since 1970.
pub(crate) fn wall_ms(now: SystemTime) -> i64 {
    let since = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
