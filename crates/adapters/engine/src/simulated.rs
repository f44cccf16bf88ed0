//! An engine in one thread on simulated time, with a seeded order of workers.

use std::sync::Arc;

use crossbeam_channel::{Receiver, unbounded};
use loadline_metrics::Shard;
use loadline_reactor::Reactor;
use loadline_reactor::sim::World;
use loadline_testplan::Plan;
use loadline_units::{Clock, Time, WorkerId};
use loadline_vu::VuFactory;

use crate::command::{Inbox, Report};
use crate::error::EngineError;
use crate::options::EngineOptions;
use crate::run::{Engine, RunMetrics};
use crate::shared::Shared;
use crate::worker::Worker;
use crate::worker_link::WorkerLink;

/// Workers that take turns in one thread on one virtual clock.
pub(crate) struct SimulatedWorkers {
    world: World,
    workers: Vec<Worker>,
    reports: Receiver<Report>,
}

/// An engine whose workers live in `world`.
pub fn engine(
    world: &World,
    plan: Plan,
    options: EngineOptions,
    factory: Arc<dyn VuFactory>,
    measures: RunMetrics,
) -> Engine {
    let registry = measures.registry.clone();
    let (sender, reports) = unbounded();
    let count = options.workers;
    let run_state = Arc::new(crate::run::run_state_for(&plan));
    let shared = Arc::new(Shared::new(plan, options, factory, run_state, sender));
    let reactors: Vec<Reactor> = (0..count).map(|_| Reactor::simulated(world)).collect();
    if let Some(guard) = &shared.options.peer_policy {
        reactors
            .iter()
            .for_each(|reactor| reactor.ask_of_peers(guard.clone()));
    }
    let inboxes: Vec<Inbox> = reactors
        .iter()
        .map(|reactor| Inbox::new(reactor.remote()))
        .collect();
    shared.connect(inboxes.clone());
    let workers = (0_u16..)
        .zip(reactors.into_iter().zip(inboxes))
        .map(|(number, (reactor, inbox))| {
            let id = WorkerId(number);
            let shard = Shard::new(id, registry.clone());
            Worker::new(id, reactor, inbox, shared.clone(), shard)
        })
        .collect();
    let workers_link = SimulatedWorkers {
        world: world.clone(),
        workers,
        reports,
    };
    let merger = measures.into_merger(shared.options.workers);
    Engine::new(shared, merger, Box::new(workers_link))
}

impl WorkerLink for SimulatedWorkers {
    fn now(&self) -> Time {
        self.world.now()
    }

    fn next_report(&mut self, until: Time) -> Result<Option<Report>, EngineError> {
        loop {
            if let Ok(report) = self.reports.try_recv() {
                return Ok(Some(report));
            }
            let due = self.workers.iter().map(Worker::next_wake);
            let next = due.chain(self.world.next_event()).min();
            let next = next.unwrap_or(Time::MAX).max(self.world.now());
            if next > until {
                self.world.advance(until);
                return Ok(None);
            }
            if next == Time::MAX {
                return Err(EngineError::WorkersGone); // nothing will ever happen
            }
            self.world.advance(next);
            self.turn_all()?;
        }
    }
}

impl SimulatedWorkers {
    fn turn_all(&mut self) -> Result<(), EngineError> {
        let mut order: Vec<usize> = (0..self.workers.len()).collect();
        self.world.shuffle(&mut order);
        let mut exited = Vec::new();
        for index in order {
            let stays = self.workers[index]
                .turn()
                .map_err(|source| EngineError::Worker {
                    worker: index,
                    source,
                })?;
            if !stays {
                exited.push(index);
            }
        }
        exited.sort_unstable();
        for index in exited.into_iter().rev() {
            let worker = self.workers.remove(index);
            worker.report_exit();
        }
        Ok(())
    }
}
