//! Fields of answers that are read as more than a text: challenges of Digest, and the frames of
//! HTTP/2 as their bytes pass, however they are cut.
#![no_main]
#![allow(dead_code)]

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::LINEAR;

#[path = "../../crates/adapters/net/src/auth/challenge.rs"]
mod challenge;

#[path = "../../crates/adapters/net/src/http2"]
mod http2 {
    mod frames;

    /// The frames' state after these pieces, or that it is a flood.
    pub fn saw(pieces: &[&[u8]]) -> String {
        let mut frames = frames::Frames::default();
        for piece in pieces {
            if let Err(flood) = frames.saw(piece) {
                return flood.to_string();
            }
        }
        format!("{frames:?}")
    }
}

fuzz_target!(|input: (u16, &[u8])| {
    let (cut, bytes) = input;
    let (head, tail) = bytes.split_at(usize::from(cut) % (bytes.len() + 1));
    assert_eq!(http2::saw(&[bytes]).len(), http2::saw(&[head, tail]).len());

    let found = LINEAR.hold(bytes.len(), || {
        challenge::Challenge::find([head, tail].into_iter())
    });
    if let Some(challenge) = found {
        // A byte that is no text becomes three.
        assert!(challenge.realm.len() + challenge.nonce.len() <= 3 * bytes.len());
    }
});
