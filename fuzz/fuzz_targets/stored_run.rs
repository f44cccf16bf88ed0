//! Blobs of stored runs: what is no blob is refused without much memory; definitions and gains, read,
//! written and read again, are the same.
#![no_main]
#![allow(dead_code)]

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::MemoryBound;

#[path = "../../crates/adapters/store/src/blob.rs"]
mod blob;
#[path = "../../crates/adapters/store/src/blob_error.rs"]
mod blob_error;
#[path = "../../crates/adapters/store/src/dictionary.rs"]
mod dictionary;
#[path = "../../crates/adapters/store/src/gains.rs"]
mod gains;
#[path = "../../crates/adapters/store/src/varint.rs"]
mod varint;

use blob::{Content, Sealer, StorageRules};
use gains::{Detail, Gains, Writer};

/// A page of content that repeats is a few bytes when packed.
const BOUND: MemoryBound = MemoryBound {
    bytes_each: 1_000_000,
    bytes_base: 1 << 20,
};

fn seal(content: Content, plain: &[u8]) -> Vec<u8> {
    let rules = StorageRules {
        fold_limit: 7,
        redaction: 1,
    };
    Sealer::new(rules).seal(content, plain)
}

fn read_gains(plain: &[u8]) -> Option<Vec<(u32, loadline_metrics::MetricValue)>> {
    Gains::new(plain).collect::<Result<_, _>>().ok()
}

fn write_gains(gains: &[(u32, loadline_metrics::MetricValue)]) -> Vec<u8> {
    let mut writer = Writer::new(Detail::Buckets, 0);
    for (series, value) in gains {
        writer.put(*series, value);
    }
    writer.into_bytes()
}

fuzz_target!(|bytes: &[u8]| {
    for content in [Content::Gains, Content::Dictionary, Content::Facts] {
        let _ = BOUND.hold(bytes.len(), || blob::open(content, bytes));
    }
    let sealed = seal(Content::Facts, bytes);
    let (_, opened) = blob::open(Content::Facts, &sealed).expect("what was sealed opens");
    assert_eq!(opened, bytes);

    if let Ok(definitions) = dictionary::decode(bytes) {
        let written = dictionary::encode(&definitions);
        assert_eq!(
            dictionary::decode(&written).expect("what was written is read"),
            definitions
        );
    }
    if let Some(gains) = read_gains(bytes) {
        // What is written anew has no empty values and its shortest form; from then on it stays.
        let written = write_gains(&gains);
        let again = read_gains(&written).expect("what was written is read");
        let twice = write_gains(&again);
        assert_eq!(
            read_gains(&twice).map(|gains| write_gains(&gains)),
            Some(twice)
        );
    }
});
