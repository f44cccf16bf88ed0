//! The virtual users; [`factory`] makes them.

mod factory;
mod variables;

pub use factory::{ArtilleryFactory, FactoryError, UserEnvironment, scenario_weights};

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll};

use loadline_net::{Agent, Client};
use loadline_units::Time;
use loadline_vu::{
    Cx, Fault, InterruptReason, Iteration, IterationResult, IterationStatus, LifecycleStage,
    StopCause, VirtualUser,
};
use serde_json::{Map, Value};

use variables::set_variables;

use crate::exec::scenario::run_scenario;
use crate::model::ExhaustionPolicy;
use crate::payload::RowsExhaustedError;
use crate::permits::Semaphore;
use crate::processor::RunningProcessor;
use crate::record::{CommonMetrics, Outbox};
use crate::vu::{FlowFailure, Local, Shared, StepsResult, Vu};

/// A user. It runs one flow each time it begins, with its own state.
struct ArtilleryUser {
    shared: Arc<Shared>,
    local: Rc<Local>,
    processor: Option<Rc<RunningProcessor>>,
    stage: Option<LifecycleStage>,
    running: Option<RunningFlow>,
}

/// A flow in progress.
struct RunningFlow {
    vu: Rc<Vu>,
    started: Time,
    future: Pin<Box<dyn Future<Output = StepsResult>>>,
}

impl ArtilleryUser {
    fn scenario(&self, iteration: &Iteration) -> Option<usize> {
        if let Some(only) = self.shared.only {
            return Some(only);
        }
        if self.shared.watch.is_some() {
            // Each scenario in its turn.
            let count = u64::try_from(self.shared.test.script.scenarios.len()).ok()?;
            let turn = iteration.of_user.checked_rem(count)?;
            return usize::try_from(turn).ok();
        }
        let wheel = &self.shared.wheel;
        wheel.get(self.local.random.below(wheel.len())).copied()
    }

    fn state(&self, cx: &Cx<'_>) -> Vu {
        let local = self.local.clone();
        let (client, permits) = match &local.pool {
            Some((client, permits)) => (client.clone(), permits.clone()),
            None => (Client::new(&local.network, None), Semaphore::new(1)),
        };
        let has_cookies = self.shared.test.script.config.default_cookies.is_some();
        Vu {
            id: local.random.uuid(),
            processor: self.processor.clone(),
            used_processor: std::cell::Cell::new(false),
            shared: self.shared.clone(),
            agent: Agent::new(client, local.agents.clone()),
            local,
            handle: cx.reactor.clone(),
            run_state: cx.run_state.clone(),
            permits,
            vars: std::cell::RefCell::default(),
            dates: std::cell::RefCell::default(),
            jar: std::cell::RefCell::default(),
            jar_enabled: std::cell::Cell::new(has_cookies),
            outbox: Outbox::default(),
            proxied: std::cell::RefCell::default(),
            line: std::cell::RefCell::default(),
        }
    }

    /// Sets a new user's variables: those of `before`, rows, variables, ids.
    fn set_variables(
        &self,
        vars: &mut Map<String, Value>,
        id: &str,
    ) -> Result<(), RowsExhaustedError> {
        let random = &self.local.random;
        if let Some(before) = &*self
            .shared
            .before
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
        {
            vars.extend(
                before
                    .iter()
                    .map(|(name, value)| (name.clone(), value.clone())),
            );
        }
        for payload in &self.shared.test.payloads {
            payload.give(vars, random)?;
        }
        set_variables(vars, &self.shared.test, random);
        vars.insert("$uuid".to_owned(), Value::String(id.to_owned()));
        Ok(())
    }

    fn start(&mut self, scenario: UserTask, started: Time, vu: Vu) {
        let vu = Rc::new(vu);
        let own = vu.clone();
        let future = Box::pin(async move {
            let script = &own.shared.test.script;
            let scenario = match scenario {
                UserTask::Number(index) => script.scenarios.get(index),
                UserTask::Before => script.before.as_ref(),
                UserTask::After => script.after.as_ref(),
            };
            match scenario {
                Some(scenario) => run_scenario(&own, scenario).await,
                None => Ok(()),
            }
        });
        self.running = Some(RunningFlow {
            vu,
            started,
            future,
        });
    }

    /// Handles that rows ran out.
    fn exhausted(&self, RowsExhaustedError(what): RowsExhaustedError, vu: &Vu) -> IterationStatus {
        match what {
            ExhaustionPolicy::Fail => {
                vu.outbox.known(CommonMetrics::Created, 1.0);
                vu.outbox.known(CommonMetrics::Failed, 1.0);
                vu.outbox.error("no unused row is left");
            }
            ExhaustionPolicy::Stop | ExhaustionPolicy::Wrap => {
                vu.outbox.count("vusers.skipped", 1.0);
                self.shared.exhausted.store(true, Ordering::Relaxed);
            }
        }
        IterationStatus::Done(IterationResult::Complete)
    }

    fn poll(&mut self, cx: &mut Cx<'_>) -> IterationStatus {
        let Some(running) = &mut self.running else {
            return IterationStatus::Done(IterationResult::Complete);
        };
        let poll = running
            .future
            .as_mut()
            .poll(&mut Context::from_waker(cx.waker));
        let Poll::Ready(outcome) = poll else {
            self.flush(cx);
            return IterationStatus::Pending;
        };
        self.finish(outcome, cx)
    }

    fn flush(&self, cx: &mut Cx<'_>) {
        if let Some(running) = &self.running {
            if self.stage.is_some() {
                running.vu.outbox.clear();
            } else {
                running.vu.outbox.flush(cx.shard, &self.local.names);
            }
        }
    }

    fn finish(&mut self, outcome: StepsResult, cx: &mut Cx<'_>) -> IterationStatus {
        let Some(running) = &self.running else {
            return IterationStatus::Done(IterationResult::Complete);
        };
        let vu = running.vu.clone();
        let took = cx.now().millis_since(running.started);
        if let Some(stage) = self.stage {
            self.flush(cx);
            // Its samples are not counted; a pool's client must not count them for others.
            let _ = vu.agent.client().take_requests();
            self.running = None;
            return self.finish_stage(stage, outcome, &vu);
        }
        match outcome {
            Ok(()) => {
                vu.outbox.known(CommonMetrics::Failed, 0.0);
                vu.outbox.known(CommonMetrics::Completed, 1.0);
                vu.outbox.summary("vusers.session_length", took);
            }
            Err(FlowFailure { code }) => {
                vu.outbox.error(&code);
                vu.outbox.known(CommonMetrics::Failed, 1.0);
                cx.run_state.failed_users.fetch_add(1, Ordering::Relaxed);
            }
        }
        self.flush(cx);
        self.local.names.iteration(cx.shard, took);
        self.record_client(&vu, cx);
        self.running = None;
        self.stop_if_exhausted(cx);
        IterationStatus::Done(IterationResult::Complete)
    }

    /// Accounts for what a user's client did.
    fn record_client(&self, vu: &Vu, cx: &mut Cx<'_>) {
        let client = vu.agent.client();
        let (sent, received) = client.take_traffic();
        self.local.names.traffic(cx.shard, sent, received);
        if let Some(client) = &*vu.proxied.borrow() {
            let (sent, received) = client.take_traffic();
            self.local.names.traffic(cx.shard, sent, received);
        }
        cx.local.count_requests(client.take_requests());
        for cut in client.take_cut_others() {
            let age = cx.now().millis_since(cut.started);
            self.local.names.cut_handshake(cx.shard, age);
        }
    }

    fn finish_stage(
        &self,
        stage: LifecycleStage,
        outcome: StepsResult,
        vu: &Vu,
    ) -> IterationStatus {
        match outcome {
            Ok(()) => {
                if stage == LifecycleStage::Setup {
                    let vars = vu.vars.borrow().clone();
                    *self
                        .shared
                        .before
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner) = Some(vars);
                }
                IterationStatus::Done(IterationResult::Complete)
            }
            Err(FlowFailure { code }) => {
                if stage == LifecycleStage::Teardown {
                    self.shared.after_failed.store(true, Ordering::Relaxed);
                }
                IterationStatus::Done(IterationResult::Failed(Fault::script(code)))
            }
        }
    }

    /// Ends the run when no user has a row any more.
    fn stop_if_exhausted(&self, cx: &Cx<'_>) {
        let run_state = cx.run_state;
        let is_last = run_state.users_active.load(Ordering::Relaxed) <= 1;
        if is_last && self.shared.exhausted.load(Ordering::Relaxed) {
            run_state.request_stop(StopCause::Aborted {
                message: "each row was used once".to_owned(),
            });
        }
    }
}

/// What a user runs.
#[derive(Debug, Clone, Copy)]
enum UserTask {
    Number(usize),
    Before,
    After,
}

impl VirtualUser for ArtilleryUser {
    fn begin(&mut self, iteration: &Iteration, cx: &mut Cx<'_>) -> IterationStatus {
        let vu = self.state(cx);
        let which = match self.stage {
            Some(LifecycleStage::Setup) => UserTask::Before,
            Some(_) => UserTask::After,
            None => match self.scenario(iteration) {
                Some(index) => UserTask::Number(index),
                None => return IterationStatus::Done(IterationResult::Complete), // all weights are zero
            },
        };
        if self.stage.is_none() && self.shared.exhausted.load(Ordering::Relaxed) {
            self.stop_if_exhausted(cx);
            return IterationStatus::Done(IterationResult::Complete);
        }
        let mut vars = vu.vars.take();
        if let Err(exhausted) = self.set_variables(&mut vars, &vu.id) {
            let step = self.exhausted(exhausted, &vu);
            vu.outbox.flush(cx.shard, &self.local.names);
            self.stop_if_exhausted(cx);
            return step;
        }
        vu.vars.replace(vars);
        if let UserTask::Number(index) = which {
            let scenario = &self.shared.test.script.scenarios[index];
            let name = scenario.name.clone().unwrap_or_else(|| index.to_string());
            vu.outbox
                .count(format!("vusers.created_by_name.{name}"), 1.0);
            vu.outbox.known(CommonMetrics::Created, 1.0);
        }
        self.start(which, iteration.started, vu);
        self.poll(cx)
    }

    fn wake(&mut self, cx: &mut Cx<'_>) -> IterationStatus {
        self.poll(cx)
    }

    fn interrupt(&mut self, _: InterruptReason, cx: &mut Cx<'_>) -> IterationStatus {
        if let Some(RunningFlow { vu, future, .. }) = self.running.take() {
            // Dropping the future drops what is under way and its connection, and notes it.
            drop(future);
            if self.stage.is_none() {
                vu.outbox.flush(cx.shard, &self.local.names);
                self.record_client(&vu, cx);
            }
        }
        IterationStatus::Done(IterationResult::Interrupted)
    }
}
