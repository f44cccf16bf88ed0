//! Cookie jars of users and scripts, and the time by which cookies end.

use std::cell::RefCell;
use std::rc::Rc;

use loadline_js::Ctx;
use loadline_net::{CookieJar, UnixMillis};

use crate::host::{Host, WorkerNetwork};

/// A user's cookies; scripts may hold on to a jar.
pub(in crate::modules) type Jar = Rc<RefCell<CookieJar>>;

/// The wall time by which cookies end.
pub(in crate::modules) fn wall_now(ctx: &Ctx) -> UnixMillis {
    if let Some(worker) = ctx.try_host::<WorkerNetwork>() {
        return worker.agents.wall_now();
    }
    let millis = Host::from_ctx(ctx).shared.since_epoch().as_millis();
    UnixMillis(i64::try_from(millis).unwrap_or(i64::MAX))
}

/// A script's hold on a jar.
pub(in crate::modules) struct JarObject(pub(in crate::modules) Jar);
