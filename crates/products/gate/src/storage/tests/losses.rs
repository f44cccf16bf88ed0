//! What becomes of a log when Redis loses it, and one of the gates is slow to say what it knows.

use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

use super::server::Server;
use crate::storage::redis::RedisStore;
use crate::storage::{Log, LogStore, MemoryState, Position, ReadResult, RepairSource, Snapshot};

/// Longer than gates wait for those they know nothing of.
const SLOW_RESTART: Duration = Duration::from_millis(1_500);

/// A gate's way to the log: its store, which says that the gate is there, and the log.
struct Way {
    store: RedisStore,
    log: Arc<dyn Log>,
    read: Position,
}

impl Way {
    async fn open(server: &Server, origin: u64) -> Self {
        let store = RedisStore::new(&server.url(), "test", origin).unwrap();
        let log = store.open("q").await.unwrap().log;
        let read = Position::default();
        Self { store, log, read }
    }

    async fn append(&self, count: u8) {
        for number in 0..count {
            self.log.append(vec![number]).await.unwrap();
        }
    }

    async fn read_to(&mut self, position: u64) {
        while self.read < Position(position) {
            match self.log.read(self.read).await.unwrap() {
                ReadResult::Entries(entries) => {
                    let last = entries.last().map(|taken| taken.position);
                    self.read = last.unwrap_or(self.read);
                }
                ReadResult::Broken => panic!("broken at {:?}", self.read),
            }
        }
    }

    async fn repair(&self) -> RepairSource {
        let freeze = |memory: MemoryState| self.snapshot(memory);
        self.log.repair(self.read, &freeze).await.unwrap()
    }

    /// Says who made it, and how sure that one was.
    fn snapshot(&self, memory: MemoryState) -> Snapshot {
        Snapshot {
            position: self.read,
            bytes: format!("{:?} {memory:?}", self.read).into_bytes(),
        }
    }
}

/// Two gates that know of each other; the first one has read two entries more.
async fn one_knows_more(server: &Server) -> (Way, Way) {
    let (mut knowing, mut behind) = (Way::open(server, 1).await, Way::open(server, 2).await);
    knowing.append(3).await;
    behind.read_to(3).await;
    knowing.append(2).await;
    knowing.read_to(5).await;
    knowing.store.heard_of(1).await;
    behind.store.heard_of(1).await;
    (knowing, behind)
}

#[tokio::test]
async fn a_gate_that_knows_most_and_speaks_late_is_waited_for() {
    let mut server = Server::start();
    let (knowing, behind) = one_knows_more(&server).await;
    server.restart_empty();
    let waiting = tokio::spawn(async move { behind.repair().await });
    tokio::time::sleep(SLOW_RESTART).await;
    assert!(!waiting.is_finished(), "the other gate has not spoken");
    assert_eq!(knowing.repair().await, RepairSource::Own);
    let expected = RepairSource::Other {
        snapshot: knowing.snapshot(MemoryState::Whole),
        end: Position(5),
    };
    assert_eq!(waiting.await.unwrap(), expected);
    knowing.append(1).await;
}

#[tokio::test]
async fn a_gate_that_comes_too_late_never_takes_the_log_back() {
    let mut server = Server::start();
    let (knowing, mut behind) = one_knows_more(&server).await;
    server.restart_empty();
    let begin = Instant::now();
    let expected = RepairSource::Other {
        snapshot: behind.snapshot(MemoryState::AfterLoss),
        end: Position(3),
    };
    assert_eq!(
        behind.repair().await,
        expected,
        "from its own state, after a loss"
    );
    assert!(begin.elapsed() > Duration::from_secs(9), "it waited first");
    behind.append(1).await;
    behind.read_to(4).await;
    // The log is longer for the late one, and it goes on with the other all the same.
    let RepairSource::Other { snapshot, end } = knowing.repair().await else {
        panic!("it took the log back");
    };
    assert_eq!(snapshot, behind_at(3));
    assert_eq!(end, Position(4));
    behind.append(1).await;
}

fn behind_at(position: u64) -> Snapshot {
    Snapshot {
        position: Position(position),
        bytes: format!("{:?} AfterLoss", Position(position)).into_bytes(),
    }
}

/// What a gate does that started after Redis lost everything: it makes no log of its own
/// while others are about to write theirs.
#[tokio::test]
async fn a_gate_that_starts_while_the_log_is_lost_waits_for_those_who_know_it() {
    let mut server = Server::start();
    let (knowing, behind) = one_knows_more(&server).await;
    server.restart_empty();
    let waiting = tokio::spawn(async move { behind.repair().await });
    let url = server.url();
    let starting = tokio::spawn(async move {
        let store = RedisStore::new(&url, "test", 3).unwrap();
        store.open("q").await.unwrap().snapshot
    });
    tokio::time::sleep(SLOW_RESTART).await;
    assert!(!starting.is_finished());
    assert_eq!(knowing.repair().await, RepairSource::Own);
    waiting.await.unwrap();
    let snapshot = knowing.snapshot(MemoryState::Whole);
    assert_eq!(starting.await.unwrap(), Some(snapshot));
}

/// A restart from an older copy, or the promotion of a replica that was behind: nobody goes on
/// with what is there before those who know more have spoken.
#[tokio::test]
async fn nothing_is_appended_to_a_log_that_was_set_back() {
    let mut server = Server::start();
    let (mut knowing, mut behind) = (Way::open(&server, 1).await, Way::open(&server, 2).await);
    knowing.append(3).await;
    behind.read_to(3).await;
    server.copy();
    knowing.append(2).await;
    knowing.read_to(5).await;
    knowing.store.heard_of(1).await;
    behind.store.heard_of(1).await;
    server.restart_from_copy();
    for _ in 0..2 {
        let refused = behind.log.append(vec![9]).await;
        assert!(refused.is_err(), "the gate knows no more than the old copy");
    }
    let waiting = tokio::spawn(async move { behind.repair().await });
    assert_eq!(knowing.repair().await, RepairSource::Own);
    let expected = RepairSource::Other {
        snapshot: knowing.snapshot(MemoryState::Whole),
        end: Position(5),
    };
    assert_eq!(waiting.await.unwrap(), expected);
    knowing.append(1).await;
    knowing.read_to(6).await;
}

#[tokio::test]
async fn a_log_that_lost_nothing_in_a_restart_goes_on_as_it_is() {
    let mut server = Server::start();
    let (knowing, mut behind) = one_knows_more(&server).await;
    server.copy();
    server.restart_from_copy();
    assert!(knowing.log.append(vec![9]).await.is_err(), "not yet");
    let waiting = tokio::spawn(async move {
        let repaired = behind.repair().await;
        behind.read_to(5).await;
        (behind, repaired)
    });
    assert_eq!(knowing.repair().await, RepairSource::ReadOn);
    let (behind, repaired) = waiting.await.unwrap();
    assert_eq!(repaired, RepairSource::ReadOn, "it has two entries to read");
    behind.append(1).await;
    knowing.append(1).await;
}

/// Gates and Redis were all restarted: what is there may be an older copy.
#[tokio::test]
async fn gates_that_remember_nothing_reissue_no_number_of_an_old_copy() {
    let mut server = Server::start();
    let mut before = Way::open(&server, 1).await;
    before.append(3).await;
    before.read_to(3).await;
    server.copy();
    drop(before);
    server.restart_from_copy();
    let mut after = Way::open(&server, 2).await;
    after.read_to(3).await;
    let expected = RepairSource::Other {
        snapshot: after.snapshot(MemoryState::AfterLoss),
        end: Position(3),
    };
    assert_eq!(after.repair().await, expected);
    after.append(1).await;
}
