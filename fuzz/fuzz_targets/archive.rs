//! Archives of k6: what is laid out stands in one folder and is no longer than the archive.
#![no_main]
#![allow(dead_code)]

use std::fs;
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::MemoryBound;

#[path = "../../crates/products/cli/src/commands/run/script/unpacked.rs"]
mod unpacked;

/// Names, contents and options, each kept once or twice; a block is read for each entry.
const BOUND: MemoryBound = MemoryBound {
    bytes_each: 1_000,
    bytes_base: 1 << 20,
};

fn bytes_below(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else {
        return 0;
    };
    let size = |entry: fs::DirEntry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => bytes_below(&entry.path()),
        Ok(kind) => {
            assert!(kind.is_file(), "only files and folders");
            entry.metadata().map_or(0, |about| about.len())
        }
        Err(_) => 0,
    };
    entries.filter_map(Result::ok).map(size).sum()
}

fuzz_target!(|bytes: &[u8]| {
    let found = BOUND.hold(bytes.len(), || unpacked::Unpacked::read(bytes));
    if let Ok(unpacked) = found {
        let folder = unpacked.folder();
        assert!(Path::new(&unpacked.script).starts_with(&folder));
        // A name may stand twice, and the script under its own.
        assert!(bytes_below(&folder) <= bytes.len() as u64);
    }
});
