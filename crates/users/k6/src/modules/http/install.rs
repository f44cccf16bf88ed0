//! Makes the classes and prototypes of the module's objects, once for a realm.

use std::rc::Rc;

use loadline_js::{Ctx, Exception};

use super::prototypes::Prototypes;
use super::{cookies, file, response_object, url};

/// Makes them for the realm, once.
pub(in crate::modules) fn install_prototypes(ctx: &Ctx) -> Result<Rc<Prototypes>, Exception> {
    if let Some(shapes) = ctx.common::<Prototypes>() {
        return Ok(shapes);
    }
    let shapes = Rc::new(Prototypes {
        jar_class: cookies::class(ctx)?,
        response: response_object::template(ctx)?,
        url_proto: url::prototype(ctx)?,
        file_proto: file::prototype(ctx)?,
        callback_proto: ctx.object()?,
    });
    ctx.set_common(shapes.clone());
    Ok(shapes)
}
