//! However the bytes of a gRPC call are cut into reads, they come to the same messages, and written again to the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loadline_wire::{GrpcItem, GrpcReader, GrpcSizeError, write_message};

const MESSAGE_BYTES_MAX: usize = 4096;

/// What came, and how it ended.
fn read(pieces: [&[u8]; 2]) -> (Vec<(u8, Vec<u8>)>, Result<bool, GrpcSizeError>) {
    let mut reader = GrpcReader::new(MESSAGE_BYTES_MAX);
    let mut told = Vec::new();
    for mut piece in pieces {
        loop {
            match reader.advance(piece) {
                Err(error) => return (told, Err(error)),
                Ok((used, GrpcItem::Incomplete)) => {
                    assert_eq!(used, piece.len());
                    break;
                }
                Ok((used, GrpcItem::Message { format, payload })) => {
                    assert!(payload.len() <= MESSAGE_BYTES_MAX);
                    told.push((format, payload.to_vec()));
                    piece = &piece[used..];
                }
            }
        }
    }
    (told, Ok(reader.is_between_messages()))
}

fuzz_target!(|input: (u16, &[u8])| {
    let (cut, bytes) = input;
    let whole = read([bytes, &[]]);
    let (head, tail) = bytes.split_at(usize::from(cut) % (bytes.len() + 1));
    assert_eq!(read([head, tail]), whole, "cut at {cut}");

    let mut written = Vec::new();
    for (format, payload) in &whole.0 {
        write_message(&mut written, *format, payload).expect("it was short enough to be read");
    }
    assert!(bytes.starts_with(&written));
    assert_eq!(written.len() == bytes.len(), whole.1 == Ok(true));
});
