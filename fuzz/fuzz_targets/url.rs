//! A URL that was read is written as one that reads the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loadline_net::Url;

fuzz_target!(|text: &str| {
    let Ok(url) = Url::parse(text) else {
        return;
    };
    let written = url.to_string();
    let again = Url::parse(&written);
    assert_eq!(again.as_ref().map(ToString::to_string), Ok(written));
    let _ = (url.port(), url.host_name(), url.user());
});
