//! The public key within a certificate, also in one that webpki does not read.
//!
//! webpki reads X.509 version 3 alone. Where any certificate is taken, a server must still have the key of the
//! one it shows, as Go and OpenSSL want it; so the key is looked up here, past fields that nobody judges.

use rustls::pki_types::SubjectPublicKeyInfoDer;

const TAG_SEQUENCE: u8 = 0x30;
/// `[0]`: the version, which version 1 leaves out.
const TAG_VERSION: u8 = 0xa0;
/// Serial number, signature algorithm, issuer, validity, subject: they come before the key.
const FIELDS_BEFORE_KEY: usize = 5;

/// The SubjectPublicKeyInfo of a certificate in DER; nothing when it is no certificate.
///
/// Source: RFC 5280, section 4.1.
pub(super) fn public_key(certificate: &[u8]) -> Option<SubjectPublicKeyInfoDer<'_>> {
    let certificate = Element::first_of(certificate).filter(|all| all.rest.is_empty())?;
    let body = Element::first_of(certificate.within(TAG_SEQUENCE)?)?;
    let mut rest = body.within(TAG_SEQUENCE)?;
    let first = Element::first_of(rest)?;
    if first.tag == TAG_VERSION {
        rest = first.rest;
    }
    for _ in 0..FIELDS_BEFORE_KEY {
        rest = Element::first_of(rest)?.rest;
    }
    let key = Element::first_of(rest)?;
    key.within(TAG_SEQUENCE)?;
    Some(SubjectPublicKeyInfoDer::from(key.whole))
}

/// One value of DER, and what comes after it.
struct Element<'a> {
    tag: u8,
    content: &'a [u8],
    whole: &'a [u8],
    rest: &'a [u8],
}

impl<'a> Element<'a> {
    fn first_of(bytes: &'a [u8]) -> Option<Self> {
        let (&tag, after_tag) = bytes.split_first()?;
        let (&short, after_length) = after_tag.split_first()?;
        let (length, after_length) = match short {
            0..=0x7f => (usize::from(short), after_length),
            // Longer than 4 bytes say nothing that fits a handshake; 0 is no length of DER.
            0x81..=0x84 => {
                let (bytes, after) = after_length.split_at_checked(usize::from(short & 0x7f))?;
                let length = bytes.iter().fold(0, |sum, &b| sum << 8 | usize::from(b));
                (length, after)
            }
            _ => return None,
        };
        let (content, rest) = after_length.split_at_checked(length)?;
        Some(Self {
            tag,
            content,
            whole: bytes.get(..bytes.len() - rest.len())?,
            rest,
        })
    }

    /// What it holds, if it is of this kind.
    fn within(&self, tag: u8) -> Option<&'a [u8]> {
        (self.tag == tag).then_some(self.content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_certificate_has_no_key() {
        let own = rcgen::generate_simple_self_signed(["a.test".to_owned()]);
        let own = own.map(|own| own.cert.der().to_vec()).unwrap_or_default();
        assert!(public_key(&own).is_some_and(|key| key.as_ref().len() > 60));
        for end in 0..own.len() {
            assert!(public_key(&own[..end]).is_none(), "{end}");
        }
        let longer = [&own[..], &[0]].concat();
        assert!(public_key(&longer).is_none());
        assert!(public_key(&[0x30, 0x80, 0x30, 0x00]).is_none());
        assert!(public_key(&[0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 0x30]).is_none());
    }
}
