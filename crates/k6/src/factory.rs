//! Makes the virtual users of a script, and the users that run its stages.

use std::future::Future;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use loadline_js::{Stacks, Timer, VmOptions};
use loadline_net::{AgentShared, Network};
use loadline_reactor::Handle;
use loadline_units::{Clock, Time, VuId};
use loadline_vu::{Cx, Fault, Stage, VirtualUser, VuFactory};

use crate::error::LoadError;
use crate::host::UserVm;
use crate::load::run_init;
use crate::modules;
use crate::shared::{TestShared, Written, lock};
use crate::stage::StageUser;
use crate::user::ScriptUser;

/// How long `handleSummary` may take.
const SUMMARY_TIMEOUT: Duration = Duration::from_secs(120);

/// Makes the users of a script.
pub struct K6Factory {
    shared: Arc<TestShared>,
    net: Arc<loadline_net::Settings>,
}

/// What the users of one worker share.
pub(crate) struct WorkerShared {
    pub(crate) network: Network,
    pub(crate) agents: Rc<AgentShared>,
    options: VmOptions,
}

impl WorkerShared {
    /// Random bytes, for what must not be guessed twice.
    pub(crate) fn fill_random(&self, bytes: &mut [u8]) {
        fill_random(bytes);
    }
}

/// Random bytes from the hasher's keys, which the standard library seeds from the system.
fn fill_random(bytes: &mut [u8]) {
    for chunk in bytes.chunks_mut(8) {
        let word = RandomState::new().build_hasher().finish().to_ne_bytes();
        chunk.copy_from_slice(&word[..chunk.len()]);
    }
}

struct ReactorTimer(Handle);

impl Clock for ReactorTimer {
    fn now(&self) -> Time {
        self.0.now()
    }
}

impl Timer for ReactorTimer {
    fn sleep_until(&self, at: Time) -> Pin<Box<dyn Future<Output = ()>>> {
        Box::pin(self.0.sleep_until(at))
    }
}

impl K6Factory {
    pub(crate) fn new(shared: Arc<TestShared>, net: loadline_net::Settings) -> Self {
        Self {
            shared,
            net: Arc::new(net),
        }
    }

    /// Hands over the data for `handleSummary`, as JSON text.
    pub fn give_summary(&self, json: String) {
        *lock(&self.shared.summary_data) = Some(json);
    }

    /// What `handleSummary` asked to be written, once the summary stage is over; `None`
    /// when the script has no such function or it failed.
    #[must_use]
    pub fn take_written(&self) -> Option<Vec<Written>> {
        lock(&self.shared.summary_written).take()
    }

    /// What `setup()` returned, as JSON text.
    #[must_use]
    pub fn setup_data(&self) -> Option<String> {
        self.shared.setup_data.json().map(str::to_owned)
    }

    fn worker(&self, cx: &Cx<'_>) -> Rc<WorkerShared> {
        let network = Network::new(cx.reactor.clone(), self.net.clone());
        let passed = Duration::from_nanos(cx.now().as_nanos());
        cx.local.get_or_make(|| WorkerShared {
            agents: AgentShared::new(&network, (self.shared.wall_clock)() - passed, fill_random),
            network,
            options: VmOptions {
                timer: Rc::new(ReactorTimer(cx.reactor.clone())),
                stacks: Stacks::default(),
                ..VmOptions::default()
            },
        })
    }

    /// A user whose init code has run.
    fn initialised(&self, id: VuId, cx: &Cx<'_>) -> Result<(UserVm, loadline_js::Value), Fault> {
        let worker = self.worker(cx);
        let user = UserVm::new(&self.shared, id, &worker.options).map_err(|e| fault(&e))?;
        modules::attach(user.vm.ctx(), &user.host, &worker);
        let exports = run_init(&user).map_err(|e| fault(&e))?;
        Ok((user, exports))
    }

    fn has_stage(&self, stage: Stage) -> bool {
        let settings = self.shared.settings();
        match stage {
            Stage::Setup => !settings.no_setup && self.shared.has_export("setup"),
            Stage::Teardown => !settings.no_teardown && self.shared.has_export("teardown"),
            Stage::Summarize => !settings.no_summary && self.shared.has_export("handleSummary"),
        }
    }
}

impl VuFactory for K6Factory {
    fn make(&self, id: VuId, cx: &mut Cx<'_>) -> Result<Box<dyn VirtualUser>, Fault> {
        let (user, exports) = self.initialised(id, cx)?;
        Ok(Box::new(ScriptUser::new(user, exports)))
    }

    fn make_for_stage(
        &self,
        stage: Stage,
        cx: &mut Cx<'_>,
    ) -> Result<Option<Box<dyn VirtualUser>>, Fault> {
        if !self.has_stage(stage) {
            if stage == Stage::Summarize && !self.shared.settings().no_summary {
                // k6 asks a user of its own for the summary and so runs init code once
                // more, whose lines are seen.
                self.initialised(VuId::LIFECYCLE, cx)?;
            }
            return Ok(None);
        }
        let (user, exports) = self.initialised(VuId::LIFECYCLE, cx)?;
        Ok(Some(Box::new(StageUser::new(user, exports, stage))))
    }

    fn stage_timeout(&self, stage: Stage) -> Duration {
        match stage {
            Stage::Setup => self.shared.settings().setup_timeout,
            Stage::Teardown => self.shared.settings().teardown_timeout,
            Stage::Summarize => SUMMARY_TIMEOUT,
        }
    }
}

fn fault(error: &LoadError) -> Fault {
    match error {
        LoadError::Vm(_) | LoadError::Stack(_) => Fault::generator(error.to_string()),
        _ => Fault::script(error.to_string()),
    }
}
