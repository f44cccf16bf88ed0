//! Means of a minute, which a cloud tells of some time after the minute: laid on the minute they are of.

use std::collections::BTreeMap;

use loadline_record::signals::{Entity, SignalKind, SourceNote};

/// What a value is the mean of, ms.
const MINUTE_MS: i64 = 60_000;

/// A mean of a minute.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MinuteValue {
    pub(crate) metric: &'static str,
    pub(crate) kind: SignalKind,
    pub(crate) entity: Entity,
    /// When the minute began, ms since 1970 by the clock of whoever measured it.
    pub(crate) begins_ms: Option<i64>,
    pub(crate) value: f64,
}

/// The minutes that were told of so far.
#[derive(Debug, Default)]
pub(crate) struct KnownMinutes {
    /// The newest of each signal, ms since 1970.
    newest: BTreeMap<(SignalKind, Entity), i64>,
    /// By how much the latest value came after its minute, ms: as seen when it came, else as old as it was at the first
    /// look.
    late_ms: Option<i64>,
    has_seen_one_come: bool,
}

impl KnownMinutes {
    /// Values of minutes that nothing was told of before, each with when it began, ms since the run's start, which
    /// was at `started_ms` of the same clock. What began before it is no part of the run.
    pub(crate) fn take(
        &mut self,
        mut told: Vec<MinuteValue>,
        started_ms: i64,
        now_ms: i64,
    ) -> Vec<(u64, SignalKind, Entity, f64)> {
        let is_first = self.newest.is_empty();
        told.sort_by_key(|one| one.begins_ms);
        let before_ms = self.newest.values().max().copied();
        let mut new = Vec::new();
        for one in told {
            let Some(begins) = one.begins_ms else {
                continue;
            };
            let key = (one.kind, one.entity);
            let known = self.newest.get(&key).copied();
            if known.is_some_and(|known| known >= begins) {
                continue;
            }
            self.newest.insert(key.clone(), begins);
            let run_ms = u64::try_from(begins.saturating_sub(started_ms));
            if let Ok(run_ms) = run_ms {
                new.push((run_ms, key.0, key.1, one.value));
            }
        }
        let newest_ms = self.newest.values().max().copied();
        if newest_ms > before_ms {
            self.see_come(newest_ms, is_first, now_ms);
        }
        new
    }

    fn see_come(&mut self, newest_ms: Option<i64>, is_first: bool, now_ms: i64) {
        let late = newest_ms.map(|newest| (now_ms - newest - MINUTE_MS).max(0));
        // What was there at the first look came at some time before.
        self.late_ms = if is_first || self.has_seen_one_come {
            self.late_ms.max(late)
        } else {
            late
        };
        self.has_seen_one_come |= !is_first;
    }

    /// What is to be known of such values.
    pub(crate) fn note(&self) -> Option<SourceNote> {
        let mut names: Vec<&str> = self.newest.keys().map(|(kind, _)| kind.name()).collect();
        names.dedup();
        (!names.is_empty()).then(|| SourceNote::MinuteValues {
            late: u64::try_from(self.late_ms.unwrap_or(0) / 1000).unwrap_or_default(),
            signals: names.join(", "),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(begins_ms: i64, value: f64) -> MinuteValue {
        MinuteValue {
            metric: "aws_rds_cpuutilization_average",
            kind: SignalKind::DatabaseCpuShare,
            entity: Entity::new(),
            begins_ms: Some(begins_ms),
            value,
        }
    }

    #[test]
    fn a_value_is_laid_on_its_minute_once_and_one_from_before_the_run_is_none() {
        let mut known = KnownMinutes::default();
        let started = 1_000_030_000;
        assert_eq!(
            known.take(vec![value(1_000_000_000, 0.2)], started, 1_000_130_000),
            []
        );
        let two = || vec![value(1_000_120_000, 0.9), value(1_000_060_000, 0.8)];
        let told = known.take(two(), started, 1_000_250_000);
        let told: Vec<(u64, f64)> = told.iter().map(|one| (one.0, one.3)).collect();
        assert_eq!(told, [(30_000, 0.8), (90_000, 0.9)]);
        assert_eq!(known.take(two(), started, 1_000_251_000), []);
        let late = SourceNote::MinuteValues {
            late: 70,
            signals: "database-cpu-share".to_owned(),
        };
        assert_eq!(known.note(), Some(late));
    }
}
