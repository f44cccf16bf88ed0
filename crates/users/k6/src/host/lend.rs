//! What the engine lends to native functions during one resume.

use loadline_js::{Ctx, LentType};
use loadline_vu::Cx;

/// Lends the user's [`Cx`]: shard, reactor, shared state.
pub(crate) struct LendCx;

impl LentType for LendCx {
    type Of<'a> = Cx<'a>;
}

/// Runs `f` with the engine's context. `None` outside a virtual user, which only happens
/// while the script is read for the first time.
pub(crate) fn with_cx<R>(ctx: &Ctx, f: impl FnOnce(&mut Cx<'_>) -> R) -> Option<R> {
    ctx.lent::<LendCx, _>(|cx| f(cx))
}
