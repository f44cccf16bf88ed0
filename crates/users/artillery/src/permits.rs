//! A semaphore: limits the sockets of a user, or of `http.pool`.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

/// A semaphore; clones share its permits.
#[derive(Debug, Clone)]
pub(crate) struct Semaphore(Rc<RefCell<State>>);

#[derive(Debug)]
struct State {
    free: usize,
    /// The waiting tasks, each with its number in the queue.
    waiting: VecDeque<(u64, Waker)>,
    tickets: u64,
}

/// A permit; it is returned when this is dropped.
pub(crate) struct Permit(Semaphore);

impl Semaphore {
    pub(crate) fn new(count: usize) -> Self {
        Self(Rc::new(RefCell::new(State {
            free: count.max(1),
            waiting: VecDeque::new(),
            tickets: 0,
        })))
    }

    /// Waits for a permit.
    pub(crate) async fn take(&self) -> Permit {
        let mut ticket: Option<u64> = None;
        poll_fn(|cx| {
            let mut state = self.0.borrow_mut();
            if let Some(own) = ticket {
                // Woken by something else, it may still be in the queue.
                state.waiting.retain(|(other, _)| *other != own);
            }
            if state.free > 0 {
                state.free -= 1;
                return Poll::Ready(());
            }
            let own = *ticket.get_or_insert(state.tickets);
            state.tickets = state.tickets.max(own + 1);
            state.waiting.push_back((own, cx.waker().clone()));
            Poll::Pending
        })
        .await;
        Permit(self.clone())
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut state = self.0.0.borrow_mut();
        state.free += 1;
        let next = state.waiting.pop_front();
        drop(state);
        if let Some((_, waker)) = next {
            waker.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::task::Context;

    use super::*;

    #[test]
    fn a_second_one_waits_until_the_first_is_done() {
        let permits = Semaphore::new(1);
        let mut cx = Context::from_waker(Waker::noop());
        let mut first = pin!(permits.take());
        let Poll::Ready(permit) = first.as_mut().poll(&mut cx) else {
            panic!("there is one");
        };
        let mut second = pin!(permits.take());
        assert!(second.as_mut().poll(&mut cx).is_pending());
        drop(permit);
        assert!(second.as_mut().poll(&mut cx).is_ready());
    }
}
