//! What is known of the target during a run: its signals, and where they came from.
//!
//! Collected while the run goes on, stored with it as one fact, read by `explain`. Times are
//! milliseconds since the run's start. Size is bounded: texts are cut, a series that gets too
//! long loses every second point, and series beyond [`MOST_SERIES`] are counted as left out.

mod entity;
mod error;
mod kind;
mod level;
mod note;
mod series;
mod setup;
mod snapshot;
mod source;
mod stored;

pub use entity::{Entity, Label};
pub use error::SourceError;
pub use kind::{SignalKind, SignalMeasure, SignalUnit};
pub use level::LineLevel;
pub use note::{SourceNote, UnusedReason};
pub use series::{MOST_POINTS, SignalPoint, SignalSeries};
pub use setup::{POD_ADDRESS, POD_HOST, POD_NODE};
pub use snapshot::{LimitedUsage, TargetSnapshot};
pub use source::{MissingSignal, SourceFailure, SourceKind, SourceStatus, TargetSetting};

/// The version of the stored form.
pub const SIGNALS_VERSION: u32 = 1;
/// The most series of a run.
pub const MOST_SERIES: usize = 2_000;
/// The longest text in signals, in bytes; longer ones are cut.
pub const LONGEST_TEXT: usize = 1_000;
/// The most settings of a target.
const MOST_SETTINGS: usize = 1_000;

/// All signals of a run.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(into = "stored::StoredSignals", from = "stored::StoredSignals")]
pub struct Signals {
    series: Vec<SignalSeries>,
    /// Where they came from.
    pub sources: Vec<SourceStatus>,
    settings: Vec<TargetSetting>,
    left_out: u64,
}

impl Signals {
    /// Adds a point `at_ms` milliseconds after the run's start. Values that are no numbers and
    /// points of series beyond [`MOST_SERIES`] are left out and counted.
    pub fn push(&mut self, kind: SignalKind, entity: &Entity, at_ms: u64, value: f64) {
        let is_of = |series: &SignalSeries| series.kind == kind && series.entity == *entity;
        let place = self.series.iter().position(is_of);
        let place = match place {
            Some(place) => place,
            None if self.series.len() < MOST_SERIES => {
                self.series.push(SignalSeries::new(kind, entity.clone()));
                self.series.len() - 1
            }
            None => {
                self.left_out += 1;
                return;
            }
        };
        if !self.series[place].push(at_ms, value) {
            self.left_out += 1;
        }
    }

    /// Adds a whole series, joined with one of the same kind and entity if there is one.
    pub fn add(&mut self, series: &SignalSeries) {
        for point in series.points() {
            self.push(series.kind, &series.entity, point.at_ms, point.value);
        }
    }

    /// Sets what a setting of the target was read as.
    pub fn set(&mut self, setting: TargetSetting) {
        let is_same =
            |known: &TargetSetting| known.name == setting.name && known.entity == setting.entity;
        if let Some(known) = self.settings.iter_mut().find(|known| is_same(known)) {
            *known = setting;
        } else if self.settings.len() < MOST_SETTINGS {
            self.settings.push(setting);
        } else {
            self.left_out += 1;
        }
    }

    /// All series.
    #[must_use]
    pub fn series(&self) -> &[SignalSeries] {
        &self.series
    }

    /// The same without the series that `keep` does not want.
    #[must_use]
    pub fn retained(&self, keep: impl Fn(&SignalSeries) -> bool) -> Self {
        let mut kept = self.clone();
        kept.series.retain(|series| keep(series));
        kept
    }

    /// The series of a kind.
    pub fn of_kind(&self, kind: SignalKind) -> impl Iterator<Item = &SignalSeries> {
        self.series.iter().filter(move |series| series.kind == kind)
    }

    /// What was read of the target and its host: versions, flags, sizes of pools.
    #[must_use]
    pub fn settings(&self) -> &[TargetSetting] {
        &self.settings
    }

    /// Points, series and settings that did not fit or could not be kept.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Whether nothing is known of the target, not even which source failed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.series.is_empty() && self.sources.is_empty() && self.settings.is_empty()
    }

    /// The same with every text changed by `redact`.
    #[must_use]
    pub fn redacted(mut self, redact: impl Fn(&str) -> String) -> Self {
        for series in &mut self.series {
            series.entity = series.entity.redacted(&redact);
        }
        for source in &mut self.sources {
            source.redact(&redact);
        }
        for setting in &mut self.settings {
            setting.value = redact(&setting.value);
            setting.entity = setting.entity.redacted(&redact);
        }
        self
    }
}

/// The text, cut at a character's end to at most [`LONGEST_TEXT`] bytes.
fn cut(text: &str) -> String {
    text[..text.floor_char_boundary(LONGEST_TEXT)].to_owned()
}

#[cfg(test)]
mod tests;
