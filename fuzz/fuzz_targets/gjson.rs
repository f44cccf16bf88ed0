//! Any path leads to JSON or nowhere, in any JSON.
//!
//! The module is compiled here by itself: the crate it belongs to takes minutes.
#![no_main]
#![allow(dead_code)]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/users/k6/src/modules/http"]
mod http {
    pub mod json_path;
}

use http::json_path;

fuzz_target!(|input: (&str, &str)| {
    let (path, text) = input;
    let is_json = json_path::is_json(text);
    assert_eq!(
        is_json,
        serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() || deep(text) && is_json
    );
    if !is_json {
        return;
    }
    if let Some(found) = json_path::get(text, path) {
        assert!(json_path::is_json(&found), "{found}");
        json_path::text_of(&found);
    }
});

/// Deeper than `serde_json` reads.
fn deep(text: &str) -> bool {
    text.bytes()
        .filter(|byte| matches!(byte, b'[' | b'{'))
        .count()
        > 127
}
