//! Colours and weights. Nothing is said by colour alone: each coloured thing has words, too.

use ratatui_core::style::{Color, Modifier, Style};

/// Whether the screen has colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColorMode {
    /// The eight colours that every terminal has and its owner has chosen.
    Plain,
    /// None; weights and reversed lines stay.
    None,
}

impl ColorMode {
    /// Colours where they are wanted.
    #[must_use]
    pub const fn new(is_wanted: bool) -> Self {
        if is_wanted { Self::Plain } else { Self::None }
    }

    pub(crate) fn bar(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD)
    }

    pub(crate) fn head(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    pub(crate) fn quiet(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    pub(crate) fn rate(self) -> Style {
        self.coloured(Color::Cyan)
    }

    pub(crate) fn latency(self) -> Style {
        self.coloured(Color::Magenta)
    }

    /// What deserves a look: errors, dropped starts, waiting requests.
    pub(crate) fn warning(self) -> Style {
        self.coloured(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    fn coloured(self, color: Color) -> Style {
        match self {
            Self::Plain => Style::new().fg(color),
            Self::None => Style::new(),
        }
    }
}
