//! What `setup()` returned, as JSON text: made once, parsed once by each user.

use std::sync::OnceLock;

/// The set-up data of a run.
#[derive(Debug, Default)]
pub(crate) struct SetupData(OnceLock<Option<String>>);

impl SetupData {
    /// Stores what `setup()` returned; `None` stands for `undefined`.
    pub(crate) fn set(&self, json: Option<String>) {
        // Set-up runs once; a second value would be the engine's mistake.
        let _ = self.0.set(json);
    }

    /// The JSON text; `None` when there was no set-up or it returned nothing.
    pub(crate) fn json(&self) -> Option<&str> {
        self.0.get()?.as_deref()
    }
}
