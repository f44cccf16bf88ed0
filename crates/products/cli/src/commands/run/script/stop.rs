//! What keeps a script from running, and how it is reported.

use loadline_text::{Catalog, Dialect, problem, shell_word};

use super::refusal::ScriptRefusal;
use crate::context::Context;
use crate::refusal::Refusal;

/// What keeps a script from running.
pub(super) enum Stop {
    /// Something k6 would not run either: a line in the log.
    Logged(ScriptRefusal),
    /// Something of ours.
    Ours(Refusal),
    /// What was named is no script, so that k6 would not have been asked for anything.
    NoScript(Refusal),
}

impl Stop {
    /// Prints it where errors are printed; gives the exit code.
    pub(super) fn print(self, context: &mut Context, catalog: &Catalog) -> u8 {
        match self {
            Self::Logged(refusal) => {
                context.err(&refusal.line());
                refusal.code
            }
            Self::Ours(refusal) => {
                context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
                refusal.exit.code(Dialect::K6)
            }
            Self::NoScript(refusal) => {
                context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
                refusal.exit.code(Dialect::Loadline)
            }
        }
    }

    /// The same as a refusal of ours, where there is no log of a script called `name`.
    pub(super) fn into_refusal(self, name: &str) -> Refusal {
        match self {
            Self::Ours(refusal) | Self::NoScript(refusal) => refusal,
            Self::Logged(refusal) => {
                let lines: Vec<&str> = refusal.reason.lines().map(str::trim).collect();
                Refusal::config(problem::script_unusable(shell_word(name), lines.join(" ")))
            }
        }
    }
}

impl<E: Into<ScriptRefusal>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Logged(error.into())
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Ours(refusal)
    }
}
