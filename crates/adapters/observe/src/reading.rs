//! What one look at a source gave.

use loadline_record::signals::{Entity, SignalKind, SourceStatus, TargetSetting};

use crate::answering::Answering;

/// The values of one reading, each with what it is about.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading {
    pub(crate) values: Vec<(SignalKind, Entity, f64)>,
    /// Values at the reading before, of counters that nothing was told of then.
    pub(crate) before: Vec<(SignalKind, Entity, f64)>,
    /// Values that the source read itself, and when, ms since the run's start.
    pub(crate) dated: Vec<(u64, SignalKind, Entity, f64)>,
    /// What it gave of each of several things, by where that listens.
    pub(crate) parts: Vec<(String, Reading)>,
    /// Sources behind the source, as they fared so far.
    pub(crate) sources: Vec<SourceStatus>,
    pub(crate) settings: Vec<TargetSetting>,
    /// The process that `values` and `before` are of, where it tells which it is.
    pub(crate) answering: Option<Answering>,
    /// When it was so, ms since the run's start; without it, in the middle of the look.
    pub(crate) at_ms: Option<u64>,
}

impl Reading {
    /// Adds to a value, which begins at zero.
    pub(crate) fn add(&mut self, kind: SignalKind, entity: Entity, value: f64) {
        let same = |(k, e, _): &&mut (SignalKind, Entity, f64)| *k == kind && *e == entity;
        match self.values.iter_mut().find(same) {
            Some((_, _, sum)) => *sum += value,
            None => self.values.push((kind, entity, value)),
        }
    }

    /// Takes what a counter was at the reading before.
    pub(crate) fn add_before(&mut self, kind: SignalKind, entity: Entity, value: f64) {
        self.before.push((kind, entity, value));
    }

    /// Whether a kind has a value.
    #[cfg(test)]
    pub(crate) fn has(&self, kind: SignalKind) -> bool {
        self.values.iter().any(|(known, _, _)| *known == kind)
    }

    /// Takes a setting of the target.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        if !value.is_empty() {
            let setting = TargetSetting::new(name, value, Entity::new());
            self.settings.push(setting);
        }
    }
}
