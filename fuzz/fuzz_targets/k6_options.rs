//! Options of k6 from everywhere they come from: the script, the configuration file, variables, flags.
//! JSON is read exactly where `serde_json` reads it, but for depth and duplicates.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::MemoryBound;
use loadline_k6_options::json::Document;
use loadline_k6_options::{K6Version, OptionsLayer, ScriptOptions, flags};

/// An error quotes what it is about, in Go's words.
const BOUND: MemoryBound = MemoryBound {
    bytes_each: 20_000,
    bytes_base: 1 << 20,
};
/// Variables are named by the first line of what is fuzzed.
const NAMES: [&str; 12] = [
    "K6_VUS",
    "K6_DURATION",
    "K6_STAGES",
    "K6_BLACKLIST_IPS",
    "K6_BLOCK_HOSTNAMES",
    "K6_DNS",
    "K6_SUMMARY_TREND_STATS",
    "K6_SYSTEM_TAGS",
    "K6_EXECUTION_SEGMENT",
    "K6_EXECUTION_SEGMENT_SEQUENCE",
    "K6_SCENARIOS",
    "K6_LOG_OUTPUT",
];

fuzz_target!(|input: (u8, &str)| {
    let (which, text) = input;
    let version = if which % 2 == 0 {
        K6Version::V1
    } else {
        K6Version::V2
    };
    BOUND.hold(text.len(), || {
        let document = Document::parse(text);
        let known = serde_json::from_str::<serde_json::Value>(text);
        if let (Ok(document), Ok(_)) = (&document, &known) {
            assert_eq!(document.raw(document.root()).trim(), text.trim());
        }
        assert!(
            document.is_ok() || known.is_err() || text.matches(['[', '{']).count() > 100,
            "{document:?}"
        );
        if let Ok(value) = &known {
            let _ = ScriptOptions::read(value, version);
        }
        let _ = OptionsLayer::read_config_file("config.json", text, version);
        let name = NAMES[usize::from(which) % NAMES.len()];
        let environment = BTreeMap::from([(name.to_owned(), text.to_owned())]);
        let _ = OptionsLayer::read_environment(&environment);
        let words: Vec<String> = text.lines().map(str::to_owned).collect();
        let _ = flags::parse(&words);
    });
});
