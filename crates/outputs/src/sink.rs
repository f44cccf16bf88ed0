//! What every output does with frames.

use crate::catalog::Catalog;
use crate::frame::Frame;

/// What a sink has done so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Samples and sums the receiver has taken.
    pub(crate) points: u64,
    /// Those it refused for good.
    pub(crate) refused: u64,
    /// Why, the first time.
    pub(crate) refusal: Option<String>,
}

impl Tally {
    pub(crate) fn refuse(&mut self, points: u64, why: String) {
        self.refused += points;
        self.refusal.get_or_insert(why);
    }
}

/// Turns frames into what its receiver takes, and sends it. Lives on the output's thread.
pub(crate) trait Sink {
    /// Takes a frame in. Called only when the last flush went well, so what a sink keeps is
    /// bounded by its interval.
    fn take(&mut self, frame: Frame, catalog: &Catalog);

    /// Sends what is due; `all` of it at the end. Called again after an error, it goes on
    /// where it stopped.
    ///
    /// # Errors
    /// Why the receiver did not take it; it may later.
    fn flush(&mut self, all: bool) -> Result<(), String>;

    /// How many points it holds that were not taken yet.
    fn pending(&self) -> u64;

    /// What it has done.
    fn tally(&self) -> &Tally;
}

/// Makes a sink on its thread.
pub(crate) type MakeSink = Box<dyn FnOnce() -> Box<dyn Sink> + Send>;
