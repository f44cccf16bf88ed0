//! The files of one log, and what can be read back of them.
//!
//! A record is: length (4 bytes), CRC-32 of what follows (4), time taken in ms (8), entry.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use super::io_at;
use crate::storage::{LogEntry, LogStoreError, Position, Snapshot};

const HEAD_BYTES: usize = 8;
const TIME_BYTES: usize = 8;
/// First bytes of each file: name and version of the format.
const JOURNAL_MAGIC: &[u8; 8] = b"llgatej1";
const SNAPSHOT_MAGIC: &[u8; 8] = b"llgates1";
/// No entry is longer; a length beyond it is damage.
const ENTRY_BYTES_MAX: usize = 64 << 20;

/// The files of one log, the last journal open for writing.
pub(super) struct LogFiles {
    directory: PathBuf,
    journal: JournalFile,
    /// Entries in all, since the log was made.
    count: u64,
    /// Bytes of records not yet written.
    unwritten: Vec<u8>,
    /// Entries among them.
    put: u64,
}

/// The journal that takes entries.
struct JournalFile {
    path: PathBuf,
    file: File,
    /// Up to here it is synced; what may stand behind is of a write that failed.
    good: u64,
    /// A write failed since.
    is_torn: bool,
}

/// A log as it was found.
pub(super) struct Recovered {
    pub(super) files: LogFiles,
    pub(super) snapshot: Option<Snapshot>,
    /// The entries after the snapshot.
    pub(super) entries: Vec<LogEntry>,
}

impl LogFiles {
    /// Reads what is there, cuts a torn end off, and opens the last journal.
    pub(super) fn recover(directory: PathBuf) -> Result<Recovered, LogStoreError> {
        fs::create_dir_all(&directory).map_err(|e| io_at(&directory, e))?;
        let snapshot = match numbered(&directory, "snapshot")?.pop() {
            Some(count) => Some(read_snapshot(&directory, count)?),
            None => None,
        };
        let covered = snapshot.as_ref().map_or(0, |snapshot| snapshot.position.0);
        let journals = numbered(&directory, "journal")?;
        let mut entries = Vec::new();
        let mut count = covered;
        let mut last = None;
        for (i, first) in journals.iter().enumerate() {
            let path = journal_path(&directory, *first);
            if *first > count {
                let what = format!("entries {count} to {first} are missing before it");
                return Err(corrupt(&path, what));
            }
            let is_last = i + 1 == journals.len();
            let mut at = *first;
            for (taken_ms, entry) in read_journal(&path, is_last)? {
                at += 1;
                if at > covered {
                    entries.push(LogEntry {
                        position: Position(at),
                        taken_ms,
                        entry,
                    });
                }
            }
            count = count.max(at);
            last = Some((path, at));
        }
        let journal = match last {
            Some((path, at)) if at == count => JournalFile::open(path)?,
            // One that was begun when the disk was full: entries went on in the one before.
            Some((path, _)) => {
                fs::remove_file(&path).map_err(|e| io_at(&path, e))?;
                new_journal(&directory, count)?
            }
            None => new_journal(&directory, count)?,
        };
        let files = Self {
            directory,
            journal,
            count,
            unwritten: Vec::new(),
            put: 0,
        };
        Ok(Recovered {
            files,
            snapshot,
            entries,
        })
    }

    /// Puts an entry into the next write; gives its place.
    pub(super) fn put(&mut self, taken_ms: u64, entry: &[u8]) -> Position {
        let length = u32::try_from(TIME_BYTES + entry.len()).unwrap_or(u32::MAX);
        let mut crc = crc32fast::Hasher::new();
        crc.update(&taken_ms.to_le_bytes());
        crc.update(entry);
        self.unwritten.extend_from_slice(&length.to_le_bytes());
        self.unwritten
            .extend_from_slice(&crc.finalize().to_le_bytes());
        self.unwritten.extend_from_slice(&taken_ms.to_le_bytes());
        self.unwritten.extend_from_slice(entry);
        self.put += 1;
        Position(self.count + self.put)
    }

    /// Writes what was put, and makes it durable. What could not be written is forgotten: those
    /// who wait for it are told so, and the next entries take its places.
    pub(super) fn commit(&mut self) -> Result<(), LogStoreError> {
        let written = self.journal.write(&self.unwritten);
        let put = std::mem::take(&mut self.put);
        self.unwritten.clear();
        if written.is_ok() {
            self.count += put;
        }
        written.map_err(|e| io_at(&self.journal.path, e))
    }

    /// Keeps a snapshot; starts a new journal and removes what is no longer needed.
    pub(super) fn save(&mut self, snapshot: &Snapshot) -> Result<(), LogStoreError> {
        let covered = snapshot.position.0;
        let path = self.directory.join(format!("{covered:020}.snapshot"));
        let half = self.directory.join("snapshot.half");
        let written = write_snapshot(&half, &snapshot.bytes)
            .and_then(|()| fs::rename(&half, &path))
            .map_err(|e| io_at(&half, e));
        if written.is_err() {
            // A full disk needs the room; it may also not be there at all.
            let _ = fs::remove_file(&half);
        }
        written?;
        if self.journal.path != journal_path(&self.directory, self.count) {
            self.journal = new_journal(&self.directory, self.count)?;
        }
        sync_directory(&self.directory)?;
        self.remove_covered(covered)
    }

    /// Removes snapshots before the one of `covered`, and journals that end at or before it.
    fn remove_covered(&self, covered: u64) -> Result<(), LogStoreError> {
        let io = |e| io_at(&self.directory, e);
        for count in numbered(&self.directory, "snapshot")? {
            if count < covered {
                fs::remove_file(self.directory.join(format!("{count:020}.snapshot")))
                    .map_err(io)?;
            }
        }
        let journals = numbered(&self.directory, "journal")?;
        for pair in journals.windows(2) {
            if pair[1] <= covered {
                fs::remove_file(journal_path(&self.directory, pair[0])).map_err(io)?;
            }
        }
        Ok(())
    }
}

impl JournalFile {
    /// One that holds whole records only.
    fn open(path: PathBuf) -> Result<Self, LogStoreError> {
        let opened = append_to(&path).and_then(|file| Ok((file.metadata()?.len(), file)));
        let (good, file) = opened.map_err(|e| io_at(&path, e))?;
        Ok(Self {
            path,
            file,
            good,
            is_torn: false,
        })
    }

    /// Writes records and syncs them.
    ///
    /// After a write or a sync that failed, nobody knows what is on the disk behind the last
    /// good sync: it is cut off before anything else is written.
    fn write(&mut self, records: &[u8]) -> io::Result<()> {
        if self.is_torn {
            self.file = append_to(&self.path)?;
            self.file.set_len(self.good)?;
            self.file.sync_all()?;
        }
        self.is_torn = true;
        self.file.write_all(records)?;
        self.file.sync_data()?;
        self.good += records.len() as u64;
        self.is_torn = false;
        Ok(())
    }
}

/// Opens a journal; one that an earlier version made readable to others is made private.
fn append_to(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().append(true).open(path)?;
    let others_may = file.metadata()?.permissions().mode() & !OWNER_ONLY & 0o777;
    if others_may != 0 {
        file.set_permissions(Permissions::from_mode(OWNER_ONLY))?;
    }
    Ok(file)
}

/// Journals hold who waits and who was let in, which is for the gate's user alone.
const OWNER_ONLY: u32 = 0o600;

fn write_snapshot(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(OWNER_ONLY)
        .open(path)?;
    file.write_all(SNAPSHOT_MAGIC)?;
    file.write_all(&crc32fast::hash(bytes).to_le_bytes())?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn journal_path(directory: &Path, count: u64) -> PathBuf {
    directory.join(format!("{count:020}.journal"))
}

fn new_journal(directory: &Path, count: u64) -> Result<JournalFile, LogStoreError> {
    let path = journal_path(directory, count);
    if let Err(error) = begin_journal(&path) {
        if error.kind() != io::ErrorKind::AlreadyExists {
            // Half a beginning must not be taken for a journal later.
            let _ = fs::remove_file(&path);
        }
        return Err(io_at(&path, error));
    }
    sync_directory(directory)?;
    JournalFile::open(path)
}

fn begin_journal(path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(OWNER_ONLY)
        .open(path)?;
    file.write_all(JOURNAL_MAGIC)?;
    file.sync_all()
}

/// A new name in a directory is durable only once the directory is.
fn sync_directory(directory: &Path) -> Result<(), LogStoreError> {
    let synced = File::open(directory).and_then(|file| file.sync_all());
    synced.map_err(|e| io_at(directory, e))
}

/// The numbers of the files with an ending, lowest first.
fn numbered(directory: &Path, ending: &str) -> Result<Vec<u64>, LogStoreError> {
    let mut numbers = Vec::new();
    for file in fs::read_dir(directory).map_err(|e| io_at(directory, e))? {
        let path = file.map_err(|e| io_at(directory, e))?.path();
        if path.extension().is_some_and(|found| found == ending) {
            let number = path
                .file_stem()
                .and_then(|stem| stem.to_str()?.parse().ok());
            numbers.push(number.ok_or_else(|| corrupt(&path, "its name is not a number"))?);
        }
    }
    numbers.sort_unstable();
    Ok(numbers)
}

fn read_snapshot(directory: &Path, count: u64) -> Result<Snapshot, LogStoreError> {
    let path = directory.join(format!("{count:020}.snapshot"));
    let bytes = fs::read(&path).map_err(|e| io_at(&path, e))?;
    let body = bytes
        .strip_prefix(SNAPSHOT_MAGIC)
        .and_then(|rest| rest.split_at_checked(4));
    let Some((crc, body)) = body else {
        return Err(corrupt(&path, "it is no snapshot of this version"));
    };
    if crc32fast::hash(body).to_le_bytes() != crc {
        return Err(corrupt(&path, "its checksum is wrong"));
    }
    Ok(Snapshot {
        position: Position(count),
        bytes: body.to_vec(),
    })
}

/// When it was taken, and the entry.
type Record = (u64, Vec<u8>);

/// The records of a file. In the last journal a torn end is cut off the file.
fn read_journal(path: &Path, is_last: bool) -> Result<Vec<Record>, LogStoreError> {
    let bytes = fs::read(path).map_err(|e| io_at(path, e))?;
    // A crash while the file was made leaves less than its first bytes.
    if is_last && bytes.len() < JOURNAL_MAGIC.len() && JOURNAL_MAGIC.starts_with(&bytes) {
        cut(path, 0)?;
        fs::write(path, JOURNAL_MAGIC).map_err(|e| io_at(path, e))?;
        return Ok(Vec::new());
    }
    let Some(mut rest) = bytes.strip_prefix(JOURNAL_MAGIC) else {
        return Err(corrupt(path, "it is no journal of this version"));
    };
    let mut records = Vec::new();
    while !rest.is_empty() {
        let Some((record, after)) = next_record(rest) else {
            let good = bytes.len() - rest.len();
            if !is_last {
                return Err(corrupt(
                    path,
                    format!("a record at byte {good} cannot be read"),
                ));
            }
            cut(path, good as u64)?;
            break;
        };
        records.push(record);
        rest = after;
    }
    Ok(records)
}

/// A record and what follows it; `None` when there is no whole, sound one.
fn next_record(bytes: &[u8]) -> Option<(Record, &[u8])> {
    let (head, rest) = bytes.split_at_checked(HEAD_BYTES)?;
    let length = u32::from_le_bytes(head[..4].try_into().ok()?) as usize;
    if !(TIME_BYTES..=ENTRY_BYTES_MAX).contains(&length) {
        return None;
    }
    let (body, after) = rest.split_at_checked(length)?;
    if crc32fast::hash(body).to_le_bytes() != head[4..] {
        return None;
    }
    let (time, entry) = body.split_at(TIME_BYTES);
    Some((
        (u64::from_le_bytes(time.try_into().ok()?), entry.to_vec()),
        after,
    ))
}

fn cut(path: &Path, length: u64) -> Result<(), LogStoreError> {
    let file = OpenOptions::new()
        .write(true)
        .open(path)
        .map_err(|e| io_at(path, e))?;
    file.set_len(length)
        .and_then(|()| file.sync_all())
        .map_err(|e| io_at(path, e))
}

fn corrupt(path: &Path, what: impl Into<String>) -> LogStoreError {
    LogStoreError::Corrupt {
        place: path.display().to_string(),
        what: what.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{LogFiles, Recovered};
    use std::fs::OpenOptions;

    /// A disk without room takes part of a write and fails; with room again it goes on.
    #[test]
    fn a_full_disk_loses_what_was_refused_and_heals_when_it_has_room() {
        let home = tempfile::tempdir().unwrap();
        let recover = || LogFiles::recover(home.path().join("q")).unwrap();
        let mut files = recover().files;
        files.put(1, b"before");
        files.commit().unwrap();
        let full = OpenOptions::new().append(true).open("/dev/full").unwrap();
        let disk = std::mem::replace(&mut files.journal.file, full);
        files.put(2, b"refused");
        let refused = files.commit().unwrap_err().to_string();
        assert!(refused.contains("No space left on device"), "{refused}");
        // What a write leaves that was broken off half-way.
        std::io::Write::write_all(&mut &disk, &[7; 5]).unwrap();
        files.journal.file = disk;

        let place = files.put(3, b"after");
        files.commit().unwrap();

        assert_eq!(place.0, 2, "the place of the one that was refused");
        let Recovered { entries, .. } = recover();
        let found: Vec<&[u8]> = entries.iter().map(|taken| &taken.entry[..]).collect();
        assert_eq!(found, [&b"before"[..], b"after"]);
    }
}
