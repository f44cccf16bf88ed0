//! However WebSocket frames are cut into reads, they come to the same messages; what is written is never taken for a server's.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loadline_wire::{MessageReader, Opcode, SocketEvent, write_frame};

const MESSAGE_BYTES_MAX: usize = 4096;

/// What came, and how it ended.
fn read(pieces: [&[u8]; 2], compression: bool) -> (Vec<String>, String) {
    let mut reader = MessageReader::with_limit(compression, MESSAGE_BYTES_MAX);
    let mut told = Vec::new();
    for mut piece in pieces {
        loop {
            match reader.advance(piece) {
                Err(error) => return (told, error.to_string()),
                Ok((used, event)) => {
                    assert!(used <= piece.len());
                    piece = &piece[used..];
                    if event == SocketEvent::Incomplete {
                        assert!(piece.is_empty());
                        break;
                    }
                    if let SocketEvent::Message { payload, .. } = event {
                        assert!(payload.len() <= MESSAGE_BYTES_MAX);
                    }
                    told.push(format!("{event:?}"));
                }
            }
        }
    }
    (told, String::new())
}

fuzz_target!(|input: (bool, u16, &[u8])| {
    let (compression, cut, bytes) = input;
    let whole = read([bytes, &[]], compression);
    let (head, tail) = bytes.split_at(usize::from(cut) % (bytes.len() + 1));
    assert_eq!(read([head, tail], compression), whole, "cut at {cut}");

    let mut written = Vec::new();
    write_frame(&mut written, Opcode::Text, false, [1, 2, 3, 4], bytes);
    assert_eq!(read([&written, &[]], false).1, "bad MASK");
});
