//! Makes users and distributes scenarios by weight.

use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use loadline_metrics::Registry;
use loadline_net::{AgentContext, Client, Network, NetworkSettings};
use loadline_units::VuId;
use loadline_vu::{Cx, Fault, LifecycleStage, VirtualUser, VuFactory};
use serde_json::{Map, Value};

use super::ArtilleryUser;
use super::variables::set_variables;
use crate::console::Console;
use crate::files::Files;
use crate::finding::Diagnostic;
use crate::lint::functions;
use crate::model::ScenarioSpec;
use crate::payload::{Payload, RowUsage};
use crate::permits::Semaphore;
use crate::processor::{CodeLimits, Processor, ProcessorError, ProcessorNotice, RunningProcessor};
use crate::record::{ArtilleryMetrics, Names};
use crate::template::TemplateScope;
use crate::test::LoadedTest;
use crate::vu::{Local, NamedExchangeCallback, Shared, SharedOrigins};
use loadline_units::Random;

/// Artillery's sockets allow pauses of this length in a body, or of the time-out if that is longer.
const BODY_TIMEOUT_MIN: Duration = Duration::from_secs(8);

/// Makes the users of a test.
pub struct ArtilleryFactory {
    shared: Arc<Shared>,
    network: Arc<NetworkSettings>,
    metrics: ArtilleryMetrics,
    /// The time of day at the zero of the run's clock.
    wall_at_zero: fn() -> SystemTime,
}

/// Who hears of what users do, and what they may take.
pub struct UserEnvironment {
    /// Gets what a test prints.
    pub console: Arc<dyn Console>,
    /// Gets each request and its answer, if somebody looks at them.
    pub watch: Option<NamedExchangeCallback>,
    /// Most bytes that each runtime of a processor may take.
    pub memory_limit: Option<usize>,
}

/// Why a test's users cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FactoryError {
    /// No scenario has the name of `--scenario-name`.
    #[error("scenario {0} not found in script")]
    NoScenario(String),
    /// The processor cannot be used.
    #[error(transparent)]
    Processor(#[from] ProcessorError),
    /// Several scenarios have the name of `--scenario-name`.
    #[error("multiple scenarios for {0} found in script")]
    SeveralScenarios(String),
}

impl ArtilleryFactory {
    /// Users of `test`, which print to the console of `environment`.
    ///
    /// # Errors
    /// [`FactoryError`] when `only` does not name exactly one scenario.
    pub fn new(
        test: LoadedTest,
        only: Option<&str>,
        network: NetworkSettings,
        registry: &Registry,
        environment: UserEnvironment,
        wall_clock: fn() -> SystemTime,
    ) -> Result<Self, FactoryError> {
        let UserEnvironment {
            console,
            watch,
            memory_limit,
        } = environment;
        let only = only.map(|name| scenario_named(&test, name)).transpose()?;
        let wheel = wheel(&test);
        let processor = match &test.processor {
            None => None,
            Some(path) => {
                let env = test.base.get("$env").and_then(Value::as_object);
                let env = env.cloned().unwrap_or_default();
                let limits = CodeLimits {
                    memory: memory_limit,
                    trust: test.trust.clone(),
                };
                Some(Processor::load(path, &env, &console, &limits)?)
            }
        };
        let network = NetworkSettings {
            max_idle_per_host: test.script.config.pool.unwrap_or(1),
            max_idle: test.script.config.pool.unwrap_or(20).max(20),
            body_patience: Some(test.script.config.timeout.max(BODY_TIMEOUT_MIN)),
            ..network
        };
        Ok(Self {
            metrics: ArtilleryMetrics::declare(registry),
            shared: Arc::new(Shared {
                test,
                console,
                expectation_failed: AtomicBool::new(false),
                expectations_judged: AtomicBool::new(false),
                after_failed: AtomicBool::new(false),
                suggested_exit: AtomicI64::new(-1),
                processor,
                before: Mutex::new(None),
                exhausted: AtomicBool::new(false),
                wheel,
                only,
                watch,
            }),
            network: Arc::new(network),
            wall_at_zero: wall_clock,
        })
    }

    /// The metrics its users record.
    #[must_use]
    pub fn metrics(&self) -> ArtilleryMetrics {
        self.metrics
    }

    /// What the processor uses that loadline's interpreter lacks, if anything.
    #[must_use]
    pub fn processor_notice(&self) -> Option<&ProcessorNotice> {
        self.shared.processor.as_ref()?.notice()
    }

    /// The functions that the file names and its processor does not have.
    #[must_use]
    pub fn unknown_functions(&self) -> Vec<Diagnostic> {
        let processor = self.shared.processor.as_ref();
        let unknown = processor
            .map(|processor| functions::unknown(&self.shared.test.script, &processor.names()));
        unknown.unwrap_or_default()
    }

    /// Whether an expectation failed.
    #[must_use]
    pub fn expectation_failed(&self) -> bool {
        self.shared.expectation_failed.load(Ordering::Relaxed)
    }

    /// Whether some expectation was held against an answer.
    #[must_use]
    pub fn expectations_judged(&self) -> bool {
        self.shared.expectations_judged.load(Ordering::Relaxed)
    }

    /// How far the rows of files are used of which each is used once.
    #[must_use]
    pub fn row_usage(&self) -> Vec<RowUsage> {
        let payloads = self.shared.test.payloads.iter();
        payloads.filter_map(Payload::usage).collect()
    }

    /// Whether the steps of `after` failed.
    #[must_use]
    pub fn after_failed(&self) -> bool {
        self.shared.after_failed.load(Ordering::Relaxed)
    }

    /// The exit code that a processor sets.
    #[must_use]
    pub fn suggested_exit(&self) -> Option<u8> {
        u8::try_from(self.shared.suggested_exit.load(Ordering::Relaxed)).ok()
    }

    fn local(&self, cx: &mut Cx<'_>) -> Result<Rc<Local>, Fault> {
        let (reactor, shard) = (cx.reactor, &mut *cx.shard);
        let mut failed = None;
        let local = cx.local.get_or_make(|| {
            let network = Network::new(reactor.clone(), self.network.clone());
            let random = crate::random::from_system();
            let seed = Random::new(random.next());
            let now = reactor.now();
            let wall = (self.wall_at_zero)();
            let zero = wall
                .checked_sub(Duration::from_nanos(now.as_nanos()))
                .unwrap_or(wall);
            let agents = AgentContext::new(&network, zero, move |bytes| {
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
                worker: shard.worker(),
                processor,
                pool: pool.map(|count| (Client::new(&network, None), Semaphore::new(count))),
                names: Names::new(shard, self.metrics),
                network,
                settings: self.network.clone(),
                agents,
                random,
                files: Files::default(),
                socket_io: SharedOrigins::default(),
            }
        });
        match failed {
            None => Ok(local),
            Some(error) => Err(Fault::script(error.to_string())),
        }
    }

    fn processor_of_stages(&self, cx: &mut Cx<'_>) -> Result<Option<Rc<RunningProcessor>>, Fault> {
        let Some(processor) = &self.shared.processor else {
            return Ok(None);
        };
        let start = || {
            let started = processor.start(cx.reactor, &self.shared.console);
            StageProcessor(started.map_err(|error| error.to_string()))
        };
        let stages = cx.local.get_or_make(start);
        stages.0.clone().map(Some).map_err(Fault::script)
    }
}

/// The instance of the processor for `before` and `after`. As in Artillery, both share one, and
/// users have others: what its modules keep is not the same.
struct StageProcessor(Result<Rc<RunningProcessor>, String>);

fn scenario_named(test: &LoadedTest, name: &str) -> Result<usize, FactoryError> {
    let pattern = regress::Regex::new(name).ok();
    let fits = |scenario: &ScenarioSpec| {
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

/// What weights can use: the first row of each payload, and the variables.
struct WeightScope(Map<String, Value>);

impl TemplateScope for WeightScope {
    fn variable(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    fn call(&self, _: &crate::functions::FunctionCall) -> Option<String> {
        None
    }
}

/// How often each scenario is chosen beside the others, in their order.
#[must_use]
pub fn scenario_weights(test: &LoadedTest) -> Vec<usize> {
    let mut weights = vec![0; test.script.scenarios.len()];
    for index in wheel(test) {
        weights[index] += 1;
    }
    weights
}

/// Scenarios, each as often as its weight says.
fn wheel(test: &LoadedTest) -> Vec<usize> {
    /// Larger weights would only fill the memory.
    const WEIGHT_MAX: f64 = 10_000.0;
    let random = crate::random::from_system();
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
        let count = (weight.min(WEIGHT_MAX) * 100.0) as usize;
        wheel.extend(std::iter::repeat_n(index, count));
    }
    wheel
}

impl VuFactory for ArtilleryFactory {
    fn make(&self, _: VuId, cx: &mut Cx<'_>) -> Result<Box<dyn VirtualUser>, Fault> {
        let local = self.local(cx)?;
        Ok(Box::new(ArtilleryUser {
            shared: self.shared.clone(),
            processor: local.processor.clone(),
            local,
            stage: None,
            running: None,
        }))
    }

    fn make_for_stage(
        &self,
        stage: LifecycleStage,
        cx: &mut Cx<'_>,
    ) -> Result<Option<Box<dyn VirtualUser>>, Fault> {
        if !self.has_stage(stage) {
            return Ok(None);
        }
        Ok(Some(Box::new(ArtilleryUser {
            shared: self.shared.clone(),
            local: self.local(cx)?,
            processor: self.processor_of_stages(cx)?,
            stage: Some(stage),
            running: None,
        })))
    }

    fn has_stage(&self, stage: LifecycleStage) -> bool {
        let script = &self.shared.test.script;
        match stage {
            LifecycleStage::Setup => script.before.is_some(),
            LifecycleStage::Teardown => script.after.is_some(),
            LifecycleStage::Summarize => false,
        }
    }

    fn stage_timeout(&self, _: LifecycleStage) -> Duration {
        Duration::from_secs(100 * 365 * 86_400)
    }
}
