//! Kinds of modules, and what their specifiers lead to.

use std::collections::BTreeMap;

/// Whether a file is an ECMAScript module or CommonJS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleKind {
    /// Has `import`, `export` or top-level `await`.
    Esm,
    /// Everything else.
    CommonJs,
}

/// What a specifier in one file leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    File(String),
    Builtin(String),
    /// Tolerated until executed: `require` of something that is not there.
    Missing(String),
}

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

impl Import {
    pub(super) fn missing(&self, name: &str, known: Vec<String>) -> MissingImport {
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
