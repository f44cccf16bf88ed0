//! PostgreSQL: reads the schema from its catalogue, loads rows by COPY.

use std::collections::BTreeMap;

use bytes::Bytes;
use futures_util::SinkExt;
use tokio_postgres::{Client, NoTls};

use crate::error::{DataError, address_of};
use crate::mark::is_marked;
use crate::rows::{Rows, TableRows};
use crate::schema::{Column, ColumnKind, DatabaseSchema, ForeignKey, Table};
use crate::write::{Quotes, columns, copy_row};

/// How many bytes of COPY data are sent at a time.
const CHUNK_BYTES: usize = 256 * 1024;

const COLUMNS: &str = "\
SELECT c.relname::text, a.attname::text,
       format_type(CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE a.atttypid END,
                   CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END),
       a.attnotnull OR t.typnotnull,
       COALESCE(pg_get_expr(d.adbin, d.adrelid), ''),
       a.attidentity::text, a.attgenerated::text,
       COALESCE((SELECT array_agg(e.enumlabel::text ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid), '{}')
FROM pg_attribute a
JOIN pg_class c ON c.oid = a.attrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY c.relname, a.attnum";

/// Unique indexes include those of primary keys and unique constraints.
const UNIQUE: &str = "\
SELECT c.relname::text,
       (SELECT array_agg(a.attname::text ORDER BY k.place)
        FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, place)
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
        WHERE k.place <= i.indnkeyatts)
FROM pg_index i
JOIN pg_class c ON c.oid = i.indrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = $1 AND i.indisunique AND i.indpred IS NULL AND i.indexprs IS NULL
ORDER BY c.relname, i.indisprimary DESC, i.indexrelid";

const FOREIGN: &str = "\
SELECT c.relname::text, p.relname::text,
       (SELECT array_agg(a.attname::text ORDER BY k.place) FROM unnest(f.conkey) WITH ORDINALITY AS k(number, place)
        JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.number),
       (SELECT array_agg(a.attname::text ORDER BY k.place) FROM unnest(f.confkey) WITH ORDINALITY AS k(number, place)
        JOIN pg_attribute a ON a.attrelid = f.confrelid AND a.attnum = k.number)
FROM pg_constraint f
JOIN pg_class c ON c.oid = f.conrelid
JOIN pg_class p ON p.oid = f.confrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE f.contype = 'f' AND n.nspname = $1
ORDER BY c.relname, f.conname";

/// A connection to a test database.
pub struct Postgres {
    client: Client,
    schema: String,
}

impl Postgres {
    /// Connects. Must be called inside a tokio runtime.
    ///
    /// # Errors
    /// [`DataError::NotMarked`] unless the database is one for tests; the server's.
    pub async fn connect(url: &str, schema: Option<&str>) -> Result<Self, DataError> {
        let (client, connection) = tokio_postgres::connect(url, NoTls)
            .await
            .map_err(|error| DataError::postgres(address_of(url), &error))?;
        // The next query reports why the connection broke.
        tokio::spawn(connection);
        let own = Self {
            client,
            schema: schema.unwrap_or("public").to_owned(),
        };
        own.check_mark().await?;
        Ok(own)
    }

    async fn check_mark(&self) -> Result<(), DataError> {
        let row = self
            .client
            .query_one(
                "SELECT current_database()::text, shobj_description(oid, 'pg_database') \
                 FROM pg_database WHERE datname = current_database()",
                &[],
            )
            .await?;
        let (name, comment): (String, Option<String>) = (row.get(0), row.get(1));
        let tables = self
            .client
            .query(
                "SELECT table_name::text FROM information_schema.tables WHERE table_schema = $1",
                &[&self.schema],
            )
            .await?;
        let tables: Vec<String> = tables.iter().map(|row| row.get(0)).collect();
        if is_marked(&name, comment.as_deref(), &tables) {
            Ok(())
        } else {
            Err(DataError::NotMarked { name })
        }
    }

    /// Reads the tables.
    ///
    /// # Errors
    /// The server's.
    pub async fn schema(&self) -> Result<DatabaseSchema, DataError> {
        let mut tables: BTreeMap<String, Table> = BTreeMap::new();
        for row in self.client.query(COLUMNS, &[&self.schema]).await? {
            let (table, name, kind): (String, String, String) =
                (row.get(0), row.get(1), row.get(2));
            let (default, identity): (String, String) = (row.get(4), row.get(5));
            let (generated, labels): (String, Vec<String>) = (row.get(6), row.get(7));
            let entry = tables.entry(table.clone()).or_insert_with(|| Table {
                name: table,
                ..Table::default()
            });
            if !generated.is_empty() {
                continue;
            }
            let is_serial = !identity.is_empty() || default.starts_with("nextval(");
            entry.columns.push(Column {
                name,
                kind: if labels.is_empty() {
                    kind_of(&kind)
                } else {
                    ColumnKind::Enum(labels)
                },
                nullable: !row.get::<_, bool>(3),
                has_default: !default.is_empty(),
                is_serial,
            });
        }
        for row in self.client.query(UNIQUE, &[&self.schema]).await? {
            let (table, columns): (String, Option<Vec<String>>) = (row.get(0), row.get(1));
            if let (Some(table), Some(columns)) = (tables.get_mut(&table), columns) {
                table.unique.push(columns);
            }
        }
        for row in self.client.query(FOREIGN, &[&self.schema]).await? {
            let table: String = row.get(0);
            if let Some(table) = tables.get_mut(&table) {
                table.foreign.push(ForeignKey {
                    parent: row.get(1),
                    columns: row.get(2),
                    parent_columns: row.get(3),
                });
            }
        }
        Ok(DatabaseSchema {
            tables: tables.into_values().collect(),
        })
    }

    fn name(&self, table: &str) -> String {
        let quotes = Quotes::Double;
        format!("{}.{}", quotes.name(&self.schema), quotes.name(table))
    }

    /// Empties all tables that get rows, and those that refer to them.
    ///
    /// # Errors
    /// The server's.
    pub async fn empty(&self, rows: &Rows) -> Result<(), DataError> {
        let names: Vec<String> = rows.tables().map(|t| self.name(&t.table().name)).collect();
        let text = format!("TRUNCATE {} RESTART IDENTITY CASCADE", names.join(", "));
        self.client.batch_execute(&text).await?;
        Ok(())
    }

    /// Loads all rows in one transaction; calls `loaded` after each table.
    ///
    /// # Errors
    /// [`DataError::NotEmpty`], or the server's; then nothing is loaded.
    pub async fn load(
        &mut self,
        rows: &Rows,
        mut loaded: impl FnMut(&str, u64),
    ) -> Result<(), DataError> {
        for table in rows.tables() {
            let name = &table.table().name;
            let text = format!("SELECT count(*) FROM {}", self.name(name));
            let count: i64 = self.client.query_one(&text, &[]).await?.get(0);
            if count > 0 {
                return Err(DataError::NotEmpty {
                    table: name.clone(),
                    rows: count.unsigned_abs(),
                });
            }
        }
        self.client.batch_execute("BEGIN").await?;
        for table in rows.tables() {
            if let Err(error) = self.copy(&table).await {
                // The first error is the one to report.
                let _ = self.client.batch_execute("ROLLBACK").await;
                return Err(error);
            }
            loaded(&table.table().name, table.count());
        }
        self.client.batch_execute("COMMIT").await?;
        for table in rows.tables() {
            self.advance_sequences(&table).await?;
            let text = format!("ANALYZE {}", self.name(&table.table().name));
            self.client.batch_execute(&text).await?;
        }
        Ok(())
    }

    async fn copy(&self, table: &TableRows<'_>) -> Result<(), DataError> {
        let text = format!(
            "COPY {} ({}) FROM STDIN",
            self.name(&table.table().name),
            columns(table, Quotes::Double)
        );
        let sink = self.client.copy_in::<_, Bytes>(&text).await?;
        let mut sink = std::pin::pin!(sink);
        let mut chunk = String::with_capacity(CHUNK_BYTES + 4096);
        for row in 0..table.count() {
            copy_row(&table.row(row), &mut chunk);
            if chunk.len() >= CHUNK_BYTES {
                sink.send(Bytes::from(std::mem::take(&mut chunk))).await?;
                chunk.reserve(CHUNK_BYTES + 4096);
            }
        }
        sink.send(Bytes::from(chunk)).await?;
        sink.finish().await?;
        Ok(())
    }

    /// The next row that the application inserts must not get a used number.
    async fn advance_sequences(&self, table: &TableRows<'_>) -> Result<(), DataError> {
        for column in table
            .table()
            .columns
            .iter()
            .filter(|column| column.is_serial)
        {
            let name = self.name(&table.table().name);
            let text = format!(
                "SELECT setval(s, GREATEST((SELECT COALESCE(max({column}), 0) FROM {name}), 1)) \
                 FROM pg_get_serial_sequence($1::text, $2::text) AS s WHERE s IS NOT NULL",
                column = Quotes::Double.name(&column.name)
            );
            self.client.query(&text, &[&name, &column.name]).await?;
        }
        Ok(())
    }
}

/// The kind of a column by its type as `format_type` writes it.
fn kind_of(text: &str) -> ColumnKind {
    let (base, arguments) = match text.split_once('(') {
        Some((base, rest)) => (base.trim(), rest.split(')').next().unwrap_or_default()),
        None => (text, ""),
    };
    let mut numbers = arguments
        .split(',')
        .filter_map(|n| n.trim().parse::<u32>().ok());
    let first = numbers.next();
    match base {
        "smallint" => ColumnKind::Int(i64::from(i16::MAX)),
        "integer" => ColumnKind::Int(i64::from(i32::MAX)),
        "bigint" => ColumnKind::Int(i64::MAX),
        "numeric" => {
            let digits = first.unwrap_or(10);
            let after = numbers.next().unwrap_or(0).min(digits);
            ColumnKind::Decimal(digits - after, after)
        }
        "real" | "double precision" => ColumnKind::Float,
        "character varying" | "character" | "text" | "citext" => {
            ColumnKind::Text(first.unwrap_or(200))
        }
        "boolean" => ColumnKind::Bool,
        "date" => ColumnKind::Date,
        "uuid" => ColumnKind::Uuid,
        "json" | "jsonb" => ColumnKind::Json,
        "bytea" => ColumnKind::Bytes,
        other if other.starts_with("timestamp") => ColumnKind::Timestamp,
        other if other.starts_with("time") => ColumnKind::Time,
        _ => ColumnKind::Unknown(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_known_by_their_names() {
        assert_eq!(kind_of("character varying(30)"), ColumnKind::Text(30));
        assert_eq!(kind_of("numeric(10,2)"), ColumnKind::Decimal(8, 2));
        assert_eq!(
            kind_of("timestamp(6) without time zone"),
            ColumnKind::Timestamp
        );
        assert_eq!(kind_of("timestamp with time zone"), ColumnKind::Timestamp);
        assert_eq!(kind_of("bigint"), ColumnKind::Int(i64::MAX));
        assert_eq!(
            kind_of("tsvector"),
            ColumnKind::Unknown("tsvector".to_owned())
        );
    }
}
