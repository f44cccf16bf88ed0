//! A virtual user's state: variables, cookies, connections.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64};

use loadline_net::{Agent, AgentContext, Client, CookieJar, Exchange, Network, NetworkSettings};
use loadline_reactor::ReactorHandle;
use loadline_units::WorkerId;
use loadline_vu::RunState;
use serde_json::{Map, Value};

use crate::console::Console;
use crate::files::Files;
use crate::functions::{CallContext, FunctionCall};
use crate::permits::Semaphore;
use crate::processor::{Processor, RunningProcessor};
use crate::record::{Names, Outbox};
use crate::template::TemplateScope;
use crate::test::LoadedTest;
use loadline_units::Random;

/// What all users of a run share.
pub(crate) struct Shared {
    pub(crate) test: LoadedTest,
    pub(crate) console: Arc<dyn Console>,
    /// Whether an expectation failed.
    pub(crate) expectation_failed: AtomicBool,
    /// Some expectation was held against an answer.
    pub(crate) expectations_judged: AtomicBool,
    /// The variables that `before` left.
    pub(crate) before: std::sync::Mutex<Option<Map<String, Value>>>,
    /// Whether `after` failed.
    pub(crate) after_failed: AtomicBool,
    /// The exit code that a processor sets; -1 for none.
    pub(crate) suggested_exit: AtomicI64,
    /// The processor with the flow's JavaScript functions.
    pub(crate) processor: Option<Processor>,
    /// Whether rows ran out and the run has to end.
    pub(crate) exhausted: AtomicBool,
    /// Scenarios, each as often as its weight says.
    pub(crate) wheel: Vec<usize>,
    /// The index of the scenario named by `--scenario-name`.
    pub(crate) only: Option<usize>,
    /// One iteration of each scenario is run, and this hears of every exchange.
    pub(crate) watch: Option<NamedExchangeCallback>,
}

/// Hears of every exchange: the name it is counted under, and what passed.
pub type NamedExchangeCallback = Arc<dyn Fn(&str, &Exchange<'_>) + Send + Sync>;

/// Namespaces that some user of a worker joined, by origin, with the first user's id: the client keeps
/// one connection by origin and gives a namespace one of its own when it was joined there before.
pub(crate) type SharedOrigins = RefCell<BTreeMap<String, (String, Vec<String>)>>;

/// What the users of one worker share.
pub(crate) struct Local {
    pub(crate) worker: WorkerId,
    pub(crate) network: Network,
    /// What `network` was made of.
    pub(crate) settings: Arc<NetworkSettings>,
    pub(crate) agents: Rc<AgentContext>,
    pub(crate) names: Names,
    pub(crate) random: Random,
    pub(crate) files: Files,
    /// The instance of the processor for the worker's users.
    pub(crate) processor: Option<Rc<RunningProcessor>>,
    /// The sockets of `http.pool`.
    pub(crate) pool: Option<(Client, Semaphore)>,
    /// What the worker's Socket.IO connections are shared by.
    pub(crate) socket_io: SharedOrigins,
}

/// A user during one iteration.
pub(crate) struct Vu {
    /// `$uuid`
    pub(crate) id: String,
    /// The instance of the processor that its functions are called in.
    pub(crate) processor: Option<Rc<RunningProcessor>>,
    /// Whether the processor has a context for it.
    pub(crate) used_processor: Cell<bool>,
    pub(crate) shared: Arc<Shared>,
    pub(crate) local: Rc<Local>,
    pub(crate) handle: ReactorHandle,
    pub(crate) run_state: Arc<RunState>,
    pub(crate) agent: Agent,
    /// Limits simultaneous exchanges.
    pub(crate) permits: Semaphore,
    pub(crate) vars: RefCell<Map<String, Value>>,
    /// Variables that functions set to dates: their names and texts.
    pub(crate) dates: RefCell<Vec<(String, String)>>,
    pub(crate) jar: RefCell<CookieJar>,
    /// Whether cookies are sent.
    pub(crate) jar_enabled: Cell<bool>,
    pub(crate) outbox: Outbox,
    /// The client of a WebSocket that has a proxy of its own.
    pub(crate) proxied: RefCell<Option<Client>>,
    /// The open WebSocket of a flow, for the processor's functions.
    pub(crate) line: RefCell<Option<Rc<dyn SocketActions>>>,
}

/// What a processor's functions do with a user's WebSocket.
pub(crate) trait SocketActions {
    /// Node's number of its state.
    fn state(&self) -> u8;
    /// `send`, `ping`, `close` or `terminate`.
    fn act(&self, action: &str, payload: &Value);
}

/// Why a user's flow was aborted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FlowFailure {
    /// The code it is counted under.
    pub(crate) code: String,
}

impl FlowFailure {
    pub(crate) fn new(code: impl Into<String>) -> Self {
        Self { code: code.into() }
    }
}

impl Vu {
    /// The variables and functions for a rendering.
    pub(crate) fn scope<'v>(&'v self, vars: &'v Map<String, Value>) -> VuScope<'v> {
        VuScope { vu: self, vars }
    }

    pub(crate) fn set(&self, name: &str, value: Value) {
        self.vars.borrow_mut().insert(name.to_owned(), value);
    }

    /// Whether the processor has a function with this name.
    pub(crate) fn has_function(&self, name: &str) -> bool {
        let processor = self.shared.processor.as_ref();
        processor.is_some_and(|processor| processor.has(name))
    }

    pub(crate) fn now_millis(&self) -> i64 {
        self.local.agents.wall_now().0
    }
}

/// A user's variables, then those that all users have.
pub(crate) struct VuScope<'v> {
    vu: &'v Vu,
    vars: &'v Map<String, Value>,
}

impl TemplateScope for VuScope<'_> {
    fn variable(&self, name: &str) -> Option<&Value> {
        self.vars
            .get(name)
            .or_else(|| self.vu.shared.test.base.get(name))
    }

    fn call(&self, call: &FunctionCall) -> Option<String> {
        call.run(&CallContext {
            random: &self.vu.local.random,
            now_millis: self.vu.now_millis(),
        })
    }

    fn is_date(&self, path: &str, text: &str) -> bool {
        let is_it = |(date, of): &(String, String)| date == path && of == text;
        self.vu.shared.test.script.config.dates.iter().any(is_it)
            || self.vu.dates.borrow().iter().any(is_it)
    }
}

impl Drop for Vu {
    fn drop(&mut self) {
        if let (true, Some(processor)) = (self.used_processor.get(), &self.processor) {
            processor.forget(&self.id);
        }
    }
}

/// The result of running steps.
pub(crate) type StepsResult = Result<(), FlowFailure>;
