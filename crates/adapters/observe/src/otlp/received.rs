//! All that arrived, shared by the server's thread and the one that looks.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use loadline_otlp::{ExportMetricsServiceRequest, ExportTraceServiceRequest, ResourceSpans};
use loadline_reactor::MonotonicClock;
use loadline_record::signals::{Entity, Label, MissingSignal, SignalKind, SourceError, SourceNote};
use loadline_units::Clock;

use super::metrics::{self, Metrics};
use super::traces::Traces;
use crate::births::CounterBirths;
use crate::clock_ahead::seconds_after;
use crate::names::{PageReader, PageSetup};
use crate::reading::Reading;

/// Metrics that come less often than this are too few for a short run, ms.
const EXPORT_INTERVAL_MAX_MS: u64 = 5_000;
/// Senders whose clocks are compared with ours.
const CLOCKS_MAX: usize = 100;
/// How to send fewer spans.
const FEWER: &str = "OTEL_TRACES_SAMPLER=parentbased_traceidratio OTEL_TRACES_SAMPLER_ARG=0.1";

pub(crate) struct Received {
    clock: MonotonicClock,
    wall_clock: fn() -> SystemTime,
    /// How far each sender's clock is ahead, s: by what it dated last, since the last look.
    clocks: BTreeMap<String, f64>,
    traces: Traces,
    metrics: Metrics,
    /// What each sender's metrics showed last.
    setups: BTreeMap<String, PageSetup>,
    births: CounterBirths,
    /// Metrics arrived since the last look.
    has_new: bool,
    metrics_at: Option<u64>,
    is_rare: bool,
    /// Messages that were not taken.
    refused: u64,
}

impl Received {
    pub(crate) fn new(clock: MonotonicClock, wall_clock: fn() -> SystemTime) -> Self {
        Self {
            clock,
            wall_clock,
            clocks: BTreeMap::new(),
            traces: Traces::default(),
            metrics: Metrics::default(),
            setups: BTreeMap::new(),
            births: CounterBirths::default(),
            has_new: false,
            metrics_at: None,
            is_rare: false,
            refused: 0,
        }
    }

    fn now_ms(&self) -> u64 {
        self.clock.now().as_nanos() / 1_000_000
    }

    /// A message was not taken.
    pub(super) fn refuse(&mut self) {
        self.refused += 1;
    }

    pub(super) fn notes(&self) -> Vec<SourceNote> {
        let refused = (self.refused > 0).then_some(SourceNote::RefusedMessages(self.refused));
        refused.into_iter().collect()
    }

    pub(crate) fn take_traces(&mut self, request: &ExportTraceServiceRequest) {
        let now = self.now_ms();
        for resource in &request.resource_spans {
            let sender = resource.resource.as_ref().map(metrics::instance);
            self.compare_clock(sender, last_end(resource));
        }
        self.traces.take(&request.resource_spans, now);
    }

    /// Takes traces that somebody else kept: how long ago they ended says nothing of a clock.
    pub(crate) fn take_kept_traces(&mut self, request: &ExportTraceServiceRequest) {
        self.traces.take(&request.resource_spans, self.now_ms());
    }

    pub(crate) fn take_metrics(&mut self, request: &ExportMetricsServiceRequest) {
        let now = self.now_ms();
        if let Some(last) = self.metrics_at.replace(now) {
            self.is_rare = now - last > EXPORT_INTERVAL_MAX_MS;
        }
        self.has_new = true;
        for resource in &request.resource_metrics {
            let sender = resource.resource.as_ref().map(metrics::instance);
            self.compare_clock(sender, metrics::newest(resource));
        }
        self.metrics.take(&request.resource_metrics, now);
    }

    /// What was sent may have waited, so the newest of all tells best.
    fn compare_clock(&mut self, sender: Option<String>, newest: u64) {
        let dated = SystemTime::UNIX_EPOCH + Duration::from_nanos(newest);
        let ahead = seconds_after(dated, (self.wall_clock)());
        let sender = sender.unwrap_or_default();
        if newest > 0 && (self.clocks.len() < CLOCKS_MAX || self.clocks.contains_key(&sender)) {
            let known = self.clocks.entry(sender).or_insert(ahead);
            *known = known.max(ahead);
        }
    }

    fn give_clocks(&mut self, reading: &mut Reading) {
        let is_one = self.clocks.len() < 2;
        for (sender, ahead) in std::mem::take(&mut self.clocks) {
            let of = if is_one {
                Entity::new()
            } else {
                Entity::new().with(Label::Instance, &sender)
            };
            reading.add(SignalKind::ClockAhead, of, ahead);
        }
    }

    /// Gives what is known so far; an error while nothing ever arrived.
    pub(crate) fn give(&mut self, reading: &mut Reading) -> Result<(), SourceError> {
        let now = self.now_ms();
        self.traces.settle(now);
        if self.traces.requests == 0 && self.metrics.is_empty() {
            return Err(match self.refused {
                0 => SourceError::NothingSent,
                _ => SourceError::TooLarge,
            });
        }
        self.traces.give(reading);
        self.give_clocks(reading);
        // A value that did not come anew says nothing of this second.
        if std::mem::take(&mut self.has_new) {
            self.give_metrics(now, reading);
        }
        Ok(())
    }

    fn give_metrics(&mut self, now_ms: u64, reading: &mut Reading) {
        let (setups, births) = (&mut self.setups, &mut self.births);
        let is_one = self.metrics.senders() < 2;
        self.metrics.each(now_ms, |instance, samples| {
            let mut page = match setups.get(instance) {
                Some(setup) => PageReader::after(setup),
                None => PageReader::new(),
            };
            for sample in samples {
                page.take(sample);
            }
            let mut own = Reading::default();
            setups.insert(instance.to_owned(), page.finish(&mut own));
            births.take(instance, false, &mut own);
            let label = if is_one { "" } else { instance };
            let named = |entity: Entity| match label {
                "" => entity,
                instance => entity.with(Label::Instance, instance),
            };
            for (kind, entity, value) in own.before {
                reading.add_before(kind, named(entity), value);
            }
            for (kind, entity, value) in own.values {
                reading.add(kind, named(entity), value);
            }
            reading.settings.extend(own.settings);
        });
    }

    pub(crate) fn lacks(&self) -> Vec<MissingSignal> {
        let mut missing = Vec::new();
        let mut lacks = |kind, setting| missing.push(MissingSignal::new(kind, setting));
        if self.traces.has_sql && !self.traces.has_pool {
            lacks(
                SignalKind::TracedPoolTime,
                "OTEL_INSTRUMENTATION_JDBC_DATASOURCE_ENABLED=true",
            );
        }
        if self.traces.left_out > 0 {
            lacks(SignalKind::TracedRequests, FEWER);
        }
        if self.is_rare {
            lacks(SignalKind::PoolActive, "OTEL_METRIC_EXPORT_INTERVAL=1000");
        }
        missing
    }

    /// Takes all traces to be whole.
    #[cfg(test)]
    pub(crate) fn settle_all(&mut self) {
        self.traces.settle(u64::MAX);
    }

    /// What did not fit.
    #[cfg(test)]
    pub(super) fn left_out(&self) -> u64 {
        self.traces.left_out + self.metrics.left_out
    }
}

/// When the last span ended, by its sender's clock.
fn last_end(resource: &ResourceSpans) -> u64 {
    let spans = resource.scope_spans.iter().flat_map(|scope| &scope.spans);
    spans.map(|span| span.end_time_unix_nano).max().unwrap_or(0)
}
