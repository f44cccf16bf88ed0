//! Names that files import, and whether their modules have them.

use std::collections::{BTreeMap, BTreeSet};

use super::Program;
use crate::quickjs::{Ctx, Exception};

/// How the engine says that a module lacks a name.
const LACKS: (&str, &str) = ("Could not find export '", "' in module '");

/// What a file imports from a module.
pub(super) struct Import {
    /// The file.
    pub(super) file: String,
    /// As the file names the module.
    pub(super) specifier: String,
    /// URL of the module; its name, when it is built in.
    pub(super) module: String,
    pub(super) is_builtin: bool,
    /// Line and column of the statement.
    pub(super) statement: (u32, u32),
    /// Line and column of each name.
    pub(super) names: BTreeMap<String, (u32, u32)>,
}

/// A name that a file imports and its module does not have. Of a built-in module it is `null`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingImport {
    /// The module, as the file names it.
    pub module: String,
    /// The name.
    pub name: String,
    /// The names it has.
    pub known: Vec<String>,
    /// URL of the file.
    pub file: String,
    /// Line of the name, from 1.
    pub line: u32,
    /// Column of the name, from 1.
    pub column: u32,
    /// Line and column of the statement that imports it.
    pub statement: (u32, u32),
}

impl Import {
    fn missing(&self, name: &str, known: Vec<String>) -> MissingImport {
        let (line, column) = self.names.get(name).copied().unwrap_or_default();
        MissingImport {
            module: self.specifier.clone(),
            name: name.to_owned(),
            known,
            file: self.file.clone(),
            line,
            column,
            statement: self.statement,
        }
    }
}

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
