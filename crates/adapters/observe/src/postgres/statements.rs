//! What `pg_stat_statements` counts, of the statements that run while it is looked at.

use std::collections::BTreeMap;

use loadline_record::signals::{Entity, Label, MissingSignal, SignalKind};
use tokio_postgres::Client;

use super::count;
use crate::reading::Reading;
use crate::statement::without_literals;

/// Most statements that are told.
const MOST: usize = 100;
/// How statements are switched on.
const SWITCH: &str = "shared_preload_libraries = 'pg_stat_statements' (restart), then CREATE EXTENSION pg_stat_statements";

const HAS: &str = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_stat_statements')";

/// Without texts, which the server would read from a file each time.
const COUNTS: &str = "
    SELECT queryid, sum(calls)::int8, sum(total_exec_time)::float8, sum(rows)::int8,
           sum(shared_blks_hit + shared_blks_read)::int8
    FROM pg_stat_statements(false)
    WHERE queryid IS NOT NULL
    GROUP BY queryid";

const TEXT: &str = "SELECT left(query, 4000) FROM pg_stat_statements WHERE queryid = $1 LIMIT 1";

/// The counts of one statement.
#[derive(Debug, Clone, Copy, PartialEq)]
struct StatementCounts {
    calls: i64,
    milliseconds: f64,
    rows: i64,
    blocks: i64,
}

/// The statements seen so far.
#[derive(Debug, Default)]
pub(super) struct Statements {
    last: Option<BTreeMap<i64, StatementCounts>>,
    /// Those that ran, with what they are called; `None` for those of the look itself.
    told: BTreeMap<i64, Option<Entity>>,
}

impl Statements {
    /// Tells what ran since the look before, and all that was told before.
    pub(super) async fn look(
        &mut self,
        client: &Client,
        reading: &mut Reading,
    ) -> Result<Option<MissingSignal>, tokio_postgres::Error> {
        let has: bool = client.query_one(HAS, &[]).await?.get(0);
        let rows = match has {
            true => client.query(COUNTS, &[]).await,
            false => {
                let missing = MissingSignal::new(SignalKind::StatementTime, SWITCH);
                return Ok(Some(missing));
            }
        };
        let Ok(rows) = rows else {
            // The extension is there and its library is not loaded.
            return Ok(Some(MissingSignal::new(SignalKind::StatementTime, SWITCH)));
        };
        let now: BTreeMap<i64, StatementCounts> = rows
            .iter()
            .map(|row| {
                let counts = StatementCounts {
                    calls: row.get(1),
                    milliseconds: row.get(2),
                    rows: row.get(3),
                    blocks: row.get(4),
                };
                (row.get(0), counts)
            })
            .collect();
        if let Some(last) = self.last.take() {
            for id in began(&last, &now) {
                if self.told.contains_key(&id) || self.told.len() >= MOST {
                    continue;
                }
                let text = client.query_opt(TEXT, &[&id]).await?;
                let text = text.map(|row| row.get::<_, String>(0)).unwrap_or_default();
                let is_own = text.contains("pg_stat_") || text.contains("pg_settings");
                let entity = (!is_own).then(|| entity(id, &text));
                if let Some(entity) = &entity {
                    let before = last.get(&id).copied().unwrap_or(StatementCounts {
                        calls: 0,
                        milliseconds: 0.0,
                        rows: 0,
                        blocks: 0,
                    });
                    give(before, entity, |kind, entity, value| {
                        reading.add_before(kind, entity, value);
                    });
                }
                self.told.insert(id, entity);
            }
        }
        for (id, entity) in &self.told {
            if let (Some(counts), Some(entity)) = (now.get(id), entity) {
                give(*counts, entity, |kind, entity, value| {
                    reading.add(kind, entity, value);
                });
            }
        }
        self.last = Some(now);
        Ok(None)
    }
}

/// Statements that ran between two looks, those that took longest first.
fn began(last: &BTreeMap<i64, StatementCounts>, now: &BTreeMap<i64, StatementCounts>) -> Vec<i64> {
    let mut grown: Vec<(f64, i64)> = now
        .iter()
        .filter_map(|(id, counts)| {
            let (calls, took) = last.get(id).map_or((0, 0.0), |l| (l.calls, l.milliseconds));
            (counts.calls != calls).then_some((counts.milliseconds - took, *id))
        })
        .collect();
    grown.sort_by(|a, b| b.0.total_cmp(&a.0));
    grown.into_iter().map(|(_, id)| id).collect()
}

fn give(counts: StatementCounts, entity: &Entity, mut add: impl FnMut(SignalKind, Entity, f64)) {
    add(
        SignalKind::StatementCalls,
        entity.clone(),
        count(counts.calls),
    );
    let seconds = counts.milliseconds / 1000.0;
    add(SignalKind::StatementTime, entity.clone(), seconds);
    add(
        SignalKind::StatementRows,
        entity.clone(),
        count(counts.rows),
    );
    add(
        SignalKind::StatementBlocks,
        entity.clone(),
        count(counts.blocks),
    );
}

fn entity(id: i64, text: &str) -> Entity {
    Entity::new()
        .with(Label::Statement, &without_literals(text))
        .with(Label::StatementId, &id.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_that_ran_are_told_the_longest_first() {
        let counts = |calls, milliseconds| StatementCounts {
            calls,
            milliseconds,
            rows: 0,
            blocks: 0,
        };
        let last = BTreeMap::from([(1, counts(5, 10.0)), (2, counts(1, 1.0))]);
        let now = BTreeMap::from([
            (1, counts(6, 12.0)),
            (2, counts(1, 1.0)),
            (3, counts(1, 50.0)),
        ]);
        assert_eq!(began(&last, &now), [3, 1]);
    }
}
