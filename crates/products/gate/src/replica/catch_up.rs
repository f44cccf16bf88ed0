//! Where a replica is in the log, and how it goes over to another beginning.
//!
//! When the log was lost or set back, another gate's newer state may take this gate's
//! place. It is read aside up to the end of the log and swapped in whole: until then the
//! old state answers, so that no visitor gets a place that is not read yet.

use std::sync::atomic::Ordering;

use super::versions::UnreadableError;
use super::{Replies, Shared, StateMachine, thaw};
use crate::storage::{LogEntry, MemoryState, Position, RepairSource};

/// A snapshot is made after this many bytes of entries, which bounds what a gate that
/// starts reads. The heartbeats of a million waiters take 125 KB every three seconds ...
const SNAPSHOT_BYTES: usize = 16 << 20;
/// ... or after this many entries.
const SNAPSHOT_ENTRIES: usize = 50_000;

/// The reading side of a replica.
pub(super) struct Reader<M: StateMachine> {
    /// Up to where the machine in use has read.
    position: Position,
    since: Since,
    aside: Option<Aside<M>>,
}

/// A state that is read aside.
struct Aside<M: StateMachine> {
    machine: M,
    position: Position,
    /// The log's end when the reading began.
    end: Position,
    /// Replies to commands that only this machine has done.
    replies: Replies<M>,
    /// Commands of this gate below this number were appended before.
    asked: u64,
}

impl<M: StateMachine> Reader<M> {
    pub(super) fn new(position: Position) -> Self {
        Self {
            position,
            since: Since::default(),
            aside: None,
        }
    }

    /// Where to read on.
    pub(super) fn position(&self) -> Position {
        self.aside.as_ref().map_or(self.position, |a| a.position)
    }

    /// Applies entries to the machine in use, or to the one aside.
    pub(super) async fn take(
        &mut self,
        shared: &Shared<M>,
        entries: Vec<LogEntry>,
    ) -> Result<(), UnreadableError> {
        let Some(last) = entries.last() else {
            return Ok(());
        };
        let (position, last_ms) = (last.position, last.taken_ms);
        self.since.count(&entries);
        let Some(mut aside) = self.aside.take() else {
            self.position = position;
            // One by one: after an outage there are many, and others want to look meanwhile.
            for (at, entry) in entries.into_iter().enumerate() {
                if at > 0 {
                    tokio::task::yield_now().await;
                }
                shared.apply(entry)?;
            }
            return Ok(());
        };
        let (replies, _) = shared.apply_to(&mut aside.machine, entries)?;
        aside.replies.extend(replies);
        aside.position = position;
        self.go_over(shared, aside, last_ms);
        Ok(())
    }

    /// Swaps the machine aside in, if it has read to the end.
    fn go_over(&mut self, shared: &Shared<M>, aside: Aside<M>, last_ms: u64) {
        if aside.position < aside.end {
            self.aside = Some(aside);
            return;
        }
        self.position = aside.position;
        shared.replace(aside.machine, aside.replies, last_ms);
        shared.give_up(aside.asked);
    }

    /// Goes on with a log that was lost or set back; `false` to try again later.
    pub(super) async fn repair(&mut self, shared: &Shared<M>) -> bool {
        let asked = shared.next.load(Ordering::Relaxed);
        let position = self.position;
        let freeze = |memory: MemoryState| shared.snapshot(position, memory);
        let (snapshot, end) = match shared.log.repair(position, &freeze).await {
            Ok(RepairSource::ReadOn) => return true,
            Ok(RepairSource::Own) => {
                self.aside = None;
                shared.give_up(asked);
                return true;
            }
            Ok(RepairSource::Other { snapshot, end }) => (snapshot, end),
            Err(_) => return false,
        };
        let machine = if snapshot.position == Position::default() {
            M::empty()
        } else {
            match thaw::<M>(&shared.name, &snapshot) {
                Ok(machine) => machine,
                Err(_) => return false,
            }
        };
        let aside = Aside {
            machine,
            position: snapshot.position,
            end,
            replies: Vec::new(),
            asked,
        };
        self.go_over(shared, aside, 0);
        true
    }

    /// Where to make a snapshot, when enough was read since the last one.
    pub(super) fn is_snapshot_due(&mut self) -> Option<Position> {
        if self.aside.is_some() || !self.since.is_much() {
            return None;
        }
        self.since = Since::default();
        Some(self.position)
    }
}

/// What was read since the last snapshot.
#[derive(Default)]
struct Since {
    entries: usize,
    bytes: usize,
}

impl Since {
    fn count(&mut self, entries: &[LogEntry]) {
        self.entries += entries.len();
        self.bytes += entries.iter().map(|taken| taken.entry.len()).sum::<usize>();
    }

    fn is_much(&self) -> bool {
        self.entries >= SNAPSHOT_ENTRIES || self.bytes >= SNAPSHOT_BYTES
    }
}
