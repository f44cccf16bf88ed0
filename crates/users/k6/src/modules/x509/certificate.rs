//! The fields of a certificate.

use std::net::{Ipv4Addr, Ipv6Addr};

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};

use crate::modules::der::{self, Reader};

/// Attributes of names, as their identifiers are written.
pub(super) const COMMON_NAME: &str = "2.5.4.3";
pub(super) const COUNTRY: &str = "2.5.4.6";
pub(super) const LOCALITY: &str = "2.5.4.7";
pub(super) const PROVINCE: &str = "2.5.4.8";
pub(super) const STREET: &str = "2.5.4.9";
pub(super) const ORGANIZATION: &str = "2.5.4.10";
pub(super) const UNIT: &str = "2.5.4.11";
pub(super) const POSTAL_CODE: &str = "2.5.4.17";

/// Signature algorithms by identifier, and the names Go has for them.
const SIGNATURES: [(&str, &str); 14] = [
    ("1.2.840.113549.1.1.2", "MD2-RSA"),
    ("1.2.840.113549.1.1.4", "MD5-RSA"),
    ("1.2.840.113549.1.1.5", "SHA1-RSA"),
    ("1.3.14.3.2.29", "SHA1-RSA"),
    ("1.2.840.113549.1.1.11", "SHA256-RSA"),
    ("1.2.840.113549.1.1.12", "SHA384-RSA"),
    ("1.2.840.113549.1.1.13", "SHA512-RSA"),
    ("1.2.840.10040.4.3", "DSA-SHA1"),
    ("2.16.840.1.101.3.4.3.2", "DSA-SHA256"),
    ("1.2.840.10045.4.1", "ECDSA-SHA1"),
    ("1.2.840.10045.4.3.2", "ECDSA-SHA256"),
    ("1.2.840.10045.4.3.3", "ECDSA-SHA384"),
    ("1.2.840.10045.4.3.4", "ECDSA-SHA512"),
    ("1.3.101.112", "Ed25519"),
];

/// RSASSA-PSS, whose hash is a parameter.
const PSS: &str = "1.2.840.113549.1.1.10";
const PSS_HASHES: [(&str, u8, &str); 3] = [
    ("2.16.840.1.101.3.4.2.1", 32, "SHA256-RSAPSS"),
    ("2.16.840.1.101.3.4.2.2", 48, "SHA384-RSAPSS"),
    ("2.16.840.1.101.3.4.2.3", 64, "SHA512-RSAPSS"),
];

/// subjectAltName
const ALT_NAMES: &[u8] = &[0x55, 0x1d, 0x11];

/// Tag numbers of the optional fields of a certificate.
const TAG_VERSION: u8 = 0xa0;
const TAG_EXTENSIONS: u8 = 0xa3;

/// Why bytes are not a certificate.
type ParseError = &'static str;

/// A certificate, as scripts see it.
pub(super) struct Certificate {
    pub(super) subject: Name,
    pub(super) issuer: Name,
    /// RFC 3339
    pub(super) not_before: String,
    /// RFC 3339
    pub(super) not_after: String,
    pub(super) alt_names: Vec<String>,
    pub(super) signature_algorithm: &'static str,
    pub(super) finger_print: Vec<u8>,
    pub(super) public_key: PublicKey,
}

/// Attributes of a name: identifier and text, in order.
pub(super) struct Name(pub(super) Vec<(String, String)>);

impl Name {
    pub(super) fn all<'a>(&'a self, kind: &'static str) -> impl Iterator<Item = &'a str> {
        let of_kind = self.0.iter().filter(move |(known, _)| known == kind);
        of_kind.map(|(_, value)| value.as_str())
    }

    pub(super) fn first(&self, kind: &'static str) -> &str {
        self.all(kind).next().unwrap_or_default()
    }

    pub(super) fn last(&self, kind: &'static str) -> &str {
        self.all(kind).last().unwrap_or_default()
    }
}

/// The key a certificate is about; numbers most significant byte first.
pub(super) enum PublicKey {
    Rsa { modulus: Vec<u8>, exponent: u32 },
    Ecdsa { x: Vec<u8>, y: Vec<u8> },
    Other,
}

impl Certificate {
    /// Reads one in DER.
    ///
    /// # Errors
    /// Where it is no certificate.
    pub(super) fn read(der: &[u8]) -> Result<Self, ParseError> {
        let mut outer = Reader::new(der).sequence()?;
        let mut fields = outer.sequence()?;
        let mut signature = outer.sequence()?;
        if fields.peek() == Some(TAG_VERSION) {
            fields.any()?;
        }
        fields.expect(der::TAG_INTEGER)?;
        fields.sequence()?;
        let issuer = name(&mut fields)?;
        let mut validity = fields.sequence()?;
        let (not_before, not_after) = (time(&mut validity)?, time(&mut validity)?);
        let subject = name(&mut fields)?;
        let (tag, key) = fields.any()?;
        let public_key = public_key(&der::value(tag, key))?;
        let mut alt_names = Vec::new();
        while !fields.is_empty() {
            if let (TAG_EXTENSIONS, content) = fields.any()? {
                alt_names = read_alt_names(content)?;
            }
        }
        Ok(Self {
            subject,
            issuer,
            not_before,
            not_after,
            alt_names,
            signature_algorithm: signature_algorithm(&mut signature)?,
            finger_print: digest(&SHA1_FOR_LEGACY_USE_ONLY, der).as_ref().to_vec(),
            public_key,
        })
    }
}

/// An object identifier with dots.
fn dotted(content: &[u8]) -> String {
    let mut numbers: Vec<u64> = Vec::new();
    let mut number = 0u64;
    for byte in content {
        number = number
            .saturating_mul(128)
            .saturating_add(u64::from(byte & 0x7f));
        if byte & 0x80 == 0 {
            if numbers.is_empty() {
                let first = (number / 40).min(2);
                numbers.extend([first, number - first * 40]);
            } else {
                numbers.push(number);
            }
            number = 0;
        }
    }
    let texts: Vec<String> = numbers.iter().map(u64::to_string).collect();
    texts.join(".")
}

fn name(reader: &mut Reader<'_>) -> Result<Name, ParseError> {
    const TAG_SET: u8 = 0x31;
    let mut sets = reader.sequence()?;
    let mut attributes = Vec::new();
    while !sets.is_empty() {
        let mut set = Reader::new(sets.expect(TAG_SET)?);
        while !set.is_empty() {
            let mut pair = set.sequence()?;
            let kind = dotted(pair.expect(der::TAG_OBJECT_IDENTIFIER)?);
            let (tag, content) = pair.any()?;
            attributes.push((kind, text(tag, content)));
        }
    }
    Ok(Name(attributes))
}

/// A string of any of the kinds names have.
fn text(tag: u8, content: &[u8]) -> String {
    const TAG_BMP_STRING: u8 = 0x1e;
    const TAG_T61_STRING: u8 = 0x14;
    match tag {
        TAG_BMP_STRING => {
            let unit = |pair: &[u8]| u16::from(pair[0]) << 8 | u16::from(pair[1]);
            let units: Vec<u16> = content.chunks_exact(2).map(unit).collect();
            String::from_utf16_lossy(&units)
        }
        TAG_T61_STRING => content.iter().map(|byte| char::from(*byte)).collect(),
        _ => String::from_utf8_lossy(content).into_owned(),
    }
}

/// A time in UTC as RFC 3339 writes it.
fn time(reader: &mut Reader<'_>) -> Result<String, ParseError> {
    const TAG_UTC_TIME: u8 = 0x17;
    let (tag, content) = reader.any()?;
    let digits = std::str::from_utf8(content).map_err(|_| der::OTHER)?;
    let digits = digits.strip_suffix('Z').ok_or(der::OTHER)?;
    // Two digits of a year: from 1950 on (RFC 5280, section 4.1.2.5.1).
    let century = match tag {
        TAG_UTC_TIME if digits >= "5" => "19",
        TAG_UTC_TIME => "20",
        _ => "",
    };
    let digits = format!("{century}{digits}");
    if digits.len() != 14 || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(der::OTHER);
    }
    Ok(format!(
        "{}-{}-{}T{}:{}:{}Z",
        &digits[..4],
        &digits[4..6],
        &digits[6..8],
        &digits[8..10],
        &digits[10..12],
        &digits[12..]
    ))
}

fn signature_algorithm(reader: &mut Reader<'_>) -> Result<&'static str, ParseError> {
    let identifier = dotted(reader.expect(der::TAG_OBJECT_IDENTIFIER)?);
    let unknown = "UnknownSignatureAlgorithm";
    if identifier != PSS {
        let found = SIGNATURES.iter().find(|(known, _)| *known == identifier);
        return Ok(found.map_or(unknown, |(_, name)| *name));
    }
    // RSASSA-PSS-params: hash, how masks are made, length of the salt, each with a tag.
    let mut params = reader.sequence()?;
    let (mut hash, mut salt) = (String::new(), None);
    while !params.is_empty() {
        match params.any()? {
            (0xa0, content) => {
                let mut algorithm = Reader::new(content).sequence()?;
                hash = dotted(algorithm.expect(der::TAG_OBJECT_IDENTIFIER)?);
            }
            (0xa2, content) => salt = Reader::new(content).number()?.first().copied(),
            _ => {}
        }
    }
    // Go knows only salts as long as the digest.
    let mut known = PSS_HASHES.iter();
    let found = known.find(|(name, length, _)| *name == hash && salt == Some(*length));
    Ok(found.map_or(unknown, |(_, _, name)| *name))
}

fn public_key(der: &[u8]) -> Result<PublicKey, ParseError> {
    let Ok((algorithm, _, bits)) = der::read_public(der) else {
        return Ok(PublicKey::Other);
    };
    if algorithm == der::RSA {
        let mut numbers = Reader::new(bits).sequence()?;
        let modulus = numbers.number()?.to_vec();
        let exponent = numbers.number()?;
        let exponent = exponent
            .iter()
            .fold(0u32, |sum, byte| sum << 8 | u32::from(*byte));
        return Ok(PublicKey::Rsa { modulus, exponent });
    }
    match bits.split_first() {
        Some((4, point)) if algorithm == der::EC && point.len() % 2 == 0 => {
            let (x, y) = point.split_at(point.len() / 2);
            Ok(PublicKey::Ecdsa {
                x: x.to_vec(),
                y: y.to_vec(),
            })
        }
        _ => Ok(PublicKey::Other),
    }
}

/// Names of the subject in the extensions: those of hosts first, then of mail, addresses
/// and URIs.
fn read_alt_names(extensions: &[u8]) -> Result<Vec<String>, ParseError> {
    let mut list = Reader::new(extensions).sequence()?;
    while !list.is_empty() {
        let mut extension = list.sequence()?;
        if extension.expect(der::TAG_OBJECT_IDENTIFIER)? != ALT_NAMES {
            continue;
        }
        let (mut tag, mut content) = extension.any()?;
        if tag != der::TAG_OCTET_STRING {
            // Whether it is critical comes first.
            (tag, content) = extension.any()?;
        }
        if tag != der::TAG_OCTET_STRING {
            return Err(der::OTHER);
        }
        return general_names(content);
    }
    Ok(Vec::new())
}

fn general_names(content: &[u8]) -> Result<Vec<String>, ParseError> {
    let (mut hosts, mut mail, mut addresses, mut uris) = (vec![], vec![], vec![], vec![]);
    let mut names = Reader::new(content).sequence()?;
    while !names.is_empty() {
        let (tag, content) = names.any()?;
        let text = || String::from_utf8_lossy(content).into_owned();
        match tag {
            0x81 => mail.push(text()),
            0x82 => hosts.push(text()),
            0x86 => uris.push(text()),
            0x87 => addresses.push(address(content)?),
            _ => {}
        }
    }
    hosts.extend(mail);
    hosts.extend(addresses);
    hosts.extend(uris);
    Ok(hosts)
}

fn address(content: &[u8]) -> Result<String, ParseError> {
    if let Ok(bytes) = <[u8; 4]>::try_from(content) {
        return Ok(Ipv4Addr::from(bytes).to_string());
    }
    let bytes = <[u8; 16]>::try_from(content).map_err(|_| der::OTHER)?;
    Ok(Ipv6Addr::from(bytes).to_string())
}

#[cfg(test)]
mod tests {
    use super::dotted;

    /// Found by fuzzing: a number beyond 64 bits ended the call with a panic.
    #[test]
    fn a_number_of_an_identifier_that_is_too_large_is_the_largest() {
        assert_eq!(
            dotted(&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d]),
            "1.2.840.113549"
        );
        let mut huge = vec![0x2a];
        huge.extend([0xff; 20]);
        huge.push(0x7f);
        assert_eq!(dotted(&huge), format!("1.2.{}", u64::MAX));
    }
}
