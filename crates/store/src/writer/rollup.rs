//! Sums kept beside the windows: of the minute, of the run so far.

use loadline_metrics::{Kind, Value};

use crate::dictionary::SeriesDef;
use crate::error::Corrupt;
use crate::gains::{self, Detail, Gains};

/// Windows of a minute.
pub(crate) const MINUTE: u64 = 60;

/// What series gained over a stretch of windows, by series.
#[derive(Debug, Default)]
pub(super) struct Rollup {
    gains: Vec<Option<Value>>,
    /// The first window in it.
    pub(super) first: u64,
    /// The window after its last.
    pub(super) end: u64,
}

impl Rollup {
    pub(super) fn add(&mut self, series: u32, value: Value) {
        let place = series as usize;
        if self.gains.len() <= place {
            self.gains.resize(place + 1, None);
        }
        match &mut self.gains[place] {
            Some(total) if total.kind() == value.kind() => total.absorb(value),
            Some(_) => {}
            empty => *empty = Some(value),
        }
    }

    pub(super) fn covers(&mut self, first: u64, span: u64) {
        if self.end == 0 {
            self.first = first;
        }
        self.end = self.end.max(first + span);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.end == 0 && self.gains.is_empty()
    }

    /// Whether a window other than a late part is in it.
    pub(super) fn has_begun(&self) -> bool {
        self.end > 0
    }

    pub(super) fn span(&self) -> u64 {
        self.end.saturating_sub(self.first)
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut writer = gains::Writer::new(Detail::Buckets);
        for (id, value) in (0..).zip(&self.gains) {
            if let Some(value) = value {
                writer.put(id, value);
            }
        }
        writer.into_bytes()
    }
}

/// What the list of runs shows, kept while the run goes.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) requests: f64,
    pub(super) durations: Value,
    pub(super) failed: Value,
    pub(super) vus: f64,
}

impl Listed {
    pub(super) fn new() -> Self {
        Self {
            requests: 0.0,
            durations: Value::empty(Kind::Trend),
            failed: Value::empty(Kind::Rate),
            vus: 0.0,
        }
    }

    pub(super) fn add(&mut self, def: &SeriesDef, value: &Value) {
        match (def.metric.as_str(), value) {
            ("http_reqs", Value::Counter(Some(sum))) => self.requests += sum.value(),
            ("http_req_duration", Value::Trend(_)) => self.durations.merge(value),
            ("http_req_failed", Value::Rate(_)) => self.failed.merge(value),
            ("vus_max", Value::Gauge(Some(gauge))) => self.vus = self.vus.max(gauge.max),
            _ => {}
        }
    }

    pub(super) fn mean_and_p95(&self) -> (Option<f64>, Option<f64>) {
        match &self.durations {
            Value::Trend(trend) => (trend.mean(), trend.percentile(0.95)),
            _ => (None, None),
        }
    }

    pub(super) fn errors(&self) -> Option<f64> {
        match self.failed {
            Value::Rate(rate) => rate.share(),
            _ => None,
        }
    }
}

/// All gains under their ids, from bytes this program just made.
pub(super) fn decoded(bytes: &[u8]) -> Result<Vec<(u32, Value)>, Corrupt> {
    Gains::new(bytes).collect()
}
