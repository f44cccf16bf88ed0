//! Colours of k6's summaries.

/// Which of k6's two layouts is coloured; they write the same colours differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Palette {
    /// No colours.
    Plain,
    /// Since k6 v1.0.
    Current,
    /// Before k6 v1.0, and in the k6-summary library.
    Legacy,
}

impl Palette {
    pub(super) fn green(self, text: &str) -> String {
        self.paint("32", text)
    }

    pub(super) fn red(self, text: &str) -> String {
        self.paint("31", text)
    }

    pub(super) fn cyan(self, text: &str) -> String {
        self.paint("36", text)
    }

    pub(super) fn white(self, text: &str) -> String {
        self.paint("37", text)
    }

    pub(super) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(super) fn faint_cyan(self, text: &str) -> String {
        match self {
            Self::Legacy => self.paint("36;2", text),
            _ => self.paint("2;36", text),
        }
    }

    /// The dots between name and value.
    pub(super) fn dots(self, text: &str) -> String {
        match self {
            Self::Legacy => self.paint("2", text),
            _ => self.paint("2;37", text),
        }
    }

    fn paint(self, codes: &str, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Current | Self::Legacy => format!("\x1b[{codes}m{text}\x1b[0m"),
        }
    }
}
