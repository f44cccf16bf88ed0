//! What the engine measures of itself, beside the field's metrics.

use loadline_metrics::{Contains, Kind, MetricId, Registry};

use crate::error::EngineError;

/// From a start's planned instant to its actual one, ms; open-model scenarios only.
pub const START_LAG: &str = "start_lag";
/// From a start's planned instant to the end of its request (URL runs) or iteration
/// (scripts), ms: the latency a person would have seen, free of coordinated omission.
pub const INTENDED_LATENCY: &str = "intended_latency";

/// The ids of the engine's own metrics.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EngineMetrics {
    pub(crate) start_lag: MetricId,
}

impl EngineMetrics {
    pub(crate) fn register(registry: &Registry) -> Result<Self, EngineError> {
        let time = |name| {
            registry
                .register(name, Kind::Trend, Contains::Time)
                .map_err(|_| EngineError::MetricTaken { name })
        };
        time(INTENDED_LATENCY)?;
        Ok(Self {
            start_lag: time(START_LAG)?,
        })
    }
}
