//! Makes what the module keeps of a user, and does what is due when its iterations begin and end.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::{Rc, Weak};

use loadline_js::Ctx;
use loadline_metrics::TagSetId;
use loadline_vu::Cx;

use super::cut;
use super::jar::Jar;
use super::prototypes::Prototypes;
use super::user::HttpUser;
use crate::host::{Host, IterationHook};

impl HttpUser {
    /// That of the calling user, made at its first call.
    pub(in crate::modules) fn from_ctx(ctx: &Ctx) -> Rc<Self> {
        ctx.try_host::<Self>().unwrap_or_else(|| Self::make(ctx))
    }

    fn make(ctx: &Ctx) -> Rc<Self> {
        let host = Host::from_ctx(ctx);
        let http = &host.shared.settings().http;
        let user = Rc::new(Self {
            callback: RefCell::default(),
            jar: RefCell::default(),
            spares: Rc::default(),
            shapes: Prototypes::from_ctx(ctx),
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
}

/// Tells the module of iterations. Weak: the host outlives it.
struct Hook(Weak<HttpUser>);

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
            cut::settle(user, agent.client(), base, cx);
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
