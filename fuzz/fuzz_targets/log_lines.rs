//! Lines of logs that explain reads, of any form: a wording and its sample are short, and a line's
//! wording keeps no number that could be told from another.
#![no_main]
#![allow(dead_code)]

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::MemoryBound;

#[path = "../../crates/adapters/observe/src/logs"]
mod logs {
    pub mod fold;
    pub mod form;

    /// The wordings and samples of a text.
    pub fn read(text: &str) -> Vec<(String, String)> {
        let mut reader = fold::LineReader::default();
        let lines = text.lines().filter_map(|line| reader.read(line));
        lines.map(|line| (line.wording, line.sample)).collect()
    }
}

const TEXT_BYTES_MAX: usize = 500;
/// A dozen patterns each copy a line at most once; their engines keep a cache for the first lines.
const BOUND: MemoryBound = MemoryBound {
    bytes_each: 4_000,
    bytes_base: 64 << 20,
};

fuzz_target!(|text: &str| {
    let lines = BOUND.hold(text.len(), || logs::read(text));
    assert!(lines.len() <= text.lines().count());
    for (wording, sample) in &lines {
        assert!(wording.len() <= TEXT_BYTES_MAX && sample.len() <= TEXT_BYTES_MAX);
        assert!(!wording.contains('\n'));
    }
    assert_eq!(logs::read(text), lines);
});
