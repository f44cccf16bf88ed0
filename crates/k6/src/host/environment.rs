//! `__ENV`: the run's environment, a copy for each user, with its scenario's additions.

use loadline_js::{Ctx, Exception};

use super::Host;

pub(super) fn install(ctx: &Ctx, host: &Host) -> Result<(), Exception> {
    set(ctx, host, &[])
}

/// Sets `__ENV` anew: the run's environment and `more`.
pub(crate) fn set(ctx: &Ctx, host: &Host, more: &[(String, String)]) -> Result<(), Exception> {
    let object = ctx.object()?;
    for (key, value) in host
        .shared
        .env
        .iter()
        .chain(more.iter().map(|(k, v)| (k, v)))
    {
        object.set(key.as_str(), value.as_str())?;
    }
    ctx.global().set("__ENV", object)
}
