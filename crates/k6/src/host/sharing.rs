//! Whether the users of a script may have a runtime in common, and what ended that.
//!
//! A script's first user runs alone while it is watched: init code that changes built-in
//! objects keeps all users apart. So does source text that visibly would, later. What
//! neither foresees, the runtime notices before it happens; then sharing ends for the
//! users still to come, and those there are get runtimes of their own.

use std::sync::OnceLock;

/// Why users have runtimes of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Apart {
    /// It was asked for.
    Asked,
    /// Init code changed what users would have had in common, here.
    InitCode {
        /// `at function (file:line:column)`
        place: String,
    },
    /// The source has code that would, here.
    Source {
        /// `file:line:column`
        place: String,
    },
    /// A user did while the run was under way, here.
    Run {
        /// `at function (file:line:column)`
        place: String,
    },
}

/// The decision for one run.
#[derive(Debug, Default)]
pub(crate) struct Sharing {
    apart: OnceLock<Apart>,
}

impl Sharing {
    /// Keeps users apart from now on; the first reason counts.
    pub(crate) fn end(&self, why: Apart) {
        let _ = self.apart.set(why);
    }

    pub(crate) fn is_allowed(&self) -> bool {
        self.apart.get().is_none()
    }

    pub(crate) fn apart(&self) -> Option<&Apart> {
        self.apart.get()
    }
}
