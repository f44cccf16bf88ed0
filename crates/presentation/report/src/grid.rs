//! Columns under a head, words to the left and numbers to the right; wide characters count
//! as two.

use unicode_width::UnicodeWidthStr;

/// On which side a column's cells stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Rows under a head.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    columns: Vec<(String, Side)>,
    rows: Vec<Vec<String>>,
}

impl Grid {
    pub(crate) fn column(&mut self, head: String, side: Side) {
        self.columns.push((head, side));
    }

    /// A row, its cells in the order of the columns.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The places of the columns that have a cell.
    fn filled(&self) -> Vec<usize> {
        (0..self.columns.len())
            .filter(|place| self.rows.iter().any(|row| !row[*place].is_empty()))
            .collect()
    }

    /// A table of Markdown; columns without any cell are left out.
    pub(crate) fn markdown(&self) -> String {
        let filled = self.filled();
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let heads = filled.iter().map(|place| escaped(&self.columns[*place].0));
        let mut text = line(heads.collect());
        let rule = |place: &usize| match self.columns[*place].1 {
            Side::Left => "---".to_owned(),
            Side::Right => "---:".to_owned(),
        };
        text.push_str(&line(filled.iter().map(rule).collect()));
        for row in &self.rows {
            let cells = filled.iter().map(|place| escaped(&row[*place]));
            text.push_str(&line(cells.collect()));
        }
        text
    }

    /// Ends with a line break; columns without any cell are left out.
    pub(crate) fn render(&self) -> String {
        let filled = self.filled();
        let width = |place: usize| {
            let cells = self.rows.iter().map(|row| row[place].width());
            let head = self.columns[place].0.width();
            cells.max().unwrap_or(0).max(head)
        };
        let widths: Vec<usize> = filled.iter().map(|place| width(*place)).collect();
        let line = |cells: &[&str]| -> String {
            let cells = cells.iter().zip(&filled).zip(&widths);
            let texts: Vec<String> = cells
                .map(|((cell, place), width)| {
                    let gap = " ".repeat(width - cell.width());
                    match self.columns[*place].1 {
                        Side::Left => format!("{cell}{gap}"),
                        Side::Right => format!("{gap}{cell}"),
                    }
                })
                .collect();
            format!("{}\n", texts.join("  ").trim_end())
        };
        let head: Vec<&str> = filled.iter().map(|p| self.columns[*p].0.as_str()).collect();
        let mut text = line(&head);
        for row in &self.rows {
            let cells: Vec<&str> = filled.iter().map(|place| row[*place].as_str()).collect();
            text.push_str(&line(&cells));
        }
        text
    }
}

/// A cell of Markdown: in one line, and no end of the cell.
fn escaped(cell: &str) -> String {
    cell.replace('|', "\\|").replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_left_numbers_right_and_empty_columns_nowhere() {
        let mut grid = Grid::default();
        grid.column("test".to_owned(), Side::Left);
        grid.column("none".to_owned(), Side::Left);
        grid.column("TPS".to_owned(), Side::Right);
        grid.row(vec!["주문".to_owned(), String::new(), "9.5".to_owned()]);
        grid.row(vec!["orders".to_owned(), String::new(), "1,200".to_owned()]);
        assert_eq!(
            grid.render(),
            "test      TPS\n주문      9.5\norders  1,200\n"
        );
    }

    #[test]
    fn a_table_of_markdown_keeps_bars_and_line_breaks_within_a_cell() {
        let mut grid = Grid::default();
        grid.column("note".to_owned(), Side::Left);
        grid.column("TPS".to_owned(), Side::Right);
        grid.row(vec!["a|b\nc".to_owned(), "9.5".to_owned()]);
        assert_eq!(
            grid.markdown(),
            "| note | TPS |\n| --- | ---: |\n| a\\|b c | 9.5 |\n"
        );
    }
}
