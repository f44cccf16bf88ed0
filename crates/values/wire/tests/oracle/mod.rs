//! What must hold for any bytes a server may send; shared by the property tests, the
//! replay of the corpus and the fuzz target.

use loadline_wire::{
    RequestKind, ResponseError, ResponseEvent, ResponseHead, ResponseLimits, ResponseParser,
};

/// All that can be told about one connection's bytes.
#[derive(Debug, PartialEq)]
pub(crate) struct Reading {
    /// Status line, fields and trailers as text, once the head was complete.
    pub(crate) head: Option<String>,
    /// The body up to the end or the mistake.
    pub(crate) body: Vec<u8>,
    /// How it ended.
    pub(crate) outcome: Result<Ending, ResponseError>,
}

/// How a message that was read to its end left the connection.
#[derive(Debug, PartialEq)]
pub(crate) struct Ending {
    /// Bytes that do not belong to it.
    pub(crate) left_over: usize,
    /// Whether another request may follow.
    pub(crate) reusable: bool,
    /// Whether another protocol follows.
    pub(crate) handed_over: bool,
}

/// Reads `pieces` as one connection that then closes.
pub(crate) fn read<'p>(
    kind: RequestKind,
    limits: ResponseLimits,
    pieces: impl Iterator<Item = &'p [u8]>,
) -> Reading {
    read_with(&mut ResponseParser::new(), kind, limits, pieces)
}

/// Reads `pieces` with a parser that may have read other responses before.
fn read_with<'p>(
    parser: &mut ResponseParser,
    kind: RequestKind,
    limits: ResponseLimits,
    pieces: impl Iterator<Item = &'p [u8]>,
) -> Reading {
    parser.set_limits(limits);
    let mut head = ResponseHead::default();
    parser.begin(kind, &mut head);
    let mut reading = Reading {
        head: None,
        body: Vec::new(),
        outcome: Err(ResponseError::Truncated),
    };
    let outcome = run(parser, &mut head, pieces, &mut reading);
    if reading.head.is_some() {
        reading.head = Some(shown(&head, outcome.is_ok()));
    }
    reading.outcome = outcome;
    reading
}

fn run<'p>(
    parser: &mut ResponseParser,
    head: &mut ResponseHead,
    pieces: impl Iterator<Item = &'p [u8]>,
    reading: &mut Reading,
) -> Result<Ending, ResponseError> {
    let mut left_over = 0;
    for piece in pieces {
        let mut rest = piece;
        loop {
            let (used, event) = parser.advance(head, rest)?;
            rest = &rest[used..];
            match event {
                ResponseEvent::Incomplete => {
                    assert!(rest.is_empty(), "`Incomplete` must take everything");
                    break;
                }
                ResponseEvent::Head => {
                    assert!(reading.head.is_none(), "a message has one head");
                    reading.head = Some(String::new());
                }
                ResponseEvent::Body(bytes) => {
                    assert!(reading.head.is_some(), "the head comes first");
                    assert!(!bytes.is_empty(), "a piece of the body is never empty");
                    reading.body.extend_from_slice(bytes);
                }
                ResponseEvent::End => {
                    left_over += rest.len();
                    break;
                }
            }
        }
    }
    parser.finish(head)?;
    assert!(parser.is_done());
    Ok(Ending {
        left_over,
        reusable: parser.is_reusable(),
        handed_over: parser.is_handed_over(),
    })
}

fn shown(head: &ResponseHead, with_trailers: bool) -> String {
    let mut text = format!(
        "{} {} {}\n",
        head.version().as_str(),
        head.status(),
        head.status_text().escape_ascii()
    );
    let trailers = with_trailers.then(|| head.trailers().iter());
    for (name, value) in head.fields().iter().chain(trailers.into_iter().flatten()) {
        text += &format!("{name}: {}\n", value.escape_ascii());
    }
    text
}

/// Reads `data` whole, byte by byte and in uneven pieces, and compares. The first byte
/// chooses the request and the limits, the second the pieces.
pub(crate) fn check(data: &[u8]) {
    let [setting, seed, response @ ..] = data else {
        return;
    };
    let kind = match setting & 3 {
        0 | 1 => RequestKind::Ordinary,
        2 => RequestKind::Head,
        _ => RequestKind::Connect,
    };
    let limits = if setting & 4 == 0 {
        ResponseLimits::default()
    } else {
        ResponseLimits {
            head_bytes: 64,
            fields: 3,
            body_bytes: 16,
        }
    };
    let whole = read(kind, limits, std::iter::once(response));
    let bytewise = read(kind, limits, response.chunks(1));
    assert_eq!(whole, bytewise, "cut into bytes");
    let uneven = read(kind, limits, uneven(response, *seed).into_iter());
    assert_eq!(whole, uneven, "cut with seed {seed}");
    for before in [
        RequestKind::Ordinary,
        RequestKind::Head,
        RequestKind::Connect,
    ] {
        let mut parser = ResponseParser::new();
        read_with(
            &mut parser,
            before,
            ResponseLimits::default(),
            std::iter::once(response),
        );
        let again = read_with(&mut parser, kind, limits, std::iter::once(response));
        assert_eq!(whole, again, "after the same as an answer to {before:?}");
    }
}

/// Cuts `data` into pieces of 1 to 16 bytes, now and then an empty one.
fn uneven(data: &[u8], seed: u8) -> Vec<&[u8]> {
    let mut state = u32::from(seed) | 1;
    let mut pieces = Vec::new();
    let mut rest = data;
    while !rest.is_empty() {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let length = (state >> 27) as usize;
        let (piece, after) = rest.split_at(length.min(16).min(rest.len()));
        pieces.push(piece);
        rest = after;
    }
    pieces
}
