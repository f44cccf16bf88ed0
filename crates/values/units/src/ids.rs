//! Identities that cross crate borders.

use std::fmt;

/// A virtual user's number within the whole run, from 1; 0 is the user that runs
/// set-up, teardown and summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VuId(pub u64);

impl VuId {
    /// The user that runs the parts of a test outside any scenario.
    pub const LIFECYCLE: Self = Self(0);
}

impl fmt::Display for VuId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A scenario's position in the plan, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScenarioId(pub u16);

impl ScenarioId {
    /// The position as an index.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A worker thread's number, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkerId(pub u16);

impl WorkerId {
    /// The number as an index.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}
