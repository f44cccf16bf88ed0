//! The target's own connections to databases: what tells its sessions there from those of others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Ports of the target's ends, by the port they are connected to.
pub(crate) type Connections = BTreeMap<u16, BTreeSet<u16>>;

/// Shared by the sources of one observer.
#[derive(Debug, Default)]
pub(crate) struct TargetConnections(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// Ports of databases that are looked at.
    wanted: BTreeSet<u16>,
    /// By the process at the top.
    all: BTreeMap<i32, Connections>,
}

impl TargetConnections {
    /// A database listens there.
    pub(crate) fn want(&self, port: u16) {
        self.state().wanted.insert(port);
    }

    pub(crate) fn wanted(&self) -> BTreeSet<u16> {
        self.state().wanted.clone()
    }

    /// Sets the connections of a process and all below it.
    pub(crate) fn set(&self, root: i32, connections: Connections) {
        self.state().all.insert(root, connections);
    }

    /// The ports from which the target is connected to a database.
    pub(crate) fn to(&self, port: u16) -> BTreeSet<u16> {
        let state = self.state();
        let all = state.all.values().filter_map(|own| own.get(&port));
        all.flatten().copied().collect()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Sets stay whole after a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_of_all_observed_processes_are_the_targets() {
        let all = TargetConnections::default();
        all.want(5432);
        assert!(all.to(5432).is_empty());
        let to = |port: u16, from: &[u16]| BTreeMap::from([(port, from.iter().copied().collect())]);
        all.set(1, to(5432, &[40_001, 40_002]));
        all.set(2, to(5432, &[40_003]));
        all.set(3, to(3306, &[40_009]));
        assert_eq!(all.to(5432), BTreeSet::from([40_001, 40_002, 40_003]));
        all.set(1, Connections::new());
        assert_eq!(all.to(5432), BTreeSet::from([40_003]));
    }
}
