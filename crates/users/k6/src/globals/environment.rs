//! `__ENV`: the environment of the run. Each user has a copy, with the variables of its
//! scenario added.

use loadline_js::{Ctx, Exception, Value};

use crate::host::Host;

type Pairs = [(String, String)];

/// Makes `__ENV` a plain variable, for a user alone in its realm.
pub(super) fn install(ctx: &Ctx, host: &Host) -> Result<(), Exception> {
    ctx.global().set("__ENV", made(ctx, host, &[])?)
}

/// The calling user's `__ENV`, made when first read: most scripts never read it.
pub(super) fn of_user(ctx: &Ctx) -> Result<Value, Exception> {
    let host = Host::from_ctx(ctx);
    if let Some(environment) = &*host.environment.borrow() {
        return Ok(environment.clone());
    }
    let settings = host.shared.settings();
    let more = host
        .scenario
        .get()
        .map(|scenario| &settings.scenarios[scenario.index()].env);
    let environment = made(ctx, &host, more.map_or(&[], Vec::as_slice))?;
    host.environment.replace(Some(environment.clone()));
    Ok(environment)
}

/// Makes it again for a user that enters a scenario.
pub(crate) fn enter(ctx: &Ctx, host: &Host, more: &Pairs, alone: bool) -> Result<(), Exception> {
    if alone {
        return ctx.global().set("__ENV", made(ctx, host, more)?);
    }
    host.environment.take();
    Ok(())
}

fn made(ctx: &Ctx, host: &Host, more: &Pairs) -> Result<Value, Exception> {
    let object = ctx.object()?;
    let run = host.shared.env.iter();
    for (key, value) in run.chain(more.iter().map(|(k, v)| (k, v))) {
        object.set(key.as_str(), value.as_str())?;
    }
    if host.shared.freezes_env {
        object.freeze()?;
    }
    Ok(object)
}
