use super::Journal;
use crate::storage::{LogStore, LogStoreError, OpenedLog, Position, ReadResult, Snapshot};
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

fn at_noon() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000)
}

async fn open(directory: &Path) -> (Journal, OpenedLog) {
    let journal = Journal::open(directory, at_noon).unwrap();
    let opened = journal.open("q").await.unwrap();
    (journal, opened)
}

async fn entries(opened: &OpenedLog, after: u64, count: usize) -> Vec<(u64, Vec<u8>)> {
    let mut found = Vec::new();
    let mut position = Position(after);
    while found.len() < count {
        let ReadResult::Entries(more) = opened.log.read(position).await.unwrap() else {
            panic!("a journal is never broken");
        };
        position = more.last().unwrap().position;
        found.extend(
            more.into_iter()
                .map(|taken| (taken.position.0, taken.entry)),
        );
    }
    found
}

fn file(directory: &Path, ending: &str) -> std::path::PathBuf {
    let files = fs::read_dir(directory.join("q")).unwrap();
    let mut found: Vec<_> = files
        .map(|f| f.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == ending))
        .collect();
    found.sort();
    found.pop().unwrap()
}

#[tokio::test]
async fn what_was_appended_is_there_after_a_restart() {
    let home = tempfile::tempdir().unwrap();
    let (journal, opened) = open(home.path()).await;
    for n in 0..3_u8 {
        opened.log.append(vec![n]).await.unwrap();
    }
    assert_eq!(entries(&opened, 0, 3).await.len(), 3);
    drop((journal, opened));

    let (_journal, opened) = open(home.path()).await;
    assert_eq!(
        entries(&opened, 0, 3).await,
        [(1, vec![0]), (2, vec![1]), (3, vec![2])]
    );
}

#[tokio::test]
async fn a_torn_end_is_cut_off_and_writing_goes_on() {
    let home = tempfile::tempdir().unwrap();
    let (journal, opened) = open(home.path()).await;
    opened.log.append(b"whole".to_vec()).await.unwrap();
    opened.log.append(b"torn".to_vec()).await.unwrap();
    drop((journal, opened));
    let path = file(home.path(), "journal");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 2]).unwrap();

    let (journal, opened) = open(home.path()).await;
    opened.log.append(b"next".to_vec()).await.unwrap();
    let expected = [(1, b"whole".to_vec()), (2, b"next".to_vec())];
    assert_eq!(entries(&opened, 0, 2).await, expected);
    drop((journal, opened));
    let (_journal, opened) = open(home.path()).await;
    assert_eq!(entries(&opened, 0, 2).await, expected);
}

#[tokio::test]
async fn a_snapshot_stands_for_what_was_before_and_the_rest_is_kept() {
    let home = tempfile::tempdir().unwrap();
    let (journal, opened) = open(home.path()).await;
    for n in 0..5_u8 {
        opened.log.append(vec![n]).await.unwrap();
    }
    let snapshot = Snapshot {
        position: Position(3),
        bytes: b"three".to_vec(),
    };
    opened.log.save(snapshot.clone()).await.unwrap();
    opened.log.append(vec![5]).await.unwrap();
    drop((journal, opened));

    let (journal, opened) = open(home.path()).await;
    assert_eq!(opened.snapshot, Some(snapshot));
    assert_eq!(
        entries(&opened, 3, 3).await,
        [(4, vec![3]), (5, vec![4]), (6, vec![5])]
    );
    let all = Snapshot {
        position: Position(6),
        bytes: b"six".to_vec(),
    };
    opened.log.save(all.clone()).await.unwrap();
    drop((journal, opened));
    let files = fs::read_dir(home.path().join("q")).unwrap().count();
    assert_eq!(files, 2, "one snapshot, one journal");
    let (_journal, opened) = open(home.path()).await;
    assert_eq!(opened.snapshot, Some(all));
}

#[tokio::test]
async fn damage_that_a_crash_cannot_make_is_an_error() {
    let home = tempfile::tempdir().unwrap();
    let (journal, opened) = open(home.path()).await;
    opened.log.append(vec![1]).await.unwrap();
    opened
        .log
        .save(Snapshot {
            position: Position(1),
            bytes: vec![9; 100],
        })
        .await
        .unwrap();
    drop((journal, opened));
    let path = file(home.path(), "snapshot");
    let mut bytes = fs::read(&path).unwrap();
    bytes[50] ^= 1;
    fs::write(&path, bytes).unwrap();

    let journal = Journal::open(home.path(), at_noon).unwrap();
    let Err(LogStoreError::Corrupt { what, .. }) = journal.open("q").await else {
        panic!("a damaged snapshot was taken");
    };
    assert_eq!(what, "its checksum is wrong");
}

#[tokio::test]
async fn a_journal_that_was_begun_on_a_full_disk_takes_no_entrys_place() {
    let home = tempfile::tempdir().unwrap();
    let (journal, opened) = open(home.path()).await;
    for n in 0..3_u8 {
        opened.log.append(vec![n]).await.unwrap();
    }
    drop((journal, opened));
    // The beginning of the next journal, which an entry less was to precede.
    let begun = home.path().join("q").join(format!("{:020}.journal", 2));
    fs::write(&begun, b"llgate").unwrap();

    let (journal, opened) = open(home.path()).await;
    opened.log.append(vec![3]).await.unwrap();
    let all: Vec<_> = (0..4_u8).map(|n| (u64::from(n) + 1, vec![n])).collect();
    assert_eq!(entries(&opened, 0, 4).await, all);
    drop((journal, opened));
    let (_journal, opened) = open(home.path()).await;
    assert_eq!(entries(&opened, 0, 4).await, all);
}

#[tokio::test]
async fn two_gates_cannot_share_a_directory() {
    let home = tempfile::tempdir().unwrap();
    let _first = Journal::open(home.path(), at_noon).unwrap();
    assert!(matches!(
        Journal::open(home.path(), at_noon),
        Err(LogStoreError::InUse { .. })
    ));
}

#[tokio::test]
async fn a_process_being_started_does_not_keep_the_directory() {
    let home = tempfile::tempdir().unwrap();
    let first = Journal::open(home.path(), at_noon).unwrap();
    // What a process has between its fork and its program.
    let _copy = first._lock.0.try_clone().unwrap();
    drop(first);
    Journal::open(home.path(), at_noon).unwrap();
}

/// Opening the lock emptied the file that a link led to.
#[tokio::test]
async fn a_lock_is_a_file_of_the_gates_own_and_no_link() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let home = tempfile::tempdir().unwrap();
    let precious = home.path().join("precious");
    fs::write(&precious, "kept").unwrap();
    let directory = home.path().join("gate");
    fs::create_dir(&directory).unwrap();
    symlink(&precious, directory.join("lock")).unwrap();
    let opened = Journal::open(&directory, at_noon);
    assert!(matches!(opened, Err(LogStoreError::Io { .. })));
    assert_eq!(fs::read_to_string(&precious).unwrap(), "kept");
    fs::remove_file(directory.join("lock")).unwrap();
    let _journal = Journal::open(&directory, at_noon).unwrap();
    let lock = fs::metadata(directory.join("lock")).unwrap();
    assert_eq!(lock.permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn nobody_else_reads_who_waits() {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("gate");
    let (journal, opened) = open(&directory).await;
    opened.log.append(vec![1]).await.unwrap();
    assert_eq!(mode(&directory), 0o700);
    let journal_file = file(&directory, "journal");
    assert_eq!(mode(&journal_file), 0o600);
    drop((journal, opened));

    // One that an earlier version left readable is made private.
    fs::set_permissions(&journal_file, fs::Permissions::from_mode(0o644)).unwrap();
    let (_journal, _opened) = open(&directory).await;
    assert_eq!(mode(&journal_file), 0o600);
}
