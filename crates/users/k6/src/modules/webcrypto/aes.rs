//! AES in the modes CBC, CTR and GCM (FIPS 197, SP 800-38A and 38D).

use aws_lc_rs::aead::{self, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::cipher::{
    AES_128, AES_192, AES_256, Algorithm as Cipher, DecryptionContext, EncryptingKey,
    EncryptionContext, PaddedBlockDecryptingKey, PaddedBlockEncryptingKey, UnboundCipherKey,
};
use aws_lc_rs::iv::FixedLength;
use loadline_js::Value;

use super::jwk;
use super::key::{Algorithm, Handle, Key, KeyArgument};
use super::read::{AES_CBC, AES_CTR, AES_GCM, AES_KW, bytes_param, only, param, random, whole};
use crate::modules::failure::{Failure, OperationResult, fail};

/// Bytes of a block.
const BLOCK_BYTES: usize = 16;

/// Bytes of the initialization vector of GCM.
const GCM_IV_BYTES: usize = 12;

/// How a message is encrypted.
pub(super) enum Mode {
    Cbc {
        iv: Vec<u8>,
    },
    Ctr {
        counter: Vec<u8>,
        length: i64,
    },
    Gcm {
        iv: Vec<u8>,
        additional: Vec<u8>,
        tag_bits: i64,
    },
}

impl Mode {
    /// Reads the parameters; `None` when they are none.
    pub(super) fn read(name: &str, params: &Value) -> OperationResult<Option<Self>> {
        if !params.is_object() {
            return Ok(None);
        }
        Ok(match name {
            AES_CBC => bytes_param(params, "iv")?.map(|iv| Self::Cbc { iv }),
            AES_CTR => {
                let length = whole(&params.get("length")?)?;
                let counter = bytes_param(params, "counter")?;
                counter.map(|counter| Self::Ctr { counter, length })
            }
            _ => {
                let tag_bits = whole(&params.get("tagLength")?)?;
                let iv = bytes_param(params, "iv")?;
                let additional = bytes_param(params, "additionalData")?;
                iv.zip(additional).map(|(iv, additional)| Self::Gcm {
                    iv,
                    additional,
                    tag_bits,
                })
            }
        })
    }

    /// Encrypts or decrypts.
    pub(super) fn apply(
        &self,
        way: Direction,
        key: &KeyArgument,
        data: Vec<u8>,
    ) -> OperationResult<Vec<u8>> {
        match (self, way) {
            (Self::Cbc { iv }, Direction::Encrypt) => encrypt_cbc(iv, key, data),
            (Self::Cbc { iv }, Direction::Decrypt) => decrypt_cbc(iv, key, data),
            (Self::Ctr { counter, length }, _) => {
                check_counter(counter, *length, way)?;
                apply_ctr(secret(key, way)?, counter, data)
            }
            (
                Self::Gcm {
                    iv,
                    additional,
                    tag_bits,
                },
                Direction::Encrypt,
            ) => encrypt_gcm(iv, additional, *tag_bits, key, data),
            (
                Self::Gcm {
                    iv,
                    additional,
                    tag_bits,
                },
                Direction::Decrypt,
            ) => decrypt_gcm(iv, additional, *tag_bits, key, data),
        }
    }
}

fn secret(key: &KeyArgument, way: Direction) -> OperationResult<&[u8]> {
    match way {
        Direction::Encrypt => key.secret("ImplementationError", "could not get key handle"),
        Direction::Decrypt => key.secret("OperationError", "invalid key handle"),
    }
}

fn no_cipher() -> Failure {
    Failure::new("OperationError", "could not create cipher")
}

fn cipher(secret: &[u8]) -> OperationResult<UnboundCipherKey> {
    let algorithm: &'static Cipher = match secret.len() {
        16 => &AES_128,
        24 => &AES_192,
        32 => &AES_256,
        _ => return Err(no_cipher().into()),
    };
    Ok(UnboundCipherKey::new(algorithm, secret).map_err(|_| no_cipher())?)
}

fn block_of(bytes: &[u8]) -> Option<FixedLength<BLOCK_BYTES>> {
    FixedLength::try_from(bytes).ok()
}

fn encrypt_cbc(iv: &[u8], key: &KeyArgument, mut data: Vec<u8>) -> OperationResult<Vec<u8>> {
    let Some(iv) = block_of(iv) else {
        return fail("OperationError", "iv length is not 16 bytes");
    };
    if data.is_empty() {
        return fail("OperationError", "could not pad plaintext");
    }
    let key = cipher(secret(key, Direction::Encrypt)?)?;
    let key = PaddedBlockEncryptingKey::cbc_pkcs7(key).map_err(|_| no_cipher())?;
    key.less_safe_encrypt(&mut data, EncryptionContext::Iv128(iv))
        .map_err(|_| no_cipher())?;
    Ok(data)
}

fn decrypt_cbc(iv: &[u8], key: &KeyArgument, mut data: Vec<u8>) -> OperationResult<Vec<u8>> {
    let Some(iv) = block_of(iv) else {
        let text = "iv length is invalid, should be 16 bytes";
        return fail("OperationError", text);
    };
    let key = cipher(secret(key, Direction::Decrypt)?)?;
    let key = PaddedBlockDecryptingKey::cbc_pkcs7(key).map_err(|_| no_cipher())?;
    let plain = key.decrypt(&mut data, DecryptionContext::Iv128(iv));
    match plain {
        Ok(plain) => Ok(plain.to_vec()),
        Err(_) => fail("OperationError", "invalid padding"),
    }
}

fn check_counter(counter: &[u8], length: i64, way: Direction) -> OperationResult<()> {
    let (size, bounds) = match way {
        Direction::Encrypt => (
            "counter length is not 16 bytes",
            "invalid counter length, out of the 0 < x < 128 bounds",
        ),
        Direction::Decrypt => (
            "counter length is invalid, should be 16 bytes",
            "invalid length, should be within 1 <= length <= 128 bounds",
        ),
    };
    if counter.len() != BLOCK_BYTES {
        return fail("OperationError", size);
    }
    if !(1..=128).contains(&length) {
        return fail("OperationError", bounds);
    }
    Ok(())
}

/// Counter mode. The whole block is the counter, whatever length the script names.
fn apply_ctr(secret: &[u8], counter: &[u8], mut data: Vec<u8>) -> OperationResult<Vec<u8>> {
    let iv = block_of(counter).ok_or_else(no_cipher)?;
    let key = EncryptingKey::ctr(cipher(secret)?).map_err(|_| no_cipher())?;
    key.less_safe_encrypt(&mut data, EncryptionContext::Iv128(iv))
        .map_err(|_| no_cipher())?;
    Ok(data)
}

/// The bytes of a tag.
fn tag_length(bits: i64, way: Direction) -> OperationResult<usize> {
    match (bits, way) {
        (0, _) => Ok(16),
        (96 | 104 | 112 | 120 | 128, _) => Ok(usize::try_from(bits / 8).unwrap_or(16)),
        (32 | 64, Direction::Encrypt) => fail(
            "NotSupportedError",
            "tag length 32 and 64 are not supported",
        ),
        (32 | 64, Direction::Decrypt) => fail(
            "OperationError",
            "invalid tag length, should be within 96 <= length <= 128 bounds",
        ),
        (_, Direction::Encrypt) => fail(
            "OperationError",
            "invalid tag length, should be one of 96, 104, 112, 120, 128",
        ),
        (_, Direction::Decrypt) => fail(
            "OperationError",
            "invalid tag length, accepted values are 96, 104, 112, 120, 128",
        ),
    }
}

fn gcm_key(secret: &[u8]) -> OperationResult<LessSafeKey> {
    let algorithm = match secret.len() {
        16 => &aead::AES_128_GCM,
        24 => &aead::AES_192_GCM,
        32 => &aead::AES_256_GCM,
        _ => return Err(no_cipher().into()),
    };
    let key = UnboundKey::new(algorithm, secret).map_err(|_| no_cipher())?;
    Ok(LessSafeKey::new(key))
}

/// Encrypts in place and gives the whole tag.
fn seal(secret: &[u8], iv: &[u8], additional: &[u8], data: &mut [u8]) -> OperationResult<Vec<u8>> {
    let nonce = Nonce::try_assume_unique_for_key(iv).map_err(|_| no_cipher())?;
    let tag = gcm_key(secret)?
        .seal_in_place_separate_tag(nonce, Aad::from(additional), data)
        .map_err(|_| no_cipher())?;
    Ok(tag.as_ref().to_vec())
}

fn encrypt_gcm(
    iv: &[u8],
    additional: &[u8],
    tag_bits: i64,
    key: &KeyArgument,
    mut data: Vec<u8>,
) -> OperationResult<Vec<u8>> {
    if iv.len() != GCM_IV_BYTES {
        let text = "only 12 bytes long iv are supported";
        return fail("NotSupportedError", text);
    }
    let length = tag_length(tag_bits, Direction::Encrypt)?;
    let secret = key.secret("ImplementationError", "could not get key data")?;
    let tag = seal(secret, iv, additional, &mut data)?;
    data.extend_from_slice(&tag[..length]);
    Ok(data)
}

fn decrypt_gcm(
    iv: &[u8],
    additional: &[u8],
    tag_bits: i64,
    key: &KeyArgument,
    mut data: Vec<u8>,
) -> OperationResult<Vec<u8>> {
    let length = tag_length(tag_bits, Direction::Decrypt)?;
    if data.len() < length {
        return fail("OperationError", "ciphertext is too short");
    }
    if iv.is_empty() {
        return fail("OperationError", "iv length is too long");
    }
    let wrong = || Failure::new("OperationError", "could not decrypt ciphertext");
    if iv.len() != GCM_IV_BYTES {
        return Err(wrong().into());
    }
    let secret = secret(key, Direction::Decrypt)?;
    let tag = data.split_off(data.len() - length);
    // aws-lc cannot verify a truncated tag. So decrypt in counter mode, starting with GCM's
    // first counter, then compute the full tag of the text and compare.
    let mut counter = iv.to_vec();
    counter.extend_from_slice(&2u32.to_be_bytes());
    let plain = apply_ctr(secret, &counter, data)?;
    let expected = seal(secret, iv, additional, &mut plain.clone())?;
    aws_lc_rs::constant_time::verify_slices_are_equal(&expected[..length], &tag)
        .map_err(|_| wrong())?;
    Ok(plain)
}

/// The name among those of AES.
const fn is_wrapping(name: &str) -> bool {
    name.len() == AES_KW.len() && name.as_bytes()[4] == b'K'
}

/// `generateKey`: how many bits the key has.
pub(super) fn length_param(params: &Value) -> OperationResult<i64> {
    Ok(param(params, "length")?.to_i64()?)
}

/// A new key.
pub(super) fn generate(
    name: &'static str,
    bits: i64,
    extractable: bool,
    usages: Vec<String>,
) -> OperationResult<Key> {
    let allowed: &[&str] = if is_wrapping(name) {
        &["wrapKey", "unwrapKey"]
    } else {
        &["encrypt", "decrypt", "wrapKey", "unwrapKey"]
    };
    if usages
        .iter()
        .any(|usage| !allowed.contains(&usage.as_str()))
    {
        return fail("SyntaxError", "invalid key usage");
    }
    let bits = match bits {
        128 => 128,
        192 => 192,
        256 => 256,
        _ => return fail("OperationError", "invalid key length"),
    };
    Ok(Key {
        handle: Handle::Secret(random(bits / 8)?),
        algorithm: Algorithm::Aes { name, bits },
        extractable,
        usages,
    })
}

/// A key from its bytes (`raw`) or from JSON (`jwk`).
pub(super) fn import(
    name: &'static str,
    format: &str,
    data: Vec<u8>,
    extractable: bool,
    usages: Vec<String>,
) -> OperationResult<Key> {
    only(&usages, &["encrypt", "decrypt", "wrapKey", "unwrapKey"])?;
    let secret = jwk::secret_in(format, data)?;
    if ![16, 24, 32].contains(&secret.len()) {
        let text = format!("invalid key length {} bytes", secret.len());
        return fail("DataError", text);
    }
    Ok(Key {
        algorithm: Algorithm::Aes {
            name,
            bits: secret.len() * 8,
        },
        handle: Handle::Secret(secret),
        extractable,
        usages,
    })
}

/// Whether keys of that name can be exported.
pub(super) fn is_exported(name: &str) -> bool {
    [AES_CBC, AES_CTR, AES_GCM].contains(&name)
}

/// Encrypting or decrypting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Encrypt,
    Decrypt,
}
