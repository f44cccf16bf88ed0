//! What `pg_stat_statements` counts, of the statements that run while it is looked at.

use std::collections::BTreeMap;

use loadline_record::signals::{Entity, Label, MissingSignal, SignalKind};
use tokio_postgres::Client;

use super::count;
use crate::reading::Reading;

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

/// The statement in one line without comments, and `?` for each literal that the server left in.
fn without_literals(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let is_in_name = plain.ends_with(|c: char| c.is_alphanumeric() || "_$\"".contains(c));
        let (taken, put) = match letter {
            '\'' => (quoted(rest, '\''), "?"),
            '/' if rest.starts_with("/*") => (until(rest, "*/"), " "),
            '-' if rest.starts_with("--") => (until(rest, "\n"), " "),
            '$' if !is_in_name => match dollar_quoted(rest) {
                Some(length) => (length, "?"),
                // A place for a value: `$1`.
                None => {
                    let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                    plain.push_str(&rest[..=digits]);
                    rest = &rest[digits + 1..];
                    continue;
                }
            },
            '"' => {
                let name = quoted(rest, '"');
                plain.push_str(&rest[..name]);
                rest = &rest[name..];
                continue;
            }
            '0'..='9' if !is_in_name => (number(rest), "?"),
            c if c.is_whitespace() => (c.len_utf8(), " "),
            c => {
                plain.push(c);
                rest = &rest[c.len_utf8()..];
                continue;
            }
        };
        if put != " " || !(plain.is_empty() || plain.ends_with(' ')) {
            plain.push_str(put);
        }
        rest = &rest[taken..];
    }
    plain.trim_end().to_owned()
}

/// The length of a quoted text; a doubled quote is part of it, and one never closed is all.
fn quoted(text: &str, quote: char) -> usize {
    let mut letters = text.char_indices().skip(1).peekable();
    while let Some((place, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            _ if letter == quote => match letters.peek() {
                Some((_, next)) if *next == quote => drop(letters.next()),
                _ => return place + 1,
            },
            _ => {}
        }
    }
    text.len()
}

fn until(text: &str, end: &str) -> usize {
    text.find(end).map_or(text.len(), |place| place + end.len())
}

/// The length of `$tag$...$tag$`.
fn dollar_quoted(text: &str) -> Option<usize> {
    let tag = text[1..].find('$').map(|end| &text[..end + 2])?;
    let is_tag = tag[1..tag.len() - 1]
        .chars()
        .all(|c| c.is_alphanumeric() || c == '_');
    if !is_tag || tag[1..].starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let body = &text[tag.len()..];
    Some(body.find(tag).map_or(text.len(), |end| end + 2 * tag.len()))
}

fn number(text: &str) -> usize {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '.';
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_literal_and_no_comment_is_kept() {
        let cases = [
            (
                "select *\n  from a1 where id = $1",
                "select * from a1 where id = $1",
            ),
            (
                "ALTER ROLE x PASSWORD 'it''s s3cret'",
                "ALTER ROLE x PASSWORD ?",
            ),
            ("SELECT E'a\\'b', 12.5e3, x2, -7", "SELECT E?, ?, x2, -?"),
            (
                "/* trace=1 */ SELECT 1 -- s3cret\nFROM t",
                "SELECT ? FROM t",
            ),
            ("DO $body$ secret $body$; x", "DO ?; x"),
            ("SET a = 'never closed", "SET a = ?"),
            (
                "insert into \"t 1\" values ($1,$2)",
                "insert into \"t 1\" values ($1,$2)",
            ),
        ];
        for (text, plain) in cases {
            assert_eq!(without_literals(text), plain);
        }
    }

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
