//! Rows with a label and cells that line up, wide characters counted as two.

use unicode_width::UnicodeWidthStr;

/// Rows in the order they were added.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Vec<Row>,
}

#[derive(Debug)]
enum Row {
    /// Cells set right in columns.
    Cells(String, Vec<String>),
    /// Lines under one label.
    Lines(String, Vec<String>),
    Gap,
}

impl Table {
    pub(super) fn row(&mut self, label: String, cells: Vec<String>) {
        self.rows.push(Row::Cells(label, cells));
    }

    pub(super) fn list(&mut self, label: String, lines: Vec<String>) {
        self.rows.push(Row::Lines(label, lines));
    }

    /// An empty line, after which columns are laid out anew.
    pub(super) fn gap(&mut self) {
        self.rows.push(Row::Gap);
    }

    pub(super) fn render(&self) -> String {
        let labels = self.rows.iter().map(|row| match row {
            Row::Cells(label, _) | Row::Lines(label, _) => label.width(),
            Row::Gap => 0,
        });
        let label_width = labels.max().unwrap_or(0);
        let mut text = String::new();
        for part in self.rows.split_inclusive(|row| matches!(row, Row::Gap)) {
            let columns = columns(part);
            for row in part {
                match row {
                    Row::Gap => text.push('\n'),
                    Row::Cells(label, cells) => {
                        let cells = cells.iter().zip(&columns);
                        let cells: String =
                            cells.map(|(cell, width)| right(cell, *width)).collect();
                        text.push_str(&left(label, label_width));
                        text.push_str(&cells);
                        text.push('\n');
                    }
                    Row::Lines(label, lines) => {
                        for (number, line) in lines.iter().enumerate() {
                            let label = if number == 0 { label } else { "" };
                            text.push_str(&format!("{}  {line}\n", left(label, label_width)));
                        }
                    }
                }
            }
        }
        text
    }
}

fn columns(rows: &[Row]) -> Vec<usize> {
    let mut columns: Vec<usize> = Vec::new();
    for row in rows {
        if let Row::Cells(_, cells) = row {
            columns.resize(columns.len().max(cells.len()), 0);
            for (column, cell) in columns.iter_mut().zip(cells) {
                *column = (*column).max(cell.width());
            }
        }
    }
    columns
}

fn left(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

fn right(text: &str, width: usize) -> String {
    format!("  {}{text}", " ".repeat(width.saturating_sub(text.width())))
}
