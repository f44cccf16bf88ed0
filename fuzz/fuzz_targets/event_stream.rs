//! However an event stream is cut into reads, it comes to the same events.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loadline_wire::{EventStream, StreamEvent, StreamItem};

const EVENT_BYTES_MAX: usize = 4096;

/// Events, waits, unknown lines and whether it grew too large.
fn read(pieces: [&[u8]; 3]) -> (Vec<StreamEvent>, Vec<u64>, Vec<Vec<u8>>, bool) {
    let mut stream = EventStream::with_limit(EVENT_BYTES_MAX);
    let (mut events, mut waits, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
    for mut piece in pieces {
        loop {
            let Ok((used, item)) = stream.advance(piece) else {
                return (events, waits, unknown, true);
            };
            assert!(used <= piece.len());
            match item {
                StreamItem::Incomplete => {
                    assert_eq!(used, piece.len());
                    break;
                }
                StreamItem::Event(event) => events.push(event.clone()),
                StreamItem::Retry(millis) => waits.push(millis),
                StreamItem::Unknown(line) => unknown.push(line.to_vec()),
            }
            piece = &piece[used..];
        }
    }
    (events, waits, unknown, false)
}

fuzz_target!(|input: (u16, u16, &[u8])| {
    let (first, second, bytes) = input;
    let (head, rest) = bytes.split_at(usize::from(first) % (bytes.len() + 1));
    let (middle, tail) = rest.split_at(usize::from(second) % (rest.len() + 1));
    let (whole, cut) = (read([bytes, &[], &[]]), read([head, middle, tail]));
    // A line too long is noticed at its end or before.
    if !whole.3 && !cut.3 {
        assert_eq!(whole, cut);
    }
    let text_end = |text: &[u8]| text.iter().any(|b| matches!(b, b'\n' | b'\r'));
    for event in &cut.0 {
        assert!(!text_end(&event.id) && !text_end(&event.name) && !text_end(&event.comment));
        assert!(!event.data.contains(&b'\r'));
    }
});
