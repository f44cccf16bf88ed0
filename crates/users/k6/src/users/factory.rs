//! Makes the virtual users of a script, and the users that run its stages.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use loadline_js::{Stacks, VmOptions};
use loadline_net::{AgentContext, Network};
use loadline_units::VuId;
use loadline_vu::{Cx, Fault, FaultClass, LifecycleStage, VirtualUser, VuFactory};

use super::realms::WorkerRealms;
use super::script::ScriptUser;
use super::stage::StageUser;
use super::vm::UserVm;
use crate::error::LoadError;
use crate::host::{IsolationReason, SummaryFile, TestShared, WorkerNetwork, fill_random, lock};

/// Makes the users of a script.
pub struct K6Factory {
    shared: Arc<TestShared>,
    net: Arc<loadline_net::NetworkSettings>,
    /// Set-up runs once although it is switched off.
    setup_allowed: AtomicBool,
    teardown_allowed: AtomicBool,
}

impl K6Factory {
    pub(crate) fn new(shared: Arc<TestShared>, net: loadline_net::NetworkSettings) -> Self {
        Self {
            shared,
            net: Arc::new(net),
            setup_allowed: AtomicBool::new(false),
            teardown_allowed: AtomicBool::new(false),
        }
    }

    /// Hands over the data for `handleSummary`, as JSON text.
    pub fn give_summary(&self, json: String) {
        *lock(&self.shared.summary_data) = Some(json);
    }

    /// The data that `handleSummary` was given, as it left it: k6 exports what the function made of it.
    #[must_use]
    pub fn take_left(&self) -> Option<serde_json::Value> {
        lock(&self.shared.summary_left).take()
    }

    /// What `handleSummary` asked to be written, once the summary stage is over; `None`
    /// when the script has no such function or it failed.
    #[must_use]
    pub fn take_written(&self) -> Option<Vec<SummaryFile>> {
        lock(&self.shared.summary_written).take()
    }

    /// Whether `handleSummary` took longer than it may, or returned what cannot be written; then k6 shows and exports none.
    #[must_use]
    pub fn summary_refused(&self) -> bool {
        self.shared.summary_refused.load(Ordering::Relaxed)
    }

    /// Why users have runtimes of their own; `None` as long as they share some.
    #[must_use]
    pub fn apart(&self) -> Option<&IsolationReason> {
        self.shared.sharing.apart()
    }

    /// Gives the data that `setup()` would return; a set-up of the run's own replaces it.
    pub fn give_setup_data(&self, json: Option<String>) {
        self.shared.setup_data.set(json);
    }

    /// What `setup()` returned, as JSON text.
    #[must_use]
    pub fn setup_data(&self) -> Option<Arc<str>> {
        self.shared.setup_data.json()
    }

    fn worker(&self, cx: &Cx<'_>) -> Rc<WorkerRealms> {
        let network = Network::new(cx.reactor.clone(), self.net.clone());
        let passed = Duration::from_nanos(cx.now().as_nanos());
        cx.local.get_or_make(|| {
            let time_of_start = (self.shared.wall_clock)() - passed;
            let agents = AgentContext::new(&network, time_of_start, fill_random);
            let options = VmOptions {
                timer: Rc::new(cx.reactor.clone()),
                stacks: Stacks::default(),
                memory_limit: self.shared.memory_limit,
                ..VmOptions::default()
            };
            WorkerRealms::new(WorkerNetwork { network, agents }, options)
        })
    }

    /// A user of its own whose init code has run.
    fn initialised(&self, id: VuId, cx: &Cx<'_>) -> Result<(UserVm, loadline_js::Value), Fault> {
        let worker = self.worker(cx);
        worker.user_alone(&self.shared, id).map_err(|e| fault(&e))
    }

    fn takes_stage(&self, stage: LifecycleStage) -> bool {
        let settings = self.shared.settings();
        match stage {
            LifecycleStage::Setup => {
                let is_allowed = self.setup_allowed.swap(false, Ordering::Relaxed);
                (is_allowed || !settings.no_setup) && self.shared.has_export("setup")
            }
            LifecycleStage::Teardown => {
                let is_allowed = self.teardown_allowed.swap(false, Ordering::Relaxed);
                (is_allowed || !settings.no_teardown) && self.shared.has_export("teardown")
            }
            LifecycleStage::Summarize => {
                !settings.no_summary && self.shared.has_export("handleSummary")
            }
        }
    }
}

impl VuFactory for K6Factory {
    fn allow_stage(&self, stage: LifecycleStage) {
        let allowed = match stage {
            LifecycleStage::Setup => &self.setup_allowed,
            LifecycleStage::Teardown => &self.teardown_allowed,
            LifecycleStage::Summarize => return,
        };
        allowed.store(true, Ordering::Relaxed);
    }

    fn make(&self, id: VuId, cx: &mut Cx<'_>) -> Result<Box<dyn VirtualUser>, Fault> {
        let worker = self.worker(cx);
        let (user, exports) = worker
            .user(&self.shared, id)
            .map_err(|error| initialising(&error, id))?;
        Ok(Box::new(ScriptUser::new(user, exports, worker)))
    }

    fn make_for_stage(
        &self,
        stage: LifecycleStage,
        cx: &mut Cx<'_>,
    ) -> Result<Option<Box<dyn VirtualUser>>, Fault> {
        if !self.takes_stage(stage) {
            if stage == LifecycleStage::Summarize && !self.shared.settings().no_summary {
                // k6 makes a separate user for the summary, so the init code runs once
                // more, and its log lines appear.
                self.initialised(VuId::LIFECYCLE, cx)?;
            }
            return Ok(None);
        }
        let (user, exports) = self.initialised(VuId::LIFECYCLE, cx)?;
        Ok(Some(Box::new(StageUser::new(user, exports, stage))))
    }

    fn has_stage(&self, stage: LifecycleStage) -> bool {
        self.shared.has_export(match stage {
            LifecycleStage::Setup => "setup",
            LifecycleStage::Teardown => "teardown",
            LifecycleStage::Summarize => "handleSummary",
        })
    }

    fn stage_timeout(&self, stage: LifecycleStage) -> Duration {
        match stage {
            LifecycleStage::Setup => self.shared.settings().setup_timeout,
            LifecycleStage::Teardown => self.shared.settings().teardown_timeout,
            LifecycleStage::Summarize => self.shared.settings().handle_summary_timeout,
        }
    }

    fn vu_teardown_timeout(&self) -> Option<Duration> {
        let settings = self.shared.settings();
        settings.users.tear_down.as_ref()?;
        (!settings.no_teardown).then_some(settings.teardown_timeout)
    }
}

/// Why a user of the scenarios cannot be made.
fn initialising(error: &LoadError, user: VuId) -> Fault {
    let mut fault = fault(error);
    let aborted = matches!(error, LoadError::Aborted(_));
    if aborted || matches!(error, LoadError::Init(_) | LoadError::Import { .. }) {
        fault.class = FaultClass::Initialising { user, aborted };
    }
    fault
}

fn fault(error: &LoadError) -> Fault {
    match error {
        LoadError::Vm(_) | LoadError::Stack(_) => Fault::generator(error.to_string()),
        // To k6 that is no exception of the script's.
        LoadError::Options(text) => Fault::data(text.clone()),
        _ => Fault::script(error.to_string()),
    }
}
