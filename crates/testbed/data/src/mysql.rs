//! MySQL and MariaDB: reads the schema from `information_schema`, loads rows by INSERT.

use std::collections::BTreeMap;

use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Opts, TxOpts};

use crate::error::{DataError, address_of};
use crate::mark::is_marked;
use crate::rows::Rows;
use crate::schema::{Column, ColumnKind, DatabaseSchema, ForeignKey, Table};
use crate::write::{Quotes, inserts};

/// A connection to a test database.
pub struct Mysql {
    conn: Conn,
    schema: String,
}

/// A row of `information_schema.columns`.
type ColumnRow = (
    String,
    String,
    String,
    String,
    Option<u64>,
    String,
    Option<String>,
    String,
);

impl Mysql {
    /// Connects. Must be called inside a tokio runtime.
    ///
    /// # Errors
    /// [`DataError::NotMarked`] unless the database is one for tests; the server's.
    pub async fn connect(url: &str, schema: Option<&str>) -> Result<Self, DataError> {
        let opts = Opts::from_url(url).map_err(mysql_async::Error::from)?;
        let mut conn = Conn::new(opts)
            .await
            .map_err(|error| DataError::mysql(address_of(url), &error))?;
        let current: Option<Option<String>> = conn.query_first("SELECT DATABASE()").await?;
        let name = schema
            .map(str::to_owned)
            .or(current.flatten())
            .unwrap_or_default();
        let mut own = Self { conn, schema: name };
        own.check_mark().await?;
        Ok(own)
    }

    async fn check_mark(&mut self) -> Result<(), DataError> {
        let tables: Vec<String> = self
            .conn
            .exec(
                "SELECT table_name FROM information_schema.tables WHERE table_schema = ?",
                (&self.schema,),
            )
            .await?;
        if is_marked(&self.schema, None, &tables) {
            Ok(())
        } else {
            Err(DataError::NotMarked {
                name: self.schema.clone(),
            })
        }
    }

    /// Reads the tables.
    ///
    /// # Errors
    /// The server's.
    pub async fn schema(&mut self) -> Result<DatabaseSchema, DataError> {
        let mut tables: BTreeMap<String, Table> = BTreeMap::new();
        let columns: Vec<ColumnRow> = self
            .conn
            .exec(
                "SELECT table_name, column_name, data_type, column_type, character_maximum_length, \
                 is_nullable, column_default, extra FROM information_schema.columns \
                 WHERE table_schema = ? ORDER BY table_name, ordinal_position",
                (&self.schema,),
            )
            .await?;
        for (table, name, kind, whole, length, nullable, default, extra) in columns {
            let entry = tables.entry(table.clone()).or_insert_with(|| Table {
                name: table,
                ..Table::default()
            });
            if extra.to_ascii_uppercase().contains("GENERATED")
                && !extra.contains("DEFAULT_GENERATED")
            {
                continue;
            }
            entry.columns.push(Column {
                name,
                kind: kind_of(&kind, &whole, length),
                nullable: nullable == "YES",
                has_default: default.is_some(),
                is_serial: extra.contains("auto_increment"),
            });
        }
        let unique: Vec<(String, String, String)> = self
            .conn
            .exec(
                "SELECT table_name, index_name, column_name FROM information_schema.statistics \
                 WHERE table_schema = ? AND non_unique = 0 ORDER BY table_name, index_name, seq_in_index",
                (&self.schema,),
            )
            .await?;
        let mut keys: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
        for (table, index, column) in unique {
            keys.entry((table, index)).or_default().push(column);
        }
        for ((table, _), columns) in keys {
            if let Some(table) = tables.get_mut(&table) {
                table.unique.push(columns);
            }
        }
        self.foreign(&mut tables).await?;
        Ok(DatabaseSchema {
            tables: tables.into_values().collect(),
        })
    }

    async fn foreign(&mut self, tables: &mut BTreeMap<String, Table>) -> Result<(), DataError> {
        let rows: Vec<(String, String, String, String, String)> = self
            .conn
            .exec(
                "SELECT table_name, constraint_name, column_name, referenced_table_name, \
                 referenced_column_name FROM information_schema.key_column_usage \
                 WHERE table_schema = ? AND referenced_table_name IS NOT NULL \
                 ORDER BY table_name, constraint_name, ordinal_position",
                (&self.schema,),
            )
            .await?;
        let mut keys: BTreeMap<(String, String), ForeignKey> = BTreeMap::new();
        for (table, name, column, parent, parent_column) in rows {
            let key = keys.entry((table, name)).or_insert_with(|| ForeignKey {
                columns: Vec::new(),
                parent,
                parent_columns: Vec::new(),
            });
            key.columns.push(column);
            key.parent_columns.push(parent_column);
        }
        for ((table, _), key) in keys {
            if let Some(table) = tables.get_mut(&table) {
                table.foreign.push(key);
            }
        }
        Ok(())
    }

    /// Empties all tables that get rows, children first.
    ///
    /// # Errors
    /// The server's.
    pub async fn empty(&mut self, rows: &Rows) -> Result<(), DataError> {
        let mut names: Vec<&str> = rows.tables().map(|t| t.table().name.as_str()).collect();
        names.reverse();
        for name in names {
            let text = format!("DELETE FROM {}", Quotes::Back.name(name));
            self.conn.query_drop(text).await?;
        }
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
            let text = format!("SELECT COUNT(*) FROM {}", Quotes::Back.name(name));
            let count: Option<u64> = self.conn.query_first(text).await?;
            if let Some(rows) = count.filter(|rows| *rows > 0) {
                return Err(DataError::NotEmpty {
                    table: name.clone(),
                    rows,
                });
            }
        }
        // If it is dropped without a commit, it is rolled back.
        let mut transaction = self.conn.start_transaction(TxOpts::default()).await?;
        for table in rows.tables() {
            for text in inserts(table, Quotes::Back) {
                transaction.query_drop(text).await?;
            }
            loaded(&table.table().name, table.count());
        }
        transaction.commit().await?;
        Ok(())
    }
}

/// The kind of a column by its type's name, full form and length.
fn kind_of(kind: &str, whole: &str, length: Option<u64>) -> ColumnKind {
    let length = length
        .and_then(|length| u32::try_from(length).ok())
        .unwrap_or(200);
    let arguments = whole
        .split_once('(')
        .and_then(|(_, rest)| rest.rsplit_once(')'))
        .map_or("", |(arguments, _)| arguments);
    match kind.to_ascii_lowercase().as_str() {
        "tinyint" if arguments == "1" => ColumnKind::Bool,
        "tinyint" => ColumnKind::Int(127),
        "smallint" => ColumnKind::Int(32_767),
        "mediumint" => ColumnKind::Int(8_388_607),
        "int" => ColumnKind::Int(i64::from(i32::MAX)),
        "bigint" => ColumnKind::Int(i64::MAX),
        "year" => ColumnKind::Enum((2000..2025).map(|year: u32| year.to_string()).collect()),
        "decimal" => {
            let mut numbers = arguments
                .split(',')
                .filter_map(|n| n.trim().parse::<u32>().ok());
            let digits = numbers.next().unwrap_or(10);
            let after = numbers.next().unwrap_or(0).min(digits);
            ColumnKind::Decimal(digits - after, after)
        }
        "float" | "double" => ColumnKind::Float,
        "char" | "varchar" | "tinytext" | "text" | "mediumtext" | "longtext" => {
            ColumnKind::Text(length.min(200_000))
        }
        "date" => ColumnKind::Date,
        "datetime" | "timestamp" => ColumnKind::Timestamp,
        "time" => ColumnKind::Time,
        "json" => ColumnKind::Json,
        "binary" | "varbinary" | "tinyblob" | "blob" | "mediumblob" | "longblob" => {
            ColumnKind::Bytes
        }
        "enum" => {
            let values = arguments
                .split(',')
                .map(|text| text.trim().trim_matches('\''));
            ColumnKind::Enum(values.map(str::to_owned).collect())
        }
        _ => ColumnKind::Unknown(whole.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_known_by_their_names() {
        assert_eq!(
            kind_of("varchar", "varchar(30)", Some(30)),
            ColumnKind::Text(30)
        );
        assert_eq!(kind_of("tinyint", "tinyint(1)", None), ColumnKind::Bool);
        assert_eq!(
            kind_of("decimal", "decimal(10,2)", None),
            ColumnKind::Decimal(8, 2)
        );
        assert_eq!(
            kind_of("enum", "enum('a','b')", Some(1)),
            ColumnKind::Enum(vec!["a".to_owned(), "b".to_owned()])
        );
        assert!(matches!(
            kind_of("geometry", "geometry", None),
            ColumnKind::Unknown(_)
        ));
    }
}
