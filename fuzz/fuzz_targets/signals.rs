//! What sources of signals answer or send: exports of OpenTelemetry as they are summed up, pages,
//! `INFO`, Loki, a Prometheus, another observer. Few signals come of few bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::MemoryBound;
use loadline_observe::{read_answer, read_export};

/// A part of an export takes some hundred bytes when it is read, and is kept by some names.
const BOUND: MemoryBound = MemoryBound {
    bytes_each: 20_000,
    bytes_base: 64 << 20,
};

fuzz_target!(|bytes: &[u8]| {
    let found = BOUND.hold(bytes.len(), || read_export(bytes) + read_answer(bytes));
    assert!(found <= 100 + 10 * bytes.len(), "{found}");
});
