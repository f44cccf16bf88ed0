//! The one thing of a certificate that rustls does not tell: who issued it.

/// The issuer's name of an X.509 certificate, with tag and length; `None` when the
/// certificate is malformed.
pub(super) fn issuer(certificate: &[u8]) -> Option<&[u8]> {
    const SEQUENCE: u8 = 0x30;
    const VERSION: u8 = 0xa0;
    let (outer, _) = value(certificate, SEQUENCE)?;
    let (mut fields, _) = value(outer, SEQUENCE)?;
    if fields.first() == Some(&VERSION) {
        fields = value(fields, VERSION)?.1;
    }
    let (_, after_serial) = value(fields, 0x02)?;
    let (_, after_algorithm) = value(after_serial, SEQUENCE)?;
    let (_, after_issuer) = value(after_algorithm, SEQUENCE)?;
    Some(&after_algorithm[..after_algorithm.len() - after_issuer.len()])
}

/// The contents of the value with `tag` that `input` starts with, and what follows it.
fn value(input: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (&first, rest) = input.split_first()?;
    if first != tag {
        return None;
    }
    let (&short, rest) = rest.split_first()?;
    let (length, rest) = if short < 0x80 {
        (usize::from(short), rest)
    } else {
        let count = usize::from(short & 0x7f);
        if count == 0 || count > 4 || rest.len() < count {
            return None;
        }
        let (digits, rest) = rest.split_at(count);
        let length = digits.iter().fold(0, |sum, &d| sum << 8 | usize::from(d));
        (length, rest)
    };
    (rest.len() >= length).then(|| rest.split_at(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `SEQUENCE` or another tag around parts.
    fn around(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
        let inner = parts.concat();
        let mut out = vec![tag];
        if inner.len() < 0x80 {
            out.push(u8::try_from(inner.len()).unwrap());
        } else {
            out.push(0x82);
            out.extend(u16::try_from(inner.len()).unwrap().to_be_bytes());
        }
        out.extend(inner);
        out
    }

    #[test]
    fn the_issuer_is_found_with_and_without_a_version() {
        let name = around(0x30, &[&[7; 200]]);
        let serial = around(2, &[&[1]]);
        let algorithm = around(0x30, &[&[5, 0]]);
        let version = around(0xa0, &[&[2, 1, 2]]);
        for version in [&version[..], &[]] {
            let fields = around(0x30, &[version, &serial, &algorithm, &name, &[9, 0]]);
            let certificate = around(0x30, &[&fields, &[1, 1, 1]]);
            assert_eq!(issuer(&certificate), Some(&name[..]));
            for cut in 0..fields.len() {
                assert_eq!(issuer(&certificate[..cut]), None);
            }
        }
    }
}
