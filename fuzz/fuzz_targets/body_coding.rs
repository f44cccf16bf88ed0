//! Bodies in any `Content-Encoding`, several of them too: no more comes out than is allowed, and
//! little more is asked for on the way.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::MemoryBound;
use loadline_net::decoded_length;

const BODY_BYTES_MAX: u64 = 1 << 16;
/// Decoders have windows of up to 16 MiB, and at most four codings are named here.
const BOUND: MemoryBound = MemoryBound {
    bytes_each: 1_000,
    bytes_base: 256 << 20,
};
const CODINGS: [&str; 8] = [
    "gzip",
    "deflate",
    "br",
    "zstd",
    "gzip, br",
    "zstd,gzip",
    "identity",
    "gzip,gzip,gzip,gzip",
];

fuzz_target!(|input: (u8, &[u8])| {
    let (coding, bytes) = input;
    let coding = CODINGS[usize::from(coding) % CODINGS.len()];
    let decoded = BOUND.hold(bytes.len(), || {
        decoded_length(coding.as_bytes(), bytes, BODY_BYTES_MAX)
    });
    if let Ok(length) = decoded {
        assert!(length as u64 <= BODY_BYTES_MAX || coding == "identity");
    }
});
