//! Any text is an Artillery file or ends in a finding, in bounded time and memory.
#![no_main]

use std::path::PathBuf;

use libfuzzer_sys::fuzz_target;
use loadline_artillery::load::{LoadRequest, load};

fuzz_target!(|text: &str| {
    let loaded = load(&LoadRequest {
        files: vec!["test.yml".to_owned()],
        inline: Some(text.to_owned()),
        working_dir: PathBuf::from("/nonexistent"),
        ..LoadRequest::default()
    });
    assert!(loaded.test.is_some() || !loaded.findings.is_empty());
});
