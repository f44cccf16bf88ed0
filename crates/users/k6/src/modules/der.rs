//! The parts of DER (X.690) that keys use: sequences, integers, bit strings, octet strings
//! and object identifiers.

pub(in crate::modules) const TAG_INTEGER: u8 = 0x02;
pub(in crate::modules) const TAG_BIT_STRING: u8 = 0x03;
pub(in crate::modules) const TAG_OCTET_STRING: u8 = 0x04;
const TAG_NULL: u8 = 0x05;
pub(in crate::modules) const TAG_OBJECT_IDENTIFIER: u8 = 0x06;
pub(in crate::modules) const TAG_SEQUENCE: u8 = 0x30;

/// rsaEncryption, 1.2.840.113549.1.1.1
pub(in crate::modules) const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];
/// id-ecPublicKey, 1.2.840.10045.2.1
pub(in crate::modules) const EC: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];

/// Takes one value after the other off the front.
#[derive(Clone, Copy)]
pub(in crate::modules) struct Reader<'a>(&'a [u8]);

/// What Go says of bytes that end too early.
const CUT: &str = "asn1: syntax error: data truncated";
const CUT_HEAD: &str = "asn1: syntax error: truncated tag or length";
/// And of values that are others than expected.
pub(in crate::modules) const OTHER: &str = "asn1: structure error: tags don't match";

impl<'a> Reader<'a> {
    pub(in crate::modules) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(in crate::modules) const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The next value's tag, if there is a value.
    pub(in crate::modules) fn peek(self) -> Option<u8> {
        self.0.first().copied()
    }

    /// The next value: its tag and its content.
    pub(in crate::modules) fn any(&mut self) -> Result<(u8, &'a [u8]), &'static str> {
        let (&[tag, first], mut rest) = self.0.split_first_chunk::<2>().ok_or(CUT_HEAD)?;
        let mut length = usize::from(first);
        if first >= 0x80 {
            let count = usize::from(first & 0x7f);
            if count == 0 || count > 4 || rest.len() < count {
                return Err(CUT_HEAD);
            }
            let (digits, after) = rest.split_at(count);
            length = digits
                .iter()
                .fold(0, |sum, digit| sum << 8 | usize::from(*digit));
            rest = after;
        }
        if rest.len() < length {
            return Err(CUT);
        }
        let (content, after) = rest.split_at(length);
        self.0 = after;
        Ok((tag, content))
    }

    /// The content of the next value, which must have this tag.
    pub(in crate::modules) fn expect(&mut self, tag: u8) -> Result<&'a [u8], &'static str> {
        match self.any()? {
            (found, content) if found == tag => Ok(content),
            _ => Err(OTHER),
        }
    }

    pub(in crate::modules) fn sequence(&mut self) -> Result<Self, &'static str> {
        self.expect(TAG_SEQUENCE).map(Self)
    }

    /// A positive integer, most significant byte first, without leading zeros.
    pub(in crate::modules) fn number(&mut self) -> Result<&'a [u8], &'static str> {
        Ok(trimmed(self.expect(TAG_INTEGER)?))
    }

    /// A bit string of whole bytes.
    pub(in crate::modules) fn bits(&mut self) -> Result<&'a [u8], &'static str> {
        match self.expect(TAG_BIT_STRING)?.split_first() {
            Some((0, bytes)) => Ok(bytes),
            _ => Err(OTHER),
        }
    }
}

/// Without zeros in front.
pub(in crate::modules) fn trimmed(number: &[u8]) -> &[u8] {
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    &number[zeros..]
}

/// A value of this tag and content.
pub(in crate::modules) fn value(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut out = vec![tag];
    let length = content.len();
    match u8::try_from(length) {
        Ok(short) if short < 0x80 => out.push(short),
        _ => {
            let bytes = length.to_be_bytes();
            let digits = trimmed(&bytes);
            // A length has at most eight digits.
            out.push(0x80 | u8::try_from(digits.len()).unwrap_or_default());
            out.extend_from_slice(digits);
        }
    }
    out.extend_from_slice(content);
    out
}

pub(in crate::modules) fn sequence(parts: &[Vec<u8>]) -> Vec<u8> {
    value(TAG_SEQUENCE, &parts.concat())
}

/// An integer of this size.
pub(in crate::modules) fn number(bytes: &[u8]) -> Vec<u8> {
    let digits = trimmed(bytes);
    let mut content = Vec::with_capacity(digits.len() + 1);
    if digits.first().is_none_or(|first| *first >= 0x80) {
        content.push(0);
    }
    content.extend_from_slice(digits);
    value(TAG_INTEGER, &content)
}

pub(in crate::modules) fn bits(bytes: &[u8]) -> Vec<u8> {
    let mut content = vec![0];
    content.extend_from_slice(bytes);
    value(TAG_BIT_STRING, &content)
}

/// An algorithm and its parameters; none for RSA.
pub(in crate::modules) fn algorithm(identifier: &[u8], parameters: Option<&[u8]>) -> Vec<u8> {
    let parameters = match parameters {
        Some(curve) => value(TAG_OBJECT_IDENTIFIER, curve),
        None => value(TAG_NULL, &[]),
    };
    sequence(&[value(TAG_OBJECT_IDENTIFIER, identifier), parameters])
}

/// A key's algorithm, its parameters when they are an identifier, and its content.
type KeyParts<'a> = (&'a [u8], &'a [u8], &'a [u8]);

/// A public key's algorithm, its parameters when they are an identifier, and its bits
/// (`SubjectPublicKeyInfo`, RFC 5280).
pub(in crate::modules) fn read_public(der: &[u8]) -> Result<KeyParts<'_>, &'static str> {
    let mut outer = Reader::new(der);
    let mut key = outer.sequence()?;
    if !outer.is_empty() {
        return Err("x509: trailing data after ASN.1 of public-key");
    }
    let (identifier, parameters) = read_algorithm(&mut key)?;
    Ok((identifier, parameters, key.bits()?))
}

/// A private key's algorithm, its parameters and its bytes (PKCS #8, RFC 5208).
pub(in crate::modules) fn read_private(der: &[u8]) -> Result<KeyParts<'_>, &'static str> {
    let mut key = Reader::new(der).sequence()?;
    key.number()?;
    let (identifier, parameters) = read_algorithm(&mut key)?;
    Ok((identifier, parameters, key.expect(TAG_OCTET_STRING)?))
}

fn read_algorithm<'a>(reader: &mut Reader<'a>) -> Result<(&'a [u8], &'a [u8]), &'static str> {
    let mut algorithm = reader.sequence()?;
    let identifier = algorithm.expect(TAG_OBJECT_IDENTIFIER)?;
    let parameters = match algorithm.peek() {
        Some(TAG_OBJECT_IDENTIFIER) => algorithm.expect(TAG_OBJECT_IDENTIFIER)?,
        _ => &[],
    };
    Ok((identifier, parameters))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for length in [0, 1, 127, 128, 255, 256, 70_000] {
            let content = vec![7; length];
            let der = value(TAG_OCTET_STRING, &content);
            assert_eq!(Reader::new(&der).expect(TAG_OCTET_STRING), Ok(&content[..]));
        }
    }

    #[test]
    fn numbers_are_above_zero_and_as_short_as_can_be() {
        assert_eq!(number(&[0, 0, 0x80]), [TAG_INTEGER, 2, 0, 0x80]);
        assert_eq!(number(&[0]), [TAG_INTEGER, 1, 0]);
        assert_eq!(
            Reader::new(&[TAG_INTEGER, 2, 0, 0x80]).number(),
            Ok(&[0x80][..])
        );
    }

    #[test]
    fn bytes_that_end_too_early_are_refused() {
        let der = sequence(&[number(&[1, 2, 3])]);
        for end in 0..der.len() {
            assert!(Reader::new(&der[..end]).sequence().is_err(), "{end}");
        }
    }
}
