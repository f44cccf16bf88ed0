//! Reads one stored run. Roll-ups are read first; windows only when they are asked for.

use std::collections::BTreeMap;

use loadline_metrics::MetricValue;
use loadline_record::saved_answers::SavedAnswers;
use loadline_record::signals::Signals;
use loadline_record::{FailedAnswer, GeneratorHealth};
use rusqlite::params;

use crate::about::{RunEnd, RunEvent, RunInfo};
use crate::blob::{self, Content, StorageRules};
use crate::blob_error::BlobError;
use crate::dictionary::{self, SeriesDef};
use crate::error::StoreError;
use crate::gains::Gains;
use crate::runs::{RunRow, Store};
use crate::writer::{Level, WINDOWS_PER_MINUTE};

/// Gains by series, ids ascending.
pub type SeriesGains = BTreeMap<u32, MetricValue>;

/// A stored run.
#[derive(Debug, Clone)]
pub struct StoredRun {
    /// Its row in the list of runs.
    pub row: RunRow,
    /// What it is.
    pub about: RunInfo,
    /// How it ended; `None` while it is going on, or when it was interrupted.
    pub end: Option<RunEnd>,
    /// Its series; a series' id is its index here.
    pub series: Vec<SeriesDef>,
    /// Totals without the warm-up, by series.
    pub totals: SeriesGains,
    /// What happened, in order.
    pub events: Vec<RunEvent>,
    /// The fold limit and the redaction rules of its blobs.
    pub rules: StorageRules,
}

/// One stored window, or several in one.
#[derive(Debug, Clone)]
pub struct StoredWindow {
    /// The number of the first window.
    pub first: u64,
    /// How many windows it covers. It is more than one where the disk was too slow.
    pub span: u64,
    /// It arrived after its window was closed, and adds to it.
    pub late: bool,
    /// How many workers' parts are missing.
    pub missing: u64,
    /// What each series gained.
    pub gains: SeriesGains,
}

impl StoredWindow {
    /// Adds a later window.
    fn join(&mut self, next: Self) {
        let end = (self.first + self.span).max(next.first + next.span);
        self.first = self.first.min(next.first);
        self.span = end - self.first;
        self.late &= next.late;
        self.missing += next.missing;
        merge(&mut self.gains, next.gains);
    }
}

impl Store {
    /// Reads a run's facts, series, totals and events.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] and what SQLite reports.
    pub fn read(&self, row: RunRow) -> Result<StoredRun, StoreError> {
        // One snapshot: the run may be written to at the same time.
        let view = self.connection.unchecked_transaction()?;
        let about = self.fact::<RunInfo>(&row, "about")?;
        let (about, rules) =
            about.map_or_else(Default::default, |(about, rules)| (about, Some(rules)));
        let end = self.end(&row)?;
        let series = self.series(&row)?;
        let totals = self.totals(&row, &series)?;
        let events = self.events(&row)?;
        drop(view);
        Ok(StoredRun {
            about,
            end,
            series,
            totals,
            events,
            rules: rules.unwrap_or(StorageRules {
                fold_limit: 0,
                redaction: 0,
            }),
            row,
        })
    }

    /// How a run ended; `None` while it is going on, or when it was interrupted.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn end(&self, row: &RunRow) -> Result<Option<RunEnd>, StoreError> {
        Ok(self.fact::<RunEnd>(row, "end")?.map(|(end, _)| end))
    }

    /// What is known of a run's target; `None` when nothing was collected.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn signals(&self, row: &RunRow) -> Result<Option<Signals>, StoreError> {
        let signals = self.fact::<Signals>(row, "signals")?;
        Ok(signals.map(|(signals, _)| signals))
    }

    /// The generator's health so far, of a run that goes on; `None` before its first seconds.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn generator(&self, row: &RunRow) -> Result<Option<GeneratorHealth>, StoreError> {
        let health = self.fact::<GeneratorHealth>(row, "generator")?;
        Ok(health.map(|(health, _)| health))
    }

    /// What failed requests were answered so far, of a run that goes on.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn answers(&self, row: &RunRow) -> Result<Vec<FailedAnswer>, StoreError> {
        let answers = self.fact::<Vec<FailedAnswer>>(row, "answers")?;
        Ok(answers.map(|(answers, _)| answers).unwrap_or_default())
    }

    /// The answers that a run kept for later ones; `None` where it kept none.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn saved_answers(&self, row: &RunRow) -> Result<Option<SavedAnswers>, StoreError> {
        let saved = self.fact::<SavedAnswers>(row, "saved-answers")?;
        Ok(saved.map(|(saved, _)| saved))
    }

    /// Calls `each` with each of a run's windows, in the order in which they were stored.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn windows(
        &self,
        row: &RunRow,
        mut each: impl FnMut(StoredWindow),
    ) -> Result<(), StoreError> {
        self.chunks(row, Level::Window, 0, |_, window| each(window))
    }

    /// Calls `each` with the windows that were stored after place `after`, and gives the place
    /// to go on from; 0 is before the first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn windows_after(
        &self,
        row: &RunRow,
        after: u64,
        mut each: impl FnMut(StoredWindow),
    ) -> Result<u64, StoreError> {
        let mut last = after;
        self.chunks(row, Level::Window, after, |place, window| {
            last = place;
            each(window);
        })?;
        Ok(last)
    }

    /// All of a run's windows at once.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn all_windows(&self, row: &RunRow) -> Result<Vec<StoredWindow>, StoreError> {
        let mut windows = Vec::new();
        self.windows(row, |window| windows.push(window))?;
        Ok(windows)
    }

    /// A run's windows, joined to minutes. A minute is split where the warm-up ends. A late part
    /// is handed over on its own when its minute is already closed.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn minutes(
        &self,
        row: &RunRow,
        mut each: impl FnMut(StoredWindow),
    ) -> Result<(), StoreError> {
        let counted_from = self.counted_from(row)?;
        let part = |window: &StoredWindow| {
            (
                window.first / WINDOWS_PER_MINUTE,
                window.first < counted_from,
            )
        };
        let mut minute: Option<StoredWindow> = None;
        self.windows(row, |window| match &mut minute {
            Some(open) if part(open) == part(&window) => open.join(window),
            Some(_) if window.late => each(window),
            _ => {
                if let Some(over) = minute.replace(window) {
                    each(over);
                }
            }
        })?;
        minute.into_iter().for_each(each);
        Ok(())
    }

    /// The number of bytes of a run's windows, roll-ups and definitions, and its number of
    /// windows.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn size(&self, row: &RunRow) -> Result<(u64, u64), StoreError> {
        let sql = "SELECT (SELECT coalesce(sum(length(blob)), 0) FROM chunk WHERE run = ?1)
            + (SELECT coalesce(sum(length(blob)), 0) FROM series WHERE run = ?1)
            + (SELECT coalesce(sum(length(blob)), 0) FROM fact WHERE run = ?1),
            (SELECT count(*) FROM chunk WHERE run = ?1 AND level = 0 AND late = 0)";
        let count = |value: i64| u64::try_from(value).unwrap_or(0);
        let mut statement = self.connection.prepare(sql)?;
        let sizes = statement.query_row(params![row.number], |row| {
            Ok((count(row.get(0)?), count(row.get(1)?)))
        });
        Ok(sizes?)
    }

    fn fact<T: serde::de::DeserializeOwned>(
        &self,
        row: &RunRow,
        what: &'static str,
    ) -> Result<Option<(T, StorageRules)>, StoreError> {
        let mut statement = self
            .connection
            .prepare("SELECT blob FROM fact WHERE run = ?1 AND what = ?2")?;
        let mut rows = statement.query(params![row.number, what])?;
        let Some(found) = rows.next()? else {
            return Ok(None);
        };
        let blob: Vec<u8> = found.get(0)?;
        let (rules, plain) =
            blob::open(Content::Facts, &blob).map_err(|cause| corrupt(row, what, cause))?;
        let fact =
            serde_json::from_slice(&plain).map_err(|_| corrupt(row, what, BlobError::Content))?;
        Ok(Some((fact, rules)))
    }

    fn series(&self, row: &RunRow) -> Result<Vec<SeriesDef>, StoreError> {
        let mut statement = self
            .connection
            .prepare("SELECT blob FROM series WHERE run = ?1 ORDER BY first")?;
        let mut rows = statement.query(params![row.number])?;
        let mut series = Vec::new();
        while let Some(found) = rows.next()? {
            let blob: Vec<u8> = found.get(0)?;
            let read = blob::open(Content::Dictionary, &blob)
                .and_then(|(_, plain)| dictionary::decode(&plain));
            series.extend(read.map_err(|cause| corrupt(row, "series", cause))?);
        }
        Ok(series)
    }

    /// The first window after the warm-up.
    fn counted_from(&self, row: &RunRow) -> Result<u64, StoreError> {
        let counted_from: i64 = self.connection.query_row(
            "SELECT counted_from FROM run WHERE id = ?1",
            params![row.number],
            |row| row.get(0),
        )?;
        Ok(u64::try_from(counted_from).unwrap_or(0))
    }

    /// The roll-up of the whole run, plus the windows it does not include yet. Files of earlier
    /// programs also have roll-ups of minutes.
    fn totals(&self, row: &RunRow, series: &[SeriesDef]) -> Result<SeriesGains, StoreError> {
        let counted_from = self.counted_from(row)?;
        let mut totals = SeriesGains::new();
        let mut covered = 0;
        self.chunks(row, Level::Whole, 0, |seq, whole| {
            covered = seq;
            totals = whole.gains;
        })?;
        let add = |totals: &mut SeriesGains, window: StoredWindow| {
            if window.late && window.first < counted_from {
                return;
            }
            merge(totals, window.gains);
        };
        let mut last = covered;
        self.chunks(row, Level::Minute, covered, |seq, minute| {
            last = seq;
            add(&mut totals, minute);
        })?;
        self.chunks(row, Level::Window, last, |_, window| {
            add(&mut totals, window);
        })?;
        let known = u32::try_from(series.len()).unwrap_or(u32::MAX);
        if totals.keys().next_back().is_some_and(|id| *id >= known) {
            return Err(corrupt(row, "totals", BlobError::Reference));
        }
        Ok(totals)
    }

    fn events(&self, row: &RunRow) -> Result<Vec<RunEvent>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT at_nanos, wall_ms, kind, detail FROM event WHERE run = ?1 ORDER BY id",
        )?;
        let mut rows = statement.query(params![row.number])?;
        let mut events = Vec::new();
        while let Some(found) = rows.next()? {
            let detail: String = found.get(3)?;
            events.push(RunEvent {
                at_nanos: u64::try_from(found.get::<_, i64>(0)?).unwrap_or(0),
                wall_ms: found.get(1)?,
                kind: found.get(2)?,
                detail: serde_json::from_str(&detail).unwrap_or_default(),
            });
        }
        Ok(events)
    }

    /// Chunks of a level from after `after`, in the order in which they were written.
    fn chunks(
        &self,
        row: &RunRow,
        level: Level,
        after: u64,
        mut each: impl FnMut(u64, StoredWindow),
    ) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT seq, first, span, late, missing, blob FROM chunk
             WHERE run = ?1 AND level = ?2 AND seq > ?3 ORDER BY seq",
        )?;
        // The roll-up of the whole run may be stored before the first window.
        let after = match level {
            Level::Whole => -1,
            _ => i64::try_from(after).unwrap_or(i64::MAX),
        };
        let mut rows = statement.query(params![row.number, level as u8, after])?;
        let count = |value: i64| u64::try_from(value).unwrap_or(0);
        while let Some(found) = rows.next()? {
            let blob: Vec<u8> = found.get(5)?;
            let gains = read_gains(&blob).map_err(|cause| corrupt(row, "windows", cause))?;
            let window = StoredWindow {
                first: count(found.get(1)?),
                span: count(found.get(2)?),
                late: found.get(3)?,
                missing: count(found.get(4)?),
                gains,
            };
            each(count(found.get(0)?), window);
        }
        Ok(())
    }
}

/// Adds the second map's values to the first.
pub fn merge(totals: &mut SeriesGains, gains: SeriesGains) {
    for (id, value) in gains {
        match totals.get_mut(&id) {
            // A series never changes its kind. A value of another kind is damage and is ignored.
            Some(total) if total.kind() != value.kind() => {}
            Some(total) => total.absorb(value),
            None => {
                totals.insert(id, value);
            }
        }
    }
}

fn read_gains(blob: &[u8]) -> Result<SeriesGains, BlobError> {
    let (_, plain) = blob::open(Content::Gains, blob)?;
    Gains::new(&plain).collect()
}

fn corrupt(row: &RunRow, what: &'static str, cause: BlobError) -> StoreError {
    StoreError::Corrupt {
        run: row.name.clone(),
        what,
        cause,
    }
}
