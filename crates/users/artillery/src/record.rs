//! Collects a user's measurements until its worker's shard is available.
//!
//! Artillery's counters, histograms and rates may have any name, in any number. So each is a
//! series of one of three metrics, with the name in the tag `metric`. Requests and iterations are
//! also recorded under the usual metrics, so that everything else works with them.

use std::cell::RefCell;

use loadline_metrics::{Kind, MetricId, Registry, Shard, TagSetId, ValueType, builtin};
use loadline_units::PhaseMillis;
use rustc_hash::FxHashMap;

use crate::phases::SCENARIO;

/// The metrics that hold Artillery's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArtilleryMetrics {
    /// Sums.
    pub counters: MetricId,
    /// Distributions.
    pub summaries: MetricId,
    /// Events per second.
    pub rates: MetricId,
}

/// The tag that holds a metric's name.
pub const NAME_TAG: &str = "metric";

/// The longest name of a metric; longer ones are cut off, as in Artillery.
const NAME_BYTES_MAX: usize = 1024;

impl ArtilleryMetrics {
    /// Registers them.
    ///
    /// # Panics
    /// Never: the names are not taken.
    #[must_use]
    pub fn declare(registry: &Registry) -> Self {
        let declare = |name, kind, contains| {
            registry
                .register(name, kind, contains)
                .expect("the name is ours and always declared so")
        };
        Self {
            counters: declare("artillery_counters", Kind::Counter, ValueType::Default),
            summaries: declare("artillery_summaries", Kind::Trend, ValueType::Default),
            rates: declare("artillery_rates", Kind::Counter, ValueType::Default),
        }
    }
}

/// A measurement.
#[derive(Debug)]
pub(crate) enum Sample {
    Counter(String, f64),
    Known(CommonMetrics, f64),
    Summary(String, f64),
    Rate(String),
    Exchange(Box<Exchange>),
    Cut(Box<Cut>),
    Check(bool),
}

/// Counters and summaries with fixed names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum CommonMetrics {
    Requests,
    Responses,
    DownloadedBytes,
    Created,
    Completed,
    Failed,
    ExpectOk,
    ExpectFailed,
}

impl CommonMetrics {
    const ALL: [(Self, &'static str); 8] = [
        (Self::Requests, "http.requests"),
        (Self::Responses, "http.responses"),
        (Self::DownloadedBytes, "http.downloaded_bytes"),
        (Self::Created, "vusers.created"),
        (Self::Completed, "vusers.completed"),
        (Self::Failed, "vusers.failed"),
        (Self::ExpectOk, "plugins.expect.ok"),
        (Self::ExpectFailed, "plugins.expect.failed"),
    ];
}

/// An exchange, for the usual metrics.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) method: String,
    pub(crate) name: String,
    pub(crate) status: u16,
    pub(crate) protocol: &'static str,
    pub(crate) error: Option<(u16, String)>,
    pub(crate) phases: PhaseMillis,
    /// Of the body as sent.
    pub(crate) bytes: u64,
}

/// A request that was under way when its user was stopped.
#[derive(Debug)]
pub(crate) struct Cut {
    pub(crate) method: String,
    pub(crate) name: String,
    /// Its age then, ms.
    pub(crate) age: f64,
}

/// Measurements of a user between two visits of its worker.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    samples: RefCell<Vec<Sample>>,
}

impl Outbox {
    pub(crate) fn count(&self, name: impl Into<String>, value: f64) {
        self.push(Sample::Counter(name.into(), value));
    }

    pub(crate) fn known(&self, known: CommonMetrics, value: f64) {
        self.push(Sample::Known(known, value));
    }

    pub(crate) fn summary(&self, name: impl Into<String>, value: f64) {
        self.push(Sample::Summary(name.into(), value));
    }

    pub(crate) fn rate(&self, name: impl Into<String>) {
        self.push(Sample::Rate(name.into()));
    }

    pub(crate) fn error(&self, code: &str) {
        self.count(format!("errors.{code}"), 1.0);
    }

    pub(crate) fn push(&self, sample: Sample) {
        self.samples.borrow_mut().push(sample);
    }

    /// Removes all measurements (those of `before` and `after` are not counted).
    pub(crate) fn clear(&self) {
        self.samples.borrow_mut().clear();
    }

    pub(crate) fn flush(&self, shard: &mut Shard, names: &Names) {
        let mut samples = self.samples.borrow_mut();
        for sample in samples.drain(..) {
            names.record(shard, sample);
        }
    }
}

/// Tag sets of names; one table per worker.
pub(crate) struct Names {
    metrics: ArtilleryMetrics,
    base: TagSetId,
    known: Vec<TagSetId>,
    by_name: RefCell<FxHashMap<String, TagSetId>>,
    exchanges: RefCell<FxHashMap<(String, String, u16), TagSetId>>,
}

impl Names {
    pub(crate) fn new(shard: &mut Shard, metrics: ArtilleryMetrics) -> Self {
        let known = CommonMetrics::ALL
            .iter()
            .map(|(_, name)| shard.tags.extend(TagSetId::EMPTY, &[(NAME_TAG, name)]))
            .collect();
        Self {
            metrics,
            base: shard
                .tags
                .extend(TagSetId::EMPTY, &[("group", ""), ("scenario", SCENARIO)]),
            known,
            by_name: RefCell::default(),
            exchanges: RefCell::default(),
        }
    }

    fn tags(&self, shard: &mut Shard, mut name: String) -> TagSetId {
        if name.len() > NAME_BYTES_MAX {
            let end = (0..=NAME_BYTES_MAX)
                .rev()
                .find(|at| name.is_char_boundary(*at))
                .unwrap_or(0);
            name.truncate(end);
        }
        if let Some(tags) = self.by_name.borrow().get(&name) {
            return *tags;
        }
        let tags = shard.tags.extend(TagSetId::EMPTY, &[(NAME_TAG, &name)]);
        self.by_name.borrow_mut().insert(name, tags);
        tags
    }

    fn record(&self, shard: &mut Shard, sample: Sample) {
        match sample {
            Sample::Counter(name, value) => {
                let tags = self.tags(shard, name);
                shard.record(self.metrics.counters, tags, value);
            }
            Sample::Known(known, value) => {
                let place = CommonMetrics::ALL
                    .iter()
                    .position(|(other, _)| *other == known);
                if let Some(tags) = place.and_then(|place| self.known.get(place)) {
                    shard.record(self.metrics.counters, *tags, value);
                }
            }
            Sample::Summary(name, value) => {
                let tags = self.tags(shard, name);
                shard.record(self.metrics.summaries, tags, value);
            }
            Sample::Rate(name) => {
                let tags = self.tags(shard, name);
                shard.record(self.metrics.rates, tags, 1.0);
            }
            Sample::Check(passed) => {
                shard.record(builtin::CHECKS, self.base, f64::from(u8::from(passed)));
            }
            Sample::Exchange(exchange) => self.exchange(shard, &exchange),
            Sample::Cut(cut) => {
                let tags = [
                    ("method", &*cut.method),
                    ("name", &cut.name),
                    ("url", &cut.name),
                ];
                let tags = shard.tags.extend(self.base, &tags);
                shard.record(builtin::HTTP_REQS_CUT, tags, cut.age);
            }
        }
    }

    fn exchange(&self, shard: &mut Shard, exchange: &Exchange) {
        let is_expected = exchange.error.is_none() && (200..400).contains(&exchange.status);
        let tags = if exchange.error.is_none() {
            let key = (
                exchange.method.clone(),
                exchange.name.clone(),
                exchange.status,
            );
            let known = self.exchanges.borrow().get(&key).copied();
            match known {
                Some(tags) => tags,
                None => {
                    let tags = self.exchange_tags(shard, exchange, is_expected);
                    self.exchanges.borrow_mut().insert(key, tags);
                    tags
                }
            }
        } else {
            self.exchange_tags(shard, exchange, is_expected)
        };
        shard.record_request(tags, &exchange.phases, Some(!is_expected));
        if exchange.error.is_none() {
            #[expect(clippy::cast_precision_loss, reason = "bytes of one answer")]
            let bytes = exchange.bytes as f64;
            shard.record(builtin::HTTP_RESPONSE_BYTES, tags, bytes);
            if is_expected {
                shard.record(builtin::HTTP_RESPONSE_SIZE, tags, bytes);
            }
        }
    }

    fn exchange_tags(&self, shard: &mut Shard, exchange: &Exchange, is_expected: bool) -> TagSetId {
        let status = exchange.status.to_string();
        let mut tags = vec![
            ("method", exchange.method.as_str()),
            ("name", exchange.name.as_str()),
            ("url", exchange.name.as_str()),
            ("status", status.as_str()),
            ("proto", exchange.protocol),
            (
                "expected_response",
                if is_expected { "true" } else { "false" },
            ),
        ];
        let code;
        match &exchange.error {
            Some((number, text)) => {
                code = number.to_string();
                tags.push(("error", text));
                tags.push(("error_code", &code));
            }
            None if exchange.status >= 400 => {
                code = (1000 + u32::from(exchange.status)).to_string();
                tags.push(("error_code", &code));
            }
            None => {}
        }
        shard.tags.extend(self.base, &tags)
    }

    /// Records an iteration.
    pub(crate) fn iteration(&self, shard: &mut Shard, millis: f64) {
        shard.record_all(
            self.base,
            &[
                (builtin::ITERATIONS, 1.0),
                (builtin::ITERATION_DURATION, millis),
            ],
        );
    }

    /// Records the age of a WebSocket's handshake that was cut, ms.
    pub(crate) fn cut_handshake(&self, shard: &mut Shard, age: f64) {
        shard.record(builtin::WS_CONNECTING_CUT, self.base, age);
    }

    /// Records the bytes of an iteration, also of one that was cut.
    pub(crate) fn traffic(&self, shard: &mut Shard, sent: u64, received: u64) {
        #[expect(clippy::cast_precision_loss, reason = "bytes of one user")]
        let (sent, received) = (sent as f64, received as f64);
        shard.record_all(
            self.base,
            &[
                (builtin::DATA_SENT, sent),
                (builtin::DATA_RECEIVED, received),
            ],
        );
    }
}
