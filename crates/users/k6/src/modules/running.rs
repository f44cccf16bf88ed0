//! What only a running user may call: not init code.

use loadline_js::{Ctx, Exception};

use crate::host::Host;
use crate::modules::go_error::go_error;

/// Fails in init code, for what needs a running user.
pub(super) fn require_running(ctx: &Ctx, what: &str) -> Result<(), Exception> {
    if Host::from_ctx(ctx).is_init() {
        return Err(go_error(
            ctx,
            format!("{what} in the init context is not supported"),
        ));
    }
    Ok(())
}
