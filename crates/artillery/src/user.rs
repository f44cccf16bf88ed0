//! The virtual users and their factory.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime};

use loadline_metrics::Registry;
use loadline_net::{Agent, AgentShared, Client, Network, Settings};
use loadline_units::{Time, VuId};
use loadline_vu::{
    Cx, Fault, Iteration, Outcome, Stage, Step, StopCause, VirtualUser, VuFactory, Why,
};
use serde_json::{Map, Value};

use crate::console::Console;
use crate::files::Files;
use crate::flow;
use crate::load::Test;
use crate::model::{OnExhausted, Scenario};
use crate::payload::Exhausted;
use crate::permits::Permits;
use crate::processor::{Processor, ProcessorError};
use crate::random::Random;
use crate::record::{Known, Metrics, Names, Outbox};
use crate::template::Scope;
use crate::vu::{Failed, Local, Shared, Vu};

/// Makes the users of a test.
pub struct ArtilleryFactory {
    shared: Arc<Shared>,
    network: Arc<Settings>,
    metrics: Metrics,
    /// Wall time at which the run's clock reads zero.
    wall_at_zero: fn() -> SystemTime,
}

/// Why a test's users cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FactoryError {
    /// `--scenario-name` names none.
    #[error("scenario {0} not found in script")]
    NoScenario(String),
    /// The processor cannot be used.
    #[error(transparent)]
    Processor(#[from] ProcessorError),
    /// `--scenario-name` names several.
    #[error("multiple scenarios for {0} found in script")]
    SeveralScenarios(String),
}

impl ArtilleryFactory {
    /// Users of `test`, which print to `console`.
    ///
    /// # Errors
    /// [`FactoryError`] when `only` does not name exactly one scenario.
    pub fn new(
        test: Test,
        only: Option<&str>,
        network: Settings,
        registry: &Registry,
        console: Arc<dyn Console>,
        wall_clock: fn() -> SystemTime,
    ) -> Result<Self, FactoryError> {
        let only = only.map(|name| scenario_named(&test, name)).transpose()?;
        let wheel = wheel(&test);
        let processor = match &test.processor {
            None => None,
            Some(path) => {
                let env = test.base.get("$env").and_then(Value::as_object);
                let env = env.cloned().unwrap_or_default();
                Some(Processor::load(path, &env, &console)?)
            }
        };
        let network = Settings {
            max_idle_per_host: test.script.config.pool.unwrap_or(1),
            max_idle: test.script.config.pool.unwrap_or(20).max(20),
            ..network
        };
        Ok(Self {
            metrics: Metrics::declare(registry),
            shared: Arc::new(Shared {
                test,
                console,
                expectation_failed: AtomicBool::new(false),
                suggested_exit: AtomicI64::new(-1),
                processor,
                before: Mutex::new(None),
                exhausted: AtomicBool::new(false),
                wheel,
                only,
            }),
            network: Arc::new(network),
            wall_at_zero: wall_clock,
        })
    }

    /// The metrics its users record.
    #[must_use]
    pub fn metrics(&self) -> Metrics {
        self.metrics
    }

    /// Whether an expectation failed.
    #[must_use]
    pub fn expectation_failed(&self) -> bool {
        self.shared.expectation_failed.load(Ordering::Relaxed)
    }

    /// The exit code a processor suggests.
    #[must_use]
    pub fn suggested_exit(&self) -> Option<u8> {
        u8::try_from(self.shared.suggested_exit.load(Ordering::Relaxed)).ok()
    }

    fn local(&self, cx: &mut Cx<'_>) -> Result<Rc<Local>, Fault> {
        let (reactor, shard) = (cx.reactor, &mut *cx.shard);
        let mut failed = None;
        let local = cx.local.get_or_make(|| {
            let network = Network::new(reactor.clone(), self.network.clone());
            let random = Random::from_system();
            let seed = Random::new(random.next());
            let now = reactor.now();
            let wall = (self.wall_at_zero)();
            let zero = wall
                .checked_sub(Duration::from_nanos(now.as_nanos()))
                .unwrap_or(wall);
            let agents = AgentShared::new(&network, zero, move |bytes| {
                for chunk in bytes.chunks_mut(8) {
                    let word = seed.next().to_ne_bytes();
                    chunk.copy_from_slice(&word[..chunk.len()]);
                }
            });
            let pool = self.shared.test.script.config.pool;
            let processor = self.shared.processor.as_ref();
            let processor =
                processor.map(|processor| processor.start(reactor, &self.shared.console));
            let processor = match processor.transpose() {
                Ok(processor) => processor,
                Err(error) => {
                    failed = Some(error);
                    None
                }
            };
            Local {
                processor,
                pool: pool.map(|count| (Client::new(&network, None), Permits::new(count))),
                names: Names::new(shard, self.metrics),
                network,
                agents,
                random,
                files: Files::default(),
            }
        });
        match failed {
            None => Ok(local),
            Some(error) => Err(Fault::script(error.to_string())),
        }
    }
}

fn scenario_named(test: &Test, name: &str) -> Result<usize, FactoryError> {
    let pattern = regress::Regex::new(name).ok();
    let fits = |scenario: &Scenario| {
        let own = scenario.name.as_deref().unwrap_or("undefined");
        own == name
            || pattern
                .as_ref()
                .is_some_and(|regex| regex.find(own).is_some())
    };
    let found: Vec<usize> = (0..)
        .zip(&test.script.scenarios)
        .filter(|(_, scenario)| fits(scenario))
        .map(|(index, _)| index)
        .collect();
    match found.as_slice() {
        [] => Err(FactoryError::NoScenario(name.to_owned())),
        [one] => Ok(*one),
        _ => Err(FactoryError::SeveralScenarios(name.to_owned())),
    }
}

/// What weights see: the first row of each payload and the variables.
struct WeightScope(Map<String, Value>);

impl Scope for WeightScope {
    fn variable(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    fn call(&self, _: &crate::functions::Call) -> Option<String> {
        None
    }
}

/// Scenarios, each as often as its weight says.
fn wheel(test: &Test) -> Vec<usize> {
    /// Heavier ones only fill the memory.
    const HEAVIEST: f64 = 10_000.0;
    let random = Random::from_system();
    let mut vars = test.base.clone();
    for payload in &test.payloads {
        if let Some(row) = payload.rows().first() {
            for (field, value) in payload.spec.fields.iter().zip(row) {
                vars.insert(field.clone(), value.clone());
            }
        }
    }
    set_variables(&mut vars, test, &random);
    let scope = WeightScope(vars);
    let mut wheel = Vec::new();
    for (index, scenario) in test.script.scenarios.iter().enumerate() {
        let text = scenario.weight.render_text(&scope);
        let digits: String = text
            .trim()
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        let weight: f64 = digits.parse().unwrap_or(0.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "limited just before"
        )]
        let count = (weight.min(HEAVIEST) * 100.0) as usize;
        wheel.extend(std::iter::repeat_n(index, count));
    }
    wheel
}

/// Sets the file's variables; of a list any item.
fn set_variables(vars: &mut Map<String, Value>, test: &Test, random: &Random) {
    for (name, value) in &test.script.config.variables {
        match value {
            Value::Array(items) => match items.get(random.below(items.len())) {
                Some(item) => vars.insert(name.clone(), item.clone()),
                None => vars.shift_remove(name),
            },
            value => vars.insert(name.clone(), value.clone()),
        };
    }
}

impl VuFactory for ArtilleryFactory {
    fn make(&self, _: VuId, cx: &mut Cx<'_>) -> Result<Box<dyn VirtualUser>, Fault> {
        Ok(Box::new(ArtilleryUser {
            shared: self.shared.clone(),
            local: self.local(cx)?,
            stage: None,
            running: None,
        }))
    }

    fn make_for_stage(
        &self,
        stage: Stage,
        cx: &mut Cx<'_>,
    ) -> Result<Option<Box<dyn VirtualUser>>, Fault> {
        let script = &self.shared.test.script;
        let exists = match stage {
            Stage::Setup => script.before.is_some(),
            Stage::Teardown => script.after.is_some(),
            Stage::Summarize => false,
        };
        if !exists {
            return Ok(None);
        }
        Ok(Some(Box::new(ArtilleryUser {
            shared: self.shared.clone(),
            local: self.local(cx)?,
            stage: Some(stage),
            running: None,
        })))
    }

    fn stage_timeout(&self, _: Stage) -> Duration {
        Duration::from_secs(100 * 365 * 86_400)
    }
}

/// A user: one flow each time it begins, with a state of its own.
struct ArtilleryUser {
    shared: Arc<Shared>,
    local: Rc<Local>,
    stage: Option<Stage>,
    running: Option<Running>,
}

/// A flow under way.
struct Running {
    vu: Rc<Vu>,
    started: Time,
    future: Pin<Box<dyn Future<Output = flow::Outcome>>>,
}

impl ArtilleryUser {
    fn scenario(&self) -> Option<usize> {
        if let Some(only) = self.shared.only {
            return Some(only);
        }
        let wheel = &self.shared.wheel;
        wheel.get(self.local.random.below(wheel.len())).copied()
    }

    fn state(&self, cx: &Cx<'_>) -> Vu {
        let local = self.local.clone();
        let (client, permits) = match &local.pool {
            Some((client, permits)) => (client.clone(), permits.clone()),
            None => (Client::new(&local.network, None), Permits::new(1)),
        };
        let has_cookies = self.shared.test.script.config.default_cookies.is_some();
        Vu {
            id: local.random.uuid(),
            used_processor: std::cell::Cell::new(false),
            shared: self.shared.clone(),
            agent: Agent::new(client, local.agents.clone()),
            local,
            handle: cx.reactor.clone(),
            board: cx.board.clone(),
            permits,
            vars: std::cell::RefCell::default(),
            jar: std::cell::RefCell::default(),
            jar_enabled: std::cell::Cell::new(has_cookies),
            outbox: Outbox::default(),
        }
    }

    /// Sets a new user's variables: what `before` left, rows, variables, ids.
    fn set_variables(&self, vars: &mut Map<String, Value>, id: &str) -> Result<(), Exhausted> {
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

    fn start(&mut self, scenario: Which, started: Time, vu: Vu) {
        let vu = Rc::new(vu);
        let own = vu.clone();
        let future = Box::pin(async move {
            let script = &own.shared.test.script;
            let scenario = match scenario {
                Which::Number(index) => script.scenarios.get(index),
                Which::Before => script.before.as_ref(),
                Which::After => script.after.as_ref(),
            };
            match scenario {
                Some(scenario) => flow::scenario(&own, scenario).await,
                None => Ok(()),
            }
        });
        self.running = Some(Running {
            vu,
            started,
            future,
        });
    }

    /// Rows ran out: what follows from it.
    fn exhausted(&self, Exhausted(what): Exhausted, vu: &Vu) -> Step {
        match what {
            OnExhausted::Fail => {
                vu.outbox.known(Known::Created, 1.0);
                vu.outbox.known(Known::Failed, 1.0);
                vu.outbox.error("no unused row is left");
            }
            OnExhausted::Stop | OnExhausted::Wrap => {
                vu.outbox.count("vusers.skipped", 1.0);
                self.shared.exhausted.store(true, Ordering::Relaxed);
            }
        }
        Step::Done(Outcome::Complete)
    }

    fn poll(&mut self, cx: &mut Cx<'_>) -> Step {
        let Some(running) = &mut self.running else {
            return Step::Done(Outcome::Complete);
        };
        let poll = running
            .future
            .as_mut()
            .poll(&mut Context::from_waker(cx.waker));
        let Poll::Ready(outcome) = poll else {
            self.flush(cx);
            return Step::Pending;
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

    fn finish(&mut self, outcome: flow::Outcome, cx: &mut Cx<'_>) -> Step {
        let Some(running) = &self.running else {
            return Step::Done(Outcome::Complete);
        };
        let vu = running.vu.clone();
        let took = cx.now().millis_since(running.started);
        if let Some(stage) = self.stage {
            self.flush(cx);
            self.running = None;
            return self.finish_stage(stage, outcome, &vu);
        }
        match outcome {
            Ok(()) => {
                vu.outbox.known(Known::Failed, 0.0);
                vu.outbox.known(Known::Completed, 1.0);
                vu.outbox.summary("vusers.session_length", took);
            }
            Err(Failed { code }) => {
                vu.outbox.error(&code);
                vu.outbox.known(Known::Failed, 1.0);
            }
        }
        self.flush(cx);
        let traffic = vu.agent.client().take_traffic();
        self.local.names.iteration(cx.shard, took, traffic);
        self.running = None;
        self.stop_if_exhausted(cx);
        Step::Done(Outcome::Complete)
    }

    fn finish_stage(&self, stage: Stage, outcome: flow::Outcome, vu: &Vu) -> Step {
        match outcome {
            Ok(()) => {
                if stage == Stage::Setup {
                    let vars = vu.vars.borrow().clone();
                    *self
                        .shared
                        .before
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner) = Some(vars);
                }
                Step::Done(Outcome::Complete)
            }
            Err(Failed { code }) => Step::Done(Outcome::Failed(Fault::script(code))),
        }
    }

    /// Ends the run once nobody is left who has a row.
    fn stop_if_exhausted(&self, cx: &Cx<'_>) {
        let board = cx.board;
        let is_last = board.users_active.load(Ordering::Relaxed) <= 1;
        if is_last && self.shared.exhausted.load(Ordering::Relaxed) {
            board.request_stop(StopCause::Aborted {
                message: "each row was used once".to_owned(),
            });
        }
    }
}

/// What a user runs.
#[derive(Debug, Clone, Copy)]
enum Which {
    Number(usize),
    Before,
    After,
}

impl VirtualUser for ArtilleryUser {
    fn begin(&mut self, iteration: &Iteration, cx: &mut Cx<'_>) -> Step {
        let vu = self.state(cx);
        let which = match self.stage {
            Some(Stage::Setup) => Which::Before,
            Some(_) => Which::After,
            None => match self.scenario() {
                Some(index) => Which::Number(index),
                None => return Step::Done(Outcome::Complete), // all weights are zero
            },
        };
        if self.stage.is_none() && self.shared.exhausted.load(Ordering::Relaxed) {
            self.stop_if_exhausted(cx);
            return Step::Done(Outcome::Complete);
        }
        let mut vars = vu.vars.take();
        if let Err(exhausted) = self.set_variables(&mut vars, &vu.id) {
            let step = self.exhausted(exhausted, &vu);
            vu.outbox.flush(cx.shard, &self.local.names);
            self.stop_if_exhausted(cx);
            return step;
        }
        vu.vars.replace(vars);
        if let Which::Number(index) = which {
            let scenario = &self.shared.test.script.scenarios[index];
            let name = scenario.name.clone().unwrap_or_else(|| index.to_string());
            vu.outbox
                .count(format!("vusers.created_by_name.{name}"), 1.0);
            vu.outbox.known(Known::Created, 1.0);
        }
        self.start(which, iteration.started, vu);
        self.poll(cx)
    }

    fn wake(&mut self, cx: &mut Cx<'_>) -> Step {
        self.poll(cx)
    }

    fn interrupt(&mut self, _: Why, cx: &mut Cx<'_>) -> Step {
        self.flush(cx);
        // Dropping the future drops what is under way and its connection.
        self.running = None;
        Step::Done(Outcome::Interrupted)
    }
}
