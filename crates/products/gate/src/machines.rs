//! The two machines that gates share: a queue each, and the directory.

use crate::directory::{
    ChangeStatus, Directory, DirectoryChange, DirectoryEvent, DirectorySnapshot,
};
use crate::queue::{Command, Event, Policy, Queue, QueueSnapshot, Reply};
use crate::replica::StateMachine;

impl StateMachine for Queue {
    type Command = Command;
    type Reply = Reply;
    type Event = Event;
    type Frozen = QueueSnapshot;

    fn empty() -> Self {
        Self::new(Policy::default())
    }

    fn apply(&mut self, taken_ms: u64, version: u32, command: Command) -> Reply {
        self.apply_under(version, taken_ms, command)
    }

    fn take_events(&mut self) -> Vec<Event> {
        Self::take_events(self)
    }

    fn freeze(&self) -> QueueSnapshot {
        Self::freeze(self)
    }

    fn read_frozen(bytes: &[u8]) -> Result<QueueSnapshot, postcard::Error> {
        QueueSnapshot::read(bytes)
    }

    fn thaw(frozen: QueueSnapshot) -> Self {
        Self::thaw(frozen)
    }

    fn after_loss(&mut self) {
        Self::after_loss(self);
    }

    fn replaced(&self) -> Vec<Event> {
        vec![Event::Replaced]
    }
}

impl StateMachine for Directory {
    type Command = DirectoryChange;
    type Reply = ChangeStatus;
    type Event = DirectoryEvent;
    type Frozen = DirectorySnapshot;

    fn empty() -> Self {
        Self::default()
    }

    fn apply(&mut self, taken_ms: u64, _version: u32, change: DirectoryChange) -> ChangeStatus {
        Self::apply(self, taken_ms, change)
    }

    fn take_events(&mut self) -> Vec<DirectoryEvent> {
        Self::take_events(self)
    }

    fn freeze(&self) -> DirectorySnapshot {
        Self::freeze(self)
    }

    fn read_frozen(bytes: &[u8]) -> Result<DirectorySnapshot, postcard::Error> {
        DirectorySnapshot::read(bytes)
    }

    fn thaw(frozen: DirectorySnapshot) -> Self {
        Self::thaw(frozen)
    }

    /// Ids are drawn, so none is given twice.
    fn after_loss(&mut self) {}

    fn replaced(&self) -> Vec<DirectoryEvent> {
        let archived = self.archived().map(|archived| archived.queue.id);
        let queues = self.queues().map(|queue| queue.id).chain(archived);
        queues.map(DirectoryEvent::Queue).collect()
    }
}

/// A listener for who needs none.
pub(crate) fn no_listener<M: StateMachine>() -> crate::replica::ReplicaListener<M> {
    Box::new(|_, _, _| {})
}
