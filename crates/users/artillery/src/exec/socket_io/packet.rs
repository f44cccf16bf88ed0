//! Packets of Engine.IO 4 and Socket.IO 5 as text: what a client writes, and what it reads.
//!
//! An Engine.IO packet is a digit and its data; a Socket.IO packet is the data of one. Bytes come as
//! frames of their own (base64 after a `b` when polling) and stand in values as Node's JSON writes them.

use serde_json::Value;

use crate::text::json_text;

/// Between packets of one polled body.
pub(super) const SEPARATOR: char = '\x1e';

/// What each attachment takes in the packet that announces it.
const PLACEHOLDER_BYTES: usize = r#"{"_placeholder":true,"num":0}"#.len();

/// A packet of Engine.IO.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EnginePacket {
    Open(String),
    Close,
    Ping,
    Pong(String),
    Message(String),
    Bytes(Vec<u8>),
    /// `noop`, and what is not known.
    Other,
}

impl EnginePacket {
    /// Reads a text.
    pub(super) fn read(text: &str) -> Self {
        let mut chars = text.chars();
        let kind = chars.next();
        let rest = chars.as_str();
        match kind {
            Some('0') => Self::Open(rest.to_owned()),
            Some('1') => Self::Close,
            Some('2') => Self::Ping,
            Some('3') => Self::Pong(rest.to_owned()),
            Some('4') => Self::Message(rest.to_owned()),
            Some('b') => {
                use base64::Engine as _;
                let bytes = base64::engine::general_purpose::STANDARD.decode(rest);
                bytes.map_or(Self::Other, Self::Bytes)
            }
            _ => Self::Other,
        }
    }
}

/// What a server opens a connection with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Opened {
    /// The session's id.
    pub(super) id: String,
    /// Whether the connection may become a WebSocket.
    pub(super) upgrades: bool,
}

impl Opened {
    /// Reads the data of an `open` packet.
    pub(super) fn read(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let upgrades = value.get("upgrades").and_then(Value::as_array);
        Some(Self {
            id: value.get("sid")?.as_str()?.to_owned(),
            upgrades: upgrades.is_some_and(|names| names.iter().any(|name| name == "websocket")),
        })
    }
}

/// What a Socket.IO packet says.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Said {
    Connected,
    Disconnected,
    Refused(String),
    Event(Vec<Value>),
    Acknowledged(u64, Vec<Value>),
}

/// A Socket.IO packet that a server sent.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Packet {
    /// `/` for the one that is always there.
    pub(super) namespace: String,
    pub(super) said: Said,
    /// The number of frames with bytes that follow.
    pub(super) attachments: usize,
}

impl Packet {
    /// Reads a packet; `None` for what no server sends.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut chars = text.chars();
        let kind = chars.next()?;
        let mut rest = chars.as_str();
        let mut attachments = 0;
        if matches!(kind, '5' | '6') {
            let (count, after) = rest.split_once('-')?;
            attachments = count.parse().ok()?;
            rest = after;
            // All are kept until the last one comes: no more than there are places for.
            if attachments > rest.len() / PLACEHOLDER_BYTES {
                return None;
            }
        }
        let mut namespace = "/".to_owned();
        if rest.starts_with('/') {
            let (name, after) = rest.split_once(',').unwrap_or((rest, ""));
            // A query may follow the name.
            namespace = name.split('?').next().unwrap_or(name).to_owned();
            rest = after;
        }
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let id = rest[..digits].parse::<u64>().ok();
        let data: Option<Value> = serde_json::from_str(&rest[digits..]).ok();
        let items = |data: Option<Value>| match data {
            Some(Value::Array(items)) => Some(items),
            _ => None,
        };
        let said = match kind {
            '0' => Said::Connected,
            '1' => Said::Disconnected,
            '2' | '5' => Said::Event(items(data)?),
            '3' | '6' => Said::Acknowledged(id?, items(data)?),
            '4' => {
                let message = data.as_ref().and_then(|data| data.get("message")?.as_str());
                Said::Refused(message.unwrap_or_default().to_owned())
            }
            _ => return None,
        };
        Some(Self {
            namespace,
            said,
            attachments,
        })
    }

    /// Puts the bytes that followed in their places, each once: in many places they would be many times
    /// what came.
    pub(super) fn attach(&mut self, frames: Vec<Vec<u8>>) {
        let mut frames: Vec<Option<Vec<u8>>> = frames.into_iter().map(Some).collect();
        if let Said::Event(items) | Said::Acknowledged(_, items) = &mut self.said {
            items.iter_mut().for_each(|item| place(item, &mut frames));
        }
    }
}

/// Replaces placeholders by buffers as Node's JSON writes them.
fn place(value: &mut Value, frames: &mut [Option<Vec<u8>>]) {
    match value {
        Value::Object(map) if map.get("_placeholder") == Some(&Value::Bool(true)) => {
            let number = map.get("num").and_then(Value::as_u64).unwrap_or(u64::MAX);
            let frame = usize::try_from(number)
                .ok()
                .and_then(|at| frames.get_mut(at));
            if let Some(bytes) = frame.and_then(Option::take) {
                *value = serde_json::json!({"type": "Buffer", "data": bytes});
            }
        }
        Value::Object(map) => map.values_mut().for_each(|value| place(value, frames)),
        Value::Array(items) => items.iter_mut().for_each(|value| place(value, frames)),
        _ => {}
    }
}

fn prefixed(kind: char, namespace: &str) -> String {
    match namespace {
        "/" => format!("4{kind}"),
        name => format!("4{kind}{name},"),
    }
}

/// Joins a namespace.
pub(super) fn connect(namespace: &str, auth: Option<&Value>) -> String {
    let mut text = prefixed('0', namespace);
    if let Some(auth) = auth {
        text.push_str(&json_text(auth));
    }
    text
}

/// Leaves a namespace.
pub(super) fn disconnect(namespace: &str) -> String {
    prefixed('1', namespace)
}

/// An event, with the number that its answer is to carry.
pub(super) fn event(namespace: &str, answer: Option<u64>, items: &[Value]) -> String {
    let mut text = prefixed('2', namespace);
    if let Some(number) = answer {
        text.push_str(&number.to_string());
    }
    text.push_str(&json_text(&Value::Array(items.to_vec())));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_written_names_the_namespace_unless_it_is_the_first_one() {
        let items = [json!("echo"), json!({"a": 1})];
        assert_eq!(connect("/", None), "40");
        assert_eq!(
            connect("/rooms", Some(&json!({"t": 1}))),
            r#"40/rooms,{"t":1}"#
        );
        assert_eq!(disconnect("/rooms"), "41/rooms,");
        assert_eq!(event("/", None, &items), r#"42["echo",{"a":1}]"#);
        assert_eq!(
            event("/rooms", Some(7), &items),
            r#"42/rooms,7["echo",{"a":1}]"#
        );
    }

    #[test]
    fn what_is_read_is_events_answers_and_refusals() {
        let read = |text: &str| Packet::read(text).map(|packet| (packet.namespace, packet.said));
        assert_eq!(read(r#"0{"sid":"x"}"#), Some(("/".into(), Said::Connected)));
        assert_eq!(
            read("1/rooms,"),
            Some(("/rooms".into(), Said::Disconnected))
        );
        let refused = Said::Refused("not for you".into());
        assert_eq!(
            read(r#"4/closed,{"message":"not for you"}"#),
            Some(("/closed".into(), refused))
        );
        let answer = Said::Acknowledged(12, vec![json!(1)]);
        assert_eq!(read("3/rooms,12[1]"), Some(("/rooms".into(), answer)));
        assert_eq!(read("3[1]"), None);
        assert_eq!(read(""), None);
    }

    #[test]
    fn bytes_take_the_places_that_were_kept_for_them() {
        let text = r#"61-3[{"a":{"_placeholder":true,"num":0}}]"#;
        let mut packet = Packet::read(text).expect("a packet");
        assert_eq!(packet.attachments, 1);
        packet.attach(vec![b"ab".to_vec()]);
        let buffer = json!({"a": {"type": "Buffer", "data": [97, 98]}});
        assert_eq!(packet.said, Said::Acknowledged(3, vec![buffer]));
    }

    /// A server that announced a billion attachments, and sent on and on, had all of them kept; one
    /// attachment in a thousand places was a thousand copies.
    #[test]
    fn attachments_are_no_more_than_their_places_and_stand_in_one_each() {
        let place = r#"{"_placeholder":true,"num":0}"#;
        assert_eq!(Packet::read("59999999999-[\"x\"]"), None);
        assert_eq!(Packet::read(&format!("52-[{place}]")), None);
        let twice = format!("52-[{place},{place}]");
        let mut packet = Packet::read(&twice).expect("a packet");
        packet.attach(vec![b"a".to_vec(), b"b".to_vec()]);
        let buffer = json!({"type": "Buffer", "data": [97]});
        let left = json!({"_placeholder": true, "num": 0});
        assert_eq!(packet.said, Said::Event(vec![buffer, left]));
    }

    #[test]
    fn engine_packets_are_told_by_their_first_character() {
        assert_eq!(
            EnginePacket::read("4hi"),
            EnginePacket::Message("hi".into())
        );
        assert_eq!(
            EnginePacket::read("3probe"),
            EnginePacket::Pong("probe".into())
        );
        assert_eq!(
            EnginePacket::read("bYWI="),
            EnginePacket::Bytes(b"ab".to_vec())
        );
        assert_eq!(EnginePacket::read(""), EnginePacket::Other);
        let opened = Opened::read(r#"{"sid":"s","upgrades":["websocket"],"pingInterval":1}"#);
        let wanted = Opened {
            id: "s".into(),
            upgrades: true,
        };
        assert_eq!(opened, Some(wanted));
    }
}
