//! What the module keeps for one virtual user: its agent, its cookies, and objects it uses
//! again.

use std::cell::{Cell, OnceCell, RefCell};
use std::net::IpAddr;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use loadline_js::{Class, Ctx, Exception, Template, Value};
use loadline_metrics::TagSetId;
use loadline_net::{Agent, Client, CookieJar, Response, UnixMillis};
use loadline_reactor::ReactorHandle;
use loadline_units::Time;
use loadline_vu::Cx;
use rustc_hash::FxHashMap;

use super::callback::Callback;
use super::cut::CutJob;
use super::target::Target;
use super::{cookies, file, response, url};
use crate::host::TestShared;
use crate::host::WorkerNetwork;
use crate::host::{Host, IterationHook};

/// A user's cookies; scripts may hold on to a jar.
pub(in crate::modules) type Jar = Rc<RefCell<CookieJar>>;

/// URLs that are kept parsed; a script with more begins anew.
const TARGETS_KEPT: usize = 512;

/// Responses whose buffers are kept, and the largest body kept with them.
const SPARES_KEPT: usize = 8;
const SPARE_BODY: usize = 64 * 1024;

/// Response buffers to be used again.
#[derive(Default)]
#[expect(clippy::vec_box, reason = "a response moves by its pointer")]
pub(super) struct Spares(RefCell<Vec<Box<Response>>>);

impl Spares {
    pub(super) fn take(&self) -> Box<Response> {
        self.0.borrow_mut().pop().unwrap_or_default()
    }

    fn give(&self, mut response: Box<Response>) {
        let mut spares = self.0.borrow_mut();
        if spares.len() < SPARES_KEPT {
            if response.body.capacity() > SPARE_BODY {
                response.body = Vec::new();
            }
            spares.push(response);
        }
    }
}

/// A response, given back for its buffers at the end.
pub(super) struct Lent {
    response: Option<Box<Response>>,
    spares: Option<Rc<Spares>>,
}

impl Lent {
    pub(super) fn new(response: Box<Response>, spares: Rc<Spares>) -> Self {
        Self {
            response: Some(response),
            spares: Some(spares),
        }
    }

    /// An empty response that nobody wants back.
    pub(super) fn empty() -> Self {
        Self {
            response: Some(Box::default()),
            spares: None,
        }
    }
}

impl Deref for Lent {
    type Target = Response;

    fn deref(&self) -> &Response {
        self.response.as_ref().expect("it is there until the end")
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let (Some(response), Some(spares)) = (self.response.take(), &self.spares) {
            spares.give(response);
        }
    }
}

/// Classes and prototypes of the module's objects, which the users of a realm have in
/// common.
pub(in crate::modules) struct Prototypes {
    pub(super) jar_class: Class,
    pub(super) response: Template,
    pub(super) url_proto: Value,
    pub(super) file_proto: Value,
    pub(super) callback_proto: Value,
}

impl Prototypes {
    /// Makes them for the realm, once.
    pub(in crate::modules) fn install(ctx: &Ctx) -> Result<Rc<Self>, Exception> {
        if let Some(shapes) = ctx.common::<Self>() {
            return Ok(shapes);
        }
        let shapes = Rc::new(Self {
            jar_class: cookies::class(ctx)?,
            response: response::template(ctx)?,
            url_proto: url::prototype(ctx)?,
            file_proto: file::prototype(ctx)?,
            callback_proto: ctx.object()?,
        });
        ctx.set_common(shapes.clone());
        Ok(shapes)
    }

    pub(super) fn of(ctx: &Ctx) -> Rc<Self> {
        ctx.common()
            .expect("the module makes them before anything else")
    }
}

/// What the module keeps of a user.
pub(in crate::modules) struct HttpUser {
    pub(super) callback: RefCell<Callback>,
    pub(in crate::modules) jar: RefCell<Jar>,
    pub(super) spares: Rc<Spares>,
    pub(super) shapes: Rc<Prototypes>,
    sender: OnceCell<(Agent, ReactorHandle)>,
    shared: Arc<TestShared>,
    targets: RefCell<FxHashMap<Box<str>, Rc<Target>>>,
    /// Requests that were cut and not accounted for yet.
    pub(super) cut: RefCell<Vec<CutJob>>,
    keeps_cookies: Cell<bool>,
    closes_connections: Cell<bool>,
}

impl HttpUser {
    /// That of the calling user, made at its first call.
    pub(in crate::modules) fn of(ctx: &Ctx) -> Rc<Self> {
        ctx.try_host::<Self>().unwrap_or_else(|| Self::make(ctx))
    }

    fn make(ctx: &Ctx) -> Rc<Self> {
        let host = Host::of(ctx);
        let http = &host.shared.settings().http;
        let user = Rc::new(Self {
            callback: RefCell::default(),
            jar: RefCell::default(),
            spares: Rc::default(),
            shapes: Prototypes::of(ctx),
            sender: OnceCell::new(),
            shared: host.shared.clone(),
            targets: RefCell::default(),
            cut: RefCell::default(),
            keeps_cookies: Cell::new(http.no_cookies_reset),
            closes_connections: Cell::new(http.no_vu_connection_reuse),
        });
        host.add_hook(Rc::new(Hook(Rc::downgrade(&user))));
        ctx.set_host(user.clone());
        user
    }

    /// The user's agent.
    ///
    /// # Errors
    /// Outside a worker, where nothing can be sent.
    pub(in crate::modules) fn agent(&self, ctx: &Ctx) -> Result<&Agent, Exception> {
        if let Some((agent, _)) = self.sender.get() {
            return Ok(agent);
        }
        let Some(worker) = ctx.try_host::<WorkerNetwork>() else {
            return Err(super::go_error(
                ctx,
                "Making http requests in the init context is not supported",
            ));
        };
        let local = local_address(&Host::of(ctx));
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
        if targets.len() >= TARGETS_KEPT {
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

/// The wall time by which cookies end.
pub(in crate::modules) fn wall_now(ctx: &Ctx) -> UnixMillis {
    if let Some(worker) = ctx.try_host::<WorkerNetwork>() {
        return worker.agents.wall_now();
    }
    let millis = Host::of(ctx).shared.since_epoch().as_millis();
    UnixMillis(i64::try_from(millis).unwrap_or(i64::MAX))
}

/// Tells the module of iterations. Weak: the host outlives it.
struct Hook(std::rc::Weak<HttpUser>);

impl IterationHook for Hook {
    fn begin(&self) {
        let Some(user) = self.0.upgrade() else { return };
        if user.keeps_cookies.get() {
            return;
        }
        // A jar a script holds on to keeps its cookies; the user gets another.
        let mut jar = user.jar.borrow_mut();
        if Rc::strong_count(&jar) > 1 {
            *jar = Jar::default();
        } else {
            jar.borrow_mut().reset();
        }
    }

    fn settle(&self, base: TagSetId, cx: &mut Cx<'_>) {
        let user = self.0.upgrade();
        if let Some((user, (agent, _))) = user.as_ref().and_then(|u| Some((u, u.sender.get()?))) {
            super::cut::settle(user, agent.client(), base, cx);
        }
    }

    fn end(&self) -> (u64, u64) {
        let user = self.0.upgrade();
        let Some((agent, _)) = user.as_ref().and_then(|user| user.sender.get()) else {
            return (0, 0);
        };
        if user
            .as_ref()
            .is_some_and(|user| user.closes_connections.get())
        {
            agent.client().close_idle();
        }
        agent.client().take_traffic()
    }
}
