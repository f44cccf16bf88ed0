//! The form in which signals are stored.
//!
//! A kind stands by its name. A series of a kind that this version does not know is left out
//! and counted, so that an older program reads a newer record.

use serde::{Deserialize, Serialize};

use super::entity::Entity;
use super::kind::SignalKind;
use super::series::SignalSeries;
use super::source::{SourceStatus, TargetSetting};
use super::{SIGNALS_VERSION, Signals};

#[derive(Serialize, Deserialize)]
pub(super) struct StoredSignals {
    version: u32,
    #[serde(default)]
    series: Vec<StoredSeries>,
    #[serde(default)]
    sources: Vec<SourceStatus>,
    #[serde(default)]
    settings: Vec<TargetSetting>,
    #[serde(default)]
    left_out: u64,
}

#[derive(Serialize, Deserialize)]
struct StoredSeries {
    kind: String,
    /// By its name; a label that this version does not know makes the series unknown.
    #[serde(default)]
    entity: serde_json::Value,
    points: Vec<(u64, f64)>,
}

impl From<Signals> for StoredSignals {
    fn from(signals: Signals) -> Self {
        let series = signals.series.iter().map(|series| StoredSeries {
            kind: series.kind.name().to_owned(),
            entity: serde_json::to_value(&series.entity).unwrap_or_default(),
            points: series
                .points()
                .iter()
                .map(|point| (point.at_ms, point.value))
                .collect(),
        });
        Self {
            version: SIGNALS_VERSION,
            series: series.collect(),
            sources: signals.sources,
            settings: signals.settings,
            left_out: signals.left_out,
        }
    }
}

impl From<StoredSignals> for Signals {
    fn from(stored: StoredSignals) -> Self {
        let mut signals = Self {
            series: Vec::with_capacity(stored.series.len()),
            sources: stored.sources,
            settings: stored.settings,
            left_out: stored.left_out,
        };
        for series in stored.series {
            match series.read() {
                Some(series) => signals.series.push(series),
                None => signals.left_out += 1,
            }
        }
        signals
    }
}

impl StoredSeries {
    fn read(self) -> Option<SignalSeries> {
        let kind = SignalKind::named(&self.kind)?;
        let entity = match self.entity {
            serde_json::Value::Null => Entity::new(),
            labels => serde_json::from_value(labels).ok()?,
        };
        let mut series = SignalSeries::new(kind, entity);
        for (at_ms, value) in self.points {
            series.push(at_ms, value);
        }
        Some(series)
    }
}
