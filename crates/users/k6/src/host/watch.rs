//! Observes what users do, for `--once`.
//!
//! The settings of a run may hold a [`ScriptObserver`]. It is told of exchanges, checks and samples on
//! the worker's thread, as they happen. Without one, nothing is computed for it.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use loadline_net::Exchange;

/// Is told of what users do.
pub trait ScriptObserver: Send + Sync {
    /// A request got its response or failed; each redirect counts separately. `place` is
    /// the name of a scenario or stage.
    fn exchange(&self, place: &str, hop: &Exchange<'_>);

    /// A check was made.
    fn check(&self, place: &str, name: &str, passed: bool);

    /// A metric of the script's own got a value.
    fn sample(&self, place: &str, metric: &str, value: f64);

    /// An iteration or a stage ended with an exception.
    fn exception(&self, place: &str);
}

/// A watch that prints as its name, so that settings can be printed.
#[derive(Clone)]
pub struct Watcher(pub Arc<dyn ScriptObserver>);

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watcher")
    }
}

impl Deref for Watcher {
    type Target = dyn ScriptObserver;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}
