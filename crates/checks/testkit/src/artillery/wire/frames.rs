//! Frames that a WebSocket's client sent, as lines of text.

use flate2::{Decompress, FlushDecompress};

/// What follows the handshake on a connection.
pub(super) fn shown(mut bytes: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some((line, rest)) = frame(bytes) {
        lines.push(line);
        bytes = rest;
    }
    lines
}

/// The first frame, and what follows it; nothing where it is cut off.
fn frame(bytes: &[u8]) -> Option<(String, &[u8])> {
    let (first, second) = (*bytes.first()?, *bytes.get(1)?);
    let (length, head) = match second & 0x7f {
        126 => (
            usize::from(u16::from_be_bytes(bytes.get(2..4)?.try_into().ok()?)),
            4,
        ),
        127 => (
            usize::try_from(u64::from_be_bytes(bytes.get(2..10)?.try_into().ok()?)).ok()?,
            10,
        ),
        short => (usize::from(short), 2),
    };
    let mask = bytes.get(head..head + 4)?;
    let payload = bytes.get(head + 4..(head + 4).checked_add(length)?)?;
    let plain: Vec<u8> = payload
        .iter()
        .zip(mask.iter().cycle())
        .map(|(byte, mask)| byte ^ mask)
        .collect();
    let plain = if first & 0x40 == 0 {
        plain
    } else {
        inflated(&plain)
    };
    let shown = String::from_utf8_lossy(&plain).into_owned();
    let line = match first & 0x0f {
        1 => format!("text: {shown}"),
        2 => format!("binary: {shown}"),
        8 => match plain.get(..2) {
            Some(code) => format!("close: {}", u16::from_be_bytes([code[0], code[1]])),
            None => "close".to_owned(),
        },
        9 => format!("ping: {shown}"),
        10 => format!("pong: {shown}"),
        other => format!("frame {other}: {shown}"),
    };
    Some((line, &bytes[head + 4 + length..]))
}

/// A message that was compressed without context; empty when it was not.
fn inflated(bytes: &[u8]) -> Vec<u8> {
    let input = [bytes, &[0, 0, 0xff, 0xff]].concat();
    let mut out = Vec::with_capacity(1 << 20);
    match Decompress::new(false).decompress_vec(&input, &mut out, FlushDecompress::Sync) {
        Ok(_) => out,
        Err(error) => format!("cannot be inflated: {error}").into_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn frames_are_unmasked_and_named() {
        let text = [0x81, 0x82, 1, 2, 3, 4, b'h' ^ 1, b'i' ^ 2];
        let close = [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8];
        let sent = [&text[..], &close[..], &[0x81]].concat();
        assert_eq!(shown(&sent), ["text: hi", "close: 1000"]);
    }
}
