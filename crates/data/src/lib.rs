//! Rows at realistic scale for a target's database.
//!
//! [`DataSpec`] says how many rows of which tables; [`DatabaseSchema`] is what the database says of
//! them ([`postgres`], [`mysql`]); [`Rows`] makes every value from seed, table, column and
//! row number, so that keys hold without anything being looked up. [`write`] puts rows
//! into files.
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
pub use spec::{ColumnSpec, DataSpec, IdFileSpec, TableSpec};
pub use value::ColumnValue;
