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
/// the message. Counts in one pass and stops beyond `most`. `None` for bytes that are no message: they
/// need not be read to be refused, and what reading them would take is not known. (A part that is longer
/// than what it is in is read to its own end before that is an error.)
#[must_use]
pub fn decoded_bytes(kind: ExportKind, message: &[u8], most: usize) -> Option<usize> {
    let part = match kind {
        ExportKind::Traces => &TRACES,
        ExportKind::Metrics => &METRICS,
    };
    let mut bytes = 0;
    match count(part, message, most, &mut bytes) {
        Ok(()) | Err(CountEnd::Enough) => Some(bytes),
        Err(CountEnd::Malformed) => None,
    }
}

/// Why counting ended before the message did.
enum CountEnd {
    /// There are more than were asked for.
    Enough,
    /// It is no message.
    Malformed,
}

/// Adds up the parts of `message`.
fn count(part: &Part, mut message: &[u8], most: usize, bytes: &mut usize) -> Result<(), CountEnd> {
    while !message.is_empty() {
        let (field, rest) = next_field(message).ok_or(CountEnd::Malformed)?;
        message = rest;
        let Field::Part { number, content } = field else {
            continue;
        };
        let inner_part = part.fields.iter().find(|(field, _)| *field == number);
        if let Some((_, inner_part)) = inner_part {
            *bytes += inner_part.bytes;
            if *bytes > most {
                return Err(CountEnd::Enough);
            }
            count(inner_part, content, most, bytes)?;
        }
    }
    Ok(())
}

/// What a field is.
enum Field<'m> {
    /// A number.
    Number,
    /// What has a length: a text, or a part.
    Part { number: u32, content: &'m [u8] },
}

/// The next field and what follows it; `None` where there is none.
fn next_field(message: &[u8]) -> Option<(Field<'_>, &[u8])> {
    let (key, rest) = varint(message)?;
    match key & 7 {
        0 => Some((Field::Number, varint(rest)?.1)),
        1 => Some((Field::Number, rest.get(8..)?)),
        2 => {
            let (length, rest) = varint(rest)?;
            let (content, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
            let number = u32::try_from(key >> 3).ok()?;
            Some((Field::Part { number, content }, rest))
        }
        5 => Some((Field::Number, rest.get(4..)?)),
        _ => None,
    }
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
            Some(own + 3 * size_of::<Span>() + 6 * size_of::<KeyValue>())
        );
    }

    #[test]
    fn counting_stops_beyond_what_is_taken() {
        let most = 10 * size_of::<Span>();
        let bytes = decoded_bytes(ExportKind::Traces, &traces(1_000, 0), most).unwrap();
        assert!(bytes > most && bytes < 12 * size_of::<Span>(), "{bytes}");
    }

    #[test]
    fn what_is_no_message_has_no_size() {
        let mut message = traces(2, 1);
        message.truncate(message.len() - 1);
        for cut in 0..message.len() {
            let _ = decoded_bytes(ExportKind::Metrics, &message[cut..], usize::MAX);
        }
        for bytes in [&message[..], &[0xff; 64]] {
            assert_eq!(decoded_bytes(ExportKind::Traces, bytes, usize::MAX), None);
        }
    }

    /// Spans behind the end of what holds them were not counted, and all read before that was an error:
    /// a message of 8 MiB could take what it liked.
    #[test]
    fn a_part_longer_than_what_it_is_in_is_no_message() {
        let spans = [0x12, 0].repeat(1_000);
        let mut inner = vec![0x12, 0xd0, 0x0f]; // scope_spans of 2,000 bytes
        inner.extend_from_slice(&spans);
        let mut message = vec![0x0a, 3]; // resource_spans of 3
        message.extend_from_slice(&inner);
        assert!(ExportTraceServiceRequest::decode(&message[..]).is_err());
        assert_eq!(
            decoded_bytes(ExportKind::Traces, &message, usize::MAX),
            None
        );
    }
}
