//! Names in scripts that mean nothing.

use loadline_js::MissingImport;
use loadline_units::nearest;

/// A name in a script that means nothing, as k6 takes it without a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptMistake {
    /// Where: `file:line:column`; empty when that is not known.
    pub place: String,
    /// The module that has no such name; `None` for options and executors.
    pub module: Option<String>,
    /// Whether it is written where an executor's name belongs.
    pub is_executor: bool,
    /// The name.
    pub name: String,
    /// The one that was probably meant.
    pub nearest: Option<String>,
}

impl ScriptMistake {
    /// Of an import, with the nearest of the names that its module has.
    pub(crate) fn from_import(found: MissingImport) -> Self {
        let known = found.known.iter().map(String::as_str);
        Self {
            place: format!("{}:{}:{}", found.file, found.line, found.column),
            nearest: nearest(&found.name, known).map(str::to_owned),
            module: Some(found.module),
            is_executor: false,
            name: found.name,
        }
    }
}
