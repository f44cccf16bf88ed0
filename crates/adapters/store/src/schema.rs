//! The tables, and the steps that migrate older files.
//!
//! `user_version` is the format's version; `application_id` distinguishes a store from any other
//! SQLite file. A released step is never changed: a fixture holds a file of each version.

use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::error::StoreError;

/// The version this program writes.
pub const SCHEMA_VERSION: i64 = 2;
/// `LLST`.
const APPLICATION_ID: i64 = 0x4c4c_5354;

/// Step n migrates version n to n + 1; the first makes the tables.
const STEPS: [&str; 2] = [
    "
    CREATE TABLE run (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        started_ms INTEGER NOT NULL,
        state INTEGER NOT NULL,
        owner TEXT NOT NULL,
        beat_ms INTEGER NOT NULL,
        counted_from INTEGER NOT NULL DEFAULT 0,
        kind TEXT NOT NULL,
        test TEXT NOT NULL,
        hash TEXT NOT NULL,
        segment TEXT NOT NULL DEFAULT '',
        series TEXT NOT NULL DEFAULT '',
        series_number INTEGER NOT NULL DEFAULT 0,
        note TEXT NOT NULL DEFAULT '',
        settings TEXT NOT NULL DEFAULT '{}',
        seconds REAL NOT NULL DEFAULT 0,
        requests REAL NOT NULL DEFAULT 0,
        rate REAL NOT NULL DEFAULT 0,
        mean_ms REAL,
        p95_ms REAL,
        errors REAL,
        vus INTEGER NOT NULL DEFAULT 0,
        series_count INTEGER NOT NULL DEFAULT 0,
        verdict TEXT NOT NULL DEFAULT '',
        loss TEXT NOT NULL DEFAULT ''
    );
    CREATE INDEX run_by_series ON run (series) WHERE series <> '';
    CREATE TABLE tag (
        run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
        tag TEXT NOT NULL,
        PRIMARY KEY (run, tag)
    ) WITHOUT ROWID;
    CREATE TABLE fact (
        run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
        what TEXT NOT NULL,
        blob BLOB NOT NULL,
        PRIMARY KEY (run, what)
    );
    CREATE TABLE series (
        run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
        first INTEGER NOT NULL,
        blob BLOB NOT NULL,
        PRIMARY KEY (run, first)
    );
    CREATE TABLE chunk (
        run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
        level INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        first INTEGER NOT NULL,
        span INTEGER NOT NULL,
        late INTEGER NOT NULL,
        missing INTEGER NOT NULL,
        blob BLOB NOT NULL,
        PRIMARY KEY (run, level, seq)
    );
    CREATE TABLE event (
        id INTEGER PRIMARY KEY,
        run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
        at_nanos INTEGER NOT NULL,
        wall_ms INTEGER NOT NULL,
        kind TEXT NOT NULL,
        detail TEXT NOT NULL
    );
    CREATE INDEX event_by_run ON event (run);
",
    "
    CREATE TABLE study (
        name TEXT PRIMARY KEY,
        study TEXT NOT NULL,
        begun_ms INTEGER NOT NULL,
        changed_ms INTEGER NOT NULL,
        state INTEGER NOT NULL,
        owner TEXT NOT NULL,
        answer TEXT NOT NULL
    );
",
];

/// How long SQLite waits for another process before it reports `SQLITE_BUSY`.
const BUSY_TIMEOUT: Duration = Duration::from_millis(250);

/// Opens a store to write to it. Creates or migrates it if needed.
pub(crate) fn open_to_write(path: &Path) -> Result<Connection, StoreError> {
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        std::fs::create_dir_all(folder).map_err(|source| StoreError::Io {
            path: folder.to_owned(),
            source,
        })?;
    }
    make_private(path);
    let mut connection = Connection::open(path).map_err(|error| cannot_open(path, error))?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    check(&connection, path)?;
    // Each command's changes are in the log before it returns. A crash of the machine may lose
    // the last seconds, but does not damage the file.
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(StoreError::ReadOnly);
    }
    // Half a MiB of page cache. A writer that hardly reads fills it within seconds; SQLite's
    // default of 2 MiB would let a run's memory grow for minutes.
    connection.execute_batch(
        "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -512;",
    )?;
    migrate(&mut connection)?;
    Ok(connection)
}

/// Makes the file of a new store, for its owner alone; what SQLite makes beside it has the same
/// rights. Why it cannot be made is what opening it says.
fn make_private(path: &Path) {
    let mut options = std::fs::OpenOptions::new();
    let _ = options.write(true).create_new(true).mode(0o600).open(path);
}

/// Opens a store to read it. An older version is migrated in memory first.
pub(crate) fn open_to_read(path: &Path) -> Result<Connection, StoreError> {
    if !path.exists() {
        return Err(StoreError::Missing {
            path: path.to_owned(),
        });
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection =
        Connection::open_with_flags(path, flags).map_err(|error| cannot_open(path, error))?;
    connection.busy_timeout(Duration::from_secs(2))?;
    match check(&connection, path) {
        // In a read-only folder SQLite cannot create the log: read the file alone.
        Err(StoreError::Database(_) | StoreError::ReadOnly) => {}
        other => {
            other?;
            return made(connection, path);
        }
    }
    let uri = format!("file:{}?immutable=1", escaped(path));
    let flags = flags | OpenFlags::SQLITE_OPEN_URI;
    let connection =
        Connection::open_with_flags(uri, flags).map_err(|error| cannot_open(path, error))?;
    check(&connection, path)?;
    made(connection, path)
}

/// A file whose first writer has not made the tables yet counts as missing.
fn made(connection: Connection, path: &Path) -> Result<Connection, StoreError> {
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if version == 0 {
        return Err(StoreError::Missing {
            path: path.to_owned(),
        });
    }
    Ok(connection)
}

/// A path, escaped for a URI.
fn escaped(path: &Path) -> String {
    let text = path.to_string_lossy();
    text.replace('%', "%25")
        .replace('?', "%3f")
        .replace('#', "%23")
}

/// Checks that the file is a store, and not of a newer version.
fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let not_ours = || StoreError::NotAStore {
        path: path.to_owned(),
    };
    // One transaction: another process may be creating the store at this moment.
    let moment = connection.unchecked_transaction()?;
    let number = |pragma: &str| moment.query_row(pragma, [], |row| row.get::<_, i64>(0));
    let found = number("PRAGMA user_version").map_err(|error| match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase) => not_ours(),
        _ => error.into(),
    })?;
    let application = number("PRAGMA application_id")?;
    if application == 0 && found == 0 {
        let tables = number("SELECT count(*) FROM sqlite_master")?;
        return if tables == 0 { Ok(()) } else { Err(not_ours()) };
    }
    if application != APPLICATION_ID {
        return Err(not_ours());
    }
    if found > SCHEMA_VERSION {
        return Err(StoreError::Newer {
            path: path.to_owned(),
            found,
            known: SCHEMA_VERSION,
        });
    }
    Ok(())
}

fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let version = |connection: &Connection| {
        connection.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0))
    };
    if version(connection)? == SCHEMA_VERSION {
        return Ok(());
    }
    // Two programs may arrive here at once; the second finds the migration done.
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let from = usize::try_from(version(&transaction)?).unwrap_or(usize::MAX);
    for step in STEPS.iter().skip(from) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    transaction.commit()?;
    Ok(())
}

fn cannot_open(path: &Path, error: rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase) => StoreError::NotAStore {
            path: path.to_owned(),
        },
        Some(rusqlite::ErrorCode::CannotOpen) => StoreError::Io {
            path: path.to_owned(),
            source: std::io::Error::other("it cannot be opened"),
        },
        _ => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Retries until no other process holds the store.
    fn patiently(open: fn(&Path) -> Result<Connection, StoreError>, path: &Path) {
        loop {
            match open(path) {
                Ok(_) => return,
                Err(StoreError::Locked | StoreError::Missing { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    #[test]
    fn several_make_and_read_one_store_at_once() {
        let folder = tempfile::tempdir().unwrap();
        for round in 0..60 {
            let path = &folder.path().join(format!("{round}.db"));
            std::thread::scope(|scope| {
                for open in [open_to_write, open_to_write, open_to_read, open_to_read] {
                    scope.spawn(move || patiently(open, path));
                }
            });
        }
    }
}
