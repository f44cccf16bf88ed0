//! Single changes to the store, prepared so that they can be retried.

use rusqlite::blob::ZeroBlob;
use rusqlite::{MAIN_DB, Transaction, params};

use crate::about::{RunEvent, RunInfo};
use crate::owner::Owner;

/// Large blobs are written in pieces of this many bytes.
const PIECE_BYTES: usize = 64 << 10;

/// A change.
#[derive(Debug)]
pub(super) enum Op {
    Begin(Box<Begin>),
    Fact {
        what: &'static str,
        blob: Vec<u8>,
    },
    Series {
        first: usize,
        blob: Vec<u8>,
        count: usize,
    },
    Chunk(Chunk),
    /// Replaces the roll-up of the whole run.
    Whole(Chunk),
    CountedFrom(u64),
    Event(RunEvent),
    Listed(Columns),
    End {
        verdict: String,
        beat_ms: i64,
    },
}

#[derive(Debug)]
pub(super) struct Begin {
    pub(super) name: String,
    pub(super) started_ms: i64,
    pub(super) owner: Owner,
    pub(super) about: RunInfo,
}

/// A row of `chunk`.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) level: Level,
    /// The number of the last gains it includes, as counted by the writer.
    pub(super) seq: u64,
    pub(super) first: u64,
    pub(super) span: u64,
    pub(super) late: bool,
    pub(super) missing: usize,
    pub(super) blob: Vec<u8>,
}

/// How much of a run a chunk covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Window = 0,
    /// No longer written: the roll-up of the whole run is rewritten each minute instead.
    Minute = 1,
    Whole = 2,
}

/// Columns of the list of runs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Columns {
    pub(super) beat_ms: i64,
    pub(super) seconds: f64,
    pub(super) requests: f64,
    pub(super) mean_ms: Option<f64>,
    pub(super) p95_ms: Option<f64>,
    pub(super) errors: Option<f64>,
    pub(super) vus: u64,
}

/// A run's number in the store.
pub(super) type RunId = i64;

impl Op {
    /// Executes the change. `run` is set by the first one.
    pub(super) fn apply(
        &self,
        transaction: &Transaction<'_>,
        run: &mut Option<RunId>,
    ) -> rusqlite::Result<()> {
        if let Self::Begin(begin) = self {
            *run = Some(begin.apply(transaction)?);
            return Ok(());
        }
        let Some(run) = *run else {
            return Err(rusqlite::Error::QueryReturnedNoRows);
        };
        self.change(transaction, run)
    }

    fn change(&self, transaction: &Transaction<'_>, run: RunId) -> rusqlite::Result<()> {
        let mut execute = |sql: &str, values: &[&dyn rusqlite::ToSql]| {
            let mut statement = transaction.prepare_cached(sql)?;
            statement.execute(values).map(drop)
        };
        match self {
            Self::Begin(_) => Ok(()),
            Self::Fact { what, blob } => execute(
                "INSERT OR REPLACE INTO fact (run, what, blob) VALUES (?1, ?2, ?3)",
                params![run, what, blob],
            ),
            Self::Series { first, blob, count } => {
                execute(
                    "INSERT INTO series (run, first, blob) VALUES (?1, ?2, ?3)",
                    params![run, whole(*first as u64), blob],
                )?;
                execute(
                    "UPDATE run SET series_count = ?2 WHERE id = ?1",
                    params![run, whole(*count as u64)],
                )
            }
            Self::Chunk(chunk) => chunk.insert(&mut execute, run),
            Self::Whole(chunk) => {
                execute(
                    "DELETE FROM chunk WHERE run = ?1 AND level = ?2",
                    params![run, Level::Whole as u8],
                )?;
                chunk.insert_in_pieces(transaction, run)
            }
            Self::CountedFrom(first) => execute(
                "UPDATE run SET counted_from = ?2 WHERE id = ?1",
                params![run, whole(*first)],
            ),
            Self::Event(event) => execute(
                "INSERT INTO event (run, at_nanos, wall_ms, kind, detail) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![
                    run,
                    whole(event.at_nanos),
                    event.wall_ms,
                    event.kind,
                    event.detail.to_string()
                ],
            ),
            Self::Listed(columns) => columns.update(&mut execute, run),
            Self::End { verdict, beat_ms } => execute(
                "UPDATE run SET state = 1, verdict = ?2, beat_ms = ?3 WHERE id = ?1",
                params![run, verdict, beat_ms],
            ),
        }
    }
}

type Execute<'a> = &'a mut dyn FnMut(&str, &[&dyn rusqlite::ToSql]) -> rusqlite::Result<()>;

impl Chunk {
    fn insert(&self, execute: Execute<'_>, run: RunId) -> rusqlite::Result<()> {
        self.insert_with(execute, run, &self.blob)
    }

    /// Reserves room for the blob and then fills it in pieces. Given the blob at once, SQLite
    /// would copy it into a buffer with the rest of the row: more than a MB for totals, by which
    /// the process would grow.
    fn insert_in_pieces(&self, transaction: &Transaction<'_>, run: RunId) -> rusqlite::Result<()> {
        let mut execute = |sql: &str, values: &[&dyn rusqlite::ToSql]| {
            let mut statement = transaction.prepare_cached(sql)?;
            statement.execute(values).map(drop)
        };
        self.insert_with(&mut execute, run, &ZeroBlob(self.blob.len() as u64))?;
        let row = transaction.last_insert_rowid();
        let mut blob = transaction.blob_open(MAIN_DB, "chunk", "blob", row, false)?;
        for (number, piece) in self.blob.chunks(PIECE_BYTES).enumerate() {
            blob.write_all_at(piece, number * PIECE_BYTES)?;
        }
        blob.close()
    }

    fn insert_with(
        &self,
        execute: Execute<'_>,
        run: RunId,
        blob: &dyn rusqlite::ToSql,
    ) -> rusqlite::Result<()> {
        execute(
            "INSERT INTO chunk (run, level, seq, first, span, late, missing, blob)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                run,
                self.level as u8,
                whole(self.seq),
                whole(self.first),
                whole(self.span),
                self.late,
                whole(self.missing as u64),
                blob
            ],
        )
    }
}

impl Columns {
    fn update(&self, execute: Execute<'_>, run: RunId) -> rusqlite::Result<()> {
        let rate = if self.seconds > 0.0 {
            self.requests / self.seconds
        } else {
            0.0
        };
        execute(
            "UPDATE run SET beat_ms = ?2, seconds = ?3, requests = ?4, rate = ?5, mean_ms = ?6,
             p95_ms = ?7, errors = ?8, vus = ?9 WHERE id = ?1",
            params![
                run,
                self.beat_ms,
                self.seconds,
                self.requests,
                rate,
                self.mean_ms,
                self.p95_ms,
                self.errors,
                whole(self.vus)
            ],
        )
    }
}

impl Begin {
    fn apply(&self, transaction: &Transaction<'_>) -> rusqlite::Result<RunId> {
        let about = &self.about;
        let series = about.series.as_ref();
        let segment = about.segment.as_ref();
        transaction.execute(
            "INSERT INTO run (name, started_ms, state, owner, beat_ms, kind, test, hash, segment,
             series, series_number, note, settings)
             VALUES (?1, ?2, 0, ?3, ?2, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            params![
                self.name,
                self.started_ms,
                json(&self.owner),
                about.kind,
                about.test,
                about.hash,
                segment.map_or("", |s| s.part.as_str()),
                series.map_or("", |s| s.id.as_str()),
                series.map_or(0, |s| s.number),
                about.note,
                json(&about.settings),
            ],
        )?;
        Ok(transaction.last_insert_rowid())
    }
}

/// A value as a JSON column.
fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("strings and numbers only")
}

/// SQLite's integers are signed.
fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
