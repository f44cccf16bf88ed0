//! The store's thread: turns what it receives into changes and executes them.
//!
//! Each item becomes changes once. Changes that fail for now are retried together, so nothing is
//! lost when the disk gets space again or another process releases the file.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use crossbeam_channel::{Receiver, RecvTimeoutError};
use loadline_record::LatencyStart;
use rusqlite::{Connection, ErrorCode, TransactionBehavior};

use super::listed::ListTotals;
use super::ops::{Begin, Chunk, Columns, Level, Op, RunId};
use super::{Item, LossCause, RETRY_INTERVAL, RecorderConfig, Shared, WindowGains, wall_ms};
use crate::about::RunEnd;
use crate::blob::{Content, Sealer, StorageRules};
use crate::dictionary::{self, SeriesDef};
use crate::error::StoreError;
use crate::gains::Gains;
use crate::owner::Owner;
use crate::schema;

/// Changes to execute in one transaction.
struct Batch {
    ops: Vec<Op>,
    /// How many bytes of the queue it accounts for.
    bytes: usize,
    is_last: bool,
}

pub(super) struct Thread {
    config: RecorderConfig,
    sealer: Sealer,
    items: Receiver<Item>,
    shared: Arc<Shared>,
    connection: Option<Connection>,
    run: Option<RunId>,
    waiting: VecDeque<Batch>,
    definitions: Vec<SeriesDef>,
    seq: u64,
    counted_from: u64,
    counted: CountedSpan,
    listed: ListTotals,
}

/// The windows after the warm-up.
#[derive(Debug, Default)]
struct CountedSpan {
    first: u64,
    /// The number after the last window.
    end: u64,
}

impl CountedSpan {
    fn add(&mut self, gains: &WindowGains) {
        if self.end == 0 {
            self.first = gains.first;
        }
        self.end = self.end.max(gains.first + gains.span);
    }

    fn span(&self) -> u64 {
        self.end.saturating_sub(self.first)
    }
}

impl Thread {
    pub(super) fn new(
        config: RecorderConfig,
        rules: StorageRules,
        items: Receiver<Item>,
        shared: Arc<Shared>,
    ) -> Self {
        Self {
            config,
            sealer: Sealer::new(rules),
            items,
            shared,
            connection: None,
            run: None,
            waiting: VecDeque::new(),
            definitions: Vec::new(),
            seq: 0,
            counted_from: 0,
            counted: CountedSpan::default(),
            listed: ListTotals::new(),
        }
    }

    /// Runs until the last item is written or given up, or until the recorder is gone.
    pub(super) fn run(mut self) {
        let begin = self.begin();
        self.waiting.push_back(begin);
        let mut goes_on = self.write();
        while goes_on {
            let item = if self.waiting.is_empty() {
                self.items
                    .recv()
                    .map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                self.items.recv_timeout(RETRY_INTERVAL)
            };
            match item {
                Ok(item) => {
                    let batch = self.prepare(item);
                    let is_waiting = !self.waiting.is_empty();
                    self.waiting.push_back(batch);
                    // While writing fails, further windows need no attempt of their own.
                    goes_on = (is_waiting && !self.items.is_empty()) || self.write();
                }
                Err(RecvTimeoutError::Timeout) => goes_on = self.write(),
                Err(RecvTimeoutError::Disconnected) => {
                    if self.waiting.is_empty() {
                        return;
                    }
                    let hurries = self.shared.hurry.load(Ordering::Relaxed);
                    goes_on = self.write() && (!hurries || self.waiting.is_empty());
                    if goes_on && !self.waiting.is_empty() {
                        crossbeam_channel::never::<()>()
                            .recv_timeout(RETRY_INTERVAL)
                            .unwrap_or(());
                    }
                }
            }
        }
        // Nothing can be written any more: discard what arrives.
        while let Ok(item) = self.items.recv() {
            if let Item::Gains(WindowGains { bytes, .. }) | Item::Totals(bytes) = item {
                self.shared.queued.fetch_sub(bytes.len(), Ordering::Relaxed);
            }
        }
    }

    fn begin(&mut self) -> Batch {
        let about = self.config.about.clone();
        let text = serde_json::to_vec(&about).expect("strings and numbers only");
        let blob = self.sealer.seal(Content::Facts, &text);
        let begin = Begin {
            name: self.config.name.clone(),
            started_ms: self.now_ms(),
            owner: Owner::current(),
            about,
        };
        let what = "about";
        Batch {
            ops: vec![Op::Begin(Box::new(begin)), Op::Fact { what, blob }],
            bytes: 0,
            is_last: false,
        }
    }

    fn now_ms(&self) -> i64 {
        wall_ms((self.config.wall_clock)())
    }

    fn prepare(&mut self, item: Item) -> Batch {
        let mut batch = Batch {
            ops: Vec::new(),
            bytes: 0,
            is_last: false,
        };
        match item {
            Item::Series(definitions) => {
                let plain = dictionary::encode(&definitions);
                let first = self.definitions.len();
                self.definitions.extend(definitions);
                batch.ops.push(Op::Series {
                    first,
                    blob: self.sealer.seal(Content::Dictionary, &plain),
                    count: self.definitions.len(),
                });
            }
            Item::Gains(gains) => {
                batch.bytes = gains.bytes.len();
                batch.ops = self.take_in(&gains);
            }
            Item::Totals(bytes) => {
                batch.bytes = bytes.len();
                batch.ops.push(self.whole_op(&bytes));
            }
            Item::CountedFrom(first) => {
                self.counted_from = first;
                self.counted = CountedSpan { first, end: 0 };
                self.listed = ListTotals::new();
                batch.ops.push(Op::CountedFrom(first));
                batch.ops.push(self.whole_op(&[]));
            }
            Item::Event(event) => batch.ops.push(Op::Event(event)),
            Item::Signals(signals) => batch.ops.push(self.fact("signals", &*signals)),
            Item::Generator(health) => batch.ops.push(self.fact("generator", &*health)),
            Item::Answers(answers) => batch.ops.push(self.fact("answers", &answers)),
            Item::SavedAnswers(answers) => {
                batch.ops.push(self.fact("saved-answers", &*answers));
            }
            Item::Finish(end, totals) => {
                batch.ops = self.finish(&end, &totals);
                batch.is_last = true;
            }
        }
        batch
    }

    fn take_in(&mut self, gains: &WindowGains) -> Vec<Op> {
        let mut ops = Vec::new();
        self.seq += 1;
        ops.push(Op::Chunk(Chunk {
            level: Level::Window,
            seq: self.seq,
            first: gains.first,
            span: gains.span,
            late: gains.late,
            missing: gains.missing,
            blob: self.sealer.seal(Content::Gains, &gains.bytes),
        }));
        if gains.late && gains.first < self.counted_from {
            return ops;
        }
        self.list(&gains.bytes);
        if !gains.late {
            self.counted.add(gains);
        }
        // What the latency is told from is known at the run's end.
        let so_far = self.columns(self.counted.span() as f64, LatencyStart::Sent);
        ops.push(Op::Listed(so_far));
        ops
    }

    /// Adds gains to the totals for the list of runs.
    fn list(&mut self, gains: &[u8]) {
        for gain in Gains::new(gains) {
            let (id, value) = gain.expect("what was just written can be read");
            if let Some(def) = self.definitions.get(id as usize) {
                self.listed.add(def, &value);
            }
        }
    }

    /// The change that writes the totals of all gains so far.
    fn whole_op(&mut self, bytes: &[u8]) -> Op {
        Op::Whole(Chunk {
            level: Level::Whole,
            seq: self.seq,
            first: self.counted.first,
            span: self.counted.span(),
            late: false,
            missing: 0,
            blob: self.sealer.seal(Content::Gains, bytes),
        })
    }

    fn columns(&self, seconds: f64, start: LatencyStart) -> Columns {
        let (mean_ms, p95_ms) = self.listed.mean_and_p95(start);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number of users"
        )]
        let vus = self.listed.vus as u64;
        Columns {
            beat_ms: self.now_ms(),
            seconds,
            requests: self.listed.requests,
            mean_ms,
            p95_ms,
            errors: self.listed.errors(),
            vus,
        }
    }

    /// The change that writes what is known of something, in place of what was known before.
    fn fact(&mut self, what: &'static str, known: &impl serde::Serialize) -> Op {
        let text = serde_json::to_vec(known).expect("strings and numbers only");
        let blob = self.sealer.seal(Content::Facts, &text);
        Op::Fact { what, blob }
    }

    /// The run's end. Its totals keep single values where there are few.
    fn finish(&mut self, end: &RunEnd, totals: &[u8]) -> Vec<Op> {
        let mut ops = vec![self.whole_op(totals)];
        self.listed = ListTotals::new();
        self.list(totals);
        let mut columns = self.columns(end.run.duration.as_secs_f64(), end.run.latency_start);
        columns.vus = end.run.most_vus;
        ops.extend([
            Op::Listed(columns),
            self.fact("end", end),
            Op::End {
                verdict: end.verdict.clone(),
                beat_ms: self.now_ms(),
            },
        ]);
        ops
    }

    /// Executes all waiting changes that can be executed now. Returns `false` when no more can
    /// ever be written.
    fn write(&mut self) -> bool {
        match self.try_write() {
            Ok(()) => {
                self.note(None);
                true
            }
            Err(error) => {
                let (cause, is_passing) = classify(&error);
                self.note(Some((cause, error.to_string())));
                is_passing
            }
        }
    }

    fn note(&self, trouble: Option<(LossCause, String)>) {
        let known = self.shared.trouble.lock();
        known.unwrap_or_else(PoisonError::into_inner).now = trouble;
    }

    fn try_write(&mut self) -> Result<(), StoreError> {
        if self.connection.is_none() {
            let connection = schema::open_to_write(&self.config.path)?;
            crate::runs::mark_interrupted(&connection, self.now_ms())?;
            self.connection = Some(connection);
        }
        let Some(connection) = &mut self.connection else {
            return Ok(());
        };
        while let Some(batch) = self.waiting.front() {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut run = self.run;
            for op in &batch.ops {
                op.apply(&transaction, &mut run)?;
            }
            transaction.commit()?;
            self.run = run;
            self.shared.queued.fetch_sub(batch.bytes, Ordering::Relaxed);
            let mut trouble = self
                .shared
                .trouble
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            trouble.exists = true;
            trouble.complete |= batch.is_last;
            drop(trouble);
            self.waiting.pop_front();
        }
        Ok(())
    }
}

/// The cause to report, and whether it may be temporary.
fn classify(error: &StoreError) -> (LossCause, bool) {
    match error {
        StoreError::Full => (LossCause::Full, true),
        StoreError::Locked => (LossCause::Locked, true),
        StoreError::ReadOnly => (LossCause::ReadOnly, false),
        StoreError::Newer { .. } => (LossCause::Newer, false),
        StoreError::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => {
            (LossCause::Full, true)
        }
        StoreError::Io { source, .. }
            if matches!(
                source.kind(),
                std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem
            ) =>
        {
            (LossCause::ReadOnly, false)
        }
        // Another process is creating the store or its log, or the disk failed once.
        StoreError::Database(error) => {
            let is_passing = matches!(
                error.sqlite_error_code(),
                Some(
                    ErrorCode::SystemIoFailure
                        | ErrorCode::CannotOpen
                        | ErrorCode::FileLockingProtocolFailed
                        | ErrorCode::SchemaChanged
                )
            );
            (LossCause::Other, is_passing)
        }
        _ => (LossCause::Other, false),
    }
}
