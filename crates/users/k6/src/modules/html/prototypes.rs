//! The prototypes of the module's objects, which every user of a realm makes with its first one.
//!
//! Methods make objects, and objects need the prototypes that have these methods. So who makes
//! prototypes is noted in the realm with its first document ([`Prototypes::install`]).

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use loadline_js::{Ctx, Exception, Template, Value};

use super::element::Kind;

/// The prototypes of one user.
pub(super) struct Prototypes {
    pub(super) selection: Template,
    /// What filters are called with: Go's own selection, where k6 has its own elsewhere.
    pub(super) passed: Value,
    pub(super) attribute: Value,
    pub(super) element: Value,
    /// Of elements with methods of their own, by tag.
    pub(super) kinds: RefCell<HashMap<&'static str, Value>>,
    /// The kind of a tag's elements, for tags with methods of their own.
    pub(super) kind_of_tag: fn(&str) -> Option<&'static Kind>,
    /// Makes the prototype of a kind from that of all elements.
    pub(super) prototype_of_kind: fn(&Ctx, &Kind, &Value) -> Result<Value, Exception>,
}

/// Makes the prototypes of a user.
pub(super) type MakePrototypes = fn(&Ctx) -> Result<Prototypes, Exception>;

/// Who makes the prototypes of a realm's users.
struct PrototypeMaker(MakePrototypes);

impl Prototypes {
    /// Notes in the realm who makes prototypes.
    pub(super) fn install(ctx: &Ctx, make: MakePrototypes) {
        if ctx.common::<PrototypeMaker>().is_none() {
            ctx.set_common(Rc::new(PrototypeMaker(make)));
        }
    }

    pub(super) fn from_ctx(ctx: &Ctx) -> Result<Rc<Self>, Exception> {
        if let Some(shapes) = ctx.try_host::<Self>() {
            return Ok(shapes);
        }
        let maker = ctx
            .common::<PrototypeMaker>()
            .expect("noted with the first document, which every object is of");
        let shapes = Rc::new((maker.0)(ctx)?);
        ctx.set_host(shapes.clone());
        Ok(shapes)
    }
}
