//! What `pg_stat_statements` counts.

use loadline_record::signals::{MissingSignal, SignalKind};
use tokio_postgres::{Client, Row};

use super::count;
use super::sessions::grant;
use crate::counted::{AllCounts, StatementCounts, StatementTracker};
use crate::reading::Reading;

/// How statements are switched on.
const SWITCH: &str = "shared_preload_libraries = 'pg_stat_statements' (restart), then CREATE EXTENSION pg_stat_statements";

/// The same where the library is loaded, as managed servers load it.
const CREATE: &str = "CREATE EXTENSION pg_stat_statements;";

/// Whether this database has the extension. Its library defines a setting as soon as the server loads it.
const HAS: &str = "
    SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_stat_statements'),
           EXISTS (SELECT FROM pg_settings WHERE name = 'pg_stat_statements.max')";

/// Without texts, which the server would read from a file each time. Statements of others have no number for a role
/// that may not see them.
const COUNTS: &str = "
    SELECT queryid::text, sum(calls)::int8, sum(total_exec_time)::float8, sum(rows)::int8,
           sum(shared_blks_hit + shared_blks_read)::int8
    FROM pg_stat_statements(false)
    GROUP BY queryid";

const TEXT: &str =
    "SELECT left(query, 4000) FROM pg_stat_statements WHERE queryid::text = $1 LIMIT 1";

/// Tells what ran since the look before, and all that was told before.
pub(super) async fn look(
    tracker: &mut StatementTracker,
    client: &Client,
    reading: &mut Reading,
) -> Result<Option<MissingSignal>, tokio_postgres::Error> {
    let row = client.query_one(HAS, &[]).await?;
    let is_created: bool = row.get(0);
    let is_loaded: bool = row.get(1);
    let missing = |setting: &str| Some(MissingSignal::new(SignalKind::StatementTime, setting));
    if !is_created {
        return Ok(missing(if is_loaded { CREATE } else { SWITCH }));
    }
    let Ok(rows) = client.query(COUNTS, &[]).await else {
        // The extension is there and its library is not loaded.
        return Ok(missing(SWITCH));
    };
    let known = rows
        .iter()
        .filter_map(|row| Some((row.get::<_, Option<String>>(0)?, counts(row))));
    let now: AllCounts = known.collect();
    let are_hidden = now.len() < rows.len();
    for id in tracker.unknown(&now) {
        let text = client.query_opt(TEXT, &[&id]).await?;
        let text = text.map(|row| row.get::<_, String>(0)).unwrap_or_default();
        let own = ["pg_stat_", "pg_settings", "pg_extension"];
        let is_own = own.iter().any(|table| text.contains(table));
        tracker.name(&id, (!is_own).then_some(text.as_str()), reading);
    }
    tracker.give(now, reading);
    if are_hidden {
        return Ok(missing(&grant(client).await?));
    }
    Ok(None)
}

fn counts(row: &Row) -> StatementCounts {
    StatementCounts {
        calls: count(row.get(1)),
        seconds: row.get::<_, f64>(2) / 1000.0,
        rows: count(row.get(3)),
        blocks: Some(count(row.get(4))),
        examined: None,
    }
}
