//! How large a message is once it is read.
//!
//! Two bytes make an empty part of a message, which is some hundred bytes in memory: a message of
//! 8 MiB, some kB when packed, would be a GB. So parts are counted before they are read.

use std::mem::size_of;

use crate::attribute::{KeyValue, Resource};
use crate::metrics::{
    ExponentialHistogramDataPoint, HistogramDataPoint, NumberDataPoint, OtlpMetric,
    ResourceMetrics, ScopeMetrics,
};
use crate::trace::{ResourceSpans, ScopeSpans, Span};

/// A part of a message: what it takes in memory, and which of its fields are parts in turn.
struct Part {
    bytes: usize,
    fields: &'static [(u32, &'static Part)],
}

/// A part that takes `T`.
const fn part<T>(fields: &'static [(u32, &'static Part)]) -> Part {
    Part {
        bytes: size_of::<T>(),
        fields,
    }
}

static ATTRIBUTE: Part = part::<KeyValue>(&[]);
static RESOURCE: Part = part::<Resource>(&[(1, &ATTRIBUTE)]);

static SPAN: Part = part::<Span>(&[(9, &ATTRIBUTE)]);
static SCOPE_SPANS: Part = part::<ScopeSpans>(&[(2, &SPAN)]);
static RESOURCE_SPANS: Part = part::<ResourceSpans>(&[(1, &RESOURCE), (2, &SCOPE_SPANS)]);
static TRACES: Part = part::<()>(&[(1, &RESOURCE_SPANS)]);

static NUMBER: Part = part::<NumberDataPoint>(&[(7, &ATTRIBUTE)]);
static NUMBERS: Part = part::<()>(&[(1, &NUMBER)]);
static HISTOGRAM: Part = part::<HistogramDataPoint>(&[(9, &ATTRIBUTE)]);
static HISTOGRAMS: Part = part::<()>(&[(1, &HISTOGRAM)]);
static EXPONENTIAL: Part = part::<ExponentialHistogramDataPoint>(&[(1, &ATTRIBUTE)]);
static EXPONENTIALS: Part = part::<()>(&[(1, &EXPONENTIAL)]);
static METRIC: Part = part::<OtlpMetric>(&[
    (5, &NUMBERS),
    (7, &NUMBERS),
    (9, &HISTOGRAMS),
    (10, &EXPONENTIALS),
]);
static SCOPE_METRICS: Part = part::<ScopeMetrics>(&[(2, &METRIC)]);
static RESOURCE_METRICS: Part = part::<ResourceMetrics>(&[(1, &RESOURCE), (2, &SCOPE_METRICS)]);
static METRICS: Part = part::<()>(&[(1, &RESOURCE_METRICS)]);

/// Which export a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportKind {
    /// [`ExportTraceServiceRequest`](crate::ExportTraceServiceRequest).
    Traces,
    /// [`ExportMetricsServiceRequest`](crate::ExportMetricsServiceRequest).
    Metrics,
}

/// What the parts of an export take in memory, bytes, without its texts, which take what they take in
/// the message. Counts in one pass and stops beyond `most`. Of bytes that are no message, what was
/// read before that was seen.
#[must_use]
pub fn decoded_bytes(kind: ExportKind, message: &[u8], most: usize) -> usize {
    let part = match kind {
        ExportKind::Traces => &TRACES,
        ExportKind::Metrics => &METRICS,
    };
    let mut bytes = 0;
    let _ = count(part, message, most, &mut bytes);
    bytes
}

/// Adds up the parts of `message`; `None` where it cannot be read on, or enough is known.
fn count(part: &Part, mut message: &[u8], most: usize, bytes: &mut usize) -> Option<()> {
    while !message.is_empty() {
        let (key, rest) = varint(message)?;
        message = rest;
        match key & 7 {
            0 => message = varint(message)?.1,
            1 => message = message.get(8..)?,
            2 => {
                let (length, rest) = varint(message)?;
                let (inner, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
                message = rest;
                let number = u32::try_from(key >> 3).ok()?;
                let inner_part = part.fields.iter().find(|(field, _)| *field == number);
                if let Some((_, inner_part)) = inner_part {
                    *bytes += inner_part.bytes;
                    (*bytes <= most).then_some(())?;
                    count(inner_part, inner, most, bytes)?;
                }
            }
            5 => message = message.get(4..)?,
            _ => return None,
        }
    }
    Some(())
}

fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (place, byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * place).min(63);
        if byte & 0x80 == 0 {
            return Some((value, &bytes[place + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use prost::Message as _;

    use super::*;
    use crate::trace::ExportTraceServiceRequest;

    fn traces(spans: usize, attributes: usize) -> Vec<u8> {
        let span = Span {
            name: "GET /".to_owned(),
            attributes: vec![KeyValue::text("a", "b"); attributes],
            ..Span::default()
        };
        let scope = ScopeSpans {
            spans: vec![span; spans],
        };
        let resource = ResourceSpans {
            resource: None,
            scope_spans: vec![scope],
        };
        let request = ExportTraceServiceRequest {
            resource_spans: vec![resource],
        };
        request.encode_to_vec()
    }

    #[test]
    fn all_parts_are_counted_with_what_they_take() {
        let own = size_of::<ResourceSpans>() + size_of::<ScopeSpans>();
        let bytes = decoded_bytes(ExportKind::Traces, &traces(3, 2), usize::MAX);
        assert_eq!(
            bytes,
            own + 3 * size_of::<Span>() + 6 * size_of::<KeyValue>()
        );
    }

    #[test]
    fn counting_stops_beyond_what_is_taken() {
        let most = 10 * size_of::<Span>();
        let bytes = decoded_bytes(ExportKind::Traces, &traces(1_000, 0), most);
        assert!(bytes > most && bytes < 12 * size_of::<Span>(), "{bytes}");
    }

    #[test]
    fn what_is_no_message_is_counted_as_far_as_it_can_be_read() {
        let mut message = traces(2, 1);
        message.truncate(message.len() - 1);
        for cut in 0..message.len() {
            let _ = decoded_bytes(ExportKind::Metrics, &message[cut..], usize::MAX);
        }
        assert_eq!(
            decoded_bytes(ExportKind::Traces, &[0xff; 64], usize::MAX),
            0
        );
    }
}
