//! What a study does, on disk before it is done.
//!
//! One line of JSON each, forced to disk before the next step. A study that was killed is found
//! again as its journal left it: trials that ended are not run again, originals are known, and a
//! target it started is ended. A last line that was cut off is as if it had never been.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use loadline_record::LimitVerdict;
use rustix::fs::OFlags;
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

pub use crate::digest::hash;
use crate::original::OriginalFile;

/// Only the user who made it may read a journal.
const JOURNAL_MODE: u32 = 0o600;

/// One thing that was done, or is about to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "snake_case")]
pub enum JournalEntry {
    /// A study begins.
    Begun {
        /// Its name.
        study: String,
        /// The hash of its file.
        hash: String,
        /// What its randomness comes from.
        seed: u64,
        /// When, milliseconds since 1970.
        at_ms: i64,
    },
    /// A file as it was before the study touched it.
    Original(OriginalFile),
    /// A file is about to be changed.
    Change {
        /// The file.
        file: PathBuf,
        /// Lines taken out and put in.
        diff: String,
    },
    /// A knob is about to be set by a request, a command or a person.
    Set {
        /// The knob.
        knob: String,
        /// Its value.
        value: String,
    },
    /// The target is about to be started.
    ProcessStarting,
    /// The target was started.
    Process {
        /// Its process group.
        group: i32,
        /// When it was started, in ticks of the machine.
        started: u64,
    },
    /// The target was stopped.
    ProcessEnded {
        /// Its process group.
        group: i32,
    },
    /// A trial begins.
    TrialBegun {
        /// Its number.
        number: usize,
        /// The level of each knob.
        setting: Vec<usize>,
    },
    /// A trial is over, and counts in some way.
    TrialEnded(Box<TrialEntry>),
    /// Originals are back.
    Restored,
    /// The study is over.
    Ended,
}

/// A trial that is over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialEntry {
    /// Its number.
    pub number: usize,
    /// The block it belongs to.
    pub block: usize,
    /// Why it was run.
    pub purpose: String,
    /// The level of each knob.
    pub setting: Vec<usize>,
    /// What was measured; `None` for an invalid trial or a failed one.
    pub measured: Option<MeasuredTrial>,
    /// Whether the target failed; else, without measurements, the trial is invalid.
    pub failed: bool,
    /// Whether the target answered otherwise than under the start setting: what was measured does not count.
    #[serde(default)]
    pub other_answers: bool,
    /// Why it does not count, in the language of the study.
    pub reason: Option<String>,
    /// The same for all languages: the key of the sentence and its arguments.
    #[serde(default)]
    pub cause: Option<(String, BTreeMap<String, String>)>,
    /// How long it took, seconds.
    pub seconds: f64,
    /// When it began, milliseconds since 1970.
    pub at_ms: i64,
    /// The stored run.
    pub run: Option<String>,
    /// What limited it, as `explain` says.
    #[serde(default)]
    pub limit: Option<LimitVerdict>,
    /// The setting that is to be tried first because of that.
    #[serde(default)]
    pub guess: Option<Vec<usize>>,
}

/// What a trial measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MeasuredTrial {
    /// What it is worth by the goal.
    pub score: f64,
    /// How far conditions are kept; `None` without conditions.
    pub margin: Option<f64>,
    /// Successful requests per second.
    pub rate: f64,
    /// The 95th percentile of durations, ms.
    pub p95_ms: Option<f64>,
    /// The share of failed requests.
    pub errors: f64,
    /// Whether the load was one of arrivals and all of it was carried in time: there may be room
    /// for more.
    #[serde(default)]
    pub carries_all: bool,
    /// Whether it did, and misses nothing but the requests a second that the goal asks for.
    #[serde(default)]
    pub sent_too_little: bool,
    /// Whether so little was sent for certain that no setting can meet the goal.
    #[serde(default)]
    pub load_too_small: bool,
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The kernel's error.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Somebody else can write what it orders.
    #[error("it belongs to user {owner} and has mode {mode:o}: others could give orders with it")]
    Foreign {
        /// Its owner.
        owner: u32,
        /// Its permissions.
        mode: u32,
    },
    /// It is a link, which may lead to anything.
    #[error("it is a link")]
    IsLink,
    /// A line in the middle is none of a journal.
    #[error("line {line} is no entry of a journal: {reason}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

impl JournalError {
    fn of_opening(error: io::Error) -> Self {
        match error.raw_os_error() {
            Some(code) if code == Errno::LOOP.raw_os_error() => Self::IsLink,
            _ => Self::Io(error),
        }
    }
}

/// What a journal says of a study that is not over.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JournalState {
    /// The hash of the study file it began with.
    pub hash: String,
    /// What its randomness comes from.
    pub seed: u64,
    /// When it began, milliseconds since 1970.
    pub begun_ms: i64,
    /// Trials that are over, in order.
    pub trials: Vec<TrialEntry>,
    /// Files as they were.
    pub originals: BTreeMap<PathBuf, OriginalFile>,
    /// Knobs that were set at a running target.
    pub set: BTreeSet<String>,
    /// The process group of a target that runs, and when it was started.
    pub process: Option<(i32, u64)>,
    /// Whether a target may have been started whose process group is not known.
    pub is_starting: bool,
}

impl JournalState {
    /// Whether there is something to put back.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        !self.originals.is_empty()
            || !self.set.is_empty()
            || self.process.is_some()
            || self.is_starting
    }

    fn take(&mut self, entry: JournalEntry) {
        match entry {
            JournalEntry::Begun {
                hash, seed, at_ms, ..
            } => {
                *self = Self {
                    hash,
                    seed,
                    begun_ms: at_ms,
                    ..Self::default()
                };
            }
            JournalEntry::Original(original) => {
                let file = original.file.clone();
                self.originals.entry(file).or_insert(original);
            }
            JournalEntry::Set { knob, .. } => {
                self.set.insert(knob);
            }
            JournalEntry::ProcessStarting => self.is_starting = true,
            JournalEntry::Process { group, started } => {
                self.is_starting = false;
                self.process = Some((group, started));
            }
            JournalEntry::ProcessEnded { .. } => self.process = None,
            JournalEntry::TrialEnded(trial) => self.trials.push(*trial),
            JournalEntry::Restored => {
                self.originals.clear();
                self.set.clear();
                self.process = None;
                self.is_starting = false;
            }
            JournalEntry::Change { .. } | JournalEntry::TrialBegun { .. } | JournalEntry::Ended => {
            }
        }
    }
}

/// An open journal.
#[derive(Debug)]
pub struct StudyJournal {
    file: File,
    path: PathBuf,
    state: JournalState,
    is_over: bool,
}

impl StudyJournal {
    /// Opens a journal, or makes one that only this user may read: it holds files of the target.
    /// A last line that was cut off is taken away.
    ///
    /// # Errors
    /// It cannot be read or written, is a link, may be written by others, or is no journal.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(JOURNAL_MODE)
            .custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
            .open(path)
            .map_err(JournalError::of_opening)?;
        let metadata = file.metadata()?;
        let (owner, mode) = (metadata.uid(), metadata.mode() & 0o7777);
        let is_own = [rustix::process::geteuid().as_raw(), 0].contains(&owner);
        if !is_own || mode & 0o002 != 0 {
            return Err(JournalError::Foreign { owner, mode });
        }
        if mode & 0o077 != 0 && owner == rustix::process::geteuid().as_raw() {
            file.set_permissions(Permissions::from_mode(JOURNAL_MODE))?;
        }
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let (state, is_over) = read(&text)?;
        file.set_len(whole(&text) as u64)?;
        file.seek(SeekFrom::End(0))?;
        let path = path.to_owned();
        Ok(Self {
            file,
            path,
            state,
            is_over,
        })
    }

    /// Writes an entry and waits until it is on disk. Of one that did not fit nothing stays: the next
    /// entry would stand on the same line.
    ///
    /// # Errors
    /// The kernel's.
    pub fn append(&mut self, entry: JournalEntry) -> Result<(), JournalError> {
        let mut line = serde_json::to_string(&entry).map_err(io::Error::from)?;
        line.push('\n');
        let begin = self.file.stream_position()?;
        let written = self.file.write_all(line.as_bytes());
        if let Err(error) = written.and_then(|()| self.file.sync_data()) {
            self.file.set_len(begin)?;
            self.file.seek(SeekFrom::Start(begin))?;
            return Err(error.into());
        }
        match entry {
            JournalEntry::Begun { .. } | JournalEntry::TrialBegun { .. } => self.is_over = false,
            JournalEntry::Ended => self.is_over = true,
            _ => {}
        }
        self.state.take(entry);
        Ok(())
    }

    /// What it says of the last study in it.
    #[must_use]
    pub const fn state(&self) -> &JournalState {
        &self.state
    }

    /// Whether the last study in it came to its end; also when there was none.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The length of a journal's text without a last line that was cut off.
fn whole(text: &str) -> usize {
    text.rfind('\n').map_or(0, |end| end + 1)
}

/// What the text of a journal says of the last study in it, and whether that came to its end.
///
/// # Errors
/// [`JournalError::Line`].
pub fn read(text: &str) -> Result<(JournalState, bool), JournalError> {
    let mut state = JournalState::default();
    let mut is_over = true;
    for (line, entry) in (1..).zip(text[..whole(text)].lines()) {
        let entry: JournalEntry = serde_json::from_str(entry).map_err(|error| {
            let reason = error.to_string();
            JournalError::Line { line, reason }
        })?;
        match entry {
            // A study that had ended may go on.
            JournalEntry::Begun { .. } | JournalEntry::TrialBegun { .. } => is_over = false,
            JournalEntry::Ended => is_over = true,
            _ => {}
        }
        state.take(entry);
    }
    Ok((state, is_over))
}

/// Where the journal of a study file is.
#[must_use]
pub fn path_of(study: &Path) -> PathBuf {
    let name = study.file_name().unwrap_or_default().to_string_lossy();
    study.with_file_name(format!("{name}.journal"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(number: usize) -> JournalEntry {
        JournalEntry::TrialEnded(Box::new(TrialEntry {
            number,
            block: 0,
            purpose: "noise".to_owned(),
            setting: vec![1, 2],
            measured: Some(MeasuredTrial {
                score: 4.605,
                margin: None,
                rate: 100.0,
                p95_ms: Some(12.5),
                errors: 0.0,
                carries_all: true,
                sent_too_little: false,
                load_too_small: false,
            }),
            failed: false,
            other_answers: false,
            reason: None,
            cause: None,
            seconds: 3.5,
            at_ms: 7,
            run: None,
            limit: None,
            guess: None,
        }))
    }

    fn begun() -> JournalEntry {
        JournalEntry::Begun {
            study: "a".to_owned(),
            hash: "h".to_owned(),
            seed: 7,
            at_ms: 1,
        }
    }

    #[test]
    fn what_was_written_is_found_again_without_a_line_that_was_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("study.journal");
        let mut journal = StudyJournal::open(&path).unwrap();
        assert!(journal.is_over());
        let original = serde_json::json!(
            { "entry": "original", "file": "a.properties", "content": "x=1\n" }
        );
        let original: JournalEntry = serde_json::from_value(original).unwrap();
        for entry in [begun(), original, trial(1), trial(2)] {
            journal.append(entry).unwrap();
        }
        let before = journal.state().clone();
        drop(journal);
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"entry\":\"trial_ended\",\"num").unwrap();
        let mut journal = StudyJournal::open(&path).unwrap();
        assert!(!journal.is_over());
        assert_eq!(*journal.state(), before);
        assert!(journal.state().is_changed());
        journal.append(JournalEntry::Restored).unwrap();
        assert!(!StudyJournal::open(&path).unwrap().state().is_changed());
        journal.append(JournalEntry::Ended).unwrap();
        assert!(StudyJournal::open(&path).unwrap().is_over());
    }

    #[test]
    fn a_new_study_begins_with_nothing_of_the_last_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("study.journal");
        let mut journal = StudyJournal::open(&path).unwrap();
        let setting = vec![1];
        let further = JournalEntry::TrialBegun { number: 2, setting };
        for entry in [begun(), trial(1), JournalEntry::Ended, further] {
            journal.append(entry).unwrap();
        }
        // One that goes on after its end is not over.
        assert!(!journal.is_over() && !StudyJournal::open(&path).unwrap().is_over());
        journal.append(begun()).unwrap();
        assert!(StudyJournal::open(&path).unwrap().state().trials.is_empty());
    }

    #[test]
    fn a_journal_is_its_users_alone_and_no_link() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("study.journal");
        std::fs::write(&path, "").unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        drop(StudyJournal::open(&path).unwrap());
        let mode = |path: &Path| std::fs::metadata(path).unwrap().mode() & 0o777;
        assert_eq!(mode(&path), JOURNAL_MODE);
        std::fs::set_permissions(&path, Permissions::from_mode(0o646)).unwrap();
        let foreign = StudyJournal::open(&path);
        assert!(matches!(foreign, Err(JournalError::Foreign { .. })));
        let link = folder.path().join("link.journal");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let linked = StudyJournal::open(&link);
        assert!(matches!(linked, Err(JournalError::IsLink)));
    }

    #[test]
    fn another_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        std::fs::write(&path, "hello\n").unwrap();
        assert!(matches!(
            StudyJournal::open(&path),
            Err(JournalError::Line { line: 1, .. })
        ));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "hello\n");
    }
}
