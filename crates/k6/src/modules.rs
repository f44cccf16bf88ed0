//! The modules scripts import, one file each.

mod core;
pub(crate) mod jslib;

use std::rc::Rc;

use loadline_js::{Builtins, Ctx, Exception, Value};

use crate::factory::WorkerShared;
use crate::host::Host;

/// All built-in modules by specifier.
pub(crate) fn builtins() -> Builtins {
    let mut builtins = Builtins::new();
    builtins.add("k6", core::exports);
    builtins
}

/// A script's object of tags; values must be plain.
pub(crate) fn tags_of(object: &Value) -> Result<Vec<(String, String)>, Exception> {
    let mut tags = Vec::new();
    for key in object.keys()? {
        let value = object.get(&key)?;
        if value.is_nullish() {
            continue;
        }
        if value.is_object() {
            return Err(Exception::type_error(format!(
                "invalid value for tag '{}': only string, boolean and number types are accepted",
                key.to_text()
            )));
        }
        tags.push((key.to_text(), value.to_text()?));
    }
    Ok(tags)
}

/// Globals that belong to a module.
pub(crate) fn install_globals(_: &Ctx) -> Result<(), Exception> {
    Ok(())
}

/// Connects a user that will run to its worker: modules that need the network keep what
/// they need of it as host state of their own.
pub(crate) fn attach(ctx: &Ctx, _: &Host, worker: &Rc<WorkerShared>) {
    ctx.set_host(worker.clone());
}
