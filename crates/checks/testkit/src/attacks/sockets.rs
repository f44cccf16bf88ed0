//! WebSockets that never stop, and Socket.IO over them.

use super::AttackEnd::Silence;
use super::AttackProtocol::{SocketIo, WebSocket};
use super::{Attack, AttackProtocol};

fn socket(name: &'static str, first: &[u8]) -> Attack {
    let protocol: AttackProtocol = WebSocket;
    Attack::answer(name, protocol, first).ending(Silence)
}

fn text(message: &str) -> Vec<u8> {
    let length = u8::try_from(message.len()).unwrap_or(0);
    [&[0x81, length], message.as_bytes()].concat()
}

/// What a Socket.IO server says first: its session, and that the namespace is open.
fn session() -> Vec<u8> {
    let open = r#"0{"sid":"a","upgrades":[],"pingInterval":25000,"pingTimeout":20000}"#;
    [text(open), text(r#"40{"sid":"b"}"#)].concat()
}

pub(super) fn attacks() -> Vec<Attack> {
    let ping = [&b"\x89\x7d"[..], &[b'p'; 125]].concat();
    let message = [&b"\x81\x7d"[..], &[b'a'; 125]].concat();
    let fragment = [&b"\x00\x7e\xff\xff"[..], &[b'a'; 65_535]].concat();
    let first = [&b"\x01\x7e\xff\xff"[..], &[b'a'; 65_535]].concat();
    let huge = [&b"\x81\x7f"[..], &(1_u64 << 62).to_be_bytes()].concat();
    let long_ping = [&b"\x89\x7e\xff\xff"[..], &[b'a'; 65_535]].concat();
    let io = |name, unit: &str| Attack::answer(name, SocketIo, session()).flooding(text(unit));
    vec![
        socket("ws-messages", b"").flooding(message),
        socket("ws-messages-empty", b"").flooding(b"\x81\x00"),
        socket("ws-binary-empty", b"").flooding(b"\x82\x00"),
        socket("ws-pings", b"").flooding(ping),
        socket("ws-pongs", b"").flooding(b"\x8a\x00"),
        socket("ws-fragments", &first).flooding(fragment),
        socket("ws-fragments-empty", b"\x01\x00").flooding(b"\x00\x00"),
        socket("ws-huge", &huge).flooding(b"a"),
        socket("ws-control-long", &long_ping),
        socket("ws-reserved", b"\xf1\x00"),
        socket("ws-silence", b""),
        io("io-events", r#"42["x",1]"#),
        io("io-pings", "2"),
    ]
}
