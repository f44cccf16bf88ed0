//! What is known of the target of a stored run: how it was set up, and what it used.

use loadline_analysis::compare::TargetSettings;
use loadline_explain::{Evidence, explain, usage};
use loadline_record::LimitVerdict;
use loadline_store::{Store, StoreError, StoredRun};

use crate::explanation;

/// What is known of a run's target.
pub(super) struct ComparedTarget {
    /// How it was set up; nothing without signals.
    pub(super) setup: TargetSettings,
    /// What it used.
    pub(super) used: Vec<Evidence>,
    /// Sources told something of it.
    pub(super) is_observed: bool,
    /// What limits.
    pub(super) limit: LimitVerdict,
}

impl ComparedTarget {
    pub(super) fn read(store: &Store, run: &StoredRun) -> Result<Self, StoreError> {
        let explained = explanation::of_stored(store, run)?;
        let is_observed = !explained.signals.is_empty();
        let used = if is_observed {
            usage(&explained)
        } else {
            Vec::new()
        };
        Ok(Self {
            setup: explained.signals.setup(),
            used,
            is_observed,
            limit: explanation::in_short(run, &explained, &explain(&explained, &[])),
        })
    }
}

#[cfg(test)]
mod tests {
    use loadline_analysis::compare::setting_changes;
    use loadline_record::signals::{Entity, Label, SignalKind, Signals, TargetSetting};

    fn signals(pool: f64, version: &str) -> Signals {
        let mut signals = Signals::default();
        let of = Entity::new()
            .with(Label::Pool, "main")
            .with(Label::Instance, &format!("10.0.0.1:{pool}"));
        signals.push(SignalKind::PoolMax, &of, 0, pool);
        signals.push(SignalKind::HeapMax, &Entity::new(), 0, 512.0 * 1_048_576.0);
        signals.set(TargetSetting::new("jvm.version", version, Entity::new()));
        signals.set(TargetSetting::new("log.sample", version, Entity::new()));
        signals
    }

    #[test]
    fn sizes_and_versions_that_differ_are_told_and_nothing_else() {
        let before = [signals(10.0, "17.0.15").setup()];
        let after = [signals(30.0, "21.0.7").setup()];
        let changed = setting_changes(&before, &after);
        let told: Vec<(&str, &str, &str)> = changed
            .iter()
            .map(|one| (one.name.as_str(), one.before.as_str(), one.after.as_str()))
            .collect();
        assert_eq!(
            told,
            [
                ("jvm.version", "17.0.15", "21.0.7"),
                ("pool-max (pool=main)", "10", "30"),
            ]
        );
        assert_eq!(setting_changes(&before, &before), []);
    }
}
