//! A reader, and the reads that wait for it.

use std::rc::Rc;

use loadline_js::{Ctx, Exception, Value};

use super::fifo::Fifo;

/// Slots of a reader's object.
pub(super) const SLOT_STREAM: usize = 0;
pub(super) const SLOT_CLOSED: usize = 1;
pub(super) const SLOT_RESOLVE: usize = 2;
pub(super) const SLOT_REJECT: usize = 3;
/// Functions that settle reads: of each the one that resolves, then the one that rejects.
pub(super) const SLOT_REQUESTS: usize = 4;

/// A reader and its object.
pub(super) struct Reader {
    pub(super) object: Value,
    requests: Rc<Fifo>,
}

/// A read that was not answered.
pub(super) struct Request {
    pub(super) resolve: Value,
    pub(super) reject: Value,
}

impl Request {
    pub(super) fn give(&self, ctx: &Ctx, chunk: Value) -> Result<(), Exception> {
        self.answer(ctx, chunk, false)
    }

    pub(super) fn close(&self, ctx: &Ctx) -> Result<(), Exception> {
        self.answer(ctx, ctx.undefined(), true)
    }

    fn answer(&self, ctx: &Ctx, value: Value, done: bool) -> Result<(), Exception> {
        let result = ctx.object()?;
        result.set("value", value)?;
        result.set("done", done)?;
        self.resolve.invoke(&[result]).map(drop)
    }

    pub(super) fn fail(&self, reason: &Value) -> Result<(), Exception> {
        self.reject.invoke(std::slice::from_ref(reason)).map(drop)
    }
}

impl Reader {
    /// The reader that is this object.
    pub(super) fn from_object(object: Value) -> Option<Self> {
        let requests = object.host::<Fifo>()?;
        Some(Self { object, requests })
    }

    /// Whether reads wait.
    pub(super) fn is_waiting(&self) -> bool {
        self.requests.len() > 0
    }

    /// Lets a read wait.
    pub(super) fn wait(&self, request: Request) {
        self.requests.push(&self.object, request.resolve);
        self.requests.push(&self.object, request.reject);
    }

    /// The read that waits longest.
    pub(super) fn next(&self) -> Option<Request> {
        let resolve = self.requests.pop(&self.object)?;
        let reject = self.requests.pop(&self.object)?;
        Some(Request { resolve, reject })
    }

    /// All reads that wait now; none does any more.
    fn take(&self) -> Vec<Request> {
        std::iter::from_fn(|| self.next()).collect()
    }

    /// Calls one of the functions that settle `closed`.
    pub(super) fn settle(&self, function: usize, with: Value) -> Result<(), Exception> {
        match self.object.slot(function) {
            Some(function) => function.invoke(&[with]).map(drop),
            None => Ok(()),
        }
    }

    /// The stream was closed.
    pub(super) fn closed(&self, ctx: &Ctx) -> Result<(), Exception> {
        self.settle(SLOT_RESOLVE, ctx.undefined())?;
        self.take()
            .iter()
            .try_for_each(|request| request.close(ctx))
    }

    /// The stream failed.
    pub(super) fn failed(&self, reason: &Value) -> Result<(), Exception> {
        self.settle(SLOT_REJECT, reason.clone())?;
        self.fail_all(reason)
    }

    pub(super) fn fail_all(&self, reason: &Value) -> Result<(), Exception> {
        self.take()
            .iter()
            .try_for_each(|request| request.fail(reason))
    }
}
