//! Prints lines of a running test: `log` steps, expectations, `console.log` of processors.

/// Takes lines. It is called on workers, so it must not block.
pub trait Console: Send + Sync {
    /// Prints a text, including its line breaks.
    fn print(&self, text: String);

    /// Prints a text as an error: `console.error` and the like.
    fn print_error(&self, text: String);
}
