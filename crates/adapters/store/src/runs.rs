//! The list of runs, and changes to it: tags, notes, removal.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, Row, params};

use loadline_record::SEARCH_VERDICT;

use crate::error::StoreError;
use crate::full_disk;
use crate::owner::{HEARTBEAT_TIMEOUT_MS, Owner};
use crate::schema;

/// How long the beginning of a run's name may be. A longer one is no name, and SQLite has no pattern of it.
const NAME_BYTES: std::ops::RangeInclusive<usize> = 3..=64;

/// Whether a run is still going on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoredRunState {
    /// It is going on.
    Running,
    /// It ended and was stored completely.
    Finished,
    /// Its process is gone. All windows up to then are stored.
    Interrupted,
}

/// A run in the list. Counts and latencies leave out the warm-up.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRow {
    /// Its number in this store, from 1.
    pub number: i64,
    /// Its name, unique across stores.
    pub name: String,
    /// When it started, milliseconds since 1970.
    pub started_ms: i64,
    /// Whether it is still going on.
    pub state: StoredRunState,
    /// The kind of test: `url`, `k6` or `artillery`.
    pub kind: String,
    /// The test, as named by who started it.
    pub test: String,
    /// SHA-256 of the test's files.
    pub hash: String,
    /// The segment it ran; empty for the whole test.
    pub segment: String,
    /// The series of repetitions it belongs to; empty for none.
    pub series: String,
    /// Its number in the series.
    pub series_number: u32,
    /// Free text from a person.
    pub note: String,
    /// Settings of the target, as a person gave them.
    pub settings: BTreeMap<String, String>,
    /// Its tags, in order.
    pub tags: Vec<String>,
    /// How long it was measured, in seconds.
    pub seconds: f64,
    /// Number of requests.
    pub requests: f64,
    /// Requests per second.
    pub rate: f64,
    /// Mean duration of a request.
    pub mean_ms: Option<f64>,
    /// 95th percentile of the requests' durations.
    pub p95_ms: Option<f64>,
    /// The share of requests that failed.
    pub errors: Option<f64>,
    /// The highest number of virtual users.
    pub vus: u64,
    /// Number of series.
    pub series_count: u64,
    /// The verdict in one word; empty while it is going on.
    pub verdict: String,
}

/// A store of runs, opened to read it or to change notes and tags.
pub struct Store {
    pub(crate) connection: Connection,
    path: PathBuf,
}

const COLUMNS: &str = "id, name, started_ms, state, owner, beat_ms, kind, test, hash, segment,
    series, series_number, note, settings, seconds, requests, rate, mean_ms, p95_ms, errors, vus,
    series_count, verdict";

impl Store {
    /// Opens an existing store to read it.
    ///
    /// # Errors
    /// [`StoreError`]; a store of a newer program is not read.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self {
            connection: schema::open_to_read(path)?,
            path: path.to_owned(),
        })
    }

    /// Sees that runs can be recorded in a store, which is made if it is not there. One that another
    /// process holds will be free.
    ///
    /// # Errors
    /// Why nothing can be written.
    pub fn prepare(path: &Path) -> Result<(), StoreError> {
        match schema::open_to_write(path) {
            Ok(_) | Err(StoreError::Locked) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Opens an existing store to change it.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn open_to_change(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing {
                path: path.to_owned(),
            });
        }
        let connection = schema::open_to_write(path)?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        Ok(Self {
            connection,
            path: path.to_owned(),
        })
    }

    /// The file's path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All runs, newest first. `now_ms` decides which silent runs of other machines count as
    /// interrupted.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn runs(&self, now_ms: i64) -> Result<Vec<RunRow>, StoreError> {
        self.select("1", params![], now_ms)
    }

    /// A run's row as it is now.
    ///
    /// # Errors
    /// [`StoreError::NoRun`]: it was removed.
    pub fn again(&self, run: &RunRow, now_ms: i64) -> Result<RunRow, StoreError> {
        let mut found = self.select("name = ?1", params![run.name], now_ms)?;
        found.pop().ok_or_else(|| StoreError::NoRun {
            reference: run.name.clone(),
        })
    }

    /// Finds a run by its number, the beginning of its name, a tag (the newest run that has it),
    /// `latest`, or `latest~N` (the Nth before the newest).
    ///
    /// # Errors
    /// [`StoreError::NoRun`], [`StoreError::Ambiguous`].
    pub fn find(&self, reference: &str, now_ms: i64) -> Result<RunRow, StoreError> {
        let missing = || StoreError::NoRun {
            reference: reference.to_owned(),
        };
        if let Some(back) = back_of(reference) {
            let sql = "id = (SELECT id FROM run ORDER BY id DESC LIMIT 1 OFFSET ?1)";
            let mut found = self.select(sql, params![back], now_ms)?;
            return found.pop().ok_or_else(missing);
        }
        if let Ok(number) = reference.parse::<i64>()
            && let Some(run) = self.select("id = ?1", params![number], now_ms)?.pop()
        {
            return Ok(run);
        }
        let is_name = NAME_BYTES.contains(&reference.len())
            && reference.bytes().all(|b| b.is_ascii_alphanumeric());
        if is_name {
            let like = format!("{reference}%");
            let mut found = self.select("name LIKE ?1", params![like], now_ms)?;
            match found.len() {
                0 => {}
                1 => return found.pop().ok_or_else(missing),
                count => {
                    return Err(StoreError::Ambiguous {
                        reference: reference.to_owned(),
                        count,
                    });
                }
            }
        }
        let sql = "id = (SELECT max(run) FROM tag WHERE tag = ?1)";
        let found = self.select(sql, params![reference], now_ms)?.pop();
        found.ok_or_else(missing)
    }

    /// The runs of a series of repetitions, in order.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn of_series(&self, series: &str, now_ms: i64) -> Result<Vec<RunRow>, StoreError> {
        let mut runs = self.select("series <> '' AND series = ?1", params![series], now_ms)?;
        runs.sort_by_key(|run| run.series_number);
        Ok(runs)
    }

    /// The runs that have a tag, newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn tagged(&self, tag: &str, now_ms: i64) -> Result<Vec<RunRow>, StoreError> {
        let sql = "id IN (SELECT run FROM tag WHERE tag = ?1)";
        self.select(sql, params![tag], now_ms)
    }

    fn select(
        &self,
        condition: &str,
        values: &[&dyn rusqlite::ToSql],
        now_ms: i64,
    ) -> Result<Vec<RunRow>, StoreError> {
        let mut tags = self.tags()?;
        let sql = format!("SELECT {COLUMNS} FROM run WHERE {condition} ORDER BY id DESC");
        let mut statement = self.connection.prepare(&sql)?;
        let mut rows = statement.query(values)?;
        let mut runs = Vec::new();
        while let Some(row) = rows.next()? {
            let mut run = read_row(row, now_ms)?;
            if run.state == StoredRunState::Interrupted
                && full_disk::is_marked(&self.path, &run.name)
            {
                full_disk::VERDICT.clone_into(&mut run.verdict);
            }
            run.tags = tags.remove(&run.number).unwrap_or_default();
            runs.push(run);
        }
        Ok(runs)
    }

    fn tags(&self) -> Result<BTreeMap<i64, Vec<String>>, StoreError> {
        let mut statement = self
            .connection
            .prepare("SELECT run, tag FROM tag ORDER BY run, tag")?;
        let mut rows = statement.query([])?;
        let mut tags: BTreeMap<i64, Vec<String>> = BTreeMap::new();
        while let Some(row) = rows.next()? {
            tags.entry(row.get(0)?).or_default().push(row.get(1)?);
        }
        Ok(tags)
    }

    /// Adds and removes tags.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn tag(&self, run: &RunRow, add: &[String], remove: &[String]) -> Result<(), StoreError> {
        for tag in add {
            self.connection.execute(
                "INSERT OR IGNORE INTO tag (run, tag) VALUES (?1, ?2)",
                params![run.number, tag],
            )?;
        }
        for tag in remove {
            self.connection.execute(
                "DELETE FROM tag WHERE run = ?1 AND tag = ?2",
                params![run.number, tag],
            )?;
        }
        Ok(())
    }

    /// Replaces a run's note.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn note(&self, run: &RunRow, note: &str) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE run SET note = ?2 WHERE id = ?1",
            params![run.number, note],
        )?;
        Ok(())
    }

    /// Replaces the settings of the target that are written down with a run.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn set(&self, run: &RunRow, settings: &BTreeMap<String, String>) -> Result<(), StoreError> {
        let text = serde_json::json!(settings).to_string();
        self.connection.execute(
            "UPDATE run SET settings = ?2 WHERE id = ?1",
            params![run.number, text],
        )?;
        Ok(())
    }

    /// Removes runs and everything measured in them. Their space in the file is used again.
    ///
    /// # Errors
    /// [`StoreError`]; then none of them is removed.
    pub fn remove(&mut self, runs: &[RunRow]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        for run in runs {
            transaction.execute("DELETE FROM run WHERE id = ?1", params![run.number])?;
        }
        transaction.commit()?;
        for run in runs {
            full_disk::forget(&self.path, &run.name);
        }
        Ok(())
    }

    /// Returns the space of removed runs to the file system.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn shrink(&self) -> Result<(), StoreError> {
        self.connection
            .execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")?;
        Ok(())
    }
}

/// Marks runs whose process is gone as interrupted, so that they stay so.
pub(crate) fn mark_interrupted(connection: &Connection, now_ms: i64) -> Result<(), StoreError> {
    let mut statement =
        connection.prepare("SELECT id, state, owner, beat_ms FROM run WHERE state = 0")?;
    let mut rows = statement.query([])?;
    let mut gone = Vec::new();
    while let Some(row) = rows.next()? {
        let state = state(row.get(1)?, &row.get::<_, String>(2)?, row.get(3)?, now_ms);
        if state == StoredRunState::Interrupted {
            gone.push(row.get::<_, i64>(0)?);
        }
    }
    drop(rows);
    for run in gone {
        let sql = "UPDATE run SET state = 2, verdict = 'interrupted' WHERE id = ?1 AND state = 0";
        connection.execute(sql, params![run])?;
    }
    Ok(())
}

pub(crate) fn state(stored: i64, owner: &str, beat_ms: i64, now_ms: i64) -> StoredRunState {
    match stored {
        1 => return StoredRunState::Finished,
        2 => return StoredRunState::Interrupted,
        _ => {}
    }
    let owner: Option<Owner> = serde_json::from_str(owner).ok();
    let is_gone = owner.and_then(|owner| owner.is_gone());
    if is_gone.unwrap_or(now_ms - beat_ms > HEARTBEAT_TIMEOUT_MS) {
        StoredRunState::Interrupted
    } else {
        StoredRunState::Running
    }
}

fn read_row(row: &Row<'_>, now_ms: i64) -> Result<RunRow, StoreError> {
    let count = |value: i64| u64::try_from(value).unwrap_or(0);
    let settings: String = row.get(13)?;
    let state = state(row.get(3)?, &row.get::<_, String>(4)?, row.get(5)?, now_ms);
    let verdict = match state {
        StoredRunState::Interrupted => "interrupted".to_owned(),
        _ => row.get(22)?,
    };
    // Figures over all levels of a search are those of none.
    let is_search = verdict == SEARCH_VERDICT;
    let of_load = |value: Option<f64>| value.filter(|_| !is_search);
    Ok(RunRow {
        number: row.get(0)?,
        name: row.get(1)?,
        started_ms: row.get(2)?,
        state,
        kind: row.get(6)?,
        test: row.get(7)?,
        hash: row.get(8)?,
        segment: row.get(9)?,
        series: row.get(10)?,
        series_number: row.get(11)?,
        note: row.get(12)?,
        settings: serde_json::from_str(&settings).unwrap_or_default(),
        tags: Vec::new(),
        seconds: row.get(14)?,
        requests: row.get(15)?,
        rate: row.get(16)?,
        mean_ms: of_load(row.get(17)?),
        p95_ms: of_load(row.get(18)?),
        errors: of_load(row.get(19)?),
        vus: count(row.get(20)?),
        series_count: count(row.get(21)?),
        verdict,
    })
}

/// The N of `latest~N`; 0 for `latest`.
fn back_of(reference: &str) -> Option<i64> {
    let back = reference.strip_prefix("latest")?;
    if back.is_empty() {
        return Some(0);
    }
    back.strip_prefix('~')?.parse().ok()
}
