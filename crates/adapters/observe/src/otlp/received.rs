//! All that arrived, shared by the server's thread and the one that looks.

use loadline_reactor::MonotonicClock;
use loadline_record::signals::{Label, MissingSignal, SignalKind, SourceError};
use loadline_units::Clock;

use super::message::{MetricsRequest, TraceRequest};
use super::metrics::Metrics;
use super::traces::Traces;
use crate::names::PageReader;
use crate::reading::Reading;

/// Metrics that come less often than this are too few for a short run, ms.
const OFTEN: u64 = 5_000;

pub(super) struct Received {
    clock: MonotonicClock,
    traces: Traces,
    metrics: Metrics,
    /// Metrics arrived since the last look.
    has_new: bool,
    metrics_at: Option<u64>,
    is_rare: bool,
}

impl Received {
    pub(super) fn new(clock: MonotonicClock) -> Self {
        Self {
            clock,
            traces: Traces::default(),
            metrics: Metrics::default(),
            has_new: false,
            metrics_at: None,
            is_rare: false,
        }
    }

    fn now_ms(&self) -> u64 {
        self.clock.now().as_nanos() / 1_000_000
    }

    pub(super) fn take_traces(&mut self, request: &TraceRequest) {
        let now = self.now_ms();
        self.traces.take(&request.resource_spans, now);
    }

    pub(super) fn take_metrics(&mut self, request: &MetricsRequest) {
        let now = self.now_ms();
        if let Some(last) = self.metrics_at.replace(now) {
            self.is_rare = now - last > OFTEN;
        }
        self.has_new = true;
        self.metrics.take(&request.resource_metrics, now);
    }

    /// Gives what is known so far; an error while nothing ever arrived.
    pub(super) fn give(&mut self, reading: &mut Reading) -> Result<(), SourceError> {
        let now = self.now_ms();
        self.traces.settle(now);
        if self.traces.requests == 0 && self.metrics.is_empty() {
            return Err(SourceError::NothingSent);
        }
        self.traces.give(reading);
        // A value that did not come anew says nothing of this second.
        if std::mem::take(&mut self.has_new) {
            self.give_metrics(now, reading);
        }
        Ok(())
    }

    fn give_metrics(&self, now_ms: u64, reading: &mut Reading) {
        let is_one = self.metrics.senders() < 2;
        self.metrics.each(now_ms, |instance, samples| {
            let mut page = PageReader::new();
            for sample in samples {
                page.take(sample);
            }
            let mut own = Reading::default();
            page.finish(&mut own);
            for (kind, entity, value) in own.values {
                let entity = match is_one {
                    true => entity,
                    false => entity.with(Label::Instance, instance),
                };
                reading.add(kind, entity, value);
            }
            reading.settings.extend(own.settings);
        });
    }

    pub(super) fn lacks(&self) -> Vec<MissingSignal> {
        let mut missing = Vec::new();
        let mut lacks = |kind, setting| missing.push(MissingSignal::new(kind, setting));
        if self.traces.has_sql && !self.traces.has_pool {
            lacks(
                SignalKind::TracedPoolTime,
                "OTEL_INSTRUMENTATION_JDBC_DATASOURCE_ENABLED=true",
            );
        }
        if self.is_rare {
            lacks(SignalKind::PoolActive, "OTEL_METRIC_EXPORT_INTERVAL=1000");
        }
        missing
    }

    /// Takes all traces to be whole.
    #[cfg(test)]
    pub(super) fn settle_all(&mut self) {
        self.traces.settle(u64::MAX);
    }

    /// What did not fit.
    #[cfg(test)]
    pub(super) fn left_out(&self) -> u64 {
        self.traces.left_out + self.metrics.left_out
    }
}
