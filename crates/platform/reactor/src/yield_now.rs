//! Lets others have their turn.

use std::future::poll_fn;
use std::task::Poll;

/// Is ready in the task's next turn: timers and the other tasks come first. Work that may last
/// longer than a millisecond is done in pieces with this between them.
pub async fn yield_now() {
    let mut has_yielded = false;
    poll_fn(|cx| {
        if has_yielded {
            return Poll::Ready(());
        }
        has_yielded = true;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
