//! Tokens that visitors carry: signed, bound to one queue and one purpose, checked without a store.
//!
//! All keys are derived from one secret of the installation and a number that grows with
//! each rotation, so nothing secret is stored. A signature is made with the tenant's
//! current number and accepted with the next one, and with earlier ones for as long as a token
//! may live: rotation drops nobody, and tokens of a gate that does not know of it yet are accepted.

use aws_lc_rs::{constant_time, hmac};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::ids::QueueId;
use crate::queue::VisitorId;

pub mod admission;
pub mod redirect;

/// The installation's secret: 32 bytes that every gate of a store must share.
#[derive(Clone)]
pub struct Secret([u8; 32]);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl Secret {
    /// A secret of 32 bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Draws a new one.
    ///
    /// # Errors
    /// The system's, when it has no randomness.
    pub fn draw() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }

    /// Reads 64 hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.len() != 64 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, at) in bytes.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).ok()?;
        }
        Some(Self(bytes))
    }

    /// Its 64 hexadecimal digits, for the file it is kept in.
    #[must_use]
    pub fn reveal(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// A hash that tells this secret from others and tells nothing about it.
    #[must_use]
    pub fn fingerprint(&self) -> [u8; 16] {
        fixed(&self.derive("fingerprint", &[], 0), 0)
    }

    /// A key for one purpose, one owner and one rotation.
    #[must_use]
    pub fn derive(&self, purpose: &str, owner: &[u8], generation: u32) -> [u8; 32] {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &self.0);
        let mut context = hmac::Context::with_key(&key);
        // Lengths keep one purpose and owner from reading as another.
        for part in [
            b"loadline-gate/1",
            purpose.as_bytes(),
            owner,
            &generation.to_be_bytes(),
        ] {
            context.update(&(part.len() as u64).to_be_bytes());
            context.update(part);
        }
        let mut bytes = [0; 32];
        bytes.copy_from_slice(context.sign().as_ref());
        bytes
    }

    /// Who a user id is in a queue. The id itself is kept nowhere.
    #[must_use]
    pub fn wid(&self, queue: QueueId, user_id: &str) -> VisitorId {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &self.derive("wid", &queue.0, 0));
        let tag = hmac::sign(&key, user_id.as_bytes());
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&tag.as_ref()[..16]);
        VisitorId(bytes)
    }
}

/// What a token is for. A token for one purpose is refused for any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenPurpose {
    /// Asking for one's place.
    Waiting,
    /// Proving to the service, once, that one was let in.
    Code,
    /// Being inside.
    Session,
}

impl TokenPurpose {
    const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Code => "code",
            Self::Session => "session",
        }
    }

    const fn letter(self) -> u8 {
        match self {
            Self::Waiting => b'w',
            Self::Code => b'c',
            Self::Session => b's',
        }
    }
}

/// What a token says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Whose.
    pub wid: VisitorId,
    /// Its number in the queue.
    pub seq: u64,
    /// Which admission of that number; 0 while waiting.
    pub lease: u32,
    /// When it ends, in seconds since 1970.
    pub expires_s: u64,
}

/// Why a token was refused. The difference is for logs; callers do not see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Not a token of this form.
    #[error("the token cannot be read")]
    Malformed,
    /// Signed by nobody we know: forged, altered, or of another queue or purpose.
    #[error("the token's signature is wrong")]
    Forged,
    /// Its time is over.
    #[error("the token has expired")]
    Expired,
}

const HEAD_BYTES: usize = 1 + 4;
const BODY_BYTES: usize = 16 + 8 + 4 + 8;
const MAC_BYTES: usize = 16;

/// Signs and checks the tokens of one queue.
#[derive(Debug, Clone, Copy)]
pub struct Signer<'a> {
    secret: &'a Secret,
    queue: QueueId,
    /// The tenant's current rotation.
    generation: u32,
    /// The oldest one whose tokens still count.
    oldest: u32,
}

impl<'a> Signer<'a> {
    /// For `queue`, at the tenant's current rotation.
    #[must_use]
    pub const fn new(secret: &'a Secret, queue: QueueId, generation: u32) -> Self {
        Self {
            secret,
            queue,
            generation,
            oldest: generation.saturating_sub(1),
        }
    }

    /// Accepts tokens from rotation `oldest` on.
    #[must_use]
    pub const fn since(self, oldest: u32) -> Self {
        Self { oldest, ..self }
    }

    /// The token as text: 76 characters that fit in URLs, headers and cookies.
    #[must_use]
    pub fn sign(&self, purpose: TokenPurpose, ticket: &Token) -> String {
        let mut bytes = Vec::with_capacity(HEAD_BYTES + BODY_BYTES + MAC_BYTES);
        bytes.push(purpose.letter());
        bytes.extend_from_slice(&self.generation.to_be_bytes());
        bytes.extend_from_slice(&ticket.wid.0);
        bytes.extend_from_slice(&ticket.seq.to_be_bytes());
        bytes.extend_from_slice(&ticket.lease.to_be_bytes());
        bytes.extend_from_slice(&ticket.expires_s.to_be_bytes());
        let mac = self.mac(purpose, self.generation, &bytes);
        bytes.extend_from_slice(&mac);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// What a text says, if it was signed for this queue and purpose and its time is not over.
    ///
    /// # Errors
    /// [`TokenError`].
    pub fn check(
        &self,
        purpose: TokenPurpose,
        text: &str,
        now_s: u64,
    ) -> Result<Token, TokenError> {
        let mut bytes = [0; HEAD_BYTES + BODY_BYTES + MAC_BYTES + 2];
        let length = URL_SAFE_NO_PAD
            .decode_slice(text, &mut bytes)
            .map_err(|_| TokenError::Malformed)?;
        if length != HEAD_BYTES + BODY_BYTES + MAC_BYTES || bytes[0] != purpose.letter() {
            return Err(TokenError::Malformed);
        }
        let (signed, mac) = bytes[..length].split_at(HEAD_BYTES + BODY_BYTES);
        let generation = u32::from_be_bytes(fixed(signed, 1));
        if generation < self.oldest || generation > self.generation.saturating_add(1) {
            return Err(TokenError::Forged);
        }
        let expected = self.mac(purpose, generation, signed);
        constant_time::verify_slices_are_equal(&expected, mac).map_err(|_| TokenError::Forged)?;
        let ticket = Token {
            wid: VisitorId(fixed(signed, HEAD_BYTES)),
            seq: u64::from_be_bytes(fixed(signed, HEAD_BYTES + 16)),
            lease: u32::from_be_bytes(fixed(signed, HEAD_BYTES + 24)),
            expires_s: u64::from_be_bytes(fixed(signed, HEAD_BYTES + 28)),
        };
        if ticket.expires_s <= now_s {
            return Err(TokenError::Expired);
        }
        Ok(ticket)
    }

    fn mac(&self, purpose: TokenPurpose, generation: u32, signed: &[u8]) -> [u8; MAC_BYTES] {
        let key = self
            .secret
            .derive(purpose.name(), &self.queue.0, generation);
        let key = hmac::Key::new(hmac::HMAC_SHA256, &key);
        let mut mac = [0; MAC_BYTES];
        mac.copy_from_slice(&hmac::sign(&key, signed).as_ref()[..MAC_BYTES]);
        mac
    }
}

/// `N` bytes from `at` on; the slice is that long.
fn fixed<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&bytes[at..at + N]);
    out
}

#[cfg(test)]
mod tests;
