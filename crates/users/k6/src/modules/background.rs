//! Work that takes longer than an event loop may stand still: it runs on threads of its own, at
//! most one a core, so that the other users of a worker go on meanwhile.

use std::future::Future;
use std::sync::OnceLock;

use rayon_core::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::oneshot;

/// What `work` gives; `None` when it panicked.
pub(super) fn run<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> impl Future<Output = Option<T>> {
    let (sender, receiver) = oneshot::channel();
    let task = move || {
        // A user that was stopped does not wait any more.
        let _ = sender.send(work());
    };
    match pool() {
        Some(pool) => pool.spawn(task),
        None => task(),
    }
    async { receiver.await.ok() }
}

/// The threads; none when the system gives none, and work is done where it is asked for.
fn pool() -> Option<&'static ThreadPool> {
    static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let start = || {
        let builder = ThreadPoolBuilder::new().thread_name(|number| format!("crypto-{number}"));
        // The default ends the process; a panic here is told to the script that asked.
        builder.panic_handler(|_| ()).build().ok()
    };
    POOL.get_or_init(start).as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;

    #[test]
    fn work_is_done_on_another_thread() {
        let here = std::thread::current().id();
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let mut given = Box::pin(run(move || {
            let _ = wait.recv();
            std::thread::current().id() != here
        }));
        assert_eq!(given.as_mut().now_or_never(), None, "it waits for us");
        go.send(()).unwrap();
        assert_eq!(wait_for(given), Some(true));
    }

    #[test]
    fn a_panic_ends_the_work_and_nothing_else() {
        let panics = run(|| -> u8 { panic!("on purpose") });
        assert_eq!(wait_for(panics), None);
        assert_eq!(wait_for(run(|| 7)), Some(7));
    }

    /// Blocks this thread until `future` is done.
    fn wait_for<T>(future: impl Future<Output = T>) -> T {
        let mut future = std::pin::pin!(future);
        loop {
            if let Some(output) = future.as_mut().now_or_never() {
                return output;
            }
            std::thread::yield_now();
        }
    }
}
