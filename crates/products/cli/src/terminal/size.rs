//! How large the terminal is.

/// A terminal that does not say how large it is.
const USUAL: TerminalSize = TerminalSize {
    columns: 80,
    rows: 24,
};

/// How large a terminal is, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TerminalSize {
    pub(crate) columns: u16,
    pub(crate) rows: u16,
}

/// How large the terminal at standard error is now.
pub(crate) fn size() -> TerminalSize {
    let Ok(found) = rustix::termios::tcgetwinsize(std::io::stderr()) else {
        return USUAL;
    };
    match (found.ws_col, found.ws_row) {
        (0, _) | (_, 0) => USUAL,
        (columns, rows) => TerminalSize { columns, rows },
    }
}
