//! Compact encoding of numbers and texts.
//!
//! Whole numbers are LEB128. A float that is a multiple of one millionth (a time in milliseconds
//! with nanosecond precision, or a count) is written as that multiple; any other float as its
//! eight bytes. Both decode bit for bit.

use crate::blob_error::BlobError;

/// Floats are written as multiples of 1 / `FLOAT_SCALE` where they are such.
const FLOAT_SCALE: f64 = 1e6;
/// Whole numbers below 2^53 are exact in a float.
const EXACT_INTEGERS_END: f64 = 9_007_199_254_740_992.0;
/// Marks a float written as its eight bytes.
const VERBATIM_MARK: u64 = 0;

/// Appends a whole number.
pub(crate) fn put(to: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        to.push(low_bits(number) | 0x80);
        number >>= 7;
    }
    to.push(low_bits(number));
}

fn low_bits(number: u64) -> u8 {
    u8::try_from(number & 0x7f).expect("seven bits")
}

pub(crate) fn put_signed(to: &mut Vec<u8>, number: i64) {
    put(to, (number << 1 ^ number >> 63).cast_unsigned());
}

pub(crate) fn put_float(to: &mut Vec<u8>, value: f64) {
    let scaled = value * FLOAT_SCALE;
    let is_whole = scaled.abs() < EXACT_INTEGERS_END && scaled.fract() == 0.0;
    if is_whole && (scaled / FLOAT_SCALE).to_bits() == value.to_bits() {
        #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
        let whole = scaled as i64;
        put(to, (whole << 1 ^ whole >> 63).cast_unsigned() + 1);
    } else {
        put(to, VERBATIM_MARK);
        to.extend_from_slice(&value.to_le_bytes());
    }
}

pub(crate) fn put_text(to: &mut Vec<u8>, text: &str) {
    put(to, text.len() as u64);
    to.extend_from_slice(text.as_bytes());
}

/// Reads what the `put` functions wrote.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], BlobError> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(BlobError::Short)?;
        self.bytes = rest;
        Ok(taken)
    }

    /// All bytes that are left.
    pub(crate) fn rest(self) -> &'a [u8] {
        self.bytes
    }

    pub(crate) fn byte(&mut self) -> Result<u8, BlobError> {
        Ok(self.take(1)?[0])
    }

    pub(crate) fn number(&mut self) -> Result<u64, BlobError> {
        let mut number = 0_u64;
        for shift in (0..70).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(BlobError::Number)
    }

    /// A count of things that take at least one byte each. A damaged count is an error, so it
    /// cannot make the reader allocate more than the blob's length.
    pub(crate) fn count(&mut self) -> Result<usize, BlobError> {
        let count = usize::try_from(self.number()?).map_err(|_| BlobError::Number)?;
        if count > self.bytes.len() {
            return Err(BlobError::Short);
        }
        Ok(count)
    }

    pub(crate) fn small(&mut self) -> Result<u32, BlobError> {
        u32::try_from(self.number()?).map_err(|_| BlobError::Number)
    }

    pub(crate) fn signed(&mut self) -> Result<i64, BlobError> {
        Ok(unfold(self.number()?))
    }

    pub(crate) fn float(&mut self) -> Result<f64, BlobError> {
        match self.number()? {
            VERBATIM_MARK => {
                let bytes = self.take(8)?.try_into().map_err(|_| BlobError::Short)?;
                Ok(f64::from_le_bytes(bytes))
            }
            number => Ok(unfold(number - 1) as f64 / FLOAT_SCALE),
        }
    }

    pub(crate) fn text(&mut self) -> Result<&'a str, BlobError> {
        let length = self.count()?;
        std::str::from_utf8(self.take(length)?).map_err(|_| BlobError::Text)
    }
}

/// Decodes a zigzag number: the sign is in the lowest bit.
fn unfold(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -((number & 1).cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_floats_and_texts_come_back(
            number in any::<u64>(), signed in any::<i64>(), bits in any::<u64>(),
            nanos in 0_u64..1_000_000_000_000, text in ".{0,20}",
        ) {
            let float = f64::from_bits(bits);
            let millis = nanos as f64 / 1e6;
            let mut bytes = Vec::new();
            put(&mut bytes, number);
            put_signed(&mut bytes, signed);
            put_float(&mut bytes, float);
            put_float(&mut bytes, millis);
            put_text(&mut bytes, &text);
            let mut reader = Reader::new(&bytes);
            prop_assert_eq!(reader.number(), Ok(number));
            prop_assert_eq!(reader.signed(), Ok(signed));
            prop_assert_eq!(reader.float().map(f64::to_bits), Ok(float.to_bits()));
            prop_assert_eq!(reader.float().map(f64::to_bits), Ok(millis.to_bits()));
            prop_assert_eq!(reader.text(), Ok(text.as_str()));
            prop_assert!(reader.is_empty());
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let mut reader = Reader::new(&bytes);
            while reader.number().is_ok() && reader.float().is_ok() && reader.text().is_ok() {}
        }
    }

    #[test]
    fn a_time_in_milliseconds_takes_few_bytes() {
        let mut bytes = Vec::new();
        put_float(&mut bytes, 12.345_678);
        assert!(bytes.len() <= 4, "{}", bytes.len());
    }
}
