//! A source that can be looked at, whatever it is.

use std::collections::BTreeSet;

use loadline_record::signals::{MissingSignal, SourceError};

use crate::reading::Reading;

/// A source that is looked at once a second, on a thread of its own.
pub(crate) trait Source {
    /// Looks at it once.
    fn read(&mut self, reading: &mut Reading) -> Result<(), SourceError>;

    /// What it could tell and does not, as far as the readings so far show.
    fn lacks(&self) -> Vec<MissingSignal>;

    /// The ports that whatever it is about listens on, with its host; empty where that is unknown.
    fn places(&self) -> BTreeSet<String>;
}
