//! What sources answer, read without a source: for fuzzing, which is all that may call it.

use std::time::SystemTime;

use loadline_otlp::{
    ExportKind, ExportMetricsServiceRequest, ExportTraceServiceRequest, Message, decoded_bytes,
};
use loadline_reactor::MonotonicClock;

use crate::exposition;
use crate::logs::read_loki;
use crate::names::PageReader;
use crate::new_signals::NewSignals;
use crate::otlp::Received;
use crate::prometheus;
use crate::reading::Reading;
use crate::redis;
use crate::tempo;

/// As the receiver of OTLP bounds a message.
const DECODED_BYTES_MAX: usize = 24 << 20;

/// Reads bytes as an export of traces, then of metrics, and gives what they tell.
#[doc(hidden)]
pub fn read_export(bytes: &[u8]) -> usize {
    let mut received = Received::new(MonotonicClock::start(), || SystemTime::UNIX_EPOCH);
    let is_small = |kind| {
        decoded_bytes(kind, bytes, DECODED_BYTES_MAX)
            .is_some_and(|decoded| decoded <= DECODED_BYTES_MAX)
    };
    if is_small(ExportKind::Traces)
        && let Ok(request) = ExportTraceServiceRequest::decode(bytes)
    {
        received.take_traces(&request);
    }
    if is_small(ExportKind::Metrics)
        && let Ok(request) = ExportMetricsServiceRequest::decode(bytes)
    {
        received.take_metrics(&request);
    }
    let mut reading = Reading::default();
    match received.give(&mut reading) {
        Ok(()) => reading.values.len(),
        Err(_) => 0,
    }
}

/// Reads bytes as every other answer there is: a page of metrics, `INFO`, lines of Loki, samples of a
/// Prometheus, traces of a Tempo, what another observer saw.
#[doc(hidden)]
pub fn read_answer(bytes: &[u8]) -> usize {
    let mut reading = Reading::default();
    if let Ok(text) = std::str::from_utf8(bytes) {
        let mut page = PageReader::new();
        let read = exposition::read(text, false, |sample| page.take(&sample));
        if read.is_ok() {
            page.finish(&mut reading);
        }
        // Whether it is an answer shows in the reading.
        let _ = redis::take(text, &mut reading);
    }
    let lines = read_loki(bytes);
    let scraped = prometheus::read_samples(bytes);
    let traces = tempo::read_traces(bytes);
    let new = serde_json::from_slice::<NewSignals>(bytes);
    reading.values.len() + lines + scraped + traces + usize::from(new.is_ok())
}
