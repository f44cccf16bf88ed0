//! HMAC (RFC 2104) and PBKDF2 (RFC 8018), which uses it.

use std::num::NonZeroU32;

use aws_lc_rs::{hmac, pbkdf2};
use loadline_js::Value;

use super::jwk;
use super::key::{Algorithm, Handle, Key, KeyArgument};
use super::read::{self, Hash, Operation, PBKDF2, member, only, random};
use crate::modules::bytes;
use crate::modules::failure::{Failure, OperationResult, fail};

/// What keys of HMAC are made of.
pub(super) struct Params {
    /// None where the script named an algorithm that is no hash.
    hash: Option<Hash>,
    bits: Option<i64>,
}

impl Params {
    pub(super) fn read(params: &Value) -> OperationResult<Self> {
        let hash = read::hash(params, Operation::GenerateKey)?;
        let bits = match member(params, &["length"]) {
            Ok(length) => Some(length.to_i64()?),
            Err(_) => None,
        };
        Ok(Self { hash, bits })
    }

    /// A new key.
    pub(super) fn generate(self, extractable: bool, usages: Vec<String>) -> OperationResult<Key> {
        only(&usages, &["sign", "verify"])?;
        let bits = match (self.bits, self.hash) {
            (Some(bits), _) => bits,
            (None, Some(hash)) => i64::try_from(hash.block() * 8).unwrap_or_default(),
            (None, None) => return fail("ImplementationError", "invalid hash algorithm: "),
        };
        if bits == 0 {
            return fail("OperationError", "algorithm's length cannot be 0");
        }
        let Some(bits) = usize::try_from(bits).ok().filter(|bits| *bits < 1 << 24) else {
            return fail("OperationError", "algorithm's length is out of range");
        };
        Ok(Key {
            handle: Handle::Secret(random(bits / 8)?),
            algorithm: Algorithm::Hmac {
                hash: self.hash,
                bits,
            },
            extractable,
            usages,
        })
    }

    /// A key from its bytes (`raw`) or from JSON (`jwk`).
    pub(super) fn import(
        self,
        format: &str,
        data: Vec<u8>,
        extractable: bool,
        usages: Vec<String>,
    ) -> OperationResult<Key> {
        only(&usages, &["sign", "verify"])?;
        let secret = jwk::secret_in(format, data)?;
        let bits = secret.len() * 8;
        if bits == 0 {
            return fail("DataError", "key length cannot be 0");
        }
        if self
            .bits
            .is_some_and(|wanted| usize::try_from(wanted) != Ok(bits))
        {
            let text = "key length cannot be different from the length of the imported data";
            return fail("DataError", text);
        }
        Ok(Key {
            handle: Handle::Secret(secret),
            algorithm: Algorithm::Hmac {
                hash: self.hash,
                bits,
            },
            extractable,
            usages,
        })
    }
}

fn keyed(key: &KeyArgument) -> OperationResult<hmac::Key> {
    let Some(Algorithm::Hmac { hash, .. }) = key.algorithm() else {
        let text = "key algorithm does not describe a HMAC key";
        return fail("InvalidAccessError", text);
    };
    let secret = key.secret("InvalidAccessError", "key handle is of incorrect type")?;
    let algorithm = match hash {
        Some(Hash::Sha1) => hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY,
        Some(Hash::Sha256) => hmac::HMAC_SHA256,
        Some(Hash::Sha384) => hmac::HMAC_SHA384,
        Some(Hash::Sha512) => hmac::HMAC_SHA512,
        None => return fail("NotSupportedError", "unsupported hash algorithm "),
    };
    Ok(hmac::Key::new(algorithm, secret))
}

pub(super) fn sign(key: &KeyArgument, data: &[u8]) -> OperationResult<Vec<u8>> {
    Ok(hmac::sign(&keyed(key)?, data).as_ref().to_vec())
}

pub(super) fn verify(key: &KeyArgument, signature: &[u8], data: &[u8]) -> OperationResult<bool> {
    Ok(hmac::verify(&keyed(key)?, data, signature).is_ok())
}

/// The parameters of PBKDF2.
pub(super) struct KeyDerivation {
    hash: Option<Hash>,
    iterations: NonZeroU32,
    salt: Vec<u8>,
}

impl KeyDerivation {
    pub(super) fn read(params: &Value) -> OperationResult<Self> {
        let hash = read::hash(params, Operation::DeriveBits)?;
        let iterations = member(params, &["iterations"])?.to_i64()?;
        if iterations == 0 {
            return fail("OperationError", "number of iterations can't be 0");
        }
        let salt = member(params, &["salt"])?;
        let salt = bytes::read(&salt).map_err(Failure::plain)?;
        // Less than one is one, as in Go.
        let iterations = u32::try_from(iterations.max(1)).unwrap_or(u32::MAX);
        Ok(Self {
            hash,
            iterations: NonZeroU32::new(iterations).unwrap_or(NonZeroU32::MIN),
            salt,
        })
    }

    /// What is to be computed for `bits` bits of the password in `key`, for an operation that
    /// its usages must name.
    pub(super) fn of_password(
        self,
        key: &KeyArgument,
        usage: &str,
        bits: i64,
    ) -> OperationResult<PasswordDerivation> {
        key.check_kind()?;
        if key.kind != "secret" {
            let text = "algorithm's password key is not a secret key";
            return fail("InvalidAccessError", text);
        }
        if !key.may(usage) {
            let text = format!("provided baseKey doesn't contain `{usage}` usage");
            return fail("InvalidAccessError", text);
        }
        let text = "provided baseKey is not a valid PBKDF2 Crypto Key";
        let password = key.secret("InvalidAccessError", text)?;
        let Some(hash) = self.hash else {
            return fail("NotSupportedError", "hash function not supported");
        };
        if !matches!(key.algorithm(), Some(Algorithm::Pbkdf2)) {
            return fail(
                "OperationError",
                "provided baseKey is not a valid algorithm",
            );
        }
        if bits % 8 != 0 {
            let text = "provided length of key must be a multiple of 8";
            return fail("InvalidAccessError", text);
        }
        let Some(length) = usize::try_from(bits / 8)
            .ok()
            .filter(|n| (1..1 << 20).contains(n))
        else {
            return fail("OperationError", "length is out of range");
        };
        let algorithm = match hash {
            Hash::Sha1 => pbkdf2::PBKDF2_HMAC_SHA1,
            Hash::Sha256 => pbkdf2::PBKDF2_HMAC_SHA256,
            Hash::Sha384 => pbkdf2::PBKDF2_HMAC_SHA384,
            Hash::Sha512 => pbkdf2::PBKDF2_HMAC_SHA512,
        };
        Ok(PasswordDerivation {
            algorithm,
            iterations: self.iterations,
            salt: self.salt,
            password: password.to_vec(),
            length,
        })
    }
}

/// One derivation with all it needs.
pub(super) struct PasswordDerivation {
    algorithm: pbkdf2::Algorithm,
    iterations: NonZeroU32,
    salt: Vec<u8>,
    password: Vec<u8>,
    /// Bytes.
    length: usize,
}

impl PasswordDerivation {
    /// The bytes. This takes about a microsecond an iteration.
    pub(super) fn run(self) -> Vec<u8> {
        let mut derived = vec![0; self.length];
        pbkdf2::derive(
            self.algorithm,
            self.iterations,
            &self.salt,
            &self.password,
            &mut derived,
        );
        derived
    }
}

/// A password as a key.
pub(super) fn import_password(
    format: &str,
    data: Vec<u8>,
    extractable: bool,
    usages: Vec<String>,
) -> OperationResult<Key> {
    if format != "raw" {
        return fail("NotSupportedError", format!("invalid format: {format}"));
    }
    only(&usages, &["deriveBits", "deriveKey"])?;
    if extractable {
        return fail("SyntaxError", "invalid value for param extractable ");
    }
    Ok(Key {
        handle: Handle::Secret(data),
        algorithm: Algorithm::Pbkdf2,
        extractable,
        usages,
    })
}

/// Whether a key can be derived by an algorithm of that name.
pub(super) fn derives(name: &str) -> bool {
    name == PBKDF2
}
