//! Signs, verifies, encrypts and decrypts with RSA keys.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{
    OAEP_SHA1_MGF1SHA1, OAEP_SHA256_MGF1SHA256, OAEP_SHA384_MGF1SHA384, OAEP_SHA512_MGF1SHA512,
    OaepAlgorithm, OaepPrivateDecryptingKey, OaepPublicEncryptingKey, PrivateDecryptingKey,
    PublicEncryptingKey,
};
use aws_lc_rs::signature::{
    self, RsaEncoding, RsaParameters, RsaPssSaltLength, UnparsedPublicKey, VerificationAlgorithm,
};
use loadline_js::Value;

use super::super::key::{Algorithm, Handle, KeyArgument};
use super::super::read::{Hash, RSA_PSS, bytes_param, param};
use super::{RsaPrivate, RsaPublic, write_private, wrong_half};
use crate::host::lock;
use crate::modules::failure::{Failure, OperationError, OperationResult, fail};

fn private(key: &KeyArgument) -> OperationResult<&RsaPrivate> {
    match key.handle() {
        Some(Handle::RsaPrivate(key)) => Ok(key),
        other => Err(wrong_half("private", other)),
    }
}

fn public(key: &KeyArgument) -> OperationResult<&RsaPublic> {
    match key.handle() {
        Some(Handle::RsaPublic(key)) => Ok(key),
        other => Err(wrong_half("public", other)),
    }
}

fn hash_of(key: &KeyArgument) -> OperationResult<Hash> {
    match key.algorithm() {
        Some(Algorithm::Rsa { hash, .. }) => Ok(*hash),
        _ => {
            let text = "key algorithm is not a RSA hashed key algorithm";
            fail("InvalidAccessError", text)
        }
    }
}

/// How a message is padded before it is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::modules::webcrypto) enum Padding {
    Pkcs1,
    Pss { salt: i64 },
}

impl Padding {
    pub(in crate::modules::webcrypto) fn read(name: &str, params: &Value) -> OperationResult<Self> {
        if name != RSA_PSS {
            return Ok(Self::Pkcs1);
        }
        let salt = param(params, "saltLength")?.to_i64()?;
        Ok(Self::Pss { salt })
    }
}

/// Salt lengths are part of values that must live as long as the process: one a length.
type StaticCache<T> = Mutex<HashMap<(u8, u16), &'static T>>;

fn lasting<T>(kept: &StaticCache<T>, of: (u8, u16), make: impl FnOnce() -> T) -> &'static T {
    lock(kept)
        .entry(of)
        .or_insert_with(|| Box::leak(Box::new(make())))
}

fn signing(padding: Padding, hash: Hash) -> Option<&'static dyn RsaEncoding> {
    static PSS: OnceLock<StaticCache<signature::RsaSignatureEncoding>> = OnceLock::new();
    match padding {
        Padding::Pkcs1 => match hash {
            Hash::Sha1 => None,
            Hash::Sha256 => Some(&signature::RSA_PKCS1_SHA256),
            Hash::Sha384 => Some(&signature::RSA_PKCS1_SHA384),
            Hash::Sha512 => Some(&signature::RSA_PKCS1_SHA512),
        },
        Padding::Pss { salt } => {
            let (plain, which) = match hash {
                Hash::Sha1 => return None,
                Hash::Sha256 => (signature::RSA_PSS_SHA256, 0),
                Hash::Sha384 => (signature::RSA_PSS_SHA384, 1),
                Hash::Sha512 => (signature::RSA_PSS_SHA512, 2),
            };
            let salt = salt_length(salt, hash)?;
            let kept = PSS.get_or_init(StaticCache::default);
            let made: &'static signature::RsaSignatureEncoding =
                lasting(kept, (which, salt), || {
                    plain.with_pss_salt_length(RsaPssSaltLength::Custom(salt))
                });
            Some(made)
        }
    }
}

fn verification(padding: Padding, hash: Hash) -> Option<&'static dyn VerificationAlgorithm> {
    static PSS: OnceLock<StaticCache<RsaParameters>> = OnceLock::new();
    match padding {
        Padding::Pkcs1 => Some(match hash {
            Hash::Sha1 => &signature::RSA_PKCS1_1024_8192_SHA1_FOR_LEGACY_USE_ONLY,
            Hash::Sha256 => &signature::RSA_PKCS1_2048_8192_SHA256,
            Hash::Sha384 => &signature::RSA_PKCS1_2048_8192_SHA384,
            Hash::Sha512 => &signature::RSA_PKCS1_2048_8192_SHA512,
        }),
        Padding::Pss { salt } => {
            let (plain, which) = match hash {
                Hash::Sha1 => return None,
                Hash::Sha256 => (signature::RSA_PSS_2048_8192_SHA256, 0),
                Hash::Sha384 => (signature::RSA_PSS_2048_8192_SHA384, 1),
                Hash::Sha512 => (signature::RSA_PSS_2048_8192_SHA512, 2),
            };
            let salt = salt_length(salt, hash)?;
            let kept = PSS.get_or_init(StaticCache::default);
            let made: &'static RsaParameters = lasting(kept, (which, salt), || {
                plain.with_pss_salt_length(RsaPssSaltLength::Custom(salt))
            });
            Some(made)
        }
    }
}

/// Bytes of salt; -1 is as many as the digest has, as in Go.
fn salt_length(salt: i64, hash: Hash) -> Option<u16> {
    match salt {
        -1 => u16::try_from(hash.length()).ok(),
        // More than a key of 8192 bits has room for.
        other => u16::try_from(other).ok().filter(|salt| *salt <= 1024),
    }
}

const TOO_LONG: &str = "crypto/rsa: message too long for RSA key size";

pub(in crate::modules::webcrypto) fn sign(
    padding: Padding,
    key: &KeyArgument,
    data: &[u8],
) -> OperationResult<Vec<u8>> {
    let (hash, private) = match padding {
        Padding::Pkcs1 => (hash_of(key)?, private(key)?),
        Padding::Pss { .. } => {
            let private = private(key)?;
            (hash_of(key)?, private)
        }
    };
    if padding == (Padding::Pss { salt: 0 }) {
        let text = "k6 RSA-PSS uses standard Golang SDK that doesn't supportsalt length=0 but generates salt with maximum length . Sign result might be different.";
        return fail("ImplementationError", text);
    }
    let failed = |why: &str| {
        let text = format!("could not sign data: {why}");
        OperationError::from(Failure::new("OperationError", text))
    };
    let length = private.pair.public_modulus_len();
    if let Padding::Pss { salt } = padding
        && salt > 0
        && usize::try_from(salt).unwrap_or(length) + hash.length() + 2 > length
    {
        return Err(failed(TOO_LONG));
    }
    let encoding = signing(padding, hash).ok_or_else(|| failed("unsupported hash or salt"))?;
    let mut signature = vec![0; length];
    private
        .pair
        .sign(encoding, &SystemRandom::new(), data, &mut signature)
        .map_err(|_| failed(TOO_LONG))?;
    Ok(signature)
}

pub(in crate::modules::webcrypto) fn verify(
    padding: Padding,
    key: &KeyArgument,
    mark: &[u8],
    data: &[u8],
) -> OperationResult<bool> {
    let (hash, public) = match padding {
        Padding::Pkcs1 => (hash_of(key)?, public(key)?),
        Padding::Pss { .. } => {
            let public = public(key)?;
            (hash_of(key)?, public)
        }
    };
    if padding == (Padding::Pss { salt: 0 }) {
        let text = "k6 RSA-PSS uses standard Golang SDK that doesn't supportsalt length=0 but tries to auto-detect salt length if 0 is used. Verify result might be different.";
        return fail("ImplementationError", text);
    }
    let Some(algorithm) = verification(padding, hash) else {
        return Ok(false);
    };
    let key = UnparsedPublicKey::new(algorithm, public.inner());
    Ok(key.verify(data, mark).is_ok())
}

/// The label of OAEP; `None` when it is no label.
pub(in crate::modules::webcrypto) fn label_param(
    params: &Value,
) -> OperationResult<Option<Vec<u8>>> {
    if !params.is_object() {
        return Ok(None);
    }
    bytes_param(params, "label")
}

const fn oaep(hash: Hash) -> &'static OaepAlgorithm {
    match hash {
        Hash::Sha1 => &OAEP_SHA1_MGF1SHA1,
        Hash::Sha256 => &OAEP_SHA256_MGF1SHA256,
        Hash::Sha384 => &OAEP_SHA384_MGF1SHA384,
        Hash::Sha512 => &OAEP_SHA512_MGF1SHA512,
    }
}

fn label_of(label: &[u8]) -> Option<&[u8]> {
    Some(label).filter(|label| !label.is_empty())
}

pub(in crate::modules::webcrypto) fn encrypt(
    label: &[u8],
    key: &KeyArgument,
    data: &[u8],
) -> OperationResult<Vec<u8>> {
    let public = public(key)?;
    let algorithm = oaep(hash_of(key)?);
    let failed = |why: &str| {
        let text = format!("could not encrypt data: {why}");
        OperationError::from(Failure::new("OperationError", text))
    };
    let unusable = || failed("crypto/rsa: unusable key");
    let key = PublicEncryptingKey::from_der(&public.spki()).map_err(|_| unusable())?;
    let key = OaepPublicEncryptingKey::new(key).map_err(|_| unusable())?;
    if data.len() > key.max_plaintext_size(algorithm) {
        return Err(failed(TOO_LONG));
    }
    let mut sealed = vec![0; key.ciphertext_size()];
    let length = key
        .encrypt(algorithm, data, &mut sealed, label_of(label))
        .map_err(|_| unusable())?
        .len();
    sealed.truncate(length);
    Ok(sealed)
}

pub(in crate::modules::webcrypto) fn decrypt(
    label: &[u8],
    key: &KeyArgument,
    data: &[u8],
) -> OperationResult<Vec<u8>> {
    let private = private(key)?;
    let algorithm = oaep(hash_of(key)?);
    let failed = || {
        let text = "could not decrypt data: crypto/rsa: decryption error";
        OperationError::from(Failure::new("OperationError", text))
    };
    let der = write_private(&private.numbers);
    let key = PrivateDecryptingKey::from_pkcs8(&der).map_err(|_| failed())?;
    let key = OaepPrivateDecryptingKey::new(key).map_err(|_| failed())?;
    let mut plain = vec![0; key.min_output_size()];
    let length = key
        .decrypt(algorithm, data, &mut plain, label_of(label))
        .map_err(|_| failed())?
        .len();
    plain.truncate(length);
    Ok(plain)
}
