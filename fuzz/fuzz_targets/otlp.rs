//! What is counted of an export before it is read bounds what reading it takes; read, written and
//! read again it is the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::MemoryBound;
use loadline_otlp::{
    ExportKind, ExportMetricsServiceRequest, ExportTraceServiceRequest, Message, decoded_bytes,
};

/// A growing list is copied into ones of twice its length, from four on.
const GROWTH: u64 = 8;
/// Texts take what they take in the message, and four numbers of a list at least eight bytes each.
const BYTES_EACH: u64 = 64;
const COUNTED_BYTES_MAX: usize = 24 << 20;

fn read<M: Message + Default + PartialEq>(kind: ExportKind, bytes: &[u8]) {
    // What is no message is not read.
    let Some(counted) = decoded_bytes(kind, bytes, COUNTED_BYTES_MAX) else {
        return;
    };
    if counted > COUNTED_BYTES_MAX {
        return;
    }
    let bound = MemoryBound {
        bytes_each: BYTES_EACH,
        bytes_base: 4_096 + GROWTH * counted as u64,
    };
    let Ok(message) = bound.hold(bytes.len(), || M::decode(bytes)) else {
        return;
    };
    // NaN is not equal to itself: the bytes are compared.
    let written = message.encode_to_vec();
    let again = M::decode(&written[..]).expect("what was written is a message");
    assert_eq!(again.encode_to_vec(), written);
}

fuzz_target!(|bytes: &[u8]| {
    read::<ExportTraceServiceRequest>(ExportKind::Traces, bytes);
    read::<ExportMetricsServiceRequest>(ExportKind::Metrics, bytes);
});
