//! Groovy, as far as nGrinder's scripts use it.

mod expression;
mod lexer;
mod literals;
mod members;
mod statement;

use crate::form::Program;
use crate::loss::Mistake;
use crate::tokens::Cursor;

/// Reads a script.
///
/// # Errors
///
/// A text, comment or bracket that does not end.
pub(crate) fn read(source: &str) -> Result<Program, Mistake> {
    let lexemes = lexer::lexemes(source, 1)?;
    let mut parser = Parser {
        cursor: Cursor::new(lexemes, 0),
    };
    Ok(parser.program())
}

struct Parser {
    cursor: Cursor,
}

/// Words that begin no expression, and names of none of the script's variables.
const GROOVY_KEYWORDS: [&str; 24] = [
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "return",
    "break",
    "continue",
    "throw",
    "try",
    "catch",
    "finally",
    "assert",
    "class",
    "import",
    "package",
    "in",
    "as",
    "instanceof",
    "extends",
    "implements",
];

const PRIMITIVE_TYPES: [&str; 9] = [
    "int", "long", "double", "float", "boolean", "byte", "char", "short", "void",
];

const MODIFIER_KEYWORDS: [&str; 12] = [
    "public",
    "private",
    "protected",
    "static",
    "final",
    "def",
    "var",
    "synchronized",
    "abstract",
    "transient",
    "volatile",
    "native",
];

/// A class by the field's habit: its name begins with a capital letter.
fn is_class_name(name: &str) -> bool {
    PRIMITIVE_TYPES.contains(&name) || name.starts_with(char::is_uppercase)
}
