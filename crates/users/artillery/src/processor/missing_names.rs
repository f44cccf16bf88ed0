//! What a processor uses that the interpreter does not have.

use loadline_js::{Exception, Program, UsedName, Value, Vm};

use super::interpreter::MODULES;

/// Globals whose members are the user's own: variables of the environment, what functions keep there.
const OPEN: [&[&str]; 2] = [&["process", "env"], &["artillery"]];

/// The first name that the interpreter of `vm` lacks.
///
/// # Errors
/// What looking at a value threw.
pub(super) fn first_missing(program: &Program, vm: &Vm) -> Result<Option<UsedName>, Exception> {
    let globals = vm.ctx().global();
    let modules = globals.get("__node")?;
    for name in program.names_used() {
        let found = match &name.module {
            None => has(&globals, &name.path)?,
            Some(module) if module.starts_with(['.', '/']) => true,
            Some(module) => {
                let module = module.strip_prefix("node:").unwrap_or(module);
                MODULES.contains(&module) && has(&modules.get(module)?, &name.path)?
            }
        };
        if !found {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// Whether `path` leads to something below `value`.
fn has(value: &Value, path: &[String]) -> Result<bool, Exception> {
    let mut value = value.clone();
    let mut path = path;
    if let [first, rest @ ..] = path
        && matches!(first.as_str(), "global" | "globalThis" | "default")
    {
        // The default export of a module is the module.
        path = rest;
    }
    for (depth, name) in path.iter().enumerate() {
        let is_open = OPEN.iter().any(|open| {
            open.len() <= depth && open.iter().zip(path).all(|(open, name)| open == name)
        });
        if is_open || !(value.is_object() || value.is_function()) {
            return Ok(true);
        }
        if !value.has(name.as_str())? {
            return Ok(false);
        }
        value = value.get(name.as_str())?;
    }
    Ok(true)
}
