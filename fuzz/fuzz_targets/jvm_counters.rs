//! The counters that a JVM leaves in a file, which any process may have written: read or refused,
//! with no more kept than is there.
#![no_main]
#![allow(dead_code)]

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::MemoryBound;

#[path = "../../crates/adapters/observe/src/process/jvm"]
mod jvm {
    pub mod counters;

    pub fn read(bytes: &[u8]) -> bool {
        counters::Counters::read(bytes).is_some()
    }
}

/// Each of 4,096 entries may name all of the file.
const BOUND: MemoryBound = MemoryBound {
    bytes_each: 2 * 4_096,
    bytes_base: 1 << 20,
};

fuzz_target!(|bytes: &[u8]| {
    let is_read = BOUND.hold(bytes.len(), || jvm::read(bytes));
    assert!(!is_read || bytes.starts_with(&[0xca, 0xfe, 0xc0, 0xc0]));
});
