//! Classes and prototypes of the module's objects.

use std::rc::Rc;

use loadline_js::{Class, Ctx, Template, Value};

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
    pub(super) fn from_ctx(ctx: &Ctx) -> Rc<Self> {
        ctx.common()
            .expect("the module makes them before anything else")
    }
}
