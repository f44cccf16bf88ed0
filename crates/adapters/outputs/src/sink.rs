//! What all outputs have in common.

use crate::catalog::Catalog;
use crate::frame::Frame;

/// The counts of a sink so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Samples and sums that the receiver accepted.
    pub(crate) points: u64,
    /// Points that the receiver rejected for good.
    pub(crate) refused: u64,
    /// The reason of the first rejection.
    pub(crate) refusal: Option<String>,
}

impl Tally {
    pub(crate) fn refuse(&mut self, points: u64, why: String) {
        self.refused += points;
        self.refusal.get_or_insert(why);
    }
}

/// Converts frames for its receiver and sends them. Lives on the output's thread.
pub(crate) trait Sink {
    /// Adds a frame. It is called only after a successful flush, so a sink holds at most the data
    /// of one interval.
    fn take(&mut self, frame: Frame, catalog: &Catalog);

    /// Sends what is due, or everything if `all` is set. Called again after an error, it
    /// continues where it stopped.
    ///
    /// # Errors
    /// The reason why the receiver did not accept the data; a retry may succeed.
    fn flush(&mut self, all: bool) -> Result<(), String>;

    /// How many points were added but not accepted yet.
    fn pending(&self) -> u64;

    /// Its counts so far.
    fn tally(&self) -> &Tally;
}

/// Makes a sink on its thread.
pub(crate) type MakeSink = Box<dyn FnOnce() -> Box<dyn Sink> + Send>;
