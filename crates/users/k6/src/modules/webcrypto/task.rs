//! What an operation does once its arguments are read: in one piece on the event loop, or a long
//! part in the background first.

use std::future::Future;
use std::pin::Pin;

use loadline_js::{Ctx, Exception, Value};

use super::super::background;
use super::super::failure::{Failure, OperationError, OperationResult, fail, promise_after};

/// An operation whose arguments are read.
pub(super) enum Task {
    /// Work for the event loop.
    Short(Work),
    /// Work that takes too long for it, then a piece for the event loop.
    Long(Pin<Box<dyn Future<Output = Work>>>),
}

impl Task {
    /// Runs `slow` in the background, then makes a value of what it gives.
    pub(super) fn long<T: Send + 'static>(
        slow: impl FnOnce() -> Result<T, Failure> + Send + 'static,
        finish: impl FnOnce(&Ctx, T) -> OperationResult<Value> + 'static,
    ) -> Self {
        let done = background::run(slow);
        Self::Long(Box::pin(async {
            let given = done.await;
            let work: Work = Box::new(move |ctx| match given {
                Some(given) => finish(ctx, given?),
                None => fail("OperationError", "the operation did not end"),
            });
            work
        }))
    }

    /// One that fails on the event loop.
    pub(super) fn failing(error: OperationError) -> Self {
        Self::Short(Box::new(|_| Err(error)))
    }

    fn into_future(self) -> Pin<Box<dyn Future<Output = Work>>> {
        match self {
            Self::Short(work) => Box::pin(std::future::ready(work)),
            Self::Long(work) => work,
        }
    }
}

/// The promise of a task.
pub(super) fn promise_of(ctx: &Ctx, prepared: OperationResult<Task>) -> Result<Value, Exception> {
    let prepared = prepared.map(|task| (task.into_future(), |ctx: &Ctx, work: Work| work(ctx)));
    promise_after(ctx, prepared)
}

/// A piece of work for the event loop.
pub(super) type Work = Box<dyn FnOnce(&Ctx) -> OperationResult<Value>>;

/// One that gives bytes.
pub(super) fn giving_bytes(work: impl FnOnce() -> OperationResult<Vec<u8>> + 'static) -> Work {
    Box::new(move |ctx| Ok(ctx.array_buffer(work()?)?))
}
