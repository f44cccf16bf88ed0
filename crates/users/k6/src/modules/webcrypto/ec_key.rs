//! The curves P-256, P-384 and P-521, and private keys on them.

use aws_lc_rs::agreement::{self, PrivateKey};
use aws_lc_rs::digest::{Digest, SHA256, SHA384, SHA512};
use aws_lc_rs::encoding::{AsBigEndian, EcPrivateKeyBin};
use aws_lc_rs::signature::{
    self, EcdsaSigningAlgorithm, EcdsaVerificationAlgorithm, UnparsedPublicKey,
};

use super::read::Hash;
use crate::modules::der;

/// A curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Curve {
    P256,
    P384,
    P521,
}

impl Curve {
    pub(super) const ALL: [Self; 3] = [Self::P256, Self::P384, Self::P521];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::P256 => "P-256",
            Self::P384 => "P-384",
            Self::P521 => "P-521",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|curve| curve.name() == name)
    }

    /// The curve an ASN.1 object identifier means.
    pub(super) fn identified(identifier: &[u8]) -> Option<Self> {
        let mut curves = Self::ALL.into_iter();
        curves.find(|curve| curve.identifier() == identifier)
    }

    /// Bytes of a coordinate.
    pub(super) const fn size(self) -> usize {
        match self {
            Self::P256 => 32,
            Self::P384 => 48,
            Self::P521 => 66,
        }
    }

    pub(super) const fn identifier(self) -> &'static [u8] {
        match self {
            Self::P256 => &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07],
            Self::P384 => &[0x2b, 0x81, 0x04, 0x00, 0x22],
            Self::P521 => &[0x2b, 0x81, 0x04, 0x00, 0x23],
        }
    }

    pub(super) const fn agreement(self) -> &'static agreement::Algorithm {
        match self {
            Self::P256 => &agreement::ECDH_P256,
            Self::P384 => &agreement::ECDH_P384,
            Self::P521 => &agreement::ECDH_P521,
        }
    }

    pub(super) const fn signing(self) -> &'static EcdsaSigningAlgorithm {
        match self {
            Self::P256 => &signature::ECDSA_P256_SHA256_FIXED_SIGNING,
            Self::P384 => &signature::ECDSA_P384_SHA384_FIXED_SIGNING,
            Self::P521 => &signature::ECDSA_P521_SHA512_FIXED_SIGNING,
        }
    }

    pub(super) const fn verification(self) -> &'static EcdsaVerificationAlgorithm {
        match self {
            Self::P256 => &signature::ECDSA_P256_SHA256_FIXED,
            Self::P384 => &signature::ECDSA_P384_SHA384_FIXED,
            Self::P521 => &signature::ECDSA_P521_SHA512_FIXED,
        }
    }

    /// The digest of `data` in the length the curve signs. Of a longer one the first bytes
    /// count (FIPS 186-5, section 6.4.1), a shorter one is a smaller number.
    pub(super) fn digest(self, hash: Hash, data: &[u8]) -> Option<Digest> {
        let digest = hash.digest(data);
        let (algorithm, length) = match self {
            Self::P256 => (&SHA256, 32),
            Self::P384 => (&SHA384, 48),
            Self::P521 => (&SHA512, 64),
        };
        let used = &digest.as_ref()[..hash.length().min(length)];
        let mut sized = vec![0; length - used.len()];
        sized.extend_from_slice(used);
        Digest::import_less_safe(&sized, algorithm).ok()
    }

    /// Whether these bytes are a point of it, uncompressed.
    pub(super) fn has_point(self, point: &[u8]) -> bool {
        point.len() == 1 + 2 * self.size()
            && point[0] == 4
            && UnparsedPublicKey::new(self.verification(), point)
                .parse()
                .is_ok()
    }
}

/// A private key and the public half of it.
pub(super) struct EcPrivate {
    pub(super) curve: Curve,
    /// As long as a coordinate.
    pub(super) scalar: Vec<u8>,
    pub(super) point: Vec<u8>,
}

impl EcPrivate {
    pub(super) fn new(curve: Curve, scalar: &[u8]) -> Option<Self> {
        let digits = der::trimmed(scalar);
        let mut padded = vec![0; curve.size().checked_sub(digits.len())?];
        padded.extend_from_slice(digits);
        let key = PrivateKey::from_private_key(curve.agreement(), &padded).ok()?;
        let point = key.compute_public_key().ok()?.as_ref().to_vec();
        Some(Self {
            curve,
            scalar: padded,
            point,
        })
    }

    pub(super) fn generate(curve: Curve) -> Option<Self> {
        let key = PrivateKey::generate(curve.agreement()).ok()?;
        let scalar: EcPrivateKeyBin<'_> = key.as_be_bytes().ok()?;
        Self::new(curve, scalar.as_ref())
    }
}
