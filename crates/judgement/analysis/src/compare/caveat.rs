//! What keeps two sides from being alike, whatever their figures say.

/// One of the things a reader has to know before the figures.
#[derive(Debug, Clone, PartialEq)]
pub enum Caveat {
    /// The sides were to start differently many iterations a second.
    OtherLoad {
        /// On the first side.
        before: f64,
        /// On the second side.
        after: f64,
    },
    /// The load of runs was changed while they ran: by a key, over the REST API, by a search.
    LoadChanged {
        /// Runs whose load was changed.
        runs: Vec<LoadChanges>,
    },
    /// Not all runs are of one test.
    OtherTest,
    /// Not all runs were made from one machine with the same CPUs.
    OtherMachine,
    /// The target was set up differently.
    OtherTarget {
        /// Settings that differ.
        changes: Vec<SettingChange>,
    },
    /// In these runs the generator was the bottleneck.
    NotValid {
        /// Names of the runs.
        runs: Vec<String>,
    },
    /// Seconds that are not compared: the start, a warm-up, the end.
    SecondsLeft {
        /// Of the first side.
        before: u64,
        /// Of the second side.
        after: u64,
    },
}

/// What changed the load of a run on its way.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadChanges {
    /// The run's name.
    pub run: String,
    /// Its changes, in order.
    pub changes: Vec<LoadChange>,
}

/// A change of a run's load while it went on.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadChange {
    /// When, in seconds since the load began.
    pub at_seconds: f64,
    /// Who changed it: `key`, `rest-api` or `search`.
    pub by: String,
    /// How: `paused`, `resumed`, `scaled` or `level`.
    pub change: String,
    /// To which share of the plan (`scaled`), or to which load (`level`).
    pub to: Option<f64>,
}

/// A setting of the target that differs between two sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingChange {
    /// Its name.
    pub name: String,
    /// On the first side.
    pub before: String,
    /// On the second side.
    pub after: String,
}
