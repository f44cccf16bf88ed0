//! What all users of a realm share, and functions that belong to an object.

use std::rc::Rc;

use loadline_js::{Args, Ctx, Exception, Template, Value};

/// What all users of a realm share.
pub(super) struct Prototypes {
    /// `Object`, as it was before any script ran.
    pub(super) object: Value,
    pub(super) stream: Template,
    pub(super) constructor: Value,
    /// The default size of a chunk.
    pub(super) size: Value,
    pub(super) closed: Value,
    /// Of what a script's function threw at a stream.
    pub(super) thrown: Value,
}

impl Prototypes {
    pub(super) fn from_ctx(ctx: &Ctx) -> Rc<Self> {
        ctx.common().expect("made with the module")
    }
}

pub(super) type Construct = fn(&Ctx, &Args<'_>) -> Result<Value, Exception>;

/// A native function that belongs to `owner` whatever it is called on.
pub(super) fn bound(
    ctx: &Ctx,
    name: &str,
    length: u32,
    owner: &Value,
    body: Construct,
) -> Result<Value, Exception> {
    ctx.function_with(name, length, vec![owner.clone()], body)
}
