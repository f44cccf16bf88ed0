//! Names that files import, and whether their modules have them.

use std::collections::BTreeSet;

use super::Program;
use super::link::MissingImport;
use crate::quickjs::{Ctx, Exception};

/// How the engine says that a module lacks a name.
const LACKS: (&str, &str) = ("Could not find export '", "' in module '");

impl Program {
    /// The names its files import from built-in modules that do not have them. Makes the
    /// modules for which `looks_at` is true once more.
    ///
    /// # Errors
    ///
    /// What making a module threw.
    pub fn missing_imports(
        &self,
        ctx: &Ctx,
        looks_at: impl Fn(&str) -> bool,
    ) -> Result<Vec<MissingImport>, Exception> {
        let mut missing = Vec::new();
        let of_builtins = self.imports.iter().filter(|import| import.is_builtin);
        for import in of_builtins.filter(|import| looks_at(&import.module)) {
            let exports = self.builtins.make(ctx, &import.module)?;
            let is_there = |name: &str| name == "default" || exports.get(name).is_some();
            for name in import.names.keys().filter(|name| !is_there(name)) {
                let known = exports.named.iter().map(|(name, _)| name.clone());
                missing.push(import.missing(name, known.collect()));
            }
        }
        Ok(missing)
    }

    /// The import that the engine refused with `message`, if it is one of a name that its module lacks.
    #[must_use]
    pub fn refused_import(&self, message: &str) -> Option<MissingImport> {
        let (name, module) = message
            .strip_prefix(LACKS.0)?
            .strip_suffix('\'')?
            .split_once(LACKS.1)?;
        let import = self
            .imports
            .iter()
            .find(|import| import.module == module && import.names.contains_key(name))?;
        let offered: BTreeSet<String> = self.modules.get(module)?.offered.clone();
        // The engine looks for the default export first, k6 for it last.
        let others = import.names.iter().filter(|(other, _)| *other != "default");
        let first = others
            .filter(|(other, _)| name == "default" && !offered.contains(*other))
            .min_by_key(|(_, place)| **place)
            .map(|(other, _)| other.as_str());
        Some(import.missing(first.unwrap_or(name), offered.into_iter().collect()))
    }
}
