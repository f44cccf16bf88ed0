//! Pictures of the screen as the escape sequences of ECMA-48 (ANSI), which every terminal of
//! today reads.

use std::io::{self, Write};

use ratatui_core::backend::{Backend, ClearType, WindowSize};
use ratatui_core::buffer::Cell;
use ratatui_core::layout::{Position, Size};
use ratatui_core::style::{Color, Style};

/// Clears the whole screen.
pub(crate) const CLEAR: &[u8] = b"\x1b[2J";
/// Takes the alternate screen and hides the cursor.
pub(crate) const ENTER: &[u8] = b"\x1b[?1049h\x1b[?25l";
/// Shows the cursor and gives the alternate screen back.
pub(crate) const LEAVE: &[u8] = b"\x1b[?25h\x1b[?1049l";

const HIDE_CURSOR: &[u8] = b"\x1b[?25l";
const SHOW_CURSOR: &[u8] = b"\x1b[?25h";
const RESET_STYLE: &[u8] = b"\x1b[0m";

/// Writes cells to a terminal of a size that the caller knows.
pub(crate) struct AnsiBackend<W> {
    writer: W,
    size: Size,
}

impl<W: Write> AnsiBackend<W> {
    /// Writes to `writer` for a screen of `size`.
    pub(crate) const fn new(writer: W, size: Size) -> Self {
        Self { writer, size }
    }

    /// Moves the cursor; a terminal counts from one.
    fn move_to(&mut self, x: u16, y: u16) -> io::Result<()> {
        let (row, column) = (u32::from(y) + 1, u32::from(x) + 1);
        write!(self.writer, "\x1b[{row};{column}H")
    }
}

impl<W: Write> Backend for AnsiBackend<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut drawn = Cell::default().style();
        let mut next = None;
        for (x, y, cell) in content {
            if next != Some((x, y)) {
                self.move_to(x, y)?;
            }
            // A cell's symbol may be two columns wide; then the next cell drawn is not beside it.
            next = x.checked_add(1).map(|right| (right, y));
            let style = cell.style();
            if style != drawn {
                self.writer.write_all(RESET_STYLE)?;
                write!(self.writer, "{}", sgr(style).render())?;
                drawn = style;
            }
            self.writer.write_all(cell.symbol().as_bytes())?;
        }
        self.writer.write_all(RESET_STYLE)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.writer.write_all(HIDE_CURSOR)
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.writer.write_all(SHOW_CURSOR)
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        // Asking would need an answer from the terminal; nothing that is drawn depends on it.
        Ok(Position::ORIGIN)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        let Position { x, y } = position.into();
        self.move_to(x, y)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        self.writer.write_all(match region {
            ClearType::All => CLEAR,
            ClearType::AfterCursor => b"\x1b[J",
            ClearType::BeforeCursor => b"\x1b[1J",
            ClearType::CurrentLine => b"\x1b[2K",
            ClearType::UntilNewLine => b"\x1b[K",
        })
    }

    fn size(&self) -> io::Result<Size> {
        Ok(self.size)
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize {
            columns_rows: self.size,
            pixels: Size::ZERO,
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// A cell's style as its sequence; the terminal's own colours need none.
fn sgr(style: Style) -> anstyle::Style {
    let own = |color: Option<Color>| color.filter(|color| *color != Color::Reset);
    Style {
        fg: own(style.fg),
        bg: own(style.bg),
        ..style
    }
    .into()
}

#[cfg(test)]
mod tests {
    use ratatui_core::style::Modifier;

    use super::*;

    fn drawn(cells: &[(u16, u16, Cell)]) -> String {
        let mut bytes = Vec::new();
        let mut backend = AnsiBackend::new(&mut bytes, Size::new(80, 24));
        let cells = cells.iter().map(|(x, y, cell)| (*x, *y, cell));
        backend.draw(cells).expect("memory takes all");
        String::from_utf8(bytes).expect("sequences are ASCII")
    }

    #[test]
    fn neighbours_of_one_style_are_written_without_a_sequence_between() {
        let cells = [
            (0, 0, Cell::new("a")),
            (1, 0, Cell::new("b")),
            (0, 1, Cell::new("c")),
        ];
        assert_eq!(drawn(&cells), "\x1b[1;1Hab\x1b[2;1Hc\x1b[0m");
    }

    #[test]
    fn a_style_ends_before_the_next_begins() {
        let mut loud = Cell::new("x");
        loud.set_style(Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD));
        let cells = [(4, 2, loud), (5, 2, Cell::new("y"))];
        assert_eq!(
            drawn(&cells),
            "\x1b[3;5H\x1b[0m\x1b[1m\x1b[33mx\x1b[0my\x1b[0m"
        );
    }
}
