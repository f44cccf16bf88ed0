//! The two machines that gates share: a queue each, and the directory.

use crate::directory::{Change, Changed, Directory, FrozenDirectory, News};
use crate::queue::{Command, Event, FrozenQueue, Outcome, Policy, Queue};
use crate::replica::Machine;

impl Machine for Queue {
    type Command = Command;
    type Outcome = Outcome;
    type Event = Event;
    type Frozen = FrozenQueue;

    fn empty() -> Self {
        Self::new(Policy::default())
    }

    fn apply(&mut self, taken_ms: u64, command: Command) -> Outcome {
        Self::apply(self, taken_ms, command)
    }

    fn take_events(&mut self) -> Vec<Event> {
        Self::take_events(self)
    }

    fn freeze(&self) -> FrozenQueue {
        Self::freeze(self)
    }

    fn thaw(frozen: FrozenQueue) -> Self {
        Self::thaw(frozen)
    }
}

impl Machine for Directory {
    type Command = Change;
    type Outcome = Changed;
    type Event = News;
    type Frozen = FrozenDirectory;

    fn empty() -> Self {
        Self::default()
    }

    fn apply(&mut self, taken_ms: u64, change: Change) -> Changed {
        Self::apply(self, taken_ms, change)
    }

    fn take_events(&mut self) -> Vec<News> {
        Self::take_news(self)
    }

    fn freeze(&self) -> FrozenDirectory {
        Self::freeze(self)
    }

    fn thaw(frozen: FrozenDirectory) -> Self {
        Self::thaw(frozen)
    }
}

/// A listener for tests that need none.
#[cfg(test)]
pub(crate) fn tell_nobody<M: Machine>() -> crate::replica::Listener<M> {
    Box::new(|_, _, _| {})
}
