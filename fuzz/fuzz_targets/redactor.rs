//! What may be a secret is masked in any text: a secret in one of the usual places is gone, and what
//! was masked stays as it is.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::MemoryBound;
use loadline_record::Redactor;

/// Longer than any word, and in no text by chance.
const SECRET: &str = "Zq8vX2mK9pLw4RtY";
/// Patterns copy a text at most once each; their engines keep a cache for the first texts.
const BOUND: MemoryBound = MemoryBound {
    bytes_each: 10_000,
    bytes_base: 64 << 20,
};

fuzz_target!(|input: (u8, &str)| {
    let (place, text) = input;
    let redactor = Redactor::default();
    let masked = BOUND.hold(text.len(), || redactor.text(text));
    assert_eq!(redactor.text(&masked), masked, "masked twice");
    let _ = redactor.document(text);

    let line = text.lines().next().unwrap_or_default();
    let planted = match place % 3 {
        0 => format!("{line}\nAuthorization: Bearer {SECRET}\n{line}"),
        1 => format!("{line}\npassword={SECRET}\n{line}"),
        _ => format!("{line}\nhttps://user:{SECRET}@host/path\n{line}"),
    };
    assert!(!redactor.text(&planted).contains(SECRET), "{planted}");
});
