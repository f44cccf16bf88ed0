//! Workers on threads of their own.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use loadline_metrics::{Registry, Shard};
use loadline_reactor::{MonotonicClock, Reactor};
use loadline_units::{Clock, Time, WorkerId};

use crate::command::{Inbox, Report};
use crate::error::EngineError;
use crate::fabric::Fabric;
use crate::shared::Shared;
use crate::worker::Worker;

/// The threads of one run. Dropping it waits for them; tell them to leave first.
pub(crate) struct Threads {
    clock: MonotonicClock,
    reports: Receiver<Report>,
    handles: Vec<JoinHandle<()>>,
}

impl Threads {
    /// Starts all workers and connects their letter boxes.
    pub(crate) fn start(
        shared: &Arc<Shared>,
        registry: &Arc<Registry>,
        clock: MonotonicClock,
        reports: Receiver<Report>,
    ) -> Result<Self, EngineError> {
        let mut threads = Self {
            clock,
            reports,
            handles: Vec::new(),
        };
        let mut inboxes = Vec::new();
        let mut gates = Vec::new();
        for worker in 0..shared.options.workers {
            let (inbox_out, inbox_in) = bounded(1);
            let (gate_out, gate_in) = bounded::<()>(1);
            let thread = WorkerThread {
                id: WorkerId(u16::try_from(worker).unwrap_or(u16::MAX)),
                shared: shared.clone(),
                registry: registry.clone(),
                clock,
            };
            let spawned = std::thread::Builder::new()
                .name(format!("worker-{worker}"))
                .spawn(move || thread.run(&inbox_out, &gate_in));
            let failed = |source| EngineError::Worker { worker, source };
            threads.handles.push(spawned.map_err(failed)?);
            let inbox = inbox_in.recv().map_err(|_| EngineError::WorkersGone)?;
            inboxes.push(inbox.map_err(failed)?);
            gates.push(gate_out);
        }
        shared.connect(inboxes);
        for gate in gates {
            // A worker that is gone already has reported why.
            let _ = gate.send(());
        }
        Ok(threads)
    }
}

impl Fabric for Threads {
    fn now(&self) -> Time {
        self.clock.now()
    }

    fn next_report(&mut self, until: Time) -> Result<Option<Report>, EngineError> {
        let wait = until.since(self.clock.now());
        match self.reports.recv_timeout(wait) {
            Ok(report) => Ok(Some(report)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(EngineError::WorkersGone),
        }
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        for handle in self.handles.drain(..) {
            // Its panic, if any, was reported as `Died`.
            let _ = handle.join();
        }
    }
}

/// What a worker thread starts with.
struct WorkerThread {
    id: WorkerId,
    shared: Arc<Shared>,
    registry: Arc<Registry>,
    clock: MonotonicClock,
}

impl WorkerThread {
    fn run(self, inbox_out: &Sender<std::io::Result<Inbox>>, gate: &Receiver<()>) {
        let reactor = match Reactor::new(self.clock) {
            Ok(reactor) => reactor,
            Err(error) => {
                // The other end waits for exactly this message.
                let _ = inbox_out.send(Err(error));
                return;
            }
        };
        let inbox = Inbox::new(reactor.remote());
        if inbox_out.send(Ok(inbox.clone())).is_err() || gate.recv().is_err() {
            return; // the engine gave up while starting
        }
        let shared = self.shared.clone();
        let id = self.id;
        let ended = catch_unwind(AssertUnwindSafe(|| self.work(reactor, inbox)));
        match ended {
            Ok(Ok(())) => shared.report(Report::Left),
            Ok(Err(error)) => shared.report(Report::Died {
                worker: id,
                message: error.to_string(),
            }),
            Err(panic) => shared.report(Report::Died {
                worker: id,
                message: panic_message(panic.as_ref()),
            }),
        }
    }

    fn work(self, reactor: Reactor, inbox: Inbox) -> std::io::Result<()> {
        let fold = self.shared.options.fold.clone();
        let shard = Shard::with_fold(self.id, self.registry.clone(), fold);
        let mut worker = Worker::new(self.id, reactor, inbox, self.shared, shard);
        while worker.turn()? {}
        Ok(())
    }
}

/// The text of a panic.
fn panic_message(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned())
}
