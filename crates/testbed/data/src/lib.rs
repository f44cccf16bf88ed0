//! Fills a target's database with rows at realistic scale.
//!
//! [`DataSpec`] says how many rows each table gets. [`DatabaseSchema`] is read from the database
//! ([`postgres`], [`mysql`]). [`Rows`] computes every value from seed, table, column and row
//! number, so keys hold without looking anything up. [`write`] writes rows to files.
//!
//! Elsewhere: flags and terminal (`cli`).

mod choice;
mod error;
mod mark;
pub mod mysql;
pub mod postgres;
mod random;
mod rows;
mod schema;
mod spec;
mod value;
pub mod write;

pub use error::DataError;
pub use mark::{COMMENT as MARK_COMMENT, TABLE as MARK_TABLE, is_marked};
pub use rows::{Rows, TableRows};
pub use schema::{Column, ColumnKind, DatabaseSchema, ForeignKey, Table};
pub use spec::{ColumnSpec, DataSpec, IdFileSpec, TableSpec, TextLang};
pub use value::ColumnValue;
