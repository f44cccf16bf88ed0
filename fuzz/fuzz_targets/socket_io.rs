//! Packets of Socket.IO and Engine.IO: read or passed over, and what is put into their places is what
//! came.
#![no_main]
#![allow(dead_code, unused_imports)]

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::LINEAR;

#[path = "../../crates/users/artillery/src"]
mod artillery {
    pub mod text;
}

use artillery::text;

#[path = "../../crates/users/artillery/src/exec/socket_io"]
mod socket_io {
    pub mod packet;

    pub fn read(text: &str) {
        let engine = packet::EnginePacket::read(text);
        if let packet::EnginePacket::Bytes(bytes) = &engine {
            assert!(bytes.len() <= text.len());
        }
        let _ = packet::Opened::read(text);
        let inner = match &engine {
            packet::EnginePacket::Message(inner) => inner,
            _ => text,
        };
        let Some(mut packet) = packet::Packet::read(inner) else {
            return;
        };
        assert!(packet.namespace.len() <= text.len().max(1));
        assert!(packet.attachments <= text.len() / 20);
        packet.attach(vec![vec![1, 2, 3]]);
        packet.attach(vec![]);
    }
}

fuzz_target!(|text: &str| LINEAR.hold(text.len(), || socket_io::read(text)));
