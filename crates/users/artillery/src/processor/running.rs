//! Calls of a processor's functions: jobs go to where it runs, replies come back.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::rc::Rc;
use std::sync::mpsc::Sender;
use std::task::{Poll, Waker};

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

/// A processor on a worker.
#[derive(Default)]
pub(crate) struct RunningProcessor {
    /// Jobs for the interpreter.
    jobs: RefCell<VecDeque<String>>,
    /// The way to the process that runs them instead, if one does.
    process: Option<Sender<String>>,
    /// Wakes the loop that takes jobs.
    taker: RefCell<Option<Waker>>,
    waiting: RefCell<FxHashMap<u64, Waiting>>,
    next_id: Cell<u64>,
    /// The code of an uncaught exception that ended it.
    dead: RefCell<Option<String>>,
    /// Who hears what a user's functions tell outside of calls.
    listeners: RefCell<FxHashMap<String, TellCallback>>,
}

/// Hears what a function tells while no call of it is under way: events, messages to send.
pub(crate) type TellCallback = Rc<dyn Fn(&Value)>;

#[derive(Default)]
struct Waiting {
    waker: Option<Waker>,
    reply: Option<String>,
}

/// A call of a function.
pub(crate) struct Job<'j> {
    pub(crate) kind: &'static str,
    pub(crate) names: Vec<String>,
    pub(crate) vu: &'j str,
    pub(crate) vars: Value,
    pub(crate) more: Value,
}

impl RunningProcessor {
    /// One whose jobs go to a process.
    pub(super) fn in_process(process: Sender<String>) -> Self {
        Self {
            process: Some(process),
            ..Self::default()
        }
    }

    /// Calls functions one after the other; returns the result that the loop reports.
    ///
    /// # Errors
    /// The message of an uncaught exception.
    pub(crate) async fn call(&self, job: Job<'_>) -> Result<Value, String> {
        let id = self.next_id.get();
        self.next_id.set(id + 1);
        let mut text = json!({"id": id, "kind": job.kind, "names": job.names, "vu": job.vu, "uid": job.vu, "vars": job.vars});
        if let (Value::Object(whole), Value::Object(more)) = (&mut text, job.more) {
            whole.extend(more);
        }
        self.waiting.borrow_mut().insert(id, Waiting::default());
        self.push(text.to_string());
        let reply = poll_fn(|cx| {
            if let Some(message) = &*self.dead.borrow() {
                return Poll::Ready(Err(message.clone()));
            }
            let mut waiting = self.waiting.borrow_mut();
            let Some(place) = waiting.get_mut(&id) else {
                return Poll::Ready(Err("the call is gone".to_owned()));
            };
            match place.reply.take() {
                Some(reply) => {
                    waiting.remove(&id);
                    Poll::Ready(Ok(reply))
                }
                None => {
                    place.waker = Some(cx.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await?;
        serde_json::from_str(&reply).map_err(|error| error.to_string())
    }

    /// Deletes a user's context.
    pub(crate) fn forget(&self, vu: &str) {
        self.listeners.borrow_mut().remove(vu);
        self.push(json!({"kind": "end", "vu": vu}).to_string());
    }

    /// From here on `callback` hears what the user's functions notify_listener.
    pub(crate) fn listen(&self, vu: &str, callback: impl FnOnce() -> TellCallback) {
        let mut listeners = self.listeners.borrow_mut();
        if !listeners.contains_key(vu) {
            listeners.insert(vu.to_owned(), callback());
        }
    }

    pub(super) fn notify_listener(&self, vu: &str, text: &str) {
        let listener = self.listeners.borrow().get(vu).cloned();
        if let (Some(listener), Ok(told)) = (listener, serde_json::from_str(text)) {
            listener(&told);
        }
    }

    /// Gives the loop a job that has no reply.
    pub(crate) fn notify(&self, job: &Value) {
        self.push(job.to_string());
    }

    fn push(&self, job: String) {
        if let Some(process) = &self.process {
            // Without a process every call fails; the reader of its lines tells.
            let _ = process.send(job);
            return;
        }
        self.jobs.borrow_mut().push_back(job);
        if let Some(taker) = self.taker.borrow_mut().take() {
            taker.wake();
        }
    }

    /// The next job, for the loop.
    pub(super) fn next(self: &Rc<Self>) -> impl Future<Output = String> + 'static {
        let own = self.clone();
        poll_fn(move |cx| match own.jobs.borrow_mut().pop_front() {
            Some(job) => Poll::Ready(job),
            None => {
                *own.taker.borrow_mut() = Some(cx.waker().clone());
                Poll::Pending
            }
        })
    }

    /// Takes the result of a job.
    pub(super) fn done(&self, id: u64, reply: String) {
        if let Some(place) = self.waiting.borrow_mut().get_mut(&id) {
            place.reply = Some(reply);
            if let Some(waker) = place.waker.take() {
                waker.wake();
            }
        }
    }

    pub(super) fn die(&self, message: String) {
        *self.dead.borrow_mut() = Some(message);
        for (_, place) in self.waiting.borrow_mut().iter_mut() {
            if let Some(waker) = place.waker.take() {
                waker.wake();
            }
        }
    }
}
