//! Columns with all their cells: the same table on a terminal and on a page.

use crate::document::{DocumentColumn, DocumentTable, printable};
use crate::grid::{Grid, Side};

/// A column of a table.
pub(crate) struct FilledColumn {
    pub(crate) head: String,
    /// It holds numbers, which stand to the right.
    pub(crate) is_number: bool,
    /// One cell a row.
    pub(crate) cells: Vec<String>,
}

impl FilledColumn {
    /// The cells of a row.
    fn cells_of(columns: &[Self], row: usize) -> impl Iterator<Item = &str> {
        columns.iter().map(move |column| column.cells[row].as_str())
    }

    fn rows(columns: &[Self]) -> usize {
        columns.first().map_or(0, |column| column.cells.len())
    }

    /// As a terminal shows them.
    pub(crate) fn grid(columns: &[Self]) -> Grid {
        let mut grid = Grid::default();
        for column in columns {
            let side = if column.is_number {
                Side::Right
            } else {
                Side::Left
            };
            grid.column(column.head.clone(), side);
        }
        for row in 0..Self::rows(columns) {
            grid.row(Self::cells_of(columns, row).map(str::to_owned).collect());
        }
        grid
    }

    /// As a page shows them.
    pub(crate) fn table(columns: &[Self]) -> DocumentTable {
        let rows = (0..Self::rows(columns))
            .map(|row| Self::cells_of(columns, row).map(printable::line).collect());
        DocumentTable {
            caption: String::new(),
            rows: rows.collect(),
            columns: columns
                .iter()
                .map(|column| DocumentColumn {
                    head: printable::line(&column.head),
                    is_number: column.is_number,
                })
                .collect(),
        }
    }
}
