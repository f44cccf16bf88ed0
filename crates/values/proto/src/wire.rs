//! Reads messages field by field, without a descriptor.

use prost::encoding::{WireType, decode_key, decode_varint, encode_key, encode_varint};

/// The encoded value of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WireField<'m> {
    /// A number, boolean or enumeration.
    Number(u64),
    /// A text, bytes or a message.
    Bytes(&'m [u8]),
}

/// The fields of a message, with their numbers.
#[derive(Debug)]
pub struct WireFields<'m> {
    rest: &'m [u8],
    broken: bool,
}

/// The fields of `message`, up to the first malformed one. Fixed-width fields are skipped.
#[must_use]
pub fn fields(message: &[u8]) -> WireFields<'_> {
    WireFields {
        rest: message,
        broken: false,
    }
}

impl WireFields<'_> {
    /// Whether everything so far was well-formed.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.broken
    }
}

impl<'m> Iterator for WireFields<'m> {
    type Item = (u32, WireField<'m>);

    fn next(&mut self) -> Option<Self::Item> {
        while !self.rest.is_empty() {
            let read = read(&mut self.rest);
            match read {
                Some((number, Some(field))) => return Some((number, field)),
                Some((_, None)) => {}
                None => {
                    self.broken = true;
                    self.rest = &[];
                }
            }
        }
        None
    }
}

fn read<'m>(rest: &mut &'m [u8]) -> Option<(u32, Option<WireField<'m>>)> {
    let (number, kind) = decode_key(rest).ok()?;
    let field = match kind {
        WireType::Varint => Some(WireField::Number(decode_varint(rest).ok()?)),
        WireType::LengthDelimited => {
            let length = usize::try_from(decode_varint(rest).ok()?).ok()?;
            Some(WireField::Bytes(take(rest, length)?))
        }
        WireType::ThirtyTwoBit => {
            take(rest, 4)?;
            None
        }
        WireType::SixtyFourBit => {
            take(rest, 8)?;
            None
        }
        WireType::StartGroup | WireType::EndGroup => return None,
    };
    Some((number, field))
}

fn take<'m>(rest: &mut &'m [u8], length: usize) -> Option<&'m [u8]> {
    let all: &'m [u8] = rest;
    let (taken, left) = all.split_at_checked(length)?;
    *rest = left;
    Some(taken)
}

/// Appends a field of text, bytes or a message.
pub fn put_bytes(message: &mut Vec<u8>, number: u32, bytes: &[u8]) {
    encode_key(number, WireType::LengthDelimited, message);
    encode_varint(bytes.len() as u64, message);
    message.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back() {
        let mut message = vec![0x08, 0x96, 0x01, 0x15, 1, 2, 3, 4];
        put_bytes(&mut message, 3, b"abc");
        let mut read = fields(&message);
        assert_eq!(read.next(), Some((1, WireField::Number(150))));
        assert_eq!(read.next(), Some((3, WireField::Bytes(b"abc"))));
        assert_eq!(read.next(), None);
        assert!(read.is_whole());
        message.pop();
        let mut cut = fields(&message);
        assert_eq!(cut.by_ref().count(), 1);
        assert!(!cut.is_whole());
    }
}
