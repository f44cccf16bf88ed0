//! NTLM: the client's two messages, and the parser of the server's message ([MS-NLMP]).
//!
//! Version 2 only, as in k6, without signing, sealing or key exchange: it only authenticates a
//! connection. The agent sends the messages.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use md4::Md4;
use md5::{Digest as _, Md5};

use crate::url::UserInfo;

/// Random bytes in a client's challenge.
pub(crate) const CHALLENGE_BYTES: usize = 8;

const SIGNATURE: &[u8; 8] = b"NTLMSSP\0";
/// The length of a message before the data that its fields point to.
const NEGOTIATE_LENGTH: u32 = 40;
const AUTHENTICATE_LENGTH: u32 = 64;

/// Flags of [MS-NLMP] 2.2.2.5.
const NEGOTIATE_UNICODE: u32 = 1;
const LM_KEY: u32 = 1 << 7;
const NEGOTIATE_NTLM: u32 = 1 << 9;
const ALWAYS_SIGN: u32 = 1 << 15;
const EXTENDED_SESSION_SECURITY: u32 = 1 << 19;
const TARGET_INFO: u32 = 1 << 23;
const NEGOTIATE_VERSION: u32 = 1 << 25;
const KEY_128: u32 = 1 << 29;
const KEY_EXCHANGE: u32 = 1 << 30;
const KEY_56: u32 = 1 << 31;

/// Attributes of a target.
const END_OF_LIST: u16 = 0;
const TARGET_TIMESTAMP: u16 = 7;

/// A server's offer: the scheme's name as written, and its message, if there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NtlmOffer {
    scheme: &'static str,
    message: String,
}

impl NtlmOffer {
    /// The offer that k6 prefers among values of `WWW-Authenticate`; `None` if there is none.
    pub(crate) fn find<'v>(values: impl Iterator<Item = &'v [u8]>) -> Option<Self> {
        let mut negotiate = None;
        for value in values {
            let value = String::from_utf8_lossy(value);
            let (scheme, message) = value.split_once(' ').unwrap_or((&value, ""));
            let offer = |scheme| Self {
                scheme,
                message: message.to_owned(),
            };
            match scheme {
                "NTLM" => return Some(offer("NTLM")),
                "Negotiate" if negotiate.is_none() => negotiate = Some(offer("Negotiate")),
                _ => {}
            }
        }
        negotiate
    }

    /// The `Authorization` that begins the exchange.
    pub(crate) fn negotiate(&self) -> String {
        let flags = TARGET_INFO
            | KEY_56
            | KEY_128
            | NEGOTIATE_UNICODE
            | EXTENDED_SESSION_SECURITY
            | NEGOTIATE_NTLM
            | ALWAYS_SIGN;
        let mut message = head(1);
        put(&mut message, flags);
        let mut offset = NEGOTIATE_LENGTH;
        field(&mut message, 0, &mut offset);
        field(&mut message, 0, &mut offset);
        // Windows 7's version, revision 15 of the protocol.
        message.extend_from_slice(&[6, 1, 0xb1, 0x1d, 0, 0, 0, 15]);
        self.value(&message)
    }

    /// The `Authorization` that answers the server's challenge; `None` if it cannot be answered.
    /// `now` is the time of day in milliseconds since 1970, for servers that send none.
    pub(crate) fn authenticate(
        &self,
        user: &UserInfo,
        now: i64,
        random: [u8; CHALLENGE_BYTES],
    ) -> Option<String> {
        let password = user.password.as_deref().unwrap_or_default();
        if user.name.is_empty() && password.is_empty() {
            return None;
        }
        let message = STANDARD.decode(&self.message).ok()?;
        let challenge = Challenge::read(&message)?;
        let (domain, name) = user.name.split_once('\\').unwrap_or(("", &user.name));
        let key = key(password, name, domain);
        let time = challenge.time.unwrap_or_else(|| windows_time(now));
        let answer = response(&key, challenge.nonce, random, time, challenge.target);
        let short = match challenge.target {
            Some(_) => Vec::new(),
            None => {
                let proof = hmac(&key, &[&challenge.nonce, &random]);
                [&proof[..], &random].concat()
            }
        };
        let (domain, name) = (utf16(domain), utf16(name));
        let mut message = head(3);
        let mut offset = AUTHENTICATE_LENGTH;
        for part in [&short, &answer, &domain, &name, &Vec::new()] {
            field(&mut message, part.len(), &mut offset);
        }
        // No session key.
        message.extend_from_slice(&[0; 8]);
        put(&mut message, challenge.flags & !NEGOTIATE_VERSION);
        for part in [short, answer, domain, name] {
            message.extend_from_slice(&part);
        }
        Some(self.value(&message))
    }

    fn value(&self, message: &[u8]) -> String {
        format!("{} {}", self.scheme, STANDARD.encode(message))
    }
}

/// A server's challenge.
struct Challenge<'m> {
    flags: u32,
    nonce: [u8; 8],
    target: Option<&'m [u8]>,
    time: Option<[u8; 8]>,
}

impl<'m> Challenge<'m> {
    /// `None` if it is no challenge, or needs what is not supported here.
    fn read(message: &'m [u8]) -> Option<Self> {
        if message.get(..8)? != SIGNATURE || number(message, 8)? != 2 {
            return None;
        }
        let flags = number(message, 20)?;
        if flags & (LM_KEY | KEY_EXCHANGE) != 0 || flags & NEGOTIATE_UNICODE == 0 {
            return None;
        }
        let nonce = message.get(24..32)?.try_into().ok()?;
        pointed_at(message, 12)?;
        let target = pointed_at(message, 40)?;
        let target = (!target.is_empty()).then_some(target);
        let time = target.map_or(Some(None), timestamp)?;
        Some(Self {
            flags,
            nonce,
            target,
            time,
        })
    }
}

/// The timestamp among a target's attributes, if any; `None` for a malformed list.
fn timestamp(mut attributes: &[u8]) -> Option<Option<[u8; 8]>> {
    let mut time = None;
    loop {
        let id = short(attributes, 0)?;
        if id == END_OF_LIST {
            return Some(time);
        }
        let end = 4 + usize::from(short(attributes, 2)?);
        let value = attributes.get(4..end)?;
        if id == TARGET_TIMESTAMP {
            time = Some(value.try_into().ok()?);
        }
        attributes = attributes.get(end..)?;
    }
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    let bytes = bytes.get(at..at + 2)?.try_into().ok()?;
    Some(u16::from_le_bytes(bytes))
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at + 4)?.try_into().ok()?;
    Some(u32::from_le_bytes(bytes))
}

/// The data of the field at `at` (length, capacity, offset); empty for a length of zero.
fn pointed_at(message: &[u8], at: usize) -> Option<&[u8]> {
    let length = usize::from(short(message, at)?);
    if length == 0 {
        return Some(&[]);
    }
    let start = usize::try_from(number(message, at + 4)?).ok()?;
    message.get(start..start.checked_add(length)?)
}

fn head(kind: u32) -> Vec<u8> {
    let mut message = SIGNATURE.to_vec();
    put(&mut message, kind);
    message
}

fn put(message: &mut Vec<u8>, number: u32) {
    message.extend_from_slice(&number.to_le_bytes());
}

/// Writes a field for `length` bytes at `offset`, and advances `offset`. Lengths over 64 KiB are
/// cut off; no server has a user with such a name.
fn field(message: &mut Vec<u8>, length: usize, offset: &mut u32) {
    let length = u16::try_from(length).unwrap_or(u16::MAX);
    message.extend_from_slice(&length.to_le_bytes());
    message.extend_from_slice(&length.to_le_bytes());
    put(message, *offset);
    *offset += u32::from(length);
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// NTOWFv2: the key of a user's responses.
fn key(password: &str, name: &str, domain: &str) -> [u8; 16] {
    let hash: [u8; 16] = Md4::digest(utf16(password)).into();
    let who = utf16(&format!("{}{domain}", name.to_uppercase()));
    hmac(&hash, &[&who])
}

/// The response to `nonce`: a proof, followed by the data it covers besides the nonce.
fn response(
    key: &[u8; 16],
    nonce: [u8; 8],
    random: [u8; CHALLENGE_BYTES],
    time: [u8; 8],
    target: Option<&[u8]>,
) -> Vec<u8> {
    let mut covered = vec![1, 1, 0, 0, 0, 0, 0, 0];
    covered.extend_from_slice(&time);
    covered.extend_from_slice(&random);
    covered.extend_from_slice(&[0; 4]);
    covered.extend_from_slice(target.unwrap_or_default());
    covered.extend_from_slice(&[0; 4]);
    let proof = hmac(key, &[&nonce, &covered]);
    [&proof[..], &covered].concat()
}

/// Tenths of microseconds since 1601.
fn windows_time(millis: i64) -> [u8; 8] {
    const FROM_1601_TO_1970: i64 = 11_644_473_600_000;
    let ticks = (millis + FROM_1601_TO_1970).saturating_mul(10_000);
    ticks.to_le_bytes()
}

/// HMAC-MD5 (RFC 2104) with a key shorter than a block.
fn hmac(key: &[u8; 16], parts: &[&[u8]]) -> [u8; 16] {
    let padded = |pad: u8| {
        let mut block = [pad; 64];
        for (byte, key) in block.iter_mut().zip(key) {
            *byte ^= key;
        }
        block
    };
    let mut inner = Md5::new_with_prefix(padded(0x36));
    for part in parts {
        inner.update(part);
    }
    let mut outer = Md5::new_with_prefix(padded(0x5c));
    outer.update(inner.finalize());
    outer.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(text: &str) -> Vec<u8> {
        let digits: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        let pairs = digits.chunks(2).map(|pair| pair.iter().collect::<String>());
        pairs
            .map(|pair| u8::from_str_radix(&pair, 16).unwrap())
            .collect()
    }

    /// The example of [MS-NLMP] 4.2.4.
    #[test]
    fn key_and_proof_are_those_of_the_specification() {
        let key = key("Password", "User", "Domain");
        assert_eq!(key.to_vec(), hex("0c868a403bfd7a93a3001ef22ef02e3f"));
        let target =
            hex("02000c0044006f006d00610069006e00 01000c00530065007200760065007200 00000000");
        let nonce = hex("0123456789abcdef").try_into().unwrap();
        let answer = response(&key, nonce, [0xaa; 8], [0; 8], Some(&target));
        assert_eq!(answer[..16], hex("68cd0ab851e51c96aabc927bebef6a1c"));
        let short = hmac(&key, &[&nonce, &[0xaa; 8]]);
        assert_eq!(short.to_vec(), hex("86c35097ac9cec102554764a57cccc19"));
    }

    fn challenge(flags: u32, target: &[u8]) -> Vec<u8> {
        let mut message = head(2);
        let mut offset = 48;
        field(&mut message, 0, &mut offset);
        put(&mut message, flags);
        message.extend_from_slice(b"nonce123\0\0\0\0\0\0\0\0");
        field(&mut message, target.len(), &mut offset);
        message.extend_from_slice(target);
        message
    }

    fn answer(message: &[u8], name: &str) -> Option<Vec<u8>> {
        let value = format!("NTLM {}", STANDARD.encode(message));
        let offer = NtlmOffer::find(std::iter::once(value.as_bytes()))?;
        let user = UserInfo {
            name: name.to_owned(),
            password: Some("pw".to_owned()),
        };
        let value = offer.authenticate(&user, 0, [7; 8])?;
        Some(STANDARD.decode(value.strip_prefix("NTLM ")?).unwrap())
    }

    #[test]
    fn the_answer_names_domain_and_user_and_covers_the_servers_time() {
        let target = hex("0700080001020304050607080000 0000");
        let message = answer(
            &challenge(NEGOTIATE_UNICODE | NEGOTIATE_VERSION, &target),
            "DOM\\ann",
        )
        .unwrap();
        assert_eq!(pointed_at(&message, 28).unwrap(), utf16("DOM"));
        assert_eq!(pointed_at(&message, 36).unwrap(), utf16("ann"));
        assert_eq!(number(&message, 60), Some(NEGOTIATE_UNICODE));
        assert!(pointed_at(&message, 12).unwrap().is_empty());
        let answer = pointed_at(&message, 20).unwrap();
        let expected = response(
            &key("pw", "ann", "DOM"),
            *b"nonce123",
            [7; 8],
            [1, 2, 3, 4, 5, 6, 7, 8],
            Some(&target),
        );
        assert_eq!(answer, expected);
    }

    #[test]
    fn without_attributes_the_short_answer_goes_along() {
        let message = answer(&challenge(NEGOTIATE_UNICODE, &[]), "ann@h").unwrap();
        assert_eq!(pointed_at(&message, 12).unwrap().len(), 24);
        assert_eq!(pointed_at(&message, 36).unwrap(), utf16("ann@h"));
        let since_1601 = &pointed_at(&message, 20).unwrap()[24..32];
        assert_eq!(since_1601, 116_444_736_000_000_000_i64.to_le_bytes());
    }

    #[test]
    fn what_cannot_be_answered_is_left() {
        for flags in [
            0,
            NEGOTIATE_UNICODE | LM_KEY,
            NEGOTIATE_UNICODE | KEY_EXCHANGE,
        ] {
            assert_eq!(answer(&challenge(flags, &[]), "a"), None, "{flags:x}");
        }
        assert_eq!(
            answer(&challenge(NEGOTIATE_UNICODE, &[7, 0, 8, 0]), "a"),
            None
        );
        assert_eq!(answer(b"", "a"), None);
        let whole = challenge(NEGOTIATE_UNICODE, &hex("07000800010203040506070800000000"));
        for length in 0..whole.len() {
            assert_eq!(answer(&whole[..length], "a"), None, "{length}");
        }
    }

    #[test]
    fn ntlm_is_preferred_to_negotiate() {
        let find = |values: &[&str]| {
            NtlmOffer::find(values.iter().map(|value| value.as_bytes()))
                .map(|offer| (offer.scheme, offer.message))
        };
        assert_eq!(
            find(&["Basic realm=\"r\"", "Negotiate", "NTLM abc"]),
            Some(("NTLM", "abc".to_owned()))
        );
        assert_eq!(
            find(&["Negotiate", "Basic"]),
            Some(("Negotiate", String::new()))
        );
        assert_eq!(find(&["ntlm", "NTLMv2", "Digest x"]), None);
    }

    proptest::proptest! {
        #[test]
        fn no_challenge_breaks_the_reader(tail: Vec<u8>) {
            let mut message = head(2);
            message.extend_from_slice(&tail);
            let _ = Challenge::read(&message);
        }
    }
}
