//! Answers to the hello of TLS that are none.

use super::AttackEnd::{Close, Silence};
use super::AttackProtocol::Tls;
use super::http1::noise;
use super::{Attack, AttackProtocol};

fn tls(name: &'static str, first: impl Into<Vec<u8>>) -> Attack {
    let protocol: AttackProtocol = Tls;
    Attack::answer(name, protocol, first).ending(Silence)
}

/// A record of the handshake.
fn handshake(payload: &[u8]) -> Vec<u8> {
    let length = u16::try_from(payload.len()).unwrap_or(0).to_be_bytes();
    [&[22, 3, 3], &length[..], payload].concat()
}

pub(super) fn attacks() -> Vec<Attack> {
    // A hello of 16 MB that never ends.
    let endless = handshake(b"\x02\xff\xff\xff");
    vec![
        tls("tls-garbage", noise(10_000)).ending(Close),
        tls("tls-plain-http", "HTTP/1.1 400 Bad Request\r\n\r\n").ending(Close),
        tls("tls-handshake-endless", endless).flooding(handshake(&[0; 16_000])),
        tls("tls-records-empty", b"").flooding(handshake(b"")),
        tls("tls-alerts", b"").flooding(b"\x15\x03\x03\x00\x02\x01\x5a"),
        tls("tls-change-cipher", b"").flooding(b"\x14\x03\x03\x00\x01\x01"),
        tls("tls-silence", b""),
    ]
}
