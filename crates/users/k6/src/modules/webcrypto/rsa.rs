//! RSA (RFC 8017): signing with PKCS #1 v1.5 and PSS padding, encrypting with OAEP.
//!
//! Keys have 2048 to 8192 bits, new ones 2048, 3072, 4096 or 8192. SHA-1 is accepted for
//! encryption and for verifying PKCS #1 only. These are the limits of aws-lc.

mod apply;

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rsa::{KeyPair, KeySize};
use loadline_js::{Ctx, Value};

use super::jwk::{self, Members};
use super::key::{Algorithm, Handle, Key, KeyArgument, unsupported_format};
use super::read::{Hash, RSA_OAEP, common, exact_hash, only, param};
use super::rsa_key::{NUMBERS, RsaPrivate, RsaPublic, write_private};
use crate::modules::der::{self, Reader};
use crate::modules::failure::{Failure, OperationError, OperationResult, fail};

pub(super) use apply::{Padding, decrypt, encrypt, label_param, sign, verify};

/// What a new pair is made of.
pub(super) struct Params {
    bits: i64,
    exponent: Vec<u8>,
    hash: Hash,
}

impl Params {
    pub(super) fn read(params: &Value) -> OperationResult<Self> {
        let bits = param(params, "modulusLength")?.to_i64()?;
        let exponent = param(params, "publicExponent")?;
        let is_bytes = exponent.is_typed_array();
        let Some(exponent) = exponent.to_bytes().filter(|_| is_bytes) else {
            return fail("OperationError", "publicExponent is not a byte array");
        };
        Ok(Self {
            bits,
            exponent,
            hash: exact_hash(params)?,
        })
    }

    /// The size of a new pair for an algorithm, whose usages are looked at too.
    pub(super) fn check(&self, name: &str, usages: &[String]) -> OperationResult<KeySize> {
        self.check_exponent()?;
        if usages.is_empty() {
            return fail("SyntaxError", "key usages cannot be empty");
        }
        let allowed: &[&str] = match name {
            RSA_OAEP => &["encrypt", "decrypt", "wrapKey", "unwrapKey"],
            _ => &["sign", "verify"],
        };
        only(usages, allowed)?;
        let size = match self.bits {
            2048 => KeySize::Rsa2048,
            3072 => KeySize::Rsa3072,
            4096 => KeySize::Rsa4096,
            8192 => KeySize::Rsa8192,
            _ => return Err(not_generated().into()),
        };
        if der::trimmed(&self.exponent) != [1, 0, 1] {
            let text = "could not validate RSA key pair, check public exponent: crypto/rsa: precomputed values are inconsistent with the key";
            return fail("OperationError", text);
        }
        Ok(size)
    }

    /// The two halves of a new pair: private and public.
    pub(super) fn halves(
        &self,
        private: RsaPrivate,
        name: &'static str,
        extractable: bool,
        usages: &[String],
    ) -> (Key, Key) {
        let (private_usages, public_usages): (&[&str], &[&str]) = match name {
            RSA_OAEP => (&["decrypt"], &["encrypt"]),
            _ => (&["sign"], &["verify"]),
        };
        let public = private.public();
        let algorithm = Algorithm::Rsa {
            name,
            bits: public.bits(),
            hash: self.hash,
        };
        let public = Key {
            handle: Handle::RsaPublic(public),
            algorithm: algorithm.clone(),
            extractable: true,
            usages: common(usages, public_usages),
        };
        let private = Key {
            handle: Handle::RsaPrivate(Box::new(private)),
            algorithm,
            extractable,
            usages: common(usages, private_usages),
        };
        (private, public)
    }

    fn check_exponent(&self) -> OperationResult<()> {
        let digits = der::trimmed(&self.exponent);
        let last = digits.last().copied().unwrap_or_default();
        let wrong = if last % 2 == 0 {
            "even"
        } else if digits == [1] {
            "too small"
        } else if digits.len() > 4 || (digits.len() == 4 && digits[0] > 0x7f) {
            "too large"
        } else {
            return Ok(());
        };
        let text = format!("invalid public exponent: public exponent is {wrong}");
        let text = text.replace("is too", "too");
        fail("OperationError", text)
    }
}

fn not_generated() -> Failure {
    Failure::new("OperationError", "could not generate RSA key pair")
}

/// A new private key. This takes up to some seconds.
pub(super) fn generate(size: KeySize) -> Result<RsaPrivate, Failure> {
    let pair = KeyPair::generate(size).map_err(|_| not_generated())?;
    let der: Pkcs8V1Der<'_> = pair.as_der().map_err(|_| not_generated())?;
    RsaPrivate::from_pkcs8(der.as_ref()).map_err(|_| not_generated())
}

/// A key from one of its forms. Usages are not looked at, as in k6.
pub(super) fn import(
    name: &'static str,
    hash: Hash,
    format: &str,
    data: &[u8],
    extractable: bool,
    usages: Vec<String>,
) -> OperationResult<Key> {
    let (handle, bits) = match format {
        "pkcs8" => {
            let key = RsaPrivate::from_pkcs8(data).map_err(|error| {
                let text = format!("unable to import RSA private key data: {error}");
                Failure::new("DataError", text)
            })?;
            let bits = key.public().bits();
            (Handle::RsaPrivate(Box::new(key)), bits)
        }
        "spki" => of_public(read_public(data).map_err(|error| {
            let text = format!("unable to import RSA public key data: {error}");
            Failure::new("DataError", text)
        })?),
        "jwk" => import_json(data).map_err(Failure::plain)?,
        _ => {
            let text = format!("unsupported key format {format} for algorithm {name}");
            return fail("NotSupportedError", text);
        }
    };
    Ok(Key {
        handle,
        algorithm: Algorithm::Rsa { name, bits, hash },
        extractable,
        usages,
    })
}

fn of_public(key: RsaPublic) -> (Handle, usize) {
    let bits = key.bits();
    (Handle::RsaPublic(key), bits)
}

fn read_public(data: &[u8]) -> Result<RsaPublic, &'static str> {
    let (algorithm, _, key) = der::read_public(data)?;
    if algorithm != der::RSA {
        return Err(der::OTHER);
    }
    let mut numbers = Reader::new(key).sequence()?;
    Ok(RsaPublic {
        n: numbers.number()?.to_vec(),
        e: numbers.number()?.to_vec(),
    })
}

fn import_json(data: &[u8]) -> Result<(Handle, usize), String> {
    let names = ["kty", "n", "e", "d", "p", "q", "dp", "dq", "qi"];
    let key = Members::read(data, "rsaJWK", &names)
        .map_err(|error| format!("failed to parse input as RSA JWK key: {error}"))?;
    let missing = match () {
        () if key.text("kty") != "RSA" => Some(format!("invalid key type: {}", key.text("kty"))),
        () if key.text("n").is_empty() => Some("modulus (n) is required".to_owned()),
        () if key.text("e").is_empty() => Some("exponent (e) is required".to_owned()),
        () => None,
    };
    if let Some(missing) = missing {
        return Err(format!("invalid RSA JWK key: {missing}"));
    }
    let number = |name: &str, shown: &str| {
        let bytes = key.bytes(name);
        let bytes = bytes.map_err(|error| format!("failed to decode {shown}: {error}"))?;
        Ok::<_, String>(der::trimmed(&bytes).to_vec())
    };
    let public = RsaPublic {
        n: number("n", "modulus")?,
        e: number("e", "exponent")?,
    };
    if key.text("d").is_empty() {
        return Ok(of_public(public));
    }
    let numbers = vec![
        public.n.clone(),
        public.e.clone(),
        number("d", "private exponent")?,
        number("p", "first prime factor")?,
        number("q", "second prime factor")?,
        number("dp", "first exponent")?,
        number("dq", "second exponent")?,
        number("qi", "coefficient")?,
    ];
    let private = RsaPrivate::new(numbers)
        .map_err(|error| format!("failed to validate private key: {error}"))?;
    Ok((Handle::RsaPrivate(Box::new(private)), public.bits()))
}

/// What a key can be exported as: bytes, or an object.
pub(super) fn export(ctx: &Ctx, key: &KeyArgument, format: &str) -> OperationResult<Value> {
    let Some(handle) = key.handle() else {
        return fail("OperationError", "key data is not accessible");
    };
    let der = match (format, handle) {
        ("spki", Handle::RsaPublic(key)) => key.spki(),
        ("spki", other) => return Err(wrong_half("public", Some(other))),
        ("pkcs8", Handle::RsaPrivate(key)) => write_private(&key.numbers),
        ("pkcs8", other) => return Err(wrong_half("private", Some(other))),
        ("jwk", Handle::RsaPublic(key)) => {
            return json(ctx, &[key.n.clone(), key.e.clone()]);
        }
        ("jwk", Handle::RsaPrivate(key)) => return json(ctx, &key.numbers),
        _ => return unsupported_format(format),
    };
    Ok(ctx.array_buffer(der)?)
}

fn json(ctx: &Ctx, numbers: &[Vec<u8>]) -> OperationResult<Value> {
    let mut members = vec![("kty", "RSA".to_owned())];
    let texts = numbers.iter().map(|number| jwk::encode(number));
    members.extend(NUMBERS.into_iter().zip(texts));
    jwk::object(ctx, &members)
}

fn wrong_half(kind: &str, handle: Option<&Handle>) -> OperationError {
    let found = handle.map_or("<nil>", Handle::go_type);
    let text = format!("given CryptoKey is not a {kind} RSA key, it's {found}");
    Failure::new("InvalidAccessError", text).into()
}
