use proptest::prelude::*;
use tungstenite::protocol::frame::FrameSocket;
use tungstenite::protocol::frame::coding::{Control, Data, OpCode};

use super::*;

/// An event, owned.
#[derive(Debug, Clone, PartialEq, Eq)]
enum OwnedEvent {
    Message(bool, bool, Vec<u8>),
    Ping(Vec<u8>),
    Pong(Vec<u8>),
    Close(Option<u16>, String),
}

fn read_pieces<'p>(
    reader: &mut MessageReader,
    pieces: impl IntoIterator<Item = &'p [u8]>,
) -> Result<Vec<OwnedEvent>, SocketError> {
    let mut told = Vec::new();
    for mut piece in pieces {
        loop {
            let (used, event) = reader.advance(piece)?;
            piece = &piece[used..];
            told.push(match event {
                SocketEvent::Incomplete => break assert!(piece.is_empty()),
                SocketEvent::Message {
                    binary,
                    compressed,
                    payload,
                } => OwnedEvent::Message(binary, compressed, payload.to_vec()),
                SocketEvent::Ping(payload) => OwnedEvent::Ping(payload.to_vec()),
                SocketEvent::Pong(payload) => OwnedEvent::Pong(payload.to_vec()),
                SocketEvent::Close { code, reason } => OwnedEvent::Close(code, reason.to_owned()),
            });
        }
    }
    Ok(told)
}

fn read(bytes: &[u8]) -> Result<Vec<OwnedEvent>, SocketError> {
    read_pieces(&mut MessageReader::new(false), [bytes])
}

/// A frame as a server sends it.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut out = vec![first];
    match payload.len() {
        length @ 0..=125 => out.push(u8::try_from(length).unwrap()),
        length @ 126..=0xffff => {
            out.push(126);
            out.extend(u16::try_from(length).unwrap().to_be_bytes());
        }
        length => {
            out.push(127);
            out.extend((length as u64).to_be_bytes());
        }
    }
    out.extend_from_slice(payload);
    out
}

fn wrong(bytes: &[u8]) -> String {
    read(bytes).unwrap_err().to_string()
}

#[test]
fn fragments_are_joined_and_control_frames_between_them_told_first() {
    let bytes = [
        frame(0x01, b"one"),
        frame(0x89, b"p"),
        frame(0x00, b"two"),
        frame(0x80, b""),
    ];
    let expected = [
        OwnedEvent::Ping(b"p".to_vec()),
        OwnedEvent::Message(false, false, b"onetwo".to_vec()),
    ];
    assert_eq!(read(&bytes.concat()).unwrap(), expected);
}

#[test]
fn a_close_says_why_or_not() {
    let payload = [&1000_u16.to_be_bytes()[..], b"bye"].concat();
    assert_eq!(
        read(&frame(0x88, &payload)).unwrap(),
        [OwnedEvent::Close(Some(1000), "bye".to_owned())]
    );
    for payload in [&b""[..], b"x"] {
        assert_eq!(
            read(&frame(0x88, payload)).unwrap(),
            [OwnedEvent::Close(None, String::new())]
        );
    }
    assert_eq!(
        wrong(&frame(0x88, &1005_u16.to_be_bytes())),
        "bad close code 1005"
    );
    let garbled = [&1000_u16.to_be_bytes()[..], b"\xff"].concat();
    assert_eq!(
        wrong(&frame(0x88, &garbled)),
        "invalid utf8 payload in close frame"
    );
}

#[test]
fn all_that_is_wrong_with_a_frame_is_named() {
    assert_eq!(wrong(&frame(0x83, b"")), "bad opcode 3");
    assert_eq!(wrong(&frame(0xf1, b"")), "RSV1 set, RSV2 set, RSV3 set");
    assert_eq!(wrong(&frame(0x80, b"")), "continuation after FIN");
    assert_eq!(
        wrong(&[frame(0x01, b""), frame(0x81, b"")].concat()),
        "data before FIN"
    );
    assert_eq!(
        wrong(&frame(0x09, &[0; 126])),
        "len > 125 for control, FIN not set on control"
    );
    assert_eq!(wrong(&[0x81, 0x81]), "bad MASK");
    assert_eq!(SocketError::Protocol(String::new()).close_code(), 1002);
}

#[test]
fn a_message_that_grows_without_end_is_refused_before_it_comes() {
    let mut reader = MessageReader::with_limit(false, 5);
    let bytes = [frame(0x01, b"abc"), frame(0x80, b"def")[..2].to_vec()].concat();
    assert_eq!(
        read_pieces(&mut reader, [&bytes[..]]),
        Err(SocketError::TooLarge)
    );
    let mut reader = MessageReader::with_limit(false, 5);
    let huge = [0x82, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
    assert_eq!(
        read_pieces(&mut reader, [&huge[..]]),
        Err(SocketError::TooLarge)
    );
    assert_eq!(SocketError::TooLarge.close_code(), 1009);
}

#[test]
fn compression_is_told_where_it_was_agreed_on() {
    let mut reader = MessageReader::new(true);
    let bytes = [frame(0x42, b"a"), frame(0x80, b"b")].concat();
    let told = read_pieces(&mut reader, [&bytes[..]]);
    assert_eq!(
        told,
        Ok(vec![OwnedEvent::Message(true, true, b"ab".to_vec())])
    );
}

/// More than a length of 16 bits can express; Miri would take minutes for it.
const PAYLOAD_BYTES_MAX: usize = if cfg!(miri) { 300 } else { 70_000 };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn however_frames_are_cut_they_come_to_the_same(
        frames in proptest::collection::vec((any::<u8>(), proptest::collection::vec(any::<u8>(), 0..300)), 1..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let bytes: Vec<u8> = frames.iter().flat_map(|(first, payload)| frame(*first, payload)).collect();
        let (head, tail) = bytes.split_at(cut.index(bytes.len() + 1));
        let whole = read_pieces(&mut MessageReader::new(true), [&bytes[..]]);
        let pieces = read_pieces(&mut MessageReader::new(true), [head, &[], tail]);
        prop_assert_eq!(whole, pieces);
    }

    /// Another implementation, as a server, reads what is written here.
    #[test]
    fn what_is_written_another_reads(
        kind in 0usize..4, mask in any::<[u8; 4]>(),
        payload in proptest::collection::vec(any::<u8>(), 0..PAYLOAD_BYTES_MAX),
    ) {
        let (opcode, theirs) = [
            (Opcode::Text, OpCode::Data(Data::Text)),
            (Opcode::Binary, OpCode::Data(Data::Binary)),
            (Opcode::Ping, OpCode::Control(Control::Ping)),
            (Opcode::Close, OpCode::Control(Control::Close)),
        ][kind];
        let mut bytes = Vec::new();
        write_frame(&mut bytes, opcode, false, mask, &payload);
        let mut socket = FrameSocket::new(std::io::Cursor::new(bytes));
        let frame = socket.read(None).unwrap().unwrap();
        prop_assert_eq!(frame.header().opcode, theirs);
        prop_assert_eq!(frame.header().mask, Some(mask));
        let unmasked: Vec<u8> = frame.payload().iter().zip(mask.iter().cycle()).map(|(b, m)| b ^ m).collect();
        prop_assert!(unmasked == payload || frame.payload() == payload);
    }

    /// What another implementation writes as a server is read here.
    #[test]
    fn what_another_writes_is_read(text in ".{0,200}", bytes in proptest::collection::vec(any::<u8>(), 0..PAYLOAD_BYTES_MAX)) {
        use tungstenite::protocol::{Message, Role, WebSocket};
        let mut server = WebSocket::from_raw_socket(std::io::Cursor::new(Vec::new()), Role::Server, None);
        server.write(Message::text(text.clone())).unwrap();
        server.write(Message::binary(bytes.clone())).unwrap();
        server.write(Message::Ping(b"p".to_vec().into())).unwrap();
        server.flush().unwrap();
        let written = server.get_ref().get_ref().clone();
        let expected = vec![
            OwnedEvent::Message(false, false, text.into_bytes()),
            OwnedEvent::Message(true, false, bytes),
            OwnedEvent::Ping(b"p".to_vec()),
        ];
        prop_assert_eq!(read(&written).unwrap(), expected);
    }
}
