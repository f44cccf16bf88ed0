//! Files of variables (`--dotenv`) and stack traces that a script may have made up.
#![no_main]
#![allow(dead_code)]

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::LINEAR;

#[path = "../../crates/products/cli/src/commands/run/artillery/dotenv.rs"]
mod dotenv;
#[path = "../../crates/adapters/js/src/frames.rs"]
mod frames;

fuzz_target!(|text: &str| {
    LINEAR.hold(text.len(), || {
        let pairs = dotenv::variables(text);
        assert!(pairs.len() <= text.lines().count());
        assert!(
            pairs
                .iter()
                .map(|(name, value)| name.len() + value.len())
                .sum::<usize>()
                <= text.len()
        );
        assert!(pairs.iter().all(|(name, _)| !name.contains(['\n', '='])));
        assert!(frames::parse(text).len() <= text.lines().count());
    });
});
