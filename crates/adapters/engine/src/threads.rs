//! Workers, each on its own thread.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use loadline_metrics::{Registry, Shard};
use loadline_reactor::{MonotonicClock, Reactor};
use loadline_units::{Clock, Time, WorkerId};
use loadline_vu::Fault;

use crate::command::{Command, Inbox, Report};
use crate::error::EngineError;
use crate::shared::Shared;
use crate::watchdog::{WATCH_INTERVAL, Watchdog};
use crate::worker::Worker;
use crate::worker_link::WorkerLink;

/// The threads of one run. Dropping it ends the workers and waits for them.
pub(crate) struct Threads {
    shared: Arc<Shared>,
    clock: MonotonicClock,
    reports: Receiver<Report>,
    handles: Vec<JoinHandle<()>>,
    watchdog: Watchdog,
}

impl Threads {
    /// Starts all workers and connects their inboxes.
    pub(crate) fn start(
        shared: &Arc<Shared>,
        registry: &Arc<Registry>,
        clock: MonotonicClock,
        reports: Receiver<Report>,
    ) -> Result<Self, EngineError> {
        let mut threads = Self {
            shared: shared.clone(),
            clock,
            reports,
            handles: Vec::new(),
            watchdog: Watchdog::new(shared.clone()),
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
            // A worker that is already gone has reported why.
            let _ = gate.send(());
        }
        Ok(threads)
    }
}

impl WorkerLink for Threads {
    fn now(&self) -> Time {
        self.clock.now()
    }

    fn next_report(&mut self, until: Time) -> Result<Option<Report>, EngineError> {
        loop {
            let now = self.clock.now();
            if let Some(hold) = self.watchdog.look(now) {
                return Ok(Some(Report::Held(hold)));
            }
            let wait = until.since(now).min(WATCH_INTERVAL);
            match self.reports.recv_timeout(wait) {
                Ok(report) => return Ok(Some(report)),
                Err(RecvTimeoutError::Timeout) if until.since(now) > wait => {}
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Err(EngineError::WorkersGone),
            }
        }
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.shared.send_all(|| Command::Exit);
        for (worker, handle) in self.handles.drain(..).enumerate() {
            if self.watchdog.has_lost(worker) {
                continue; // it may never end; the process ends without it
            }
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
    fn run(self, inbox_out: &Sender<io::Result<Inbox>>, gate: &Receiver<()>) {
        let reactor = match Reactor::new(self.clock) {
            Ok(reactor) => reactor,
            Err(error) => {
                // The starting thread waits for this message; without it there is no engine.
                let _ = inbox_out.send(Err(error));
                return;
            }
        };
        if let Some(guard) = &self.shared.options.peer_policy {
            reactor.ask_of_peers(guard.clone());
        }
        let inbox = Inbox::new(reactor.remote());
        if inbox_out.send(Ok(inbox.clone())).is_err() || gate.recv().is_err() {
            return; // the engine gave up while starting
        }
        let id = self.id;
        let shared = self.shared.clone();
        let progress = shared.progress_of_workers[id.index()].clone();
        progress.begin_thread();
        let fold = shared.options.fold.clone();
        let mut shard = Shard::with_fold(id, self.registry.clone(), fold);
        if let Some(pool) = &shared.options.tap {
            shard.tap(pool.clone());
        }
        let mut worker = Worker::new(id, reactor, inbox, self.shared, shard);
        worker.measure_read_lag();
        let ended = catch_unwind(AssertUnwindSafe(|| -> io::Result<()> {
            while worker.turn()? {}
            Ok(())
        }));
        progress.rest();
        let message = match ended {
            Ok(Ok(())) => return shared.report(Report::Exited),
            Ok(Err(error)) => error.to_string(),
            Err(panic) => Fault::panic(panic.as_ref()).message,
        };
        // State left by a panic may panic again; that must not end the process.
        drop(catch_unwind(AssertUnwindSafe(|| {
            worker.hand_over_last_window()
        })));
        shared.report(Report::Died {
            worker: id,
            message,
        });
        worker.free_users();
        drop(catch_unwind(AssertUnwindSafe(|| drop(worker))));
    }
}
