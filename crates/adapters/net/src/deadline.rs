//! Deadlines of operations on a connection.

use std::future::Future;
use std::pin::Pin;
use std::task::Poll;

use loadline_reactor::{ReactorHandle, Timer};
use loadline_units::Time;

/// A timer that limits waits.
#[derive(Debug)]
pub(crate) struct DeadlineTimer(Timer);

impl DeadlineTimer {
    pub(crate) fn new(handle: &ReactorHandle) -> Self {
        Self(handle.timer())
    }

    /// The result of `future`, or `None` if `deadline` comes first.
    pub(crate) async fn within<T>(
        &mut self,
        deadline: Time,
        future: Pin<&mut impl Future<Output = T>>,
    ) -> Option<T> {
        self.within_renewed(deadline, || None, future).await
    }

    /// The same, but at each deadline `renewed` may give a later one.
    pub(crate) async fn within_renewed<T>(
        &mut self,
        mut deadline: Time,
        renewed: impl Fn() -> Option<Time>,
        mut future: Pin<&mut impl Future<Output = T>>,
    ) -> Option<T> {
        self.0.reset(deadline);
        let outcome = std::future::poll_fn(|cx| {
            if let Poll::Ready(outcome) = future.as_mut().poll(cx) {
                return Poll::Ready(Some(outcome));
            }
            loop {
                std::task::ready!(self.0.poll_expired(cx));
                match renewed().filter(|later| *later > deadline) {
                    Some(later) => {
                        deadline = later;
                        self.0.reset(later);
                    }
                    None => return Poll::Ready(None),
                }
            }
        })
        .await;
        self.0.disarm();
        outcome
    }
}
