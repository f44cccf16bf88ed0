//! Reads the arguments of scripts: algorithm names, parameters, bytes and usages.

use loadline_js::{Exception, Value};

use crate::modules::failure::{Failure, OperationResult, fail};

/// The hashes there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hash {
    Sha1,
    Sha256,
    Sha384,
    Sha512,
}

impl Hash {
    const ALL: [Self; 4] = [Self::Sha1, Self::Sha256, Self::Sha384, Self::Sha512];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Sha1 => "SHA-1",
            Self::Sha256 => "SHA-256",
            Self::Sha384 => "SHA-384",
            Self::Sha512 => "SHA-512",
        }
    }

    /// By its exact name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|hash| hash.name() == name)
    }

    /// Bytes of a digest.
    pub(super) const fn length(self) -> usize {
        match self {
            Self::Sha1 => 20,
            Self::Sha256 => 32,
            Self::Sha384 => 48,
            Self::Sha512 => 64,
        }
    }

    /// Bytes of a block, which keys of HMAC have by default.
    pub(super) const fn block(self) -> usize {
        match self {
            Self::Sha1 | Self::Sha256 => 64,
            Self::Sha384 | Self::Sha512 => 128,
        }
    }

    pub(super) fn algorithm(self) -> &'static aws_lc_rs::digest::Algorithm {
        use aws_lc_rs::digest;
        match self {
            Self::Sha1 => &digest::SHA1_FOR_LEGACY_USE_ONLY,
            Self::Sha256 => &digest::SHA256,
            Self::Sha384 => &digest::SHA384,
            Self::Sha512 => &digest::SHA512,
        }
    }

    pub(super) fn digest(self, data: &[u8]) -> aws_lc_rs::digest::Digest {
        aws_lc_rs::digest::digest(self.algorithm(), data)
    }
}

/// The names of algorithms, as keys carry them.
pub(super) const AES_CBC: &str = "AES-CBC";
pub(super) const AES_CTR: &str = "AES-CTR";
pub(super) const AES_GCM: &str = "AES-GCM";
pub(super) const AES_KW: &str = "AES-KW";
pub(super) const HMAC: &str = "HMAC";
pub(super) const ECDH: &str = "ECDH";
pub(super) const ECDSA: &str = "ECDSA";
pub(super) const RSA_PKCS1: &str = "RSASSA-PKCS1-v1_5";
pub(super) const RSA_PSS: &str = "RSA-PSS";
pub(super) const RSA_OAEP: &str = "RSA-OAEP";
pub(super) const PBKDF2: &str = "PBKDF2";

const AES: [&str; 4] = [AES_CBC, AES_CTR, AES_GCM, AES_KW];
const HASHES: [&str; 4] = ["SHA-1", "SHA-256", "SHA-384", "SHA-512"];
const CURVES: [&str; 2] = [ECDH, ECDSA];
const RSA: [&str; 3] = [RSA_PKCS1, RSA_PSS, RSA_OAEP];

/// Something scripts ask for, and which algorithms it takes by name. Taking one does not
/// mean that it works with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    Digest,
    GenerateKey,
    ImportKey,
    ExportKey,
    Encrypt,
    Decrypt,
    Sign,
    Verify,
    DeriveBits,
    DeriveKey,
    KeyLength,
}

impl Operation {
    const fn name(self) -> &'static str {
        match self {
            Self::Digest => "digest",
            Self::GenerateKey => "generateKey",
            Self::ImportKey => "importKey",
            Self::ExportKey => "exportKey",
            Self::Encrypt => "encrypt",
            Self::Decrypt => "decrypt",
            Self::Sign => "sign",
            Self::Verify => "verify",
            Self::DeriveBits => "deriveBits",
            Self::DeriveKey => "deriveKey",
            Self::KeyLength => "getKeyLength",
        }
    }

    const fn takes(self) -> &'static [&'static [&'static str]] {
        match self {
            Self::Digest => &[&HASHES],
            Self::GenerateKey => &[&AES, &HASHES, &[HMAC], &CURVES, &RSA],
            Self::ImportKey | Self::ExportKey => &[&AES, &[HMAC], &CURVES, &RSA, &[PBKDF2]],
            Self::Encrypt | Self::Decrypt => &[&AES, &[RSA_OAEP]],
            Self::Sign | Self::Verify => &[&[HMAC, ECDSA, RSA_PSS, RSA_PKCS1]],
            Self::DeriveBits => &[&HASHES, &[PBKDF2, ECDH]],
            Self::DeriveKey => &[&HASHES, &[PBKDF2]],
            Self::KeyLength => &[&AES],
        }
    }

    /// The algorithm of that exact name, if the operation takes it.
    pub(super) fn algorithm(self, name: &str) -> Option<&'static str> {
        let mut all = self.takes().iter().flat_map(|names| names.iter());
        all.find(|known| **known == name).copied()
    }
}

/// The name of the algorithm in `value`, a text or an object, for an operation.
pub(super) fn algorithm(value: &Value, operation: Operation) -> OperationResult<&'static str> {
    let name = if value.is_string() {
        value.to_text()?
    } else if value.is_object() {
        text_or_empty(&value.get("name")?)?
    } else if value.is_nullish() {
        return Err(not_an_object().into());
    } else {
        let text = "algorithm cannot be interpreted as a string or an object";
        return fail("SyntaxError", text);
    };
    let mut name = name.to_uppercase();
    if name == RSA_PKCS1.to_uppercase() {
        RSA_PKCS1.clone_into(&mut name);
    }
    operation.algorithm(&name).ok_or_else(|| {
        let text = format!(
            "algorithm {name:?} doesn't support (in implementation) operation {:?}",
            operation.name()
        );
        Failure::new("NotSupportedError", text).into()
    })
}

pub(super) fn not_an_object() -> Exception {
    Exception::type_error("Cannot convert undefined or null to object")
}

/// Text, where leaving it out means none.
fn text_or_empty(value: &Value) -> Result<String, Exception> {
    if value.is_nullish() {
        return Ok(String::new());
    }
    value.to_text()
}

/// The member `path` of `object`, through all objects on the way.
pub(super) fn member(object: &Value, path: &[&str]) -> OperationResult<Value> {
    if object.is_nullish() {
        return fail("TypeError", "Object is null or undefined");
    }
    let mut value = object.clone();
    for (index, key) in path.iter().enumerate() {
        value = value.get(*key)?;
        if value.is_nullish() {
            let path = path[..=index].join(".");
            return fail("TypeError", format!("field {path} is null or undefined"));
        }
    }
    Ok(value)
}

/// A member that must be there; the words for when it is not are those of parameters.
pub(super) fn param(params: &Value, key: &str) -> OperationResult<Value> {
    member(params, &[key]).map_err(|_| {
        let text = format!("could not get {key} from algorithm parameter");
        Failure::new("SyntaxError", text).into()
    })
}

/// The hash named in parameters of HMAC and of what derives.
pub(super) fn hash(params: &Value, operation: Operation) -> OperationResult<Option<Hash>> {
    Ok(Hash::named(algorithm(&param(params, "hash")?, operation)?))
}

/// The hash named in parameters of RSA: by its exact name.
pub(super) fn exact_hash(params: &Value) -> OperationResult<Hash> {
    let value = param(params, "hash")?;
    let name = if value.is_string() {
        value
    } else {
        let name = value.get("name")?;
        if name.is_nullish() {
            return fail("TypeError", "hash name is null or undefined");
        }
        name
    };
    let name = name.to_text()?;
    Hash::named(&name).ok_or_else(|| unsupported_hash(&name).into())
}

pub(super) fn unsupported_hash(name: &str) -> Failure {
    let text = format!("hash algorithm is not supported {name}");
    Failure::new("NotSupportedError", text)
}

/// Data to process. Of a typed array k6 takes the whole underlying buffer.
pub(super) fn data(value: &Value) -> OperationResult<Vec<u8>> {
    if value.is_nullish() {
        return fail("TypeError", "data is null or undefined");
    }
    let buffer = if value.is_typed_array() {
        value.get("buffer")?
    } else {
        value.clone()
    };
    if !buffer.is_array_buffer() {
        let text = "data is neither an ArrayBuffer, nor a TypedArray nor DataView";
        return fail("OperationError", text);
    }
    Ok(buffer.to_bytes().unwrap_or_default())
}

/// A parameter of bytes; `None` when it cannot be one.
pub(super) fn bytes_param(params: &Value, key: &str) -> OperationResult<Option<Vec<u8>>> {
    let value = params.get(key)?;
    if value.is_nullish() {
        return Ok(Some(Vec::new()));
    }
    if let Some(bytes) = value.to_bytes() {
        return Ok(Some(bytes));
    }
    if !value.is_array() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    for element in value.elements()? {
        // As Go converts: modulo 256.
        bytes.push(element.to_i64()?.to_le_bytes()[0]);
    }
    Ok(Some(bytes))
}

/// An optional integer.
pub(super) fn whole(value: &Value) -> OperationResult<i64> {
    if value.is_nullish() {
        return Ok(0);
    }
    Ok(value.to_i64()?)
}

/// What a key may be used for, from the argument at `index`.
pub(super) fn usages(value: &Value, index: usize) -> Result<Vec<String>, Exception> {
    if value.is_nullish() {
        return Ok(Vec::new());
    }
    if !value.is_array() {
        let text = format!(
            "could not convert function call parameter {index}: could not convert {} to []string",
            value.to_text()?
        );
        return Err(Exception::type_error(text));
    }
    value.elements()?.iter().map(Value::to_text).collect()
}

/// Fails when a usage is not allowed.
pub(super) fn only(usages: &[String], allowed: &[&str]) -> OperationResult<()> {
    match usages
        .iter()
        .find(|usage| !allowed.contains(&usage.as_str()))
    {
        Some(other) => fail("SyntaxError", format!("invalid key usage: {other}")),
        None => Ok(()),
    }
}

/// Usages of `wanted` that are among `possible`, each once.
pub(super) fn common(wanted: &[String], possible: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for usage in wanted {
        if possible.contains(&usage.as_str()) && !found.contains(usage) {
            found.push(usage.clone());
        }
    }
    found
}

/// Random bytes.
pub(super) fn random(count: usize) -> Result<Vec<u8>, Exception> {
    crate::modules::crypto::random(count)
}
