//! Lines a running test prints: `log` steps, expectations, `console.log` of processors.

/// Takes lines; called on workers, so it must not wait.
pub trait Console: Send + Sync {
    /// Prints a text, line breaks and all.
    fn print(&self, text: String);
}
