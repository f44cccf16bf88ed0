//! JSON paths of Artillery files in any answer: what is found is in the document, and no more is
//! found than may be.
#![no_main]
#![allow(dead_code, unused_imports)]

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::MemoryBound;

#[path = "../../crates/users/artillery/src"]
mod artillery {
    pub mod jsonpath;
    pub mod text;
}

use artillery::{jsonpath, text};

/// The most that a path may find, and what each match and its way take.
const BOUND: MemoryBound = MemoryBound {
    bytes_each: 100_000,
    bytes_base: 512 << 20,
};

fuzz_target!(|input: (&str, &str)| {
    let (path, document) = input;
    let Ok(path) = jsonpath::JsonPath::parse(path) else {
        return;
    };
    let Ok(document) = serde_json::from_str(document) else {
        return;
    };
    let input_bytes = input.0.len() + input.1.len();
    let found = BOUND.hold(input_bytes, || path.find(&document));
    // A string may be counted or named: those values are new, and short.
    for value in found {
        assert!(value.to_string().len() <= 2 * document.to_string().len() + 20);
    }
});
