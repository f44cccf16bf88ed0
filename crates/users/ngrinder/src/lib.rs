//! Scripts of nGrinder and The Grinder, turned over into scripts of k6.
//!
//! [`convert`] reads a script, in Groovy or Jython, into one inner form and writes that as JavaScript. What has no
//! counterpart stands in the script as a comment, and in [`ConvertedScript::losses`]. Nothing of a script is run.
//!
//! Elsewhere: files and words for people (`cli`), running the script (`k6`).

mod characters;
mod form;
mod groovy;
mod jython;
mod loss;
mod script;
mod tokens;

use std::path::Path;

use loadline_text::Catalog;

pub use loss::{Loss, LossReason};
pub use script::ConvertedScript;

/// Bytes of a script that is read. Those that people write have some thousands.
const SCRIPT_BYTES_MAX: usize = 1 << 20;

/// What a script of nGrinder names at least one of.
const NGRINDER_PACKAGES: [&str; 3] = ["net.grinder", "org.ngrinder", "HTTPClient"];

/// The language of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScriptLang {
    /// `.groovy`.
    Groovy,
    /// `.py`.
    Jython,
}

impl ScriptLang {
    /// The language of a file, by its ending.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let ending = Path::new(name).extension()?.to_str()?.to_lowercase();
        match ending.as_str() {
            "groovy" => Some(Self::Groovy),
            "py" => Some(Self::Jython),
            _ => None,
        }
    }
}

/// Why a text is not turned over at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConversionError {
    /// Longer than 1 MiB.
    TooLong,
    /// A text, a comment or a bracket that begins there does not end, or what stands there is no token.
    Unread {
        /// The line, from 1.
        line: u32,
    },
    /// It names nothing of nGrinder's.
    NotNgrinder,
    /// No test is in it.
    NoTest,
}

/// Turns a script over; comments in it are in the language of the catalogue.
///
/// # Errors
///
/// What is no script of nGrinder's, or cannot be read as a whole.
pub fn convert(
    source: &str,
    language: ScriptLang,
    catalog: &Catalog,
) -> Result<ConvertedScript, ConversionError> {
    if source.len() > SCRIPT_BYTES_MAX {
        return Err(ConversionError::TooLong);
    }
    if !NGRINDER_PACKAGES.iter().any(|sign| source.contains(sign)) {
        return Err(ConversionError::NotNgrinder);
    }
    let read = match language {
        ScriptLang::Groovy => groovy::read(source),
        ScriptLang::Jython => jython::read(source),
    };
    let program = read.map_err(|mistake| ConversionError::Unread { line: mistake.line })?;
    let mut functions = program.functions.iter();
    if !functions.any(|function| function.is_test() && !function.has_any(&["Ignore"])) {
        return Err(ConversionError::NoTest);
    }
    Ok(script::write(&program, source, catalog))
}
