//! What a matrix came to so far, kept beside the store: a line for each test that ended.
//!
//! A test that was under way when the program was killed has no line, and is made again.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use loadline_report::matrix::{CapacityCell, HeldCell, MatrixRow, SmokeCell};
use loadline_text::problem;
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

/// The folder of journals, beside the store.
const FOLDER: &str = "matrix";

/// A line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum JournalLine {
    /// A matrix begins: the tag of its runs, and the seed of its starts.
    Begun { id: String },
    /// A test ended.
    Ended(EndedCell),
    /// No test is left.
    Complete,
}

/// A test that ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct EndedCell {
    /// The row's name.
    pub(super) row: String,
    /// How long it took, seconds.
    pub(super) seconds: f64,
    pub(super) cell: StoredCell,
}

/// What a test came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum StoredCell {
    Smoke(SmokeCell),
    Load(HeldCell),
    Stress(HeldCell),
    Capacity(Box<CapacityCell>),
}

impl StoredCell {
    /// Puts it into its row.
    pub(super) fn set(self, row: &mut MatrixRow) {
        match self {
            Self::Smoke(cell) => row.smoke = Some(cell),
            Self::Load(cell) => row.load = Some(cell),
            Self::Stress(cell) => row.stress = Some(cell),
            Self::Capacity(cell) => row.capacity = Some(*cell),
        }
    }
}

/// The journal of one command, which no other may write at the same time.
#[derive(Debug)]
pub(super) struct MatrixJournal {
    path: PathBuf,
    file: File,
    pub(super) id: String,
    /// Tests that ended before.
    pub(super) ended: Vec<EndedCell>,
}

impl MatrixJournal {
    /// Opens the journal of the command with this `hash` beside the store; begins it anew, as `new_id`, where it has none, where
    /// the last one is complete, or where `is_fresh`.
    ///
    /// # Errors
    /// It cannot be written, or the same command is under way.
    pub(super) fn open(
        store: &Path,
        hash: &str,
        is_fresh: bool,
        new_id: &str,
    ) -> Result<Self, Refusal> {
        let folder = store.with_file_name(FOLDER);
        let path = folder.join(format!("{hash}.jsonl"));
        let failed =
            |error: std::io::Error| Refusal::other(problem::matrix_progress(path.display(), error));
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Refusal::config(problem::matrix_running(path.display())));
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let known = read(&file);
        let mut journal = Self {
            id: known.id.clone().unwrap_or_else(|| new_id.to_owned()),
            ended: known.ended,
            path: path.clone(),
            file,
        };
        if is_fresh || known.is_complete || known.id.is_none() {
            journal.file.set_len(0).map_err(failed)?;
            journal.file.seek(SeekFrom::Start(0)).map_err(failed)?;
            new_id.clone_into(&mut journal.id);
            journal.ended.clear();
            let id = journal.id.clone();
            journal.write(&JournalLine::Begun { id })?;
        } else {
            // What was being written when the program was killed is no line.
            journal.file.set_len(known.length).map_err(failed)?;
            file = journal.file;
            file.seek(SeekFrom::End(0)).map_err(failed)?;
            journal.file = file;
        }
        Ok(journal)
    }

    /// Keeps what a test came to.
    pub(super) fn add(&mut self, ended: EndedCell) -> Result<(), Refusal> {
        self.write(&JournalLine::Ended(ended))
    }

    /// No test is left: the same command begins anew.
    pub(super) fn complete(&mut self) -> Result<(), Refusal> {
        self.write(&JournalLine::Complete)
    }

    fn write(&mut self, line: &JournalLine) -> Result<(), Refusal> {
        let written = serde_json::to_string(line)
            .map_err(std::io::Error::from)
            .and_then(|text| self.file.write_all(format!("{text}\n").as_bytes()))
            .and_then(|()| self.file.sync_data());
        written
            .map_err(|error| Refusal::other(problem::matrix_progress(self.path.display(), error)))
    }
}

/// What a journal says.
#[derive(Debug, Default)]
struct KnownMatrix {
    id: Option<String>,
    ended: Vec<EndedCell>,
    is_complete: bool,
    /// Up to the end of its last whole line, bytes.
    length: u64,
}

/// Reads whole lines up to the first that is none.
fn read(file: &File) -> KnownMatrix {
    let mut known = KnownMatrix::default();
    let mut reader = BufReader::new(file);
    let mut text = String::new();
    loop {
        text.clear();
        let read = reader.read_line(&mut text).unwrap_or(0);
        if read == 0 || !text.ends_with('\n') {
            return known;
        }
        let Ok(line) = serde_json::from_str(&text) else {
            return known;
        };
        match line {
            JournalLine::Begun { id } => known.id = Some(id),
            JournalLine::Ended(ended) => known.ended.push(ended),
            JournalLine::Complete => known.is_complete = true,
        }
        known.length += read as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(row: &str) -> EndedCell {
        EndedCell {
            row: row.to_owned(),
            seconds: 1.5,
            cell: StoredCell::Smoke(SmokeCell {
                requests: 1,
                ..SmokeCell::default()
            }),
        }
    }

    fn open(store: &Path, id: &str) -> MatrixJournal {
        MatrixJournal::open(store, "abc", false, id).unwrap()
    }

    #[test]
    fn what_ended_is_known_after_the_program_was_killed() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("runs.db");
        let mut journal = open(&store, "matrix-one");
        journal.add(cell("GET /a")).unwrap();
        journal
            .file
            .write_all(b"{\"ended\":{\"row\":\"GET /b")
            .unwrap();
        drop(journal);
        let mut again = open(&store, "matrix-two");
        assert_eq!(again.id, "matrix-one");
        assert_eq!(again.ended, [cell("GET /a")]);
        again.add(cell("GET /b")).unwrap();
        drop(again);
        let again = open(&store, "matrix-two");
        assert_eq!(again.ended, [cell("GET /a"), cell("GET /b")]);
    }

    #[test]
    fn a_complete_matrix_and_a_fresh_one_begin_anew() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("runs.db");
        let mut journal = open(&store, "matrix-one");
        journal.add(cell("GET /a")).unwrap();
        journal.complete().unwrap();
        drop(journal);
        let mut second = open(&store, "matrix-two");
        assert_eq!((second.id.as_str(), second.ended.len()), ("matrix-two", 0));
        second.add(cell("GET /a")).unwrap();
        drop(second);
        let fresh = MatrixJournal::open(&store, "abc", true, "matrix-three").unwrap();
        assert_eq!((fresh.id.as_str(), fresh.ended.len()), ("matrix-three", 0));
    }

    #[test]
    fn the_same_matrix_is_not_made_twice_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("runs.db");
        let first = open(&store, "matrix-one");
        let second = MatrixJournal::open(&store, "abc", false, "matrix-two").unwrap_err();
        assert_eq!(second.problem.code, loadline_text::Code::MatrixRunning);
        drop(first);
        assert_eq!(open(&store, "matrix-two").id, "matrix-one");
    }
}
