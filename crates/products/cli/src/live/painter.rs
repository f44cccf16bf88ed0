//! The live view as a whole screen: what changed since the last picture, as bytes for a terminal.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use loadline_terminal::{ColorMode, LiveView, draw};
use loadline_text::Catalog;
use ratatui_core::layout::{Rect, Size};
use ratatui_core::terminal::{Terminal, TerminalOptions, Viewport};

use crate::terminal::ansi::{self, AnsiBackend};
use crate::terminal::screen::{self, StandardStream};
use crate::terminal::{self, TerminalSize};

/// Lines of the log that the highest screen shows.
const LOG_LINES_MAX: usize = 100;

/// Draws pictures one after the other.
pub(super) struct Painter {
    colors: ColorMode,
    /// The terminal as last drawn; `None` before.
    drawn: Option<(Terminal<AnsiBackend<Canvas>>, TerminalSize)>,
    canvas: Canvas,
    /// The screen was taken and, unless a panic struck, still is.
    is_taken: bool,
}

/// Collects what is to be written.
#[derive(Clone, Default)]
struct Canvas(Rc<RefCell<Vec<u8>>>);

impl Write for Canvas {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Painter {
    pub(super) fn new(colors: ColorMode) -> Self {
        Self {
            colors,
            drawn: None,
            canvas: Canvas::default(),
            is_taken: false,
        }
    }

    /// Keeps a line for the screen's log; `false` before the screen is taken.
    pub(super) fn keep(line: &str) -> bool {
        screen::hold(StandardStream::Err, line)
    }

    /// Has the terminal show `view`; `false` when the screen was given back meanwhile, and
    /// nothing more is drawn. The first picture takes the screen.
    pub(super) fn draw(&mut self, view: &mut LiveView, catalog: &Catalog) -> bool {
        let mut bytes = Vec::new();
        if !self.is_taken {
            self.is_taken = true;
            bytes = screen::take();
        } else if !screen::is_taken() {
            return false;
        }
        view.log = screen::last_lines(LOG_LINES_MAX);
        let size = terminal::size();
        // Writing to memory cannot fail.
        let _ = self.paint(view, catalog, size);
        bytes.append(&mut self.canvas.0.borrow_mut());
        screen::draw(&bytes)
    }

    fn paint(
        &mut self,
        view: &LiveView,
        catalog: &Catalog,
        current: TerminalSize,
    ) -> io::Result<()> {
        let area = Rect::new(0, 0, current.columns, current.rows);
        let colors = self.colors;
        let terminal = match &mut self.drawn {
            Some((terminal, drawn)) if *drawn == current => terminal,
            drawn => {
                // What another size left would stand between the cells.
                self.canvas.write_all(ansi::CLEAR)?;
                let size = Size::new(current.columns, current.rows);
                let backend = AnsiBackend::new(self.canvas.clone(), size);
                let viewport = Viewport::Fixed(area);
                let terminal = Terminal::with_options(backend, TerminalOptions { viewport })?;
                &mut drawn.insert((terminal, current)).0
            }
        };
        terminal.draw(|frame| draw(frame, view, catalog, colors))?;
        Ok(())
    }
}
