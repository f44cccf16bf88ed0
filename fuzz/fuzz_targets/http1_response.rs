//! However a response is cut into reads, it comes to the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loadline_wire::{RequestKind, ResponseEvent, ResponseHead, ResponseParser};

/// Head, body and outcome, the bytes given in two pieces.
fn parse(pieces: [&[u8]; 2], kind: RequestKind) -> (Vec<u8>, Vec<u8>, usize, String) {
    let mut head = ResponseHead::default();
    let mut parser = ResponseParser::new();
    parser.begin(kind, &mut head);
    let mut body = Vec::new();
    for mut bytes in pieces {
        loop {
            match parser.advance(&mut head, bytes) {
                Ok((used, event)) => {
                    assert!(used <= bytes.len());
                    bytes = &bytes[used..];
                    match event {
                        ResponseEvent::Incomplete => break,
                        ResponseEvent::Head => {}
                        ResponseEvent::Body(piece) => {
                            assert!(!piece.is_empty());
                            body.extend_from_slice(piece);
                        }
                        ResponseEvent::End => return summary(&head, body, "end".to_owned()),
                    }
                }
                Err(error) => return (Vec::new(), Vec::new(), 0, error.to_string()),
            }
        }
    }
    let outcome = match parser.finish(&mut head) {
        Ok(()) => "closed".to_owned(),
        Err(error) => error.to_string(),
    };
    summary(&head, body, outcome)
}

fn summary(
    head: &ResponseHead,
    body: Vec<u8>,
    outcome: String,
) -> (Vec<u8>, Vec<u8>, usize, String) {
    let mut shown = head.status_text().to_vec();
    for (name, value) in head.fields().iter().chain(head.trailers().iter()) {
        shown.extend_from_slice(name.as_bytes());
        shown.push(b':');
        shown.extend_from_slice(value);
        shown.push(b'\n');
    }
    (shown, body, head.fields().len(), outcome)
}

fuzz_target!(|input: (u8, u16, &[u8])| {
    let (kind, cut, bytes) = input;
    let kind = match kind % 3 {
        0 => RequestKind::Ordinary,
        1 => RequestKind::Head,
        _ => RequestKind::Connect,
    };
    let whole = parse([bytes, &[]], kind);
    let cut = usize::from(cut) % (bytes.len() + 1);
    let (first, second) = bytes.split_at(cut);
    assert_eq!(parse([first, second], kind), whole, "cut at {cut}");
});
