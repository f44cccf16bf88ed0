//! What the module keeps for one virtual user: its agent, its cookies, and objects it uses
//! again.

use std::cell::{Cell, OnceCell, RefCell};
use std::net::IpAddr;
use std::rc::Rc;
use std::sync::Arc;

use loadline_js::{Ctx, Exception};
use loadline_net::{Agent, Client};
use loadline_reactor::ReactorHandle;
use loadline_units::Time;
use rustc_hash::FxHashMap;

use super::callback::Callback;
use super::cut_job::CutJob;
use super::jar::Jar;
use super::prototypes::Prototypes;
use super::spares::Spares;
use super::target::Target;
use crate::host::{Host, TestShared, WorkerNetwork};
use crate::modules::go_error::go_error;

/// URLs that are kept parsed; a script with more begins anew.
const TARGETS_MAX: usize = 512;

/// What the module keeps of a user.
pub(in crate::modules) struct HttpUser {
    pub(super) callback: RefCell<Callback>,
    pub(in crate::modules) jar: RefCell<Jar>,
    pub(super) spares: Rc<Spares>,
    pub(super) shapes: Rc<Prototypes>,
    pub(super) sender: OnceCell<(Agent, ReactorHandle)>,
    pub(super) shared: Arc<TestShared>,
    pub(super) targets: RefCell<FxHashMap<Box<str>, Rc<Target>>>,
    /// Requests that were cut and not accounted for yet.
    pub(super) cut: RefCell<Vec<CutJob>>,
    pub(super) keeps_cookies: Cell<bool>,
    pub(super) closes_connections: Cell<bool>,
}

impl HttpUser {
    /// The user's agent.
    ///
    /// # Errors
    /// Outside a worker, where nothing can be sent.
    pub(in crate::modules) fn agent(&self, ctx: &Ctx) -> Result<&Agent, Exception> {
        if let Some((agent, _)) = self.sender.get() {
            return Ok(agent);
        }
        let Some(worker) = ctx.try_host::<WorkerNetwork>() else {
            return Err(go_error(
                ctx,
                "Making http requests in the init context is not supported",
            ));
        };
        let local = local_address(&Host::from_ctx(ctx));
        let client = Client::new(&worker.network, local);
        let agent = Agent::new(client, worker.agents.clone());
        let handle = worker.network.handle().clone();
        Ok(&self.sender.get_or_init(|| (agent, handle)).0)
    }

    /// Whether a system tag is on.
    pub(super) fn has_system_tag(&self, name: &str) -> bool {
        self.shared.settings().system_tags.contains(name)
    }

    /// Waits until `rps` allows another request.
    pub(super) async fn wait_for_turn(&self) {
        let Some((spacing, (_, handle))) = self.shared.spacing.get().zip(self.sender.get()) else {
            return;
        };
        let start = spacing.take(handle.now());
        if start > handle.now() {
            handle.sleep_until(start).await;
        }
    }

    /// The run's clock; zero before anything was sent.
    pub(in crate::modules) fn now(&self) -> Time {
        self.sender
            .get()
            .map_or(Time::ZERO, |(_, handle)| handle.now())
    }

    /// The target of a URL in text form, parsed once.
    pub(super) fn target(&self, text: &str) -> Result<Rc<Target>, loadline_net::UrlError> {
        if let Some(target) = self.targets.borrow().get(text) {
            return Ok(target.clone());
        }
        let target = Rc::new(Target::parse(text, None)?);
        let mut targets = self.targets.borrow_mut();
        if targets.len() >= TARGETS_MAX {
            targets.clear();
        }
        targets.insert(text.into(), target.clone());
        Ok(target)
    }
}

/// The address the user connects from, where `localIPs` says one.
fn local_address(host: &Host) -> Option<IpAddr> {
    let pool = host.shared.settings().http.local_ips.as_ref()?;
    Some(pool.address(host.vu.0.saturating_sub(1)))
}
