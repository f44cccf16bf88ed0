//! A cookie that is kept can be sent.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loadline_net::SetCookie;

fuzz_target!(|line: &[u8]| {
    let Some(cookie) = SetCookie::parse(line) else {
        return;
    };
    assert!(!cookie.name.is_empty());
    let ends_line = |text: &str| text.bytes().any(|b| matches!(b, b'\r' | b'\n' | 0));
    assert!(!ends_line(&cookie.name) && !ends_line(&cookie.value));
});
