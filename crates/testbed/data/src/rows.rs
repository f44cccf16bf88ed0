//! All rows of all tables, in an order in which every key finds its parent.

use crate::choice::{Choices, NO_PARENT, choose};
use crate::error::DataError;
use crate::random::shuffled;
use crate::schema::{ColumnKind, DatabaseSchema, Table};
use crate::spec::{DataSpec, IdFileSpec};
use crate::value::{ColumnValue, ValueSource, make};

/// Everything that is to be loaded.
#[derive(Debug)]
pub struct Rows {
    spec: DataSpec,
    /// Parents before their children.
    tables: Vec<Prepared>,
}

#[derive(Debug)]
struct Prepared {
    table: Table,
    rows: u64,
    choices: Choices,
    /// By column: whether each of its values must be unique.
    unique: Vec<bool>,
}

/// A table's rows.
#[derive(Debug, Clone, Copy)]
pub struct TableRows<'a> {
    all: &'a Rows,
    index: usize,
}

impl Rows {
    /// Orders the tables and chooses every parent.
    ///
    /// # Errors
    /// [`DataError`] if keys cannot hold.
    pub fn plan(spec: &DataSpec, schema: &DatabaseSchema) -> Result<Self, DataError> {
        let mut tables = Vec::new();
        for name in spec.tables.keys() {
            let table = schema
                .table(name)
                .ok_or_else(|| DataError::NoTable(name.clone()))?;
            tables.push(without_missing(spec, table)?);
        }
        let tables = in_order(tables)?;
        let rows_of = |name: &str| spec.tables.get(name).map(|table| table.rows);
        let prepared = tables.into_iter().map(|table| {
            let rows = rows_of(&table.name).unwrap_or(0);
            check_kinds(spec, &table)?;
            let choices = choose(spec, &table, rows, &rows_of)?;
            let unique = unique_columns(&table);
            Ok(Prepared {
                table,
                rows,
                choices,
                unique,
            })
        });
        let tables = prepared.collect::<Result<_, DataError>>()?;
        Ok(Self {
            spec: spec.clone(),
            tables,
        })
    }

    /// Each table's rows, parents before their children.
    pub fn tables(&self) -> impl Iterator<Item = TableRows<'_>> {
        (0..self.tables.len()).map(|index| TableRows { all: self, index })
    }

    /// The rows of all tables together.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.tables.iter().map(|table| table.rows).sum()
    }

    /// The rows of a payload file, shuffled and without repetition.
    pub fn payload<'a>(
        &'a self,
        payload: &'a IdFileSpec,
    ) -> impl Iterator<Item = Vec<ColumnValue>> + 'a {
        let index = self
            .tables
            .iter()
            .position(|p| p.table.name == payload.table);
        let all = index.map_or(0, |index| self.tables[index].rows);
        let wanted = payload.rows.unwrap_or(all).min(all);
        (0..wanted).map(move |number| {
            let row = shuffled(number, all, self.spec.seed);
            let columns = payload.columns.iter();
            let value =
                |name| index.map_or(ColumnValue::Null, |index| self.value(index, name, row));
            columns.map(|name| value(name.as_str())).collect()
        })
    }

    fn value(&self, index: usize, column: &str, row: u64) -> ColumnValue {
        let prepared = &self.tables[index];
        let table = &prepared.table;
        if let Some((key, place)) = table.foreign_of(column) {
            let foreign = &table.foreign[key];
            let at = usize::try_from(row).unwrap_or(usize::MAX);
            let parent = prepared.choices[key].get(at).copied().unwrap_or(NO_PARENT);
            let of = self
                .tables
                .iter()
                .position(|p| p.table.name == foreign.parent);
            return match (of, parent) {
                (_, NO_PARENT) | (None, _) => ColumnValue::Null,
                // Itself: the referenced column is not the same foreign key.
                (Some(of), parent) => {
                    self.value(of, &foreign.parent_columns[place], u64::from(parent))
                }
            };
        }
        let Some(at) = table.columns.iter().position(|known| known.name == column) else {
            return ColumnValue::Null;
        };
        let name = format!("{}.{column}", table.name);
        let unique = prepared.unique[at].then_some(prepared.rows);
        let said = self.spec.column(&table.name, column);
        make(
            ValueSource {
                seed: self.spec.seed,
                name: &name,
                language: self.spec.language,
            },
            &table.columns[at],
            said,
            row,
            unique,
        )
    }
}

impl<'a> TableRows<'a> {
    /// The table.
    #[must_use]
    pub fn table(&self) -> &'a Table {
        &self.all.tables[self.index].table
    }

    /// How many rows it gets.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.all.tables[self.index].rows
    }

    /// A row's values, in the order of the table's columns.
    #[must_use]
    pub fn row(&self, row: u64) -> Vec<ColumnValue> {
        let columns = self.table().columns.iter();
        columns
            .map(|column| self.all.value(self.index, &column.name, row))
            .collect()
    }
}

/// The table without those foreign keys that refer to tables without rows, if they may be null.
fn without_missing(spec: &DataSpec, table: &Table) -> Result<Table, DataError> {
    let mut table = table.clone();
    let mut kept = Vec::new();
    for foreign in std::mem::take(&mut table.foreign) {
        if spec.tables.contains_key(&foreign.parent) {
            kept.push(foreign);
            continue;
        }
        let nullable = foreign
            .columns
            .iter()
            .all(|name| table.column(name).is_some_and(|column| column.nullable));
        if !nullable {
            return Err(DataError::ParentMissing {
                table: table.name,
                parent: foreign.parent,
            });
        }
        table
            .columns
            .retain(|column| !foreign.columns.contains(&column.name));
    }
    table.foreign = kept;
    Ok(table)
}

/// Orders tables, parents first. A table may refer to itself.
fn in_order(mut tables: Vec<Table>) -> Result<Vec<Table>, DataError> {
    let mut ordered: Vec<Table> = Vec::new();
    while !tables.is_empty() {
        let ready = tables.iter().position(|table| {
            table.foreign.iter().all(|foreign| {
                foreign.parent == table.name
                    || ordered.iter().any(|known| known.name == foreign.parent)
            })
        });
        match ready {
            Some(index) => ordered.push(tables.remove(index)),
            None => {
                let names: Vec<String> = tables.into_iter().map(|table| table.name).collect();
                return Err(DataError::Circle(names.join(", ")));
            }
        }
    }
    Ok(ordered)
}

fn check_kinds(spec: &DataSpec, table: &Table) -> Result<(), DataError> {
    for column in &table.columns {
        let said = spec.column(&table.name, &column.name);
        let given = said.is_some_and(|said| !said.values.is_empty() || said.range.is_some());
        if let ColumnKind::Unknown(kind) = &column.kind
            && !column.nullable
            && !given
            && table.foreign_of(&column.name).is_none()
        {
            return Err(DataError::Kind {
                table: table.name.clone(),
                column: column.name.clone(),
                kind: kind.clone(),
            });
        }
    }
    Ok(())
}

/// A key is unique if one of its columns that is no foreign key is unique.
fn unique_columns(table: &Table) -> Vec<bool> {
    let mut unique = vec![false; table.columns.len()];
    for key in &table.unique {
        let own = key.iter().find_map(|name| {
            let index = table
                .columns
                .iter()
                .position(|column| column.name == *name)?;
            table.foreign_of(name).is_none().then_some(index)
        });
        if let Some(index) = own {
            unique[index] = true;
        }
    }
    unique
}

#[cfg(test)]
mod tests;
