//! What strangers send to the gate: tickets, keys, addresses, bodies. Nothing is taken that
//! was not given, and nothing breaks.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loadline_gate::capacity::{self, ImportSettings};
use loadline_gate::directory::KeySecret;
use loadline_gate::ids::{QueueId, TenantId};
use loadline_gate::queue::VisitorId;
use loadline_gate::tokens::redirect::{AllowedSchemes, parse_origin, parse_target};
use loadline_gate::tokens::{Secret, Signer, TokenPurpose};

fuzz_target!(|bytes: &[u8]| {
    loadline_gate::http::read_bodies(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let secret = Secret::new([7; 32]);
    let signer = Signer::new(&secret, QueueId([1; 8]), 1);
    for purpose in [
        TokenPurpose::Waiting,
        TokenPurpose::Code,
        TokenPurpose::Session,
    ] {
        if let Ok(ticket) = signer.check(purpose, text, 0) {
            assert_eq!(
                signer.sign(purpose, &ticket),
                text,
                "a ticket nobody signed"
            );
        }
    }
    if let Some(key) = KeySecret::parse(text) {
        assert_eq!(key.reveal(), text);
    }
    if let Some(wid) = VisitorId::parse(text) {
        assert_eq!(wid.to_string(), text.to_ascii_lowercase());
    }
    assert!(QueueId::parse(text).is_none_or(|id| id.to_string() == text));
    assert!(TenantId::parse(text).is_none_or(|id| id.to_string() == text));
    let origins = ["https://shop.example".to_owned()];
    if let Ok(url) = parse_target(text, &origins) {
        assert_eq!(
            (url.scheme(), url.host_str(), url.port()),
            ("https", Some("shop.example"), None)
        );
        assert!(url.username().is_empty() && url.password().is_none());
    }
    let _ = parse_origin(text, AllowedSchemes::HttpToo);
    if let Ok(import) =
        capacity::parse(text).and_then(|file| capacity::import(&file, ImportSettings::default()))
    {
        assert!(import.rate.as_per_second() <= 1e6 && import.cap > 0);
    }
});
