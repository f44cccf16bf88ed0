//! The globals of a script: `__VU`, `__ITER`, `__ENV`, `console`, `open`, and those that
//! belong to modules.

mod console;
mod environment;
mod open;

use loadline_js::{Ctx, Exception, Value};

use crate::host::{Host, shown};
use crate::log::LogLevel;
use crate::modules::go_error::go_error;
use crate::modules::{self};
pub(crate) use environment::enter as enter_environment;

/// The global with the number of the current iteration.
pub(crate) const ITERATION: &str = "__ITER";

/// Installs the globals of a user in a realm of its own: plain variables.
pub(crate) fn install_for_one(ctx: &Ctx, host: &Host) -> Result<(), Exception> {
    ctx.global().set("__VU", host.vu.0)?;
    environment::install(ctx, host)?;
    common(ctx)
}

/// Installs the globals of a shared realm: getters, so that each user reads its own value.
pub(crate) fn install_for_many(ctx: &Ctx) -> Result<(), Exception> {
    let global = ctx.global();
    global.getter("__VU", |ctx, _| Ok(Host::from_ctx(ctx).vu.0))?;
    global.getter(ITERATION, |ctx, _| {
        let iteration = Host::from_ctx(ctx).iteration.get();
        Ok(iteration.map(|iteration| iteration.of_user))
    })?;
    global.getter("__ENV", |ctx, _| environment::of_user(ctx))?;
    common(ctx)
}

fn common(ctx: &Ctx) -> Result<(), Exception> {
    console::install(ctx)?;
    open::install(ctx)?;
    modules::install_globals(ctx)?;
    ctx.on_timers_stopped(|ctx, timers| {
        let host = Host::from_ctx(ctx);
        let timers = if host.is_init() { &[] } else { timers };
        for timer in timers {
            host.log(
                LogLevel::Warning,
                format!("{timer} was stopped because the VU iteration was interrupted"),
            );
        }
    });
    ctx.set_require_policy(|ctx, _| {
        if Host::from_ctx(ctx).is_init() {
            return Ok(());
        }
        Err(go_error(
            ctx,
            "the \"require\" function is only available in the init stage (i.e. the global scope), see https://grafana.com/docs/k6/latest/using-k6/test-lifecycle/ for more information",
        ))
    });
    ctx.on_unhandled_rejection(|ctx, reason: &Value| Err(uncaught(ctx, reason)));
    Ok(())
}

/// What the message of a rejected promise without a handler begins with.
pub(crate) const REJECTED: &str = "Uncaught (in promise) ";

/// The error of a call with a promise that was rejected and had no handler. Its stack is
/// that of the reason.
fn uncaught(ctx: &Ctx, reason: &Value) -> Exception {
    let error = || {
        let error = ctx.object()?;
        error.set("name", "")?;
        error.set("message", format!("{REJECTED}{}", shown(reason)))?;
        if reason.is_error() {
            error.set("stack", reason.get("stack")?)?;
        }
        Ok(error)
    };
    error().map_or_else(|exception| exception, Exception::thrown)
}
