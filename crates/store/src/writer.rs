//! Writing a run while it goes.
//!
//! A [`Recorder`] lives on the run's thread: it turns each window into bytes and hands
//! them to the store's own thread, which alone touches the file. The two share a count of
//! the bytes between them. Beyond [`QUEUE`] the recorder merges further windows into one
//! coarse window until the thread has caught up, and marks it; nothing ever waits.
//!
//! A store that cannot be written loses what it loses, and [`Kept`] says what: the run
//! itself goes on and is judged.

mod listed;
mod ops;
mod thread;

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use loadline_metrics::{LatePart, Merger, Registry, Value, Window};
use loadline_record::{Ending, Redactor};

use crate::about::{About, End, Event};
use crate::blob::Rules;
use crate::dictionary::SeriesDef;
use crate::gains::{self, Detail};
pub(crate) use ops::Level;
use thread::Thread;

/// Windows of a minute: after as many the totals are written once more.
pub(crate) const MINUTE: u64 = 60;
/// Bytes a series' total takes that is long: room for totals is made at once.
const TYPICAL: usize = 500;
/// Bytes of windows that may wait for the disk.
pub const QUEUE: usize = 64 << 20;
/// How often a store that is held or full is tried again.
pub(crate) const RETRIED_EVERY: Duration = Duration::from_millis(250);

/// Where and as what a run is kept.
#[derive(Debug, Clone)]
pub struct Keeping {
    /// The store's file.
    pub path: PathBuf,
    /// The run's name: letters and digits.
    pub name: String,
    /// What it is.
    pub about: About,
    /// Leaves out what is secret.
    pub redactor: Redactor,
    /// Series beyond this number are folded; for the header.
    pub fold_limit: u32,
    /// The time of day.
    pub wall_clock: fn() -> SystemTime,
    /// Bytes of windows that may wait: [`QUEUE`], or less in tests.
    pub queue: usize,
}

/// Whether a run is in the store, and what of it is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The run's name.
    pub name: String,
    /// Windows that were merged into coarser ones because the disk was too slow.
    pub coarse: u64,
    /// What was lost, if anything.
    pub loss: Option<Loss>,
}

/// What of a run is not in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// Why.
    pub cause: LossCause,
    /// In the system's words.
    pub reason: String,
    /// Whether nothing of the run is there.
    pub everything: bool,
}

/// Why a store could not be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossCause {
    /// No space is left.
    Full,
    /// It may not be written.
    ReadOnly,
    /// Another process held it to the end.
    Locked,
    /// A newer program made it.
    Newer,
    /// A defect of this program: the store's thread panicked.
    Defect,
    /// Something else.
    Other,
}

/// What the run's thread hands over.
enum Item {
    Series(Vec<SeriesDef>),
    Gains(Stretch),
    /// Totals of all gains handed over so far.
    Totals(Vec<u8>),
    CountedFrom(u64),
    Event(Event),
    Finish(Box<End>, Vec<u8>),
}

/// Gains of one window, of several merged into one, or of a part that came late.
struct Stretch {
    /// The first window.
    first: u64,
    /// How many.
    span: u64,
    late: bool,
    missing: usize,
    bytes: Vec<u8>,
}

/// What both threads see.
#[derive(Debug, Default)]
struct Shared {
    /// Bytes handed over and not written yet.
    queued: AtomicUsize,
    /// Nobody waits any more: leave what cannot be written at once.
    hurry: AtomicBool,
    /// What went wrong last, and whether the run is there at all.
    trouble: Mutex<Trouble>,
}

#[derive(Debug, Default, Clone)]
struct Trouble {
    /// Why nothing can be written now.
    now: Option<(LossCause, String)>,
    /// The run's first row is written.
    exists: bool,
    /// Its last row is.
    complete: bool,
}

impl Shared {
    /// Nothing will be written any more.
    fn give_up(&self, cause: LossCause, reason: String) {
        let trouble = self.trouble.lock();
        trouble.unwrap_or_else(PoisonError::into_inner).now = Some((cause, reason));
    }

    fn trouble(&self) -> Trouble {
        let trouble = self.trouble.lock();
        trouble.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The run thread's end.
pub struct Recorder {
    items: Sender<Item>,
    ended: Receiver<()>,
    shared: Arc<Shared>,
    name: String,
    redactor: Redactor,
    wall_clock: fn() -> SystemTime,
    limit: usize,
    /// Series handed over so far: ids are given out in order.
    defined: usize,
    coarse: Option<Coarse>,
    coarsened: u64,
}

/// Windows merged because the thread is behind.
struct Coarse {
    first: u64,
    last: u64,
    missing: usize,
    gains: BTreeMap<u32, Value>,
}

impl Recorder {
    /// Begins to keep a run. The file is opened on the store's thread.
    #[must_use]
    pub fn start(keeping: Keeping) -> Self {
        let mut keeping = keeping;
        keeping.about = redacted(&keeping.about, &keeping.redactor);
        let (items, queue) = unbounded();
        let (ended_in, ended) = bounded::<()>(1);
        let shared = Arc::new(Shared::default());
        let rules = Rules {
            fold_limit: keeping.fold_limit,
            redaction: Redactor::VERSION,
        };
        let recorder = Self {
            items,
            ended,
            shared: shared.clone(),
            name: keeping.name.clone(),
            redactor: keeping.redactor.clone(),
            wall_clock: keeping.wall_clock,
            limit: keeping.queue,
            defined: 0,
            coarse: None,
            coarsened: 0,
        };
        let thread = Thread::new(keeping, rules, queue, shared.clone());
        let spawned = std::thread::Builder::new().name("store".to_owned()).spawn({
            let shared = shared.clone();
            move || {
                let ran = catch_unwind(AssertUnwindSafe(|| thread.run()));
                if let Err(panic) = ran {
                    shared.give_up(LossCause::Defect, panic_text(panic.as_ref()));
                }
                // Dropping the sender tells that it is over.
                drop(ended_in);
            }
        });
        if let Err(error) = spawned {
            shared.give_up(LossCause::Other, error.to_string());
        }
        recorder
    }

    /// What the store's thread panicked with, if it did.
    #[must_use]
    pub fn defect(&self) -> Option<String> {
        match self.shared.trouble().now? {
            (LossCause::Defect, reason) => Some(reason),
            _ => None,
        }
    }

    /// Takes in a window the merger gave out.
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
            let stretch = Stretch {
                first: window.index,
                span: 1,
                late: false,
                missing: window.missing.len(),
                bytes: encode(window.series.iter().map(|s| (s.series.index(), &s.value))),
            };
            self.send_gains(stretch);
            self.total(window, merger);
        } else if self.shared.queued.load(Ordering::Relaxed) < self.limit / 2 {
            self.flush_coarse();
        }
    }

    /// Hands over the totals at the end of a minute, so that who reads a run that was cut off
    /// need not add up all its windows.
    fn total(&self, window: &Window, merger: &Merger) {
        // When several windows are given out at once, the totals are ahead of all but the last.
        let is_last = merger.next_window() == window.index + 1;
        if is_last && merger.next_window().is_multiple_of(MINUTE) {
            let bytes = totals(merger, Detail::Buckets);
            self.shared.queued.fetch_add(bytes.len(), Ordering::Relaxed);
            self.send(Item::Totals(bytes));
        }
    }

    /// What was measured before window `first` no longer counts.
    pub fn counted_from(&mut self, first: u64) {
        self.flush_coarse();
        self.send(Item::CountedFrom(first));
    }

    /// Takes in something that happened at `at_nanos` of the run's clock.
    pub fn event(&mut self, at_nanos: u64, kind: &str, detail: serde_json::Value) {
        let wall_ms = wall_ms((self.wall_clock)());
        self.send(Item::Event(Event {
            at_nanos,
            wall_ms,
            kind: kind.to_owned(),
            detail: self.redactor.json(detail),
        }));
    }

    /// Hands over the end, and waits up to `patience` for the last byte to be written.
    #[must_use]
    pub fn finish(mut self, end: End, merger: &Merger, patience: Duration) -> Kept {
        self.flush_coarse();
        let end = Box::new(self.redact(end));
        self.send(Item::Finish(end, totals(merger, Detail::Values)));
        drop(self.items);
        if let Err(RecvTimeoutError::Timeout) = self.ended.recv_timeout(patience) {
            self.shared.hurry.store(true, Ordering::Relaxed);
            // One more try, which does not wait for anybody.
            let _ = self.ended.recv_timeout(RETRIED_EVERY * 3);
        }
        let trouble = self.shared.trouble();
        let lost = !trouble.complete;
        let loss = lost.then(|| {
            let slow = || (LossCause::Other, "the disk is too slow".to_owned());
            let (cause, reason) = trouble.now.unwrap_or_else(slow);
            Loss {
                cause,
                reason,
                everything: !trouble.exists,
            }
        });
        Kept {
            name: self.name,
            coarse: self.coarsened,
            loss,
        }
    }

    fn redact(&self, mut end: End) -> End {
        end.run.setup_data = None; // often a token
        for answer in &mut end.run.failed_answers {
            answer.text = self.redactor.text(&answer.text);
        }
        match &mut end.run.ending {
            Ending::Test { message } | Ending::Failed { message } | Ending::Defect { message } => {
                *message = self.redactor.text(message);
            }
            Ending::Finished | Ending::Threshold | Ending::Interrupted => {}
        }
        end
    }

    /// Hands over the series the merger has and the store does not know yet.
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
                    .map(|(key, value)| (key.to_owned(), self.redactor.text(value)))
                    .collect(),
            }
        });
        let definitions = definitions.collect();
        self.defined = merger.series_count();
        self.send(Item::Series(definitions));
    }

    fn late(&mut self, late: &LatePart) {
        let stretch = Stretch {
            first: late.window,
            span: 1,
            late: true,
            missing: 0,
            bytes: encode(late.series.iter().map(|s| (s.series.index(), &s.value))),
        };
        self.send_gains(stretch);
    }

    fn coarsen(&mut self, window: &Window) {
        let coarse = self.coarse.get_or_insert_with(|| Coarse {
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
                .or_insert_with(|| Value::empty(gain.value.kind()))
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
        self.send_gains(Stretch {
            first: coarse.first,
            span,
            late: false,
            missing: coarse.missing,
            bytes: encode(gains),
        });
    }

    fn send_gains(&self, stretch: Stretch) {
        let size = stretch.bytes.len();
        self.shared.queued.fetch_add(size, Ordering::Relaxed);
        self.send(Item::Gains(stretch));
    }

    fn send(&self, item: Item) {
        // A thread that is gone has said why.
        let _ = self.items.send(item);
    }
}

/// What is known of a run, without secrets; variables that were asked to be kept are.
fn redacted(about: &About, redactor: &Redactor) -> About {
    let plain = serde_json::to_value(about).expect("strings and numbers only");
    let masked = serde_json::from_value::<About>(redactor.json(plain));
    let mut masked = masked.expect("masks are strings in the place of strings");
    masked.environment.kept = about.environment.kept.clone();
    masked.hash.clone_from(&about.hash);
    masked
}

fn encode<'a>(gains: impl Iterator<Item = (usize, &'a Value)>) -> Vec<u8> {
    let mut writer = gains::Writer::new(Detail::Buckets, 0);
    for (id, value) in gains {
        writer.put(small(id), value);
    }
    writer.into_bytes()
}

/// What each series counted.
fn totals(merger: &Merger, detail: Detail) -> Vec<u8> {
    let series = merger.series_count();
    let mut writer = gains::Writer::new(detail, series * TYPICAL);
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

/// What a panic said.
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
