//! Spans, kept until their request is whole; then only its times stay.

use std::collections::{BTreeMap, HashMap};

use loadline_record::signals::{Entity, Label, SignalKind};

use super::breakdown::{RequestTime, breakdown};
use super::probes::is_probe;
use super::span::{NameId, Names, SpanPart, SpanWork};
use crate::reading::Reading;
use loadline_otlp::ResourceSpans;

/// Most spans that are kept at once.
const SPANS_MAX: usize = 200_000;
/// Most spans of one trace: more would not be looked through in time.
const TRACE_SPANS_MAX: usize = 2_000;
/// A trace is told from so long after its last span on, ms: exporters send in batches.
const TRACE_COMPLETE_MS: u64 = 2_000;
/// Durations by which the slowest 5 % are told.
const RECENT_DURATIONS_MAX: usize = 1_000;
const SLOW_QUANTILE: f64 = 0.95;
/// Below so many no request is called slow.
const SLOW_SAMPLES_MIN: usize = 40;

/// Traces that are not whole yet, and sums of those that are.
#[derive(Default)]
pub(super) struct Traces {
    names: Names,
    open: HashMap<[u8; 16], OpenTrace>,
    spans: usize,
    of_callers: TraceSums,
    /// Of requests of those who watch the service: told where nothing else is traced.
    of_probes: TraceSums,
    recent: Vec<f64>,
    next_recent: usize,
    pub(super) requests: u64,
    pub(super) has_pool: bool,
    pub(super) has_sql: bool,
    /// Spans that were taken.
    pub(super) taken: u64,
    /// Spans that did not fit or could not be read.
    pub(super) left_out: u64,
}

/// Sums of whole traces.
#[derive(Default)]
struct TraceSums {
    requests: BTreeMap<SumKey, RequestSums>,
    statements: BTreeMap<SumKey, CallSums>,
    calls: BTreeMap<SumKey, CallSums>,
    /// Calls that the other server refused.
    refused: BTreeMap<SumKey, f64>,
}

struct OpenTrace {
    spans: Vec<SpanPart>,
    last_ms: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Band {
    Typical,
    Tail,
}

impl Band {
    fn name(self) -> &'static str {
        match self {
            Self::Typical => "typical",
            Self::Tail => "tail",
        }
    }
}

type SumKey = (NameId, Band);

#[derive(Debug, Default, Clone)]
struct RequestSums {
    requests: f64,
    errors: f64,
    all: f64,
    pool: f64,
    sql: f64,
    outside: f64,
    held: f64,
    message: f64,
    own: f64,
}

#[derive(Debug, Default, Clone, Copy)]
struct CallSums {
    calls: f64,
    time: f64,
}

impl Traces {
    /// Takes spans as they arrive.
    pub(super) fn take(&mut self, resources: &[ResourceSpans], now_ms: u64) {
        for span in resources
            .iter()
            .flat_map(|resource| &resource.scope_spans)
            .flat_map(|scope| &scope.spans)
        {
            let trace = <[u8; 16]>::try_from(span.trace_id.as_slice()).ok();
            let part = SpanPart::from_span(span, &mut self.names);
            let (Some(trace), Some(part)) = (trace, part) else {
                self.left_out += 1;
                continue;
            };
            if self.spans >= SPANS_MAX {
                self.left_out += 1;
                continue;
            }
            let open = self.open.entry(trace).or_insert_with(|| OpenTrace {
                spans: Vec::new(),
                last_ms: now_ms,
            });
            open.last_ms = now_ms;
            if open.spans.len() >= TRACE_SPANS_MAX {
                self.left_out += 1;
                continue;
            }
            open.spans.push(part);
            self.spans += 1;
            self.taken += 1;
        }
    }

    /// Takes the times of all traces that are whole by now.
    pub(super) fn settle(&mut self, now_ms: u64) {
        let whole: Vec<[u8; 16]> = self
            .open
            .iter()
            .filter(|(_, open)| open.last_ms + TRACE_COMPLETE_MS <= now_ms)
            .map(|(trace, _)| *trace)
            .collect();
        for trace in whole {
            if let Some(open) = self.open.remove(&trace) {
                self.spans -= open.spans.len();
                self.add_trace(&open.spans);
            }
        }
    }

    /// Every service that takes part in a trace has a request of its own in it.
    fn add_trace(&mut self, spans: &[SpanPart]) {
        let mut children: HashMap<u64, Vec<&SpanPart>> = HashMap::new();
        for span in spans {
            children.entry(span.parent).or_default().push(span);
        }
        for request in spans {
            if let SpanWork::Request { name, failed } = request.work {
                let below = below(request, &children, spans.len());
                let time = breakdown(request, &below);
                self.add(name, failed, &time);
            }
        }
    }

    fn add(&mut self, name: NameId, failed: bool, time: &RequestTime) {
        let is_probe = is_probe(self.names.name(name));
        let band = if is_probe {
            Band::Typical
        } else {
            self.band(time.all)
        };
        let all = if is_probe {
            &mut self.of_probes
        } else {
            &mut self.of_callers
        };
        self.requests += 1;
        self.has_pool |= time.pool > 0.0;
        self.has_sql |= !time.statements.is_empty();
        let sums = all.requests.entry((name, band)).or_default();
        sums.requests += 1.0;
        sums.errors += f64::from(u8::from(failed));
        sums.all += time.all;
        sums.pool += time.pool;
        sums.sql += time.sql;
        sums.outside += time.outside;
        sums.held += time.held;
        sums.message += time.message;
        sums.own += time.own;
        let add = |to: &mut BTreeMap<SumKey, CallSums>, name: NameId, seconds: f64| {
            let call = to.entry((name, band)).or_default();
            call.calls += 1.0;
            call.time += seconds;
        };
        for (statement, seconds) in &time.statements {
            add(&mut all.statements, *statement, *seconds);
        }
        for call in &time.calls {
            add(&mut all.calls, call.peer, call.seconds);
            // That none is refused is a value, too.
            let refused = all.refused.entry((call.peer, band)).or_default();
            *refused += f64::from(u8::from(call.is_refused));
        }
    }

    /// Whether a request is among the slowest of those before it.
    fn band(&mut self, seconds: f64) -> Band {
        let is_slow = self.recent.len() >= SLOW_SAMPLES_MIN && {
            let faster = self.recent.iter().filter(|one| **one < seconds).count();
            let share = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
            share(faster) >= SLOW_QUANTILE * share(self.recent.len())
        };
        if self.recent.len() < RECENT_DURATIONS_MAX {
            self.recent.push(seconds);
        } else {
            self.recent[self.next_recent] = seconds;
            self.next_recent = (self.next_recent + 1) % RECENT_DURATIONS_MAX;
        }
        if is_slow { Band::Tail } else { Band::Typical }
    }

    /// Gives all sums so far.
    pub(super) fn give(&self, reading: &mut Reading) {
        use SignalKind as K;
        let all = if self.of_callers.requests.is_empty() {
            &self.of_probes
        } else {
            &self.of_callers
        };
        for ((name, band), sums) in &all.requests {
            let of = Entity::new()
                .with(Label::Operation, self.names.name(*name))
                .with(Label::Band, band.name());
            let mut add = |kind, value| reading.add(kind, of.clone(), value);
            add(K::TracedRequests, sums.requests);
            add(K::TracedErrors, sums.errors);
            add(K::TracedTime, sums.all);
            add(K::TracedPoolTime, sums.pool);
            add(K::TracedHeldTime, sums.held);
            add(K::TracedMessageTime, sums.message);
            add(K::TracedOwnTime, sums.own);
            // By operation and without statement or peer: what overlaps counts once here.
            add(K::TracedDatabaseTime, sums.sql);
            add(K::TracedOutsideTime, sums.outside);
        }
        let counts = [
            (K::SpansReceived, self.taken),
            (K::SpansLeftOut, self.left_out),
        ];
        for (kind, count) in counts {
            reading.add(kind, Entity::new(), count_of(count));
        }
        let named = |label, name: NameId, band: Band| {
            Entity::new()
                .with(label, self.names.name(name))
                .with(Label::Band, band.name())
        };
        for ((name, band), sums) in &all.statements {
            let of = named(Label::Statement, *name, *band);
            reading.add(K::TracedSqlCalls, of.clone(), sums.calls);
            reading.add(K::TracedSqlTime, of, sums.time);
        }
        for ((name, band), sums) in &all.calls {
            let of = named(Label::Peer, *name, *band);
            reading.add(K::TracedCalls, of.clone(), sums.calls);
            reading.add(K::TracedCallTime, of, sums.time);
        }
        for ((name, band), refused) in &all.refused {
            let of = named(Label::Peer, *name, *band);
            reading.add(K::TracedCallsRefused, of, *refused);
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn count_of(spans: u64) -> f64 {
    spans as f64
}

/// All spans below a request, without those of other services' requests.
fn below(
    request: &SpanPart,
    children: &HashMap<u64, Vec<&SpanPart>>,
    most: usize,
) -> Vec<SpanPart> {
    let mut found = Vec::new();
    let mut next = vec![request.id];
    while let Some(parent) = next.pop() {
        for child in children.get(&parent).into_iter().flatten() {
            let is_request = matches!(child.work, SpanWork::Request { .. });
            // Spans that name each other as parents would go round for ever.
            if is_request || found.len() >= most {
                continue;
            }
            found.push(**child);
            next.push(child.id);
        }
    }
    found
}
