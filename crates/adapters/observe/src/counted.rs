//! Statements that a database counts: which of them ran while it is looked at, and what they cost.

use std::collections::BTreeMap;

use loadline_record::signals::{Entity, Label, SignalKind};

use crate::reading::Reading;
use crate::statement::without_literals;

/// Most statements that are told.
const STATEMENTS_MAX: usize = 100;

/// The counts of one statement so far.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct StatementCounts {
    pub(crate) calls: f64,
    pub(crate) seconds: f64,
    /// Returned or changed.
    pub(crate) rows: f64,
    /// Blocks it looked at, where the database counts them.
    pub(crate) blocks: Option<f64>,
    /// Rows it looked at, where the database counts them.
    pub(crate) examined: Option<f64>,
}

/// All counts, by the database's number of the statement.
pub(crate) type AllCounts = BTreeMap<String, StatementCounts>;

/// The statements seen so far.
#[derive(Debug, Default)]
pub(crate) struct StatementTracker {
    last: Option<AllCounts>,
    /// Those that ran, with what they are called; `None` for those of the look itself.
    told: BTreeMap<String, Option<Entity>>,
}

impl StatementTracker {
    /// Statements whose texts are needed, the one that took longest first: they ran since the look before,
    /// and not in an earlier one.
    pub(crate) fn unknown(&self, now: &AllCounts) -> Vec<String> {
        let Some(last) = &self.last else {
            return Vec::new();
        };
        let room = STATEMENTS_MAX.saturating_sub(self.told.len());
        let began = began(last, now).into_iter();
        began
            .filter(|id| !self.told.contains_key(id))
            .take(room)
            .collect()
    }

    /// Takes a statement's text, `None` for one of the look itself.
    pub(crate) fn name(&mut self, id: &str, text: Option<&str>, reading: &mut Reading) {
        let entity = text.map(|text| {
            Entity::new()
                .with(Label::Statement, &without_literals(text))
                .with(Label::StatementId, id)
        });
        if let Some(entity) = &entity {
            let last = self.last.as_ref().and_then(|last| last.get(id));
            let nothing = |counts: &StatementCounts| StatementCounts {
                blocks: counts.blocks.map(|_| 0.0),
                examined: counts.examined.map(|_| 0.0),
                ..StatementCounts::default()
            };
            let all = self.last.as_ref().and_then(|last| last.values().next());
            let before = last.copied().or_else(|| all.map(nothing));
            give(before.unwrap_or_default(), entity, |kind, entity, value| {
                reading.add_before(kind, entity, value);
            });
        }
        self.told.insert(id.to_owned(), entity);
    }

    /// Tells all that ran in this look or an earlier one.
    pub(crate) fn give(&mut self, now: AllCounts, reading: &mut Reading) {
        for (id, entity) in &self.told {
            if let (Some(counts), Some(entity)) = (now.get(id), entity) {
                give(*counts, entity, |kind, entity, value| {
                    reading.add(kind, entity, value);
                });
            }
        }
        self.last = Some(now);
    }
}

/// Statements that ran between two looks, those that took longest first.
fn began(last: &AllCounts, now: &AllCounts) -> Vec<String> {
    let mut grown: Vec<(f64, &String)> = now
        .iter()
        .filter_map(|(id, counts)| {
            let before = last.get(id).copied().unwrap_or_default();
            let ran = (counts.calls - before.calls).abs() > 0.5;
            ran.then_some((counts.seconds - before.seconds, id))
        })
        .collect();
    grown.sort_by(|a, b| b.0.total_cmp(&a.0));
    grown.into_iter().map(|(_, id)| id.clone()).collect()
}

fn give(counts: StatementCounts, entity: &Entity, mut add: impl FnMut(SignalKind, Entity, f64)) {
    let values = [
        (SignalKind::StatementCalls, Some(counts.calls)),
        (SignalKind::StatementTime, Some(counts.seconds)),
        (SignalKind::StatementRows, Some(counts.rows)),
        (SignalKind::StatementBlocks, counts.blocks),
        (SignalKind::StatementExamined, counts.examined),
    ];
    for (kind, value) in values {
        if let Some(value) = value {
            add(kind, entity.clone(), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(calls: f64, seconds: f64) -> StatementCounts {
        StatementCounts {
            calls,
            seconds,
            blocks: Some(1.0),
            ..StatementCounts::default()
        }
    }

    fn all(list: &[(&str, StatementCounts)]) -> AllCounts {
        let all = list.iter().map(|(id, counts)| ((*id).to_owned(), *counts));
        all.collect()
    }

    #[test]
    fn statements_that_ran_are_told_the_longest_first() {
        let mut tracker = StatementTracker::default();
        let first = all(&[("1", counts(5.0, 0.01)), ("2", counts(1.0, 0.001))]);
        assert!(tracker.unknown(&first).is_empty(), "they ran before");
        tracker.give(first, &mut Reading::default());
        let now = all(&[
            ("1", counts(6.0, 0.012)),
            ("2", counts(1.0, 0.001)),
            ("3", counts(1.0, 0.05)),
        ]);
        assert_eq!(tracker.unknown(&now), ["3", "1"]);
        let mut reading = Reading::default();
        tracker.name("3", Some("SELECT 's3cret'"), &mut reading);
        tracker.name("1", None, &mut reading);
        tracker.give(now.clone(), &mut reading);
        assert!(tracker.unknown(&now).is_empty());
        let kinds: Vec<_> = reading
            .before
            .iter()
            .map(|(kind, _, v)| (kind.name(), *v))
            .collect();
        let expected = [
            "statement-calls",
            "statement-time",
            "statement-rows",
            "statement-blocks",
        ];
        assert_eq!(
            kinds,
            expected.map(|name| (name, 0.0)),
            "there was none before"
        );
        assert_eq!(reading.values.len(), 4);
        let text = reading.values[0].1.get(Label::Statement);
        assert_eq!(text, Some("SELECT ?"));
    }
}
