//! Decides whether the users of a script may share a JavaScript runtime.
//!
//! The init code of the first user runs alone while its writes are watched. When it changes
//! built-in objects, every user gets a runtime of its own. The same happens when the source
//! contains code that would change them later. The runtime notices any other such change
//! before it takes effect. From then on users that start get their own runtime, and users
//! that already run move to one.

use std::sync::OnceLock;

/// Why each user has a runtime of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IsolationReason {
    /// The user asked for it.
    Requested,
    /// Init code changed what users would have shared, here.
    InitCode {
        /// `at function (file:line:column)`
        place: String,
    },
    /// The source has code that would change it later, here.
    Source {
        /// `file:line:column`
        place: String,
    },
    /// A user changed it during the run, here.
    Run {
        /// `at function (file:line:column)`
        place: String,
    },
}

/// The decision for one run.
#[derive(Debug, Default)]
pub(crate) struct Sharing {
    apart: OnceLock<IsolationReason>,
}

impl Sharing {
    /// Gives each user its own runtime from now on; the first reason stays.
    pub(crate) fn end(&self, why: IsolationReason) {
        let _ = self.apart.set(why);
    }

    pub(crate) fn is_allowed(&self) -> bool {
        self.apart.get().is_none()
    }

    pub(crate) fn apart(&self) -> Option<&IsolationReason> {
        self.apart.get()
    }
}
