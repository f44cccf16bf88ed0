//! Futures that the reactor polls itself, for example connection drivers.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Context;

use crate::budget::InputBudget;
use crate::wake::{Registration, TaskId, WakeQueue};

/// Set in the ids of spawned futures; clear in the ids of the owner's tasks.
pub(crate) const SPAWNED_BIT: u64 = 1 << 63;

type LocalFuture = Pin<Box<dyn Future<Output = ()>>>;

enum Entry {
    Free,
    /// Its future is being polled.
    Polled(Registration),
    Waiting(LocalFuture, Registration),
}

/// A slab of spawned futures.
#[derive(Default)]
pub(crate) struct Tasks {
    entries: Vec<Entry>,
    free: Vec<usize>,
}

impl Tasks {
    /// Adds a future and queues its first poll.
    pub(crate) fn spawn(
        &mut self,
        future: LocalFuture,
        queue: &Arc<WakeQueue>,
        budget: &Rc<InputBudget>,
    ) {
        let index = self.free.pop().unwrap_or_else(|| {
            self.entries.push(Entry::Free);
            self.entries.len() - 1
        });
        let task = TaskId(index as u64 | SPAWNED_BIT);
        let registration = Registration::new(task, queue.clone(), budget.clone());
        registration.waker().wake_by_ref();
        self.entries[index] = Entry::Waiting(future, registration);
    }

    fn take(&mut self, index: usize) -> Option<(LocalFuture, std::task::Waker)> {
        let entry = self.entries.get_mut(index)?;
        match std::mem::replace(entry, Entry::Free) {
            Entry::Waiting(future, registration) => {
                registration.taken();
                let waker = registration.waker().clone();
                *entry = Entry::Polled(registration);
                Some((future, waker))
            }
            other => {
                *entry = other;
                None
            }
        }
    }

    fn put_back(&mut self, index: usize, future: LocalFuture) {
        if let Entry::Polled(registration) =
            std::mem::replace(&mut self.entries[index], Entry::Free)
        {
            self.entries[index] = Entry::Waiting(future, registration);
        }
    }

    fn finish(&mut self, index: usize) {
        self.entries[index] = Entry::Free;
        self.free.push(index);
    }
}

/// Polls a spawned future once. The slab is not borrowed during the poll, so the future may spawn
/// others.
pub(crate) fn poll(tasks: &std::cell::RefCell<Tasks>, task: TaskId) {
    let Ok(index) = usize::try_from(task.0 & !SPAWNED_BIT) else {
        return;
    };
    let Some((mut future, waker)) = tasks.borrow_mut().take(index) else {
        return; // woken after it had finished
    };
    let done = future
        .as_mut()
        .poll(&mut Context::from_waker(&waker))
        .is_ready();
    if done {
        drop(future); // outside the borrow: dropping may close sockets and spawn
        tasks.borrow_mut().finish(index);
    } else {
        tasks.borrow_mut().put_back(index, future);
    }
}
