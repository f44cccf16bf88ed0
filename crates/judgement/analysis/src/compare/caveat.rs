//! What keeps two sides from being alike, whatever their figures say.

use std::collections::{BTreeMap, BTreeSet};

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
    /// Sources told something of the target on one side only.
    OneSideObserved {
        /// Runs of the first side that were observed.
        before: u64,
        /// Runs of the second side likewise.
        after: u64,
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

/// How a target was set up, by the settings' names.
pub type TargetSettings = BTreeMap<String, String>;

/// Settings that both sides know and that differ, between them or among the runs of a side.
#[must_use]
pub fn setting_changes(before: &[TargetSettings], after: &[TargetSettings]) -> Vec<SettingChange> {
    let values = |side: &[TargetSettings], name: &String| -> BTreeSet<String> {
        let known = side.iter().filter_map(|setup| setup.get(name));
        known.cloned().collect()
    };
    let names: BTreeSet<&String> = before.iter().flat_map(BTreeMap::keys).collect();
    let changes = names.into_iter().filter_map(|name| {
        let (a, b) = (values(before, name), values(after, name));
        let is_known = !a.is_empty() && !b.is_empty();
        let written = |values: BTreeSet<String>| Vec::from_iter(values).join(" | ");
        (is_known && (a != b || a.len() > 1)).then(|| SettingChange {
            name: name.clone(),
            before: written(a),
            after: written(b),
        })
    });
    changes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(settings: &[(&str, &str)]) -> TargetSettings {
        let owned = settings
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        owned.collect()
    }

    #[test]
    fn what_differs_between_sides_or_among_the_runs_of_one_is_named() {
        let ten = setup(&[("pool", "10"), ("jvm", "17"), ("heap", "512m")]);
        let thirty = setup(&[("pool", "30"), ("jvm", "17")]);
        let changes = setting_changes(std::slice::from_ref(&ten), std::slice::from_ref(&thirty));
        let told = |changes: &[SettingChange]| -> Vec<String> {
            let lines = changes
                .iter()
                .map(|one| format!("{} {} {}", one.name, one.before, one.after));
            lines.collect()
        };
        assert_eq!(told(&changes), ["pool 10 30"]);
        let both = [ten.clone(), thirty];
        assert_eq!(
            told(&setting_changes(&both, &both)),
            ["pool 10 | 30 10 | 30"]
        );
        assert!(setting_changes(&[ten], &[TargetSettings::new()]).is_empty());
    }
}
