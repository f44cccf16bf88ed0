//! gRPC servers that never end a call.

use super::AttackEnd::Silence;
use super::AttackProtocol::Grpc;
use super::http2::{DATA, END_HEADERS, HEADERS, PING, SETTINGS, STATUS_200, field, frame};
use super::{Attack, AttackProtocol};

fn grpc(name: &'static str, first: impl Into<Vec<u8>>) -> Attack {
    let protocol: AttackProtocol = Grpc;
    let settings = frame(SETTINGS, 0, 0, b"");
    Attack::answer(name, protocol, [settings, first.into()].concat()).ending(Silence)
}

pub(super) fn attacks() -> Vec<Attack> {
    let fields = [STATUS_200, &field("content-type", "application/grpc")].concat();
    let head = frame(HEADERS, END_HEADERS, 1, &fields);
    let hints = frame(HEADERS, END_HEADERS, 1, &field(":status", "103"));
    let empty = frame(DATA, 0, 1, b"\0\0\0\0\0");
    let huge = frame(DATA, 0, 1, b"\0\xff\xff\xff\xff");
    vec![
        grpc("grpc-settings", Vec::new()).flooding(frame(SETTINGS, 0, 0, b"\0\x03\0\0\0\x64")),
        grpc("grpc-ping", Vec::new()).flooding(frame(PING, 0, 0, b"12345678")),
        grpc("grpc-hints", Vec::new()).flooding(hints),
        grpc("grpc-messages", head.clone()).flooding(empty),
        grpc("grpc-huge-message", [head, huge].concat()),
        grpc("grpc-silence", Vec::new()),
    ]
}
