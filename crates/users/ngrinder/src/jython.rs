//! Jython, as far as scripts of nGrinder and The Grinder use it.

mod expression;
mod lexer;
mod module;
mod statement;

use crate::form::Program;
use crate::loss::Mistake;
use crate::tokens::Cursor;

/// Reads a script.
///
/// # Errors
///
/// A text or bracket that does not end.
pub(crate) fn read(source: &str) -> Result<Program, Mistake> {
    let lexemes = lexer::lexemes(source)?;
    let mut parser = Parser {
        cursor: Cursor::new(lexemes, 0),
        globals: Vec::new(),
    };
    Ok(parser.program())
}

struct Parser {
    cursor: Cursor,
    /// Names that the function at hand takes from the module.
    globals: Vec<String>,
}

/// Words that begin no expression.
const PYTHON_KEYWORDS: [&str; 26] = [
    "if", "elif", "else", "for", "while", "return", "break", "continue", "raise", "try", "except",
    "finally", "assert", "class", "import", "from", "def", "in", "is", "and", "or", "global",
    "pass", "del", "with", "yield",
];
